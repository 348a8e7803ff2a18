// A worker whose work waits in database rows: it polls when woken and at intervals, never twice at once, and stops
// between steps.
import type { Clock } from './clock.ts'

type Parts = {
  /** The worker's name in health, in lower case. */
  name: string
  clock: Clock
  everyMs: number
  /** Does the due work; returns whether there may be more. */
  poll: (stopping: AbortSignal) => Promise<boolean>
  /** A poll failed; the next one tries again. */
  onFailed: (error: unknown) => void
  /** The first poll comes after `everyMs`, not at the start. */
  startsIdle?: boolean
}

export type Worker = {
  /** Reports that there may be work. */
  wake: () => void
  /** Resolves when nothing is running. */
  settled: () => Promise<void>
  /** The returned function stops it after the current step. It may be started again afterwards. */
  start: () => () => Promise<void>
}

export type WorkerState = { name: string; runningSinceMs: number | null; failingSinceMs: number | null }

/** The states of a process's workers. All of them share one clock, which is the key here. */
const statesBy = new WeakMap<Clock, Map<string, WorkerState>>()

/** The state of each worker that has run, for health. */
export const workersOf = (clock: Clock): WorkerState[] => [...(statesBy.get(clock)?.values() ?? [])]

/** Runs a worker's steps and keeps its state. */
export function watchSteps(clock: Clock, name: string) {
  const state: WorkerState = { name, runningSinceMs: null, failingSinceMs: null }
  return async <T>(step: () => Promise<T>): Promise<T> => {
    const states = statesBy.get(clock) ?? new Map<string, WorkerState>()
    statesBy.set(clock, states.set(name, state))
    state.runningSinceMs = clock.now()
    try {
      const answer = await step()
      state.failingSinceMs = null
      return answer
    } catch (error) {
      state.failingSinceMs ??= clock.now()
      throw error
    } finally {
      state.runningSinceMs = null
    }
  }
}

export function createWorker({ name, clock, everyMs, poll, onFailed, startsIdle = false }: Parts): Worker {
  const watched = watchSteps(clock, name)
  let stopping = new AbortController()
  let isWoken = false
  let running: Promise<void> | null = null

  function wake() {
    isWoken = true
    if (stopping.signal.aborted) return
    running ??= drain().finally(() => {
      running = null
      if (isWoken) wake()
    })
  }

  async function drain() {
    while (isWoken && !stopping.signal.aborted) {
      isWoken = false
      try {
        if (await watched(() => poll(stopping.signal))) isWoken = true
      } catch (error) {
        onFailed(error)
      }
    }
  }

  async function settled(): Promise<void> {
    if (running === null) return
    await running
    await settled()
  }

  return {
    wake,
    settled,
    start: () => {
      const mine = (stopping = new AbortController())
      if (!startsIdle) wake()
      const stop = clock.every(everyMs, wake)
      return async () => {
        mine.abort()
        stop()
        await running
      }
    },
  }
}

type Startable = { start: () => () => void | Promise<void> }

/** Starts the workers that are there; the returned function stops them one after the other. */
export function startInOrder(workers: readonly (Startable | null | undefined)[]): () => Promise<void> {
  const stops = workers.flatMap((worker) => (worker ? [worker.start()] : []))
  return async () => {
    for (const stop of stops) await stop()
  }
}
