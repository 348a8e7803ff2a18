// Caches whole boards as compressed answers. Each request still asks the database, as the caller, for changes
// since then, so session, rights and changes are always checked.
import { compress, preferredEncoding, type Encoding } from './compression.ts'

const MAX_BYTES = 32_000_000
/** Size of the app's requests: a board and a cursor. */
const MAX_ASKED_BYTES = 500

type Kept = { cursor: string; body: Uint8Array<ArrayBuffer> }
type Serve = (request: Request) => Promise<Response> | Response

/** Answers a `sync_board` request; `serve` passes it to /rest/v1. */
export function createBoardCache(): (request: Request, serve: Serve) => Promise<Response> {
  const cached = createStore()

  /** The answer from the cache. Null: there is no valid entry. */
  async function fromCache(asked: Asked, key: string, serve: Serve): Promise<Response | null> {
    const known = cached.get(key)
    if (!known) return null
    const answer = await serve(asked.since(known.cursor))
    if (answer.status !== 200) return answer
    return cursorOf(await answer.text()) === known.cursor ? encoded(answer, asked.encoding, known.body) : null
  }

  return async (request, serve) => {
    const asked = await readAsked(request)
    if (asked instanceof Request) return serve(asked)
    const key = `${asked.encoding} ${asked.board}`
    const known = await fromCache(asked, key, serve)
    if (known) return known
    const answer = await serve(asked.since(null))
    if (answer.status !== 200) return answer
    const text = await answer.text()
    const body = new Uint8Array(await compress(new TextEncoder().encode(text), asked.encoding))
    const cursor = cursorOf(text)
    // The administrator's board has no cursor, so it is not cached.
    if (cursor?.includes(':')) cached.set(key, { cursor, body })
    return encoded(answer, asked.encoding, body)
  }
}

/** A cache by key that drops the least recently used entry. */
function createStore() {
  const cached = new Map<string, Kept>()
  let bytes = 0
  const remove = (key: string) => {
    bytes -= cached.get(key)?.body.byteLength ?? 0
    cached.delete(key)
  }
  const set = (key: string, one: Kept) => {
    remove(key)
    cached.set(key, one)
    bytes += one.body.byteLength
    for (const oldest of cached.keys())
      if (bytes > MAX_BYTES) remove(oldest)
      else return
  }
  return {
    set,
    get: (key: string): Kept | undefined => {
      const one = cached.get(key)
      if (one) set(key, one)
      return one
    },
  }
}

type Asked = { board: string; encoding: Encoding; since: (cursor: string | null) => Request }

/** A request for a whole board in the app's form; any other request unchanged. */
async function readAsked(request: Request): Promise<Asked | Request> {
  const { headers, method, url, signal } = request
  const encoding = preferredEncoding(headers.get('accept-encoding') ?? '')
  const isPlain =
    method === 'POST' &&
    !url.includes('?') &&
    headers.get('content-type')?.startsWith('application/json') === true &&
    Number(headers.get('content-length') ?? Infinity) <= MAX_ASKED_BYTES &&
    ['*/*', 'application/json', null].includes(headers.get('accept')) &&
    ['prefer', 'content-profile', 'accept-profile', 'x-csv-formulas'].every((name) => !headers.has(name))
  if (!isPlain || encoding === null) return request
  const text = await request.text()
  const passed = new Headers(headers)
  passed.delete('content-length')
  const withBody = (body: string) => new Request(url, { method, headers: passed, body, signal })
  const board = boardOf(text)
  if (board === null) return withBody(text)
  return {
    board,
    encoding,
    since: (cursor) => withBody(JSON.stringify({ p_instance: board, p_cursor: cursor })),
  }
}

/** The board that is requested as a whole; null for anything else. */
function boardOf(text: string): string | null {
  const asked = parse(text)
  if (Object.keys(asked).some((name) => name !== 'p_instance' && name !== 'p_cursor')) return null
  const { p_instance: board, p_cursor: cursor = null } = asked
  return typeof board === 'string' && cursor === null ? board : null
}

function cursorOf(text: string): string | null {
  const { cursor } = parse(text)
  return typeof cursor === 'string' ? cursor : null
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

function encoded(answer: Response, encoding: Encoding, body: Uint8Array<ArrayBuffer>): Response {
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  headers.append('vary', 'accept-encoding')
  headers.set('content-encoding', encoding)
  return new Response(body, { status: answer.status, headers })
}
