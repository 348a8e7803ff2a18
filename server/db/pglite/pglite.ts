// The embedded database: PGlite in a worker thread, one connection, transactions in turn.
import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'
import { systemClock } from '#server/clock.ts'
import type { Answered, Database, Query, Row, SqlValue } from '../database.ts'
import { countEndings } from '../endings.ts'
import type { Engine } from './engine.ts'
import { keepEngine, type EngineOptions } from './kept-engine.ts'
import { createShares, sharesOf } from '../shares.ts'

export type PgliteDatabase = Database & {
  /** The whole data directory as one uncompressed tar, to start another database from. */
  dump(): Promise<Uint8Array>
  /**
   * Copies the folder of the database to `target`, as it is between two transactions. Nothing is written meanwhile,
   * because the engine writes only when it is asked.
   */
  copyTo(target: string): Promise<void>
  /** Gives back the memory that nothing uses any more. */
  collect(): Promise<void>
}

type Options = EngineOptions & {
  /** Default limits of a statement and of a maintenance statement; undefined: no limit. */
  limits?: { statementMs: number; maintenanceMs: number }
}

/** Closing takes at most this long. If it takes longer, the folder is as after a crash, which loses nothing. */
const CLOSE_WITHIN_MS = 10_000

/**
 * Opens the database in `dataDir` (made when missing), or in memory without one. `template` is the path of a `dump()`
 * that a new directory starts from. The caller holds the directory's lock (directory-lock.ts).
 */
export async function openPglite(options: Options): Promise<PgliteDatabase> {
  const { limits, clock = systemClock } = options
  const shares = countEndings(createShares({ sizes: sharesOf(1), clock }), clock)
  const engines = await keepEngine(options)

  /** Runs one task at a time on a working engine. After an error, checks whether the engine or the statement failed. */
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
          // An engine that cannot even roll back no longer answers.
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
        // The engine's thread has already rolled back a refused statement.
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
      const listener = { onPayload, onGap }
      if (engines.addListener(channel, listener))
        await onEngine((engine) => engine.call({ op: 'listen', channel }, limits?.statementMs))
      return async () => {
        if (engines.removeListener(channel, listener))
          await onEngine((engine) => engine.call({ op: 'unlisten', channel }, limits?.statementMs))
      }
    },
    dump: () => onEngine(async (engine) => (await engine.call({ op: 'dump' })) as Uint8Array),
    copyTo: (target) =>
      onEngine(async (engine) => {
        await engine.call({ op: 'exec', sql: 'checkpoint' }, limits?.maintenanceMs)
        await cp(options.dataDir ?? '', target, { recursive: true, mode: constants.COPYFILE_FICLONE })
      }),
    collect: () => onEngine(async (engine) => void (await engine.call({ op: 'collect' }))),
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
