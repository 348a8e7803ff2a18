// Connecting WhatsApp as a pure state machine; time is an argument.
import type { Link, LinkOffer } from '#domain/link.ts'
import { dialledDigits } from '#domain/phone/number-key.ts'
import { COUNTRY_CODE, digitsOf } from '#domain/phone/phone.ts'

export const RENEW_MS = 20_000
/** How long the gateway may give no code before a restart is offered. */
const STUCK_MS = 20_000
/** Time between requests while the gateway has no code yet or does not answer. */
const ASK_AGAIN_MS = 3_000
/** How long 'Conectado!' is shown. */
const DONE_MS = 1_200

export type Code = Extract<LinkOffer, { kind: 'code' }>

export type Connection = {
  step: 'asking' | 'waiting' | 'code' | 'expired' | 'disconnected' | 'connected'
  /** True from the first answer on; before that the pressed button says 'Conectando...'. */
  isOpen: boolean
  /** Finished: the dialog may close. */
  isDone: boolean
  /** The phone that gets a code to type; null: a QR code is scanned. */
  number: string | null
  code: Code | null
  /** The last remedy tried since a code came. */
  tried: Cure | null
  isAsking: boolean
  /** The start of this step; for a code, when it came. */
  sinceMs: number
  /** When a code was last requested. */
  askedAtMs: number
}

/** Remedies for a gateway that gives no code: restart the link, then recreate the instance. */
export type Cure = 'restart' | 'recreate'

export type ConnectionEvent =
  | { type: 'begun'; number: string | null; cure: Cure | null; nowMs: number }
  | { type: 'asked'; nowMs: number }
  | { type: 'offered'; offer: LinkOffer; nowMs: number }
  /** `isPassing`: no answer came, so a retry may help. */
  | { type: 'failed'; isPassing: boolean; nowMs: number }
  | { type: 'seen'; state: Link['state']; nowMs: number }
  | { type: 'ticked'; nowMs: number }

export function startConnection(nowMs: number): Connection {
  return {
    step: 'asking',
    isOpen: false,
    isDone: false,
    number: null,
    code: null,
    tried: null,
    isAsking: true,
    sinceMs: nowMs,
    askedAtMs: nowMs,
  }
}

export function reduceConnection(connection: Connection, event: ConnectionEvent): Connection {
  const { nowMs } = event
  switch (event.type) {
    case 'begun':
      return begin(connection, event)
    case 'asked':
      return { ...connection, isAsking: true, askedAtMs: nowMs }
    case 'offered':
      return take(connection, event.offer, nowMs)
    case 'failed':
      return fail(connection, event.isPassing, nowMs)
    case 'seen':
      return event.state === 'open' ? connected(connection, nowMs) : connection
    case 'ticked':
      return tick(connection, nowMs)
  }
}

function begin(
  { isOpen, tried }: Connection,
  { number, cure, nowMs }: Extract<ConnectionEvent, { type: 'begun' }>,
): Connection {
  return { ...startConnection(nowMs), isOpen, number, tried: cure ?? tried }
}

function take(connection: Connection, offer: LinkOffer, nowMs: number): Connection {
  // An answer to an older request changes nothing any more.
  if (connection.step === 'connected') return connection
  if (offer.kind === 'open') return connected(connection, nowMs)
  const answered = { ...connection, isOpen: true, isAsking: false }
  if (offer.kind === 'code') return { ...answered, step: 'code', code: offer, tried: null, sinceMs: nowMs }
  const isStill = connection.step === 'waiting'
  return { ...answered, step: 'waiting', code: null, sinceMs: isStill ? connection.sinceMs : nowMs }
}

function fail(connection: Connection, isPassing: boolean, nowMs: number): Connection {
  if (connection.step === 'connected') return connection
  const isKept = isPassing && (connection.step === 'code' || connection.step === 'waiting')
  if (isKept) return { ...connection, isAsking: false, askedAtMs: nowMs }
  // Before the dialog is shown, the button and a toast report it.
  return {
    ...connection,
    step: 'disconnected',
    code: null,
    isAsking: false,
    sinceMs: nowMs,
    isDone: !connection.isOpen,
  }
}

function connected(connection: Connection, nowMs: number): Connection {
  if (connection.step === 'connected') return connection
  const isDone = !connection.isOpen
  return { ...connection, step: 'connected', code: null, isAsking: false, sinceMs: nowMs, isDone }
}

function tick(connection: Connection, nowMs: number): Connection {
  const { step, code, sinceMs } = connection
  const ageMs = nowMs - sinceMs
  if (step === 'connected' && ageMs >= DONE_MS) return { ...connection, isDone: true }
  if (step === 'code' && code && ageMs >= (isLast(code) ? RENEW_MS : code.lifetimeMs))
    return { ...connection, step: 'expired', code: null, isAsking: false, sinceMs: nowMs }
  return connection
}

/** After it the gateway makes no more codes by itself. */
function isLast({ count, limit }: Code): boolean {
  return count >= limit
}

/** Whether to request a code now. */
export function isCodeDue(connection: Connection, nowMs: number): boolean {
  const { step, code, isAsking, sinceMs, askedAtMs } = connection
  if (isAsking || nowMs - askedAtMs < ASK_AGAIN_MS) return false
  if (step === 'waiting') return true
  return step === 'code' && code !== null && !isLast(code) && nowMs - sinceMs >= RENEW_MS
}

/** Seconds until the code is renewed: 20 to 0. */
export function secondsLeft({ sinceMs }: Connection, nowMs: number): number {
  return Math.min(RENEW_MS, Math.max(0, RENEW_MS - (nowMs - sinceMs))) / 1000
}

/**
 * The remedy to offer when the gateway has given no code for long; null before. A failed remedy is not offered first
 * again.
 */
export function cureOf({ step, sinceMs, tried }: Connection, nowMs: number): Cure | null {
  if (step !== 'waiting' || nowMs - sinceMs < STUCK_MS) return null
  return tried === null ? 'restart' : 'recreate'
}

/** A typed number in international form; null if invalid. Foreign numbers begin with +. */
export function toLinkNumber(typed: string): string | null {
  const digits = digitsOf(typed)
  const isForeign = typed.trimStart().startsWith('+') && !digits.startsWith(COUNTRY_CODE)
  if (isForeign) return digits.length >= 8 && digits.length <= 15 ? digits : null
  return dialledDigits(typed)
}
