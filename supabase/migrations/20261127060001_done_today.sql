-- What was done today stays on a broker's day, on every device; and a lead that waits carries its rotation's own target.

alter table public.whatsapp_contacts add column done jsonb;
comment on column public.whatsapp_contacts.done is
  'What was done on the day of the last change, the newest last: [{id, kind (of portal.actions, or text for one of portal.scheduled_messages that went), due, at (epoch seconds), note, missed (a visit that nobody came to)}]; null without one. Of an earlier day it is nothing any more.';

create function portal.day_began() returns bigint
language sql stable security definer set search_path = '' as $$
  select extract(epoch from date_trunc('day', now() at time zone z.name) at time zone z.name)::bigint
  from (select portal.time_zone()) as z (name)
$$;
comment on function portal.day_began() is 'When today began in the portal''s zone, in epoch seconds. Server only.';

create or replace function portal.board_leads(p_board text, p_contacts bigint[]) returns json
language plpgsql stable set search_path = '' as $$
declare
  -- What stands on every lead of a board is looked up once.
  broker_number text := (select b.broker_number from public.brokers b where b."instanceName" = p_board);
  today constant bigint := portal.day_began();
  -- Where no rotation has a target of its own, no lead is asked for its.
  has_targets constant boolean := exists (select from public.roletas r where r.target_minutes is not null);
begin
  return (
    select coalesce(json_agg(lead), '[]')
    from (
      select
        c.id, c.name, c.number, c.notes, c.status, c.unread_count,
        date_trunc('second', c.created_at) as created_at,
        date_trunc('second', c.updated_at) as updated_at,
        case
          -- Whoever comes in by a form is read like whoever writes.
          when arrival.received_at is not null then json_build_object(
            'body', left(coalesce(arrival.message, 'Deixou o contato'), 300),
            'timestamp', floor(extract(epoch from arrival.received_at))::bigint,
            'type', 'incoming', 'kind', 'text', 'delivery', null)
          when c.last_message_id is not null then json_build_object(
            'body', c.last_message_body,
            'timestamp', c.last_message_timestamp,
            'type', c.last_message_type,
            'kind', c.last_message_kind,
            'delivery', c.last_message_delivery)
        end as last_message,
        -- Mostly the same as the message's, and so next to it.
        floor(extract(epoch from c.waiting_since))::bigint as waiting_since,
        -- Mostly the same on neighbours, and side by side so that it costs next to nothing compressed.
        c.remarketing_sent_at,
        c.person_id in (select p.id from portal.people p where p.opted_out_at is not null) as opted_out,
        case when has_targets and c.waiting_since is not null then (
          select r.target_minutes * 60 from portal.roleta_cases a join public.roletas r on r.id = a.roleta_id
          where a.contact_id = c.id order by a.id desc limit 1) end as target,
        c.next, c.later, case when (c.done -> -1 ->> 'at')::bigint >= today then c.done end as done, c.source, c.empreendimento,
        c.profile_pic_url, broker_number, p_board as "instanceName"
      from (
        select o.* from public.whatsapp_contacts o
        where o."instanceName" = p_board and (p_contacts is null or o.id = any (p_contacts))
        -- Not even begun for a broker's board.
        union all
        select o.* from public.whatsapp_contacts o where p_board = '' and o."instanceName" is null
      ) c
      -- The first message to a central instance is an arrival, too, and stands as the message that it is.
      left join lateral (
        select i.message, i.received_at from portal.lead_intakes i
        where c.left_contact_at is not null and i.contact_id = c.id and i.key_id is not null
          and i.received_at > to_timestamp(coalesce(c.last_message_timestamp, 0))
        order by i.id desc limit 1
      ) arrival on true
    ) lead
  );
end $$;
comment on function portal.board_leads(text, bigint[]) is
  'Leads of a board as sync_board shows them: the named ones, or all of them with null; of the board '''' always all.';

create or replace function public.sync_board(p_instance text, p_cursor text default null) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  cursor_now text := 'whole.0';
  changed bigint[];
begin
  if portal.require_member() is not null and not portal.is_admin() and p_instance is distinct from portal.my_instance() then
    raise exception 'Este quadro é de outro corretor.' using errcode = '42501';
  end if;
  if p_instance is distinct from '' then
    cursor_now := portal.board_cursor(p_instance);
    if cursor_now is null then
      raise exception 'Corretor não encontrado.' using errcode = 'PT404';
    end if;
    changed := portal.changed_since(p_instance, p_cursor);
    -- Where nothing changed the cursor is as good as a new one, and nothing is stored on the device.
    if changed = '{}' and p_cursor like '%:%' then cursor_now := p_cursor; end if;
  end if;
  return json_build_object(
    'cursor', cursor_now,
    'target', portal.answer_target(),
    'reset', changed is null,
    'leads', case when changed = '{}' then '[]' else portal.board_leads(p_instance, changed) end,
    'removed', array(
      select gone.id from unnest(changed) as gone (id)
      where gone.id > 0 and not exists (
        select from public.whatsapp_contacts c where c.id = gone.id and c."instanceName" = p_instance)
      order by gone.id),
    'stages', (
      select json_agg(stage)
      from (select s.id, s.name, s.slug, s.order_index, s.kind, s.hue from public.kanban_stages s order by s.order_index) stage
    )
  );
end $$;
comment on function public.sync_board(text, text) is
  'The board of an instance as one snapshot: {cursor, target, reset, leads, removed, stages}. target: within how many seconds the agency wants a lead answered. p_cursor is the one of the last answer: then leads has what is new or changed since, removed the ids that left the board by hand-over or deletion; with null, or a cursor that is not this board''s or of a later time, reset is true and leads is the whole board. stages is always complete: {id, name, slug, order_index, kind, hue}. Lead: {id, name, number, notes, status (slug), unread_count, created_at, updated_at (whole seconds), last_message: {body (300 characters at most), timestamp (epoch seconds), type, kind, delivery} or null; where the lead came in by a form, a portal or Meta after it, what it left there in its place, remarketing_sent_at, opted_out, profile_pic_url, broker_number, instanceName, next, later and done as the columns of whatsapp_contacts (done: of today), target: within how many seconds the rotation that the lead went through last wants a lead that waits answered, null where that is the agency''s}. A broker reads the own board, an administrator any, and with '''' the leads that belong to no broker, always whole: else 42501; 401 once the session has ended, 404 for an unknown broker.';

create or replace function portal.carry_plans(p_contacts bigint[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  quieted bigint[];
begin
  if p_contacts is null then return; end if;
  -- In the order of all who write leads; after the wait a snapshot that has what the one before wrote.
  perform from public.whatsapp_contacts c where c.id = any (p_contacts) order by c.id for no key update;
  with carried as (
    select t.id, greatest(planned.quiet_at, written.quiet_at) as quiet_at, planned.next, written.later, finished.done
    from unnest(p_contacts) as t (id)
    cross join lateral (
      select max(a.seen_at) filter (where a.outcome is distinct from 'removed') as quiet_at,
        jsonb_agg(jsonb_build_object('id', a.id, 'op', left(a.operation_id::text, 8), 'kind', a.kind,
          'due', floor(extract(epoch from a.due_at))::bigint, 'note', a.note)
          order by a.due_at, a.id) filter (where a.finished_at is null) as next
      from portal.actions a where a.contact_id = t.id
    ) planned
    cross join lateral (
      select max(s.seen_at) filter (where s.state <> 'cancelled') as quiet_at,
        jsonb_agg(jsonb_build_object('id', s.id, 'op', left(s.operation_id::text, 8),
          'due', floor(extract(epoch from s.due_at))::bigint, 'silent', s.unless_answered)
          || case when s.state = 'answered' then '{"why": "answered"}'
            when s.reason is not null then jsonb_build_object('why', s.reason) else '{}' end
          order by s.due_at, s.id) filter (where s.state in ('waiting', 'asking', 'answered', 'refused')) as later
      from portal.scheduled_messages s where s.contact_id = t.id
    ) written
    cross join lateral (
      select jsonb_agg(d.one order by d.at, d.kind, d.id) as done
      from (
        select f.id, f.kind, f.at, jsonb_build_object('id', f.id, 'kind', f.kind, 'due', floor(extract(epoch from f.due_at))::bigint,
          'at', f.at, 'note', f.note) || case when f.is_missed then '{"missed": true}'::jsonb else '{}' end as one
        from (
          select a.id, a.kind, a.due_at, floor(extract(epoch from a.finished_at))::bigint as at, a.note, a.outcome = 'missed' as is_missed
          from portal.actions a where a.contact_id = t.id and a.outcome in ('done', 'missed')
          union all
          -- What a person sent at once, or a visit says of itself, was no task of the day.
          select s.id, 'text', s.due_at, floor(extract(epoch from s.changed_at))::bigint, '', false
          from portal.scheduled_messages s where s.contact_id = t.id and s.state = 'queued' and not s.at_once
        ) f
        where f.at >= portal.day_began() order by f.at desc, f.kind, f.id desc limit 20
      ) d
    ) finished
  ), changed as (
    update public.whatsapp_contacts c set quiet_at = carried.quiet_at, next = carried.next, later = carried.later, done = carried.done
    from carried, public.whatsapp_contacts before
    where c.id = carried.id and before.id = c.id
      and (c.quiet_at, c.next, c.later, c.done) is distinct from (carried.quiet_at, carried.next, carried.later, carried.done)
    returning c.id, before.quiet_at is distinct from c.quiet_at as is_quieted
  )
  select array_agg(w.id) into quieted from changed w where w.is_quieted;
  if quieted is not null then perform portal.carry(quieted); end if;
end $$;
comment on function portal.carry_plans(bigint[]) is
  'Writes on each lead its open actions and texts for later, what was done of them today, and up to when what it wrote was seen by whoever set them. Server only.';

create function portal.note_target() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_changes(array_agg(c."instanceName"), array_agg(c.id), true)
  from public.whatsapp_contacts c
  where c.waiting_since is not null
    and exists (select from portal.roleta_cases a where a.contact_id = c.id and a.roleta_id = new.id)
  having count(*) > 0;
  return null;
end $$;
comment on function portal.note_target() is 'Trigger: within how long a rotation''s leads are to be answered stands on each of them that waits.';
create trigger note_target after update of target_minutes on public.roletas
  for each row when (old.target_minutes is distinct from new.target_minutes) execute function portal.note_target();

-- What was done earlier today is of the day, too.
select portal.carry_plans(array_agg(distinct t.id)) from (
  select a.contact_id from portal.actions a where a.finished_at >= to_timestamp(portal.day_began())
  union all
  select s.contact_id from portal.scheduled_messages s where s.state = 'queued' and s.changed_at >= to_timestamp(portal.day_began())
) t (id) having count(*) > 0;
