// Polls each gateway by itself, so that one that is away stops only its own instances.
import type { GatewayKind, Presence } from '#server/gateway.ts'
import { createWatch, type GatewayHealth, type WatchParts } from './link-watch.ts'

export type Watches = Presence & {
  /** The health of all gateways as one: the first fault, else 'unknown' until each has answered. */
  health(): GatewayHealth
  /** The health of each gateway; empty if there is only one. */
  healths(): Readonly<Record<GatewayKind, GatewayHealth>>
  /** The instance has moved to this kind of gateway, whose state counts for it at once. */
  moved(instanceName: string, to: GatewayKind): void
  /** Polls all now. */
  poll(): Promise<void>
  start(): () => Promise<void>
}

export function createWatches(parts: WatchParts): Watches {
  const { choice } = parts.gateway
  const several = (choice?.kinds ?? []).flatMap((kind, at) => {
    const gateway = choice?.of(kind)
    return gateway
      ? [{ kind, watch: createWatch({ ...parts, gateway, only: { kind, isForNew: at === 0 } }) }]
      : []
  })
  const watches = several.length > 1 ? several : [{ kind: choice?.kinds[0] ?? '', watch: createWatch(parts) }]
  const of = (instanceName: string) =>
    watches.length === 1 ? watches[0]?.watch : watches.find(({ watch }) => watch.has(instanceName))?.watch
  return {
    health: () => {
      const healths = watches.map(({ watch }) => watch.health())
      return (
        healths.find((one) => one !== 'ok' && one !== 'unknown') ??
        healths.find((one) => one !== 'ok') ??
        'ok'
      )
    },
    healths: () =>
      choice ? Object.fromEntries(watches.map(({ kind, watch }) => [kind, watch.health()])) : {},
    isAway: (instanceName) =>
      instanceName === undefined
        ? watches.every(({ watch }) => watch.isAway())
        : (of(instanceName)?.isAway() ?? false),
    lookNow: async (instanceName) => (await of(instanceName)?.lookNow(instanceName)) ?? false,
    moved: (instanceName, to) => {
      for (const { kind, watch } of watches) watch.moved(instanceName, kind === to)
    },
    poll: async () => void (await Promise.all(watches.map(({ watch }) => watch.poll()))),
    start: () => {
      const stops = watches.map(({ watch }) => watch.start())
      return async () => void (await Promise.all(stops.map((stop) => stop())))
    },
  }
}
