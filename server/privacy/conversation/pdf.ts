// Writes one PDF in a worker thread with limits for its memory and its time.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Clock } from '#server/clock.ts'

export type Line = { style: 'title' | 'heading' | 'about' | 'text'; text: string }

export type Paper = {
  title: string
  subject: string
  /** The file's creation date. */
  atMs: number
  /** The lines in groups; one group at a time is in memory. */
  groups: AsyncIterable<readonly Line[]>
  /** The text of the last line, before the number of pages. */
  ends: () => string
}

export type Written = { bytes: Uint8Array<ArrayBuffer>; pages: number }

type Piece = { lines: readonly Line[] } | { ends: string }
type Answer = { taken: true } | Written

/** Raised when the file needs more memory or time than it may take. */
export class TooLargeForPaper extends Error {
  override readonly name = 'TooLargeForPaper'
}

/** A file of twenty thousand messages takes about a third of this. */
const MAX_MEMORY_MB = 256
/** A file of twenty thousand messages takes 20 seconds, and 90 seconds on a busy machine. */
const MAX_MS = 240_000

/** Raises TooLargeForPaper, and the errors of `groups`. */
export async function writePaper(clock: Clock, { groups, ends, ...about }: Paper): Promise<Written> {
  const worker = new Worker(new URL('./pdf-worker.mjs', import.meta.url), {
    workerData: about,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  })
  const [late, done] = [new AbortController(), new AbortController()]
  void clock.sleep(MAX_MS, done.signal).then(() => late.abort())
  let fault: unknown
  worker.on('error', (error) => (fault = error))
  const send = async (piece: Piece): Promise<Answer> => {
    if (fault !== undefined) throw fault
    const answered = once(worker, 'message', { signal: late.signal })
    worker.postMessage(piece)
    return (await answered)[0] as Answer
  }
  try {
    for await (const lines of groups) await send({ lines })
    const answer = await send({ ends: ends() })
    if (!('bytes' in answer)) throw new Error('the thread answered no file')
    return answer
  } catch (error) {
    const isOutOfMemory =
      error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    throw isOutOfMemory || late.signal.aborted ? new TooLargeForPaper() : error
  } finally {
    done.abort()
    await worker.terminate()
  }
}
