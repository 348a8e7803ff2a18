// A small HTTP load generator: keep-alive connections, transferred bytes, and times.
import { Agent, request as open } from 'node:http'
import { median, percentile } from './measure.ts'

export type Call = { path: string; body?: unknown; token?: string }
export type Answer = { status: number; ms: number; bytes: number }
export type Pace = { perSecond: number; p50Ms: number; p99Ms: number }

/** A request never meets the portal's end of a connection that was idle for five seconds. */
const IDLE_MS = 3_000
const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })

/** One call; `bytes` counts the response's headers and compressed body. */
export function send(origin: string, { path, body, token }: Call): Promise<Answer> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const sent = open(
      new URL(path, origin),
      {
        agent,
        method: payload === undefined ? 'GET' : 'POST',
        headers: {
          'accept-encoding': 'br, gzip',
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      },
      (response) => {
        let bytes = response.rawHeaders.reduce((total, text) => total + text.length + 2, 0)
        response.on('data', (part: Buffer) => (bytes += part.length))
        response.once('error', reject)
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, ms: performance.now() - startedAt, bytes }),
        )
      },
    )
    sent.once('error', reject)
    sent.end(payload)
  })
}

/** `count` calls by `clients` at once; any status but 200 throws. */
export async function load(
  origin: string,
  { clients, count, next }: { clients: number; count: number; next: (index: number) => Call },
): Promise<Pace> {
  const times: number[] = []
  let index = 0
  const client = async () => {
    while (index < count) {
      const call = next(index++)
      const { status, ms } = await send(origin, call)
      if (status !== 200) throw new Error(`${call.path} answered ${status}`)
      times.push(ms)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: clients }, client))
  const seconds = (performance.now() - startedAt) / 1_000
  // The portal closes connections idle for five seconds, which could hit the next load.
  agent.destroy()
  return { perSecond: count / seconds, p50Ms: median(times), p99Ms: percentile(times, 0.99) }
}

/** Starts `work` at a fixed rate, whether or not earlier work has ended; resolves when all has ended. */
export async function pour<T>(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const begun: Promise<T>[] = []
  const startedMs = performance.now()
  for (let index = 0; index < perSecond * seconds; index++) {
    await rest(startedMs + (index * 1_000) / perSecond - performance.now())
    begun.push(work(index))
  }
  return Promise.all(begun)
}

export const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, ms)))
