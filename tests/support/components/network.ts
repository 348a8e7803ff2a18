// The network as an argument: the test gives the portal's answer to each request; a request without one fails the test.
import type { PortalEvent } from '#domain/events.ts'

/** A method and a path, as in 'POST /rest/v1/rpc/sync_board'. */
export type Request = `${'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'} /${string}`
export type Call = { url: URL; body: Record<string, unknown> }
/** JSON for a 200, or the whole response. */
export type Answer = (call: Call) => unknown
export type Answers = Partial<Record<Request, Answer>>

/** The portal's addresses; all others are the page's own. */
const OF_PORTAL = /^\/(api|auth|rest|webhook)\//

export type Network = ReturnType<typeof createNetwork>

/** `answers` for all requests; `on` changes one of them. */
export function createNetwork(answers: Answers) {
  // No test's line of events beats, so a long test asks whether the portal is there.
  const standing = new Map<string, Answer | undefined>(
    Object.entries({ 'GET /api/health': () => ({}), ...answers }),
  )
  const asked: { request: string; call: Call }[] = []
  const unanswered: string[] = []
  const lines = new Set<ReadableStreamDefaultController<Uint8Array>>()

  async function answer(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const incoming = new Request(input, init)
    const url = new URL(incoming.url)
    const text = await incoming.text()
    const request = `${incoming.method} ${url.pathname}`
    incoming.signal.throwIfAborted()
    if (request === 'GET /api/events') return openWhatsapp(incoming.signal)
    const call = { url, body: text === '' ? {} : JSON.parse(text) }
    asked.push({ request, call })
    const give = standing.get(request)
    if (!give) {
      unanswered.push(request)
      return Response.json({ error: { code: 'test.unanswered', message: request } }, { status: 404 })
    }
    const given = await give(call)
    incoming.signal.throwIfAborted()
    return given instanceof Response ? given : Response.json(given ?? null)
  }

  /** The stream of live events, kept open. */
  function openWhatsapp(signal: AbortSignal): Response {
    let line: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        line = controller
        lines.add(line)
        signal.addEventListener('abort', () => {
          if (lines.delete(line)) line.error(signal.reason)
        })
      },
      cancel: () => void lines.delete(line),
    })
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  }

  return {
    fetch: answer,
    /** Changes the answer of one request from now on. */
    on: (request: Request, give: Answer) => void standing.set(request, give),
    /** The requests so far, in order. */
    bodiesOf: (request: Request) =>
      asked.flatMap((each) => (each.request === request ? [each.call.body] : [])),
    /** Whether the app's event stream is open. */
    isHeard: () => lines.size > 0,
    /** Notifies the app of a change elsewhere. */
    tell(event: PortalEvent) {
      for (const line of lines) line.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`))
    },
    unanswered,
  }
}

const own = window.fetch.bind(window)

/** Requests to the portal go to this network until the next call. */
export function connect(network: Network | null) {
  window.fetch = (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    if (!OF_PORTAL.test(pathname)) return own(input, init)
    return network ? network.fetch(input, init) : Promise.reject(new TypeError('Failed to fetch'))
  }
}
