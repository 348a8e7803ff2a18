// Remembers the live events' position at this page's first reads. The event stream starts there, so that unchanged data
// is not read twice.

const HEADER = 'X-Portal-Heard'

const underWay = new Set<Promise<unknown>>()
const heard = new Set<string>()
let isTaken = false

/**
 * Records the position that a response has. Call it with the promise of the response, so that pending reads are known.
 */
export async function notePosition(answer: Promise<Response>): Promise<Response> {
  if (isTaken) return answer
  const noted = answer.then(
    ({ headers }) => heard.add(headers.get(HEADER) ?? ''),
    () => undefined,
  )
  underWay.add(noted)
  void noted.then(() => underWay.delete(noted))
  return answer
}

/** True once the event stream has begun, which reports all further changes. */
export const arePositionsTaken = () => isTaken

/**
 * Returns the positions of all reads so far, once pending ones have answered. Works once per page. Empty if one
 * response had no position; the page must then read everything again.
 */
export async function takePositions(): Promise<string> {
  if (isTaken) return ''
  isTaken = true
  await Promise.allSettled(underWay)
  // If one response lacks a position, the stream cannot tell where to start.
  return heard.has('') ? '' : [...heard].join()
}
