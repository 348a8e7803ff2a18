// The embedded engine: PGlite in a worker thread, one connection, transactions in turn (BACKEND.md 2).
import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import {
  SqlError,
  type Database,
  type DatabaseLoad,
  type Query,
  type Row,
  type SqlValue,
} from './database.ts'

type Job = { op: string; sql?: string; values?: readonly SqlValue[]; channel?: string }
type Answer = {
  id?: number
  ready?: true
  channel?: string
  payload?: string
  result?: unknown
  fault?: { message: string; code?: string; detail?: string; hint?: string; constraint?: string }
}
type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void }

export type PgliteDatabase = Database & {
  /** The whole data directory as one uncompressed tar, to start another database from. */
  dump(): Promise<Uint8Array>
  /**
   * Copies its folder to `target`, as of one moment between two transactions: nothing is written meanwhile, for only
   * questions make it write.
   */
  copyTo(target: string): Promise<void>
}

/**
 * Opens the database in `dataDir` (made when missing), or in memory without one. `template` is the path of a `dump()`
 * that a new directory starts from. The caller holds the directory's lock (directory-lock.ts).
 */
export async function openPglite(options: { dataDir?: string; template?: string }): Promise<PgliteDatabase> {
  const worker = new Worker(new URL('./pglite-worker.mjs', import.meta.url), { workerData: options })
  const line = createLine(worker)
  await line.ready
  const { exclusive, load } = createTurnstile()
  const send: Query = async <T extends Row>(sql: string, values?: readonly SqlValue[]) =>
    (await line.call({ op: 'query', sql, values: values ?? [] })) as { rows: T[]; rowCount: number }

  return {
    engine: 'pglite',
    query: (sql, values) => exclusive(() => send(sql, values)),
    transaction: (run, settings) =>
      exclusive(async () => {
        await send('begin')
        try {
          const result = await run(send)
          await send(settings?.rollback ? 'rollback' : 'commit')
          return result
        } catch (error) {
          await send('rollback').catch(() => undefined)
          throw error
        }
      }),
    exec: (sql) => exclusive(async () => void (await line.call({ op: 'exec', sql }))),
    listen: async (channel, onPayload) => {
      const stop = line.subscribe(channel, onPayload)
      if (stop.isFirst) await exclusive(() => line.call({ op: 'listen', channel }))
      return async () => {
        if (stop.end()) await exclusive(() => line.call({ op: 'unlisten', channel }))
      }
    },
    dump: () => exclusive(async () => (await line.call({ op: 'dump' })) as Uint8Array),
    copyTo: (target) =>
      exclusive(async () => {
        await line.call({ op: 'exec', sql: 'checkpoint' })
        await cp(options.dataDir ?? '', target, { recursive: true, mode: constants.COPYFILE_FICLONE })
      }),
    load,
    close: async () => {
      await exclusive(() => line.call({ op: 'close' }))
      await line.end()
    },
  }
}

/** Runs one task after another, in the order of asking; a failed one does not stop the next. */
function createTurnstile() {
  let last: Promise<unknown> = Promise.resolve()
  let count = 0
  return {
    exclusive: <T>(task: () => Promise<T>): Promise<T> => {
      count += 1
      const turn = last.then(task).finally(() => (count -= 1))
      last = turn.catch(() => undefined)
      return turn
    },
    load: (): DatabaseLoad => ({
      busy: Math.min(count, 1),
      idle: count === 0 ? 1 : 0,
      waiting: Math.max(0, count - 1),
    }),
  }
}

/** Calls and answers over the thread's port; a dead worker fails every waiting and later call. */
function createLine(worker: Worker) {
  const waiting = new Map<number, Waiting>()
  const subscribers = new Map<string, Set<(payload: string) => void>>()
  let nextId = 1
  let dead: Error | undefined
  let isEnding = false
  let settle: Waiting = { resolve: () => undefined, reject: () => undefined }
  const ready = new Promise<unknown>((resolve, reject) => {
    settle = { resolve, reject }
  })

  worker.on('message', (answer: Answer) => {
    if (answer.ready) return settle.resolve(undefined)
    if (answer.channel !== undefined) {
      for (const onPayload of subscribers.get(answer.channel) ?? []) onPayload(answer.payload ?? '')
      return
    }
    const call = waiting.get(answer.id ?? 0)
    waiting.delete(answer.id ?? 0)
    if (answer.fault) call?.reject(toError(answer.fault))
    else call?.resolve(answer.result)
  })
  worker.on('error', fail)
  worker.on('exit', () => {
    if (!isEnding) fail(new Error('the embedded database stopped'))
  })

  function fail(error: unknown) {
    dead ??= error instanceof Error ? error : new Error(String(error))
    settle.reject(dead)
    for (const call of waiting.values()) call.reject(dead)
    waiting.clear()
  }

  return {
    ready,
    call: (job: Job) =>
      new Promise<unknown>((resolve, reject) => {
        if (dead) return reject(dead)
        const id = nextId++
        waiting.set(id, { resolve, reject })
        worker.postMessage({ id, ...job })
      }),
    subscribe: (channel: string, onPayload: (payload: string) => void) => {
      const listeners = subscribers.get(channel) ?? new Set()
      subscribers.set(channel, listeners)
      listeners.add(onPayload)
      return {
        isFirst: listeners.size === 1,
        end: () => listeners.delete(onPayload) && listeners.size === 0,
      }
    },
    end: async () => {
      isEnding = true
      dead = new Error('the embedded database is closed')
      await worker.terminate()
    },
  }
}

function toError(fault: NonNullable<Answer['fault']>): Error {
  return fault.code === undefined ? new Error(fault.message) : new SqlError({ ...fault, code: fault.code })
}
