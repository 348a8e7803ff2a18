// The people and files of a raw delivery of the Evolution API.
import type { DeliveredFile, DeliveredItem } from '#server/delivery.ts'
import { child, fieldsOf, type Fields } from '../message/field.ts'
import { addressesIn } from '../message/jid.ts'

/** Fields with addresses of people: in messages and receipts, contacts, calls. */
const NAMES = [
  'remoteJid',
  'remoteJidAlt',
  'senderPn',
  'senderLid',
  'previousRemoteJid',
  'id',
  'from',
  'chatId',
]
const MAX_DEPTH = 12

/** The items of `data`: one object, a list, or a list under `messages`. */
export const listOf = (data: unknown): unknown[] => {
  const listed = fieldsOf(data)?.['messages'] ?? data
  return Array.isArray(listed) ? listed : [listed]
}

const fieldsIn = (body: unknown): Fields[] =>
  listOf(fieldsOf(body)?.['data'])
    .map(fieldsOf)
    .filter((fields) => fields !== null)

const toItem = (fields: Fields): DeliveredItem => ({
  jids: addressesIn([fields, child(fields, 'key')], NAMES),
  hasFile: typeof child(fields, 'message')['base64'] === 'string',
})

export const itemsOf = (body: unknown): DeliveredItem[] => fieldsIn(body).map(toItem)

export function keepItems(body: unknown, isKept: (item: DeliveredItem) => boolean): void {
  const envelope = fieldsOf(body)
  if (envelope) envelope['data'] = fieldsIn(body).filter((fields) => isKept(toItem(fields)))
}

/** Finds the base64 of every message, also beside the content of wrapped ones. */
export function filesOf(body: unknown): DeliveredFile[] {
  return listOf(fieldsOf(body)?.['data']).flatMap((item) => {
    const message = fieldsOf(fieldsOf(item)?.['message'])
    return message ? withInner(message, 0).flatMap(fileOf) : []
  })
}

function fileOf(message: Fields): DeliveredFile[] {
  const base64 = message['base64']
  if (base64 === undefined) return []
  const replace = (reference: string | null) => {
    if (reference === null) delete message['base64']
    else message['base64'] = reference
  }
  return [{ base64: typeof base64 === 'string' ? base64 : '', replace }]
}

function withInner(message: Fields, depth: number): Fields[] {
  if (depth >= MAX_DEPTH) return [message]
  const inner = Object.keys(message).flatMap((key) => {
    const next = fieldsOf(child(message, key)['message'])
    return next ? withInner(next, depth + 1) : []
  })
  return [message, ...inner]
}
