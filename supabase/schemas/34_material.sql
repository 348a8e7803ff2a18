-- Developments on a broker's phone: what can be sent, what was sent, and in which developments leads are interested.

create table portal.interests (
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  development_id integer not null references public.developments on delete cascade,
  origin text not null check (origin in ('listing', 'sent', 'hand')),
  added_at timestamptz not null default clock_timestamp(),
  primary key (contact_id, development_id)
);
comment on table portal.interests is
  'Developments that a lead asked for, was sent, or that a person added by hand. The lead''s column empreendimento is the one that reports count. The column whatsapp_contacts.interests shows all names. The portal only.';
comment on column portal.interests.origin is
  'How it came: listing (a form or a portal named it), sent (a broker sent its material), or hand (a person added it).';
create index interests_development on portal.interests (development_id);
comment on index portal.interests_development is 'Serves the leads of a development that gets another name.';
alter table portal.interests enable row level security;

create table portal.sent_material (
  message_id bigint primary key references public.whatsapp_messages on delete cascade,
  development_id integer not null references public.developments on delete cascade,
  label text not null check (length(label) <= 200)
);
comment on table portal.sent_material is
  'Messages that carried a photo, plan, document or the place of a development. The message itself says to whom and when. The portal only.';
comment on column portal.sent_material.label is 'What was sent, such as the title that the file had then.';
create index sent_material_development on portal.sent_material (development_id);
comment on index portal.sent_material_development is 'Serves the removal of a development.';
alter table portal.sent_material enable row level security;


-- Interests.

create function portal.interest_names(p_contact bigint) returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select array_agg(d.name order by i.added_at, i.development_id)
    from portal.interests i join public.developments d on d.id = i.development_id
    where i.contact_id = p_contact);
end $$;
comment on function portal.interest_names(bigint) is
  'The developments of a lead''s interests, the oldest first; null without any. Server only.';

create function portal.keep_interest_names() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  changed bigint[] := case tg_op
    when 'INSERT' then array[new.contact_id]
    when 'DELETE' then array[old.contact_id]
    else array[old.contact_id, new.contact_id] end;
begin
  update public.whatsapp_contacts c set interests = portal.interest_names(c.id)
  where c.id = any (changed) and c.interests is distinct from portal.interest_names(c.id);
  return null;
end $$;
comment on function portal.keep_interest_names() is
  'Trigger on portal.interests: writes the names of a lead''s interests to the lead.';
create trigger keep_interest_names after insert or delete or update of contact_id on portal.interests
  for each row execute function portal.keep_interest_names();

create function portal.rename_interests() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.whatsapp_contacts c set interests = portal.interest_names(c.id)
  where c.id in (select i.contact_id from portal.interests i where i.development_id = new.id);
  return null;
end $$;
comment on function portal.rename_interests() is
  'Trigger on public.developments: writes a changed name to the leads that are interested.';
create trigger rename_interests after update of name on public.developments
  for each row when (old.name <> new.name) execute function portal.rename_interests();

create function portal.emit_development() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.emit('development.changed', null, jsonb_build_object('developmentId', new.id, 'isArchived', new.archived_at is not null));
  return null;
end $$;
comment on function portal.emit_development() is
  'Trigger: event for a development that was saved, archived or brought back.';
create trigger write_event_development after update of version on public.developments
  for each row when (old.version <> new.version) execute function portal.emit_development();

create function portal.add_interest(p_lead bigint, p_development integer, p_origin text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_new boolean;
begin
  insert into portal.interests (contact_id, development_id, origin)
  select p_lead, d.id, p_origin from public.developments d
  where d.id = p_development and (select count(*) from portal.interests i where i.contact_id = p_lead) < 20
  on conflict do nothing;
  is_new := found;
  update public.whatsapp_contacts c
  set empreendimento = (select d.name from public.developments d where d.id = p_development)
  where c.id = p_lead and c.empreendimento is null and is_new;
  return is_new;
end $$;
comment on function portal.add_interest(bigint, integer, text) is
  'Adds a development to a lead''s interests, 20 at most; p_origin as in portal.interests. For a lead without an empreendimento it becomes that, too. Returns false if nothing was added. Server only.';

create function portal.remove_interest(p_lead bigint, p_development integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_removed boolean;
begin
  delete from portal.interests i where i.contact_id = p_lead and i.development_id = p_development;
  is_removed := found;
  -- The oldest other interest becomes the one that reports count.
  update public.whatsapp_contacts c set empreendimento = c.interests[1]
  where c.id = p_lead and portal.development_of(c.empreendimento) = p_development;
  return is_removed or found;
end $$;
comment on function portal.remove_interest(bigint, integer) is
  'Removes a development from a lead''s interests. If it is the lead''s empreendimento, the oldest other interest takes its place. Returns false if it was neither an interest of the lead nor its empreendimento. Server only.';

create function portal.roleta_for(p_contact bigint, p_development text) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(
    portal.roleta_of(p_development),
    (select r.id
     from portal.interests i
     join public.developments d on d.id = i.development_id
     cross join lateral portal.roleta_of(d.name) as r (id)
     where i.contact_id = p_contact and r.id is not null
     order by i.added_at, i.development_id limit 1));
end $$;
comment on function portal.roleta_for(bigint, text) is
  'The active rotation of a development, else of the lead''s oldest interest that has one. Null without any. Server only.';

create function public.interest_add(
  p_contact_id bigint, p_development_id integer,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  code text := 'saved';
begin
  if answer is not null then return answer; end if;
  if not exists (
    select from public.developments d where d.id = p_development_id and (d.archived_at is null or portal.is_admin())) then
    raise exception 'Este empreendimento não existe mais.' using errcode = 'PT404', hint = 'development.unknown';
  end if;
  lead := portal.lock_asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if lead is null then
    code := 'unknown_lead';
  elsif exists (select from portal.interests i where i.contact_id = lead and i.development_id = p_development_id) then
    code := 'already';
  elsif not portal.add_interest(lead, p_development_id, 'hand') then
    raise exception 'Um lead tem até 20 empreendimentos. Tire um para pôr outro.' using errcode = 'PT409', hint = 'interest.full';
  end if;
  return portal.end_operation(account, p_operation_id, 'interest.add', portal.words_answer(code, 'O lead mudou', null));
end $$;
comment on function public.interest_add(bigint, integer, uuid, text, text) is
  'Adds a development to the interests of the caller''s lead; a retry changes nothing. Returns portal.words_answer, code saved, already or unknown_lead. PT404 for an unknown development (for brokers an archived one, too), PT409 beyond 20. Permissions and the lead''s identification are those of save_lead_notes. Brokers, gerentes and administrators.';
revoke execute on function public.interest_add(bigint, integer, uuid, text, text) from public, anon;
grant execute on function public.interest_add(bigint, integer, uuid, text, text) to authenticated, service_role;

create function public.interest_remove(
  p_contact_id bigint, p_development_id integer,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  code text := 'already';
begin
  if answer is not null then return answer; end if;
  lead := portal.lock_asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if lead is null then
    code := 'unknown_lead';
  elsif portal.remove_interest(lead, p_development_id) then
    code := 'saved';
  end if;
  return portal.end_operation(account, p_operation_id, 'interest.remove', portal.words_answer(code, 'O lead mudou', null));
end $$;
comment on function public.interest_remove(bigint, integer, uuid, text, text) is
  'Removes a development from the interests of the caller''s lead. If it is the lead''s empreendimento, the oldest other interest takes its place. A retry changes nothing. Returns portal.words_answer, code saved, already or unknown_lead. Permissions and the lead''s identification are those of save_lead_notes. Brokers, gerentes and administrators.';
revoke execute on function public.interest_remove(bigint, integer, uuid, text, text) from public, anon;
grant execute on function public.interest_remove(bigint, integer, uuid, text, text) to authenticated, service_role;

create function portal.note_merged_interests() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.gone_interests := (
    select jsonb_agg(jsonb_build_object('id', i.development_id, 'origin', i.origin, 'at', i.added_at,
      'isShared', exists (select from portal.interests k where k.contact_id = new.kept_contact_id and k.development_id = i.development_id)))
    from portal.interests i where i.contact_id = new.gone_contact_id);
  return new;
end $$;
comment on function portal.note_merged_interests() is
  'Trigger: a merge records the interests of the deleted lead, and which of them the kept lead has, too.';
create trigger note_merged_interests before insert on portal.contact_merges
  for each row execute function portal.note_merged_interests();

create function portal.move_interests() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  taker bigint := case when new.undone_at is null then new.kept_contact_id else new.gone_contact_id end;
begin
  insert into portal.interests (contact_id, development_id, origin, added_at)
  select taker, d.id, g ->> 'origin', (g ->> 'at')::timestamptz
  from jsonb_array_elements(new.gone_interests) g join public.developments d on d.id = (g ->> 'id')::integer
  where not exists (select from portal.interests i where i.contact_id = taker and i.development_id = d.id)
  order by (g ->> 'at')::timestamptz desc, d.id
  limit greatest(0, 20 - (select count(*) from portal.interests i where i.contact_id = taker));
  delete from portal.interests i using jsonb_array_elements(new.gone_interests) g
  where new.undone_at is not null and i.contact_id = new.kept_contact_id and i.development_id = (g ->> 'id')::integer
    and not (g ->> 'isShared')::boolean;
  return null;
end $$;
comment on function portal.move_interests() is
  'Trigger: after a merge the kept lead gets the interests of the other one, the newest first and 20 in all. When the merge is undone, the other one gets all its own interests back, and the kept lead loses those that came from it.';
create trigger move_interests after insert or update of undone_at on portal.contact_merges
  for each row when (new.gone_interests is not null) execute function portal.move_interests();

create function portal.lead_interests(p_lead bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name, 'origin', i.origin) order by i.added_at, d.id), '[]')
    from portal.interests i join public.developments d on d.id = i.development_id
    where i.contact_id = p_lead);
end $$;
comment on function portal.lead_interests(bigint) is
  'The interests of a lead, the oldest first: [{id (of the development), name, origin}]. Server only.';

create function portal.machine_interests(p_lead bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_grant('leads:read');
  if not exists (select from public.whatsapp_contacts c where c.id = p_lead) then
    raise exception 'Este lead não existe.' using errcode = 'PT404', hint = 'lead.unknown';
  end if;
  return (
    select coalesce(jsonb_agg(i - 'id' || jsonb_build_object('developmentId', i -> 'id') order by n), '[]')
    from jsonb_array_elements(portal.lead_interests(p_lead)) with ordinality as e (i, n));
end $$;
comment on function portal.machine_interests(bigint) is
  'The interests of a lead, the oldest first: [{developmentId, name, origin}]; 404 for an unknown lead. Needs leads:read. Server only.';

create function portal.machine_set_interest(p_lead bigint, p_development bigint, p_is_wanted boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_changed boolean := false;
begin
  perform portal.require_grant('leads:write');
  if not portal.lock_lead(p_lead) then
    raise exception 'Este lead não existe.' using errcode = 'PT404', hint = 'lead.unknown';
  elsif not exists (select from public.developments d where d.id = p_development) then
    raise exception 'Empreendimento não encontrado.' using errcode = 'PT404', hint = 'development.unknown';
  elsif not p_is_wanted then
    is_changed := portal.remove_interest(p_lead, p_development::integer);
  elsif not exists (select from portal.interests i where i.contact_id = p_lead and i.development_id = p_development) then
    is_changed := portal.add_interest(p_lead, p_development::integer, 'hand');
    if not is_changed then
      raise exception 'Um lead tem até 20 empreendimentos. Tire um para pôr outro.' using errcode = 'PT409', hint = 'interest.full';
    end if;
  end if;
  return jsonb_build_object('leadId', p_lead, 'developmentId', p_development, 'isChanged', is_changed);
end $$;
comment on function portal.machine_set_interest(bigint, bigint, boolean) is
  'Adds a development to a lead''s interests, or removes it: {leadId, developmentId, isChanged}. 404 for an unknown lead or development, 409 beyond 20. Needs leads:write. Server only.';

create function portal.lead_material(p_lead bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'development', s.name, 'label', s.label, 'at', s."timestamp")
      order by s."timestamp" desc, s.id desc), '[]')
    from (
      select m.id, d.name, t.label, m."timestamp"
      from public.whatsapp_messages m
      join portal.sent_material t on t.message_id = m.id
      join public.developments d on d.id = t.development_id
      where m.contact_id = p_lead and m.delivery <> 'failed' and m.deleted_at is null
      order by m."timestamp" desc, m.id desc limit 40) s);
end $$;
comment on function portal.lead_material(bigint) is
  'Material of developments that was sent to a lead, the newest 40: [{id (of the message), development, label, at (epoch seconds)}]. Failed and deleted messages are left out. Server only.';


-- The index of material that phones keep, and sending from it.

create function portal.material_stamp() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    -- 'units' differs from stamps made before the index counted units, so that phones read it again after the upgrade.
    select md5(concat_ws(' ', 'units', count(*), sum(d.version), max(d.updated_at),
      (select concat_ws(' ', count(*), max(m.id)) from public.development_media m),
      (select concat_ws(' ', count(*), max(p.published_at)) from portal.public_pages p where p.published_at is not null and p.development_id is not null)))
    from public.developments d where d.archived_at is null);
end $$;
comment on function portal.material_stamp() is
  'A fingerprint that changes with every change of a development that is not archived, every added file, and every page of a development that is published or withdrawn. Server only.';

create function portal.material_index(p_known text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  stamp text;
begin
  perform portal.require_member();
  stamp := portal.material_stamp();
  return jsonb_build_object('stamp', stamp) || case when stamp = p_known then '{}' else jsonb_build_object('developments', (
    select coalesce(jsonb_agg(portal.development_summary(d.id)
      - '{version,builder,description,archivedAt}'::text[] || jsonb_build_object('unitsAvailable', u.available, 'slug', (
        select p.slug from portal.public_pages p where p.development_id = d.id and p.published_at is not null)) order by portal.fold(d.name), d.id), '[]')
    from public.developments d left join portal.available_units() u on u.development_id = d.id where d.archived_at is null)) end;
end $$;
comment on function portal.material_index(text) is
  'What brokers can send: {stamp, developments}. developments has portal.development_summary of each one that is not archived, by name, without description, with the slug of its public page and unitsAvailable (null: it has no units). p_known is the stamp of the caller''s copy; if it is still right, developments is left out. Members, through the server only.';

create function portal.material_message(p_development integer, p_thing jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_thing ->> 'kind' = 'text' then
    if p_thing ? 'page' and not exists (
      select from portal.public_pages p
      where p.slug = p_thing ->> 'page' and p.development_id = p_development and p.published_at is not null) then
      return null;
    end if;
    return jsonb_build_object('kind', 'text', 'body', p_thing ->> 'text');
  end if;
  if p_thing ->> 'kind' = 'location' then
    return (
      select jsonb_build_object('kind', 'location', 'body', coalesce(d.place_name, d.name), 'content', jsonb_build_object(
        'latitude', d.latitude, 'longitude', d.longitude, 'name', coalesce(d.place_name, d.name), 'address', d.address, 'isLive', false))
      from public.developments d where d.id = p_development and d.latitude is not null);
  end if;
  return (
    select jsonb_build_object('kind', case when m.mime_type like 'image/%' then 'image' else 'document' end,
      'body', coalesce(p_thing ->> 'text', ''), 'content', jsonb_build_object('mediaId', m.media_id, 'mimeType', m.mime_type,
        'fileName', m.file_name, 'sizeBytes', case when m.thumb_id is null then m.size_bytes end, 'seconds', null,
        'width', m.width, 'height', m.height, 'isVoice', false, 'isViewOnce', false, 'preview', m.preview))
    from public.development_media m where m.id = (p_thing ->> 'fileId')::integer and m.development_id = p_development);
end $$;
comment on function portal.material_message(integer, jsonb) is
  'The message {kind, body, content} that sends a thing of a development. Null if the file or the place is no longer in the record, or the page is not published. Server only.';

create function portal.price_holds(p_development integer, p_price jsonb, p_now timestamptz) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  cents bigint := (p_price ->> 'cents')::bigint;
  -- Compares days as text, because the phone may send a text that is no valid date.
  day text := p_price ->> 'pricedOn';
  today date := (p_now at time zone portal.time_zone())::date;
begin
  return exists (
    select from public.development_plans p
    where p.development_id = p_development and p.price_from_cents = cents and p.priced_on::text = day and p.valid_until >= today
      and p.units_left is distinct from 0)
    or exists (
      select from public.developments d
      where d.id = p_development and d.price_from_cents = cents and d.priced_on::text = day and d.valid_until >= today);
end $$;
comment on function portal.price_holds(integer, jsonb, timestamptz) is
  'Whether a development, or one of its plans that is not sold out, has this price {cents, pricedOn} today. Server only.';

create function portal.material_fault(p_development integer, p_thing jsonb, p_now timestamptz) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  is_gone boolean := portal.material_message(p_development, p_thing) is null;
begin
  if p_thing ? 'price' and not portal.price_holds(p_development, p_thing -> 'price', p_now)
    or is_gone and p_thing ->> 'fileKind' = 'tabela' and exists (
      select from public.development_media m where m.development_id = p_development and m.kind = 'tabela') then
    return 'A tabela mudou.';
  elsif is_gone then
    return 'Este material saiu do cadastro. Escolha de novo em Material.';
  end if;
  return null;
end $$;
comment on function portal.material_fault(integer, jsonb, timestamptz) is
  'Why a thing of a development cannot be sent as it was chosen: the price of its caption or the price table changed, or it left the record. Null: it can. Server only.';

create function portal.check_material(p_things jsonb) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if jsonb_typeof(p_things) is distinct from 'array' or jsonb_array_length(p_things) not between 1 and 4 then
    raise exception 'Escolha de um a quatro materiais.' using errcode = 'PT422', hint = 'material.count';
  elsif exists (
    select from jsonb_array_elements(p_things) t
    where coalesce(t ->> 'operationId', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      or coalesce(t ->> 'kind', '') not in ('image', 'document', 'location', 'text')
      or t ->> 'kind' in ('image', 'document') and coalesce(t ->> 'fileId', '') !~ '^[0-9]{1,9}$'
      or t ->> 'kind' = 'text' and coalesce(btrim(t ->> 'text'), '') = ''
      or t ? 'page' and (t ->> 'kind' <> 'text' or coalesce(t ->> 'page', '') !~ '^[a-z0-9-]{1,90}$'
        or right(t ->> 'text', length(t ->> 'page') + 3) <> '/i/' || (t ->> 'page'))
      or length(coalesce(t ->> 'label', '')) > 200
      or t ? 'price' and (coalesce(t #>> '{price,cents}', '') !~ '^[0-9]{1,12}$'
        or coalesce(t #>> '{price,pricedOn}', '') !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'))
    or (select count(distinct t ->> 'operationId') from jsonb_array_elements(p_things) t) < jsonb_array_length(p_things) then
    raise exception 'Este material não pôde ser lido. Escolha de novo.' using errcode = 'PT422', hint = 'material.invalid';
  elsif exists (select from jsonb_array_elements(p_things) t where length(t ->> 'text') > 1024) then
    raise exception 'A legenda passa de 1.024 caracteres.' using errcode = 'PT422', hint = 'message.too-long';
  end if;
end $$;
comment on function portal.check_material(jsonb) is
  'Refuses, with 422 and a Portuguese message, lists that material_send does not accept. Server only.';

create function public.material_send(
  p_contact_id bigint, p_development_id integer, p_things jsonb, p_written_at timestamptz default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  thing jsonb;
  message jsonb;
  sent bigint[] := '{}';
  gone text[] := '{}';
  fault text;
  faults text[] := '{}';
  is_there boolean;
begin
  if answer is not null then return answer; end if;
  perform portal.check_material(p_things);
  lead := portal.lead_to_write(p_broker_name, p_contact_id, p_number_lead);
  perform portal.lock_lead(lead);
  for thing in select t from jsonb_array_elements(p_things) t loop
    is_there := exists (
      select from public.whatsapp_messages m where m.contact_id = lead and m.operation_id = (thing ->> 'operationId')::uuid);
    message := portal.material_message(p_development_id, thing);
    fault := portal.material_fault(p_development_id, thing, now());
    if message is null or fault is not null and not is_there then
      gone := gone || (thing ->> 'operationId');
      faults := faults || fault;
      continue;
    end if;
    -- A retry does not make another token, because the first address may have been sent.
    if thing ? 'page' and not is_there then
      message := message || jsonb_build_object('body', (message ->> 'body') || portal.page_suffix(lead, thing ->> 'page', now()));
    end if;
    message := portal.queue_message(jsonb_build_object('contactId', lead), (thing ->> 'operationId')::uuid,
      message || jsonb_build_object('writtenAt', p_written_at));
    -- Several things are sent one after the other. Before each further one the lead sees 'digitando…' for a second.
    update portal.outgoing o set typing_ms = 1000 where o.message_id = (message ->> 'id')::bigint and cardinality(sent) > 0;
    insert into portal.sent_material (message_id, development_id, label)
    values ((message ->> 'id')::bigint, p_development_id, coalesce(thing ->> 'label', '')) on conflict do nothing;
    sent := sent || (message ->> 'id')::bigint;
  end loop;
  if cardinality(sent) > 0 then
    perform portal.add_interest(lead, p_development_id, 'sent');
    perform portal.emit('material.sent', lead, jsonb_build_object('leadId', lead, 'developmentId', p_development_id, 'messageIds', sent,
      'instanceName', (select c."instanceName" from public.whatsapp_contacts c where c.id = lead)));
  end if;
  return portal.end_operation(account, p_operation_id, 'material.send', jsonb_build_object(
    'success', cardinality(sent) > 0, 'code', case when cardinality(sent) > 0 then 'saved' else 'gone' end,
    -- Only one fault fits into the message. min() puts the one of a changed price table first.
    'message', (select min(f) from unnest(faults) as f),
    'current', null, 'gone', gone, 'messages', sent,
    'instanceName', (select c."instanceName" from public.whatsapp_contacts c where c.id = lead)));
end $$;
comment on function public.material_send(bigint, integer, jsonb, timestamptz, uuid, text, text) is
  'Queues up to four things of a development as messages to the caller''s lead, in order. p_things: [{operationId, kind (image, document, location, text), fileId, fileKind, text (the caption), label, page, price ({cents, pricedOn} that the caption states)}]. A text with page, the slug of the development''s public page, ends with its address. If visits are shown, a token of this lead is added to the address. Files and the place come from the record, archived or not; the caption is the writer''s. The development becomes an interest of the lead. A retry, even of one thing, changes nothing. Returns {success, code, message, current, gone, messages, instanceName}. gone has the operations of things that are no longer in the record, or whose price no longer holds; code is gone if all are. PT404 for a lead that the caller does not reach, PT409 as for texts, PT422 for any other list. Brokers, gerentes and administrators.';
revoke execute on function public.material_send(bigint, integer, jsonb, timestamptz, uuid, text, text) from public, anon;
grant execute on function public.material_send(bigint, integer, jsonb, timestamptz, uuid, text, text) to authenticated, service_role;
