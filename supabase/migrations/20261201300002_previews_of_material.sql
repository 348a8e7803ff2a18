-- Sent pictures of developments show a preview until they are loaded.
alter table public.development_media add column if not exists preview text check (length(preview) <= 4000);
