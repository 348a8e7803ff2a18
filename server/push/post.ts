// One request to a push service: TLS, public address, ten seconds, no redirect.
import http from 'node:http'
import https from 'node:https'
import type { Clock } from '#server/clock.ts'
import { mayBePushService, publicLookup } from '#server/http/address/public.ts'

export type PushRequest = { endpoint: string; headers: Record<string, string>; body: Buffer }
export type PushAnswer = { status: number; retryAfter: string | null }

/** Sends one request. Rejects if no answer comes. */
export type Post = (request: PushRequest) => Promise<PushAnswer>

const TIMEOUT_MS = 10_000

/**
 * `allowsLoopback`: push services on this machine are allowed, without TLS. `lookup`: name resolution, the
 * system's by default.
 */
export function createPost(
  clock: Clock,
  allowsLoopback: boolean,
  lookup?: Parameters<typeof publicLookup>[0],
): { post: Post; close: () => void } {
  const agent = new https.Agent({ keepAlive: true, lookup: publicLookup(lookup) })

  async function post(request: PushRequest): Promise<PushAnswer> {
    if (!mayBePushService(request.endpoint, allowsLoopback)) throw new Error('not a push service')
    const answered = new AbortController()
    const late = new AbortController()
    void clock.sleep(TIMEOUT_MS, answered.signal).then(() => answered.signal.aborted || late.abort())
    try {
      return await send(request, late.signal)
    } finally {
      answered.abort()
    }
  }

  function send({ endpoint, headers, body }: PushRequest, signal: AbortSignal): Promise<PushAnswer> {
    const isPlain = endpoint.startsWith('http:')
    return new Promise((resolve, reject) => {
      const sending = (isPlain ? http : https).request(endpoint, {
        method: 'POST',
        headers,
        signal,
        ...(isPlain ? {} : { agent }),
      })
      sending.on('error', (error: NodeJS.ErrnoException) =>
        // The service closed the kept-alive connection during the write, which is no fault of the service: the
        // request is sent again.
        sending.reusedSocket && error.code === 'ECONNRESET'
          ? resolve(send({ endpoint, headers, body }, signal))
          : reject(error),
      )
      sending.on('response', (response) => {
        // Only the status counts; the body is not read.
        response.resume()
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: response.headers['retry-after'] ?? null,
          }),
        )
      })
      sending.end(body)
    })
  }

  return { post, close: () => agent.destroy() }
}
