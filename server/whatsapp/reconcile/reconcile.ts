// The sweep: reads what a lost webhook did not bring, at the portal's start, when a link opens, and every ten
// minutes.
import { hasPassed, type Clock } from '#server/clock.ts'
import { errorFields } from '#server/log.ts'
import { GatewayError } from '#server/gateway.ts'
import { createReadBack, type ReconcileOptions, type Swept } from './read-back.ts'
import { claim, openInstances } from './reconcile-store.ts'

const RECONCILE_EVERY_MS = 600_000
/**
 * How long another portal's sweep counts as this one's. At its start a portal yields only to one that started at the
 * same time.
 */
const CLAIM_SECONDS = { regular: 300, start: 30 }
/**
 * Retry delays after a failure, or while a linked phone delivers history; then the next regular sweep
 * follows.
 */
const AGAIN_AFTER_MS = [10_000, 30_000, 60_000, 120_000, 240_000]
const LEARN_EVERY_MS = 60_000
/** How long a stopping portal waits for a read. */
const STOP_WITHIN_MS = 5_000

type How = { isReconnect?: boolean }

/**
 * `hear` takes news from webhooks; `start` sweeps at once and every ten minutes, and returns the function
 * that stops.
 */
export function createReconcile(options: ReconcileOptions) {
  const { db, clock, log } = options
  const stopping = new AbortController()
  const readBack = createReadBack(options, stopping.signal)
  const reconcileInstance = createSweeps(readBack.all)
  const repeating = new Map<string, Promise<void>>()

  /** Returns the result of `work`, or null after a failure, which is logged. */
  async function quietly<T>(instanceName: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      const fault = error instanceof GatewayError ? error.fault : undefined
      log.warn('heal.failed', { instance: instanceName, fault, ...errorFields(error) })
      return null
    }
  }

  const learn = createLearning(clock, stopping.signal, (instanceName) =>
    quietly(instanceName, () => readBack.hidden(instanceName)),
  )

  /** Resolves after the first attempt; retries go on in the background. */
  async function reconcileSurely(instanceName: string, how: How = {}): Promise<void> {
    const swept = await quietly(instanceName, () => reconcileInstance(instanceName, how))
    if (swept?.isSettled || repeating.has(instanceName)) return
    const again = repeat(instanceName, swept ? {} : how).finally(() => repeating.delete(instanceName))
    repeating.set(instanceName, again)
  }

  async function repeat(instanceName: string, how: How): Promise<void> {
    for (const delayMs of AGAIN_AFTER_MS) {
      await clock.sleep(delayMs, stopping.signal)
      if (stopping.signal.aborted) return
      if ((await quietly(instanceName, () => reconcileInstance(instanceName, how)))?.isSettled) return
    }
  }

  async function reconcileAll(claimSeconds: number): Promise<void> {
    try {
      for (const instanceName of await openInstances(db)) {
        if (stopping.signal.aborted) return
        if (await claim(db, instanceName, claimSeconds)) await reconcileSurely(instanceName)
      }
    } catch (error) {
      log.warn('heal.failed', errorFields(error))
    }
  }

  return {
    /** Rejects with GatewayError if the gateway cannot be read. */
    sweep: reconcileInstance,
    /** Reacts to news: sweeps an opened link, searches a hidden number. */
    hear: ({
      instanceName,
      kind,
    }: {
      instanceName: string
      kind: 'linked' | 'number-hidden'
    }): Promise<void> =>
      kind === 'linked' ? reconcileSurely(instanceName, { isReconnect: true }) : learn(instanceName),
    start: (): (() => Promise<void>) => {
      let sweeping = reconcileAll(CLAIM_SECONDS.start)
      const stop = clock.every(RECONCILE_EVERY_MS, () => {
        sweeping = sweeping.then(() => reconcileAll(CLAIM_SECONDS.regular))
      })
      return async () => {
        stop()
        stopping.abort()
        const ending = Promise.all([sweeping, ...repeating.values()])
        await Promise.race([ending, clock.sleep(STOP_WITHIN_MS)])
      }
    },
  }
}

/**
 * One sweep at a time for each instance; a second call gets the current one's result. If a link opened
 * meanwhile, the current sweep may have missed its messages, so another one follows.
 */
function createSweeps(sweep: (instanceName: string, isReconnect: boolean) => Promise<Swept>) {
  const running = new Map<string, Promise<Swept>>()
  /** Sweeps that wait until the current one has ended. */
  const following = new Map<string, Promise<Swept>>()

  function begin(sweeps: Map<string, Promise<Swept>>, instanceName: string, work: () => Promise<Swept>) {
    const sweeping = work().finally(() => {
      if (sweeps.get(instanceName) === sweeping) sweeps.delete(instanceName)
    })
    sweeps.set(instanceName, sweeping)
    return sweeping
  }

  return function reconcile(instanceName: string, { isReconnect = false }: How = {}): Promise<Swept> {
    const known = running.get(instanceName)
    if (!known) return begin(running, instanceName, () => sweep(instanceName, isReconnect))
    if (!isReconnect) return known
    return (
      following.get(instanceName) ??
      begin(following, instanceName, async () => {
        await known.catch(() => undefined)
        // Another sweep may have begun in between. This one still follows it.
        following.delete(instanceName)
        return reconcile(instanceName, { isReconnect })
      })
    )
  }
}

/** Searches hidden numbers at once, but at most once a minute. */
function createLearning(
  clock: Clock,
  stopping: AbortSignal,
  ask: (instanceName: string) => Promise<unknown>,
) {
  const learnedAtMs = new Map<string, number>()
  const waiting = new Set<string>()

  async function learn(instanceName: string): Promise<void> {
    if (!hasPassed(clock, learnedAtMs.get(instanceName) ?? 0, LEARN_EVERY_MS)) return learnLater(instanceName)
    learnedAtMs.set(instanceName, clock.now())
    await ask(instanceName)
  }

  function learnLater(instanceName: string) {
    if (waiting.has(instanceName)) return
    waiting.add(instanceName)
    void clock.sleep(LEARN_EVERY_MS, stopping).then(() => {
      waiting.delete(instanceName)
      if (!stopping.aborted) void learn(instanceName)
    })
  }
  return learn
}
