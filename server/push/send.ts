// One push on its way: encrypted for its device, signed by the portal, and what its push service made of it.
import webPush from 'web-push'
import { readRetryAfter } from '#domain/outbox/verdict.ts'
import type { Clock } from '#server/clock.ts'
import type { Subscription } from './device-store.ts'
import { toNotice, type Notice } from './notice.ts'
import type { Post } from './post.ts'
import type { PushKeys } from './push-keys.ts'
import type { ClaimedPush } from './push-queue.ts'

export type Outcome =
  | { kind: 'taken' }
  /** The push service knows the device no more. */
  | { kind: 'gone' }
  /** It will never take this one. */
  | { kind: 'refused'; status: number }
  /** It does not accept our signature: nothing goes out until someone looks. */
  | { kind: 'forbidden'; status: number }
  /** It could not be signed or wrapped up, through no fault of the device: it waits until someone looks. */
  | { kind: 'unmade'; reason: string }
  /** `afterMs`: as it asked for; null where it did not say. `status` null: nothing was answered. */
  | { kind: 'later'; status: number | null; afterMs: number | null }

type SendParts = { post: Post; keys: PushKeys; clock: Clock; address: () => string }

/** Never rejects. */
export async function sendPush(parts: SendParts, push: ClaimedPush): Promise<Outcome> {
  const outcome = await attempt(parts, push, toNotice(push, parts.address()))
  if (outcome.kind !== 'refused' || outcome.status !== 413) return outcome
  return attempt(parts, push, toNotice(push, parts.address(), 'short'))
}

async function attempt(
  { post, keys, clock }: SendParts,
  push: ClaimedPush,
  notice: Notice,
): Promise<Outcome> {
  let request
  try {
    request = requestFor(push, keys, notice)
  } catch (error) {
    // Where the keys that the device gave are none, it could never read what it is told.
    return hasKeys(push) ? { kind: 'unmade', reason: String(error) } : { kind: 'gone' }
  }
  try {
    const { status, retryAfter } = await post(request)
    return toOutcome(status, readRetryAfter(retryAfter, clock.now()))
  } catch {
    return { kind: 'later', status: null, afterMs: null }
  }
}

/** Whether anything can be written for the device. */
function hasKeys({ p256dh, auth }: Subscription): boolean {
  try {
    webPush.encrypt(p256dh, auth, 'x', 'aes128gcm')
    return true
  } catch {
    return false
  }
}

function requestFor(
  { endpoint, p256dh, auth }: Subscription,
  { privateKey, ...keys }: PushKeys,
  notice: Notice,
) {
  if (privateKey === null) throw new Error('the key is sealed under another secret')
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    notice.json,
    {
      vapidDetails: { ...keys, privateKey },
      TTL: notice.ttlSeconds,
      urgency: notice.urgency,
      topic: notice.topic,
    },
  )
  return { endpoint, headers, body: body ?? Buffer.alloc(0) }
}

function toOutcome(status: number, afterMs: number | null): Outcome {
  if (status >= 200 && status < 300) return { kind: 'taken' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  if (status === 401 || status === 403) return { kind: 'forbidden', status }
  if (status === 408 || status === 429 || status >= 500) return { kind: 'later', status, afterMs }
  return { kind: 'refused', status }
}
