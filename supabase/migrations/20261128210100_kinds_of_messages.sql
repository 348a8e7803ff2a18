-- Notes stand among the messages of a conversation, neither incoming nor outgoing.
alter table public.whatsapp_messages drop constraint whatsapp_messages_type_check;
alter table public.whatsapp_messages add constraint whatsapp_messages_type_check
  check (type in ('incoming', 'outgoing', 'note'));
alter table public.whatsapp_messages drop constraint whatsapp_messages_check;
alter table public.whatsapp_messages add constraint whatsapp_messages_check
  check ((type = 'outgoing') = (delivery is not null));

create table portal.unknown_kinds (
  name text primary key,
  seen bigint not null default 1,
  last_seen_at timestamptz not null default now()
);
alter table portal.unknown_kinds enable row level security;
