-- Contacts that a broker marked as particular, and what is kept of them for seven days.
create table portal.private_contacts (
  id bigint generated always as identity primary key,
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  form_hashes bytea[] not null constraint private_contacts_forms check (cardinality(form_hashes) > 0),
  last_digits text constraint private_contacts_digits check (last_digits ~ '^\d{4}$'),
  since timestamptz not null default now(),
  contact_id bigint,
  operation_id uuid
);
create index private_contacts_broker on portal.private_contacts ("instanceName", since desc);
alter table portal.private_contacts enable row level security;

create table portal.private_history (
  private_id bigint primary key references portal.private_contacts on delete cascade,
  kept_at timestamptz not null default now(),
  rows jsonb not null,
  media_ids text[] not null default '{}'
);
create index private_history_age on portal.private_history (kept_at);
alter table portal.private_history enable row level security;
