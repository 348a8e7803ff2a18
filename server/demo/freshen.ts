// Shifts the demonstration's times: at each start all its events move up to now.
import type { Database, Query } from '#server/db/database.ts'
import { NEWCOMER } from './agency/brokers.ts'
import { writeMessages } from './bulk.ts'
import { DAY, MINUTE, toTimestamp } from './calendar.ts'

/** Within this time cards still look fresh, so nothing is shifted. */
const STILL_FRESH = 5 * MINUTE

const LAST_ACTIVITY = `
  select c.id, c.person_id, greatest(
    c.created_at, c.updated_at, to_timestamp(c.last_message_timestamp),
    (select max(h.changed_at) from portal.stage_history h where h.contact_id = c.id)
  ) as at
  from public.whatsapp_contacts c`

/**
 * Moves all times up to `now` (epoch seconds), of seeded and visitors' data alike. Each lead moves as a
 * whole, so that no order changes: by whole days, which keeps the hours, and events of the last day by the
 * exact time.
 */
export async function freshen(db: Database, now: number) {
  await db.transaction(async (query) => {
    await query(
      `update portal.accounts set first_access_until = $1::timestamptz + interval '24 hours'
       where role = 'broker' and username = $2 and password_hash is null`,
      [toTimestamp(now), NEWCOMER],
    )
    const { rows } = await query<{ newest: number | null }>(
      `select floor(extract(epoch from max(at)))::bigint as newest from (${LAST_ACTIVITY}) as activity`,
    )
    const newest = rows[0]?.newest ?? now
    const behind = now - newest
    if (behind <= STILL_FRESH) return
    const days = behind - (behind % DAY)
    await writeMessages(query, () => move(query, { lastDay: newest - DAY, behind, days }))
    await movePlans(query, { newest, now, days })
    await query(
      `update public.development_plans set priced_on = priced_on + $1::integer, valid_until = valid_until + $1::integer`,
      [days / DAY],
    )
  })
}

async function move(
  query: Query,
  { lastDay, behind, days }: { lastDay: number; behind: number; days: number },
) {
  const shift = (at: string) =>
    `case when ${at} > to_timestamp(${lastDay}) then interval '${behind} seconds' else interval '${days} seconds' end`
  await query(`create temporary table demo_shift on commit drop as
    select id as contact_id, person_id, ${shift('at')} as by from (${LAST_ACTIVITY}) as activity`)
  await query(`delete from demo_shift where by = interval '0'`)

  // Messages and the contacts' columns about them move together, so the triggers have nothing to do.
  await query(`alter table public.whatsapp_contacts disable trigger guard_contact`)
  await query(`alter table portal.roleta_events disable trigger keep_events`)
  await query(`
    update public.whatsapp_messages m
    set "timestamp" = m."timestamp" + extract(epoch from s.by)::bigint, created_at = m.created_at + s.by
    from demo_shift s where s.contact_id = m.contact_id`)
  await query(`
    update public.whatsapp_contacts c
    set created_at = c.created_at + s.by, updated_at = c.updated_at + s.by, won_at = c.won_at + s.by,
      remarketing_sent_at = c.remarketing_sent_at + s.by,
      last_message_timestamp = c.last_message_timestamp + extract(epoch from s.by)::bigint,
      first_incoming_at = c.first_incoming_at + s.by, first_response_at = c.first_response_at + s.by,
      left_contact_at = c.left_contact_at + s.by, first_contacted_at = c.first_contacted_at + s.by,
      waiting_since = c.waiting_since + s.by, quiet_at = c.quiet_at + s.by
    from demo_shift s where s.contact_id = c.id`)
  await query(`
    update portal.lead_plans l
    set seen_at = l.seen_at + s.by, started_at = l.started_at + s.by, changed_at = l.changed_at + s.by
    from demo_shift s where s.contact_id = l.contact_id`)
  await query(`alter table portal.lead_intakes disable trigger user`)
  await query(`
    update portal.lead_intakes i set received_at = i.received_at + s.by from demo_shift s where s.contact_id = i.contact_id`)
  await query(`alter table portal.lead_intakes enable trigger user`)
  await query(`update portal.intake_keys set created_at = created_at + ${shift('created_at')}`)
  await query(`update portal.intake_raw set received_at = received_at + ${shift('received_at')}`)
  await query(`
    update portal.stage_history h set changed_at = h.changed_at + s.by, moved_at = h.moved_at + s.by
    from demo_shift s where s.contact_id = h.contact_id`)
  await query(`
    update portal.people p set created_at = p.created_at + s.by, opted_out_at = p.opted_out_at + s.by
    from (select person_id, max(by) as by from demo_shift group by person_id) s where s.person_id = p.id`)
  await query(`update public.agent_chat_messages set created_at = created_at + ${shift('created_at')}`)
  await query(`update public.remarketing_campaigns set created_at = created_at + ${shift('created_at')}`)
  await query(`
    update public.campaign_recipients r set accepted_at = r.accepted_at + s.by, settled_at = r.settled_at + s.by
    from demo_shift s where s.contact_id = r.contact_id`)
  await query(`
    update portal.roleta_events e set at = e.at + s.by
    from demo_shift s join portal.roleta_cases c using (contact_id) where c.id = e.case_id`)
  await query(`
    update portal.roleta_cases c
    set arrived_at = c.arrived_at + s.by, since = c.since + s.by, next_at = c.next_at + s.by
    from demo_shift s where s.contact_id = c.contact_id`)
  await query(`alter table portal.roleta_events enable trigger keep_events`)
  await query(`alter table public.whatsapp_contacts enable trigger guard_contact`)
}

/**
 * Moves next actions, visits and scheduled texts by whole days, so that they keep their hours. If a future one would
 * end up in the past, all of that lead's entries move one more day.
 */
async function movePlans(query: Query, { newest, now, days }: { newest: number; now: number; days: number }) {
  await query(`create temporary table demo_plans on commit drop as
    select t.contact_id, make_interval(secs => ${days} + case when bool_or(
        t.is_open and t.due_at > to_timestamp(${newest}) and t.due_at + interval '${days} seconds' <= to_timestamp(${now}))
      then ${DAY} else 0 end) as ahead,
      coalesce(max(s.by), interval '0') as by
    from (
      select a.contact_id, a.due_at, a.finished_at is null as is_open from portal.actions a
      union all
      select m.contact_id, m.due_at, m.state in ('waiting', 'asking', 'answered', 'refused') from portal.scheduled_messages m
    ) t left join demo_shift s using (contact_id)
    group by t.contact_id`)
  await query(`alter table portal.actions disable trigger user`)
  await query(`alter table portal.scheduled_messages disable trigger user`)
  await query(`
    update portal.actions a
    set due_at = a.due_at + case when a.finished_at is null then p.ahead else p.by end,
      seen_at = a.seen_at + p.by, created_at = a.created_at + p.by, finished_at = a.finished_at + p.by
    from demo_plans p where p.contact_id = a.contact_id`)
  await query(`
    update portal.visits v set remind_at = v.remind_at + p.ahead, changed_at = v.changed_at + p.by
    from portal.actions a join demo_plans p using (contact_id) where a.id = v.action_id`)
  await query(`
    update portal.scheduled_messages m
    set due_at = m.due_at + case when m.state in ('waiting', 'asking', 'answered', 'refused') then p.ahead else p.by end,
      seen_at = m.seen_at + p.by, created_at = m.created_at + p.by, changed_at = m.changed_at + p.by
    from demo_plans p where p.contact_id = m.contact_id`)
  await query(`
    update portal.answer_deadlines d
    set received_at = d.received_at + s.by, is_current = false, look_at = d.received_at + s.by
    from demo_shift s where s.contact_id = d.contact_id`)
  await query(`
    update portal.risk_warnings w set warned_at = w.warned_at + s.by from demo_shift s where s.contact_id = w.contact_id`)
  await query(`set constraints all immediate`)
  await query(`alter table portal.actions enable trigger user`)
  await query(`alter table portal.scheduled_messages enable trigger user`)
  await query(`alter table public.whatsapp_contacts disable trigger guard_contact`)
  await query(`select portal.carry_plans(array_agg(contact_id)) from demo_plans having count(*) > 0`)
  await query(`set constraints all immediate`)
  await query(`alter table public.whatsapp_contacts enable trigger guard_contact`)
}
