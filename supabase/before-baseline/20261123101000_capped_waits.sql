-- A wait is over after its own length, also where it was written down by a clock that ran ahead and was set right since.

create or replace function portal.charge_attempt(kinds text[], subjects text[], moment timestamptz)
returns integer
language plpgsql volatile set search_path = '' as $$
declare
  keys bytea[] := array(
    select portal.throttle_key(asked.kind, asked.subject)
    from unnest(kinds, subjects) with ordinality as asked (kind, subject, n) order by asked.n);
  is_trusted boolean;
  wait_seconds integer;
begin
  -- The first subject, an address, is held from here on, so that attempts made from it at once are counted one by one.
  insert into portal.throttle (key, kind, attempts, counted_at) values (keys[1], kinds[1], 0, moment) on conflict do nothing;
  perform from portal.throttle t where t.key = any (keys) order by array_position(keys, t.key) for update;
  -- Counted by a clock that was ahead: the wait begins now, and is forgotten as any other.
  update portal.throttle t set counted_at = moment where t.key = any (keys) and t.counted_at > moment;
  is_trusted := exists (
    select from portal.throttle t where t.key = any (keys) and t.kind = 'pair' and t.trusted_until > moment);
  select ceil(max(portal.attempt_wait(t, moment))) into wait_seconds
  from portal.throttle t
  where t.key = any (keys) and not (is_trusted and t.kind = 'account');
  if wait_seconds > 0 then return wait_seconds; end if;

  insert into portal.throttle as t (key, kind, attempts, counted_at)
  select keys[n], kinds[n], 1, moment from generate_subscripts(keys, 1) as n order by n
  on conflict (key) do update
  -- Not beyond where the wait is longest anyway, so that waiting it out helps however long the attack was.
  set attempts = least(portal.attempts_left(t, moment) + 1, (
      select rule.free_attempts + ceil(log(2.0, rule.longest_wait_seconds::numeric / rule.first_wait_seconds))
      from portal.throttle_rules rule where rule.kind = t.kind)),
    counted_at = moment;
  return 0;
end $$;

create function portal.cap_waits(p_now timestamptz, p_longest_gap interval) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  capped integer := 0;
  changed integer;
  -- What the database dates by itself, and what the portal does: they may be two machines.
  here timestamptz := clock_timestamp();
begin
  -- The outbox to the gateway: held for up to five minutes after a fault, and leased for half a minute.
  update portal.send_queues
  set held_until = least(held_until, here + interval '5 minutes'), leased_until = least(leased_until, here + interval '1 minute')
  where held_until > here + interval '5 minutes' or leased_until > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.name_turns set held_until = here + interval '1 minute' where held_until > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.leftover_instances set noted_at = here where noted_at > here;
  get diagnostics changed = row_count; capped := capped + changed;
  -- Read back up to then, says a mark of the future, and nothing would be read back until then.
  update portal.instance_sweeps set claimed_at = least(claimed_at, here), read_until = least(read_until, p_now)
  where claimed_at > here or read_until > p_now;
  get diagnostics changed = row_count; capped := capped + changed;
  -- A gateway whose clock is a little ahead keeps its order; one that was far ahead is heard again.
  update portal.instance_states
  set changed_at = least(changed_at, here), dead_at = least(dead_at, here), qr_received_at = least(qr_received_at, here),
    state_at = least(state_at, here + interval '1 minute'), owner_at = least(owner_at, here + interval '1 minute'),
    qr_at = least(qr_at, here + interval '1 minute')
  where greatest(changed_at, dead_at, qr_received_at) > here
    or greatest(state_at, owner_at, qr_at) > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  -- What is written to an erased person's number from now on is new.
  update portal.erasures set erased_at = here where erased_at > here;
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.agent_pauses
  set paused_until = paused_until - (paused_at - here), paused_at = here where paused_at > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Pushes: as long after now as they were after they were queued; a device is left in peace for an hour at most.
  update portal.push_queue set due_at = due_at - (queued_at - p_now), queued_at = p_now
  where queued_at > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.push_queue set claimed_until = p_now + interval '1 minute' where claimed_until > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.push_devices
  set held_until = least(held_until, p_now + interval '1 hour'), watched_until = least(watched_until, p_now + interval '1 minute')
  where held_until > p_now + interval '1 hour' or watched_until > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Rotations: the time to answer or accept begins now; without anybody there it is looked again within minutes.
  update portal.roleta_cases set next_at = p_now + (next_at - since), since = p_now
  where since > p_now and next_at is not null;
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.roleta_cases set next_at = p_now + interval '5 minutes'
  where state = 'waiting' and next_at > p_now + interval '5 minutes';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.meta_inbox set next_at = p_now + interval '1 hour' where next_at > p_now + interval '1 hour';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Campaigns: a gap is as long as gaps are; what waits for hours or for the day is looked at again, and waits if it must.
  update public.remarketing_campaigns
  set watched_since = least(watched_since, p_now),
    next_send_at = least(next_send_at, case when wait_reason is null then p_now + p_longest_gap
      when next_send_at > p_now + interval '2 days' then p_now else next_send_at end)
  where status in ('running', 'paused') and (watched_since > p_now
    or wait_reason is null and next_send_at > p_now + p_longest_gap
    or wait_reason is not null and next_send_at > p_now + interval '2 days');
  get diagnostics changed = row_count; capped := capped + changed;

  -- What opens something lasts no longer than it would have.
  update portal.sessions set expires_at = p_now + interval '30 days' where expires_at > p_now + interval '30 days';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.accounts
  set first_access_until = least(first_access_until, p_now + interval '24 hours'),
    invite_expires_at = least(invite_expires_at, p_now + interval '7 days')
  where first_access_until > p_now + interval '24 hours' or invite_expires_at > p_now + interval '7 days';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.throttle set trusted_until = p_now + interval '90 days' where trusted_until > p_now + interval '90 days';
  get diagnostics changed = row_count; return capped + changed;
end $$;
comment on function portal.cap_waits(timestamptz, interval) is
  'Every wait, lease and term that lies further ahead than it is ever made, as after a clock that ran ahead, ends after its own length from now (the portal''s p_now). p_longest_gap is the longest between two texts of a campaign. Run by the portal at its start and every minute; answers how many rows changed. Times that a person chose stay.';
revoke execute on function portal.cap_waits(timestamptz, interval) from public, anon, authenticated, service_role;
