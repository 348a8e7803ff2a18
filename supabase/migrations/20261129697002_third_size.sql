-- Pictures have a third size for whole screens.
alter table public.development_media add column if not exists whole_id text check (whole_id ~ '^[0-9a-f]{64}$');
create index if not exists development_media_wholes on public.development_media (whole_id) where whole_id is not null;
alter table portal.listing_photos add column if not exists whole_id text check (whole_id ~ '^[0-9a-f]{64}$');
alter table portal.listing_photos add column if not exists sizes smallint not null default 2;
create index if not exists listing_photos_wholes on portal.listing_photos (whole_id) where whole_id is not null;
create index if not exists listing_photos_old on portal.listing_photos (place, listing_id) where media_id is not null and sizes < 3 and next_at is null;
