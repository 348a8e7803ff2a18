-- How far each instance was read back from the gateway (PRODUCT.md 4.3).

create table portal.instance_sweeps (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  claimed_at timestamptz not null default now(),
  read_until timestamptz
);
comment on table portal.instance_sweeps is 'The sweeps that bring what a lost webhook missed, one row an instance.';
comment on column portal.instance_sweeps.claimed_at is 'When a portal last began one, so that several portals over one database do not all read.';
comment on column portal.instance_sweeps.read_until is 'Everything before was read back while the link was open.';
alter table portal.instance_sweeps enable row level security;
