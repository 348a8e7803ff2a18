// Sends an outbox entry with the session of the user who wrote it, never with another one.
import { log } from './log.ts'
import { send } from './network.ts'
import { renewTokenOf, tokenOf } from './own-token.ts'

export type Delivery = {
  path: `/rest/v1/rpc/${string}` | `/api/${string}`
  body: Record<string, unknown>
}

/** `status` is 0 if no response came, and 401 if that user is no longer signed in on this device. */
export type Delivered = { status: number; retryAfter: string | null; body: unknown }

const NOBODY: Delivered = { status: 401, retryAfter: null, body: null }

/** Sends a request for one user. Never throws. A refused token is renewed once. */
export async function deliver(userId: string, delivery: Delivery): Promise<Delivered> {
  try {
    const token = await tokenOf(userId)
    if (token === null) return NOBODY
    const response = await post(delivery, token)
    if (response.status !== 401) return await read(response)
    const renewed = await renewTokenOf(userId, token)
    return renewed === null ? NOBODY : await read(await post(delivery, renewed))
  } catch (cause) {
    log.info('outbox.no-network', cause)
    return { status: 0, retryAfter: null, body: null }
  }
}

function post({ path, body }: Delivery, token: string): Promise<Response> {
  return send(new URL(path, location.origin), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function read(response: Response): Promise<Delivered> {
  const body: unknown = await response.json().catch(() => null)
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), body }
}
