-- What the portal found out about a model at its endpoint, which costs of a turn are not whole, and what a refused text lacked.

create table portal.model_endpoints (
  model text primary key check (btrim(model) <> '' and length(model) <= 200),
  mark text not null,
  learnt jsonb not null default '{}',
  tried_at timestamptz not null,
  found jsonb,
  failure jsonb
);
alter table portal.model_endpoints enable row level security;

alter table portal.agent_turns
  add column is_estimated boolean not null default false,
  add column is_unpriced boolean not null default false,
  add column missing text;
