// The embedded engine: PGlite in a worker thread, one connection, transactions in turn; one that hangs or breaks is opened again.
import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'
import { systemClock, type Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import {
  isPassing,
  SqlError,
  type Answered,
  type Database,
  type Query,
  type Row,
  type SqlValue,
} from '../database.ts'
import { countEndings } from '../endings.ts'
import { EngineFault, startEngine, type Engine } from './engine.ts'
import { createShares, sharesOf } from '../shares.ts'

export type PgliteDatabase = Database & {
  /** The whole data directory as one uncompressed tar, to start another database from. */
  dump(): Promise<Uint8Array>
  /**
   * Copies its folder to `target`, as of one moment between two transactions: nothing is written meanwhile, for only
   * questions make it write.
   */
  copyTo(target: string): Promise<void>
  /** Opens another engine over the folder: what one once took of memory, as for a great import, it never gives back. */
  renew(): Promise<void>
}

type Options = {
  dataDir?: string
  template?: string
  /** How long one statement may take where nothing else is said, and one of maintenance; for ever without it. */
  limits?: { statementMs: number; maintenanceMs: number }
  log?: Log
  clock?: Clock
  /** What runs in its thread; tests hand in one that breaks as they ask. */
  thread?: URL
}

type Ear = { onPayload: (payload: string) => void; onGap: (() => void) | undefined }

/** What a folder of any size is closed in; one that is not is as after a crash, which loses nothing. */
const CLOSE_WITHIN_MS = 10_000
/** An engine that could not be opened, as on a full disk, is tried again with the next statement after this. */
const REOPEN_EVERY_MS = 1_000
const PROBE_WITHIN_MS = 5_000
/** After a crash it first does again what its log says. */
const OPEN_WITHIN_MS = 120_000

/**
 * Opens the database in `dataDir` (made when missing), or in memory without one. `template` is the path of a `dump()`,
 * compressed where it ends in `.gz`, that a new directory starts from. The caller holds the directory's lock (directory-lock.ts).
 */
export async function openPglite(options: Options): Promise<PgliteDatabase> {
  const { limits, clock = systemClock } = options
  const shares = countEndings(createShares({ sizes: sharesOf(1), clock }), clock)
  const engines = await keepEngine(options)

  /** One task in its turn, on an engine that is well; a fault of the engine is told from a refusal afterwards. */
  const onEngine = <T>(
    task: (engine: Engine) => Promise<T>,
    asker?: Parameters<typeof shares.run>[0],
  ): Promise<T> =>
    shares.run(asker, async () => {
      const engine = await engines.current()
      return task(engine).catch(async (error: unknown) => {
        throw await engines.judge(engine, error)
      })
    })

  return {
    engine: 'pglite',
    query: (sql, values) => onEngine((engine) => queryOn(engine, limits?.statementMs)(sql, values)),
    transaction: (run, { rollback, asker, limitMs } = {}) =>
      onEngine(async (engine) => {
        const send = queryOn(engine, limits && (limitMs ?? limits.statementMs))
        try {
          await send('begin')
          const result = await run(send)
          await send(rollback ? 'rollback' : 'commit')
          return result
        } catch (error) {
          // What cannot even be rolled back answers nothing any more.
          await send('rollback').catch((fault: unknown) => engine.end(`rollback failed: ${String(fault)}`))
          throw error
        }
      }, asker),
    batch: (statements, { rollback, asker, limitMs, check } = {}) =>
      onEngine(async (engine) => {
        const ends = rollback ? 'rollback' : 'commit'
        const within = limits && (limitMs ?? limits.statementMs)
        const asked = statements.map(({ sql, values = [] }) => ({ sql, values }))
        const job = { op: 'batch', statements: asked, ends: check ? null : ends } as const
        // A refusal was rolled back in the engine's thread.
        const answers = (await engine.call(job, within)) as Answered[]
        if (!check) return answers
        const send = queryOn(engine, within)
        try {
          check(answers)
          await send(ends)
          return answers
        } catch (error) {
          await send('rollback').catch((fault: unknown) => engine.end(`rollback failed: ${String(fault)}`))
          throw error
        }
      }, asker),
    exec: (sql) =>
      onEngine(async (engine) => void (await engine.call({ op: 'exec', sql }, limits?.maintenanceMs))),
    listen: async (channel, onPayload, onGap) => {
      const ear = { onPayload, onGap }
      if (engines.addEar(channel, ear))
        await onEngine((engine) => engine.call({ op: 'listen', channel }, limits?.statementMs))
      return async () => {
        if (engines.removeEar(channel, ear))
          await onEngine((engine) => engine.call({ op: 'unlisten', channel }, limits?.statementMs))
      }
    },
    dump: () => onEngine(async (engine) => (await engine.call({ op: 'dump' })) as Uint8Array),
    copyTo: (target) =>
      onEngine(async (engine) => {
        await engine.call({ op: 'exec', sql: 'checkpoint' }, limits?.maintenanceMs)
        await cp(options.dataDir ?? '', target, { recursive: true, mode: constants.COPYFILE_FICLONE })
      }),
    renew: () => onEngine((engine) => engines.renew(engine)),
    load: () => shares.load(),
    close: async () => {
      const closed = onEngine((engine) => engine.call({ op: 'close' }))
      engines.stop()
      const isSettled = new AbortController()
      await Promise.race([
        closed.catch(() => undefined).finally(() => isSettled.abort()),
        clock.sleep(CLOSE_WITHIN_MS, isSettled.signal),
      ])
      await engines.end()
    },
  }
}

const queryOn =
  (engine: Engine, limitMs: number | undefined): Query =>
  async <T extends Row>(sql: string, values?: readonly SqlValue[]) =>
    (await engine.call({ op: 'query', sql, values: values ?? [] }, limitMs)) as {
      rows: T[]
      rowCount: number
    }

/** The engine of now, and the next one where it ended: never two over one folder. */
async function keepEngine({ dataDir, template, log, thread, clock = systemClock }: Options) {
  const ears = new Map<string, Set<Ear>>()
  let isStopped = false
  let isOpened = false
  let triedAt = Number.NEGATIVE_INFINITY
  let reopening: Promise<Engine> | undefined
  const first = {
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(template === undefined ? {} : { template }),
  }
  let engine = start(first)
  await engine.ready
  isOpened = true

  function start(workerData: { dataDir?: string; template?: string }): Engine {
    return startEngine({
      workerData,
      thread,
      clock,
      onNotice: (channel, payload) => ears.get(channel)?.forEach(({ onPayload }) => onPayload(payload)),
      onEnd: (reason) => {
        if (isStopped || !isOpened) return
        log?.error('database.ended', { message: reason })
        // Live events must not wait for the next question.
        if (engine.hasEnded()) void current().catch(() => undefined)
      },
    })
  }

  async function reopen(): Promise<Engine> {
    triedAt = clock.now()
    try {
      await engine.end('replaced')
      const next = start(dataDir === undefined ? {} : { dataDir })
      engine = next
      await openWithin(next, clock)
      for (const channel of ears.keys()) await next.call({ op: 'listen', channel })
      if (isOpened) log?.warn('database.reopened', { ms: clock.now() - triedAt })
      ears.forEach((of) => of.forEach(({ onGap }) => onGap?.()))
      return next
    } catch (error) {
      await engine.end('it could not be opened')
      log?.error('database.reopen-failed', errorFields(error))
      throw unavailable(error)
    }
  }

  async function current(): Promise<Engine> {
    if (reopening) return reopening
    if (!engine.hasEnded()) return engine
    // What was in memory alone is gone with its engine.
    if (isStopped || dataDir === undefined) throw unavailable()
    // A clock put back must not lock it for the length of the jump.
    if (Math.abs(clock.now() - triedAt) < REOPEN_EVERY_MS) throw unavailable()
    reopening = reopen().finally(() => (reopening = undefined))
    return reopening
  }

  return {
    current,
    /** What the error of a task is after a look at the engine: one that answers nothing any more is ended. */
    judge: async (asked: Engine, error: unknown): Promise<unknown> => {
      if (!isSuspicious(error) || (await isWell(asked))) return error
      void asked.end(`the embedded database failed: ${String(error)}`)
      return error instanceof SqlError && isPassing(error) ? error : unavailable(error)
    },
    /** True for the first one on the channel. */
    addEar: (channel: string, ear: Ear) => {
      const of = ears.get(channel) ?? new Set()
      ears.set(channel, of.add(ear))
      return of.size === 1
    },
    /** True for the last one. */
    removeEar: (channel: string, ear: Ear) => {
      const of = ears.get(channel)
      if (!of?.delete(ear) || of.size > 0) return false
      return ears.delete(channel)
    },
    renew: async (asked: Engine) => {
      await asked.call({ op: 'close' })
      isOpened = false
      await reopen().finally(() => (isOpened = true))
    },
    stop: () => {
      isStopped = true
    },
    end: () => engine.end('the embedded database is closed'),
  }
}

async function openWithin(engine: Engine, clock: Clock): Promise<void> {
  const opened = new AbortController()
  void clock
    .sleep(OPEN_WITHIN_MS, opened.signal)
    .then(() =>
      opened.signal.aborted ? undefined : engine.end(`it did not open within ${OPEN_WITHIN_MS} ms`),
    )
  await engine.ready.finally(() => opened.abort())
}

async function isWell(engine: Engine): Promise<boolean> {
  try {
    await engine.call({ op: 'exec', sql: 'rollback' }, PROBE_WITHIN_MS)
    await engine.call({ op: 'query', sql: 'select 1', values: [] }, PROBE_WITHIN_MS)
    return true
  } catch {
    return false
  }
}

/** Of the engine rather than of what was asked: no SQL error at all, or no room, or its inside. */
const isSuspicious = (error: unknown): boolean =>
  error instanceof EngineFault || (error instanceof SqlError && /^(53|57|58|XX)/.test(error.code))

const unavailable = (cause?: unknown) =>
  new SqlError({ code: '57P03', message: 'the embedded database is being opened anew', cause })
