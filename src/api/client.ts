// Reads and changes the portal's data: rpc() and rows() use the REST endpoint, portal() uses /api.
import * as v from 'valibot'
import { PortalError } from '#domain/errors.ts'
import { accessToken, forgetSession, renewToken } from './auth.ts'
import { notePosition } from './live-position.ts'
import { httpError, send, throttledError } from './network.ts'

const ErrorBody = v.object({ error: v.object({ code: v.string(), message: v.string() }) })

/**
 * Calls a database function. Throws PortalError: `network.offline`, `session.lost`, `access.denied`, `server.failed`.
 */
export async function rpc(
  name: string,
  args: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<unknown> {
  const response = await authorized(`/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(args),
    ...(signal && { signal }),
  })
  return readRows(response)
}

/** Reads rows of a table with PostgREST query parameters. Throws the errors of rpc. */
export async function rows(
  table: string,
  parameters: Record<string, string>,
  signal?: AbortSignal,
): Promise<unknown> {
  const path = `/rest/v1/${table}?${new URLSearchParams(parameters).toString()}`
  return readRows(await authorized(path, signal ? { signal } : {}))
}

/** Returns the parsed body of a REST response; null for a function that returns nothing. */
async function readRows(response: Response): Promise<unknown> {
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) throw httpError(response.status, answer)
  return answer
}

/**
 * Calls the portal's own API and returns the JSON of the answer. Throws PortalError with the server's code and
 * Portuguese text.
 */
export async function portal(path: `/api/${string}`, options: Call = {}): Promise<unknown> {
  return readAnswer(await call(path, options))
}

/** Like `portal`, for a response that is a file. */
export async function portalFile(path: `/api/${string}`, options: Call = {}): Promise<Blob> {
  const response = await call(path, options)
  if (!response.ok) await readAnswer(response)
  return response.blob()
}

type Call = { method?: string; body?: unknown; signal?: AbortSignal }

function call(path: string, { method = 'GET', body, signal }: Call): Promise<Response> {
  return authorized(path, {
    method,
    ...(signal && { signal }),
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }),
  })
}

/** Returns the parsed body of an /api response. Throws PortalError with the server's code and Portuguese text. */
export async function readAnswer(response: Response): Promise<unknown> {
  if (response.status === 429) throw throttledError(response.headers.get('Retry-After'))
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer
  const refusal = v.safeParse(ErrorBody, answer)
  // A 500 is an unexpected fault, so its text is not for users. 502 and 503 tell users about a service behind the
  // portal.
  if (!refusal.success || response.status === 500) throw httpError(response.status, answer)
  const { code, message } = refusal.output.error
  throw new PortalError(code, message, { status: response.status })
}

async function authorized(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  return notePosition(sendAuthorized((token) => send(input, withToken(init, token))))
}

/**
 * Sends a request with the session's token. A refused token is renewed once. If the server refuses the new one too, the
 * session is over.
 */
export async function sendAuthorized(
  sendWith: (token: string | null) => Promise<Response>,
): Promise<Response> {
  const token = await accessToken()
  const response = await sendWith(token)
  if (response.status !== 401 || token === null) return response
  const renewed = await renewToken()
  const second = renewed === null ? response : await sendWith(renewed)
  if (second.status === 401) await forgetSession()
  return second
}

function withToken(init: RequestInit, token: string | null): RequestInit {
  if (token === null) return init
  const headers = new Headers(init.headers)
  headers.set('Authorization', `Bearer ${token}`)
  return { ...init, headers }
}
