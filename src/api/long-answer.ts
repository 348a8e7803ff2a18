// Requests whose answer the portal writes for a while: they wait longer than others.
import { readAnswer, sendAuthorized } from './client.ts'
import { httpError, timeoutError } from './network.ts'

/** The portal itself gives up earlier. */
const TIMEOUT_MS = 5 * 60_000

/**
 * A file as the answer to a JSON body. Throws PortalError: `network.offline`, `network.timeout`, or the server's code.
 */
export async function longFile(path: `/api/${string}`, body: unknown): Promise<Blob> {
  const response = await sendLong(path, body)
  if (!response.ok) await readAnswer(response)
  return response.blob()
}

/** JSON as the answer; throws like `longFile`. */
export async function longAnswer(path: `/api/${string}`): Promise<unknown> {
  return readAnswer(await sendLong(path))
}

function sendLong(path: string, body?: unknown): Promise<Response> {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  return sendAuthorized(async (token) => {
    try {
      return await fetch(path, {
        method: 'POST',
        signal: limit,
        headers: {
          ...(token !== null && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    } catch (cause) {
      throw limit.aborted ? timeoutError(cause) : httpError(0, cause)
    }
  })
}
