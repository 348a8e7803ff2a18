// A push as sent: one JSON for browsers with declarative push and for our service worker, and its urgency.
import { cleanText } from '#domain/clean-text.ts'
import { wordsOf } from './notice-words.ts'
import type { ClaimedPush } from './push-queue.ts'

export type Notice = {
  json: string
  /** How urgently the push service delivers it. */
  urgency: 'high' | 'normal'
  ttlSeconds: number
  topic: string
}

/** Kinds that wake a sleeping phone, as a new lead does. */
const HURRIED: readonly ClaimedPush['kind'][] = ['digest', 'link', 'lost']
const TTL_SECONDS = 4 * 60 * 60
/**
 * How long the push service keeps a reminder of a step. The reminder comes ten minutes before a call and is useless
 * later.
 */
const TRY_TTL_SECONDS = 15 * 60
const TITLE_LENGTH = 80
/** Maximum characters: a lock screen shows whole sentences; some push services accept less. */
const BODY_LENGTH = { whole: 200, short: 40 }

/** `address`: the portal's public address. */
export function toNotice(
  push: ClaimedPush,
  address: string,
  length: keyof typeof BODY_LENGTH = 'whole',
): Notice {
  const { title, body, path, actions } = wordsOf(push, address)
  const navigate = address + path
  const json = JSON.stringify({
    // The marker of declarative push: Safari shows it even if our service worker cannot run.
    web_push: 8030,
    notification: {
      title: clip(title, TITLE_LENGTH),
      lang: 'pt-BR',
      dir: 'ltr',
      body: clip(body, BODY_LENGTH[length]),
      navigate,
      tag: push.tag,
      silent: false,
      actions,
      ...(push.lead && { data: { contactId: push.subject, upToSeconds: push.lead.sentAtSeconds } }),
      ...(push.kind === 'outcome' &&
        push.visit && { data: { contactId: push.visit.contactId, visitId: push.subject } }),
    },
    ...(push.unreadLeads !== null && { app_badge: push.unreadLeads }),
    mutable: true,
  })
  const urgency = push.lead || push.offer || HURRIED.includes(push.kind) ? 'high' : 'normal'
  // An expired offer is useless, so it lives only as long as the offer; never negative.
  const ttlSeconds = Math.max(
    0,
    push.offer?.secondsLeft ?? (push.kind === 'try' ? TRY_TTL_SECONDS : TTL_SECONDS),
  )
  return { json, urgency, ttlSeconds, topic: push.tag }
}

/** Cuts between characters as the reader sees them, never inside one. */
function clip(text: string, most: number): string {
  const letters = [...new Intl.Segmenter('pt-BR').segment(cleanText(text))]
  if (letters.length <= most) return cleanText(text)
  return `${letters
    .slice(0, most - 1)
    .map(({ segment }) => segment)
    .join('')
    .trimEnd()}…`
}
