-- What a person sends from a conversation: why a line waits or failed, and the queue it goes through (PRODUCT.md 4.2-4.4).

alter table public.whatsapp_messages
  add column delivery_reason text,
  add column operation_id uuid,
  add column written_at timestamptz;
comment on column public.whatsapp_messages.delivery_reason is
  'Why an outgoing line still waits, failed, or has an unknown end; a code of src/domain/outgoing.ts. Null once it was taken.';
comment on column public.whatsapp_messages.operation_id is
  'The operation that queued a line here last; null for lines that only the gateway reported.';
comment on column public.whatsapp_messages.written_at is
  'When the person wrote it on the device, where that was earlier than it came here; shown only.';
create index messages_unsettled on public.whatsapp_messages (contact_id, "instanceName")
  where delivery in ('queued', 'unknown');
comment on index public.messages_unsettled is
  'Serves the line of ours that a reported message is, and counting those whose end is unknown.';

create table portal.outgoing (
  message_id bigint primary key references public.whatsapp_messages on delete cascade,
  place bigint generated always as identity,
  "instanceName" text,
  claimed_by uuid,
  claimed_at timestamptz,
  queued_at timestamptz not null default clock_timestamp(),
  check ((claimed_at is null) = (claimed_by is null) and (claimed_at is null) = ("instanceName" is null))
);
comment on table portal.outgoing is
  'Lines that are still to be sent, one queue an instance: that of the lead''s owner when its turn comes. A row goes with its settling.';
comment on column portal.outgoing.place is 'The order of sending; a line that is sent again goes last.';
comment on column portal.outgoing."instanceName" is 'The instance it is being sent over; null while it waits.';
comment on column portal.outgoing.claimed_by is 'The portal that is sending it now. Without a living lease of that portal nobody knows what became of it.';

create table portal.send_queues (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  holder uuid,
  leased_until timestamptz,
  held_until timestamptz,
  held_times integer not null default 0
);
comment on table portal.send_queues is 'Which portal sends for an instance, and until when an instance waits because its link or the gateway is away.';
comment on column portal.send_queues.holder is 'A portal process; it alone sends for the instance until leased_until, which it renews.';
comment on column portal.send_queues.held_times is 'How often in a row nothing could be sent: each time the wait doubles.';

alter table portal.outgoing enable row level security;
alter table portal.send_queues enable row level security;
