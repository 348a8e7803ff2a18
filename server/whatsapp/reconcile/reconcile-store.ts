// Database access of a sweep: instances, addresses, and since when to read.
import type { Database } from '#server/db/database.ts'

const FIRST_RECONCILE_SECONDS = 3 * 86_400
const MAX_CHATS = 50

/** Instances whose link is open by the gateway's reports. */
export async function openInstances(db: Database): Promise<string[]> {
  const { rows } = await db.query<{ instanceName: string }>(
    `select "instanceName" from portal.instance_states where state = 'open' order by 1`,
  )
  return rows.map((row) => row.instanceName)
}

/** Claims a sweep. False: another portal has begun one within `withinSeconds`. */
export async function claim(db: Database, instanceName: string, withinSeconds: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into portal.instance_sweeps as s ("instanceName") values ($1)
    on conflict ("instanceName") do update set claimed_at = now()
    where s.claimed_at < now() - make_interval(secs => $2)`,
    [instanceName, withinSeconds],
  )
  return rowCount > 0
}

/** Epoch seconds to read from: everything up to `read` was read, and nothing before `from` may be. */
export async function unreadSince(
  db: Database,
  instanceName: string,
  nowSeconds: number,
): Promise<{ read: number; from: number }> {
  const { rows } = await db.query<{ read_until: number | null; read_from: number | null }>(
    `select extract(epoch from read_until)::bigint as read_until, extract(epoch from read_from)::bigint as read_from
    from portal.instance_sweeps where "instanceName" = $1`,
    [instanceName],
  )
  return { read: rows[0]?.read_until ?? nowSeconds - FIRST_RECONCILE_SECONDS, from: rows[0]?.read_from ?? 0 }
}

/** The gateway usually gets a phone's history within this time. Each sweep reads it until then. */
const HISTORY_SECONDS = 3_600
/** A phone that was off delivers it later: how long, and how often, it is searched. */
const GAP_DAYS = 7
const GAP_EVERY_SECONDS = 3_600

/**
 * The time without a link whose history may still come, in epoch seconds; null if there is none, or not now.
 */
export async function unreadGap(
  db: Database,
  instanceName: string,
  nowSeconds: number,
): Promise<{ from: number; to: number } | null> {
  const { rows } = await db.query<{ from: number; to: number }>(
    `select extract(epoch from greatest(gap_from, read_from))::bigint as "from", extract(epoch from relinked_at)::bigint as "to"
    from portal.instance_sweeps
    where "instanceName" = $1 and gap_from is not null
      and relinked_at < to_timestamp($2::bigint) - make_interval(secs => $3)
      and (gap_read_at between to_timestamp($2::bigint) - make_interval(secs => $4) and to_timestamp($2::bigint)) is not true`,
    [instanceName, nowSeconds, HISTORY_SECONDS, GAP_EVERY_SECONDS],
  )
  return rows[0] ?? null
}

/** Notes that the gap was read. Only while the link is open; after a week nothing more is expected. */
export async function markGapRead(db: Database, instanceName: string, nowSeconds: number): Promise<void> {
  await db.query(
    `update portal.instance_sweeps s set gap_read_at = to_timestamp($2::bigint),
      gap_from = case when s.relinked_at > to_timestamp($2::bigint) - make_interval(days => $3) then s.gap_from end
    from portal.instance_states i
    where s."instanceName" = $1 and i."instanceName" = s."instanceName" and i.state = 'open'`,
    [instanceName, nowSeconds, GAP_DAYS],
  )
}

/**
 * Only while the link is open, because a phone that is away has not delivered everything. 'unsettled' while a
 * phone that was linked again may still deliver history.
 */
export async function markRead(
  db: Database,
  instanceName: string,
  untilSeconds: number,
): Promise<'read' | 'closed' | 'unsettled'> {
  const { rows } = await db.query<{ is_settled: boolean }>(
    `with open as (
      select "instanceName" from portal.instance_states where "instanceName" = $1 and state = 'open'
    ), marked as (
      insert into portal.instance_sweeps as s ("instanceName", read_until)
      select "instanceName", to_timestamp($2::bigint) from open
      on conflict ("instanceName") do update set read_until = excluded.read_until
      where s.relinked_at is null or s.relinked_at < excluded.read_until - make_interval(secs => $3)
      returning 1
    )
    select exists (select from marked) as is_settled from open`,
    [instanceName, untilSeconds, HISTORY_SECONDS],
  )
  if (rows[0] === undefined) return 'closed'
  return rows[0].is_settled ? 'read' : 'unsettled'
}

/** All addresses of recently active contacts, newest first. */
export function recentJids(db: Database, instanceName: string): Promise<string[]> {
  return jidsOf(db, instanceName, `c.last_message_timestamp > extract(epoch from now()) - 2 * 86400`)
}

/** Addresses of contacts known only by a hidden id. */
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
