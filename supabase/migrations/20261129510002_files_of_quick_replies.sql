-- A quick reply may send a file, with its text as the caption.
-- with: function portal.media_is_used
alter table public.quick_replies add column file jsonb,
  add constraint quick_replies_caption check (file is null or length(body) <= 1024);
