-- What comes in from the gateway: the inbox before it is applied, what waits, and what the portal knows of each link
-- (PRODUCT.md 4.2-4.4, EVOLUTION.md 3). Everything here but the columns of messages is the server's own.

alter table public.whatsapp_messages
  add column "remoteJid" text,
  add column content jsonb,
  add column quoted jsonb,
  add column reactions jsonb not null default '{}',
  add column edited_at timestamptz,
  add column deleted_at timestamptz;
comment on column public.whatsapp_messages.kind is
  'text, image, video, audio, document, sticker, contact, location, unsupported (shown neutrally) or deleted (taken back by its author).';
comment on column public.whatsapp_messages."remoteJid" is 'Address of the chat as the gateway gave it.';
comment on column public.whatsapp_messages.content is
  'Beside the text. Media: mediaId (null until fetched), mimeType, fileName, sizeBytes, seconds, width, height, isVoice, isViewOnce. Contact: contacts [{name, phones}]. Location: latitude, longitude, name, address, isLive.';
comment on column public.whatsapp_messages.quoted is 'The line answered to: messageId, isOwn, kind, body.';
comment on column public.whatsapp_messages.reactions is
  'By ''me'' and ''contact'': emoji (empty when taken back), at (epoch seconds), id.';
comment on column public.whatsapp_messages.edited_at is 'Time of the newest edit, by the gateway''s clock.';
comment on column public.whatsapp_messages.deleted_at is 'When the author took it back, by the gateway''s clock; body and content are gone then.';

create table portal.message_raw (
  message_id bigint primary key references public.whatsapp_messages on delete cascade,
  raw jsonb not null
);
comment on table portal.message_raw is 'The gateway''s own words, of messages that the portal cannot show wholly or that came from an advertisement.';

create table portal.webhook_secrets (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  hash bytea not null,
  previous_hash bytea,
  created_at timestamptz not null default now()
);
comment on table portal.webhook_secrets is 'SHA-256 of the secret in each instance''s webhook address.';
comment on column portal.webhook_secrets.previous_hash is 'Stays good until the next is made: the gateway reports to the old address until it is told the new one.';

create table portal.webhook_inbox (
  id bigint generated always as identity primary key,
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  body text not null,
  received_at timestamptz not null
);
comment on table portal.webhook_inbox is 'Deliveries that are safe but not yet applied, in order of arrival; a row goes in the transaction that applies it.';

create table portal.webhook_aside (
  id bigint generated always as identity primary key,
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  reason text not null,
  body text not null,
  received_at timestamptz not null default now()
);
comment on table portal.webhook_aside is 'Deliveries that were no event, or that the database refused; counted in health, kept for thirty days.';

create table portal.waiting_events (
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  target text not null,
  kind text not null,
  weight bigint not null,
  waited jsonb not null,
  received_at timestamptz not null default now(),
  primary key ("instanceName", target, kind)
);
comment on table portal.waiting_events is
  'Edits, revokes, acks and reactions that came before their message, and names before their contact; kept for thirty days.';
comment on column portal.waiting_events.target is 'Message id, or address of the person for a name.';
comment on column portal.waiting_events.waited is 'The event, as portal.apply_event takes it.';
comment on column portal.waiting_events.weight is 'Of several of one kind the heaviest counts.';
create index waiting_events_age on portal.waiting_events (received_at);
comment on index portal.waiting_events_age is 'Serves the removal of what has waited too long.';

create table portal.instance_states (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  state text not null default 'close' check (state in ('close', 'connecting', 'open', 'refused', 'removed')),
  reason integer,
  state_at timestamptz,
  state_rank integer not null default 0,
  changed_at timestamptz not null default now(),
  owner_jid text,
  profile_name text,
  profile_pic_url text,
  owner_at timestamptz,
  qr_image text,
  qr_text text,
  pairing_code text,
  qr_count integer,
  qr_is_limit boolean not null default false,
  qr_at timestamptz,
  qr_received_at timestamptz
);
comment on table portal.instance_states is 'What the gateway last reported of each instance''s link. Three groups, state, owner and code, each as of its newest report.';
comment on column portal.instance_states.reason is 'The gateway''s statusReason: 401 unlinked on the phone, 403 banned, 428 no scan in time …';
comment on column portal.instance_states.state_at is 'Time of the report by the gateway''s clock: fit to order its reports only.';
comment on column portal.instance_states.changed_at is 'When the portal learnt of the state.';
comment on column portal.instance_states.owner_jid is 'The phone linked last.';
comment on column portal.instance_states.qr_is_limit is 'The gateway makes no more codes until asked again.';
comment on column portal.instance_states.qr_received_at is 'When the portal learnt of the code; it lives 45 seconds.';

create table portal.media (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null,
  created_at timestamptz not null default now()
);
comment on table portal.media is 'Media bytes kept in the database, named by their SHA-256; empty where a folder keeps them.';

create table portal.media_chunks (
  media_id text not null references portal.media on delete cascade,
  index integer not null,
  bytes bytea not null,
  primary key (media_id, index)
);
comment on table portal.media_chunks is 'The bytes of portal.media in pieces of 256 KiB, so that a part can be read alone.';

alter table portal.message_raw enable row level security;
alter table portal.webhook_secrets enable row level security;
alter table portal.webhook_inbox enable row level security;
alter table portal.webhook_aside enable row level security;
alter table portal.waiting_events enable row level security;
alter table portal.instance_states enable row level security;
alter table portal.media enable row level security;
alter table portal.media_chunks enable row level security;
