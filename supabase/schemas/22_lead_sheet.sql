-- What the lead sheet shows beyond the card: details, the lead's path, and the fields that its broker writes.

-- Details of a lead beyond its card. They are read together and written field by field.

create function portal.lead_path(p_lead bigint, p_instance text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
  with steps as (
    select c.created_at as at, 'arrived' as kind, null::text as instance, c.source as word
    from public.whatsapp_contacts c where c.id = p_lead
    union all
    select c.first_incoming_at, 'wrote', null, null from public.whatsapp_contacts c
    where c.id = p_lead and c.first_incoming_at > c.created_at + interval '1 minute'
    union all
    -- The lead's owner at that time, who may have handed it over since.
    select a.at, 'answered', case when later.id is null then c."instanceName" else later.from_instance end, null
    from public.whatsapp_contacts c
    cross join lateral (select coalesce(c.first_response_at, c.first_contacted_at)) as a (at)
    left join lateral (
      select h.id, h.from_instance from portal.owner_history h
      where h.contact_id = c.id and h.changed_at > a.at order by h.changed_at, h.id limit 1) later on true
    where c.id = p_lead and a.at is not null
    union all
    select e.at, e.kind, e."instanceName", (select r.empreendimento from public.roletas r where r.id = e.roleta_id)
    from portal.roleta_events e join portal.roleta_cases k on k.id = e.case_id
    where k.contact_id = p_lead and e.kind in ('offered', 'given', 'accepted', 'passed', 'expired', 'pooled', 'claimed')
    union all
    select h.changed_at, 'moved', null, coalesce(s.name, h.to_status)
    from portal.stage_history h left join public.kanban_stages s on s.slug = h.to_status
    where h.contact_id = p_lead and h.from_status is not null
    union all
    select h.changed_at, 'handed', h.to_instance, null from portal.owner_history h
    where h.contact_id = p_lead and h.from_instance is not null
    union all
    select a.finished_at, 'did', null, a.kind from portal.actions a
    where a.contact_id = p_lead and a.outcome = 'done'
    union all
    select v.at, 'visited', null, coalesce(d.name, l.title)
    from portal.page_links k cross join lateral unnest(k.visited_at) as v (at)
    join portal.public_pages g on g.id = k.page_id
    left join public.developments d on d.id = g.development_id
    left join public.listings l on l.id = g.listing_id
    where k.contact_id = p_lead
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'at', p.at, 'kind', p.kind, 'word', p.word,
    'by', case when p_instance is null or p.instance = p_instance then p.instance end) order by p.at desc, p.kind), '[]')
  from (select * from steps order by at desc, kind limit 60) p);
end $$;
comment on function portal.lead_path(bigint, text) is
  'The last 60 steps of a lead, newest first: arrived, wrote, answered, offered, given, accepted, passed, expired, pooled, claimed, moved, handed, did, visited (a public page). Each is {at, kind, word, by}. word is a source, a rotation, a stage, the kind of an action, or the name of the page. by is the instance name of a broker. With p_instance, by is null for other brokers, but their steps stay; null: every broker is named. Server only.';

create function public.lead_sheet(p_contact_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  lead public.whatsapp_contacts;
begin
  select c.* into lead from public.whatsapp_contacts c
  where c.id = p_contact_id and (account is null or portal.reaches(c."instanceName"));
  if not found then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'lead.unknown';
  end if;
  return jsonb_build_object(
    'id', lead.id,
    'source', lead.source, 'campaign', lead.campaign, 'development', lead.empreendimento, 'email', lead.email,
    'tags', lead.tags, 'value', lead.value_cents, 'lossReason', lead.loss_reason,
    'ad', portal.ad_of(lead.id, lead."instanceName", lead.ad),
    'lostAt', (
      select max(h.changed_at) from portal.stage_history h join public.kanban_stages s on s.slug = h.to_status and s.kind = 'lost'
      where h.contact_id = lead.id and h.to_status = lead.status),
    'knownTags', (
      select coalesce(jsonb_agg(t.tag order by t.leads desc, t.tag), '[]')
      from (
        select u.tag, count(*) as leads from public.whatsapp_contacts c, unnest(c.tags) as u (tag)
        where c."instanceName" = lead."instanceName" and c.tags <> '{}'
        group by u.tag order by 2 desc, 1 limit 30) t),
    'numbers', (
      select coalesce(jsonb_agg(n.number order by n.added_at, n.number_key), '[]') from portal.contact_numbers n where n.contact_id = lead.id),
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'kind', f.kind, 'at', f."timestamp", 'isOwn', f.type = 'outgoing',
        'name', f.content ->> 'fileName', 'size', f.content -> 'sizeBytes') order by f."timestamp" desc, f.id desc), '[]')
      from (
        select m.id, m.kind, m."timestamp", m.type, m.content from public.whatsapp_messages m
        where m.contact_id = lead.id and m.kind in ('image', 'video', 'document')
        order by m."timestamp" desc, m.id desc limit 20) f),
    'interests', portal.lead_interests(lead.id),
    'material', portal.lead_material(lead.id),
    -- The path names no other broker if the caller is the lead's broker. Administrators, and gerentes for leads of
    -- their brokers, see all names.
    'path', portal.lead_path(lead.id, case
      when not portal.is_admin() and lead."instanceName" = portal.my_instance() then portal.my_instance() end));
end $$;
comment on function public.lead_sheet(bigint) is
  'Details of a lead beyond its card: source, campaign, development, email, tags, value (cents), lossReason and lostAt, its advertisement (its click id not for gerentes), the tags in use on its board, further numbers, the 20 newest shared files, interests (portal.lead_interests), material (portal.lead_material), and portal.lead_path. A broker for its own leads, a gerente for those of the brokers it leads, an administrator for all. 401 once the session has ended; 404 for any other lead.';
grant execute on function public.lead_sheet(bigint) to authenticated, service_role;

create function portal.merged_tags(p_base jsonb, p_wanted jsonb, p_standing text[]) returns text[]
language sql immutable set search_path = '' as $$
  select array(
    select t.tag from (
      select s.tag, s.at from unnest(p_standing) with ordinality as s (tag, at)
      where not (coalesce(p_base, '[]') ? s.tag and not p_wanted ? s.tag)
      union
      select w.tag, 1000 + w.at from jsonb_array_elements_text(p_wanted) with ordinality as w (tag, at)
      where w.tag <> all (p_standing)
    ) t order by t.at limit 12)
$$;
comment on function portal.merged_tags(jsonb, jsonb, text[]) is
  'The stored tags (p_standing) with the tags that one device added and removed between p_base and p_wanted, so that changes of another device stay. The result has at most twelve tags.';

create function portal.check_lead_fields(p_fields jsonb) returns void
language plpgsql immutable set search_path = '' as $$
declare
  field text;
begin
  if jsonb_typeof(p_fields) is distinct from 'object' or p_fields = '{}' then
    raise exception 'Diga o que muda.' using errcode = 'PT422';
  end if;
  for field in select jsonb_object_keys(p_fields) loop
    if field not in ('email', 'value', 'development', 'campaign', 'tags', 'loss_reason') then
      raise exception 'Este campo não muda por aqui.' using errcode = 'PT422';
    end if;
    if field not in ('tags', 'value') and jsonb_typeof(p_fields -> field) not in ('string', 'null') then
      raise exception 'Este valor não é aceito.' using errcode = 'PT422';
    end if;
  end loop;
  if btrim(p_fields ->> 'email') <> '' and (length(p_fields ->> 'email') > 254 or btrim(p_fields ->> 'email') !~ '^[^@\s]+@[^@\s]+\.[^@\s]+$') then
    raise exception 'Este e-mail não parece certo.' using errcode = 'PT422';
  end if;
  if greatest(length(p_fields ->> 'development'), length(p_fields ->> 'campaign')) > 200 then
    raise exception 'O texto pode ter até 200 letras.' using errcode = 'PT422';
  end if;
  if p_fields ? 'value' and p_fields -> 'value' <> 'null'
    and (jsonb_typeof(p_fields -> 'value') <> 'number' or (p_fields ->> 'value') !~ '^[0-9]{1,12}$'
      or (p_fields ->> 'value')::bigint > 100000000000) then
    raise exception 'Este valor não é aceito.' using errcode = 'PT422';
  end if;
  if p_fields ? 'tags' and (jsonb_typeof(p_fields -> 'tags') <> 'array' or jsonb_array_length(p_fields -> 'tags') > 12 or exists (
    select from jsonb_array_elements(p_fields -> 'tags') t
    where jsonb_typeof(t) <> 'string' or length(btrim(t #>> '{}')) not between 1 and 24)) then
    raise exception 'São até 12 etiquetas de até 24 letras.' using errcode = 'PT422';
  end if;
  if p_fields ->> 'loss_reason' not in ('bought_elsewhere', 'no_means', 'no_answer', 'not_wanted', 'wrong_contact', 'other') then
    raise exception 'Escolha um motivo da lista.' using errcode = 'PT422';
  end if;
end $$;
comment on function portal.check_lead_fields(jsonb) is
  'Refuses, with 422 and a Portuguese message, fields and values that lead_fields does not write.';

create function public.lead_fields(
  p_contact_id bigint, p_fields jsonb, p_base jsonb default '{}',
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead public.whatsapp_contacts;
  wanted jsonb := '{}';
  standing jsonb;
  kept text[] := '{}';
  field text;
  code text := 'saved';
begin
  if answer is not null then return answer; end if;
  perform portal.check_lead_fields(p_fields);
  select c.* into lead from public.whatsapp_contacts c
  where c.id = portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead) for no key update;
  if lead.id is null then
    return portal.end_operation(account, p_operation_id, 'lead.fields', portal.words_answer('unknown_lead', 'O lead mudou', null));
  end if;
  standing := jsonb_build_object('email', lead.email, 'value', lead.value_cents, 'development', lead.empreendimento,
    'campaign', lead.campaign, 'loss_reason', lead.loss_reason);
  for field in select jsonb_object_keys(p_fields - 'tags') loop
    wanted := wanted || jsonb_build_object(field, case
      when jsonb_typeof(p_fields -> field) = 'string' then to_jsonb(nullif(case when field = 'email' then lower(btrim(p_fields ->> field)) else btrim(p_fields ->> field) end, ''))
      else p_fields -> field end);
    -- Another device changed this field meanwhile, so its value stays. Other fields are written all the same.
    if p_base ? field and standing -> field <> p_base -> field and standing -> field <> wanted -> field then
      kept := kept || field;
      wanted := wanted - field;
    end if;
  end loop;
  if cardinality(kept) > 0 then code := 'conflict'; end if;
  standing := standing || wanted;
  update public.whatsapp_contacts c
  set email = standing ->> 'email', value_cents = (standing ->> 'value')::bigint, empreendimento = standing ->> 'development',
    campaign = standing ->> 'campaign', loss_reason = standing ->> 'loss_reason',
    tags = case when p_fields ? 'tags' then portal.merged_tags(p_base -> 'tags', p_fields -> 'tags', c.tags) else c.tags end
  where c.id = lead.id;
  return portal.end_operation(account, p_operation_id, 'lead.fields',
    portal.words_answer(code, 'O lead mudou', case when code = 'conflict' then
      (select string_agg(coalesce(standing ->> k, ''), ', ') from unnest(kept) k) end));
end $$;
comment on function public.lead_fields(bigint, jsonb, jsonb, uuid, text, text) is
  'Writes fields of a lead: p_fields may hold email, value (cents), development, campaign, tags and loss_reason; empty or null clears. p_base: the values that the writer saw. Each field is separate: one that another device changed meanwhile stays and makes the answer conflict, the others are written; added and removed tags are applied to the current ones. Permissions, the lead''s identification, p_operation_id and the answer are those of save_lead_notes; code saved, conflict or unknown_lead, and current the values that stayed. 401 once the session has ended; 422 for an invalid field or value.';
grant execute on function public.lead_fields(bigint, jsonb, jsonb, uuid, text, text) to authenticated, service_role;
