-- Administrators get a push when a reading of the feed waits, and listings keep what a person edited.
alter table public.listings add column if not exists kept jsonb not null default '{}';
