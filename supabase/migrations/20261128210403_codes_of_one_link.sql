-- Which codes belong to the link before, and how far the gateway had counted then.

alter table portal.instance_states
  add column shown_code text,
  add column shown_count integer,
  add column old_codes text[] not null default '{}',
  add column codes_before integer not null default 0;
