// Records of findMessages, by the very path of webhooks: what is known stays, what was lost comes in (PRODUCT.md 4.3).
import type { Database, Query } from '#server/db/database.ts'
import { tryAgain } from '#server/db/try-again.ts'
import type { GatewayRecord } from '#server/ports.ts'
import { applyEvents, takeTurn } from './apply.ts'
import { readRecord } from './payload.ts'

/** `atMs`: when the gateway was asked for them. */
export type Found = { instanceName: string; records: readonly GatewayRecord[]; atMs: number }

/** Applies the records in one transaction; answers how many messages were not known. */
export function applyRecords(db: Database, { instanceName, records, atMs }: Found): Promise<number> {
  return tryAgain(() =>
    db.transaction(async (query) => {
      await takeTurn(query)
      const ownJid = await ownerOf(query, instanceName)
      // The gateway gives the newest first; lines of one second stand in the order they are applied.
      const events = records.toReversed().flatMap((record) => readRecord(record, { ownJid, atMs }))
      const ids = events.flatMap((event) => (event.event === 'message' ? [event.messageId] : []))
      const before = await countKnown(query, instanceName, ids)
      await applyEvents(
        query,
        events.map((event) => ({ instanceName, event })),
      )
      return (await countKnown(query, instanceName, ids)) - before
    }),
  )
}

async function ownerOf(query: Query, instanceName: string): Promise<string | null> {
  const { rows } = await query<{ owner_jid: string | null }>(
    'select owner_jid from portal.instance_states where "instanceName" = $1',
    [instanceName],
  )
  return rows[0]?.owner_jid ?? null
}

async function countKnown(query: Query, instanceName: string, ids: readonly string[]): Promise<number> {
  const { rowCount } = await query(
    'select id from public.whatsapp_messages where "instanceName" = $1 and message_id = any($2::text[])',
    [instanceName, ids],
  )
  return rowCount
}
