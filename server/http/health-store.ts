// Database figures for administrators at /test-supabase: versions, the delay of events, the campaigns' queue.
import type { Database } from '#server/db/database.ts'

export type Insides = {
  /** 'PostgreSQL 17.5'; for the embedded database, 'PGlite' precedes it. */
  database: string
  /** The newest migration. */
  schema: string
  /** Unknown message kinds, by their names in WhatsApp's protocol, most frequent first. */
  unknownKinds: readonly { name: string; seen: number }[]
  /** Waiting time of the oldest unapplied webhook delivery. */
  oldestDeliverySeconds: number | null
  /** Deliveries of lead sources: waiting to be read, and unreadable. */
  intake: { waiting: number; unread: number }
  /** Events waiting to be sent to other systems, and addresses disabled after failures. */
  webhooks: { waiting: number; stopped: number }
  campaigns: { running: number; paused: number; scheduled: number; waiting: number }
}

export async function readInsides(db: Database): Promise<Insides> {
  const { rows } = await db.query<
    {
      server: string
      schema: string
      unknown: Insides['unknownKinds']
      oldest: number | null
      to_read: number
      unread: number
      events: number
      stopped: number
    } & Insides['campaigns']
  >(
    `select current_setting('server_version') as server,
      (select max(version) from supabase_migrations.schema_migrations) as schema,
      (select coalesce(jsonb_agg(jsonb_build_object('name', k.name, 'seen', k.seen) order by k.seen desc, k.name), '[]')
        from (select u.name, u.seen from portal.unknown_kinds u order by u.seen desc, u.name limit 20) k) as unknown,
      (select extract(epoch from clock_timestamp() - min(i.received_at))::integer from portal.webhook_inbox i) as oldest,
      (select count(*) from portal.intake_raw r where r.next_at is not null) as to_read,
      (select count(*) from portal.intake_raw r where r.next_at is null) as unread,
      (select count(*) from portal.event_out e where e.state = 'waiting') as events,
      (select count(*) from portal.hooks h where h.reason is not null) as stopped,
      count(*) filter (where c.status = 'running') as running,
      count(*) filter (where c.status = 'paused') as paused,
      count(*) filter (where c.status = 'scheduled') as scheduled,
      coalesce(sum((select count(*) from public.campaign_recipients r where r.campaign_id = c.id and r.state = 'pending')), 0)::integer as waiting
    from public.remarketing_campaigns c where c.status in ('running', 'paused', 'scheduled')`,
  )
  const {
    server = '',
    schema = '',
    unknown = [],
    oldest = null,
    to_read: toRead = 0,
    unread = 0,
    events = 0,
    stopped = 0,
    running = 0,
    paused = 0,
    scheduled = 0,
    waiting = 0,
  } = rows[0] ?? {}
  const engine = db.engine === 'pglite' ? 'PGlite, PostgreSQL' : 'PostgreSQL'
  return {
    database: `${engine} ${server.split(' ')[0]}`,
    schema,
    unknownKinds: unknown,
    oldestDeliverySeconds: oldest,
    intake: { waiting: toRead, unread },
    webhooks: { waiting: events, stopped },
    campaigns: { running, paused, scheduled, waiting },
  }
}
