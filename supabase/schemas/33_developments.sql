-- Developments: what the agency sells, with plans, units, prices, photos and documents. Leads, rotations, agents and
-- sources have the name of a development as text; portal.development_names says which development each spelling means.

create table public.developments (
  id integer generated always as identity primary key,
  name text not null check (name = btrim(name) and length(name) between 1 and 120),
  builder text check (length(builder) <= 120),
  state text check (state in ('lancamento', 'em_obras', 'pronto')),
  delivers_on date check (extract(day from delivers_on) = 1),
  address text check (length(address) <= 200),
  district text check (length(district) <= 80),
  city text check (length(city) <= 80),
  place_name text check (length(place_name) <= 120),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  description text check (length(description) <= 4000),
  license text check (length(license) <= 40),
  price_from_cents bigint check (price_from_cents between 1 and 100000000000),
  priced_on date,
  valid_until date,
  version integer not null default 1,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text,
  constraint developments_place check ((latitude is null) = (longitude is null)),
  constraint developments_price check ((price_from_cents is null) = (valid_until is null) and (price_from_cents is null) = (priced_on is null))
);
comment on table public.developments is
  'What the agency sells. Everyone signed in reads those that are not archived, an administrator all; only the portal writes. A development is archived, never deleted.';
comment on column public.developments.delivers_on is 'First day of the month of delivery.';
comment on column public.developments.place_name is
  'The name of the place in a location message, such as that of the sales stand.';
comment on column public.developments.license is 'The registration (CRECI) that captions show.';
comment on column public.developments.price_from_cents is
  'The lowest price, used if no plan has one. A price is always shown with the day on which it was set and its last valid day.';
comment on column public.developments.valid_until is 'The last day of the price, in the portal''s time zone.';
comment on column public.developments.updated_by is
  'Who saved it last, as portal.actor() names them. Null: saved before this was recorded.';
comment on column public.developments.version is
  'Increases with each change. A save names the version that the editor read.';
alter table public.developments enable row level security;
create policy developments_read on public.developments for select to authenticated
  using ((archived_at is null and (select portal.is_member())) or (select portal.is_admin()));
comment on policy developments_read on public.developments is
  'Everyone signed in reads what is not archived, an administrator everything.';
grant select on public.developments to authenticated;
grant all on public.developments to service_role;

create table public.development_media (
  id integer generated always as identity primary key,
  development_id integer not null references public.developments on delete cascade,
  kind text not null check (kind in ('foto', 'tabela', 'book', 'planta', 'memorial')),
  place smallint not null,
  title text check (length(title) <= 120),
  media_id text not null check (media_id ~ '^[0-9a-f]{64}$'),
  thumb_id text check (thumb_id ~ '^[0-9a-f]{64}$'),
  mime_type text not null,
  file_name text not null check (length(file_name) <= 200),
  size_bytes integer not null check (size_bytes > 0),
  width integer,
  height integer,
  added_at timestamptz not null default now(),
  whole_id text check (whole_id ~ '^[0-9a-f]{64}$'),
  preview text check (length(preview) <= 4000)
);
comment on table public.development_media is
  'Photos in order, and documents, of a development: ids of files in the media store. Whoever reads the development reads them; only the portal writes.';
comment on column public.development_media.media_id is
  'The file that is sent. A picture is at most 1,080 pixels wide or high.';
comment on column public.development_media.thumb_id is 'The picture at most 320 pixels wide or high; null for a document.';
comment on column public.development_media.whole_id is
  'The picture at most 1,920 pixels wide or high, for whole screens. Null if the one that is sent is as large.';
comment on column public.development_media.preview is
  'A tiny JPEG in base64, which the bubble of a sent picture shows until the picture is loaded. Null for documents, and for pictures stored before previews.';
comment on column public.development_media.size_bytes is 'The bytes of all its sizes together.';
create index development_media_order on public.development_media (development_id, kind, place);
comment on index public.development_media_order is 'Serves one development''s files in order.';
create index development_media_files on public.development_media (media_id);
comment on index public.development_media_files is 'Serves the check whether a file is in use.';
create index development_media_wholes on public.development_media (whole_id) where whole_id is not null;
comment on index public.development_media_wholes is 'Serves the check whether a large picture is in use.';
create index development_media_thumbs on public.development_media (thumb_id) where thumb_id is not null;
comment on index public.development_media_thumbs is 'Serves the check whether a small picture is in use.';
alter table public.development_media enable row level security;
create policy development_media_read on public.development_media for select to authenticated
  using (exists (select from public.developments d where d.id = development_id));
comment on policy development_media_read on public.development_media is
  'Whoever reads the development reads its files.';
grant select on public.development_media to authenticated;
grant all on public.development_media to service_role;

create table public.development_plans (
  id integer generated always as identity primary key,
  development_id integer not null references public.developments on delete cascade,
  place smallint not null,
  name text not null check (name = btrim(name) and length(name) between 1 and 80),
  bedrooms smallint check (bedrooms between 0 and 50),
  suites smallint check (suites between 0 and 50),
  parking smallint check (parking between 0 and 50),
  area_from numeric(9, 2) check (area_from > 0),
  area_to numeric(9, 2) check (area_to >= area_from),
  price_from_cents bigint check (price_from_cents between 1 and 100000000000),
  price_to_cents bigint check (price_to_cents >= price_from_cents and price_to_cents <= 100000000000),
  priced_on date,
  valid_until date,
  units_left integer check (units_left between 0 and 100000),
  drawing_id integer references public.development_media on delete set null,
  constraint development_plans_price check ((price_from_cents is null) = (valid_until is null) and (price_from_cents is null) = (priced_on is null)
    and (price_to_cents is null or price_from_cents is not null))
);
comment on table public.development_plans is
  'Plans (plantas) of a development in order, with areas in square metres and prices in cents. Whoever reads the development reads them; only the portal writes.';
comment on column public.development_plans.priced_on is 'The day on which the price was set.';
comment on column public.development_plans.valid_until is 'The last day of the price, in the portal''s time zone.';
comment on column public.development_plans.units_left is 'Units for sale; null: not known.';
create index development_plans_order on public.development_plans (development_id, place);
comment on index public.development_plans_order is 'Serves one development''s plans in order.';
create index development_plans_drawing on public.development_plans (drawing_id);
comment on index public.development_plans_drawing is 'Serves the removal of a drawing.';
alter table public.development_plans enable row level security;
create policy development_plans_read on public.development_plans for select to authenticated
  using (exists (select from public.developments d where d.id = development_id));
comment on policy development_plans_read on public.development_plans is
  'Whoever reads the development reads its plans.';
grant select on public.development_plans to authenticated;
grant all on public.development_plans to service_role;

create table public.development_units (
  id integer generated always as identity primary key,
  development_id integer not null references public.developments on delete cascade,
  plan_id integer references public.development_plans on delete set null,
  tower text not null default '' check (length(tower) <= 40),
  code text not null check (code = btrim(code) and length(code) between 1 and 40),
  floor text check (length(floor) <= 20),
  area numeric(9, 2) check (area > 0),
  price_cents bigint check (price_cents between 1 and 100000000000),
  state text not null default 'disponivel' check (state in ('disponivel', 'reservado', 'vendido')),
  unique (development_id, tower, code)
);
comment on table public.development_units is
  'Units of a development. Whoever reads the development reads them; only the portal writes.';
create index development_units_plan on public.development_units (plan_id);
comment on index public.development_units_plan is 'Serves the removal of a plan.';
alter table public.development_units enable row level security;
create policy development_units_read on public.development_units for select to authenticated
  using (exists (select from public.developments d where d.id = development_id));
comment on policy development_units_read on public.development_units is
  'Whoever reads the development reads its units.';
grant select on public.development_units to authenticated;
grant all on public.development_units to service_role;

create table portal.development_names (
  key text primary key,
  development_id integer not null references public.developments on delete cascade
);
comment on table portal.development_names is
  'Each spelling of a development, as portal.development_key writes it: its name, earlier names, and texts that an administrator assigned to it. The portal only.';
create index development_names_development on portal.development_names (development_id);
comment on index portal.development_names_development is 'Serves the names of one development.';
alter table portal.development_names enable row level security;

create table portal.development_prices (
  id bigint generated always as identity primary key,
  development_id integer not null references public.developments on delete cascade,
  plan text not null,
  price_cents bigint,
  valid_until date,
  changed_by text,
  changed_at timestamptz not null default now()
);
comment on table portal.development_prices is
  'The history of prices: one row for each price that was set, changed or removed (null). plan is empty for the development''s own price. The portal only.';
create index development_prices_newest on portal.development_prices (development_id, id desc);
comment on index portal.development_prices_newest is 'Serves the history of one development, the newest first.';
alter table portal.development_prices enable row level security;


-- Names: which development a text means.

create function portal.keep_development_name() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  wanted text := portal.development_key(new.name);
  holder integer;
begin
  if wanted is null then
    raise exception 'O nome precisa de uma letra ou de um número.' using errcode = 'PT422', hint = 'development.name';
  end if;
  insert into portal.development_names (key, development_id) values (wanted, new.id) on conflict (key) do nothing;
  select n.development_id into holder from portal.development_names n where n.key = wanted;
  if holder <> new.id then
    raise exception 'Já existe um empreendimento com este nome: %.', (select d.name from public.developments d where d.id = holder)
      using errcode = 'PT409', hint = 'development.taken';
  end if;
  return null;
end $$;
comment on function portal.keep_development_name() is
  'Trigger on public.developments: the name, in any spelling, means this development from now on. 409 if another one has it.';
create trigger keep_development_name after insert or update of name on public.developments
  for each row execute function portal.keep_development_name();

create function portal.development_of(p_text text) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select n.development_id from portal.development_names n where n.key = portal.development_key(p_text));
end $$;
comment on function portal.development_of(text) is
  'The development that a text names, in any spelling. Null: none. Server only.';

create function portal.rename_texts(p_from text, p_to text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted text := portal.development_key(p_from);
  spelling text;
begin
  update public.roletas r set empreendimento = p_to
  where portal.development_key(r.empreendimento) = wanted and r.empreendimento <> p_to
    and not exists (select from public.roletas o where o.empreendimento = p_to);
  update public.prompts_agents a set empreendimento = p_to
  where portal.development_key(a.empreendimento) = wanted and a.empreendimento <> p_to
    and not exists (select from public.prompts_agents o where o.empreendimento = p_to);
  for spelling in
    select s.empreendimento from portal.lead_developments() s
    where portal.development_key(s.empreendimento) = wanted and s.empreendimento <> p_to loop
    update public.whatsapp_contacts c set empreendimento = p_to where c.empreendimento = spelling;
  end loop;
end $$;
comment on function portal.rename_texts(text, text) is
  'Replaces every spelling of p_from by p_to in rotations, agents and leads, so that reports do not count spellings apart. A rotation or an agent keeps its spelling if another one has the name p_to already. Server only.';

create function portal.lead_developments() returns table (empreendimento text)
language sql stable security definer set search_path = '' as $$
  with recursive spellings as (
    (select c.empreendimento from public.whatsapp_contacts c where c.empreendimento is not null order by 1 limit 1)
    union all
    select (select c.empreendimento from public.whatsapp_contacts c where c.empreendimento > s.empreendimento order by 1 limit 1)
    from spellings s where s.empreendimento is not null
  )
  select s.empreendimento from spellings s where s.empreendimento is not null
$$;
comment on function portal.lead_developments() is
  'Each spelling of a development that leads have, once. Each needs one look-up in an index. Server only.';

create function portal.source_developments() returns table (text text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select distinct n.name
    from portal.intake_keys k
    cross join lateral (
      select k.settings ->> 'development' as name
      union all
      select f.value from jsonb_each_text(case when jsonb_typeof(k.settings -> 'developmentByForm') = 'object'
        then k.settings -> 'developmentByForm' else '{}' end) f) n
    where k.revoked_at is null and btrim(n.name) <> '';
end $$;
comment on function portal.source_developments() is
  'Each text by which sources that still work name a development, for all their leads or for those of one form. Server only.';

create function portal.unbound_developments() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('text', u.text, 'leads', u.leads) order by u.leads desc, u.text), '[]')
    from (
      select s.empreendimento as text, (select count(*) from public.whatsapp_contacts c where c.empreendimento = s.empreendimento) as leads
      from portal.lead_developments() s
      where portal.development_of(s.empreendimento) is null
      union all
      select s.text, 0 from portal.source_developments() s
      where portal.development_of(s.text) is null
        and not exists (select from public.whatsapp_contacts c where c.empreendimento = s.text)
    ) u
  );
end $$;
comment on function portal.unbound_developments() is
  'Development names in leads and sources that belong to no development: [{text, leads}], the most frequent first. Administrators, through the server only.';

create function portal.bind_development(p_text text, p_development integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted text := portal.development_key(p_text);
  named public.developments;
begin
  perform portal.require_admin();
  select * into named from public.developments d where d.id = p_development for update;
  if named.id is null then
    raise exception 'Empreendimento não encontrado.' using errcode = 'PT404', hint = 'development.unknown';
  elsif wanted is null then
    raise exception 'Este texto não tem letras nem números.' using errcode = 'PT422', hint = 'development.name';
  end if;
  insert into portal.development_names (key, development_id) values (wanted, p_development) on conflict (key) do nothing;
  if portal.development_of(p_text) <> p_development then
    raise exception 'Este texto já é de outro empreendimento.' using errcode = 'PT409', hint = 'development.taken';
  end if;
  perform portal.rename_texts(p_text, named.name);
  perform portal.audit('development.bound', named.name, jsonb_build_object('text', left(p_text, 120)));
  return jsonb_build_object('id', p_development);
end $$;
comment on function portal.bind_development(text, integer) is
  'Assigns a text to a development from now on. Leads, rotations and agents with that text get the development''s name; audited. A repeat changes nothing. 404 for an unknown development, 409 if the text belongs to another one. Administrators, through the server only.';


-- The record of a development, which is read and saved as a whole.

create function portal.development_texts(p_development integer) returns text[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(s.empreendimento), '{}') from portal.lead_developments() s
  where portal.development_of(s.empreendimento) = p_development
$$;
comment on function portal.development_texts(integer) is
  'The spellings in leads that mean a development. Server only.';

create function portal.development_leads(p_development integer, p_list text, p_now timestamptz)
returns table (contact_id bigint, name text, number text, "instanceName" text, stage text, waiting_since timestamptz, visit_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  -- This is plpgsql, because portal.sent_lately is created below.
  return query
    select c.id, c.name, c.number, c."instanceName", k.name, c.waiting_since, v.due_at
    from public.whatsapp_contacts c
    join public.kanban_stages k on k.slug = c.status
    left join lateral (
      select a.due_at from portal.actions a
      where p_list = 'visits' and a.contact_id = c.id and a.kind = 'visit' and a.outcome is distinct from 'removed'
        and date_trunc('week', a.due_at at time zone portal.time_zone()) = date_trunc('week', p_now at time zone portal.time_zone())
    ) v on true
    where c.empreendimento = any (portal.development_texts(p_development))
      and case p_list
        when 'open' then k.kind = 'open'
        when 'waiting' then k.kind = 'open' and c.waiting_since is not null
        when 'visits' then v.due_at is not null
      end
    union all
    select c.id, c.name, c.number, c."instanceName", k.name, c.waiting_since, null
    from public.whatsapp_contacts c join public.kanban_stages k on k.slug = c.status
    where p_list = 'sent' and c.id in (select s.contact_id from portal.sent_lately(p_development, p_now) s);
end $$;
comment on function portal.development_leads(integer, text, timestamptz) is
  'The leads of a development for a list. p_list open: in an open stage. waiting: those of them who wait for an answer. visits: one row for each visit in the week of p_now (Monday to Sunday in the portal''s time zone), removed ones left out. sent: to whom its material was sent in the last 30 days. Server only.';

create function portal.sent_lately(p_development integer, p_now timestamptz) returns table (message_id bigint, contact_id bigint, "timestamp" bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  -- This is plpgsql, because portal.sent_material is created in a later file.
  return query
    select m.id, m.contact_id, m."timestamp"::bigint
    from portal.sent_material t join public.whatsapp_messages m on m.id = t.message_id
    where t.development_id = p_development and m.delivery <> 'failed' and m.deleted_at is null
      and m."timestamp" >= extract(epoch from p_now - interval '30 days');
end $$;
comment on function portal.sent_lately(integer, timestamptz) is
  'Messages of the last 30 days that carried material of a development; failed and deleted ones are left out. Server only.';

create function portal.development_usage(p_development integer, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  names text[] := portal.development_texts(p_development);
begin
  return jsonb_build_object(
    'texts', to_jsonb(names),
    'rotation', (
      select jsonb_build_object('name', r.empreendimento, 'isActive', r.ativa,
        'brokers', (select count(*) from public.roleta_corretores s where s."roletaName" = r.empreendimento))
      from public.roletas r where portal.development_of(r.empreendimento) = p_development order by r.id limit 1),
    'agent', (
      select jsonb_build_object('id', a.id, 'mode', coalesce(s.mode, 'off'), 'facts', count(f.id),
        'expired', count(f.id) filter (where f.valid_until < (p_now at time zone portal.time_zone())::date))
      from public.prompts_agents a
      left join portal.agent_settings s on s.agent_id = a.id
      left join portal.agent_facts f on f.agent_id = a.id
      where portal.development_of(a.empreendimento) = p_development group by a.id, s.mode order by a.id limit 1),
    'sources', (
      select coalesce(jsonb_agg(k.name order by k.name), '[]') from portal.intake_keys k
      where k.revoked_at is null and portal.development_of(k.settings ->> 'development') = p_development),
    'openLeads', (select count(*) from portal.development_leads(p_development, 'open', p_now)),
    'waitingLeads', (select count(*) from portal.development_leads(p_development, 'waiting', p_now)),
    'visits', (select count(*) from portal.development_leads(p_development, 'visits', p_now)),
    'sentLeads', (select count(*) from portal.development_leads(p_development, 'sent', p_now)),
    'sentThings', (select count(*) from portal.sent_lately(p_development, p_now)),
    'sentAnswered', (
      select count(distinct s.contact_id) from portal.sent_lately(p_development, p_now) s
      where exists (
        select from public.whatsapp_messages m
        where m.contact_id = s.contact_id and m.type = 'incoming' and m."timestamp" > s."timestamp")));
end $$;
comment on function portal.development_usage(integer, timestamptz) is
  'Where a development is used: {texts (its spellings in leads), rotation {name, isActive, brokers}, agent {id, mode, facts, expired}, sources (names); openLeads, waitingLeads, visits (of this week) and sentLeads: numbers of rows of portal.development_leads; sentThings: number of photos, documents and so on that were sent in the last 30 days; sentAnswered: how many of sentLeads wrote after that}. Server only.';

create function portal.development_summary(p_development integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('id', d.id, 'version', d.version, 'name', d.name, 'builder', d.builder, 'state', d.state,
      'deliversOn', d.delivers_on, 'address', d.address, 'district', d.district, 'city', d.city, 'placeName', d.place_name,
      'latitude', d.latitude, 'longitude', d.longitude, 'description', d.description, 'license', d.license,
      'priceFromCents', d.price_from_cents, 'pricedOn', d.priced_on, 'validUntil', d.valid_until, 'archivedAt', d.archived_at,
      'plans', (
        select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'bedrooms', p.bedrooms, 'suites', p.suites,
          'parking', p.parking, 'areaFrom', p.area_from, 'areaTo', p.area_to, 'priceFromCents', p.price_from_cents,
          'priceToCents', p.price_to_cents, 'pricedOn', p.priced_on, 'validUntil', p.valid_until, 'unitsLeft', p.units_left,
          'drawingId', p.drawing_id) order by p.place, p.id), '[]')
        from public.development_plans p where p.development_id = d.id),
      'media', (
        select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'kind', m.kind, 'title', m.title, 'mimeType', m.mime_type,
          'fileName', m.file_name, 'sizeBytes', m.size_bytes, 'width', m.width, 'height', m.height, 'addedAt', m.added_at)
          order by m.kind = 'foto' desc, m.place, m.id), '[]')
        from public.development_media m where m.development_id = d.id))
    from public.developments d where d.id = p_development);
end $$;
comment on function portal.development_summary(integer) is
  'A development with plans and files in order, without its units, which can be thousands; money in cents, areas in square metres, days as yyyy-mm-dd. Null if there is none. Server only.';

create function portal.development_record(p_development integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return portal.development_summary(p_development) || jsonb_build_object('units', (
    select coalesce(jsonb_agg(jsonb_build_object('planId', u.plan_id, 'tower', u.tower, 'code', u.code, 'floor', u.floor,
      'area', u.area, 'priceCents', u.price_cents, 'state', u.state) order by u.tower, u.code), '[]')
    from public.development_units u where u.development_id = p_development));
end $$;
comment on function portal.development_record(integer) is
  'portal.development_summary with the units, by tower and code. Null if there is none. Server only.';

create function portal.available_units() returns table (development_id integer, available integer)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select u.development_id, (count(*) filter (where u.state = 'disponivel'))::integer from public.development_units u group by 1;
end $$;
comment on function portal.available_units() is
  'How many units of each development are available. A development without units has no row. Server only.';

create function portal.price_history(p_development integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('plan', h.plan, 'priceCents', h.price_cents, 'validUntil', h.valid_until,
    'changedBy', h.changed_by, 'changedAt', h.changed_at) order by h.id desc), '[]')
  from (select * from portal.development_prices p where p.development_id = p_development order by p.id desc limit 50) h
$$;
comment on function portal.price_history(integer) is
  'The 50 newest prices of a development, the newest first: [{plan, priceCents, validUntil, changedBy, changedAt}]. Server only.';

create function portal.development_details(p_development integer, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  record jsonb;
begin
  perform portal.require_admin();
  record := portal.development_record(p_development);
  if record is null then
    raise exception 'Empreendimento não encontrado.' using errcode = 'PT404', hint = 'development.unknown';
  end if;
  return record || jsonb_build_object(
    'savedBy', (select d.updated_by from public.developments d where d.id = p_development),
    'savedAt', (select d.updated_at from public.developments d where d.id = p_development),
    'usage', portal.development_usage(p_development, p_now),
    'prices', portal.price_history(p_development));
end $$;
comment on function portal.development_details(integer, timestamptz) is
  'portal.development_record with savedBy and savedAt (its last change), usage (portal.development_usage) and prices, its 50 newest prices. 404 for an unknown development. Administrators, through the server only.';

create function portal.list_development_leads(p_development integer, p_list text, p_most integer, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', l.contact_id, 'name', l.name, 'number', l.number,
      'instanceName', l."instanceName", 'stage', l.stage, 'waitingSince', l.waiting_since, 'visitAt', l.visit_at)
      order by l.visit_at, l.waiting_since, l.contact_id desc), '[]')
    from (
      select * from portal.development_leads(p_development, p_list, p_now) f
      order by f.visit_at, f.waiting_since, f.contact_id desc limit p_most) l);
end $$;
comment on function portal.list_development_leads(integer, text, integer, timestamptz) is
  'The first p_most rows of portal.development_leads: visits by their hour, leads who have waited longest first. Administrators, through the server only.';

create function portal.list_developments(p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    with bound as materialized (
      select portal.development_of(s.empreendimento) as development_id, count(*) filter (where k.kind = 'open') as leads
      from portal.lead_developments() s
      join public.whatsapp_contacts c on c.empreendimento = s.empreendimento
      join public.kanban_stages k on k.slug = c.status
      group by 1
    ),
    rotations as materialized (
      select portal.development_of(r.empreendimento) as development_id, min(r.empreendimento) as name from public.roletas r group by 1
    ),
    agents as materialized (
      select distinct on (portal.development_of(a.empreendimento)) portal.development_of(a.empreendimento) as development_id,
        coalesce(s.mode, 'off') as mode
      from public.prompts_agents a left join portal.agent_settings s on s.agent_id = a.id order by 1, a.id
    )
    select coalesce(jsonb_agg(portal.development_summary(d.id) - 'description' || jsonb_build_object('openLeads', coalesce(b.leads, 0),
      'rotation', r.name, 'agentMode', g.mode, 'unitsAvailable', u.available) order by portal.fold(d.name), d.id), '[]')
    from public.developments d
    left join portal.available_units() u on u.development_id = d.id
    left join bound b on b.development_id = d.id
    left join rotations r on r.development_id = d.id
    left join agents g on g.development_id = d.id
  );
end $$;
comment on function portal.list_developments(timestamptz) is
  'All developments by name, archived ones too: portal.development_summary without description, with openLeads, rotation (a name), agentMode and unitsAvailable, null where there is none. Administrators, through the server only.';

create function portal.note_price(p_development integer, p_plan text, p_was jsonb, p_is jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if (p_was ->> 'priceFromCents', p_was ->> 'validUntil') is distinct from (p_is ->> 'priceFromCents', p_is ->> 'validUntil') then
    insert into portal.development_prices (development_id, plan, price_cents, valid_until, changed_by)
    values (p_development, p_plan, (p_is ->> 'priceFromCents')::bigint, (p_is ->> 'validUntil')::date, portal.actor());
    delete from portal.development_prices h
    where h.development_id = p_development and h.id <= (
      select o.id from portal.development_prices o where o.development_id = p_development order by o.id desc offset 500 limit 1);
  end if;
end $$;
comment on function portal.note_price(integer, text, jsonb, jsonb) is
  'Adds a price to the history if the price or its last day has changed. Only the 500 newest are kept. Server only.';

create function portal.priced_on(p_was jsonb, p_is jsonb, p_today date) returns date
language sql immutable set search_path = '' as $$
  select case
    when p_is ->> 'priceFromCents' is null then null
    when p_is ->> 'priceFromCents' = p_was ->> 'priceFromCents' and p_is ->> 'validUntil' = p_was ->> 'validUntil'
      then (p_was ->> 'pricedOn')::date
    else p_today end
$$;
comment on function portal.priced_on(jsonb, jsonb, date) is
  'The day of a price: today if the price or its last day has changed, else the day it had. Server only.';

create function portal.save_plans(p_development integer, p_before jsonb, p_plans jsonb, p_today date) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  plan jsonb;
  nth smallint;
  was jsonb;
begin
  perform portal.note_price(p_development, w ->> 'name', w, '{}')
  from jsonb_array_elements(p_before) w
  where not exists (select from jsonb_array_elements(p_plans) k where k -> 'id' = w -> 'id');
  delete from public.development_plans p
  where p.development_id = p_development and not exists (
    select from jsonb_array_elements(p_plans) k where (k ->> 'id')::integer = p.id);
  for plan, nth in select e, n from jsonb_array_elements(p_plans) with ordinality as t (e, n) loop
    was := (select w from jsonb_array_elements(p_before) w where w -> 'id' = plan -> 'id');
    if was is null then
      insert into public.development_plans (development_id, place, name) values (p_development, nth, plan ->> 'name')
      returning plan || jsonb_build_object('id', id) into plan;
    end if;
    update public.development_plans p
    set place = nth, name = plan ->> 'name', bedrooms = (plan ->> 'bedrooms')::smallint,
      suites = (plan ->> 'suites')::smallint, parking = (plan ->> 'parking')::smallint,
      area_from = (plan ->> 'areaFrom')::numeric, area_to = (plan ->> 'areaTo')::numeric,
      price_from_cents = (plan ->> 'priceFromCents')::bigint, price_to_cents = (plan ->> 'priceToCents')::bigint,
      priced_on = portal.priced_on(was, plan, p_today), valid_until = (plan ->> 'validUntil')::date,
      units_left = (plan ->> 'unitsLeft')::integer,
      drawing_id = (
        select m.id from public.development_media m
        where m.id = (plan ->> 'drawingId')::integer and m.development_id = p_development)
    where p.id = (plan ->> 'id')::integer and p.development_id = p_development;
    perform portal.note_price(p_development, plan ->> 'name', was, plan);
  end loop;
end $$;
comment on function portal.save_plans(integer, jsonb, jsonb, date) is
  'Replaces the plans of a development by those of the list, in its order. A plan with an id is changed, one without is added, a missing one is deleted. Changed prices are added to the history. Server only.';

create function portal.save_units(p_development integer, p_units jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from public.development_units u
  where u.development_id = p_development and not exists (
    select from jsonb_array_elements(p_units) w where w ->> 'code' = u.code and coalesce(w ->> 'tower', '') = u.tower);
  insert into public.development_units as u (development_id, plan_id, tower, code, floor, area, price_cents, state)
  select p_development, (
      select p.id from public.development_plans p where p.id = (w ->> 'planId')::integer and p.development_id = p_development),
    coalesce(w ->> 'tower', ''), w ->> 'code', w ->> 'floor', (w ->> 'area')::numeric, (w ->> 'priceCents')::bigint, w ->> 'state'
  from jsonb_array_elements(p_units) w
  on conflict (development_id, tower, code) do update
  set plan_id = excluded.plan_id, floor = excluded.floor, area = excluded.area, price_cents = excluded.price_cents, state = excluded.state
  where (u.plan_id, u.floor, u.area, u.price_cents, u.state)
    is distinct from (excluded.plan_id, excluded.floor, excluded.area, excluded.price_cents, excluded.state);
exception
  when cardinality_violation then
    raise exception 'Há duas unidades com o mesmo código.' using errcode = 'PT422', hint = 'development.units';
end $$;
comment on function portal.save_units(integer, jsonb) is
  'Replaces the units of a development by those of the list. Tower and code identify a unit; 422 if two have the same. Server only.';

create function portal.save_media(p_development integer, p_media jsonb, p_removed integer[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  with gone as (
    delete from public.development_media m where m.development_id = p_development and m.id = any (p_removed)
    returning m.media_id, m.thumb_id, m.whole_id
  )
  insert into portal.media_removals (media_id)
  select distinct f from gone cross join lateral unnest(array[gone.media_id, gone.thumb_id, gone.whole_id]) as f where f is not null
  on conflict do nothing;
  -- A file that another administrator added meanwhile stays, behind those of the list.
  update public.development_media m
  set place = coalesce(w.place, 1000 + m.place % 1000), title = case when w.place is null then m.title else w.file ->> 'title' end
  from public.development_media o
  left join jsonb_array_elements(p_media) with ordinality as w (file, place) on (w.file ->> 'id')::integer = o.id
  where m.id = o.id and o.development_id = p_development
    and (m.place, m.title) is distinct from
      (coalesce(w.place, 1000 + m.place % 1000), case when w.place is null then m.title else w.file ->> 'title' end);
end $$;
comment on function portal.save_media(integer, jsonb, integer[]) is
  'Removes files of a development and puts the others in the order of the list [{id, title}]. Removed files go to portal.media_removals. Server only.';

create function portal.write_development(p_before jsonb, p_wanted jsonb, p_now timestamptz) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant integer := 2000;
  before jsonb := coalesce(p_before, '{"plans": []}');
  saved integer := p_before ->> 'id';
  today date := (p_now at time zone portal.time_zone())::date;
begin
  if saved is null then
    if (select count(*) from public.developments) >= most then
      raise exception 'Já há % empreendimentos. Arquivados também contam: mude o nome de um que não serve mais.', most
        using errcode = 'PT409', hint = 'development.too-many';
    end if;
    insert into public.developments (name) values (p_wanted ->> 'name') returning id into saved;
  end if;
  update public.developments d
  set name = p_wanted ->> 'name', builder = p_wanted ->> 'builder', state = p_wanted ->> 'state',
    delivers_on = (p_wanted ->> 'deliversOn')::date, address = p_wanted ->> 'address', district = p_wanted ->> 'district',
    city = p_wanted ->> 'city', place_name = p_wanted ->> 'placeName', latitude = (p_wanted ->> 'latitude')::double precision,
    longitude = (p_wanted ->> 'longitude')::double precision, description = p_wanted ->> 'description', license = p_wanted ->> 'license',
    price_from_cents = (p_wanted ->> 'priceFromCents')::bigint, valid_until = (p_wanted ->> 'validUntil')::date,
    priced_on = portal.priced_on(before, p_wanted, today), version = d.version + 1, updated_at = p_now, updated_by = portal.actor()
  where d.id = saved;
  perform portal.note_price(saved, '', before, p_wanted);
  perform portal.save_media(saved, p_wanted -> 'media', array(
    select r::integer from jsonb_array_elements_text(p_wanted -> 'removedMedia') as r));
  perform portal.save_plans(saved, before -> 'plans', p_wanted -> 'plans', today);
  if p_wanted ? 'units' then perform portal.save_units(saved, p_wanted -> 'units'); end if;
  if before ->> 'name' <> p_wanted ->> 'name' then perform portal.rename_texts(before ->> 'name', p_wanted ->> 'name'); end if;
  if p_before is null then
    perform portal.audit('development.made', p_wanted ->> 'name');
  else
    perform portal.audit('development.changed', p_wanted ->> 'name');
  end if;
  return saved;
end $$;
comment on function portal.write_development(jsonb, jsonb, timestamptz) is
  'Adds a development, or changes the one that p_before shows, as a whole and audited; returns its id. 409 for more than 2,000 or a name that is taken, 422 for a name without letters or two equal units. Server only.';

create function portal.save_development(p_development integer, p_version integer, p_wanted jsonb, p_operation_id uuid, p_now timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  before jsonb;
  saved integer;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  if p_development is not null then
    perform from public.developments d where d.id = p_development for update;
    before := portal.development_details(p_development, p_now);
    if (before ->> 'version')::integer is distinct from p_version then
      raise exception 'Este empreendimento foi alterado por outra pessoa. Abra-o de novo para ver como ficou.'
        using errcode = 'PT409', hint = 'development.changed';
    end if;
  end if;
  saved := portal.write_development(before, p_wanted, p_now);
  return portal.end_operation(portal.account_id(), p_operation_id, 'development.save', portal.development_details(saved, p_now));
end $$;
comment on function portal.save_development(integer, integer, jsonb, uuid, timestamptz) is
  'Adds a development (p_development null) or saves it as a whole, audited. p_wanted has the fields of portal.development_record: plans in order, media [{id, title}] in order, removedMedia (ids), and units if they are to change. A changed price gets today''s date. Rotations, agents and leads get a changed name, too. A retry of the operation changes nothing. Returns portal.development_details. 409 if somebody else changed it since, the name is taken or there are 2,000 already; 404 for an unknown one; 422 for a name without letters or two equal units. Administrators, through the server only.';

create function portal.set_archived(p_development integer, p_is_archived boolean, p_now timestamptz) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  named text;
begin
  update public.developments d
  set archived_at = case when p_is_archived then p_now end, version = d.version + 1, updated_at = p_now, updated_by = portal.actor()
  where d.id = p_development and (d.archived_at is null) = p_is_archived
  returning d.name into named;
  if named is null then return false; end if;
  if p_is_archived then
    perform portal.audit('development.archived', named);
  else
    perform portal.audit('development.returned', named);
  end if;
  return true;
end $$;
comment on function portal.set_archived(integer, boolean, timestamptz) is
  'Archives a development or brings it back, audited. Returns false if it was so already, or is unknown. Server only.';

create function portal.archive_development(p_development integer, p_is_archived boolean, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  perform portal.set_archived(p_development, p_is_archived, p_now);
  return portal.development_details(p_development, p_now);
end $$;
comment on function portal.archive_development(integer, boolean, timestamptz) is
  'Archives a development or brings it back, audited; a repeat changes nothing. Brokers do not see an archived one; leads keep its name. Returns portal.development_details. 404 for an unknown one. Administrators, through the server only.';

create function portal.development_room(p_development integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  if not exists (select from public.developments d where d.id = p_development) then
    raise exception 'Empreendimento não encontrado.' using errcode = 'PT404', hint = 'development.unknown';
  end if;
  return jsonb_build_object(
    'files', (select count(*) from public.development_media m where m.development_id = p_development),
    'bytes', (select coalesce(sum(m.size_bytes), 0) from public.development_media m));
end $$;
comment on function portal.development_room(integer) is
  'How many files a development has, and the bytes of all files of all developments: {files, bytes}. 404 for an unknown development. Administrators, through the server only.';

create function portal.add_development_media(p_development integer, p_media jsonb, p_max_files integer, p_max_bytes bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  room jsonb;
  added integer;
begin
  perform portal.require_admin();
  -- Only one upload at a time counts the files, so that many at once cannot exceed the limits.
  perform pg_advisory_xact_lock(71302233);
  room := portal.development_room(p_development);
  if (room ->> 'files')::integer >= p_max_files then
    raise exception 'Este empreendimento já tem % arquivos. Tire um para pôr outro.', p_max_files
      using errcode = 'PT409', hint = 'development.full';
  elsif (room ->> 'bytes')::bigint + (p_media ->> 'sizeBytes')::bigint > p_max_bytes then
    raise exception 'Não há mais espaço para materiais. Tire arquivos que não são mais usados.'
      using errcode = 'PT409', hint = 'development.no-space';
  end if;
  insert into public.development_media (development_id, kind, place, title, media_id, thumb_id, mime_type, file_name, size_bytes, width, height, whole_id, preview)
  select p_development, p_media ->> 'kind', coalesce(max(m.place), 0) + 1, p_media ->> 'title', p_media ->> 'mediaId', p_media ->> 'thumbId',
    p_media ->> 'mimeType', p_media ->> 'fileName', (p_media ->> 'sizeBytes')::integer, (p_media ->> 'width')::integer, (p_media ->> 'height')::integer,
    p_media ->> 'wholeId', p_media ->> 'preview'
  from public.development_media m where m.development_id = p_development
  returning id into added;
  return (
    select f from jsonb_array_elements(portal.development_summary(p_development) -> 'media') as f where (f ->> 'id')::integer = added);
end $$;
comment on function portal.add_development_media(integer, jsonb, integer, bigint) is
  'Adds a stored file {kind, title, mediaId, thumbId, wholeId, preview, mimeType, fileName, sizeBytes, width, height} to a development, at the end; returns it as in portal.development_summary. 409 beyond the number of files of one development or the bytes of all, 404 for an unknown development. Administrators, through the server only.';

create function portal.development_file(p_id integer, p_is_small boolean) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_member();
  return (
    select jsonb_build_object('mediaId', case when p_is_small then coalesce(m.thumb_id, m.media_id) else coalesce(m.whole_id, m.media_id) end,
      'mimeType', case when p_is_small and m.thumb_id is not null then 'image/jpeg' else m.mime_type end, 'fileName', m.file_name,
      'sizeBytes', m.size_bytes)
    from public.development_media m join public.developments d on d.id = m.development_id
    where m.id = p_id and (d.archived_at is null or portal.is_admin()));
end $$;
comment on function portal.development_file(integer, boolean) is
  'A file of a development that the caller may read: {mediaId, mimeType, fileName, sizeBytes}. Of a picture it is the largest size, or the small one if asked. Null if there is none. Members, through the server only.';


-- What an agent may state about a development: facts of its record that are valid on a day.

create function portal.reais(p_cents bigint) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select 'R$ ' || replace(to_char(p_cents / 100, 'FM999,999,999,990'), ',', '.')
    || case when p_cents % 100 = 0 then '' else ',' || lpad((p_cents % 100)::text, 2, '0') end
$$;
comment on function portal.reais(bigint) is
  'Cents as ''R$ 412.000''; decimals are shown only if they are not zero. Server only.';

create function portal.counted(p_count integer, p_one text, p_many text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select p_count || ' ' || case when p_count = 1 then p_one else p_many end
$$;
comment on function portal.counted(integer, text, text) is
  'A count with its noun: ''1 vaga'', ''2 vagas''. Null without a count. Server only.';

create function portal.area_text(p_area numeric) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select replace(trim_scale(p_area)::text, '.', ',')
$$;
comment on function portal.area_text(numeric) is 'Square metres as ''62,5''. Server only.';

create function portal.price_text(p_from bigint, p_to bigint, p_priced_on date, p_valid_until date) returns text
language sql immutable parallel safe set search_path = '' as $$
  select 'a partir de ' || portal.reais(p_from) || coalesce(' até ' || portal.reais(p_to), '')
    || ' (tabela de ' || to_char(p_priced_on, 'DD/MM') || ', vale até ' || to_char(p_valid_until, 'DD/MM') || ')'
$$;
comment on function portal.price_text(bigint, bigint, date, date) is
  'A price with the day on which it was set and its last day; never one without the other. Server only.';

create function portal.record_facts(p_development integer, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date := (p_now at time zone portal.time_zone())::date;
  d public.developments;
begin
  select * into d from public.developments o where o.id = p_development and o.archived_at is null;
  if d.id is null then return '[]'; end if;
  return (
    with plans as (
      select p.*, p.price_from_cents is not null and p.valid_until >= today and p.units_left is distinct from 0 as is_priced
      from public.development_plans p where p.development_id = d.id
    ),
    facts (rank, place, label, value, is_price, at) as (
      select 1, 0, 'Endereço', nullif(concat_ws(', ', d.address, d.district, d.city), ''), false, d.updated_at::date
      union all select 2, 0, 'Fase', case d.state when 'lancamento' then 'lançamento' when 'em_obras' then 'em obras' when 'pronto' then 'pronto' end,
        false, d.updated_at::date
      union all select 3, 0, 'Entrega', to_char(d.delivers_on, 'MM/YYYY'), false, d.updated_at::date
      union all select 4, 0, 'Incorporadora', d.builder, false, d.updated_at::date
      union all select 5, 0, 'Preço', portal.price_text(d.price_from_cents, null, d.priced_on, d.valid_until), true, d.priced_on
      where d.valid_until >= today and not exists (select from plans p where p.price_from_cents is not null)
      union all select 7, f.rank, f.label, f.url, false, d.updated_at::date from portal.public_links(d.id) f
      union all select 6, p.place, 'Planta ' || p.name, nullif(concat_ws(', ',
          portal.area_text(p.area_from) || coalesce(' a ' || portal.area_text(p.area_to), '') || ' m²',
          portal.counted(p.suites, 'suíte', 'suítes'), portal.counted(p.parking, 'vaga', 'vagas'),
          case when p.units_left = 0 then 'esgotada' end,
          case when p.is_priced then portal.price_text(p.price_from_cents, p.price_to_cents, p.priced_on, p.valid_until) end), ''),
        p.is_priced, case when p.is_priced then p.priced_on else d.updated_at::date end
      from plans p
    )
    select coalesce(jsonb_agg(jsonb_build_object('label', f.label, 'value', f.value, 'isPrice', f.is_price, 'at', f.at)
      order by f.rank, f.place), '[]')
    from facts f where f.value is not null);
end $$;
comment on function portal.record_facts(integer, timestamptz) is
  'The facts of a development''s record today, [{label, value, isPrice, at}]: place, phase, delivery, builder, each plan, and addresses of its public page and papers. A price is left out after its last day, and for a plan that is sold out. The development''s own price is left out if any plan has one. An archived development has no facts. Server only.';


-- Developments in the API for other systems.

create function portal.machine_development(p_development integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select r.record - '{archivedAt,media,plans}'::text[] || jsonb_build_object(
    'isArchived', r.record ->> 'archivedAt' is not null,
    'plans', (
      select coalesce(jsonb_agg(f - 'drawingId' order by o), '[]')
      from jsonb_array_elements(r.record -> 'plans') with ordinality as g (f, o)))
  from (select portal.development_summary(p_development)) as r (record)
$$;
comment on function portal.machine_development(integer) is
  'A development as /api/v1 returns it: portal.development_summary with isArchived, without files. Server only.';

create function portal.machine_developments(p_after bigint, p_most integer, p_filter jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_grant('developments:read');
  return (
    select coalesce(jsonb_agg(portal.machine_development(d.id) order by d.id), '[]')
    from (select o.id from public.developments o where o.id > p_after order by o.id limit p_most) d);
end $$;
comment on function portal.machine_developments(bigint, integer, jsonb) is
  'Developments after an id, archived ones too; there is no filter. Needs developments:read. Server only.';

create function portal.machine_development_of(p_development bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  development jsonb;
begin
  perform portal.require_grant('developments:read');
  select portal.machine_development(d.id) || jsonb_build_object('units', portal.development_record(d.id) -> 'units', 'prices', portal.price_history(d.id))
  into development from public.developments d where d.id = p_development;
  if not found then
    raise exception 'Empreendimento não encontrado.' using errcode = 'PT404', hint = 'development.unknown';
  end if;
  return development;
end $$;
comment on function portal.machine_development_of(bigint) is
  'One development with units and its newest prices; 404 for an unknown one. Needs developments:read. Server only.';

create function portal.machine_development_before(p_development bigint, p_expected integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  locked public.developments;
begin
  perform portal.require_grant('developments:write');
  select * into locked from public.developments d where d.id = p_development for update;
  if locked.id is null then
    raise exception 'Empreendimento não encontrado.' using errcode = 'PT404', hint = 'development.unknown';
  elsif locked.version <> p_expected then
    raise exception 'O empreendimento já foi alterado. Leia-o de novo.' using errcode = 'PT409', hint = 'development.changed';
  end if;
  return portal.development_record(locked.id);
end $$;
comment on function portal.machine_development_before(bigint, integer) is
  'Locks a development and returns its record as it is before a change. 404 for an unknown one, 409 if it has another version than expected (null: any). Needs developments:write. Server only.';

create function portal.machine_save_development(p_before jsonb, p_wanted jsonb, p_is_archived boolean, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  saved integer := p_before ->> 'id';
  is_archived boolean := false;
begin
  perform portal.require_grant('developments:write');
  if p_wanted is not null then saved := portal.write_development(p_before, p_wanted, p_now); end if;
  if p_is_archived is not null then is_archived := portal.set_archived(saved, p_is_archived, p_now); end if;
  return (
    select jsonb_build_object('id', d.id, 'version', d.version, 'isArchived', d.archived_at is not null,
      'isChanged', p_wanted is not null or is_archived)
    from public.developments d where d.id = saved);
end $$;
comment on function portal.machine_save_development(jsonb, jsonb, boolean, timestamptz) is
  'Adds a development (p_before null) or changes the one that portal.machine_development_before returned. p_wanted as in portal.save_development; null leaves everything. p_is_archived null leaves that. Returns {id, version, isArchived, isChanged}. 409 and 422 as portal.write_development. Needs developments:write. Server only.';
