-- Public pages of developments and listings, and the feed that the agency gives to portals. Both contain what is
-- published.

create table portal.public_pages (
  id integer generated always as identity primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 90),
  development_id integer unique references public.developments on delete cascade,
  listing_id integer unique references public.listings on delete cascade,
  published_at timestamptz,
  check ((development_id is null) <> (listing_id is null))
);
comment on table portal.public_pages is
  'The address /i/:slug of a development or a listing. It never changes, even if the page is withdrawn and published again. The portal only.';
comment on column portal.public_pages.published_at is
  'Null: nobody sees the page, and the feed for portals leaves it out.';
alter table portal.public_pages enable row level security;

create table portal.feed_out (
  id boolean primary key default true check (id),
  secret_hash bytea not null,
  email text not null check (length(email) between 3 and 254),
  state text not null check (state ~ '^[A-Z]{2}$'),
  made_at timestamptz not null
);
comment on table portal.feed_out is
  'The secret address of the feed for portals (its SHA-256), and what the format needs in addition: an e-mail and a state of the agency. One row or none. The portal only.';
comment on column portal.feed_out.state is
  'The Brazilian state (UF) that the feed gives developments, because their records have none.';
alter table portal.feed_out enable row level security;

create table portal.page_links (
  token_hash bytea primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  page_id integer not null references portal.public_pages on delete cascade,
  made_at timestamptz not null,
  visited_at timestamptz[] not null default '{}' check (cardinality(visited_at) <= 20),
  unique (contact_id, page_id)
);
comment on table portal.page_links is
  'Addresses of public pages with a token for one lead. When that lead opens the page, the visit is noted on the lead''s timeline, if the agency turned that on. The portal only.';
comment on column portal.page_links.visited_at is
  'When the lead opened the page: the newest 20 visits, at least half an hour apart.';
create index page_links_page on portal.page_links (page_id);
comment on index portal.page_links_page is 'Serves the removal of a page.';
alter table portal.page_links enable row level security;


create function portal.page_for(p_development integer, p_listing integer, p_now timestamptz) returns portal.public_pages
language plpgsql volatile security definer set search_path = '' as $$
declare
  page portal.public_pages;
  named text;
  base text;
begin
  select * into page from portal.public_pages p
  where p.development_id = p_development or p.listing_id = p_listing;
  if page.id is not null then return page; end if;
  named := case when p_listing is null
    then (select d.name from public.developments d where d.id = p_development)
    else (select l.title || ' ' || l.code from public.listings l where l.id = p_listing) end;
  if named is null then
    raise exception 'Imóvel não encontrado.' using errcode = 'PT404', hint = 'page.unknown';
  end if;
  base := coalesce(nullif(btrim(left(regexp_replace(portal.fold(named), '[^a-z0-9]+', '-', 'g'), 70), '-'), ''), 'imovel');
  insert into portal.public_pages (slug, development_id, listing_id) values (base, p_development, p_listing)
  on conflict (slug) do nothing returning * into page;
  if page.id is null then
    insert into portal.public_pages (slug, development_id, listing_id)
    values (base || '-' || case when p_listing is null then 'e' else 'i' end || coalesce(p_listing, p_development), p_development, p_listing)
    returning * into page;
  end if;
  return page;
end $$;
comment on function portal.page_for(integer, integer, timestamptz) is
  'The page of a development or a listing. Adds one with a new address if there is none. 404 for an unknown development or listing. Server only.';

create function portal.publish_page(p_development integer, p_listing integer, p_is_published boolean, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  page portal.public_pages;
begin
  perform portal.require_admin();
  page := portal.page_for(p_development, p_listing, p_now);
  if (page.published_at is not null) <> p_is_published then
    update portal.public_pages p set published_at = case when p_is_published then p_now end where p.id = page.id returning * into page;
    if p_is_published then
      perform portal.audit('page.published', page.slug);
    else
      perform portal.audit('page.withdrawn', page.slug);
    end if;
  end if;
  return jsonb_build_object('slug', page.slug, 'isPublished', page.published_at is not null);
end $$;
comment on function portal.publish_page(integer, integer, boolean, timestamptz) is
  'Publishes the page of a development or a listing, or withdraws it, audited; a repeat changes nothing. Returns {slug, isPublished}. 404 for an unknown one. Administrators, through the server only.';

create function portal.page_prices(p_development integer, p_today date) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'bedrooms', p.bedrooms, 'suites', p.suites, 'parking', p.parking,
    'areaFrom', p.area_from, 'areaTo', p.area_to, 'isSoldOut', coalesce(p.units_left = 0, false),
    'priceFromCents', case when p.valid_until >= p_today and p.units_left is distinct from 0 then p.price_from_cents end,
    'pricedOn', case when p.valid_until >= p_today and p.units_left is distinct from 0 then p.priced_on end) order by p.place, p.id), '[]')
  from public.development_plans p where p.development_id = p_development
$$;
comment on function portal.page_prices(integer, date) is
  'Plans of a development as the public sees them. A price is left out after its last day, and if the plan is sold out. Server only.';

create function portal.public_papers(p_development integer)
returns table (kind text, title text, media_id text, file_name text, size_bytes integer)
language plpgsql stable security definer set search_path = '' as $$
begin
  -- A price table is left out: it may be older than the prices of the record.
  return query
    select distinct on (m.kind) m.kind, m.title, m.media_id, m.file_name, m.size_bytes
    from public.development_media m
    where m.development_id = p_development and m.kind in ('book', 'memorial')
    order by m.kind, m.id desc;
end $$;
comment on function portal.public_papers(integer) is
  'The newest book and memorial of a development, which its public page shows. Server only.';

create function portal.public_links(p_development integer) returns table (rank integer, label text, url text)
language plpgsql stable security definer set search_path = '' as $$
declare
  page portal.public_pages;
  base text := (select s.value #>> '{}' from portal.settings s where s.key = 'public_url');
begin
  select * into page from portal.public_pages p where p.development_id = p_development and p.published_at is not null;
  if page.id is null or base is null then return; end if;
  return query
    select 1, 'Página na internet', base || '/i/' || page.slug
    union all
    select case f.kind when 'book' then 2 else 3 end, case f.kind when 'book' then 'Book' else 'Memorial descritivo' end || ' (PDF)', base || '/i/' || page.slug || '/' || f.kind || '.pdf'
    from portal.public_papers(p_development) f;
end $$;
comment on function portal.public_links(integer) is
  'Addresses of a development''s published page and of its papers, with labels for agents'' facts. None while the portal has no public address. Server only.';

create function portal.page_content(p_page portal.public_pages, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date := (p_now at time zone portal.time_zone())::date;
  d public.developments;
  l public.listings;
begin
  select * into l from public.listings o where o.id = p_page.listing_id and o.left_feed_at is null;
  select * into d from public.developments o where o.id = p_page.development_id and o.archived_at is null;
  if p_page.published_at is null or coalesce(l.id, d.id) is null then return null; end if;
  if l.id is not null then
    return portal.listing_data(l) - '{photos,listerName,listerEmail,listerPhone}'::text[] || jsonb_build_object('type', 'listing',
      'slug', p_page.slug, 'name', l.title, 'pricedOn', l.priced_on, 'updatedAt', l.changed_at,
      'development', (select o.name from public.developments o where o.id = l.development_id and o.archived_at is null),
      'media', (
        select coalesce(jsonb_agg(jsonb_build_object('mediaId', f.media_id, 'thumbId', f.thumb_id, 'wholeId', f.whole_id, 'width', f.width, 'height', f.height,
          'caption', f.caption) order by f.place), '[]')
        from portal.listing_photos f where f.listing_id = l.id and f.media_id is not null));
  end if;
  return jsonb_build_object('type', 'development', 'slug', p_page.slug, 'code', 'E' || d.id, 'name', d.name, 'builder', d.builder,
    'phase', d.state, 'deliversOn', d.delivers_on, 'address', d.address, 'district', d.district, 'city', d.city, 'latitude', d.latitude,
    'longitude', d.longitude, 'description', d.description, 'license', d.license, 'updatedAt', d.updated_at,
    'priceFromCents', case when d.valid_until >= today then d.price_from_cents end,
    'pricedOn', case when d.valid_until >= today then d.priced_on end,
    'plans', portal.page_prices(d.id, today),
    'papers', (
      select coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'title', f.title, 'sizeBytes', f.size_bytes) order by f.kind), '[]')
      from portal.public_papers(d.id) f),
    'media', (
      select coalesce(jsonb_agg(jsonb_build_object('mediaId', m.media_id, 'thumbId', m.thumb_id, 'wholeId', m.whole_id, 'width', m.width, 'height', m.height,
        'caption', m.title) order by m.place, m.id), '[]')
      from public.development_media m where m.development_id = d.id and m.kind = 'foto'));
end $$;
comment on function portal.page_content(portal.public_pages, timestamptz) is
  'What a published page contains, with its photos and papers. Null if it is not published, its development is archived, or its listing has left the feed. Server only.';

create function portal.public_page(p_slug text, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select portal.page_content(p, p_now) || jsonb_build_object('central', (
      select b.broker_number from public.brokers b
      where b.central_since is not null and b.broker_number is not null order by b.central_since, b.id limit 1))
    from portal.public_pages p where p.slug = p_slug);
end $$;
comment on function portal.public_page(text, timestamptz) is
  'portal.page_content of an address, with the agency''s central number. Null if nothing is published there. Server only.';

create function portal.public_paper(p_slug text, p_kind text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('mediaId', f.media_id, 'fileName', f.file_name)
    from portal.public_pages p
    join public.developments d on d.id = p.development_id and d.archived_at is null
    cross join lateral portal.public_papers(d.id) f
    where p.slug = p_slug and p.published_at is not null and f.kind = p_kind);
end $$;
comment on function portal.public_paper(text, text) is
  'The book or memorial that a published page shows: {mediaId, fileName}; else null. Server only.';

create function portal.public_photo(p_slug text, p_media text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select p_media from portal.public_pages p
    where p.slug = p_slug and p.published_at is not null and (
      exists (
        select from public.development_media m join public.developments d on d.id = m.development_id
        where m.development_id = p.development_id and m.kind = 'foto' and p_media in (m.media_id, m.thumb_id, m.whole_id) and d.archived_at is null)
      or exists (
        select from portal.listing_photos f join public.listings l on l.id = f.listing_id
        where f.listing_id = p.listing_id and p_media in (f.media_id, f.thumb_id, f.whole_id) and l.left_feed_at is null)));
end $$;
comment on function portal.public_photo(text, text) is
  'Returns a file''s id if a published page shows that file; else null. Server only.';


-- The feed for portals.

create function portal.renew_feed_out(p_hash bytea, p_email text, p_state text, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  insert into portal.feed_out as o (secret_hash, email, state, made_at) values (p_hash, p_email, p_state, p_now)
  on conflict (id) do update set secret_hash = excluded.secret_hash, email = excluded.email, state = excluded.state, made_at = excluded.made_at;
  perform portal.audit('feed-out.renewed');
end $$;
comment on function portal.renew_feed_out(bytea, text, text, timestamptz) is
  'Gives the feed for portals a new secret address (its SHA-256). The previous address ends. Audited. Administrators, through the server only.';

create function portal.end_feed_out() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  delete from portal.feed_out;
  if found then perform portal.audit('feed-out.ended'); end if;
end $$;
comment on function portal.end_feed_out() is
  'Ends the address of the feed for portals, audited; a repeat changes nothing. Administrators, through the server only.';

create function portal.publishing(p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return jsonb_build_object(
    'out', (select jsonb_build_object('email', o.email, 'state', o.state, 'madeAt', o.made_at) from portal.feed_out o),
    'tellsVisits', coalesce((select s.value = 'true' from portal.settings s where s.key = 'page_visits'), false),
    'published', (
      select count(*) from portal.public_pages p
      left join public.developments d on d.id = p.development_id
      left join public.listings l on l.id = p.listing_id
      where p.published_at is not null and d.archived_at is null and l.left_feed_at is null),
    'developments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name, 'slug', p.slug, 'isPublished', p.published_at is not null)
        order by portal.fold(d.name), d.id), '[]')
      from public.developments d left join portal.public_pages p on p.development_id = d.id where d.archived_at is null));
end $$;
comment on function portal.publishing(timestamptz) is
  'What is published: out (the feed for portals {email, state, madeAt}, or null), tellsVisits (whether visits are noted on timelines), the number of public pages, and each development with its page. Administrators, through the server only.';

create function portal.published_facts(p_after integer, p_limit integer, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today date := (p_now at time zone portal.time_zone())::date;
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(case when p.listing_id is not null
        then jsonb_build_object('id', p.id, 'type', 'listing', 'code', p.code, 'name', p.title, 'city', p.listing_city, 'kind', p.kind,
          'saleCents', p.sale_cents, 'rentCents', p.rent_cents,
          'hasPhoto', exists (select from portal.listing_photos f where f.listing_id = p.listing_id and f.media_id is not null))
        else jsonb_build_object('id', p.id, 'type', 'development', 'code', 'E' || p.development_id, 'name', p.name, 'city', p.city,
          'developmentId', p.development_id, 'plans', portal.page_prices(p.development_id, today),
          'hasPhoto', exists (select from public.development_media m where m.development_id = p.development_id and m.kind = 'foto'))
        end order by p.id), '[]')
    from (
      select g.id, g.listing_id, l.code, l.title, l.city as listing_city, l.kind, l.sale_cents, l.rent_cents, g.development_id, d.name, d.city
      from portal.public_pages g
      left join public.developments d on d.id = g.development_id
      left join public.listings l on l.id = g.listing_id
      where g.id > p_after and g.published_at is not null and l.left_feed_at is null and d.archived_at is null
      order by g.id limit p_limit) p);
end $$;
comment on function portal.published_facts(integer, integer, timestamptz) is
  'Published pages by id after p_after, each with the facts by which the feed for portals takes it or leaves it out: {id, type, code, name, city, hasPhoto}, for a listing kind, saleCents and rentCents, for a development developmentId and plans (portal.page_prices). Archived developments and listings that left the feed are none. Administrators, through the server only.';

create function portal.tell_visits(p_is_on boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  insert into portal.settings as s (key, value) values ('page_visits', to_jsonb(p_is_on))
  on conflict (key) do update set value = excluded.value where s.value <> excluded.value;
end $$;
comment on function portal.tell_visits(boolean) is
  'Turns on or off that a lead''s visit of a public page is noted on the lead''s timeline; it is off at first. The change of the setting is audited. Administrators, through the server only.';

create function portal.feed_out_of(p_hash bytea) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select jsonb_build_object('email', o.email, 'state', o.state) from portal.feed_out o where o.secret_hash = p_hash);
end $$;
comment on function portal.feed_out_of(bytea) is
  'E-mail and state of the feed for portals at a secret address. Null for an address that is wrong or has ended. Server only.';

create function portal.feed_out_pages(p_after integer, p_limit integer, p_now timestamptz) returns table (id integer, content jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select p.id, portal.page_content(p, p_now) from portal.public_pages p
    where p.id > p_after and p.published_at is not null order by p.id limit p_limit;
end $$;
comment on function portal.feed_out_pages(integer, integer, timestamptz) is
  'Published pages by id after p_after, each with portal.page_content, which is null for an archived development and for a listing that left the feed. Server only.';


-- Visits of leads to public pages.

create function portal.keep_page_link(p_lead bigint, p_page integer, p_hash bytea, p_now timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.page_links as k (token_hash, contact_id, page_id, made_at) values (p_hash, p_lead, p_page, p_now)
  on conflict (contact_id, page_id) do update set token_hash = excluded.token_hash, made_at = excluded.made_at;
  delete from portal.page_links k
  where k.contact_id = p_lead and k.token_hash in (
    select o.token_hash from portal.page_links o where o.contact_id = p_lead order by o.made_at desc, o.page_id desc offset 40);
$$;
comment on function portal.keep_page_link(bigint, integer, bytea, timestamptz) is
  'Stores a lead''s own address of a page (the SHA-256 of its token). An earlier one for the same page ends. Of more than 40 addresses of a lead the oldest end. Server only.';

create function portal.page_suffix(p_lead bigint, p_slug text, p_now timestamptz) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  token text := rtrim(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/', '-_'), '=');
begin
  if not coalesce((select s.value = 'true' from portal.settings s where s.key = 'page_visits'), false) then return ''; end if;
  perform portal.keep_page_link(p_lead, p.id, sha256(convert_to(token, 'UTF8')), p_now) from portal.public_pages p where p.slug = p_slug;
  return '?t=' || token;
end $$;
comment on function portal.page_suffix(bigint, text, timestamptz) is
  'What is added to a page''s address for one lead: ''?t='' and a new token. Empty while the agency does not note visits. Server only.';

create function portal.page_link(p_contact bigint, p_slug text, p_hash bytea, p_now timestamptz) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  lead bigint := portal.asked_lead(account, null, p_contact, null);
  page portal.public_pages;
begin
  if lead is null then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'lead.unknown';
  end if;
  select * into page from portal.public_pages p where p.slug = p_slug and p.published_at is not null;
  if page.id is null then
    raise exception 'Esta página não está publicada.' using errcode = 'PT404', hint = 'page.unknown';
  end if;
  if not coalesce((select s.value = 'true' from portal.settings s where s.key = 'page_visits'), false) then return false; end if;
  perform portal.keep_page_link(lead, page.id, p_hash, p_now);
  return true;
end $$;
comment on function portal.page_link(bigint, text, bytea, timestamptz) is
  'Stores a lead''s own address of a page, by the SHA-256 of its token, and returns true. Returns false while the agency does not note visits, so the caller sends the plain address. 404 for a lead that the caller does not reach, and for a page that is not published. Members, through the server only.';

create function portal.note_visit(p_hash bytea, p_slug text, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update portal.page_links k set visited_at = (p_now || k.visited_at)[1:20]
  from portal.public_pages p
  where k.token_hash = p_hash and p.id = k.page_id and p.slug = p_slug
    and coalesce(k.visited_at[1] < p_now - interval '30 minutes', true)
    and exists (select from portal.settings s where s.key = 'page_visits' and s.value = 'true');
end $$;
comment on function portal.note_visit(bytea, text, timestamptz) is
  'Notes that a lead opened a page, once in half an hour. Does nothing for an unknown token, and while the agency does not note visits. Server only.';

create function portal.move_page_links() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.page_links k set contact_id = new.kept_contact_id
  where k.contact_id = new.gone_contact_id
    and not exists (select from portal.page_links o where o.contact_id = new.kept_contact_id and o.page_id = k.page_id);
  return null;
end $$;
comment on function portal.move_page_links() is
  'Trigger: moves a merged lead''s addresses of pages to the kept lead. The address of a page for which the kept lead has one already ends.';
create trigger move_page_links after insert on portal.contact_merges
  for each row execute function portal.move_page_links();
