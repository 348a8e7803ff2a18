-- The agency's own phones are known by their addresses: what they write to themselves and to each other is no lead's.
create table portal.own_addresses (
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  address text not null constraint own_addresses_form check (address ~ '^(\+\d{5,20}|\d{5,20}@lid)$'),
  learned_at timestamptz not null default now(),
  primary key ("instanceName", address)
);
create index own_addresses_address on portal.own_addresses (address);
alter table portal.own_addresses enable row level security;

insert into portal.own_addresses ("instanceName", address)
select s."instanceName", portal.number_key(s.owner_jid) from portal.instance_states s
where portal.number_key(s.owner_jid) is not null;
