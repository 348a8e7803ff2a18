-- A lead has tags, a value and a reason of its loss; what is known of it is read as one and written field by field.

alter table public.whatsapp_contacts
  add column tags text[] not null default '{}',
  add column value_cents bigint check (value_cents between 0 and 100000000000),
  add column loss_reason text check (loss_reason in ('bought_elsewhere', 'no_means', 'no_answer', 'not_wanted', 'wrong_contact', 'other'));
comment on column public.whatsapp_contacts.tags is 'Words of the broker''s own, at most twelve of 24 letters each.';
comment on column public.whatsapp_contacts.value_cents is 'What the lead would buy or bought for, in cents of a real.';
comment on column public.whatsapp_contacts.loss_reason is
  'Why a lead of a lost stage was lost; null: nobody said. Forgotten when the lead leaves for a stage that is not a lost one.';

create or replace function portal.guard_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.person_id := coalesce(new.person_id, portal.person_of(new.number));
  else
    new.updated_at := now();
  end if;
  if new.won_at is null and (tg_op = 'INSERT' or new.status <> old.status) then
    select now() into new.won_at from public.kanban_stages s where s.slug = new.status and s.kind = 'won';
  end if;
  if tg_op = 'UPDATE' and new.loss_reason is not null and new.status <> old.status
    and not exists (select from public.kanban_stages s where s.slug = new.status and s.kind = 'lost') then
    new.loss_reason := null;
  end if;
  return new;
end $$;
comment on function portal.guard_contact() is
  'Trigger: binds the person, dates the change, remembers the first stage that is marked as won, forgets why a lead was lost that is no longer.';

create or replace function portal.merge_contacts(kept bigint, gone bigint) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  k public.whatsapp_contacts;
  g public.whatsapp_contacts;
  merge_id bigint;
begin
  perform from public.whatsapp_contacts where id in (kept, gone) order by id for update;
  select * into strict k from public.whatsapp_contacts where id = kept;
  select * into strict g from public.whatsapp_contacts where id = gone;

  insert into portal.contact_merges
    ("instanceName", kept_contact_id, gone_contact_id, kept_person_id, gone_person_id, kept_before, gone_before,
     message_ids, history_ids, jids)
  values (
    g."instanceName", kept, gone, k.person_id, g.person_id, to_jsonb(k), to_jsonb(g),
    array(select id from public.whatsapp_messages where contact_id = gone),
    array(select id from portal.stage_history where contact_id = gone),
    array(select jid from portal.identities where "instanceName" = g."instanceName" and person_id = g.person_id)
  )
  returning id into merge_id;

  update public.whatsapp_messages set contact_id = kept where contact_id = gone;
  update portal.stage_history set contact_id = kept where contact_id = gone;
  update portal.contact_routes set contact_id = kept where contact_id = gone;
  delete from public.whatsapp_contacts where id = gone;
  if g."instanceName" is distinct from k."instanceName" and g."instanceName" is not null then
    insert into portal.contact_routes ("instanceName", person_id, contact_id)
    values (g."instanceName", g.person_id, kept)
    on conflict ("instanceName", person_id) do update set contact_id = excluded.contact_id;
  end if;

  update public.whatsapp_contacts
  set
    name = coalesce(k.name, g.name),
    number = coalesce(k.number, g.number),
    email = coalesce(k.email, g.email),
    notes = left(concat_ws(e'\n\n', nullif(k.notes, ''), nullif(g.notes, '')), 10000),
    status = case when k.status = 'new' then g.status else k.status end,
    profile_pic_url = coalesce(k.profile_pic_url, g.profile_pic_url),
    source = case when k.source in ('desconhecida', 'whatsapp') and g.source <> 'desconhecida' then g.source else k.source end,
    campaign = coalesce(k.campaign, g.campaign),
    empreendimento = coalesce(k.empreendimento, g.empreendimento),
    remarketing_sent_at = greatest(k.remarketing_sent_at, g.remarketing_sent_at),
    won_at = least(k.won_at, g.won_at),
    tags = array(select distinct t.tag from unnest(k.tags || g.tags) as t (tag) order by 1 limit 12),
    value_cents = coalesce(k.value_cents, g.value_cents),
    loss_reason = coalesce(k.loss_reason, g.loss_reason),
    created_at = least(k.created_at, g.created_at)
  where id = kept;
  update portal.contact_merges
  set kept_after = (select to_jsonb(c) from public.whatsapp_contacts c where c.id = kept)
  where id = merge_id;
  return merge_id;
end $$;

create or replace function portal.undo_merge(merge bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  m portal.contact_merges;
  was public.whatsapp_contacts;
  made public.whatsapp_contacts;
  g public.whatsapp_contacts;
begin
  select * into m from portal.contact_merges where id = merge and undone_at is null for update;
  if not found then
    raise exception 'Esta união de contatos não existe ou já foi desfeita.' using errcode = 'P0001';
  end if;
  perform from public.whatsapp_contacts where id = m.kept_contact_id for update;
  if not found then
    raise exception 'O contato unido não existe mais; a união não pode ser desfeita.' using errcode = 'P0001';
  end if;
  was := jsonb_populate_record(null::public.whatsapp_contacts, m.kept_before);
  made := jsonb_populate_record(null::public.whatsapp_contacts, m.kept_after);
  g := jsonb_populate_record(null::public.whatsapp_contacts, m.gone_before);
  -- A merge of before there were tags knows none.
  g.tags := coalesce(g.tags, '{}');

  -- A stage or a broker that went away meanwhile does not come back with the contact.
  if not exists (select from public.kanban_stages where slug = g.status) then g.status := 'new'; end if;
  if not exists (select from public.brokers where "instanceName" = g."instanceName") then g."instanceName" := null; end if;
  insert into public.whatsapp_contacts overriding system value select g.*;
  -- Its history comes back below; the line its coming back just wrote would be one too many.
  delete from portal.stage_history where contact_id = g.id;
  update portal.stage_history set contact_id = g.id where id = any (m.history_ids) and contact_id = m.kept_contact_id;

  update portal.identities set person_id = m.gone_person_id
  where "instanceName" = m."instanceName" and jid = any (m.jids) and person_id = m.kept_person_id;
  delete from portal.contact_routes
  where "instanceName" = m."instanceName" and person_id = m.gone_person_id and contact_id = m.kept_contact_id;
  update public.whatsapp_messages set contact_id = g.id
  where contact_id = m.kept_contact_id
    and (id = any (m.message_ids) or ("remoteJid" = any (m.jids) and created_at >= m.merged_at));

  -- What the merge wrote on the kept contact goes, unless someone has written over it since.
  update public.whatsapp_contacts c
  set
    name = case when c.name is not distinct from made.name then was.name else c.name end,
    number = case when c.number is not distinct from made.number then was.number else c.number end,
    email = case when c.email is not distinct from made.email then was.email else c.email end,
    notes = case when c.notes is not distinct from made.notes then was.notes else c.notes end,
    status = case
      when c.status = made.status and exists (select from public.kanban_stages where slug = was.status) then was.status
      else c.status end,
    profile_pic_url = case when c.profile_pic_url is not distinct from made.profile_pic_url then was.profile_pic_url else c.profile_pic_url end,
    source = case when c.source = made.source then was.source else c.source end,
    campaign = case when c.campaign is not distinct from made.campaign then was.campaign else c.campaign end,
    empreendimento = case when c.empreendimento is not distinct from made.empreendimento then was.empreendimento else c.empreendimento end,
    remarketing_sent_at = case when c.remarketing_sent_at is not distinct from made.remarketing_sent_at then was.remarketing_sent_at else c.remarketing_sent_at end,
    won_at = case when c.won_at is not distinct from made.won_at then was.won_at else c.won_at end,
    tags = case when c.tags is not distinct from made.tags then coalesce(was.tags, '{}') else c.tags end,
    value_cents = case when c.value_cents is not distinct from made.value_cents then was.value_cents else c.value_cents end,
    loss_reason = case when c.loss_reason is not distinct from made.loss_reason then was.loss_reason else c.loss_reason end,
    created_at = was.created_at
  where c.id = m.kept_contact_id;
  update portal.contact_merges set undone_at = now() where id = merge;
end $$;


-- What is known of a lead beyond its card: read as one, written field by field.

create function portal.lead_path(p_lead bigint, p_instance text) returns jsonb
language sql stable security definer set search_path = '' as $$
  with steps as (
    select c.created_at as at, 'arrived' as kind, null::text as instance, c.source as word
    from public.whatsapp_contacts c where c.id = p_lead
    union all
    select c.first_incoming_at, 'wrote', null, null from public.whatsapp_contacts c
    where c.id = p_lead and c.first_incoming_at > c.created_at + interval '1 minute'
    union all
    select coalesce(c.first_response_at, c.first_contacted_at), 'answered', c."instanceName", null
    from public.whatsapp_contacts c where c.id = p_lead and coalesce(c.first_response_at, c.first_contacted_at) is not null
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
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'at', p.at, 'kind', p.kind, 'word', p.word,
    'by', case when p_instance is null or p.instance = p_instance then p.instance end) order by p.at desc, p.kind), '[]')
  from (select * from steps order by at desc, kind limit 60) p
$$;
comment on function portal.lead_path(bigint, text) is
  'The steps of a lead, the newest first, 60 at most: arrived, wrote, answered, offered, given, accepted, passed, expired, pooled, claimed, moved, handed, did. Each {at, kind, word, by}; word is a source, a rotation, a stage or the kind of an action. Of other brokers than p_instance nothing is told (null: of all). Server only.';

create function public.lead_sheet(p_contact_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  mine text := case when account is not null and not portal.is_admin() then portal.my_instance() end;
  lead public.whatsapp_contacts;
begin
  select c.* into lead from public.whatsapp_contacts c
  where c.id = p_contact_id and (mine is null or c."instanceName" = mine);
  if not found then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'lead.unknown';
  end if;
  return jsonb_build_object(
    'id', lead.id,
    'source', lead.source, 'campaign', lead.campaign, 'development', lead.empreendimento, 'email', lead.email,
    'tags', lead.tags, 'value', lead.value_cents, 'lossReason', lead.loss_reason,
    'lostAt', (
      select max(h.changed_at) from portal.stage_history h join public.kanban_stages s on s.slug = h.to_status and s.kind = 'lost'
      where h.contact_id = lead.id and h.to_status = lead.status),
    'knownTags', (
      select coalesce(jsonb_agg(t.tag order by t.leads desc, t.tag), '[]')
      from (
        select u.tag, count(*) as leads from public.whatsapp_contacts c, unnest(c.tags) as u (tag)
        where c."instanceName" = lead."instanceName" and c.tags <> '{}'
        group by u.tag order by 2 desc, 1 limit 30) t),
    'files', (
      select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'kind', f.kind, 'at', f."timestamp", 'isOwn', f.type = 'outgoing',
        'name', f.content ->> 'fileName', 'size', f.content -> 'sizeBytes') order by f."timestamp" desc, f.id desc), '[]')
      from (
        select m.id, m.kind, m."timestamp", m.type, m.content from public.whatsapp_messages m
        where m.contact_id = lead.id and m.kind in ('image', 'video', 'document')
        order by m."timestamp" desc, m.id desc limit 20) f),
    'path', portal.lead_path(lead.id, mine));
end $$;
comment on function public.lead_sheet(bigint) is
  'All that is known of a lead beyond its card: source, campaign, development, email, tags, value (cents), lossReason and lostAt, the words that its board uses as tags, the 20 newest files shared, and the path of portal.lead_path. A broker for the own leads, an administrator for all. 401 once the session has ended; 404 for any other lead.';
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
  'Tags after what one device added and took away from those it saw: what another added meanwhile stays. Twelve at most.';

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
comment on function portal.check_lead_fields(jsonb) is 'Refuses, as 422 and in Portuguese, what lead_fields does not write.';

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
    -- Another wrote it meanwhile: theirs stays, and the rest is written all the same.
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
  'Writes fields of a lead: p_fields may hold email, value (cents), development, campaign, tags and loss_reason; empty or null clears. p_base: what the writer saw of them. Each field by itself: one that another wrote meanwhile keeps theirs and makes the answer a conflict, the others are written; of tags what was added and taken away is done to those that stand. Who may, how the lead is named, p_operation_id and the answer are those of save_lead_notes; code saved, conflict or unknown_lead, and current what stands instead. 401 once the session has ended; 422 for a field or value that is not taken.';
grant execute on function public.lead_fields(bigint, jsonb, jsonb, uuid, text, text) to authenticated, service_role;
