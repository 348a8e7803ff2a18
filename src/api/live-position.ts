// How far the portal's live events had come when this page first read. The line of live events opens with it, and what nobody
// changed since then is not read twice.

const HEADER = 'X-Portal-Heard'

const underWay = new Set<Promise<unknown>>()
const heard = new Set<string>()
let isTaken = false

/** Notes a read of the portal's data, from before it is sent. */
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

/** Once a page: the moments of all that was read, as soon as what is on its way has come. Empty: whoever listens reads again. */
export async function takePositions(): Promise<string> {
  if (isTaken) return ''
  isTaken = true
  await Promise.allSettled(underWay)
  // What came without one may have come from anywhere.
  return heard.has('') ? '' : [...heard].join()
}
