// Reads calls: the gateway's CALL event, the stub of a missed call, and the call log that a phone sends as a
// message.
import { count, epochSeconds, fieldsOf, isTrue, text, type Fields } from './field.ts'
import type { CallStatus, Chat, Incoming } from '#server/delivery.ts'
import { personJid } from './jid.ts'

/** The relevant states; others ('ringing', 'preaccept', 'relaylatency') only mean that it still rings. */
const STATUSES: Readonly<Record<string, CallStatus>> = {
  offer: 'offered',
  timeout: 'missed',
  reject: 'missed',
  accept: 'answered',
  terminate: 'ended',
}

type Around = { ownJid: string | null; atMs: number }

/** One step of a call. Null without a call id; empty for group calls and outgoing ones. */
export function readCall(data: Fields, { ownJid, atMs }: Around): Incoming[] | null {
  const callId = text(data['id'], 200)
  const status = text(data['status'])
  if (callId === null || status === null) return null
  const known = Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined
  const jids = [data['callerPn'], data['from'], data['chatId']].map(personJid).filter((jid) => jid !== null)
  const [first] = jids
  const from = personJid(data['from'])
  const isOurs = from !== null && from === ownJid
  const isGroup = isTrue(data['isGroup']) || text(data['groupJid']) !== null
  if (known === undefined || first === undefined || isGroup || isOurs) return []
  return [
    {
      event: 'call',
      messageId: callId,
      chat: { remoteJid: first, jids: [...new Set(jids)], ownJid },
      sentAtSeconds: epochSeconds(data['date']) ?? Math.floor(atMs / 1000),
      status: known,
      isVideo: isTrue(data['isVideo']),
      seconds: null,
    },
  ]
}

type Parts = { chat: Chat; sentAtSeconds: number; messageId: string; fromMe: boolean }

/**
 * WAMessageStubType of missed calls, including those that WhatsApp silenced because the caller is unknown.
 */
const MISSED_STUBS: Readonly<Record<string, { isVideo: boolean }>> = {
  40: { isVideo: false },
  CALL_MISSED_VOICE: { isVideo: false },
  41: { isVideo: true },
  CALL_MISSED_VIDEO: { isVideo: true },
  169: { isVideo: false },
  SILENCED_UNKNOWN_CALLER_AUDIO: { isVideo: false },
  170: { isVideo: true },
  SILENCED_UNKNOWN_CALLER_VIDEO: { isVideo: true },
}

/** A missed call as a message without content; its id is the call's. */
export function readMissedStub(data: Fields, { fromMe, ...parts }: Parts): Incoming[] | null {
  const type = String(data['messageStubType'])
  const missed = Object.hasOwn(MISSED_STUBS, type) ? MISSED_STUBS[type] : undefined
  if (!missed) return null
  return fromMe ? [] : [{ event: 'call', ...parts, ...missed, status: 'missed', seconds: null }]
}

/**
 * callLogMesssage: CONNECTED and ACCEPTED_ELSEWHERE were answered; MISSED, REJECTED and silenced calls were
 * not.
 */
const SPOKEN = [0, 'CONNECTED', 4, 'ACCEPTED_ELSEWHERE']
const UNSPOKEN = [1, 'MISSED', 3, 'REJECTED', 6, 'SILENCED_BY_DND', 7, 'SILENCED_UNKNOWN_CALLER']

/** A call log has an id of its own; its call is found by time. */
export function readCallLog(inner: Fields, { fromMe, ...parts }: Parts): Incoming[] | null {
  const log = fieldsOf(inner['callLogMesssage'])
  if (!log) return null
  const outcome: unknown = log['callOutcome'] ?? 0
  const isSpoken = SPOKEN.some((one) => one === outcome)
  if (!isSpoken && (fromMe || !UNSPOKEN.some((one) => one === outcome))) return []
  return [
    {
      event: 'call',
      ...parts,
      status: isSpoken ? 'answered' : 'missed',
      isVideo: isTrue(log['isVideo']),
      seconds: isSpoken ? count(log['durationSecs']) : null,
      isLog: true,
    },
  ]
}
