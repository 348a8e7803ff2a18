// Reads the feed from its address every hour or when asked, or from a file; and fetches the photos of its listings.
import { PortalError } from '#domain/errors.ts'
import type { Clock } from '#server/clock.ts'
import { GetError, type Answer, type Get, type GetFault } from '#server/http/address/get.ts'
import { errorFields, type Log } from '#server/log.ts'
import { createWorker, type Worker } from '#server/worker.ts'
import type { createFeedRuns, DueFeed, RunState } from './feed-store.ts'
import { readVrsync } from './vrsync.ts'

const POLL_EVERY_MS = 15_000
const TIMEOUT_MS = 5 * 60_000
/** How often the reader reports that it still runs, because a slow address may send nothing for a while. */
const REPORT_EVERY_MS = 15_000
/** How often the hourly reading is tried. One that an administrator asked for is tried once. */
const MAX_ATTEMPTS = 3
const RETRY_AFTER_MS = 2 * 60_000

type Runs = ReturnType<typeof createFeedRuns>
type Source = { source: 'address' | 'file'; isHourly: boolean; by: string | null }
/** Resolves once the reading has ended. Rejects with a PortalError that says why it failed. */
export type ReadFeed = (
  from: Source,
  bytes: AsyncIterable<Uint8Array>,
) => Promise<{ id: number; state: RunState }>

export function createReadFeed({ runs, clock, log }: { runs: Runs; clock: Clock; log: Log }): ReadFeed {
  return async (from, bytes) => {
    const run = await runs.begin(from, clock.now())
    const codes: string[] = []
    const stopReporting = clock.every(REPORT_EVERY_MS, () => {
      runs.note(run, clock.now()).catch((error: unknown) => log.warn('feed.not-noted', errorFields(error)))
    })
    try {
      const read = await readVrsync(bytes, async (listings) => {
        codes.push(...listings.map(({ code }) => code))
        await runs.stage(run, listings, clock.now())
      })
      const ended = await runs.end(run, { ...read, codes }, clock.now())
      log.info('feed.read', {
        runId: run,
        state: ended.state,
        count: read.total,
        problems: read.problemCount,
      })
      return ended
    } catch (error) {
      await runs.fail(run, wordsOf(error), clock.now())
      throw error
    } finally {
      stopReporting()
    }
  }
}

const FAULTS: Record<GetFault, string> = {
  address: 'O endereço não é permitido: use um endereço https público. Nada mudou.',
  late: 'O endereço demorou demais. Nada mudou.',
  connection: 'O endereço não respondeu, ou a conexão caiu no meio. Nada mudou.',
  redirect: 'O endereço leva de um lugar a outro sem fim. Nada mudou.',
}

function wordsOf(error: unknown): string {
  if (error instanceof PortalError) return error.message
  return error instanceof GetError ? FAULTS[error.fault] : 'A leitura falhou. Nada mudou.'
}

export function createFeedWorker(parts: {
  runs: Runs
  clock: Clock
  log: Log
  get: Get
  read: ReadFeed
}): Worker {
  const { runs, clock, log, get, read } = parts

  async function readDue(due: DueFeed) {
    const isHourly = due.askedBy === null
    const from: Source = { source: 'address', isHourly, by: due.askedBy }
    let stamps = { etag: due.etag, lastModified: due.lastModified }
    let isRead = true
    let nextMs: number | null = null
    try {
      await get(
        due.address,
        { headers: isHourly ? askIfChanged(due) : {}, timeoutMs: TIMEOUT_MS },
        async (answer) => {
          if (answer.status === 304) return
          if (answer.status !== 200)
            throw new PortalError('feed.status', `O endereço não respondeu (${answer.status}). Nada mudou.`)
          const { state } = await read(from, answer.body)
          // A refused file is read again, even if it stays the same.
          stamps = state === 'refused' ? { etag: null, lastModified: null } : stampsOf(answer)
        },
      )
    } catch (error) {
      isRead = false
      if (isHourly && due.attempts < MAX_ATTEMPTS) nextMs = clock.now() + RETRY_AFTER_MS * due.attempts
      else await note(from, due, error)
      log.warn('feed.not-read', {
        attempts: due.attempts,
        ...(isFault(error) ? { fault: error.message } : errorFields(error)),
      })
    }
    await runs.settle({ ...stamps, isRead, nextMs }, clock.now())
  }

  /** A reading that failed before its first byte is listed, too. */
  async function note(from: Source, { attempts }: DueFeed, error: unknown) {
    if (!(error instanceof GetError) && !(error instanceof PortalError && error.code === 'feed.status'))
      return
    const run = await runs.begin(from, clock.now())
    const words = wordsOf(error)
    await runs.fail(
      run,
      attempts > 1 ? words.replace('. Nada', `, ${attempts} tentativas. Nada`) : words,
      clock.now(),
    )
  }

  return createWorker({
    name: 'feed',
    clock,
    everyMs: POLL_EVERY_MS,
    poll: async () => {
      const due = await runs.claim(clock.now())
      if (due !== null) await readDue(due)
      return false
    },
    onFailed: (error) => log.warn('feed.look-failed', errorFields(error)),
  })
}

/** True for a mistake of a person or of another system. Only defects are logged with the whole error. */
const isFault = (error: unknown): error is Error => error instanceof GetError || error instanceof PortalError

const askIfChanged = ({ etag, lastModified }: DueFeed): Record<string, string> => ({
  ...(etag !== null && { 'if-none-match': etag }),
  ...(lastModified !== null && { 'if-modified-since': lastModified }),
})

const MAX_STAMP = 300
const stampsOf = ({ headers }: Answer) => {
  const short = (stamp: string | undefined) =>
    stamp !== undefined && stamp.length <= MAX_STAMP ? stamp : null
  return { etag: short(headers.etag), lastModified: short(headers['last-modified']) }
}
