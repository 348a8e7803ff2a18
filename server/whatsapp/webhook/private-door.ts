// Filters private contacts: their items are removed from a delivery before anything is stored.
import type { Query } from '#server/db/database.ts'
import type { DeliveryReader } from '#server/delivery.ts'
import { privateAmong } from './inbox.ts'

type Parts = Pick<DeliveryReader, 'itemsOf' | 'keepItems'>

/**
 * The people of a parsed delivery, or null if it contains only private contacts. A delivery of one person
 * without a file is checked by the statement that stores it; from a list, items of private contacts are
 * removed from `body`.
 */
export async function leavePrivateOut(
  query: Query,
  { itemsOf, keepItems }: Parts,
  { instanceName, body }: { instanceName: string; body: unknown },
): Promise<string[] | null> {
  const items = itemsOf(body)
  const all = [...new Set(items.flatMap(({ jids }) => jids))]
  if (all.length === 0) return []
  if (items.length === 1 && !items.some(({ hasFile }) => hasFile)) return all
  const hidden = await privateAmong(query, instanceName, all)
  if (hidden.size === 0) return all
  const isKept = ({ jids }: { jids: string[] }) => !jids.some((jid) => hidden.has(jid))
  const kept = items.filter(isKept)
  if (kept.length === 0) return null
  keepItems(body, isKept)
  return kept.flatMap(({ jids }) => jids)
}
