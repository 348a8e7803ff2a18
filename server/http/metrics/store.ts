// Figures from rows for Prometheus: counts by state, and ages, for all portals.
import type { Database } from '#server/db/database.ts'

/** One value of a gauge; `state` is null for a gauge that is not split by states. */
export type Figure = { gauge: string; state: string | null; value: number }

type Reported = { help: string; by?: { label: string; states: readonly string[] } }

/** Gauges from the database; an empty state is 0. */
export const FIGURES: Readonly<Record<string, Reported>> = {
  portal_webhook_waiting: { help: 'Deliveries that are safe and not applied yet.' },
  portal_webhook_oldest_seconds: {
    help: 'How long the oldest delivery has waited to be applied; 0: none waits.',
  },
  portal_webhook_set_aside: { help: 'Deliveries kept aside: no event, or refused by the database.' },
  portal_send_queue_lines: {
    help: 'Messages to be sent, and those whose end is unknown.',
    by: { label: 'state', states: ['waiting', 'sending', 'unknown'] },
  },
  portal_send_queue_oldest_seconds: {
    help: 'How long the oldest message has waited to be sent; 0: none waits.',
  },
  portal_send_queues_held: { help: 'Instances whose queue waits because link or gateway is away.' },
  portal_campaigns: {
    help: 'Campaigns by status.',
    by: { label: 'status', states: ['scheduled', 'running', 'paused', 'stopped', 'completed', 'error'] },
  },
  portal_campaign_recipients: {
    help: 'Recipients of campaigns that have not ended.',
    by: { label: 'state', states: ['pending', 'sending', 'sent', 'failed', 'unknown', 'cancelled'] },
  },
  portal_push_waiting: { help: 'Notifications that are due and not sent yet.' },
  portal_push_oldest_seconds: { help: 'How long the oldest due notification has waited; 0: none waits.' },
  portal_push_devices: { help: 'Devices that are told.' },
  portal_instances: {
    help: 'WhatsApp links by state; dead: it says open, and the last send met nobody.',
    by: { label: 'state', states: ['close', 'connecting', 'open', 'dead', 'refused', 'removed'] },
  },
  portal_accounts: {
    help: 'Accounts by role.',
    by: { label: 'role', states: ['admin', 'broker', 'gerente'] },
  },
  portal_sessions: { help: 'Sessions that are open.' },
  portal_database_bytes: { help: 'Size of the database.' },
}

const AGE = (column: string) => `coalesce(extract(epoch from clock_timestamp() - min(${column})), 0)::float8`

export async function readFigures(db: Database): Promise<Figure[]> {
  const { rows } = await db.query<Figure>(
    `select 'portal_webhook_waiting' as gauge, null as state, count(*)::float8 as value from portal.webhook_inbox
    union all select 'portal_webhook_oldest_seconds', null, ${AGE('received_at')} from portal.webhook_inbox
    union all select 'portal_webhook_set_aside', null, count(*) from portal.webhook_aside
    union all select 'portal_send_queue_lines', case when claimed_at is null then 'waiting' else 'sending' end, count(*)
      from portal.outgoing group by 2
    union all select 'portal_send_queue_lines', 'unknown', count(*) from public.whatsapp_messages where delivery = 'unknown'
    union all select 'portal_send_queue_oldest_seconds', null, ${AGE('queued_at')} from portal.outgoing
    union all select 'portal_send_queues_held', null, count(*) from portal.send_queues where held_until > clock_timestamp()
    union all select 'portal_campaigns', status, count(*) from public.remarketing_campaigns group by 2
    union all select 'portal_campaign_recipients', r.state, count(*) from public.campaign_recipients r
      join public.remarketing_campaigns c on c.id = r.campaign_id and c.status in ('scheduled', 'running', 'paused') group by 2
    union all select 'portal_push_waiting', null, waiting from portal.push_counts()
    union all select 'portal_push_oldest_seconds', null, coalesce(oldest_seconds, 0) from portal.push_counts()
    union all select 'portal_push_devices', null, devices from portal.push_counts()
    union all select 'portal_instances', case when dead_at is null then state else 'dead' end, count(*)
      from portal.instance_states group by 2
    union all select 'portal_accounts', role, count(*) from portal.accounts group by 2
    union all select 'portal_sessions', null, count(*) from portal.sessions where expires_at > clock_timestamp()
    union all select 'portal_database_bytes', null, pg_database_size(current_database())`,
  )
  return rows
}
