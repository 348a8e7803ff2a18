// The bytes of an object as a stream: one range at a time, checked, and resumed where a connection was cut.
import { BucketError } from './faults.ts'
import type { BucketRequests } from './requests.ts'

/** After this many answers in a row without a byte, the read fails. */
const EMPTY_PASSES = 3

type Range = { start: number; end: number }
type Source = { requests: BucketRequests; id: string; range: Range; toFault: (error: unknown) => Error }

/** If bytes are missing, fails with the error that `toFault` returns. The reader may pause or stop at any time. */
export function streamRange({ requests, id, range, toFault }: Source): ReadableStream<Uint8Array> {
  const pieces = piecesOf(requests, id, range)
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { value, done } = await pieces.next().catch((error: unknown) => {
          throw toFault(error)
        })
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    // No request before the first read.
    { highWaterMark: 0 },
  )
}

async function* piecesOf(
  requests: BucketRequests,
  id: string,
  { start, end }: Range,
): AsyncGenerator<Uint8Array, undefined> {
  let at = start
  let empty = 0
  while (at <= end) {
    const before = at
    try {
      for await (const piece of onePass(requests, id, { start: at, end })) {
        at += piece.length
        yield piece
      }
      if (at <= end) throw new BucketError(null, null, { cause: new Error('the answer ended early') })
    } catch (error) {
      // The store also cuts the connection of a reader who paused for long; the next range continues there.
      empty = at > before ? 0 : empty + 1
      if (empty === EMPTY_PASSES || (error instanceof BucketError && error.status !== null)) throw error
    }
  }
  return undefined
}

async function* onePass(
  requests: BucketRequests,
  id: string,
  { start, end }: Range,
): AsyncGenerator<Uint8Array> {
  const { status, headers, body } = await requests.ask({
    method: 'GET',
    key: id,
    headers: { range: `bytes=${start}-${end}` },
  })
  try {
    const isPart = status === 206 && headers['content-range']?.startsWith(`bytes ${start}-${end}/`)
    // Some stores ignore the range and send the whole object.
    if (!isPart && status !== 200) throw new BucketError(status, status === 206 ? 'OtherRange' : 'NoSuchKey')
    let at = isPart ? start : 0
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      const own = piece.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at))
      at += piece.length
      if (own.length > 0) yield own
      if (at > end + 1) return
    }
  } finally {
    body.destroy()
  }
}
