// One request to another system's address: TLS, public address, ten seconds, no redirect.
import http from 'node:http'
import https from 'node:https'
import type { Clock } from '#server/clock.ts'
import { mayBeNotified, publicLookup } from '#server/http/address/public.ts'

/**
 * `address`: not allowed; `late`: no answer in time; `connection`: no answer; `redirect`; `status`: not 2xx.
 */
export type Fault = 'address' | 'late' | 'connection' | 'redirect' | 'status' | 'secret'
export type Answer = { status: number | null; fault: Fault | null; tookMs: number }

/** Never rejects. */
export type Post = (url: string, headers: Record<string, string>, body: string) => Promise<Answer>

type Sending = { url: string; headers: Record<string, string>; body: string; signal: AbortSignal }

const TIMEOUT_MS = 10_000

export type PostOptions = {
  clock: Clock
  privateHosts: readonly string[]
  /** The portal's version, which the User-Agent header names. */
  version: string
  lookup?: Parameters<typeof publicLookup>[0]
}

export function createPost({ clock, privateHosts, version, lookup }: PostOptions): Post {
  async function send({ url, headers, body, signal }: Sending): Promise<number> {
    const { protocol, hostname } = new URL(url)
    // Node looks the host up through this check while connecting, so that a changed DNS answer cannot bypass it.
    const guard = privateHosts.includes(hostname) ? {} : { lookup: publicLookup(lookup) }
    return new Promise((resolve, reject) => {
      const sending = (protocol === 'http:' ? http : https).request(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': `PortalDoCorretor-Webhooks/${version}`,
          'content-length': String(Buffer.byteLength(body)),
          ...headers,
        },
        signal,
        agent: false,
        ...guard,
      })
      sending.on('error', reject)
      sending.on('response', (response) => {
        // Only the status counts; the body is not read.
        resolve(response.statusCode ?? 0)
        response.on('error', () => undefined)
        response.destroy()
      })
      sending.end(body)
    })
  }

  return async (url, headers, body) => {
    const startedMs = clock.now()
    const answer = (status: number | null, fault: Fault | null): Answer => ({
      status,
      fault,
      tookMs: Math.max(0, clock.now() - startedMs),
    })
    if (!mayBeNotified(url, privateHosts)) return answer(null, 'address')
    const answered = new AbortController()
    const late = new AbortController()
    void clock.sleep(TIMEOUT_MS, answered.signal).then(() => answered.signal.aborted || late.abort())
    try {
      const status = await send({ url, headers, body, signal: late.signal })
      if (status >= 200 && status < 300) return answer(status, null)
      return answer(status, status >= 300 && status < 400 ? 'redirect' : 'status')
    } catch (error) {
      if (late.signal.aborted) return answer(null, 'late')
      const isPrivate = error instanceof Error && 'code' in error && error.code === 'EPRIVATE'
      return answer(null, isPrivate ? 'address' : 'connection')
    } finally {
      answered.abort()
    }
  }
}
