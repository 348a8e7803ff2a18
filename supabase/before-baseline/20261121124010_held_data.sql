-- Everything that is held about one person, over every table: told, taken out as a file, and what an erasure goes by (LGPD art. 18).

create type portal.subject as (
  people bigint[],
  contacts bigint[],
  former_contacts bigint[],
  addresses text[],
  keys text[],
  pattern text
);
comment on type portal.subject is
  'One person wherever met: rows of portal.people, contacts, those merged into them, addresses, number keys, and an expression that finds any of the numbers and hidden ids in a text.';

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
  -- Until nothing more is found: who was merged in, and the same hidden id where no other number stands against it.
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
    select string_agg('(^|[^0-9])' || found.form || '($|[^0-9])', '|')
    from (
      select case
        when key like '+55%' then '(55)?' || substr(key, 4, 2) || '9?' || substr(key, 6)
        else substr(key, 2) end as form
      from unnest(s.keys) as key
      union select split_part(jid, '@', 1) from unnest(s.addresses) as jid where jid like '%@lid'
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
  -- What cannot be read cannot be told apart either.
  when invalid_text_representation then return null;
end $$;
comment on function portal.items_about(text, text) is
  'Of the events in a delivery of the gateway those that an expression finds; null where it is none. Server only.';

create function portal.held_rows(s portal.subject, p_place text, p_after bigint, p_limit integer)
returns table (id bigint, at timestamptz, data jsonb)
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
  ) found
  where found.id > p_after
  order by found.id
  limit p_limit
$$;
comment on function portal.held_rows(portal.subject, text, bigint, integer) is
  'What one place of portal.held_places holds about a person, by its own id after p_after. Server only.';

create function portal.held_places() returns text[]
language sql immutable set search_path = '' as $$
  select array['person', 'addresses', 'leads', 'messages', 'stages', 'owners', 'intakes', 'distribution', 'campaigns', 'agents',
    'pauses', 'merges', 'operations', 'pushes', 'waiting', 'aside']
$$;
comment on function portal.held_places() is 'Where something of a person can stand, as src/domain/person-data.ts names it. Server only.';

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
  'What is held about the person of a number in any form, or of a contact: {optedOutAtMs, leads, files, places}; empty for nobody. Administrators, by the server only.';

create function portal.read_person(p_number text, p_contact bigint, p_place text, p_after bigint, p_limit integer)
returns table (id bigint, data jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select r.id, r.data from portal.held_rows(portal.subject_of(p_number, p_contact), p_place, p_after, p_limit) r order by r.id;
end $$;
comment on function portal.read_person(text, bigint, text, bigint, integer) is
  'portal.held_rows page by page, for the file that is taken out. Administrators, by the server only.';

create function portal.person_ending(s portal.subject) returns text
language sql immutable set search_path = '' as $$ select right((s).keys[1], 2) $$;
comment on function portal.person_ending(portal.subject) is
  'The last two digits of the number: all that the audit log says of who it was; null for a hidden id. Server only.';

create function portal.count_person(s portal.subject) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('leads', cardinality((s).contacts),
    'messages', (select count(*) from public.whatsapp_messages m where m.contact_id = any ((s).contacts)),
    'rows', (select count(*) from unnest(portal.held_places()) as place cross join lateral portal.held_rows(s, place, 0, null)))
$$;
comment on function portal.count_person(portal.subject) is 'How much is held about a person: {leads, messages, rows}. Server only.';

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
  'Writes in the audit log that all about a person is taken out, before it is. 404 where nothing is held. Administrators, by the server only.';

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
  'Every address under which a person may be remembered elsewhere. Administrators, by the server only.';
