// Keeps the embedded engine open: an engine that hangs or crashes is ended, and a new one opens the same folder.
import { systemClock, type Clock } from '#server/clock.ts'
import { errorFields, type Log } from '#server/log.ts'
import { isPassing, SqlError } from '../database.ts'
import { EngineFault, startEngine, type Engine } from './engine.ts'

export type EngineOptions = {
  dataDir?: string
  template?: string
  log?: Log
  clock?: Clock
  /** The worker's script; tests give one that breaks on demand. */
  thread?: URL
}

type Listener = { onPayload: (payload: string) => void; onGap: (() => void) | undefined }

/** If the engine cannot be opened, for example on a full disk, the first statement after this time tries again. */
const REOPEN_EVERY_MS = 1_000
const PROBE_WITHIN_MS = 5_000
/** The limit is long, because after a crash the engine first replays its log. */
const OPEN_WITHIN_MS = 120_000

/** The current engine, and its successor when it ended; never two over one folder. */
export async function keepEngine({ dataDir, template, log, thread, clock = systemClock }: EngineOptions) {
  const listeners = new Map<string, Set<Listener>>()
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
      onNotice: (channel, payload) => listeners.get(channel)?.forEach(({ onPayload }) => onPayload(payload)),
      onEnd: (reason) => {
        if (isStopped || !isOpened) return
        log?.error('database.ended', { message: reason })
        // Live events must not wait for the next statement.
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
      for (const channel of listeners.keys()) await next.call({ op: 'listen', channel })
      log?.warn('database.reopened', { ms: clock.now() - triedAt })
      listeners.forEach((of) => of.forEach(({ onGap }) => onGap?.()))
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
    // A database in memory cannot be opened again.
    if (isStopped || dataDir === undefined) throw unavailable()
    // `abs`, because a clock that was set back must not block new tries until it has caught up.
    if (Math.abs(clock.now() - triedAt) < REOPEN_EVERY_MS) throw unavailable()
    reopening = reopen().finally(() => (reopening = undefined))
    return reopening
  }

  return {
    current,
    /** Checks the engine after an error of a task, ends it if it no longer answers, and returns the error to raise. */
    judge: async (asked: Engine, error: unknown): Promise<unknown> => {
      if (!isSuspicious(error) || (await isWell(asked))) return error
      void asked.end(`the embedded database failed: ${String(error)}`)
      return error instanceof SqlError && isPassing(error) ? error : unavailable(error)
    },
    /** Returns true for the first listener of the channel. */
    addListener: (channel: string, listener: Listener) => {
      const of = listeners.get(channel) ?? new Set()
      listeners.set(channel, of.add(listener))
      return of.size === 1
    },
    /** Returns true for the last listener of the channel. */
    removeListener: (channel: string, listener: Listener) => {
      const of = listeners.get(channel)
      if (!of?.delete(listener) || of.size > 0) return false
      return listeners.delete(channel)
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

/**
 * True if the error may be the engine's: it is no SQL error, or says that the disk is full or that the engine failed
 * inside.
 */
const isSuspicious = (error: unknown): boolean =>
  error instanceof EngineFault || (error instanceof SqlError && /^(53|57|58|XX)/.test(error.code))

const unavailable = (cause?: unknown) =>
  new SqlError({ code: '57P03', message: 'the embedded database is being opened anew', cause })
