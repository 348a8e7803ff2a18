// Parses link states and QR codes.
import { child, count, fieldsOf, text, type Fields } from '../message/field.ts'
import type { Incoming, LinkedState } from '#server/delivery.ts'
import { personJid } from '../message/jid.ts'
import { linkEvent, noMoreCodes } from '../message/link-event.ts'

const STATES: readonly string[] = ['close', 'connecting', 'open', 'refused'] satisfies LinkedState[]
const isState = (value: string): value is LinkedState => STATES.includes(value)

/** `connection.update`; null without a state. */
export function readConnection(data: Fields, atMs: number): Incoming[] | null {
  const state = text(data['state'])
  if (state === null || !isState(state)) return null
  return [
    linkEvent({
      state,
      rank: 2,
      atMs,
      reason: count(data['statusReason']),
      ownerJid: personJid(data['wuid']),
      profileName: text(data['profileName'], 200),
      profilePicUrl: text(data['profilePictureUrl'], 2_000),
    }),
  ]
}

/** `status.instance`: only the closing is used, because it has the reason. */
export function readStatus(data: Fields, atMs: number): Incoming[] {
  if (data['status'] !== 'closed') return []
  return [linkEvent({ state: 'close', rank: 1, atMs, reason: count(data['disconnectionReasonCode']) })]
}

export const readLogout = (atMs: number): Incoming[] => [linkEvent({ state: 'close', rank: 0, atMs })]
export const readRemoval = (atMs: number): Incoming[] => [linkEvent({ state: 'removed', rank: 3, atMs })]

/** `qrcode.updated`: a code to scan, or that no more will come; null for anything else. */
export function readQr(data: Fields, atMs: number): Incoming[] | null {
  const code = fieldsOf(data['qrcode']) ?? child(data, 'data')
  const image = text(code['base64'])
  if (image === null) return count(data['statusCode']) === null ? null : [noMoreCodes(atMs)]
  return [
    {
      event: 'qr',
      atMs,
      image: image.startsWith('data:image/') ? image : null,
      text: text(code['code']),
      pairingCode: text(code['pairingCode'], 20),
      count: count(code['count']),
      isLimit: false,
    },
  ]
}
