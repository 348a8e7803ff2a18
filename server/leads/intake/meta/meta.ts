// Webhooks of Meta Lead Ads: the challenge and the signature.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Secrets that an administrator copies from Meta; `pageToken` fetches leads by id. */
export type MetaSecrets = Partial<Record<'appSecret' | 'verifyToken' | 'pageToken', string | undefined>>

/** The challenge to answer with, or null for a wrong token. */
export function answerChallenge(
  query: { mode: string; token: string; challenge: string },
  { verifyToken }: MetaSecrets,
): string | null {
  const isOurs = verifyToken !== undefined && isSame(query.token, verifyToken)
  return query.mode === 'subscribe' && isOurs ? query.challenge : null
}

/** Whether `X-Hub-Signature-256` signs exactly these bytes. */
export function isSigned(bytes: Uint8Array, header: string | undefined, { appSecret }: MetaSecrets): boolean {
  if (appSecret === undefined || header === undefined) return false
  return isSame(header.toLowerCase(), `sha256=${createHmac('sha256', appSecret).update(bytes).digest('hex')}`)
}

/** Compares hashes, so that the duration reveals neither length nor content. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHmac('sha256', 'compare').update(text).digest())
  return first !== undefined && second !== undefined && timingSafeEqual(first, second)
}
