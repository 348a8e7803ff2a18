-- Webhooks to other systems: their addresses, and the queue of events. A body has only ids and states, and the receiver
-- reads details by the API. So erased data never stay in the queue.

create table portal.hooks (
  id uuid primary key default gen_random_uuid(),
  name text not null check (btrim(name) <> '' and length(name) <= 80),
  url text not null check (length(url) <= 2000),
  events text[] not null check (cardinality(events) > 0),
  state text not null default 'active' check (state in ('active', 'paused', 'off')),
  reason text check (reason in ('failures', 'gone', 'untested')),
  secret text not null,
  secret_tail text not null,
  old_secret text,
  old_secret_until timestamptz,
  failures integer not null default 0,
  failed_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  created_by text not null default portal.actor(),
  check ((old_secret is null) = (old_secret_until is null)),
  check (state <> 'active' or reason is null)
);
comment on table portal.hooks is
  'Addresses of other systems that receive events. Administrators keep them, through the server only.';
comment on column portal.hooks.events is 'Which types of events it receives, see portal.event_out.type.';
comment on column portal.hooks.state is
  'active: events are sent. paused: sending stopped after too many failures; events wait until a person resumes it. off: a person turned it off, or the address answered that it is gone; no events are written for it.';
comment on column portal.hooks.reason is
  'Why the portal paused it or turned it off: failures, gone, or untested (a new address is off until it answers its first test). Null: a person did it.';
comment on column portal.hooks.secret is
  'The secret that signs the bodies, encrypted by the portal. secret_tail is its end, by which a person recognises it.';
comment on column portal.hooks.old_secret is
  'The previous secret, encrypted. It signs the bodies, too, until old_secret_until. Null: there is none.';
comment on column portal.hooks.failures is
  'How many attempts failed in a row. Those within one minute count once, so that a receiver may restart under load.';
alter table portal.hooks enable row level security;

create function portal.audit_hook() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.audit('webhook.added', new.name);
  elsif tg_op = 'DELETE' then
    perform portal.audit('webhook.removed', old.name);
  elsif new.secret <> old.secret then
    perform portal.audit('webhook.secret-changed', new.name);
  elsif new.state = 'active' and old.reason = 'untested' then
    perform portal.audit('webhook.tested', new.name);
  elsif new.state = 'active' then
    perform portal.audit('webhook.active', new.name);
  elsif new.state = 'paused' then
    perform portal.audit('webhook.paused', new.name);
  else
    perform portal.audit('webhook.off', new.name);
  end if;
  return null;
end $$;
comment on function portal.audit_hook() is
  'Trigger: an address was added, removed, turned on by its first test (tested), resumed (active), paused, turned off or given another secret.';
create trigger audit_hook_made after insert or delete on portal.hooks
  for each row execute function portal.audit_hook();
create trigger audit_hook_changed after update on portal.hooks
  for each row when (old.state <> new.state or old.secret <> new.secret) execute function portal.audit_hook();

create function portal.hook_tag(p_hook uuid) returns text
language sql immutable set search_path = '' as $$
  -- Push tags have a maximum length. The first 24 of the 32 hexadecimal digits identify an address just as well.
  select 'hook-' || left(replace(p_hook::text, '-', ''), 24)
$$;
comment on function portal.hook_tag(uuid) is
  'The push tag of a webhook address: a newer push about the address being disabled replaces an older one of the same tag. Server only.';

create function portal.push_hook() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push_administrators('webhook', portal.hook_tag(new.id), null);
  return null;
end $$;
comment on function portal.push_hook() is
  'Trigger: push for administrators when the portal paused an address after too many failures, or the address answered that it is gone.';
create trigger push_hook after update of state on portal.hooks
  for each row when (old.state = 'active' and new.reason is not null) execute function portal.push_hook();

create table portal.event_out (
  id bigint generated always as identity primary key,
  hook_id uuid not null references portal.hooks on delete cascade,
  message_id uuid not null default gen_random_uuid(),
  type text not null,
  contact_id bigint,
  data jsonb not null,
  happened_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'skipped')),
  due_at timestamptz not null default now(),
  tries integer not null default 0,
  claimed_by uuid,
  leased_until timestamptz,
  status integer,
  fault text,
  took_ms integer,
  tried_at timestamptz,
  check ((claimed_by is null) = (leased_until is null))
);
comment on table portal.event_out is
  'One row for each event and address, written in the transaction of the change. Events of one lead are sent in the order of their ids. Server only.';
comment on column portal.event_out.message_id is
  'The header webhook-id, equal in every attempt and replay. By it a receiver recognises repeats.';
comment on column portal.event_out.contact_id is
  'The lead, which may be deleted by now. Null: the event belongs to no lead, and is sent in any order.';
comment on column portal.event_out.data is 'The ids and states of the event, never names, numbers or texts.';
comment on column portal.event_out.status is 'The last HTTP status that the address answered. Null: none.';
comment on column portal.event_out.fault is
  'Why the last attempt failed: a code of server/events/post.ts, or ''status''. Null: it did not fail.';
create index event_out_order on portal.event_out (hook_id, contact_id, id) where state = 'waiting';
comment on index portal.event_out_order is 'Serves the check whether an earlier event of the lead still waits.';
create index event_out_due on portal.event_out (hook_id, due_at, id) where state = 'waiting';
comment on index portal.event_out_due is
  'Serves finding the due events of an address; events of a paused one are not read.';
create index event_out_leased on portal.event_out (leased_until) where leased_until is not null;
comment on index portal.event_out_leased is 'Serves finding leases that have ended.';
create index event_out_hook on portal.event_out (hook_id, id desc);
comment on index portal.event_out_hook is 'Serves listing the events of an address, and its removal.';
create index event_out_happened on portal.event_out (happened_at) where state <> 'waiting';
comment on index portal.event_out_happened is 'Serves deleting old rows.';
alter table portal.event_out enable row level security;

create function portal.emit(p_type text, p_contact bigint, p_data jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- A contact that comes back, because a private mark or a merge was undone, was announced before.
  if current_setting('portal.restoring', true) = 'on' then return; end if;
  insert into portal.event_out (hook_id, type, contact_id, data)
  select h.id, p_type, p_contact, p_data from portal.hooks h
  where h.state <> 'off' and p_type = any (h.events) order by h.id;
  if found then perform portal.notify_channel('events_out', ''); end if;
end $$;
comment on function portal.emit(text, bigint, jsonb) is
  'Writes an event for every address that wants its type, in this transaction. Writes nothing if there is no such address. Server only.';


-- Triggers on the tables whose changes are events. Postgres fires triggers in the order of their names, so those named
-- write_event run after the others. The lead is then locked, and the ids of events follow the order of commits.

create function portal.emit_created() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- An import publishes one event, at its end.
  if current_setting('portal.importing', true) = 'on' then return null; end if;
  perform portal.emit('lead.created', n.id, jsonb_build_object(
    'leadId', n.id, 'instanceName', n."instanceName", 'stage', n.status))
  from new_rows n where exists (select from portal.hooks) order by n.id;
  return null;
end $$;
comment on function portal.emit_created() is
  'Trigger: event for new leads; not for those of an import (portal.importing).';
create trigger write_event_created after insert on public.whatsapp_contacts
  referencing new table as new_rows for each statement execute function portal.emit_created();

create function portal.emit_assigned() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.emit('lead.assigned', new.contact_id, jsonb_build_object(
    'leadId', new.contact_id, 'from', new.from_instance, 'instanceName', new.to_instance));
  return null;
end $$;
comment on function portal.emit_assigned() is 'Trigger: event for a new owner of a lead.';
create trigger write_event_assigned after insert on portal.owner_history
  for each row execute function portal.emit_assigned();

create function portal.emit_offer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.emit(case new.kind when 'offered' then 'lead.offered' else 'lead.accepted' end, k.contact_id,
    jsonb_build_object('leadId', k.contact_id, 'rotationId', new.roleta_id, 'instanceName', new."instanceName"))
  from portal.roleta_cases k where k.id = new.case_id;
  return null;
end $$;
comment on function portal.emit_offer() is 'Trigger: event for a lead that was offered to a broker, or accepted.';
create trigger write_event_offer after insert on portal.roleta_events
  for each row when (new.kind in ('offered', 'accepted', 'claimed')) execute function portal.emit_offer();

create function portal.emit_answered() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.emit('lead.answered', new.id, jsonb_build_object('leadId', new.id, 'instanceName', new."instanceName"));
  return null;
end $$;
comment on function portal.emit_answered() is 'Trigger: event for the first answer of a person to a lead.';
create trigger write_event_answered after update on public.whatsapp_contacts
  for each row when (old.first_response_at is null and old.first_contacted_at is null
    and (new.first_response_at is not null or new.first_contacted_at is not null))
  execute function portal.emit_answered();

create function portal.emit_moved() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  payload jsonb;
begin
  if not exists (select from portal.hooks) then return null; end if;
  payload := jsonb_build_object('leadId', new.contact_id, 'from', new.from_status, 'to', new.to_status);
  perform portal.emit('lead.moved', new.contact_id, payload);
  perform portal.emit('lead.' || s.kind, new.contact_id, payload)
  from public.kanban_stages s where s.slug = new.to_status and s.kind in ('won', 'lost');
  return null;
end $$;
comment on function portal.emit_moved() is
  'Trigger: event for a lead that moved to another stage, also for won and lost.';
create trigger write_event_moved after insert on portal.stage_history
  for each row when (new.from_status is not null) execute function portal.emit_moved();

create function portal.emit_opted_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.emit('lead.opted_out', c.id, jsonb_build_object('leadId', c.id))
  from public.whatsapp_contacts c where c.person_id = new.id order by c.id;
  return null;
end $$;
comment on function portal.emit_opted_out() is 'Trigger: event for an opt-out, one for each lead of the person.';
create trigger write_event_opted_out after update of opted_out_at on portal.people
  for each row when (old.opted_out_at is null and new.opted_out_at is not null) execute function portal.emit_opted_out();

create function portal.emit_messages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- History that a newly linked phone brings causes no events.
  if current_setting('portal.history', true) = 'on' then return null; end if;
  perform portal.emit(case m.type when 'incoming' then 'message.received' else 'message.sent' end, m.contact_id,
    jsonb_build_object('leadId', m.contact_id, 'messageId', m.id, 'kind', m.kind, 'author',
      case m.type when 'incoming' then 'lead' else m.author end))
  from new_rows m
  where exists (select from portal.hooks) and (m.type = 'incoming' or m.delivery in ('sent', 'delivered', 'read'))
  order by m.id;
  return null;
end $$;
comment on function portal.emit_messages() is
  'Trigger: event for a lead''s message, and for an outgoing message that was sent elsewhere.';
create trigger write_event_messages after insert on public.whatsapp_messages
  referencing new table as new_rows for each statement execute function portal.emit_messages();

create function portal.emit_sent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.emit('message.sent', new.contact_id, jsonb_build_object(
    'leadId', new.contact_id, 'messageId', new.id, 'kind', new.kind, 'author', new.author));
  return null;
end $$;
comment on function portal.emit_sent() is 'Trigger: event for a message that the gateway accepted.';
create trigger write_event_sent after update of delivery on public.whatsapp_messages
  for each row when (old.delivery in ('queued', 'unknown', 'failed') and new.delivery in ('sent', 'delivered', 'read'))
  execute function portal.emit_sent();

create function portal.emit_link_lost() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.emit('broker.link_lost', null, jsonb_build_object('instanceName', new."instanceName", 'state', new.state));
  return null;
end $$;
comment on function portal.emit_link_lost() is 'Trigger: event for a lost WhatsApp link of a broker.';
create trigger write_event_link_lost after update on portal.instance_states
  for each row when (
    old.state = 'open' and old.dead_at is null and (new.state <> 'open' or new.dead_at is not null))
  execute function portal.emit_link_lost();

create function portal.emit_campaign() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.emit('campaign.finished', null, jsonb_build_object(
    'campaignId', new.id, 'brokerId', new.broker_id, 'status', new.status));
  return null;
end $$;
comment on function portal.emit_campaign() is
  'Trigger: event for the end of a campaign: completed, stopped or in error.';
create trigger write_event_campaign after update of status on public.remarketing_campaigns
  for each row when (old.status <> new.status and new.status in ('completed', 'stopped', 'error'))
  execute function portal.emit_campaign();


-- How events are delivered: a portal claims one with a lease, tries to send it, and settles it.

create function portal.claim_events(p_claimer uuid, p_now timestamptz, p_lease_seconds integer, p_most integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  claimed jsonb;
  next_at timestamptz;
begin
  with due as (
    select next.id from portal.hooks h
    cross join lateral (
      select e.id, e.due_at from portal.event_out e
      where e.hook_id = h.id and e.state = 'waiting' and e.due_at <= p_now and coalesce(e.leased_until <= p_now, true)
        -- Scalar subqueries, here and below: without statistics, Postgres would join, and read all waiting events for
        -- each due one.
        and (e.contact_id is null or e.id = (
          select min(first.id) from portal.event_out first
          where first.hook_id = e.hook_id and first.contact_id = e.contact_id and first.state = 'waiting'))
      order by e.due_at, e.id limit p_most for update of e skip locked) next
    where h.state = 'active'
    order by next.due_at, next.id limit p_most
  ), mine as (
    update portal.event_out e
    set claimed_by = p_claimer, leased_until = p_now + make_interval(secs => p_lease_seconds)
    from due where e.id = due.id
    returning e.*
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'messageId', m.message_id, 'hookId', m.hook_id, 'type', m.type,
    'data', m.data, 'happenedAt', to_char(m.happened_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'tries', m.tries,
    'url', h.url, 'secret', h.secret, 'oldSecret', case when h.old_secret_until > p_now then h.old_secret end) order by m.id), '[]')
  into claimed from mine m join portal.hooks h on h.id = m.hook_id;
  select least(min(next.due_at), (
    select min(e.leased_until) from portal.event_out e
    where e.leased_until > p_now and e.state = 'waiting'
      and (select h.state from portal.hooks h where h.id = e.hook_id) = 'active'))
  into next_at
  from portal.hooks h
  cross join lateral (
    select e.due_at from portal.event_out e
    where e.hook_id = h.id and e.state = 'waiting' and e.due_at > p_now order by e.due_at limit 1) next
  where h.state = 'active';
  return jsonb_build_object('events', claimed, 'nextAt', next_at);
end $$;
comment on function portal.claim_events(uuid, timestamptz, integer, integer) is
  'Claims due events, never before an earlier event of the same lead: {events, nextAt: when the next is due}. An expired lease frees them. Server only.';

create function portal.settle_event(
  p_id bigint, p_claimer uuid, p_now timestamptz, p_status integer, p_fault text, p_took_ms integer) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  hook uuid;
  is_taken constant boolean := p_fault is null;
begin
  update portal.event_out e set
    tries = e.tries + 1,
    claimed_by = null,
    leased_until = null,
    state = case when is_taken then 'delivered' else e.state end,
    due_at = case when is_taken then e.due_at
      else p_now + least(interval '24 hours', interval '1 minute' * power(2, least(e.tries, 11))) end,
    status = p_status,
    fault = p_fault,
    took_ms = p_took_ms,
    tried_at = p_now
  where e.id = p_id and e.claimed_by = p_claimer and e.state = 'waiting'
  returning e.hook_id into hook;
  if hook is null then return 'lost'; end if;
  if is_taken then
    update portal.hooks h set failures = 0, failed_at = null, delivered_at = p_now where h.id = hook;
    return 'delivered';
  end if;
  update portal.hooks h set
    failures = h.failures + 1,
    failed_at = p_now,
    state = case when p_status = 410 then 'off' when h.failures >= 19 then 'paused' else h.state end,
    reason = case when p_status = 410 then 'gone' when h.failures >= 19 then 'failures' else h.reason end
  where h.id = hook and h.state = 'active'
    and (p_status = 410 or coalesce(h.failed_at <= p_now - interval '1 minute', true));
  return (select case h.state when 'active' then 'later' else h.reason end from portal.hooks h where h.id = hook);
end $$;
comment on function portal.settle_event(bigint, uuid, timestamptz, integer, text, integer) is
  'Settles an attempt. Returns delivered, later (retried after a minute, each time twice as late, at most after a day), failures (20 failed in a row, so the address is paused), gone (it answered 410, so it is turned off), or lost (another portal has claimed the event). Server only.';

create function portal.replay_events(p_hook uuid, p_from timestamptz, p_to timestamptz, p_id bigint) returns bigint
language sql volatile security definer set search_path = '' as $$
  with again as (
    update portal.event_out e set state = 'waiting', due_at = now(), tries = 0
    where e.hook_id = p_hook and e.claimed_by is null
      and case when p_id is null then e.happened_at >= p_from and e.happened_at < p_to else e.id = p_id end
    returning 1
  ), notified as (select portal.notify_channel('events_out', '') from again limit 1)
  select count(*) from again where (select count(*) from notified) >= 0
$$;
comment on function portal.replay_events(uuid, timestamptz, timestamptz, bigint) is
  'Sends one event of an address again, or those that happened in [from, to), under the same ids; returns how many. Server only.';

create function portal.forget_events(p_before timestamptz, p_most integer) returns bigint
language sql volatile set search_path = '' as $$
  with gone as (
    delete from portal.event_out where id in (
      select e.id from portal.event_out e where e.happened_at < p_before and e.state <> 'waiting' order by e.happened_at limit p_most)
    returning 1
  )
  select count(*) from gone
$$;
comment on function portal.forget_events(timestamptz, integer) is
  'Deletes the oldest settled events from before p_before, at most p_most; returns how many. Server only.';
