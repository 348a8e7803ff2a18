-- What was read stays for a while, so that later readers can read it again; and mailboxes that the portal asks by itself.

create table portal.intake_read (
  id bigint primary key,
  key_id uuid not null references portal.intake_keys on delete cascade,
  content_type text not null,
  repeat_key text,
  body text not null check (octet_length(body) <= 262144),
  leads jsonb not null,
  intakes bigint[] not null,
  fault text,
  received_at timestamptz not null
);
create index intake_read_received on portal.intake_read (received_at, id);
create index intake_read_key on portal.intake_read (key_id, id);
alter table portal.intake_read enable row level security;

create table portal.mailboxes (
  key_id uuid primary key references portal.intake_keys on delete cascade,
  host text not null check (length(host) between 1 and 253),
  port integer not null check (port between 1 and 65535),
  username text not null check (length(username) between 1 and 254),
  folder text not null check (length(folder) between 1 and 200),
  sealed text not null,
  is_on boolean not null,
  uid_validity text,
  last_uid bigint not null default 0,
  since timestamptz,
  next_at timestamptz,
  read_at timestamptz,
  attempts integer not null default 0,
  fault text,
  changed_at timestamptz not null
);
create index mailboxes_due on portal.mailboxes (next_at) where is_on;
alter table portal.mailboxes enable row level security;

create table portal.mailbox_mails (
  key_id uuid not null references portal.mailboxes on delete cascade,
  hash text not null check (length(hash) <= 64),
  taken_at timestamptz not null,
  primary key (key_id, hash)
);
create index mailbox_mails_taken on portal.mailbox_mails (taken_at);
alter table portal.mailbox_mails enable row level security;
