-- The feed of listings (VRSync): what another program of the agency advertises, read into public.listings. A reading
-- stores only what changed. An administrator sees new and gone listings before they are applied, and of an hourly
-- reading all changes but those of prices, texts and photos.

create table public.listings (
  id integer generated always as identity primary key,
  code text not null unique check (code = btrim(code) and length(code) between 1 and 50),
  business text not null check (business in ('venda', 'aluguel', 'ambos')),
  kind text not null check (length(kind) between 1 and 80),
  title text not null check (length(title) between 1 and 200),
  description text check (length(description) <= 10000),
  sale_cents bigint check (sale_cents between 1 and 100000000000),
  rent_cents bigint check (rent_cents between 1 and 100000000000),
  rent_period text check (rent_period in ('dia', 'semana', 'mes', 'ano')),
  condo_cents bigint check (condo_cents between 1 and 100000000000),
  tax_cents bigint check (tax_cents between 1 and 100000000000),
  tax_period text check (tax_period in ('dia', 'semana', 'mes', 'ano')),
  area numeric(9, 2) check (area > 0),
  lot_area numeric(9, 2) check (lot_area > 0),
  bedrooms smallint check (bedrooms between 0 and 999),
  bathrooms smallint check (bathrooms between 0 and 999),
  suites smallint check (suites between 0 and 999),
  parking smallint check (parking between 0 and 999),
  address text check (length(address) <= 200),
  district text check (length(district) <= 120),
  city text check (length(city) <= 120),
  state text check (state ~ '^[A-Z]{2}$'),
  postal_code text check (length(postal_code) <= 12),
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  development_name text check (length(development_name) <= 120),
  lister_name text check (length(lister_name) <= 120),
  lister_email text check (length(lister_email) <= 254),
  lister_phone text check (length(lister_phone) <= 60),
  photos jsonb not null default '[]' check (jsonb_typeof(photos) = 'array'),
  development_id integer references public.developments on delete set null,
  priced_on date,
  hash bytea not null,
  first_seen_at timestamptz not null,
  changed_at timestamptz not null,
  left_feed_at timestamptz,
  kept jsonb not null default '{}',
  constraint listings_place check ((latitude is null) = (longitude is null)),
  constraint listings_priced check (priced_on is not null or (sale_cents is null and rent_cents is null))
);
comment on table public.listings is
  'Listings (imóveis) of the agency''s feed, each with a code of its own. Everyone signed in reads those that are in the feed, an administrator all; only the portal writes. Nothing is deleted: a listing that is no longer in the feed has left_feed_at.';
comment on column public.listings.kind is 'The type as VRSync names it, such as ''Residential / Apartment''.';
comment on column public.listings.photos is 'Addresses of its photos in order, [{url, caption}], the main one first.';
comment on column public.listings.development_name is
  'The condominium or development by the name that the feed gives it.';
comment on column public.listings.lister_name is 'Contact in the feed: the broker who brought the listing (angariador), or the agency.';
comment on column public.listings.development_id is
  'The development to which the listing belongs, found by the feed''s name for it or by the listing''s title. Null: none.';
comment on column public.listings.priced_on is 'The day on which the feed brought the price, or a person set it.';
comment on column public.listings.hash is
  'SHA-256 of what the feed says about the listing. If a reading finds an equal hash, it skips the listing.';
comment on column public.listings.kept is
  'Fields that a person edited, each with the feed''s own value. Readings do not change the edited values.';
create index listings_development on public.listings (development_id);
comment on index public.listings_development is 'Serves the listings of one development.';
alter table public.listings enable row level security;
create policy listings_read on public.listings for select to authenticated
  using ((left_feed_at is null and (select portal.is_member())) or (select portal.is_admin()));
comment on policy listings_read on public.listings is
  'Everyone signed in reads the listings that are in the feed, an administrator all.';
grant select on public.listings to authenticated;
grant all on public.listings to service_role;

create table portal.listing_photos (
  listing_id integer not null references public.listings on delete cascade,
  url text not null,
  place smallint not null,
  caption text,
  media_id text check (media_id ~ '^[0-9a-f]{64}$'),
  thumb_id text check (thumb_id ~ '^[0-9a-f]{64}$'),
  size_bytes integer not null default 0,
  width integer,
  height integer,
  attempts smallint not null default 0,
  next_at timestamptz,
  fault text,
  whole_id text check (whole_id ~ '^[0-9a-f]{64}$'),
  sizes smallint not null default 2,
  primary key (listing_id, url)
);
comment on table portal.listing_photos is
  'Photos of listings. The portal fetches each and stores it in three sizes. The portal only.';
comment on column portal.listing_photos.next_at is
  'When the portal fetches the photo next. Null: the photo is stored, or the portal has given up (fault says why).';
comment on column portal.listing_photos.whole_id is
  'The picture at most 1,920 pixels wide or high, as in public.development_media.';
comment on column portal.listing_photos.sizes is
  'How many sizes are stored. 2: an earlier version made two. Such a photo is fetched again when no other one is due.';
create index listing_photos_due on portal.listing_photos (next_at) where next_at is not null;
comment on index portal.listing_photos_due is 'Serves finding the photos that are due.';
create index listing_photos_media on portal.listing_photos (media_id) where media_id is not null;
comment on index portal.listing_photos_media is 'Serves the check whether a file is in use.';
create index listing_photos_wholes on portal.listing_photos (whole_id) where whole_id is not null;
comment on index portal.listing_photos_wholes is 'Serves the check whether a large picture is in use.';
create index listing_photos_old on portal.listing_photos (place, listing_id) where media_id is not null and sizes < 3 and next_at is null;
comment on index portal.listing_photos_old is 'Serves finding the photos that lack the largest size.';
create index listing_photos_thumbs on portal.listing_photos (thumb_id) where thumb_id is not null;
comment on index portal.listing_photos_thumbs is 'Serves the check whether a small picture is in use.';
alter table portal.listing_photos enable row level security;

create table portal.feed (
  id boolean primary key default true check (id),
  address text check (length(address) <= 2000),
  is_hourly boolean not null default false,
  etag text,
  last_modified text,
  next_read_at timestamptz,
  asked_by text,
  attempts smallint not null default 0,
  checked_at timestamptz
);
comment on table portal.feed is
  'The address of the feed and when it is read next. One row; none before an administrator sets an address. The portal only.';
comment on column portal.feed.asked_by is
  'The administrator who asked for the next reading. Null: the next one is the hourly one.';
comment on column portal.feed.checked_at is
  'When the address last answered, even if only that nothing had changed. Null: never.';
alter table portal.feed enable row level security;

create table portal.feed_runs (
  id bigint generated always as identity primary key,
  source text not null check (source in ('address', 'file')),
  is_hourly boolean not null,
  started_by text,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  ended_at timestamptz,
  state text not null default 'reading' check (state in ('reading', 'waiting', 'applied', 'same', 'refused', 'failed', 'replaced')),
  fault text,
  total integer not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  gone integer not null default 0,
  known integer not null default 0,
  applied integer not null default 0,
  problem_count integer not null default 0,
  problems jsonb not null default '[]'
);
comment on table portal.feed_runs is 'The newest hundred readings of the feed. The portal only.';
comment on column portal.feed_runs.state is
  'reading, waiting (for an administrator), applied, same (nothing changed), refused (no listings, or more than half of them gone), failed, replaced (a later reading ended).';
comment on column portal.feed_runs.seen_at is
  'When the reading portal last reported. A reading that has not reported for a minute has failed.';
comment on column portal.feed_runs.known is 'How many listings were in the feed before this reading.';
comment on column portal.feed_runs.problems is '[{line, code, message}], the first 200 of problem_count.';
create unique index feed_runs_reading on portal.feed_runs (state) where state = 'reading';
comment on index portal.feed_runs_reading is 'At most one reading at a time.';
alter table portal.feed_runs enable row level security;

create table portal.feed_changes (
  run_id bigint not null references portal.feed_runs on delete cascade,
  code text not null,
  kind text not null check (kind in ('new', 'changed', 'gone')),
  title text not null,
  fields text[] not null default '{}',
  before_cents bigint,
  after_cents bigint,
  data jsonb,
  primary key (run_id, code)
);
comment on table portal.feed_changes is
  'What a reading would change in the listings. Rows are deleted once the reading is applied or replaced, or has failed. The portal only.';
comment on column portal.feed_changes.fields is
  'What differs, as portal.feed_differences returns it. ''back'': the listing had left the feed before.';
comment on column portal.feed_changes.data is
  'The listing as the feed has it, in the form of portal.listing_data, and its hash. Null for a listing that is gone.';
alter table portal.feed_changes enable row level security;


-- How a reading begins, stores its changes and ends.

create function portal.end_lost_readings(p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  lost portal.feed_runs;
begin
  update portal.feed_runs r set state = 'failed', ended_at = p_now, fault = 'A leitura parou no meio. Nada mudou.'
  where r.state = 'reading' and r.seen_at < p_now - interval '1 minute' returning r.* into lost;
  if lost.id is null then return; end if;
  delete from portal.feed_changes c where c.run_id = lost.id;
  if lost.source = 'address' then
    -- A feed whose reading crashes the portal must not do so for ever. After the third attempt the portal waits an hour
    -- if the feed is hourly, else until an administrator asks.
    update portal.feed f
    set next_read_at = case when f.attempts < 3 then p_now when f.is_hourly then p_now + interval '1 hour' end,
      attempts = case when f.attempts < 3 then f.attempts else 0 end, asked_by = case when f.attempts < 3 then f.asked_by end
    where f.attempts > 0;
  end if;
end $$;
comment on function portal.end_lost_readings(timestamptz) is
  'Marks a reading as failed if its portal has not reported for a minute, and deletes its changes. The portal reads the address again at once, three times in all. Server only.';

create function portal.note_feed_run(p_run bigint, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update portal.feed_runs r set seen_at = p_now where r.id = p_run and r.state = 'reading';
end $$;
comment on function portal.note_feed_run(bigint, timestamptz) is
  'The reading portal reports that it is still reading. Server only.';

create function portal.begin_feed_run(p_source text, p_is_hourly boolean, p_by text, p_now timestamptz) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  begun bigint;
begin
  perform portal.end_lost_readings(p_now);
  delete from portal.feed_changes c using portal.feed_runs r where r.id = c.run_id and r.state in ('failed', 'replaced');
  insert into portal.feed_runs (source, is_hourly, started_by, started_at, seen_at)
  values (p_source, p_is_hourly, p_by, p_now, p_now)
  on conflict (state) where state = 'reading' do nothing returning id into begun;
  if begun is null then
    raise exception 'O feed já está sendo lido. Espere a leitura terminar.' using errcode = 'PT409', hint = 'feed.busy';
  end if;
  delete from portal.feed_runs r
  where r.id <= (select o.id from portal.feed_runs o order by o.id desc offset 100 limit 1) and r.state not in ('reading', 'waiting', 'refused');
  return begun;
end $$;
comment on function portal.begin_feed_run(text, boolean, text, timestamptz) is
  'Begins a reading of the address or of a file, and returns its id. 409 while another one is running. Server only.';

create function portal.listing_data(l public.listings) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object('code', l.code, 'business', l.business, 'kind', l.kind, 'title', l.title, 'description', l.description,
    'saleCents', l.sale_cents, 'rentCents', l.rent_cents, 'rentPeriod', l.rent_period, 'condoCents', l.condo_cents,
    'taxCents', l.tax_cents, 'taxPeriod', l.tax_period, 'area', l.area, 'lotArea', l.lot_area, 'bedrooms', l.bedrooms,
    'bathrooms', l.bathrooms, 'suites', l.suites, 'parking', l.parking, 'address', l.address, 'district', l.district, 'city', l.city,
    'state', l.state, 'postalCode', l.postal_code, 'latitude', l.latitude, 'longitude', l.longitude, 'developmentName', l.development_name,
    'listerName', l.lister_name, 'listerEmail', l.lister_email, 'listerPhone', l.lister_phone, 'photos', l.photos)
$$;
comment on function portal.listing_data(public.listings) is
  'A listing as it is stored, with the field names that the reader of the feed uses. Server only.';

create function portal.changed_fields(p_was jsonb, p_is jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select array_remove(array[
    case when (p_was -> 'saleCents', p_was -> 'rentCents', p_was -> 'condoCents', p_was -> 'taxCents')
      is distinct from (p_is -> 'saleCents', p_is -> 'rentCents', p_is -> 'condoCents', p_is -> 'taxCents') then 'price' end,
    case when (p_was -> 'title', p_was -> 'description') is distinct from (p_is -> 'title', p_is -> 'description') then 'text' end,
    case when p_was -> 'photos' is distinct from p_is -> 'photos' then 'photos' end,
    case when p_was - array['saleCents', 'rentCents', 'condoCents', 'taxCents', 'title', 'description', 'photos']
      is distinct from p_is - array['saleCents', 'rentCents', 'condoCents', 'taxCents', 'title', 'description', 'photos', 'hash'] then 'data' end
  ], null)
$$;
comment on function portal.changed_fields(jsonb, jsonb) is
  'The parts in which two states of a listing differ: price, text, photos, data. Server only.';

create function portal.with_kept(l public.listings, p_data jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select p_data || coalesce((
    select jsonb_object_agg(k, portal.listing_data(l) -> k) from jsonb_object_keys(l.kept) as k), '{}')
$$;
comment on function portal.with_kept(public.listings, jsonb) is
  'A listing as the feed has it, except for the fields that a person edited; these keep the edited values. Server only.';

create function portal.fed_kept(l public.listings, p_data jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce((select jsonb_object_agg(k, p_data -> k) from jsonb_object_keys(l.kept) as k), '{}')
$$;
comment on function portal.fed_kept(public.listings, jsonb) is
  'The feed''s values of those fields of a listing that a person edited. Server only.';

create function portal.feed_differences(l public.listings, p_data jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select portal.changed_fields(portal.listing_data(l), portal.with_kept(l, p_data)) || array(
    select 'kept-' || f from unnest(portal.changed_fields(
      portal.listing_data(l) || l.kept, portal.listing_data(l) || portal.fed_kept(l, p_data))) as f)
$$;
comment on function portal.feed_differences(public.listings, jsonb) is
  'What a reading changes in a listing: price, text, photos, data. kept-price and so on: the feed changed a field that a person edited, so the edited value stays. Server only.';

create function portal.stage_listings(p_run bigint, p_listings jsonb, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update portal.feed_runs r set total = r.total + jsonb_array_length(p_listings), seen_at = p_now
  where r.id = p_run and r.state = 'reading';
  if not found then
    raise exception 'A leitura do feed parou. Comece de novo.' using errcode = 'PT409', hint = 'feed.stopped';
  end if;
  insert into portal.feed_changes (run_id, code, kind, title, fields, before_cents, after_cents, data)
  select p_run, n.data ->> 'code', case when l.id is null or l.left_feed_at is not null then 'new' else 'changed' end, n.data ->> 'title',
    case when l.id is null then '{}' when l.left_feed_at is not null then '{back}'
      else portal.feed_differences(l, n.data) end,
    coalesce(l.sale_cents, l.rent_cents),
    coalesce((portal.with_kept(l, n.data) ->> 'saleCents')::bigint, (portal.with_kept(l, n.data) ->> 'rentCents')::bigint), n.data
  from jsonb_array_elements(p_listings) as n (data)
  left join public.listings l on l.code = n.data ->> 'code'
  where l.id is null or l.left_feed_at is not null or l.hash <> decode(n.data ->> 'hash', 'hex');
end $$;
comment on function portal.stage_listings(bigint, jsonb, timestamptz) is
  'Stores the changes of some listings of a reading, [{hash, and the fields of portal.listing_data}]: those that are new, are back, or differ. 409 if the reading has ended. Server only.';

create function portal.end_feed_run(p_run bigint, p_codes text[], p_problems jsonb, p_problem_count integer, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  run portal.feed_runs;
  waited text[];
begin
  select * into run from portal.feed_runs r where r.id = p_run and r.state = 'reading' for update;
  if run.id is null then
    raise exception 'A leitura do feed parou. Comece de novo.' using errcode = 'PT409', hint = 'feed.stopped';
  end if;
  waited := array(
    select c.kind || ' ' || c.code from portal.feed_changes c join portal.feed_runs r on r.id = c.run_id
    where r.state in ('waiting', 'refused'));
  insert into portal.feed_changes (run_id, code, kind, title, before_cents)
  select p_run, l.code, 'gone', l.title, coalesce(l.sale_cents, l.rent_cents)
  from public.listings l
  where l.left_feed_at is null and not exists (select from unnest(p_codes) as c (code) where c.code = l.code);
  update portal.feed_runs r
  set ended_at = p_now, seen_at = p_now, problems = p_problems, problem_count = p_problem_count, total = cardinality(p_codes),
    known = (select count(*) from public.listings l where l.left_feed_at is null),
    added = c.added, changed = c.changed, gone = c.gone
  from (
    select count(*) filter (where c.kind = 'new') as added, count(*) filter (where c.kind = 'changed') as changed,
      count(*) filter (where c.kind = 'gone') as gone
    from portal.feed_changes c where c.run_id = p_run) c
  where r.id = p_run returning r.* into run;
  update portal.feed_runs r set state = 'replaced' where r.id <> p_run and r.state in ('waiting', 'refused');
  delete from portal.feed_changes c using portal.feed_runs r where r.id = c.run_id and r.state = 'replaced';
  update portal.feed_runs r
  set state = case
    -- Such a file was cut or belongs to another agency. It must not remove more than half of the listings.
    when run.total = 0 or run.known - run.gone < run.known / 2.0 then 'refused'
    when run.added + run.changed + run.gone = 0 then 'same' else 'waiting' end
  where r.id = p_run returning r.* into run;
  if run.state = 'refused' then
    update portal.feed_runs r
    set fault = case when run.total = 0 then 'O feed veio sem imóveis, então nada mudou.'
      else format('%s de %s imóveis sumiriam. Parece um arquivo pela metade, então nada mudou.', run.gone, run.known) end
    where r.id = p_run;
  elsif run.state = 'waiting' and run.is_hourly then
    perform portal.apply_scheduled(p_run, p_now);
  end if;
  if run.is_hourly then perform portal.push_feed(p_run, waited); end if;
  return (select jsonb_build_object('id', r.id, 'state', r.state) from portal.feed_runs r where r.id = p_run);
end $$;
comment on function portal.end_feed_run(bigint, text[], jsonb, integer, timestamptz) is
  'Ends a reading that found these codes and problems. The reading is refused if it has no listing, or fewer than half of those in the feed before. It is same without changes; else it waits for an administrator. An hourly reading applies changed prices, texts and photos at once (portal.apply_scheduled); its other changes wait, and administrators get a push if they are new (portal.push_feed). Returns {id, state}. Server only.';

create function portal.apply_scheduled(p_run bigint, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  parts constant text[] := array['saleCents', 'rentCents', 'condoCents', 'taxCents', 'title', 'description', 'photos'];
  waiting jsonb := (
    select coalesce(jsonb_agg(to_jsonb(c)), '[]') from portal.feed_changes c
    where c.run_id = p_run and c.kind = 'changed' and 'data' = any (c.fields));
  others text[];
begin
  -- Keeps the old hash, so that the next reading finds the rest of the changes again.
  update portal.feed_changes c
  set data = portal.listing_data(l) || l.kept || jsonb_build_object('hash', encode(l.hash, 'hex')) || (
    select jsonb_object_agg(k, c.data -> k) from unnest(parts) as k)
  from public.listings l
  where c.run_id = p_run and c.kind = 'changed' and 'data' = any (c.fields) and l.code = c.code;
  others := array(
    select c.code from portal.feed_changes c
    where c.run_id = p_run and c.kind = 'changed' and 'data' = any (c.fields) and c.fields <@ array['data', 'kept-data']);
  perform portal.apply_changes(p_run, array['changed'], others, p_now);
  insert into portal.feed_changes (run_id, code, kind, title, fields, before_cents, after_cents, data)
  select p_run, w ->> 'code', 'changed', w ->> 'title', array(
      select f from jsonb_array_elements_text(w -> 'fields') as f where f in ('data', 'kept-data')),
    (w ->> 'after_cents')::bigint, (w ->> 'after_cents')::bigint, w -> 'data'
  from jsonb_array_elements(waiting) as w;
  if found then update portal.feed_runs r set state = 'waiting' where r.id = p_run; end if;
end $$;
comment on function portal.apply_scheduled(bigint, timestamptz) is
  'Applies the prices, texts and photos that an hourly reading changed. Other changes of listings, new and gone ones wait for an administrator. Server only.';

create function portal.push_feed(p_run bigint, p_waited text[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if exists (
    select from portal.feed_changes c join portal.feed_runs r on r.id = c.run_id
    where c.run_id = p_run and r.state in ('waiting', 'refused') and not (c.kind || ' ' || c.code) = any (p_waited)) then
    perform portal.push_administrators('feed', 'feed', p_run);
  end if;
end $$;
comment on function portal.push_feed(bigint, text[]) is
  'Sends administrators a push that a reading waits. None if the reading before it already waited with the same changes (kind and code). Server only.';

create function portal.fail_feed_run(p_run bigint, p_fault text, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from portal.feed_changes c
  where c.run_id = p_run and exists (select from portal.feed_runs r where r.id = p_run and r.state = 'reading');
  -- A person who sends a file sees the fault at once, so its reading is not kept.
  delete from portal.feed_runs r where r.id = p_run and r.state = 'reading' and r.source = 'file';
  update portal.feed_runs r set state = 'failed', fault = left(p_fault, 300), ended_at = p_now where r.id = p_run and r.state = 'reading';
end $$;
comment on function portal.fail_feed_run(bigint, text, timestamptz) is
  'Ends a reading as failed and deletes its changes; listings stay as they are. A reading of the address stays in the list with its fault. A reading of a file is deleted. Server only.';


-- How the changes of a reading are applied.

create function portal.development_in(p_title text) returns integer
language plpgsql stable security definer set search_path = '' as $$
declare
  title_key text := portal.development_key(p_title);
begin
  return (
    select n.development_id from portal.development_names n join public.developments d on d.id = n.development_id
    -- A name of fewer than six characters would be part of too many words.
    where d.archived_at is null and length(n.key) >= 6 and strpos(title_key, n.key) > 0
    order by length(n.key) desc, n.key limit 1);
end $$;
comment on function portal.development_in(text) is
  'The development whose name a listing''s title contains, the longest name first. Null: none. Server only.';

create function portal.add_named_developments(p_run bigint, p_kinds text[], p_except text[], p_now timestamptz) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  count integer;
begin
  insert into public.developments (name, district, city, updated_at)
  select distinct on (portal.development_key(c.data ->> 'developmentName')) btrim(left(btrim(c.data ->> 'developmentName'), 120)),
    left(c.data ->> 'district', 80), left(c.data ->> 'city', 80), p_now
  from portal.feed_changes c
  where c.run_id = p_run and c.kind = any (p_kinds) and not c.code = any (p_except)
    and portal.development_key(c.data ->> 'developmentName') is not null
    and portal.development_of(c.data ->> 'developmentName') is null
  order by portal.development_key(c.data ->> 'developmentName'), c.code
  limit greatest(0, 2000 - (select count(*) from public.developments));
  get diagnostics count = row_count;
  return count;
end $$;
comment on function portal.add_named_developments(bigint, text[], text[], timestamptz) is
  'Adds developments that changes of these kinds name and that have no record, except for the codes p_except, up to 2,000 developments in all. Returns how many. Server only.';

create function portal.place_photos(p_listings integer[], p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  with gone as (
    delete from portal.listing_photos f using public.listings l
    where l.id = f.listing_id and (
      f.listing_id = any (p_listings) and not exists (
        select from jsonb_array_elements(l.photos) with ordinality as p (photo, place) where p.place <= 12 and p.photo ->> 'url' = f.url)
      -- A listing that left the feed a month ago loses its photos, to make room for others. The portal fetches them
      -- again if it comes back.
      or l.left_feed_at < p_now - interval '30 days')
    returning f.media_id, f.thumb_id, f.whole_id
  )
  insert into portal.media_removals (media_id)
  select distinct m from gone cross join lateral unnest(array[gone.media_id, gone.thumb_id, gone.whole_id]) as m where m is not null
  on conflict do nothing;
  insert into portal.listing_photos as f (listing_id, url, place, caption, next_at)
  select l.id, p.photo ->> 'url', p.place, p.photo ->> 'caption', p_now
  from public.listings l cross join lateral jsonb_array_elements(l.photos) with ordinality as p (photo, place)
  where l.id = any (p_listings) and l.left_feed_at is null and p.place <= 12
  on conflict (listing_id, url) do update set place = excluded.place, caption = excluded.caption
  where (f.place, f.caption) is distinct from (excluded.place, excluded.caption);
end $$;
comment on function portal.place_photos(integer[], timestamptz) is
  'Gives these listings the first twelve photos that the feed names. New ones are fetched later. Files of photos that the feed no longer names, and of listings that left the feed a month ago, go to portal.media_removals. Server only.';

create function portal.apply_changes(p_run bigint, p_kinds text[], p_except text[], p_now timestamptz) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  today date := (p_now at time zone portal.time_zone())::date;
  touched integer[];
  count integer;
begin
  perform portal.add_named_developments(p_run, p_kinds, p_except, p_now);
  with taken as (
    select portal.with_kept(l, c.data) as d, portal.fed_kept(l, c.data) as kept
    from portal.feed_changes c left join public.listings l on l.code = c.code
    where c.run_id = p_run and c.kind <> 'gone' and c.kind = any (p_kinds) and not c.code = any (p_except)
  ), saved as (
    insert into public.listings as l (code, business, kind, title, description, sale_cents, rent_cents, rent_period, condo_cents, tax_cents,
      tax_period, area, lot_area, bedrooms, bathrooms, suites, parking, address, district, city, state, postal_code, latitude, longitude,
      development_name, lister_name, lister_email, lister_phone, photos, development_id, priced_on, hash, first_seen_at, changed_at, kept)
    select d ->> 'code', d ->> 'business', d ->> 'kind', d ->> 'title', d ->> 'description', (d ->> 'saleCents')::bigint,
      (d ->> 'rentCents')::bigint, d ->> 'rentPeriod', (d ->> 'condoCents')::bigint, (d ->> 'taxCents')::bigint, d ->> 'taxPeriod',
      (d ->> 'area')::numeric, (d ->> 'lotArea')::numeric, (d ->> 'bedrooms')::smallint, (d ->> 'bathrooms')::smallint,
      (d ->> 'suites')::smallint, (d ->> 'parking')::smallint, d ->> 'address', d ->> 'district', d ->> 'city', d ->> 'state',
      d ->> 'postalCode', (d ->> 'latitude')::double precision, (d ->> 'longitude')::double precision, d ->> 'developmentName',
      d ->> 'listerName', d ->> 'listerEmail', d ->> 'listerPhone', d -> 'photos',
      coalesce(portal.development_of(d ->> 'developmentName'), portal.development_in(d ->> 'title')),
      case when d ->> 'saleCents' is not null or d ->> 'rentCents' is not null then today end, decode(d ->> 'hash', 'hex'), p_now, p_now, kept
    from taken
    on conflict (code) do update
    set business = excluded.business, kind = excluded.kind, title = excluded.title, description = excluded.description,
      sale_cents = excluded.sale_cents, rent_cents = excluded.rent_cents, rent_period = excluded.rent_period,
      condo_cents = excluded.condo_cents, tax_cents = excluded.tax_cents, tax_period = excluded.tax_period, area = excluded.area,
      lot_area = excluded.lot_area, bedrooms = excluded.bedrooms, bathrooms = excluded.bathrooms, suites = excluded.suites,
      parking = excluded.parking, address = excluded.address, district = excluded.district, city = excluded.city, state = excluded.state,
      postal_code = excluded.postal_code, latitude = excluded.latitude, longitude = excluded.longitude,
      development_name = excluded.development_name, lister_name = excluded.lister_name, lister_email = excluded.lister_email,
      lister_phone = excluded.lister_phone, photos = excluded.photos, development_id = coalesce(excluded.development_id, l.development_id),
      priced_on = case when (l.sale_cents, l.rent_cents) is not distinct from (excluded.sale_cents, excluded.rent_cents)
        then l.priced_on else excluded.priced_on end,
      hash = excluded.hash, changed_at = excluded.changed_at, left_feed_at = null, kept = excluded.kept
    returning l.id
  ), left_now as (
    update public.listings l set left_feed_at = p_now
    from portal.feed_changes c
    where 'gone' = any (p_kinds) and c.run_id = p_run and c.kind = 'gone' and c.code = l.code and not c.code = any (p_except)
      and l.left_feed_at is null
    returning l.id
  )
  select array(select id from saved union all select id from left_now) into touched;
  delete from portal.feed_changes c where c.run_id = p_run and c.kind = any (p_kinds);
  perform portal.place_photos(touched, p_now);
  count := cardinality(touched);
  update portal.feed_runs r
  set applied = r.applied + count,
    state = case when exists (select from portal.feed_changes c where c.run_id = p_run) then 'waiting' else 'applied' end
  where r.id = p_run;
  return count;
end $$;
comment on function portal.apply_changes(bigint, text[], text[], timestamptz) is
  'Applies a reading''s changes of these kinds, except for the codes p_except; returns how many listings were written. New and changed listings are saved, but fields that a person edited stay. Gone ones get left_feed_at. Developments that the feed names get a record. Server only.';

create function portal.apply_feed_run(p_run bigint, p_except text[], p_confirmed integer, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant integer := 100000;
  run portal.feed_runs;
  count integer;
begin
  perform portal.require_admin();
  select * into run from portal.feed_runs r where r.id = p_run for update;
  if run.id is null or run.state not in ('waiting', 'refused') then
    raise exception 'Esta leitura já foi aplicada, ou há outra mais nova. Veja o feed de novo.' using errcode = 'PT409', hint = 'feed.replaced';
  elsif run.state = 'refused' and p_confirmed is distinct from run.gone then
    raise exception 'Para aplicar mesmo assim, digite o número de imóveis que sumiriam: %.', run.gone using errcode = 'PT422', hint = 'feed.refused';
  end if;
  if (select count(*) from public.listings) + run.added > most then
    raise exception 'O portal guarda até % imóveis, contando os que saíram do feed. Nada mudou.', most
      using errcode = 'PT409', hint = 'feed.full';
  end if;
  count := portal.apply_changes(p_run, array['new', 'changed', 'gone'], p_except, p_now);
  perform portal.audit('feed.applied', null, jsonb_build_object('count', count, 'total', run.total));
  return jsonb_build_object('count', count);
end $$;
comment on function portal.apply_feed_run(bigint, text[], integer, timestamptz) is
  'Applies a reading that waits, except for the codes p_except, audited. For a refused one p_confirmed must be its number of gone listings, else 422. Returns {count}. 409 for one that was applied or replaced, and beyond 100,000 listings. Administrators, through the server only.';


-- The feed's settings, and what administrators see of it.

create function portal.save_feed(p_address text, p_is_hourly boolean, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  before portal.feed;
begin
  perform portal.require_admin();
  select * into before from portal.feed f;
  insert into portal.feed as f (address, is_hourly, next_read_at)
  values (p_address, p_is_hourly, case when p_is_hourly and p_address is not null then p_now end)
  on conflict (id) do update
  set address = excluded.address, is_hourly = excluded.is_hourly, attempts = 0, next_read_at = excluded.next_read_at,
    etag = case when f.address = excluded.address then f.etag end,
    last_modified = case when f.address = excluded.address then f.last_modified end;
  if (before.address, before.is_hourly) is distinct from (p_address, p_is_hourly) then
    perform portal.audit('feed.changed', null, jsonb_build_object('hourly', p_is_hourly and p_address is not null));
  end if;
end $$;
comment on function portal.save_feed(text, boolean, timestamptz) is
  'Sets the feed''s address (null: none) and whether the portal reads it every hour, audited. Administrators, through the server only.';

create function portal.ask_feed_read(p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  if exists (select from portal.feed_runs r where r.state = 'reading' and r.seen_at > p_now - interval '1 minute') then
    raise exception 'O feed já está sendo lido. Espere a leitura terminar.' using errcode = 'PT409', hint = 'feed.busy';
  end if;
  update portal.feed f
  set next_read_at = p_now, attempts = 0, asked_by = coalesce((select a.username from portal.accounts a where a.id = portal.account_id()), 'sistema')
  where f.address is not null;
  if not found then
    raise exception 'Cole o endereço do feed primeiro.' using errcode = 'PT422', hint = 'feed.no-address';
  end if;
end $$;
comment on function portal.ask_feed_read(timestamptz) is
  'Makes the portal read the feed''s address now. 422 without an address, 409 while it is being read. Administrators, through the server only.';

create function portal.claim_feed(p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  due portal.feed;
begin
  perform portal.end_lost_readings(p_now);
  update portal.feed f set attempts = f.attempts + 1, next_read_at = p_now + interval '15 minutes'
  where f.next_read_at <= p_now and f.address is not null returning f.* into due;
  return case when due.address is not null then jsonb_build_object('address', due.address, 'etag', due.etag,
    'lastModified', due.last_modified, 'askedBy', due.asked_by, 'attempts', due.attempts) end;
end $$;
comment on function portal.claim_feed(timestamptz) is
  'The feed''s address if its reading is due, and how often this reading was tried: {address, etag, lastModified, askedBy, attempts}. For a quarter of an hour no other portal gets it. Server only.';

create function portal.settle_feed(p_etag text, p_last_modified text, p_is_read boolean, p_next timestamptz, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update portal.feed f
  set next_read_at = case when p_next is not null then p_next when f.is_hourly then p_now + interval '1 hour' end,
    attempts = case when p_next is null then 0 else f.attempts end,
    asked_by = case when p_next is null then null else f.asked_by end,
    checked_at = case when p_is_read then p_now else f.checked_at end,
    etag = case when p_is_read then p_etag else f.etag end,
    last_modified = case when p_is_read then p_last_modified else f.last_modified end;
end $$;
comment on function portal.settle_feed(text, text, boolean, timestamptz, timestamptz) is
  'Ends an attempt to read the address. p_next is the next attempt; null: an hour later, if the feed is hourly. etag and last_modified are stored only after a complete reading. Server only.';

create function portal.feed_state(p_now timestamptz, p_max_photo_bytes bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return jsonb_build_object(
    'address', (select f.address from portal.feed f),
    'isHourly', coalesce((select f.is_hourly from portal.feed f), false),
    'isAsked', exists (select from portal.feed f where f.asked_by is not null and f.attempts = 0),
    'checkedAt', (select f.checked_at from portal.feed f),
    'listings', (select count(*) from public.listings l where l.left_feed_at is null),
    'left', (select count(*) from public.listings l where l.left_feed_at is not null),
    'photos', (
      select jsonb_build_object('stored', count(*) filter (where p.media_id is not null), 'waiting', count(*) filter (where p.next_at is not null),
        'failed', count(*) filter (where p.media_id is null and p.next_at is null),
        'isFull', coalesce(sum(p.size_bytes), 0) >= p_max_photo_bytes)
      from portal.listing_photos p),
    'run', (
      select to_jsonb(r) || case when r.state = 'reading' then '{}' else (
          select jsonb_build_object('added', count(*) filter (where c.kind = 'new'), 'changed', count(*) filter (where c.kind = 'changed'),
            'gone', count(*) filter (where c.kind = 'gone'))
          from portal.feed_changes c where c.run_id = r.id) end
        || jsonb_build_object('newDevelopments', (
        select count(distinct portal.development_key(c.data ->> 'developmentName')) from portal.feed_changes c
        where r.state <> 'reading' and c.run_id = r.id and c.kind = 'new' and portal.development_key(c.data ->> 'developmentName') is not null
          and portal.development_of(c.data ->> 'developmentName') is null))
      from portal.feed_runs r where r.state in ('reading', 'waiting', 'refused') order by r.state = 'reading' desc, r.id desc limit 1),
    'runs', (
      select coalesce(jsonb_agg(to_jsonb(r) - 'problems' order by r.id desc), '[]')
      from (select * from portal.feed_runs o order by o.id desc limit 8) r),
    'problems', (select r.problems from portal.feed_runs r where r.ended_at is not null order by r.id desc limit 1));
end $$;
comment on function portal.feed_state(timestamptz, bigint) is
  'What the feed''s page shows: address, isHourly, isAsked (an administrator asked for a reading that has not begun), checkedAt, listings and left (counts), photos {stored, waiting, failed, isFull}, run (the reading that runs, or waits with its numbers of changes), runs (the newest ones), and the problems of the last one. Administrators, through the server only.';

create function portal.list_feed_changes(p_run bigint, p_kind text, p_after text, p_limit integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('code', c.code, 'kind', c.kind, 'title', c.title, 'fields', c.fields,
      'beforeCents', c.before_cents, 'afterCents', c.after_cents,
      'development', coalesce(c.data ->> 'developmentName', (
        select d.name from public.listings l join public.developments d on d.id = l.development_id where l.code = c.code)))
      order by c.rank, c.code), '[]')
    from (
      select *, array_position(array['gone', 'changed', 'new'], o.kind) as rank from portal.feed_changes o
      where o.run_id = p_run and (p_kind is null or o.kind = p_kind)
        and (p_after is null or (array_position(array['gone', 'changed', 'new'], o.kind), o.code) > (
          select array_position(array['gone', 'changed', 'new'], a.kind), a.code from portal.feed_changes a
          where a.run_id = p_run and a.code = p_after))
      order by rank, o.code limit least(p_limit, 500)) c);
end $$;
comment on function portal.list_feed_changes(bigint, text, text, integer) is
  'The changes of a reading that waits, gone listings first, after the code p_after: [{code, kind, title, fields, beforeCents, afterCents, development}]. Administrators, through the server only.';

create function portal.list_listings(p_search text, p_filter text, p_after integer, p_limit integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'code', l.code, 'title', l.title, 'business', l.business,
      'saleCents', l.sale_cents, 'rentCents', l.rent_cents, 'pricedOn', l.priced_on, 'district', l.district, 'city', l.city,
      'development', (select d.name from public.developments d where d.id = l.development_id), 'lister', l.lister_name,
      'leftFeedAt', l.left_feed_at, 'slug', p.slug, 'isPublished', p.published_at is not null,
      'description', l.description, 'area', l.area, 'bedrooms', l.bedrooms, 'suites', l.suites, 'bathrooms', l.bathrooms,
      'parking', l.parking, 'kept', l.kept) order by l.id), '[]')
    from (
      select * from public.listings o
      where (p_after is null or o.id > p_after) and case p_filter
          when 'left' then o.left_feed_at is not null
          when 'published' then exists (select from portal.public_pages g where g.listing_id = o.id and g.published_at is not null)
          else o.left_feed_at is null end
        and (p_search is null or strpos(portal.fold(concat_ws(' ', o.code, o.title, o.district, o.city)), portal.fold(p_search)) > 0)
      order by o.id limit least(p_limit, 200)) l
    left join portal.public_pages p on p.listing_id = l.id);
end $$;
comment on function portal.list_listings(text, text, integer, integer) is
  'Listings by id after p_after, 200 at most. p_filter left: those that left the feed; published: those with a public page; else those in the feed. p_search must be part of code, title, district or city. Administrators, through the server only.';


create function portal.save_listing(p_listing integer, p_wanted jsonb, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  l public.listings;
  before jsonb;
  kept_now jsonb;
begin
  perform portal.require_admin();
  select * into l from public.listings o where o.id = p_listing for update;
  if l.id is null then
    raise exception 'Imóvel não encontrado.' using errcode = 'PT404', hint = 'listing.unknown';
  end if;
  before := portal.listing_data(l);
  -- A field that again equals the feed's value follows the feed from now on.
  kept_now := (
    select coalesce(jsonb_object_agg(f.key, f.fed) filter (where f.fed <> f.value), '{}')
    from (
      select w.key, w.value, coalesce(l.kept -> w.key, before -> w.key) as fed from jsonb_each(p_wanted) as w
    ) f);
  if kept_now = l.kept and before @> p_wanted then return; end if;
  update public.listings o
  set title = p_wanted ->> 'title', description = p_wanted ->> 'description', sale_cents = (p_wanted ->> 'saleCents')::bigint,
    rent_cents = (p_wanted ->> 'rentCents')::bigint, area = (p_wanted ->> 'area')::numeric, bedrooms = (p_wanted ->> 'bedrooms')::smallint,
    suites = (p_wanted ->> 'suites')::smallint, bathrooms = (p_wanted ->> 'bathrooms')::smallint, parking = (p_wanted ->> 'parking')::smallint,
    priced_on = case
      when coalesce(p_wanted ->> 'saleCents', p_wanted ->> 'rentCents') is null then null
      when (o.sale_cents, o.rent_cents) is not distinct from ((p_wanted ->> 'saleCents')::bigint, (p_wanted ->> 'rentCents')::bigint) then o.priced_on
      else (p_now at time zone portal.time_zone())::date end,
    kept = kept_now, changed_at = p_now
  where o.id = p_listing;
  perform portal.audit('listing.edited', l.code);
end $$;
comment on function portal.save_listing(integer, jsonb, timestamptz) is
  'Edits a listing by hand, audited: p_wanted {title, description, saleCents, rentCents, area, bedrooms, suites, bathrooms, parking}. Later readings keep values that differ from the feed, and change the others. 404 for an unknown one. Administrators, through the server only.';


-- Photos of listings.

create function portal.due_photos(p_now timestamptz, p_max_bytes bigint, p_most integer) returns table (listing_id integer, url text, attempts smallint)
language plpgsql volatile security definer set search_path = '' as $$
begin
  if (select coalesce(sum(f.size_bytes), 0) from portal.listing_photos f) >= p_max_bytes then return; end if;
  return query
    update portal.listing_photos f set attempts = f.attempts + 1, next_at = p_now + interval '10 minutes'
    where (f.listing_id, f.url) in (
      select d.listing_id, d.url from portal.listing_photos d join public.listings l on l.id = d.listing_id
      where d.next_at <= p_now and l.left_feed_at is null
      order by exists (select from portal.public_pages g where g.listing_id = d.listing_id and g.published_at is not null) desc,
        d.place, d.listing_id limit p_most for update of d skip locked)
    returning f.listing_id, f.url, f.attempts;
  if found then return; end if;
  return query
    update portal.listing_photos f set attempts = 1, next_at = p_now + interval '10 minutes'
    where (f.listing_id, f.url) in (
      select d.listing_id, d.url from portal.listing_photos d join public.listings l on l.id = d.listing_id
      where d.media_id is not null and d.sizes < 3 and d.next_at is null and l.left_feed_at is null
      order by d.place, d.listing_id limit p_most for update of d skip locked)
    returning f.listing_id, f.url, f.attempts;
end $$;
comment on function portal.due_photos(timestamptz, bigint, integer) is
  'Photos to fetch now: those of public pages first, then the first one of each listing. If none is due, stored ones that lack the largest size. None once all photos together have p_max_bytes. For ten minutes no other portal gets them. Server only.';

create function portal.settle_photo(p_listing integer, p_url text, p_photo jsonb, p_fault text, p_next timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  made text[] := array[p_photo ->> 'mediaId', p_photo ->> 'thumbId', p_photo ->> 'wholeId'];
  gone text[];
begin
  select array[f.media_id, f.thumb_id, f.whole_id] into gone from portal.listing_photos f
  where f.listing_id = p_listing and f.url = p_url for update;
  if not found then
    gone := made;
    made := '{}';
  elsif p_photo is null and gone[1] is not null then
    -- The photo could not be fetched again, so its two stored sizes stay. sizes = 3 keeps the portal from another try.
    update portal.listing_photos f set next_at = p_next, sizes = case when p_next is null then 3 else f.sizes end
    where f.listing_id = p_listing and f.url = p_url;
    return;
  else
    update portal.listing_photos f
    set media_id = made[1], thumb_id = made[2], whole_id = made[3], sizes = 3, size_bytes = coalesce((p_photo ->> 'sizeBytes')::integer, 0),
      width = (p_photo ->> 'width')::integer, height = (p_photo ->> 'height')::integer, fault = left(p_fault, 200), next_at = p_next
    where f.listing_id = p_listing and f.url = p_url;
  end if;
  insert into portal.media_removals (media_id)
  select distinct m from unnest(gone) as m where m is not null and not m = any (array_remove(made, null)) on conflict do nothing;
end $$;
comment on function portal.settle_photo(integer, text, jsonb, text, timestamptz) is
  'Stores a fetched photo {mediaId, thumbId, wholeId, sizeBytes, width, height}, or why fetching failed and when to try again (null: never). A photo that was stored before stays then. Files of a photo that the feed no longer has, or that was replaced, go to portal.media_removals. Server only.';


-- Which broker and which development belong to a listing.

create function portal.lister_of(l public.listings) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select b."instanceName" from public.brokers b
    where b.central_since is null and (
      portal.number_key(b.broker_number) in (portal.number_key(l.lister_phone), portal.number_key('55' || regexp_replace(l.lister_phone, '[^0-9]', '', 'g')))
      or b."instanceName" = 'corretor_' || regexp_replace(portal.fold(l.lister_name), '[^a-z]', '', 'g'))
    order by portal.number_key(b.broker_number) in (portal.number_key(l.lister_phone),
      portal.number_key('55' || regexp_replace(l.lister_phone, '[^0-9]', '', 'g'))) desc nulls last, b.id limit 1);
end $$;
comment on function portal.lister_of(public.listings) is
  'The broker who brought a listing: the one with the contact''s number, with or without country code, else with the contact''s name as user name. Null: none. Server only.';

create function portal.listing_of(p_code text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted text := btrim(p_code);
  l public.listings;
  named text;
begin
  if coalesce(wanted, '') = '' then return null; end if;
  -- Portals may write a code in capital or small letters.
  select o.* into l from public.listings o where o.code in (wanted, upper(wanted), lower(wanted)) order by o.code = wanted desc, o.id limit 1;
  if l.id is null then
    select d.name into named from public.developments d
    where d.id = substring(upper(wanted) from '^E([0-9]{1,9})(?:-[0-9]{1,9})?$')::integer;
    return case when named is not null then jsonb_build_object('code', upper(wanted), 'development', named) end;
  end if;
  return jsonb_build_object('code', l.code, 'title', l.title, 'lister', portal.lister_of(l),
    'development', (select d.name from public.developments d where d.id = coalesce(l.development_id, portal.development_in(l.title))));
end $$;
comment on function portal.listing_of(text) is
  'What the code of an advertisement means. For a listing {code, title, development, lister (an instance name)}. For a development in the portal''s own feed (E12, E12-34) {code, development}. Null for an unknown code. Server only.';
