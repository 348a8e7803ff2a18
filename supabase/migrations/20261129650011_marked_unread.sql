-- A broker can mark a conversation as unread.
alter table public.whatsapp_contacts add column marked_unread_at timestamptz;
