// Applies records of findMessages through the path of webhooks: known messages stay, lost ones are added.
import type { Database, Query } from '#server/db/database.ts'
import { tryAgain } from '#server/db/try-again.ts'
import type { DeliveriesOf, FoundRecords } from '#server/delivery.ts'
import { applyEvents, takeLock } from './apply.ts'

/** Applies the records in one transaction; returns how many messages were new. */
export function applyRecords(
  { db, deliveriesOf }: { db: Database; deliveriesOf: DeliveriesOf },
  { instanceName, kind, records, atMs }: FoundRecords,
): Promise<number> {
  const reader = deliveriesOf(kind)
  return tryAgain(() =>
    db.transaction(async (query) => {
      await takeLock(query, instanceName)
      const { ownJid, fromSeconds } = await phoneOf(query, instanceName)
      // The gateway returns the newest first; messages of one second keep the order in which they are
      // applied.
      const events = records
        .toReversed()
        .flatMap((record) => reader?.readRecord(record, { ownJid, atMs, fromSeconds }) ?? [])
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

/** The linked phone, and since when; its earlier history is not ours to read. */
async function phoneOf(
  query: Query,
  instanceName: string,
): Promise<{ ownJid: string | null; fromSeconds: number }> {
  const { rows } = await query<{ owner_jid: string | null; from_seconds: number | null }>(
    `select i.owner_jid, floor(extract(epoch from s.read_from))::bigint as from_seconds
    from portal.instance_states i left join portal.instance_sweeps s using ("instanceName")
    where i."instanceName" = $1`,
    [instanceName],
  )
  return { ownJid: rows[0]?.owner_jid ?? null, fromSeconds: rows[0]?.from_seconds ?? 0 }
}

async function countKnown(query: Query, instanceName: string, ids: readonly string[]): Promise<number> {
  const { rowCount } = await query(
    'select id from public.whatsapp_messages where "instanceName" = $1 and message_id = any($2::text[])',
    [instanceName, ids],
  )
  return rowCount
}
