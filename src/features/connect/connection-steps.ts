// Connecting WhatsApp as a pure state machine; time is an argument.
import type { Link, LinkOffer } from '#domain/link.ts'
import { dialledDigits } from '#domain/phone/number-key.ts'
import { COUNTRY_CODE, digitsOf } from '#domain/phone/phone.ts'

export const RENEW_MS = 20_000
/** The dialog offers a restart if the gateway has sent no code for this long. */
const STUCK_MS = 20_000
/** The portal asks the gateway again after this time, while there is no code or no answer. */
const ASK_AGAIN_MS = 3_000
/** The dialog shows 'Conectado!' for this long, then closes. */
const DONE_MS = 1_200

export type Code = Extract<LinkOffer, { kind: 'code' }>

export type Connection = {
  step: 'asking' | 'waiting' | 'code' | 'expired' | 'disconnected' | 'connected'
  /**
   * The dialog is open. It opens with the gateway's first answer; until then the pressed button shows 'Conectando...'.
   */
  isOpen: boolean
  /** True if the dialog may close. */
  isDone: boolean
  /** The phone on which the user will type a code; null if the user scans a QR code. */
  number: string | null
  code: Code | null
  /** The last remedy tried since the last code; null if there is none. */
  tried: Cure | null
  isAsking: boolean
  /** When this step began; in the step 'code', when the code arrived. */
  sinceMs: number
  /** When the portal last requested a code. */
  askedAtMs: number
}

/** Remedies for a gateway that sends no code: restart the link, then recreate the instance. */
export type Cure = 'restart' | 'recreate'

export type ConnectionEvent =
  | { type: 'begun'; number: string | null; cure: Cure | null; nowMs: number }
  | { type: 'asked'; nowMs: number }
  | { type: 'offered'; offer: LinkOffer; nowMs: number }
  /** `isPassing` is true if the server did not answer, so a retry may help; false if the server refused. */
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
  // Once connected, answers to older requests are ignored.
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
  // If the dialog is not open yet, a toast reports the failure and the button becomes usable again.
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

/** True for the last code that the gateway makes without a new request. */
function isLast({ count, limit }: Code): boolean {
  return count >= limit
}

/** True if the portal must request a code now. */
export function isCodeDue(connection: Connection, nowMs: number): boolean {
  const { step, code, isAsking, sinceMs, askedAtMs } = connection
  if (isAsking || nowMs - askedAtMs < ASK_AGAIN_MS) return false
  if (step === 'waiting') return true
  return step === 'code' && code !== null && !isLast(code) && nowMs - sinceMs >= RENEW_MS
}

/** Seconds until the portal renews the code, from 20 to 0. */
export function secondsLeft({ sinceMs }: Connection, nowMs: number): number {
  return Math.min(RENEW_MS, Math.max(0, RENEW_MS - (nowMs - sinceMs))) / 1000
}

/**
 * The remedy to offer once the gateway has sent no code for 20 seconds; null before that. After a failed remedy the
 * other one is offered.
 */
export function cureOf({ step, sinceMs, tried }: Connection, nowMs: number): Cure | null {
  if (step !== 'waiting' || nowMs - sinceMs < STUCK_MS) return null
  return tried === null ? 'restart' : 'recreate'
}

/** Reads a typed number as digits with country code; null if it is invalid. Foreign numbers must begin with +. */
export function toLinkNumber(typed: string): string | null {
  const digits = digitsOf(typed)
  const isForeign = typed.trimStart().startsWith('+') && !digits.startsWith(COUNTRY_CODE)
  if (isForeign) return digits.length >= 8 && digits.length <= 15 ? digits : null
  return dialledDigits(typed)
}
