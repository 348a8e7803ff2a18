// One embedded engine in its worker thread: calls and answers over the thread's port, each within its limit, until its
// end.
import { Worker } from 'node:worker_threads'
import type { Clock } from '#server/clock.ts'
import { SqlError, type SqlValue } from '../database.ts'
import { ENDED } from '../endings.ts'
import { engineProgram } from './program.ts'

export type Job = {
  op: string
  sql?: string
  values?: readonly SqlValue[]
  channel?: string
  /** The statements of a batch, in one transaction. `ends` says how it ends; null leaves it open. */
  statements?: readonly { sql: string; values: readonly SqlValue[] }[]
  ends?: 'commit' | 'rollback' | null
}
type Answer = {
  id?: number
  ready?: true
  channel?: string
  payload?: string
  result?: unknown
  fault?: { message: string; code?: string; detail?: string; hint?: string; constraint?: string; at?: number }
}
type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void }

/** An error of the engine that is no SQL error, after which it may be unusable. */
export class EngineFault extends Error {
  override readonly name = 'EngineFault'
}

export type Engine = {
  ready: Promise<unknown>
  /** Rejects with 57P02 if the engine has ended. An engine that does not answer within `limitMs` is ended. */
  call(job: Job, limitMs?: number): Promise<unknown>
  /** Rejects all waiting calls and stops the thread at once; it does not touch the folder afterwards. */
  end(reason: string): Promise<void>
  hasEnded(): boolean
}

type Options = {
  workerData: { dataDir?: string; template?: string }
  thread: URL | undefined
  clock: Clock
  onNotice: (channel: string, payload: string) => void
  /** Called when the engine has ended by itself, or was ended at its limit. */
  onEnd: (reason: string) => void
}

export function startEngine({ workerData, thread, clock, onNotice, onEnd }: Options): Engine {
  const worker = new Worker(thread ?? new URL('./pglite-worker.mjs', import.meta.url), {
    workerData: { ...workerData, program: engineProgram() },
  })
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  let dead: Error | undefined
  let ending: Promise<void> | undefined
  let settle: Waiting = { resolve: () => undefined, reject: () => undefined }
  const ready = new Promise<unknown>((resolve, reject) => {
    settle = { resolve, reject }
  })

  worker.on('message', (answer: Answer) => {
    if (answer.ready) return settle.resolve(undefined)
    if (answer.channel !== undefined) return onNotice(answer.channel, answer.payload ?? '')
    const call = waiting.get(answer.id ?? 0)
    waiting.delete(answer.id ?? 0)
    if (answer.fault) call?.reject(toError(answer.fault))
    else call?.resolve(answer.result)
  })
  worker.on('error', (error: unknown) => fail('the embedded database crashed', error))
  worker.on('exit', () => fail('the embedded database stopped'))

  function fail(reason: string, cause?: unknown) {
    if (dead) return
    dead = new SqlError({ message: reason, code: ENDED, cause })
    settle.reject(cause instanceof Error ? cause : dead)
    for (const call of waiting.values()) call.reject(dead)
    waiting.clear()
    onEnd(reason)
  }

  function end(reason: string): Promise<void> {
    fail(reason)
    ending ??= worker.terminate().then(() => undefined)
    return ending
  }

  return {
    ready,
    call: async (job, limitMs) => {
      if (dead) throw dead
      const id = nextId++
      const answered = new AbortController()
      const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
      worker.postMessage({ id, ...job })
      if (limitMs !== undefined)
        void clock.sleep(limitMs, answered.signal).then(() => {
          if (!answered.signal.aborted) void end(`the embedded database did not answer within ${limitMs} ms`)
        })
      try {
        return await answer
      } finally {
        answered.abort()
      }
    },
    end,
    hasEnded: () => dead !== undefined,
  }
}

const toError = (fault: NonNullable<Answer['fault']>): Error =>
  fault.code === undefined ? new EngineFault(fault.message) : new SqlError({ ...fault, code: fault.code })
