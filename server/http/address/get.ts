// Fetches from another system's address: TLS, public addresses only, at most three redirects, each checked alike.
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { createGunzip } from 'node:zlib'
import type { Clock } from '#server/clock.ts'
import { mayBeNotified, publicLookup } from './public.ts'

/** `address`: not allowed; `late`: not in time; `connection`: no answer, or it broke off; `redirect`: too many. */
export type GetFault = 'address' | 'late' | 'connection' | 'redirect'

export class GetError extends Error {
  override readonly name = 'GetError'
  readonly fault: GetFault

  constructor(fault: GetFault, cause?: unknown) {
    super(`fetching failed: ${fault}`, { cause })
    this.fault = fault
  }
}

export type Answer = { status: number; headers: IncomingHttpHeaders; body: AsyncIterable<Uint8Array> }
type Wish = { headers?: Record<string, string>; timeoutMs: number }
/** Passes the answer to `take`, then closes the connection. Rejects with a GetError, or with the error of `take`. */
export type Get = <T>(url: string, wish: Wish, take: (answer: Answer) => Promise<T>) => Promise<T>

export type GetOptions = {
  clock: Clock
  /** Names that may be private and without TLS. */
  privateHosts: readonly string[]
  version: string
  lookup?: Parameters<typeof publicLookup>[0]
}

const MAX_REDIRECTS = 3

export function createGet({ clock, privateHosts, version, lookup }: GetOptions): Get {
  const ask = (url: string, headers: Record<string, string>, signal: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { protocol, hostname } = new URL(url)
      // Checked while connecting, so that a changed DNS answer cannot bypass the check.
      const guard = privateHosts.includes(hostname) ? {} : { lookup: publicLookup(lookup) }
      const asking = (protocol === 'http:' ? http : https).request(url, {
        headers: { 'user-agent': `PortalDoCorretor-Feed/${version}`, ...headers },
        signal,
        agent: false,
        ...guard,
      })
      asking.on('error', reject)
      asking.on('response', resolve)
      asking.end()
    })

  async function follow(url: string, headers: Record<string, string>, signal: AbortSignal) {
    let address = url
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (!mayBeNotified(address, privateHosts)) throw new GetError('address')
      const response = await ask(address, headers, signal)
      const { statusCode = 0 } = response
      const { location } = response.headers
      if (statusCode < 300 || statusCode >= 400 || location === undefined || !URL.canParse(location, address))
        return response
      response.on('error', () => undefined)
      response.destroy()
      address = new URL(location, address).href
    }
    throw new GetError('redirect')
  }

  return async (url, { headers = {}, timeoutMs }, take) => {
    const done = new AbortController()
    const late = new AbortController()
    void clock.sleep(timeoutMs, done.signal).then(() => done.signal.aborted || late.abort())
    const toFault = (error: unknown) => {
      if (error instanceof GetError) return error
      if (late.signal.aborted) return new GetError('late', error)
      const isPrivate = error instanceof Error && 'code' in error && error.code === 'EPRIVATE'
      return new GetError(isPrivate ? 'address' : 'connection', error)
    }
    try {
      const response = await follow(url, headers, late.signal).catch((error: unknown) => {
        throw toFault(error)
      })
      const isPacked = response.headers['content-encoding'] === 'gzip'
      const body = isPacked ? response.pipe(createGunzip()) : response
      if (isPacked) response.on('error', (error) => body.destroy(error))
      try {
        return await take({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: pieces(body, toFault),
        })
      } finally {
        response.on('error', () => undefined)
        response.destroy()
      }
    } finally {
      done.abort()
    }
  }
}

/** The bytes; a connection that breaks off is a fault like any other. */
async function* pieces(body: AsyncIterable<Uint8Array>, toFault: (error: unknown) => GetError) {
  try {
    yield* body
  } catch (error) {
    throw toFault(error)
  }
}
