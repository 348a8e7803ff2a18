-- Voice messages are transcribed by the model's endpoint, once each.

create table portal.transcripts (
  message_id bigint primary key references public.whatsapp_messages on delete cascade,
  body text not null,
  model text not null,
  at timestamptz not null default now()
);
comment on table portal.transcripts is
  'What a machine heard in a voice message, once a message; it goes with the message. Written and read by the server for whoever may hear it.';
alter table portal.transcripts enable row level security;

create or replace function portal.turn_lines(p_contact_id bigint, p_up_to bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('by', case line.type when 'incoming' then 'lead' else line.author end,
    'kind', line.kind, 'text', left(coalesce(heard.body, line.body), 2000)) order by line."timestamp", line.id), '[]')
  from (
    select m.* from public.whatsapp_messages m
    where m.contact_id = p_contact_id and m.id <= p_up_to and m.deleted_at is null and m.delivery is distinct from 'failed'
    order by m."timestamp" desc, m.id desc limit 30
  ) line
  left join portal.transcripts heard on heard.message_id = line.id
$$;
comment on function portal.turn_lines(bigint, bigint) is
  'The last thirty lines of a conversation up to a message, the oldest first: [{by (lead, human, agent, campaign), kind, text (of a voice message what was heard in it)}]. Server only.';

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
    select t.id, t.created_at, to_jsonb(t) - 'account_id'
    from portal.scheduled_messages t where p_place = 'scheduled' and t.contact_id = any ((s).contacts)
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
    select t.id, t.began_at, to_jsonb(t) - 'claimed_by' - 'operation_id'
    from portal.agent_turns t where p_place = 'turns' and t.contact_id = any ((s).contacts)
    union all
    select 4503599627370496 + h.id, h.at, to_jsonb(h)
    from portal.agent_handovers h where p_place = 'turns' and h.contact_id = any ((s).contacts)
    union all
    select 6755399441055744 + v.message_id, v.at, to_jsonb(v)
    from portal.transcripts v join public.whatsapp_messages m on m.id = v.message_id
    where p_place = 'turns' and m.contact_id = any ((s).contacts)
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
      or q.kind = 'offer' and q.subject in (select c.id from portal.roleta_cases c where c.contact_id = any ((s).contacts))
      or q.kind = 'unsent' and q.subject in (select t.id from portal.scheduled_messages t where t.contact_id = any ((s).contacts)))
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
    union all
    select 6755399441055744 + r.id, i.created_at, jsonb_build_object('reason', r.fault, 'row', r.data)
    from portal.import_rows r join portal.imports i on i.id = r.import_id
    where p_place = 'aside' and r.data is not null and portal.body_names(r.data::text, s)
  ) found
  where found.id > p_after
  order by found.id
  limit p_limit
$$;
comment on function portal.held_rows(portal.subject, text, bigint, integer) is
  'What one place of portal.held_places holds about a person, by its own id after p_after. Server only.';
