// Sends one push: encrypted for its device, signed by the portal; returns what the push service did.
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
  /** The push service does not know the device any more. */
  | { kind: 'gone' }
  /** The push service will never accept this push. */
  | { kind: 'refused'; status: number }
  /** The push service refuses our signature: an operator has to act. */
  | { kind: 'forbidden'; status: number }
  /** The portal could not sign or encrypt the push. The device is not at fault; an operator has to act. */
  | { kind: 'unmade'; reason: string }
  /** `afterMs`: as the push service asked; null if it did not say. `status` null: no answer. */
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
    // With invalid keys the device could never decrypt a push.
    return hasKeys(push) ? { kind: 'unmade', reason: String(error) } : { kind: 'gone' }
  }
  try {
    const { status, retryAfter } = await post(request)
    return toOutcome(status, readRetryAfter(retryAfter, clock.now()))
  } catch {
    return { kind: 'later', status: null, afterMs: null }
  }
}

/** Whether the device's keys are valid. */
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
