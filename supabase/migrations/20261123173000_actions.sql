-- Since when a lead waits for us, and what is to be done next for it, on the lead itself.

alter table public.whatsapp_contacts
  add column waiting_since timestamptz,
  add column quiet_at timestamptz,
  add column next jsonb;
comment on column public.whatsapp_contacts.waiting_since is
  'When the lead first wrote or arrived after our last message that did not fail and after quiet_at; null while nobody waits for us. What the board shows; figures have clocks of their own.';
comment on column public.whatsapp_contacts.quiet_at is
  'Up to when what the lead wrote was seen by whoever set a next action or said that no answer is needed.';
comment on column public.whatsapp_contacts.next is
  'The open actions of portal.actions, the one due first in front: [{id, kind, due (epoch seconds), note}]; null without one.';
alter table portal.contact_merges add column action_ids bigint[] not null default '{}';

create or replace function portal.carry(contacts bigint[]) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  -- One order for all writers, and after the wait a snapshot that has what the one before wrote.
  perform from public.whatsapp_contacts c where c.id = any (contacts) order by c.id for no key update;
  update public.whatsapp_contacts c
  set
    last_message_id = newest.id,
    last_message_body = newest.body,
    last_message_timestamp = newest."timestamp",
    last_message_type = newest.type,
    last_message_kind = newest.kind,
    last_message_delivery = newest.delivery,
    unread_count = unread.count,
    first_incoming_at = to_timestamp(incoming."timestamp"),
    first_response_at = to_timestamp(response."timestamp"),
    first_contacted_at = to_timestamp(contacted."timestamp"),
    waiting_since = waiting.since
  from unnest(contacts) as touched (id)
  join public.whatsapp_contacts known on known.id = touched.id
  left join lateral (
    select m.id, left(m.body, 300) as body, m."timestamp", m.type, m.kind, m.delivery
    from public.whatsapp_messages m where m.contact_id = touched.id
    order by m."timestamp" desc, m.id desc limit 1
  ) newest on true
  cross join lateral (
    select count(*)::integer from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'incoming' and not m.read
  ) unread (count)
  left join lateral (
    select m."timestamp", m.id from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'incoming'
    order by m."timestamp", m.id limit 1
  ) incoming on true
  left join lateral (
    select m."timestamp" from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
      and m."timestamp" >= incoming."timestamp" and (m."timestamp" > incoming."timestamp" or m.id > incoming.id)
    order by m."timestamp", m.id limit 1
  ) response on true
  left join lateral (
    select min(m."timestamp") as "timestamp" from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
      and m."timestamp" >= floor(extract(epoch from known.left_contact_at))
      and known.left_contact_at is not null
  ) contacted on true
  left join lateral (
    select m."timestamp", m.id from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'outgoing' and m.delivery <> 'failed'
    order by m."timestamp" desc, m.id desc limit 1
  ) answered on true
  cross join lateral (
    select least(
      (select to_timestamp(min(m."timestamp")) from public.whatsapp_messages m
        where m.contact_id = touched.id and m.type = 'incoming'
          and (m."timestamp", m.id) > (coalesce(answered."timestamp", 0), coalesce(answered.id, 0))
          and to_timestamp(m."timestamp") > coalesce(known.quiet_at, '-infinity')),
      (select min(i.received_at) from portal.lead_intakes i
        where i.contact_id = touched.id and i.received_at > coalesce(known.quiet_at, '-infinity')
          and i.received_at > to_timestamp(coalesce(answered."timestamp", 0))))
  ) waiting (since)
  where c.id = touched.id
    and (c.last_message_id, c.last_message_body, c.last_message_timestamp, c.last_message_type, c.last_message_kind,
        c.last_message_delivery, c.unread_count, c.first_incoming_at, c.first_response_at, c.first_contacted_at, c.waiting_since)
      is distinct from (newest.id, newest.body, newest."timestamp", newest.type, newest.kind,
        newest.delivery, unread.count, to_timestamp(incoming."timestamp"), to_timestamp(response."timestamp"), to_timestamp(contacted."timestamp"),
        waiting.since);
end $$;
comment on function portal.carry(bigint[]) is
  'Writes on each contact what its messages say: the newest one, the unread count, the first incoming and the first human answer to it, and since when the lead waits for us. For the triggers, and after a bulk load without them.';

create or replace function portal.board_leads(p_board text, p_contacts bigint[]) returns json
language plpgsql stable set search_path = '' as $$
declare
  -- What stands on every lead of a board is looked up once.
  broker_number text := (select b.broker_number from public.brokers b where b."instanceName" = p_board);
begin
  return (
    select coalesce(json_agg(lead), '[]')
    from (
      select
        c.id, c.name, c.number, c.notes, c.status, c.unread_count,
        date_trunc('second', c.created_at) as created_at,
        date_trunc('second', c.updated_at) as updated_at,
        case when c.last_message_id is not null then json_build_object(
          'body', c.last_message_body,
          'timestamp', c.last_message_timestamp,
          'type', c.last_message_type,
          'kind', c.last_message_kind,
          'delivery', c.last_message_delivery
        ) end as last_message,
        -- Mostly the same as the message's, and so next to it.
        floor(extract(epoch from c.waiting_since))::bigint as waiting_since,
        -- Mostly the same on neighbours, and side by side so that it costs next to nothing compressed.
        c.remarketing_sent_at,
        c.person_id in (select p.id from portal.people p where p.opted_out_at is not null) as opted_out,
        c.next, c.source, c.empreendimento,
        c.profile_pic_url, broker_number, p_board as "instanceName"
      from (
        select o.* from public.whatsapp_contacts o
        where o."instanceName" = p_board and (p_contacts is null or o.id = any (p_contacts))
        -- Not even begun for a broker's board.
        union all
        select o.* from public.whatsapp_contacts o where p_board = '' and o."instanceName" is null
      ) c
    ) lead
  );
end $$;
comment on function portal.board_leads(text, bigint[]) is
  'Leads of a board as sync_board shows them: the named ones, or all of them with null; of the board '''' always all.';

create table portal.actions (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  kind text not null check (kind in ('call', 'message', 'visit', 'task', 'none')),
  due_at timestamptz not null,
  note text not null default '' check (length(note) <= 200),
  seen_at timestamptz not null,
  account_id uuid,
  operation_id uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  outcome text check (outcome in ('done', 'removed', 'not_needed')),
  check ((finished_at is null) = (outcome is null))
);
comment on table portal.actions is
  'Next actions of leads, the finished ones too. They stay with the lead when it is handed over or joined to another. Written by action_save, action_finish and action_snooze; read on the lead.';
comment on column portal.actions.kind is 'none: nothing to do, whoever read it says that no answer is needed; finished as it is made.';
comment on column portal.actions.seen_at is
  'Up to when what the lead wrote had been seen by whoever set it: what came later still waits.';
comment on column portal.actions.operation_id is 'The operation that set it, by which its device names it until it knows the id.';
comment on column portal.actions.outcome is 'done, removed (as if it had never been set), or not_needed; null while it is open.';
create unique index actions_operation on portal.actions (account_id, operation_id);
comment on index portal.actions_operation is 'Serves an action that its device knows by its operation alone.';
create index actions_contact on portal.actions (contact_id, due_at, id);
comment on index portal.actions_contact is 'Serves what a lead carries of its actions, and their removal with it.';
alter table portal.actions enable row level security;

create function portal.carry_actions() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched bigint[];
  quieted bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct n.contact_id) into touched from new_rows n;
  else
    select array_agg(distinct t.id) into touched
    from (select o.contact_id as id from old_rows o union select n.contact_id from new_rows n) t;
  end if;
  if touched is null then return null; end if;
  -- In the order of all who write leads; after the wait a snapshot that has what the one before wrote.
  perform from public.whatsapp_contacts c where c.id = any (touched) order by c.id for no key update;
  with carried as (
    select t.id,
      max(a.seen_at) filter (where a.outcome is distinct from 'removed') as quiet_at,
      jsonb_agg(jsonb_build_object('id', a.id, 'kind', a.kind, 'due', floor(extract(epoch from a.due_at))::bigint, 'note', a.note)
        order by a.due_at, a.id) filter (where a.finished_at is null) as next
    from unnest(touched) as t (id) left join portal.actions a on a.contact_id = t.id
    group by t.id
  ), written as (
    update public.whatsapp_contacts c set quiet_at = carried.quiet_at, next = carried.next
    from carried, public.whatsapp_contacts before
    where c.id = carried.id and before.id = c.id
      and (c.quiet_at, c.next) is distinct from (carried.quiet_at, carried.next)
    returning c.id, before.quiet_at is distinct from c.quiet_at as is_quieted
  )
  select array_agg(w.id) into quieted from written w where w.is_quieted;
  if quieted is not null then perform portal.carry(quieted); end if;
  return null;
end $$;
comment on function portal.carry_actions() is
  'Trigger: a lead carries its open actions, and what was seen when they were set no longer waits.';
create trigger carry_new_actions after insert on portal.actions
  referencing new table as new_rows for each statement execute function portal.carry_actions();
create trigger carry_changed_actions after update on portal.actions
  referencing old table as old_rows new table as new_rows for each statement execute function portal.carry_actions();

create function portal.list_merged_actions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.action_ids := array(select a.id from portal.actions a where a.contact_id = new.gone_contact_id);
  return new;
end $$;
comment on function portal.list_merged_actions() is 'Trigger: a merge keeps which actions came with the contact that goes.';
create trigger list_merged_actions before insert on portal.contact_merges
  for each row execute function portal.list_merged_actions();

create function portal.move_actions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.actions a
  set contact_id = case when new.undone_at is null then new.kept_contact_id else new.gone_contact_id end
  where a.id = any (new.action_ids);
  return null;
end $$;
comment on function portal.move_actions() is
  'Trigger: a lead that becomes one with another takes along what is to be done for it, and back when the two are parted.';
create trigger move_actions after insert or update of undone_at on portal.contact_merges
  for each row execute function portal.move_actions();

create function portal.action_answer(p_code text, p_action bigint default null) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('saved', 'already'),
    'code', p_code,
    'message', case p_code when 'unknown_lead' then 'Lead não encontrado.' end,
    'action_id', p_action)
$$;
comment on function portal.action_answer(text, bigint) is
  'The answer to a next action that was set, put off or finished: saved, already or unknown_lead, and which action it was.';

create function portal.lock_lead(p_lead bigint) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  perform from public.whatsapp_contacts c where c.id = p_lead for no key update;
  return found;
end $$;
comment on function portal.lock_lead(bigint) is 'Whether a lead is there; from then on nobody else writes it in this transaction. Server only.';

create function portal.open_action(p_lead bigint, p_action bigint, p_account uuid, p_action_operation uuid) returns bigint
language sql stable set search_path = '' as $$
  select a.id from portal.actions a
  where a.contact_id = p_lead and a.finished_at is null
    and (a.id = p_action or (a.account_id = p_account and a.operation_id = p_action_operation))
  order by a.id limit 1
$$;
comment on function portal.open_action(bigint, bigint, uuid, uuid) is
  'An open action of a lead by its id, or by the operation by which this account set it; null when it is finished or there is none. Server only.';

create function public.action_save(
  p_contact_id bigint, p_kind text, p_due_at timestamptz, p_note text default '', p_seen_at timestamptz default null,
  p_action_id bigint default null, p_action_operation uuid default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  action bigint;
begin
  if answer is not null then return answer; end if;
  if p_kind is null or p_kind not in ('call', 'message', 'visit', 'task') then
    raise exception 'Escolha ligar, mensagem, visita ou tarefa.' using errcode = 'PT422';
  end if;
  if p_due_at is null or p_due_at not between now() - interval '1 year' and now() + interval '2 years' then
    raise exception 'Escolha um dia nos próximos dois anos.' using errcode = 'PT422';
  end if;
  if length(btrim(p_note)) > 200 then
    raise exception 'A anotação do próximo passo pode ter até 200 caracteres.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if not portal.lock_lead(lead) then
    return portal.end_operation(account, p_operation_id, 'action.save', portal.action_answer('unknown_lead'));
  end if;
  -- Finished elsewhere meanwhile, it is still to be done by whoever sets it anew.
  action := portal.open_action(lead, p_action_id, account, p_action_operation);
  if action is null then
    insert into portal.actions (contact_id, kind, due_at, note, seen_at, account_id, operation_id)
    values (lead, p_kind, p_due_at, coalesce(btrim(p_note), ''), least(coalesce(p_seen_at, now()), now()), account, p_operation_id)
    returning id into action;
  else
    update portal.actions
    set kind = p_kind, due_at = p_due_at, note = coalesce(btrim(p_note), ''),
      seen_at = greatest(seen_at, least(coalesce(p_seen_at, now()), now()))
    where id = action;
  end if;
  return portal.end_operation(account, p_operation_id, 'action.save', portal.action_answer('saved', action));
end $$;
comment on function public.action_save(bigint, text, timestamptz, text, timestamptz, bigint, uuid, uuid, text, text) is
  'Sets what is to be done next for a lead: p_kind call, message, visit or task, at p_due_at. p_seen_at: up to when what the lead wrote had been seen (null: now); what came later still waits. p_action_id, or p_action_operation while only the operation is known: the open action that it takes the place of; one that was finished meanwhile stays finished, and this is a new one. A broker for the own leads, an administrator for all. The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, action_id}, code saved or unknown_lead. 401 once the session has ended; 422 for another kind, a day out of reach or a note of more than 200 characters.';
grant execute on function public.action_save(bigint, text, timestamptz, text, timestamptz, bigint, uuid, uuid, text, text) to authenticated, service_role;

create function public.action_finish(
  p_contact_id bigint, p_outcome text, p_action_id bigint default null, p_action_operation uuid default null,
  p_seen_at timestamptz default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  action bigint;
  code text := 'already';
begin
  if answer is not null then return answer; end if;
  if p_outcome is null or p_outcome not in ('done', 'removed', 'not_needed') then
    raise exception 'Diga como terminou.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if not portal.lock_lead(lead) then
    code := 'unknown_lead';
  elsif p_outcome = 'not_needed' then
    insert into portal.actions (contact_id, kind, due_at, seen_at, account_id, operation_id, finished_at, outcome)
    values (lead, 'none', now(), least(coalesce(p_seen_at, now()), now()), account, p_operation_id, now(), 'not_needed')
    returning id into action;
    code := 'saved';
  else
    action := portal.open_action(lead, p_action_id, account, p_action_operation);
    if action is not null then
      update portal.actions set finished_at = now(), outcome = p_outcome where id = action;
      code := 'saved';
    end if;
  end if;
  return portal.end_operation(account, p_operation_id, 'action.finish', portal.action_answer(code, action));
end $$;
comment on function public.action_finish(bigint, text, bigint, uuid, timestamptz, uuid, text, text) is
  'Finishes an open action of a lead with p_outcome done or removed (as if it had never been set: who waited before waits again); already where somebody finished it before, also from another device. not_needed names no action: what the lead wrote up to p_seen_at needs no answer. Who may, how lead and action are named, p_operation_id and the answer are those of action_save. 422 for another outcome.';
grant execute on function public.action_finish(bigint, text, bigint, uuid, timestamptz, uuid, text, text) to authenticated, service_role;

create function public.action_snooze(
  p_contact_id bigint, p_due_at timestamptz, p_action_id bigint default null, p_action_operation uuid default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  action bigint;
  code text := 'already';
begin
  if answer is not null then return answer; end if;
  if p_due_at is null or p_due_at not between now() - interval '1 year' and now() + interval '2 years' then
    raise exception 'Escolha um dia nos próximos dois anos.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if not portal.lock_lead(lead) then
    code := 'unknown_lead';
  else
    action := portal.open_action(lead, p_action_id, account, p_action_operation);
    if action is not null then
      update portal.actions set due_at = p_due_at where id = action;
      code := 'saved';
    end if;
  end if;
  return portal.end_operation(account, p_operation_id, 'action.snooze', portal.action_answer(code, action));
end $$;
comment on function public.action_snooze(bigint, timestamptz, bigint, uuid, uuid, text, text) is
  'Puts an open action of a lead off to p_due_at; already, and nothing changes, where it was finished before. Who may, how lead and action are named, p_operation_id and the answer are those of action_save. 422 for a day out of reach.';
grant execute on function public.action_snooze(bigint, timestamptz, bigint, uuid, uuid, text, text) to authenticated, service_role;

create or replace function portal.held_rows(s portal.subject, p_place text, p_after bigint, p_limit integer) returns table (id bigint, at timestamp with time zone, data jsonb)
language sql stable security definer set search_path = '' as $$
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
    select a.id, a.created_at, to_jsonb(a) - 'account_id'
    from portal.actions a where p_place = 'actions' and a.contact_id = any ((s).contacts)
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
comment on function portal.held_rows(portal.subject, text, bigint, integer) is
  'What one place of portal.held_places holds about a person, by its own id after p_after. Server only.';

create or replace function portal.held_places() returns text[]
language sql immutable set search_path = '' as $$
  select array['person', 'addresses', 'leads', 'messages', 'stages', 'actions', 'owners', 'intakes', 'distribution', 'campaigns', 'agents',
    'pauses', 'merges', 'operations', 'pushes', 'waiting', 'aside']
$$;
comment on function portal.held_places() is 'Where something of a person can stand, as src/domain/person-data.ts names it. Server only.';

create or replace function portal.note_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.whatsapp_contacts c
  set left_contact_at = (select min(i.received_at) from portal.lead_intakes i where i.contact_id = c.id)
  where c.id in (new.contact_id, case when tg_op = 'UPDATE' then old.contact_id end)
    and c.left_contact_at is distinct from (select min(i.received_at) from portal.lead_intakes i where i.contact_id = c.id);
  -- Who comes in once more waits once more.
  perform portal.carry(array_remove(array[new.contact_id, case when tg_op = 'UPDATE' then old.contact_id end], null));
  return null;
end $$;
comment on function portal.note_arrival() is
  'Trigger: keeps with the lead when it first left a contact and since when it waits, also where leads are joined or parted.';

-- Who waits already is shown as waiting from now on. Nobody is told of it, and no lead changed.
alter table public.whatsapp_contacts disable trigger user;
update public.whatsapp_contacts c
set waiting_since = waiting.since
from public.whatsapp_contacts known
left join lateral (
  select m."timestamp", m.id from public.whatsapp_messages m
  where m.contact_id = known.id and m.type = 'outgoing' and m.delivery <> 'failed'
  order by m."timestamp" desc, m.id desc limit 1
) answered on true
cross join lateral (
  select least(
    (select to_timestamp(min(m."timestamp")) from public.whatsapp_messages m
      where m.contact_id = known.id and m.type = 'incoming'
        and (m."timestamp", m.id) > (coalesce(answered."timestamp", 0), coalesce(answered.id, 0))),
    (select min(i.received_at) from portal.lead_intakes i
      where i.contact_id = known.id and i.received_at > to_timestamp(coalesce(answered."timestamp", 0))))
) waiting (since)
where c.id = known.id and waiting.since is not null;
alter table public.whatsapp_contacts enable trigger user;

-- Every device reads its board anew, for what its rows did not have before.
update portal.board_sequences set epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
