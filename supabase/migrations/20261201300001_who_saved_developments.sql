-- Administrators who edit one development at the same time see who saved it.
alter table public.developments add column if not exists updated_by text;
