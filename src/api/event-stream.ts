// Reads live events from the server. They are server-sent events, read by fetch, because EventSource cannot send the
// token.
import { readEvent, type PortalEvent } from '#domain/events.ts'
import { sendAuthorized } from './client.ts'
import { takePositions } from './live-position.ts'
import { httpError } from './network.ts'

/** The server sends a heartbeat every 20 seconds, so a stream that is silent for longer is dead. */
const SILENCE_MS = 28_000
/** A working stream sends its first event at once, so one that takes longer has failed. */
const OPENED_WITHIN_MS = 10_000

/**
 * Reads events until the server ends the stream, or until it is silent for too long. Throws PortalError `session.lost`,
 * or the error of a broken connection. The caller reconnects later.
 */
export async function readEvents(onEvent: (event: PortalEvent) => void, signal: AbortSignal): Promise<void> {
  const silence = new AbortController()
  const either = AbortSignal.any([signal, silence.signal])
  let timer = 0
  const stillAlive = (limitMs = SILENCE_MS) => {
    clearTimeout(timer)
    timer = window.setTimeout(() => silence.abort(), limitMs)
  }
  try {
    stillAlive(OPENED_WITHIN_MS)
    const body = await open(either, await takePositions())
    let rest = ''
    for await (const text of textOf(body)) {
      stillAlive()
      const lines = (rest + text).split('\n\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const event = line.startsWith('data: ') ? readEvent(line.slice('data: '.length)) : null
        if (event) onEvent(event)
      }
    }
  } finally {
    clearTimeout(timer)
  }
}

async function open(signal: AbortSignal, since: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await sendAuthorized((token) =>
    fetch(since === '' ? '/api/events' : `/api/events?since=${since}`, {
      signal,
      headers: token === null ? {} : { Authorization: `Bearer ${token}` },
    }),
  )
  if (!response.ok || !response.body) throw httpError(response.status)
  return response.body
}

/** Safari cannot iterate over a stream, so this uses the stream's reader. */
async function* textOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
}

const PROBED_WITHIN_MS = 5_000

/** True if portal and database answer, because a proxy may refuse only the stream. */
export async function isPortalThere(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PROBED_WITHIN_MS)
    return (await fetch('/api/health', { signal, cache: 'no-store' })).ok
  } catch {
    return false
  }
}
