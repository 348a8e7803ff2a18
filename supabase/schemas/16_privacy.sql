-- All data about one person: found, exported, erased, and what is stored to keep it erased (LGPD art. 18).


-- Data that remain of an erased person: keyed hashes, which prevent campaigns and a new import, and a list of files to
-- delete (LGPD art. 18).

create table portal.erasures (
  hash bytea primary key,
  erased_at timestamptz not null default now()
);
comment on table portal.erasures is
  'Keyed hashes of the numbers, hidden ids, leads, deliveries and recent messages of erased persons. By them the portal does not import again what the gateway still stores.';
create index erasures_age on portal.erasures (erased_at);
comment on index portal.erasures_age is 'Serves the check whether anybody was erased since a message was written.';
alter table portal.erasures enable row level security;

create table portal.media_removals (
  media_id text primary key check (media_id ~ '^[0-9a-f]{64}$'),
  noted_at timestamptz not null default now()
);
comment on table portal.media_removals is
  'Files that a deleted message, photo or document no longer refers to. Written in the transaction of that change. The portal deletes each file once nothing refers to it.';
alter table portal.media_removals enable row level security;

-- The attachment of a campaign has the form of a message's content, with the kind beside it.
create function portal.media_is_used(p_media text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from public.whatsapp_messages m where m.content ->> 'mediaId' = p_media)
    or exists (select from public.remarketing_campaigns c where c.media #>> '{content,mediaId}' = p_media)
    or exists (select from public.quick_replies q where q.file #>> '{content,mediaId}' = p_media)
    or exists (select from public.development_media d where p_media in (d.media_id, d.thumb_id, d.whole_id))
    or exists (select from portal.listing_photos f where p_media in (f.media_id, f.thumb_id, f.whole_id))
    or exists (select from portal.private_history h where p_media = any (h.media_ids))
    or exists (select from portal.webhook_inbox i where strpos(i.body, 'stored:' || p_media) > 0);
end $$;
comment on function portal.media_is_used(text) is
  'Whether a message, a campaign, a quick reply, a development, a listing, a kept body of a private contact or a waiting delivery refers to a file. Server only.';

-- Postgres inlines this function into the calling query.
create function portal.answers_campaign(p_contact bigint, p_accepted_at timestamptz) returns boolean
language sql stable as $$
  select exists (
    select from public.whatsapp_messages a
    where a.contact_id = p_contact and a.type = 'incoming'
      -- Compares whole seconds, like those of messages, because the index serves only equal types.
      and a."timestamp" between ceil(extract(epoch from p_accepted_at))::bigint
        and floor(extract(epoch from p_accepted_at + interval '72 hours'))::bigint)
$$;
comment on function portal.answers_campaign(bigint, timestamptz) is
  'Whether a contact wrote within 72 hours after a campaign''s message was accepted. Server only.';

-- The opt-out of a person who is known only by a hidden id survives an erasure, too.
create function portal.keep_hidden_opt_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.people p set opted_out_at = o.opted_out_at
  from portal.opt_outs o
  where p.id = new.person_id and p.opted_out_at is null and o.number_hash = portal.opt_out_hash(new.jid);
  return null;
end $$;
comment on function portal.keep_hidden_opt_out() is
  'Trigger: gives the stored opt-out to a new hidden id, so that an erased person gets no campaign.';
create trigger keep_hidden_opt_out after insert on portal.identities
  for each row when (new.jid like '%@lid') execute function portal.keep_hidden_opt_out();

create function portal.was_erased(event jsonb) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  newest timestamptz := (select max(e.erased_at) from portal.erasures e);
  address text;
  of_person timestamptz;
begin
  if newest is null then return false; end if;
  if event ->> 'event' in ('message', 'note', 'call') then
    -- A message that was written after the last erasure of anybody cannot belong to an erased past.
    if (event ->> 'sentAtSeconds')::bigint > extract(epoch from newest) then return false; end if;
    for address in select jsonb_array_elements_text(event #> '{chat,jids}') loop
      select e.erased_at into of_person from portal.erasures e
      where e.hash = portal.opt_out_hash(coalesce(portal.number_key(address), address));
      if (event ->> 'sentAtSeconds')::bigint <= extract(epoch from of_person) then return true; end if;
    end loop;
  elsif event ->> 'event' = 'name' then
    return exists (select from portal.erasures e
      where e.hash = portal.opt_out_hash(coalesce(portal.number_key(event ->> 'jid'), event ->> 'jid')));
  elsif event ->> 'event' = 'edit' and exists (
    select from portal.erasures e
    where e.hash = portal.opt_out_hash(coalesce(portal.number_key(event ->> 'jid'), event ->> 'jid'))
      and e.erased_at >= portal.from_ms(event ->> 'atMs')) then
    return true;
  end if;
  return exists (select from portal.erasures e where e.hash = portal.opt_out_hash(event ->> 'messageId'));
end $$;
comment on function portal.was_erased(jsonb) is
  'Whether an event belongs to the past of an erased person: a message from before the erasure, an event of such a message, or a name of an erased address. Server only.';


-- All data about one person, in every table (LGPD art. 18). portal.held_places lists the places that are shown and
-- exported; portal.erase_person erases them.

create type portal.subject as (
  people bigint[],
  contacts bigint[],
  former_contacts bigint[],
  addresses text[],
  keys text[],
  pattern text
);
comment on type portal.subject is
  'One person in all tables: rows of portal.people, contacts, contacts merged into them, addresses, number keys, and a regular expression that finds any of the numbers and hidden ids in a text.';

create function portal.subject_of(p_number text, p_contact bigint) returns portal.subject
language plpgsql stable security definer set search_path = '' as $$
declare
  s portal.subject;
  known integer := -1;
begin
  s.keys := array_remove(array[portal.number_key(p_number)], null);
  s.people := array(
    select p.id from portal.people p where p.number_key = any (s.keys)
    union select c.person_id from public.whatsapp_contacts c where c.id = p_contact);
  -- Repeats until it finds nothing more. Each round adds persons who were merged, and persons with the same hidden id
  -- unless their numbers differ.
  while cardinality(s.people) > known loop
    known := cardinality(s.people);
    s.keys := array(
      select unnest(s.keys) union select p.number_key from portal.people p where p.id = any (s.people) and p.number_key is not null);
    s.addresses := array(select distinct i.jid from portal.identities i where i.person_id = any (s.people));
    s.people := array(
      select unnest(s.people)
      union
      select m.gone_person_id from portal.contact_merges m where m.kept_person_id = any (s.people) and m.undone_at is null
      union
      select p.id from portal.identities i join portal.people p on p.id = i.person_id
      where i.jid = any (s.addresses) and (p.number_key is null or cardinality(s.keys) = 0));
  end loop;
  s.contacts := array(select c.id from public.whatsapp_contacts c where c.person_id = any (s.people));
  s.former_contacts := array(
    with recursive former as (
      select m.gone_contact_id as id from portal.contact_merges m
      where m.kept_contact_id = any (s.contacts) and m.undone_at is null
      union
      select m.gone_contact_id from portal.contact_merges m join former f on m.kept_contact_id = f.id where m.undone_at is null
    )
    select id from former);
  s.pattern := (
    select '(?i)' || string_agg('(^|[^0-9])' || found.form || '($|[^0-9])', '|')
    from (
      select case
        when key like '+55%' then '(55)?' || substr(key, 4, 2) || '9?' || substr(key, 6)
        else substr(key, 2) end as form
      from unnest(s.keys) as key
      union select split_part(jid, '@', 1) from unnest(s.addresses) as jid where jid like '%@lid'
      union select '(?<![a-z0-9._+-])' || regexp_replace(c.email, '([^a-z0-9@_-])', '\\\1', 'g') || '(?![a-z0-9-])'
      from public.whatsapp_contacts c where c.id = any (s.contacts) and c.email is not null
    ) found);
  return s;
end $$;
comment on function portal.subject_of(text, bigint) is
  'The person of a number in any form, or of a contact; empty lists for nobody. Server only.';

create function portal.items_about(p_body text, p_pattern text) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  data jsonb := p_body::jsonb -> 'data';
begin
  return (
    select jsonb_agg(item) from jsonb_array_elements(case jsonb_typeof(data) when 'array' then data else jsonb_build_array(data) end) as item
    where item::text ~ p_pattern);
exception
  -- The body is no valid JSON, so it cannot be split into events.
  when invalid_text_representation then return null;
end $$;
comment on function portal.items_about(text, text) is
  'The events of a delivery that match a regular expression. Null if the body is not a list of events. Server only.';

-- Over 80 lines: one branch for each place, and nothing else.
create function portal.held_rows(s portal.subject, p_place text, p_after bigint, p_limit integer) returns table (id bigint, at timestamp with time zone, data jsonb)
language sql stable security definer set search_path = '' as $$
  -- Only the branch of p_place runs. It leaves out data of other persons: other brokers whom a rotation considered, and
  -- events of other persons in the same delivery.
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
    select row_number() over (order by n.contact_id, n.number_key), n.added_at, to_jsonb(n)
    from portal.contact_numbers n where p_place = 'numbers' and (n.contact_id = any ((s).contacts) or n.number_key = any ((s).keys))
    union all
    select 4503599627370496 + d.contact_id, d.found_at, to_jsonb(d)
    from portal.number_doubts d where p_place = 'numbers' and d.contact_id = any ((s).contacts)
    union all
    select m.id, to_timestamp(m."timestamp"), to_jsonb(m) || jsonb_build_object('raw', r.raw)
    from public.whatsapp_messages m left join portal.message_raw r on r.message_id = m.id
    where p_place = 'messages' and m.contact_id = any ((s).contacts)
    union all
    select h.id, h.changed_at, to_jsonb(h) - 'account_id'
    from portal.stage_history h where p_place = 'stages' and h.contact_id = any ((s).contacts)
    union all
    select a.id, a.created_at, to_jsonb(a) - 'account_id' || coalesce((
      select jsonb_build_object('visit', to_jsonb(v)) from portal.visits v where v.action_id = a.id), '{}')
    from portal.actions a where p_place = 'actions' and a.contact_id = any ((s).contacts)
    union all
    select 4503599627370496 + l.id, l.started_at, to_jsonb(l) - 'account_id'
    from portal.lead_plans l where p_place = 'actions' and l.contact_id = any ((s).contacts)
    union all
    select t.id, t.created_at, to_jsonb(t) - 'account_id'
    from portal.scheduled_messages t where p_place = 'scheduled' and t.contact_id = any ((s).contacts)
    union all
    select row_number() over (order by i.contact_id, i.development_id), i.added_at, to_jsonb(i) || jsonb_build_object('development', d.name)
    from portal.interests i join public.developments d on d.id = i.development_id
    where p_place = 'interests' and i.contact_id = any ((s).contacts)
    union all
    select 4503599627370496 + t.message_id, to_timestamp(m."timestamp"), to_jsonb(t) || jsonb_build_object('development', d.name)
    from portal.sent_material t
    join public.whatsapp_messages m on m.id = t.message_id
    join public.developments d on d.id = t.development_id
    where p_place = 'interests' and m.contact_id = any ((s).contacts)
    union all
    select row_number() over (order by k.made_at, k.token_hash), k.made_at, to_jsonb(k) - 'token_hash' || jsonb_build_object('page', g.slug)
    from portal.page_links k join portal.public_pages g on g.id = k.page_id where p_place = 'pages' and k.contact_id = any ((s).contacts)
    union all
    select h.id, h.changed_at, to_jsonb(h) - 'account_id'
    from portal.owner_history h where p_place = 'owners' and h.contact_id = any ((s).contacts)
    union all
    select i.id, i.received_at, to_jsonb(i) - 'key_id'
    from portal.lead_intakes i where p_place = 'intakes' and i.contact_id = any ((s).contacts)
    union all
    select row_number() over (order by k.contact_id, k.kind, k.value), k.at, to_jsonb(k)
    from portal.lead_clicks k where p_place = 'clicks' and k.contact_id = any ((s).contacts)
    union all
    select 4503599627370496 + o.id, o.happened_at, to_jsonb(o) - 'claimed_by' - 'decided_by'
    from portal.conversions o where p_place = 'clicks' and o.contact_id = any ((s).contacts)
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
    select 4503599627370496 + row_number() over (order by a.send_id, a.place), a.assigned_at, to_jsonb(a) - 'person_id'
    from portal.segment_arms a where p_place = 'campaigns' and (a.person_id = any ((s).people) or a.contact_id = any ((s).contacts))
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
    select 7881299347898368 + b.id, b.made_at, to_jsonb(b) - 'operation_id'
    from portal.bench_cases b where p_place = 'turns' and b.contact_id = any ((s).contacts)
    union all
    select 6755399441055744 + v.message_id, v.at, to_jsonb(v)
    from portal.transcripts v join public.whatsapp_messages m on m.id = v.message_id
    where p_place = 'turns' and m.contact_id = any ((s).contacts)
    union all
    select row_number() over (order by p.agent_id), p.paused_at, to_jsonb(p) - 'person_id'
    from portal.agent_pauses p where p_place = 'pauses' and p.person_id = any ((s).people)
    union all
    select m.id, m.merged_at, jsonb_build_object('instanceName', m."instanceName", 'kept_before', m.kept_before,
      'gone_before', m.gone_before, 'gone_interests', m.gone_interests, 'jids', m.jids)
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
      q.kind in ('lead', 'assigned', 'message', 'accepted', 'declined') and q.subject = any ((s).contacts || (s).former_contacts)
      or q.kind = 'offer' and q.subject in (select c.id from portal.roleta_cases c where c.contact_id = any ((s).contacts))
      or q.kind = 'unsent' and q.subject in (select t.id from portal.scheduled_messages t where t.contact_id = any ((s).contacts))
      or q.kind in ('visit', 'outcome', 'try') and q.subject in (select v.id from portal.actions v where v.contact_id = any ((s).contacts)))
    union all
    select row_number() over (order by w.received_at, w.target), w.received_at, w.waited
    from portal.waiting_events w
    where p_place = 'waiting' and (w.target = any ((s).addresses) or w.waited::text ~ (s).pattern)
    union all
    select w.id, w.received_at, jsonb_build_object('reason', w.reason, 'events', portal.items_about(w.body, (s).pattern))
    from portal.webhook_aside w where p_place = 'aside' and w.body ~ (s).pattern
    union all
    -- Several tables belong to this place. A number added to the ids of each keeps them apart, so that one cursor can
    -- page through all.
    select 4503599627370496 + r.id, r.received_at, jsonb_build_object('reason', r.fault, 'body', r.body)
    from portal.intake_raw r where p_place = 'aside' and portal.body_names(r.body, s)
    union all
    select 4503599627370496 + r.id, r.received_at, jsonb_build_object('reason', r.fault, 'body', r.body)
    from portal.intake_read r where p_place = 'aside' and (portal.body_names(r.body, s)
      or r.intakes && array(select i.id from portal.lead_intakes i where i.contact_id = any ((s).contacts)))
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
  'The rows about a person in one place of portal.held_places, ordered by id, after p_after. Server only.';

create function portal.held_places() returns text[]
language sql immutable set search_path = '' as $$
  select array['person', 'addresses', 'leads', 'numbers', 'messages', 'stages', 'actions', 'scheduled', 'interests', 'pages', 'owners', 'intakes', 'clicks', 'distribution', 'campaigns', 'agents',
    'turns', 'pauses', 'merges', 'operations', 'pushes', 'waiting', 'aside']
$$;
comment on function portal.held_places() is
  'Names of all places that may hold a person''s data, as in src/domain/person-data.ts. Server only.';

create function portal.find_person(p_number text, p_contact bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  s portal.subject;
begin
  perform portal.require_admin();
  s := portal.subject_of(p_number, p_contact);
  return jsonb_build_object(
    'optedOutAtMs', (
      select floor(extract(epoch from min(found.at)) * 1000)::bigint from (
        select p.opted_out_at as at from portal.people p where p.id = any (s.people)
        union all
        select o.opted_out_at from portal.opt_outs o
        where o.number_hash in (select portal.opt_out_hash(key) from unnest(s.keys || s.addresses) as key)
      ) found),
    'leads', (
      select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'number', c.number,
        'instanceName', c."instanceName", 'stage', k.name, 'createdAtMs', floor(extract(epoch from c.created_at) * 1000)::bigint,
        'messages', (select count(*) from public.whatsapp_messages m where m.contact_id = c.id)) order by c.id), '[]')
      from public.whatsapp_contacts c left join public.kanban_stages k on k.slug = c.status where c.id = any (s.contacts)),
    'files', (
      select count(distinct m.content ->> 'mediaId') from public.whatsapp_messages m where m.contact_id = any (s.contacts)),
    'places', (
      select coalesce(jsonb_agg(jsonb_build_object('place', held.place, 'count', held.count,
        'fromMs', floor(extract(epoch from held.first) * 1000)::bigint,
        'toMs', floor(extract(epoch from held.last) * 1000)::bigint) order by held.n), '[]')
      from (
        select listed.place, listed.n, count(*) as count, min(r.at) as first, max(r.at) as last
        from unnest(portal.held_places()) with ordinality as listed (place, n)
        cross join lateral portal.held_rows(s, listed.place, 0, null) r
        group by listed.place, listed.n
      ) held)
  );
end $$;
comment on function portal.find_person(text, bigint) is
  'What the portal holds about the person of a number in any form, or of a contact: {optedOutAtMs, leads, files, places}; empty for nobody. Administrators, through the server only.';

create function portal.read_person(p_number text, p_contact bigint, p_place text, p_after bigint, p_limit integer)
returns table (id bigint, data jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select r.id, r.data from portal.held_rows(portal.subject_of(p_number, p_contact), p_place, p_after, p_limit) r order by r.id;
end $$;
comment on function portal.read_person(text, bigint, text, bigint, integer) is
  'Reads portal.held_rows page by page, for the export file. Administrators, through the server only.';

create function portal.person_ending(s portal.subject) returns text
language sql immutable set search_path = '' as $$ select right((s).keys[1], 2) $$;
comment on function portal.person_ending(portal.subject) is
  'The last two digits of the number, which is all that the audit log contains of it. Null for a hidden id. Server only.';

create function portal.count_person(s portal.subject) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('leads', cardinality((s).contacts),
    'messages', (select count(*) from public.whatsapp_messages m where m.contact_id = any ((s).contacts)),
    'rows', (select count(*) from unnest(portal.held_places()) as place cross join lateral portal.held_rows(s, place, 0, null)))
$$;
comment on function portal.count_person(portal.subject) is
  'How much the portal holds about a person: {leads, messages, rows}. Server only.';

create function portal.note_person_export(p_number text, p_contact bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  s portal.subject;
  counts jsonb;
begin
  perform portal.require_admin();
  s := portal.subject_of(p_number, p_contact);
  counts := portal.count_person(s);
  if counts ->> 'rows' = '0' then
    raise exception 'O portal não tem dados desta pessoa.' using errcode = 'PT404', hint = 'person.unknown';
  end if;
  perform portal.audit('person.exported', null, counts || jsonb_build_object('ending', portal.person_ending(s)));
end $$;
comment on function portal.note_person_export(text, bigint) is
  'Records in the audit log that all data about a person are exported, before the export. 404 if there are none. Administrators, through the server only.';

create function portal.person_addresses(p_number text, p_contact bigint) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  s portal.subject;
begin
  perform portal.require_admin();
  s := portal.subject_of(p_number, p_contact);
  return array(
    select unnest(s.addresses)
    union select unnest(portal.addresses_of(substr(key, 2) || '@s.whatsapp.net')) from unnest(s.keys) as key);
end $$;
comment on function portal.person_addresses(text, bigint) is
  'Every address under which other systems may know a person. Administrators, through the server only.';


-- Erases all data about one person in one transaction; the files follow (LGPD art. 18 VI).

create function portal.free_recipients(s portal.subject) returns void
language sql volatile security definer set search_path = '' as $$
  update public.campaign_recipients r
  set name = null, body = '', person_id = null, contact_id = null, message_id = null,
    erased_delivery = nullif(m.delivery, 'queued'),
    erased_answer = case
      when p.opted_out_at between before.accepted_at and before.accepted_at + interval '72 hours' then 'opted-out'
      when portal.answers_campaign(before.contact_id, before.accepted_at) then 'answered'
    end,
    state = case when r.state in ('pending', 'sending') then 'cancelled' else r.state end,
    reason = case when r.state in ('pending', 'sending') then 'erased' else r.reason end
  from public.campaign_recipients before
  join portal.people p on p.id = before.person_id
  left join public.whatsapp_messages m on m.id = before.message_id
  where before.id = r.id and r.person_id = any ((s).people)
$$;
comment on function portal.free_recipients(portal.subject) is
  'Makes a person''s rows in campaigns anonymous. The result stays and counts; person and text are deleted; waiting messages are cancelled. Server only.';

-- Messages from and to an erased person from before the erasure are ignored, even if they still wait in the inbox (LGPD
-- art. 18).
create function portal.remember_erasure(s portal.subject) returns void
language sql volatile security definer set search_path = '' as $$
  -- Uses the time at which the erasure runs, not at which it was asked for. Messages that came in while it waited for
  -- its lock are erased, too.
  insert into portal.erasures (hash, erased_at)
  select portal.opt_out_hash(word), clock_timestamp()
  from (
    select unnest((s).keys) as word
    union select jid from unnest((s).addresses) as jid where jid like '%@lid'
    -- WhatsApp allows edits for 15 minutes. After an outage the gateway may report an edit days later.
    union select m.message_id from public.whatsapp_messages m
    where m.contact_id = any ((s).contacts) and m.created_at > now() - interval '3 days' and m.message_id is not null
    union select 'intake ' || i.external_id from portal.lead_intakes i
    where i.contact_id = any ((s).contacts) and i.external_id is not null
    union select 'email ' || lower(c.email) from public.whatsapp_contacts c where c.id = any ((s).contacts) and c.email is not null
    -- Ids of leads that devices know, including ids from before a merge.
    union select 'lead ' || id from unnest((s).contacts || (s).former_contacts) as id
  ) words
  on conflict (hash) do update set erased_at = excluded.erased_at;
  insert into portal.opt_outs (number_hash, opted_out_at)
  select portal.opt_out_hash(word), now()
  from (select unnest((s).keys) as word union select jid from unnest((s).addresses) as jid where jid like '%@lid') words
  on conflict do nothing
$$;
comment on function portal.remember_erasure(portal.subject) is
  'Stores keyed hashes of a person, so that no campaign reaches the person and no old data are imported again. Server only.';

create function portal.note_media_of(s portal.subject) returns bigint
language sql volatile security definer set search_path = '' as $$
  with noted as (
    insert into portal.media_removals (media_id)
    select m.content ->> 'mediaId' from public.whatsapp_messages m
    where m.contact_id = any ((s).contacts) and m.content ->> 'mediaId' is not null
    union
    select (regexp_matches(w.body, 'stored:([0-9a-f]{64})', 'g'))[1] from portal.webhook_aside w where w.body ~ (s).pattern
    on conflict (media_id) do update set noted_at = excluded.noted_at
    returning 1
  )
  select count(*) from noted
$$;
comment on function portal.note_media_of(portal.subject) is
  'Puts a person''s files on the list of files to delete; returns how many. Server only.';

create function portal.erase_person(p_number text, p_contact bigint, p_operation_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
  answer jsonb;
  s portal.subject;
  every_contact bigint[];
  open_case portal.roleta_cases;
  counts jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(account, p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  s := portal.subject_of(p_number, p_contact);
  -- Waits for transactions that write data of this person. Later ones find no person.
  perform from portal.people p where p.id = any (s.people) order by p.id for update;
  s := portal.subject_of(p_number, p_contact);
  perform from public.whatsapp_contacts c where c.id = any (s.contacts) order by c.id for update;
  counts := portal.count_person(s);
  -- Data that are kept of a private contact are shown to nobody, but erased like all others.
  if portal.erase_private(s) = 0 and counts ->> 'rows' = '0' then
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
  for open_case in select c.* from portal.roleta_cases c
    where c.contact_id = any (s.contacts) and c.state in ('waiting', 'offered', 'watched', 'pool') loop
    perform portal.publish_case_change(open_case);
  end loop;
  perform portal.remember_erasure(s);
  counts := counts || jsonb_build_object('files', portal.note_media_of(s));
  perform portal.free_recipients(s);
  perform portal.free_arms(s.people, every_contact);
  delete from portal.push_queue q
  where q.kind in ('lead', 'assigned', 'message', 'accepted', 'declined') and q.subject = any (every_contact)
    or q.kind = 'offer' and q.subject in (select c.id from portal.roleta_cases c where c.contact_id = any (s.contacts))
    or q.kind = 'unsent' and q.subject in (select t.id from portal.scheduled_messages t where t.contact_id = any (s.contacts))
    or q.kind in ('visit', 'outcome', 'try') and q.subject in (select v.id from portal.actions v where v.contact_id = any (s.contacts));
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
  delete from portal.intake_read r where portal.body_names(r.body, s)
    or r.intakes && array(select i.id from portal.lead_intakes i where i.contact_id = any (s.contacts));
  update portal.import_rows r set data = null, outcome = 'refused', fault = 'erased'
  where r.data is not null and portal.body_names(r.data::text, s);
  delete from portal.meta_inbox m
  where m.leadgen_id in (select i.external_id from portal.lead_intakes i where i.contact_id = any (s.contacts));
  delete from portal.contact_merges m
  where m.kept_person_id = any (s.people) or m.gone_person_id = any (s.people)
    or m.kept_contact_id = any (every_contact) or m.gone_contact_id = any (every_contact);
  delete from portal.contact_numbers n where n.number_key = any (s.keys);
  delete from public.whatsapp_contacts c where c.id = any (s.contacts);
  delete from portal.people p where p.id = any (s.people);

  perform portal.audit('person.erased', null, counts || jsonb_build_object('ending', portal.person_ending(s)));
  return portal.end_operation(account, p_operation_id, 'person.erase', counts);
end $$;
comment on function portal.erase_person(text, bigint, uuid) is
  'Erases all data about the person of a number in any form, or of a contact: {leads, messages, rows, files}. A retry of the operation changes nothing. Files are deleted once nothing refers to them. 404 if there are no data, 409 while a message is being sent. The caller holds the lock of portal.take_apply_turn. Administrators, through the server only.';


-- Devices delete their data of an erased person, too, and never send them to a later contact (LGPD art. 18).

create function portal.lead_was_erased(p_contact bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from portal.erasures e where e.hash = portal.opt_out_hash('lead ' || p_contact))
$$;
comment on function portal.lead_was_erased(bigint) is
  'Whether a lead was erased together with its person. Server only.';

create function public.erased_leads(p_contacts bigint[]) returns bigint[]
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_member();
  if cardinality(p_contacts) > 1000 then
    raise exception 'Até 1.000 leads de cada vez.' using errcode = 'PT422';
  end if;
  return (
    select coalesce(array_agg(id order by id), '{}') from unnest(p_contacts) as id where portal.lead_was_erased(id));
end $$;
comment on function public.erased_leads(bigint[]) is
  'Which of these leads (up to 1,000) were erased with their person, so that the device deletes their data. An id alone does not reveal the person. Everyone who is signed in.';
grant execute on function public.erased_leads(bigint[]) to authenticated, service_role;

create function portal.body_names(p_body text, s portal.subject) returns boolean
language sql immutable set search_path = '' as $$
  -- Finds Brazilian numbers also as people write them: with separators, with or without country code and ninth digit.
  select p_body ~ (s).pattern or exists (
    select from unnest((s).keys) as key
    where key ~ '^\+?55\d{10}$'
      and regexp_replace(p_body, '\D', '', 'g') ~ (substr(ltrim(key, '+'), 3, 2) || '9?' || right(key, 8)))
$$;
comment on function portal.body_names(text, portal.subject) is
  'Whether the body of a form contains a number, hidden id or e-mail of the person.';
