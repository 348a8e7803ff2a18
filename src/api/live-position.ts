// The position of the live events at this page's first read. The event stream starts from it, so unchanged data is not
// read twice.

const HEADER = 'X-Portal-Heard'

const underWay = new Set<Promise<unknown>>()
const heard = new Set<string>()
let isTaken = false

/** Records the position in a response; call it before the request is sent. */
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

/** From then on live events report changes. */
export const arePositionsTaken = () => isTaken

/**
 * Once per page: the positions of all reads so far, once pending ones have arrived. Empty if one had none: the listener
 * then reads everything again.
 */
export async function takePositions(): Promise<string> {
  if (isTaken) return ''
  isTaken = true
  await Promise.allSettled(underWay)
  // Without a position in one response, the start is unknown.
  return heard.has('') ? '' : [...heard].join()
}
