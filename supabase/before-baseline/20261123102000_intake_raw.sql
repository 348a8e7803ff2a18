-- What a form or a machine sends is stored before it is read, and the lead is made from it afterwards: a sender waits for one
-- insert, and what was answered is never lost.

create table portal.intake_raw (
  id bigint generated always as identity primary key,
  key_id uuid not null references portal.intake_keys (id) on delete cascade,
  content_type text not null check (length(content_type) <= 200),
  repeat_key text check (length(repeat_key) <= 200),
  body text not null check (octet_length(body) <= 262144),
  attempts integer not null default 0,
  next_at timestamptz,
  received_at timestamptz not null,
  fault text
);
create index intake_raw_due on portal.intake_raw (next_at, id) where next_at is not null;
create index intake_raw_key on portal.intake_raw (key_id, received_at);
comment on table portal.intake_raw is
  'Bodies of intake of which no lead is made yet, and those that could not be read, for a person to look at. Gone with the lead that was made of them.';
comment on column portal.intake_raw.body is 'As it was sent, at most 64 kB; what is no text, as base64 (the content type then ends in ;base64).';
comment on column portal.intake_raw.repeat_key is 'The sender''s Idempotency-Key, for a body that names no id of its own.';
comment on column portal.intake_raw.next_at is 'When it is tried (again); a portal that tries it puts this ahead. Null: it could not be read.';
comment on column portal.intake_raw.fault is 'Why it could not be read, in words, or the code of what went wrong.';
comment on index portal.intake_raw_due is 'Serves what is to be made into leads.';
comment on index portal.intake_raw_key is 'Serves how many bodies of a key wait, and the rate of a minute.';
alter table portal.intake_raw enable row level security;
revoke all on portal.intake_raw from anon, authenticated, service_role;

create function portal.keep_intake(p_hash bytea, p_raw jsonb, p_now timestamptz, p_next_at timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys;
  recent record;
  kept bigint;
begin
  select * into k from portal.intake_keys i where i.hash = p_hash and i.kind = 'form' and i.revoked_at is null;
  if not found then return null; end if;
  -- Up to now: what a clock that ran ahead wrote holds nobody up.
  select count(*) as leads, min(at) as first_at into recent from (
    select i.received_at as at from portal.lead_intakes i
    where i.key_id = k.id and i.received_at > p_now - interval '1 minute' and i.received_at <= p_now
    union all
    select r.received_at from portal.intake_raw r
    where r.key_id = k.id and r.received_at > p_now - interval '1 minute' and r.received_at <= p_now
  ) minute;
  if recent.leads >= k.per_minute then
    return jsonb_build_object('waitSeconds',
      greatest(1, ceil(extract(epoch from recent.first_at + interval '1 minute' - p_now))));
  end if;
  insert into portal.intake_raw (key_id, content_type, repeat_key, body, next_at, received_at)
  values (k.id, p_raw ->> 'contentType', p_raw ->> 'repeatKey', p_raw ->> 'body', p_next_at, p_now)
  returning id into kept;
  return jsonb_build_object('id', kept, 'keyId', k.id, 'settings', k.settings, 'waitSeconds', 0);
end $$;
comment on function portal.keep_intake(bytea, jsonb, timestamptz, timestamptz) is
  'Stores what came in with a key before anything of it is read: {id, keyId, settings, waitSeconds}; null for an unknown or revoked key; only {waitSeconds} where the key brought in too many this minute. Server only.';

create function portal.take_raw(p_id bigint, p_lead jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  raw portal.intake_raw;
begin
  delete from portal.intake_raw r where r.id = p_id returning * into raw;
  -- Whoever was faster made the lead.
  if not found then return null; end if;
  return portal.take_lead(raw.key_id, p_lead, p_now);
end $$;
comment on function portal.take_raw(bigint, jsonb, timestamptz) is
  'Makes the lead of a stored body and lets the body go, both or neither: as portal.take_lead; null where another portal did. Server only.';

create function portal.set_raw_unread(p_id bigint, p_fault text, p_most integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  raw portal.intake_raw;
begin
  select * into raw from portal.intake_raw r where r.id = p_id for update;
  if not found then return false; end if;
  -- One after the other for a key, so that the bound holds.
  perform from portal.intake_keys k where k.id = raw.key_id for no key update;
  if (select count(*) from portal.intake_raw r where r.key_id = raw.key_id and r.next_at is null) >= p_most then
    delete from portal.intake_raw r where r.id = p_id;
    return false;
  end if;
  update portal.intake_raw r set next_at = null, fault = p_fault where r.id = p_id;
  return true;
end $$;
comment on function portal.set_raw_unread(bigint, text, integer) is
  'Keeps a body that no lead can be made of, for a person to look at. False, and it is gone, where its key has p_most of them already. Server only.';
revoke execute on function portal.keep_intake(bytea, jsonb, timestamptz, timestamptz), portal.take_raw(bigint, jsonb, timestamptz),
  portal.set_raw_unread(bigint, text, integer) from public, anon, authenticated, service_role;

create or replace function portal.intake_key(p_hash bytea, p_id uuid, p_now timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
as $$
  select jsonb_build_object('id', k.id, 'kind', k.kind, 'settings', k.settings, 'secrets', k.secrets,
    'waitSeconds', case when recent.leads >= k.per_minute
      then greatest(1, ceil(extract(epoch from recent.first_at + interval '1 minute' - p_now))) else 0 end)
  from portal.intake_keys k
  cross join lateral (
    select count(*) as leads, min(i.received_at) as first_at from portal.lead_intakes i
    where i.key_id = k.id and i.received_at > p_now - interval '1 minute' and i.received_at <= p_now
  ) recent
  where (k.hash = p_hash or k.id = p_id) and k.revoked_at is null
$$;

create or replace function portal.intake_key_list()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'kind', k.kind, 'name', k.name, 'settings', k.settings,
      'perMinute', k.per_minute, 'createdBy', k.created_by, 'createdAt', k.created_at, 'usedAt', (select max(i.received_at) from portal.lead_intakes i where i.key_id = k.id),
      'revokedAt', k.revoked_at,
      'leads', (select count(*) from portal.lead_intakes i where i.key_id = k.id),
      'waiting', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is not null)
        + (select count(*) from portal.intake_raw r where r.key_id = k.id and r.next_at is not null),
      'failed', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is null)
        + (select count(*) from portal.intake_raw r where r.key_id = k.id and r.next_at is null)
    ) order by k.revoked_at is not null, k.created_at desc, k.id), '[]')
    from portal.intake_keys k
  );
end $$;

create or replace function portal.forget_raw(p_before timestamp with time zone, p_most integer)
 RETURNS bigint
 LANGUAGE sql
 SET search_path TO ''
as $$
  with aside as (
    delete from portal.webhook_aside where id in (
      select a.id from portal.webhook_aside a where a.received_at < p_before order by a.id limit p_most)
    returning 1
  ), waiting as (
    delete from portal.waiting_events w where (w."instanceName", w.target, w.kind) in (
      select o."instanceName", o.target, o.kind from portal.waiting_events o
      where o.received_at < p_before order by o.received_at limit p_most)
    returning 1
  ), given_up as (
    -- One that is still tried stays, however old.
    delete from portal.meta_inbox m where m.next_at is null and (m.key_id, m.leadgen_id) in (
      select o.key_id, o.leadgen_id from portal.meta_inbox o
      where o.next_at is null and o.received_at < p_before order by o.received_at limit p_most)
    returning 1
  ), unread as (
    delete from portal.intake_raw r where r.id in (
      select o.id from portal.intake_raw o
      where o.next_at is null and o.received_at < p_before order by o.received_at, o.id limit p_most)
    returning 1
  ), words as (
    delete from portal.message_raw where message_id in (
      select r.message_id from portal.message_raw r join public.whatsapp_messages m on m.id = r.message_id
      where m."timestamp" < extract(epoch from p_before) order by r.message_id limit p_most)
    returning 1
  )
  select greatest((select count(*) from aside), (select count(*) from waiting), (select count(*) from given_up), (select count(*) from unread), (select count(*) from words))
$$;

create function portal.body_names(p_body text, s portal.subject) returns boolean
language sql immutable set search_path = '' as $$
  -- As people write numbers: with signs in between, with or without the country and the 9.
  select p_body ~ (s).pattern or exists (
    select from unnest((s).keys) as key
    where key ~ '^\+?55\d{10}$'
      and regexp_replace(p_body, '\D', '', 'g') ~ (substr(ltrim(key, '+'), 3, 2) || '9?' || right(key, 8)))
$$;
comment on function portal.body_names(text, portal.subject) is
  'Whether a body that was sent by a form names a person''s number, in whatever form it was written.';
revoke execute on function portal.body_names(text, portal.subject) from public, anon, authenticated, service_role;

create or replace function portal.held_rows(s portal.subject, p_place text, p_after bigint, p_limit integer)
 RETURNS TABLE(id bigint, at timestamp with time zone, data jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
as $$
  -- One place is asked for; the others are not begun. What is another person's is left out: who else a rotation weighed, and in a
  -- delivery that held several events, theirs.
  select found.id, found.at, found.data
  from (
    select p.id, p.created_at as at, jsonb_build_object('numberKey', p.number_key, 'optedOutAt', p.opted_out_at) as data
    from portal.people p where p_place = 'person' and p.id = any ((s).people)
    union all
    select row_number() over (order by i."instanceName", i.jid), i.first_seen_at, to_jsonb(i) - 'person_id'
    from portal.identities i where p_place = 'addresses' and i.person_id = any ((s).people)
    union all
    select c.id, c.created_at, to_jsonb(c) - 'person_id'
    from public.whatsapp_contacts c where p_place = 'leads' and c.id = any ((s).contacts)
    union all
    select m.id, to_timestamp(m."timestamp"), to_jsonb(m) || jsonb_build_object('raw', r.raw)
    from public.whatsapp_messages m left join portal.message_raw r on r.message_id = m.id
    where p_place = 'messages' and m.contact_id = any ((s).contacts)
    union all
    select h.id, h.changed_at, to_jsonb(h) - 'account_id'
    from portal.stage_history h where p_place = 'stages' and h.contact_id = any ((s).contacts)
    union all
    select h.id, h.changed_at, to_jsonb(h) - 'account_id'
    from portal.owner_history h where p_place = 'owners' and h.contact_id = any ((s).contacts)
    union all
    select i.id, i.received_at, to_jsonb(i) - 'key_id'
    from portal.lead_intakes i where p_place = 'intakes' and i.contact_id = any ((s).contacts)
    union all
    select e.id, e.at, jsonb_build_object('case', c.id, 'contact_id', c.contact_id, 'development', c.development, 'state', c.state,
      'kind', e.kind, 'instanceName', e."instanceName", 'changed_by', e.changed_by)
    from portal.roleta_cases c join portal.roleta_events e on e.case_id = c.id
    where p_place = 'distribution' and c.contact_id = any ((s).contacts)
    union all
    select r.id, coalesce(r.accepted_at, c.created_at), to_jsonb(r) - 'person_id'
    from public.campaign_recipients r join public.remarketing_campaigns c on c.id = r.campaign_id
    where p_place = 'campaigns' and r.person_id = any ((s).people)
    union all
    select a.id, a.created_at, to_jsonb(a) from public.agent_chat_messages a
    where p_place = 'agents' and (portal.number_key(a.remotejid) = any ((s).keys) or a.remotejid = any ((s).addresses))
    union all
    select row_number() over (order by p.agent_id), p.paused_at, to_jsonb(p) - 'person_id'
    from portal.agent_pauses p where p_place = 'pauses' and p.person_id = any ((s).people)
    union all
    select m.id, m.merged_at, jsonb_build_object('instanceName', m."instanceName", 'kept_before', m.kept_before,
      'gone_before', m.gone_before, 'jids', m.jids)
    from portal.contact_merges m
    where p_place = 'merges' and m.kept_person_id = any ((s).people) and m.gone_person_id = any ((s).people)
    union all
    select row_number() over (order by o.applied_at, o.operation_id), o.applied_at,
      jsonb_build_object('kind', o.kind, 'result', o.result)
    from portal.applied_operations o
    where p_place = 'operations' and o.kind in ('lead.note', 'lead.rename', 'message.send')
      and (o.result ->> 'contact_id')::bigint = any ((s).contacts || (s).former_contacts)
    union all
    select q.id, q.queued_at, jsonb_build_object('kind', q.kind, 'due_at', q.due_at)
    from portal.push_queue q
    where p_place = 'pushes' and (
      q.kind in ('lead', 'assigned', 'message') and q.subject = any ((s).contacts || (s).former_contacts)
      or q.kind = 'offer' and q.subject in (select c.id from portal.roleta_cases c where c.contact_id = any ((s).contacts)))
    union all
    select row_number() over (order by w.received_at, w.target), w.received_at, w.waited
    from portal.waiting_events w
    where p_place = 'waiting' and (w.target = any ((s).addresses) or w.waited::text ~ (s).pattern)
    union all
    select w.id, w.received_at, jsonb_build_object('reason', w.reason, 'events', portal.items_about(w.body, (s).pattern))
    from portal.webhook_aside w where p_place = 'aside' and w.body ~ (s).pattern
    union all
    -- Beyond the numbers of the others, so that one page follows the other.
    select 4503599627370496 + r.id, r.received_at, jsonb_build_object('reason', r.fault, 'body', r.body)
    from portal.intake_raw r where p_place = 'aside' and portal.body_names(r.body, s)
  ) found
  where found.id > p_after
  order by found.id
  limit p_limit
$$;

create or replace function portal.erase_person(p_number text, p_contact bigint, p_operation_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
as $$
declare
  account uuid := portal.account_id();
  answer jsonb;
  s portal.subject;
  every_contact bigint[];
  told portal.roleta_cases;
  counts jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(account, p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  s := portal.subject_of(p_number, p_contact);
  -- Whoever is writing about this person is waited for, and whoever comes after finds nobody.
  perform from portal.people p where p.id = any (s.people) order by p.id for update;
  s := portal.subject_of(p_number, p_contact);
  perform from public.whatsapp_contacts c where c.id = any (s.contacts) order by c.id for update;
  counts := portal.count_person(s);
  if counts ->> 'rows' = '0' then
    raise exception 'O portal não tem dados desta pessoa.' using errcode = 'PT404', hint = 'person.unknown';
  end if;
  perform from portal.outgoing o join public.whatsapp_messages m on m.id = o.message_id
  where m.contact_id = any (s.contacts) for update of o;
  if exists (
    select from portal.outgoing o join public.whatsapp_messages m on m.id = o.message_id
    where m.contact_id = any (s.contacts) and o.claimed_at is not null) then
    raise exception 'Uma mensagem para esta pessoa está sendo enviada agora. Tente de novo em instantes.'
      using errcode = 'PT409', hint = 'person.sending';
  end if;

  every_contact := s.contacts || s.former_contacts;
  for told in select c.* from portal.roleta_cases c
    where c.contact_id = any (s.contacts) and c.state in ('waiting', 'offered', 'watched', 'pool') loop
    perform portal.tell_case(told);
  end loop;
  perform portal.remember_erasure(s);
  counts := counts || jsonb_build_object('files', portal.note_media_of(s));
  perform portal.free_recipients(s);
  delete from portal.push_queue q
  where q.kind in ('lead', 'assigned', 'message') and q.subject = any (every_contact)
    or q.kind = 'offer' and q.subject in (select c.id from portal.roleta_cases c where c.contact_id = any (s.contacts));
  update portal.push_devices d set watched_contact = null, watched_until = null where d.watched_contact = any (every_contact);
  delete from portal.applied_operations o
  where o.kind in ('lead.note', 'lead.rename', 'message.send') and (o.result ->> 'contact_id')::bigint = any (every_contact);
  delete from public.agent_chat_messages a
  where portal.number_key(a.remotejid) = any (s.keys) or a.remotejid = any (s.addresses);
  delete from portal.waiting_events w
  where w.target = any (s.addresses) or w.waited::text ~ s.pattern
    or w.target in (select m.message_id from public.whatsapp_messages m where m.contact_id = any (s.contacts));
  delete from portal.webhook_aside w where w.body ~ s.pattern;
  delete from portal.intake_raw r where portal.body_names(r.body, s);
  delete from portal.meta_inbox m
  where m.leadgen_id in (select i.external_id from portal.lead_intakes i where i.contact_id = any (s.contacts));
  delete from portal.contact_merges m
  where m.kept_person_id = any (s.people) or m.gone_person_id = any (s.people)
    or m.kept_contact_id = any (every_contact) or m.gone_contact_id = any (every_contact);
  delete from public.whatsapp_contacts c where c.id = any (s.contacts);
  delete from portal.people p where p.id = any (s.people);

  perform portal.audit('person.erased', null, counts || jsonb_build_object('ending', portal.person_ending(s)));
  return portal.end_operation(account, p_operation_id, 'person.erase', counts);
end $$;


create or replace function portal.cap_waits(p_now timestamptz, p_longest_gap interval) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  capped integer := 0;
  changed integer;
  -- What the database dates by itself, and what the portal does: they may be two machines.
  here timestamptz := clock_timestamp();
begin
  -- The outbox to the gateway: held for up to five minutes after a fault, and leased for half a minute.
  update portal.send_queues
  set held_until = least(held_until, here + interval '5 minutes'), leased_until = least(leased_until, here + interval '1 minute')
  where held_until > here + interval '5 minutes' or leased_until > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.name_turns set held_until = here + interval '1 minute' where held_until > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.leftover_instances set noted_at = here where noted_at > here;
  get diagnostics changed = row_count; capped := capped + changed;
  -- Read back up to then, says a mark of the future, and nothing would be read back until then.
  update portal.instance_sweeps set claimed_at = least(claimed_at, here), read_until = least(read_until, p_now)
  where claimed_at > here or read_until > p_now;
  get diagnostics changed = row_count; capped := capped + changed;
  -- A gateway whose clock is a little ahead keeps its order; one that was far ahead is heard again.
  update portal.instance_states
  set changed_at = least(changed_at, here), dead_at = least(dead_at, here), qr_received_at = least(qr_received_at, here),
    state_at = least(state_at, here + interval '1 minute'), owner_at = least(owner_at, here + interval '1 minute'),
    qr_at = least(qr_at, here + interval '1 minute')
  where greatest(changed_at, dead_at, qr_received_at) > here
    or greatest(state_at, owner_at, qr_at) > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  -- What is written to an erased person's number from now on is new.
  update portal.erasures set erased_at = here where erased_at > here;
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.agent_pauses
  set paused_until = paused_until - (paused_at - here), paused_at = here where paused_at > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Pushes: as long after now as they were after they were queued; a device is left in peace for an hour at most.
  update portal.push_queue set due_at = due_at - (queued_at - p_now), queued_at = p_now
  where queued_at > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.push_queue set claimed_until = p_now + interval '1 minute' where claimed_until > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.push_devices
  set held_until = least(held_until, p_now + interval '1 hour'), watched_until = least(watched_until, p_now + interval '1 minute')
  where held_until > p_now + interval '1 hour' or watched_until > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Rotations: the time to answer or accept begins now; without anybody there it is looked again within minutes.
  update portal.roleta_cases set next_at = p_now + (next_at - since), since = p_now
  where since > p_now and next_at is not null;
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.roleta_cases set next_at = p_now + interval '5 minutes'
  where state = 'waiting' and next_at > p_now + interval '5 minutes';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.intake_raw set next_at = p_now + interval '10 minutes' where next_at > p_now + interval '10 minutes';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.meta_inbox set next_at = p_now + interval '1 hour' where next_at > p_now + interval '1 hour';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Campaigns: a gap is as long as gaps are; what waits for hours or for the day is looked at again, and waits if it must.
  update public.remarketing_campaigns
  set watched_since = least(watched_since, p_now),
    next_send_at = least(next_send_at, case when wait_reason is null then p_now + p_longest_gap
      when next_send_at > p_now + interval '2 days' then p_now else next_send_at end)
  where status in ('running', 'paused') and (watched_since > p_now
    or wait_reason is null and next_send_at > p_now + p_longest_gap
    or wait_reason is not null and next_send_at > p_now + interval '2 days');
  get diagnostics changed = row_count; capped := capped + changed;

  -- What opens something lasts no longer than it would have.
  update portal.sessions set expires_at = p_now + interval '30 days' where expires_at > p_now + interval '30 days';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.accounts
  set first_access_until = least(first_access_until, p_now + interval '24 hours'),
    invite_expires_at = least(invite_expires_at, p_now + interval '7 days')
  where first_access_until > p_now + interval '24 hours' or invite_expires_at > p_now + interval '7 days';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.throttle set trusted_until = p_now + interval '90 days' where trusted_until > p_now + interval '90 days';
  get diagnostics changed = row_count; return capped + changed;
end $$;

create or replace function portal.take_lead(p_key uuid, p_lead jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  person bigint;
  known portal.lead_intakes;
  contact public.whatsapp_contacts;
  opened bigint;
  asked text := portal.known_development(p_lead ->> 'development');
  told text := 'Mensagem do formulário: ' || (p_lead ->> 'message');
begin
  if exists (select from portal.erasures e where e.hash = portal.opt_out_hash('intake ' || (p_lead ->> 'externalId'))) then
    delete from portal.meta_inbox m where m.key_id = p_key and m.leadgen_id = p_lead ->> 'externalId';
    return jsonb_build_object('id', null, 'contactId', null, 'isRepeat', true);
  end if;
  person := portal.person_of(p_lead ->> 'number');
  -- Deliveries of one person go one after the other.
  perform from portal.people p where p.id = person for no key update;
  select * into known from portal.lead_intakes i where i.key_id = p_key and i.external_id = p_lead ->> 'externalId';
  contact := portal.contact_for_intake(person);
  if known.id is null and p_lead ->> 'externalId' is null then
    select * into known from portal.lead_intakes i
    where i.contact_id = contact.id and i.key_id is not distinct from p_key and i.received_at > p_now - interval '10 minutes'
      -- Not what a clock that ran ahead wrote.
      and i.received_at <= p_now + interval '10 minutes'
      and (i.development, i.campaign, i.message, i.fields)
        is not distinct from (asked, p_lead ->> 'campaign', p_lead ->> 'message', p_lead -> 'fields')
    order by i.id desc limit 1;
  end if;
  if known.id is not null then
    return jsonb_build_object('id', known.id, 'contactId', known.contact_id, 'isRepeat', true);
  end if;
  if contact.id is null then
    insert into public.whatsapp_contacts (person_id, name, number, source, campaign, empreendimento, notes)
    values (person, p_lead ->> 'name', p_lead ->> 'number', p_lead ->> 'source', p_lead ->> 'campaign',
      asked, told)
    returning * into contact;
  else
    update public.whatsapp_contacts c
    set name = coalesce(c.name, p_lead ->> 'name'), number = coalesce(c.number, p_lead ->> 'number'),
      campaign = coalesce(c.campaign, p_lead ->> 'campaign'),
      empreendimento = coalesce(c.empreendimento, asked),
      source = case when c.source in ('desconhecida', 'whatsapp') then p_lead ->> 'source' else c.source end,
      notes = case when told is null or position(told in c.notes) > 0 then c.notes
        else concat_ws(E'\n\n', nullif(btrim(c.notes), ''), told) end
    where c.id = contact.id;
    perform portal.push(contact."instanceName", 'assigned', 'lead-' || contact.id, contact.id, interval '1 second');
  end if;
  opened := portal.open_case(contact.id, asked, p_lead ->> 'source', p_now);
  insert into portal.lead_intakes (contact_id, case_id, key_id, external_id, name, number, source, campaign, development,
    message, fields, consent_at, consent_text, received_at)
  values (contact.id, opened, p_key, p_lead ->> 'externalId', p_lead ->> 'name', p_lead ->> 'number', p_lead ->> 'source',
    p_lead ->> 'campaign', asked, p_lead ->> 'message', coalesce(p_lead -> 'fields', '{}'),
    (p_lead ->> 'consentAt')::timestamptz, p_lead ->> 'consentText', p_now)
  returning * into known;
  delete from portal.meta_inbox m where m.key_id = p_key and m.leadgen_id = p_lead ->> 'externalId';
  return jsonb_build_object('id', known.id, 'contactId', contact.id, 'isRepeat', false);
end $$;
