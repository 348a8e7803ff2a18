// A push as it is sent: one JSON for browsers that show it by themselves and for our own worker, and how soon it matters.
import { cleanText } from '#domain/clean-text.ts'
import { wordsOf } from './notice-words.ts'
import type { ClaimedPush } from './push-queue.ts'

export type Notice = {
  json: string
  /** For the push service: how soon it matters, how long, and what it replaces there. */
  urgency: 'high' | 'normal'
  ttlSeconds: number
  topic: string
}

/** A phone that sleeps is woken for these, as for a lead. */
const HURRIED: readonly ClaimedPush['kind'][] = ['digest', 'link', 'lost']
const TTL_SECONDS = 4 * 60 * 60
const TITLE_LENGTH = 80
/** Whole sentences for a lock screen; a push service that takes less gets less. */
const BODY_LENGTH = { whole: 200, short: 40 }

/** `address` is the portal's, as devices know it. */
export function toNotice(
  push: ClaimedPush,
  address: string,
  length: keyof typeof BODY_LENGTH = 'whole',
): Notice {
  const { title, body, path, actions } = wordsOf(push, address)
  const navigate = address + path
  const json = JSON.stringify({
    // The mark of a declarative push: Safari shows it even when our worker cannot run.
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
  // An offer that is over would only disappoint; below nought there is no time to live.
  const ttlSeconds = Math.max(0, push.offer?.secondsLeft ?? TTL_SECONDS)
  return { json, urgency, ttlSeconds, topic: push.tag }
}

/** At most so many letters, cut between letters and never inside of one. */
function clip(text: string, most: number): string {
  const letters = [...new Intl.Segmenter('pt-BR').segment(cleanText(text))]
  if (letters.length <= most) return cleanText(text)
  return `${letters
    .slice(0, most - 1)
    .map(({ segment }) => segment)
    .join('')
    .trimEnd()}…`
}
