// Uploads a file and reports progress, which fetch cannot do. It gives up when no bytes move, not after a total time.
import { readAnswer, sendAuthorized } from './client.ts'
import { httpError, timeoutError } from './network.ts'

/** Maximum time without a byte sent, or without a response after the last byte. */
const STALLED_MS = 30_000

export type Upload = {
  path: `/api/${string}`
  body: Blob | FormData
  headers?: Readonly<Record<string, string>>
  /** Gets the sent share of the bytes, from 0 to 1. */
  onProgress: (ratio: number) => void
  signal: AbortSignal
}

/**
 * Returns the portal's JSON. Throws PortalError: `network.offline`, `network.timeout`, or the server's code and text;
 * throws the signal's reason if it was aborted.
 */
export async function upload(task: Upload): Promise<unknown> {
  return readAnswer(await sendAuthorized((token) => sendOnce(task, token)))
}

function sendOnce({ path, body, headers = {}, onProgress, signal }: Upload, token: string | null) {
  return new Promise<Response>((resolve, reject: (error: unknown) => void) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isStalled = false
    const watch = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        isStalled = true
        request.abort()
      }, STALLED_MS)
    }
    const abort = () => request.abort()
    signal.addEventListener('abort', abort)
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      watch()
      if (total > 0) onProgress(loaded / total)
    })
    request.addEventListener('load', () => {
      const retryAfter = request.getResponseHeader('Retry-After')
      const answer = {
        status: request.status,
        headers: retryAfter === null ? {} : { 'Retry-After': retryAfter },
      }
      resolve(new Response(request.responseText || null, answer))
    })
    request.addEventListener('error', () => reject(httpError(0)))
    request.addEventListener('abort', () => reject(isStalled ? timeoutError() : signal.reason))
    request.addEventListener('loadend', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    })
    request.open('POST', path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    if (token !== null) request.setRequestHeader('Authorization', `Bearer ${token}`)
    watch()
    request.send(body)
  })
}
