// Uploads a file and reports its progress, which fetch cannot do. It gives up when no bytes move, however long the
// whole upload takes.
import { readAnswer, sendAuthorized } from './client.ts'
import { httpError, timeoutError } from './network.ts'

/** The upload fails if no byte is sent for this long, or if no response follows the last byte for this long. */
const STALLED_MS = 30_000

export type Upload = {
  path: `/api/${string}`
  body: Blob | FormData
  headers?: Readonly<Record<string, string>>
  /** Called with the sent share of the bytes, from 0 to 1. */
  onProgress: (ratio: number) => void
  signal: AbortSignal
}

/**
 * Resolves with the portal's JSON. Throws PortalError `network.offline` or `network.timeout`, or one with the server's
 * code and text. Throws the signal's reason if it was aborted.
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
