// Composes what connections of brokers need: their links, moves to the other gateway, the watch, and the webhook's renewal.
import { Hono } from 'hono'
import { ALWAYS_THERE, type GatewayKind } from '#server/gateway.ts'
import type { Parts } from '#server/parts.ts'
import { createInstanceRoutes } from './connection-routes.ts'
import { createLinks } from './connection.ts'
import { createMoveRoutes } from './move-routes.ts'
import { createMoves } from './moves.ts'
import { createLinkLife } from './link-life.ts'
import { createWatches } from './watches.ts'
import { createWebhookRenewal } from './webhook-renewal.ts'

type Secrets = Pick<Parameters<typeof createLinks>[0], 'mintWebhookSecret'> &
  Pick<Parameters<typeof createMoves>[0], 'makeWebhookSecret'> &
  Pick<Parameters<typeof createWebhookRenewal>[0], 'isKnown'>

type Asking = Parameters<typeof createInstanceRoutes>[1] & Parameters<typeof createMoveRoutes>[1]

type Options = Asking & {
  webhookBase: () => string
  secrets: Secrets
  /** The name of a kind of gateway for people. */
  titleOf: (kind: string) => string
  onOpened: (instanceName: string) => void
  /** Called when the gateway answers again (true), and when it stops answering (false). */
  onAnswered: (isBack: boolean) => void
}

export function createConnection(parts: Parts, options: Options) {
  const { db, clock, log, gateway } = parts
  const { memberOf, rateLimit, webhookBase, secrets, titleOf, onOpened, onAnswered } = options
  const watch = gateway && createWatches({ db, clock, log, gateway, onOpened, onAnswered })
  const presence = watch ?? ALWAYS_THERE
  const renewal = gateway && createWebhookRenewal({ db, clock, log, gateway, webhookBase, ...secrets })
  const onMoved = (instanceName: string, to: GatewayKind) => {
    watch?.moved(instanceName, to)
    onOpened(instanceName)
  }
  const moves = createMoves({ ...parts, ...secrets, webhookBase, onMoved })
  const links = createLinks({ ...parts, ...secrets, webhookBase, ...presence, moves: moves.continued })
  return {
    presence,
    routes: new Hono()
      .route('/move', createMoveRoutes(moves, { memberOf, rateLimit }))
      .route('/', createInstanceRoutes(links, { memberOf, rateLimit })),
    workers: { watch, renewal, moves },
    probes: {
      gateway: () => watch?.health() ?? 'none',
      gateways: () => watch?.healths() ?? {},
      eachGateway: () =>
        Object.entries(watch?.healths() ?? {}).map(([kind, health]) => ({ title: titleOf(kind), health })),
      links: createLinkLife(db).count,
    },
  }
}
