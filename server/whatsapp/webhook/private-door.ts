// Filters private contacts: their items are removed from a delivery before anything is stored.
import type { Query } from '#server/db/database.ts'
import { fieldsOf, type Fields } from './field.ts'
import { privateAmong } from './inbox.ts'
import { personJid } from './jid.ts'

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

/** The people of an item of `data`, each address once. */
function jidsOf(item: Fields): string[] {
  const places = [item, fieldsOf(item['key']) ?? {}]
  const jids = places.flatMap((place) => NAMES.map((name) => addressIn(place[name])))
  return [...new Set(jids.filter((jid) => jid !== null))]
}

/** A value without a domain is a message id. */
const addressIn = (value: unknown) =>
  typeof value === 'string' && value.includes('@') ? personJid(value) : null

function itemsOf(data: unknown): Fields[] {
  const listed = fieldsOf(data)?.['messages'] ?? data
  return (Array.isArray(listed) ? listed : [listed]).map(fieldsOf).filter((item) => item !== null)
}

const hasBytes = (item: Fields) => typeof fieldsOf(item['message'])?.['base64'] === 'string'

/**
 * The people of a parsed delivery, or null if it contains only private contacts. A delivery of one person
 * without a file is checked by the statement that stores it; from a list, items of private contacts are
 * removed from `body`.
 */
export async function leavePrivateOut(
  query: Query,
  instanceName: string,
  body: unknown,
): Promise<string[] | null> {
  const envelope = fieldsOf(body)
  const items = itemsOf(envelope?.['data'])
  const all = [...new Set(items.flatMap(jidsOf))]
  if (!envelope || all.length === 0) return []
  if (items.length === 1 && !items.some(hasBytes)) return all
  const hidden = await privateAmong(query, instanceName, all)
  if (hidden.size === 0) return all
  const kept = items.filter((item) => !jidsOf(item).some((jid) => hidden.has(jid)))
  if (kept.length === 0) return null
  envelope['data'] = kept
  return kept.flatMap(jidsOf)
}
