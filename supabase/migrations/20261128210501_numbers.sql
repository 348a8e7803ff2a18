-- Numbers are read by the portal, and SQL knows canonical ones: what it made of others before is mended by the next migration.
-- with: function portal.number_digits, function portal.number_key, function portal.number_of_key, function portal.shown_number

create table portal.contact_numbers (
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  number_key text not null check (number_key = portal.number_key(number_key)),
  number text not null check (length(number) <= 20),
  added_at timestamptz not null default now(),
  import_id uuid,
  primary key (contact_id, number_key)
);
create index contact_numbers_key on portal.contact_numbers (number_key);
alter table portal.contact_numbers enable row level security;

create table portal.number_doubts (
  contact_id bigint primary key references public.whatsapp_contacts on delete cascade,
  shown text not null,
  numbers text[] not null check (cardinality(numbers) between 1 and 5),
  found_at timestamptz not null default now()
);
alter table portal.number_doubts enable row level security;

alter table portal.contact_merges add column number_keys text[] not null default '{}';
