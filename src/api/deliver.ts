// Sends one waiting write as exactly the person who did it: never with another's session, never with an ended one.
import { log } from './log.ts'
import { send } from './network.ts'
import { renewTokenOf, tokenOf } from './own-token.ts'

export type Delivery = {
  path: `/rest/v1/rpc/${string}` | `/api/${string}`
  body: Record<string, unknown>
}

/** `status` 0 where nothing came back, 401 where the person is not signed in here any more. */
export type Delivered = { status: number; retryAfter: string | null; body: unknown }

const NOBODY: Delivered = { status: 401, retryAfter: null, body: null }

/** Never raises. A refused token is renewed once. */
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
