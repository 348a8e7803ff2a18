// What a sweep reads and writes of the database: which instances, which addresses, since when (PRODUCT.md 4.3).
import type { Database } from '#server/db/database.ts'

const FIRST_SWEEP_SECONDS = 3 * 86_400
const MAX_CHATS = 50

/** Instances whose link is open as far as the gateway told. */
export async function openInstances(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ instanceName: string }>(
    `select "instanceName" from portal.instance_states where state = 'open' order by 1`,
  )
  return rows.map((row) => row.instanceName)
}

/** False while another portal has begun one in the last five minutes. */
export async function claim(db: Database, instanceName: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into portal.instance_sweeps as s ("instanceName") values ($1)
    on conflict ("instanceName") do update set claimed_at = now() where s.claimed_at < now() - interval '5 minutes'`,
    [instanceName],
  )
  return rowCount > 0
}

/** Epoch seconds up to which everything was read back; three days ago before the first sweep. */
export async function unreadSince(db: Database, instanceName: string, nowSeconds: number): Promise<number> {
  const { rows } = await db.query<{ read_until: number | null }>(
    `select extract(epoch from read_until)::bigint as read_until from portal.instance_sweeps where "instanceName" = $1`,
    [instanceName],
  )
  return rows[0]?.read_until ?? nowSeconds - FIRST_SWEEP_SECONDS
}

/** Only while the link is open: a phone that is away has not told the gateway everything yet. */
export async function markRead(db: Database, instanceName: string, untilSeconds: number): Promise<void> {
  await db.query(
    `insert into portal.instance_sweeps as s ("instanceName", read_until)
    select "instanceName", to_timestamp($2::bigint) from portal.instance_states
    where "instanceName" = $1 and state = 'open'
    on conflict ("instanceName") do update set read_until = excluded.read_until`,
    [instanceName, untilSeconds],
  )
}

/** All addresses of the contacts that wrote or were written to lately, the newest first. */
export function recentJids(db: Database, instanceName: string): Promise<string[]> {
  return jidsOf(db, instanceName, `c.last_message_timestamp > extract(epoch from now()) - 2 * 86400`)
}

/** Addresses of contacts of whom only a hidden id is known. */
export function hiddenJids(db: Database, instanceName: string): Promise<string[]> {
  return jidsOf(db, instanceName, `c.number is null and c.created_at > now() - interval '30 days'`)
}

async function jidsOf(db: Database, instanceName: string, condition: string): Promise<string[]> {
  const { rows } = await db.query<{ jid: string }>(
    `select i.jid
    from (
      select c.person_id, c.last_message_timestamp from public.whatsapp_contacts c
      where c."instanceName" = $1 and ${condition}
      order by c.last_message_timestamp desc nulls last, c.id desc limit $2
    ) as recent
    join portal.identities i on i.person_id = recent.person_id and i."instanceName" = $1
    order by recent.last_message_timestamp desc nulls last, i.jid`,
    [instanceName, MAX_CHATS],
  )
  return rows.map((row) => row.jid)
}
