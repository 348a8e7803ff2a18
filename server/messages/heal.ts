// The sweep: what the gateway holds and a lost webhook did not bring, read back on reconnect and every ten minutes (PRODUCT.md 4.3).
import { hasPassed } from '#server/clock.ts'
import { errorFields } from '#server/log.ts'
import { GatewayError } from '#server/ports.ts'
import { createReadBack, type HealOptions, type Swept } from './read-back.ts'
import { claim, openInstances } from './sweep-rows.ts'

const SWEEP_EVERY_MS = 600_000
const LEARN_EVERY_MS = 60_000

/** `hear` takes the news of the webhook; `start` sweeps every ten minutes and answers the function that stops. */
export function createHeal(options: HealOptions) {
  const { db, clock, log } = options
  const stopping = new AbortController()
  const readBack = createReadBack(options, stopping.signal)
  const running = new Map<string, Promise<Swept>>()
  const learnedAtMs = new Map<string, number>()

  /** One at a time an instance; a second call gets the result of the one under way. */
  function sweep(instanceName: string, { isReconnect = false } = {}): Promise<Swept> {
    const known = running.get(instanceName)
    if (known) return known
    const sweeping = readBack.all(instanceName, isReconnect).finally(() => running.delete(instanceName))
    running.set(instanceName, sweeping)
    return sweeping
  }

  async function quietly(instanceName: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      const fault = error instanceof GatewayError ? error.fault : undefined
      log.warn('heal.failed', { instance: instanceName, fault, ...errorFields(error) })
    }
  }

  async function sweepAll(): Promise<void> {
    for (const instanceName of await openInstances(db)) {
      if (stopping.signal.aborted) return
      if (await claim(db, instanceName)) await quietly(instanceName, () => sweep(instanceName))
    }
  }

  async function learn(instanceName: string): Promise<void> {
    if (!hasPassed(clock, learnedAtMs.get(instanceName) ?? 0, LEARN_EVERY_MS)) return
    learnedAtMs.set(instanceName, clock.now())
    await quietly(instanceName, () => readBack.hidden(instanceName))
  }

  return {
    /** Rejects with GatewayError where the gateway cannot be read. */
    sweep,
    /** Acts on news: a link that opened is swept, a hidden number is asked for. */
    hear: ({
      instanceName,
      kind,
    }: {
      instanceName: string
      kind: 'linked' | 'number-hidden'
    }): Promise<void> =>
      kind === 'linked'
        ? quietly(instanceName, () => sweep(instanceName, { isReconnect: true }))
        : learn(instanceName),
    start: (): (() => void) => {
      const stop = clock.every(SWEEP_EVERY_MS, () => {
        sweepAll().catch((error: unknown) => log.warn('heal.failed', errorFields(error)))
      })
      return () => {
        stop()
        stopping.abort()
      }
    },
  }
}
