-- What the gateway reports is applied by instance: one at a time of each, several of them at once.

set check_function_bodies = off;

create index webhook_inbox_instance on portal.webhook_inbox ("instanceName", id);
comment on index portal.webhook_inbox_instance is 'Serves what waits of one instance, in its order.';

create or replace function portal.take_apply_turn() returns void
language sql volatile set search_path = '' as $$
  select pg_advisory_xact_lock(71302211)
$$;
comment on function portal.take_apply_turn() is
  'Nobody else applies what the gateway reported, of any instance, until the transaction ends. Taken before a rotation''s turn and before any row. Server only.';

create or replace function portal.take_apply_turn_of(instance text) returns void
language sql volatile set search_path = '' as $$
  select pg_advisory_xact_lock_shared(71302211), pg_advisory_xact_lock(71302211, hashtext(instance))
$$;
comment on function portal.take_apply_turn_of(text) is
  'One portal at a time applies what the gateway reported of an instance, until the transaction ends; others go on beside it. Taken like the turn of all of them. Server only.';

reset check_function_bodies;
