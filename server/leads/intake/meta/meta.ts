// Webhooks of Meta Lead Ads: the challenge and the signature.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Secrets that an administrator copies from Meta. The portal fetches leads by their id with `pageToken`. */
export type MetaSecrets = Partial<Record<'appSecret' | 'verifyToken' | 'pageToken', string | undefined>>

/** The challenge that the portal must answer. Null: Meta's token is wrong. */
export function answerChallenge(
  query: { mode: string; token: string; challenge: string },
  { verifyToken }: MetaSecrets,
): string | null {
  const isOurs = verifyToken !== undefined && isSame(query.token, verifyToken)
  return query.mode === 'subscribe' && isOurs ? query.challenge : null
}

/** Tells whether `X-Hub-Signature-256` signs exactly these bytes. */
export function isSigned(bytes: Uint8Array, header: string | undefined, { appSecret }: MetaSecrets): boolean {
  if (appSecret === undefined || header === undefined) return false
  return isSame(header.toLowerCase(), `sha256=${createHmac('sha256', appSecret).update(bytes).digest('hex')}`)
}

/** Compares hashes, so that the duration reveals neither length nor content. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHmac('sha256', 'compare').update(text).digest())
  return first !== undefined && second !== undefined && timingSafeEqual(first, second)
}
