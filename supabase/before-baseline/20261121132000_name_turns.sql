-- Whose turn it is to make or remove an instance at the gateway, over all portals (PRODUCT.md 3, 4; SPEC.md 8).

create table portal.name_turns (
  "instanceName" text primary key,
  holder uuid not null,
  held_until timestamptz not null
);
comment on table portal.name_turns is
  'The instance names that a portal makes or removes at the gateway right now, so that no other one removes what it is making. A portal that ended lets go once the time is over.';
alter table portal.name_turns enable row level security;
