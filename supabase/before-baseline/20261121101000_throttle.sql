-- How often one may try to sign in (SPEC.md 7.4, PRODUCT.md 4.1): kept in the database, so that a restart forgets
-- nothing, several portals count together, and the portal and the functions of SPEC.md 7.1 share one count.

create table portal.throttle_rules (
  kind text primary key,
  free_attempts integer not null check (free_attempts >= 1),
  first_wait_seconds integer not null check (first_wait_seconds >= 1),
  longest_wait_seconds integer not null check (longest_wait_seconds >= first_wait_seconds),
  forgets_one_in_seconds integer not null check (forgets_one_in_seconds >= 1)
);
comment on table portal.throttle_rules is 'How each kind of attempt is counted: so many free, then a wait that doubles from the first to the longest; one attempt is forgotten in each span.';
insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('pair', 5, 30, 300, 1800),    -- one account from one address: strict
  ('account', 20, 1, 15, 120),   -- one account from anywhere: mild, so that a stranger cannot keep its owner out
  ('address', 60, 5, 300, 30),   -- one address on any accounts: an office of brokers fits in, a list of passwords does not
  ('lookup', 30, 2, 60, 20);     -- one address asking which usernames there are

create table portal.throttle (
  key bytea primary key,
  kind text not null references portal.throttle_rules,
  attempts double precision not null check (attempts >= 0),
  counted_at timestamptz not null,
  trusted_until timestamptz
);
comment on table portal.throttle is 'Recent attempts of each account, address and pair of both; removed by the portal once forgotten.';
comment on column portal.throttle.key is 'SHA-256 of kind and subject: neither addresses nor mistyped usernames are kept in the clear.';
comment on column portal.throttle.attempts is 'As of counted_at; what is left of it now says portal.attempts_left.';
comment on column portal.throttle.trusted_until is 'A pair that signed in keeps passing by the count of its account until then.';

create function portal.throttle_key(kind text, subject text) returns bytea
language sql immutable strict parallel safe set search_path = '' as $$
  select sha256(convert_to(kind || ':' || subject, 'UTF8'))
$$;
comment on function portal.throttle_key(text, text) is 'Key of a row of portal.throttle.';

create function portal.attempts_left(entry portal.throttle, moment timestamptz) returns double precision
language sql stable set search_path = '' as $$
  select greatest(0, entry.attempts
    - greatest(0, extract(epoch from moment - entry.counted_at)) / rule.forgets_one_in_seconds)::double precision
  from portal.throttle_rules rule
  where rule.kind = entry.kind
$$;
comment on function portal.attempts_left(portal.throttle, timestamptz) is 'The attempts not forgotten yet at a moment.';

create function portal.attempt_wait(entry portal.throttle, moment timestamptz) returns double precision
language sql stable set search_path = '' as $$
  select case
    -- One partly forgotten counts until it is forgotten wholly.
    when ceil(counted.attempts) < rule.free_attempts then 0
    else extract(epoch from entry.counted_at - moment)
      + least(rule.longest_wait_seconds, rule.first_wait_seconds * power(2, ceil(counted.attempts) - rule.free_attempts))
  end
  from portal.throttle_rules rule, portal.attempts_left(entry, moment) as counted (attempts)
  where rule.kind = entry.kind
$$;
comment on function portal.attempt_wait(portal.throttle, timestamptz) is 'Seconds from a moment until the next attempt is let through; zero or less when it is at once.';

create function portal.charge_attempt(kinds text[], subjects text[], moment timestamptz) returns integer
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
    counted_at = greatest(t.counted_at, moment);
  return 0;
end $$;
comment on function portal.charge_attempt(text[], text[], timestamptz) is
  'Counts one attempt against every subject and answers 0, or counts nothing and answers the seconds to wait. Charged before the password is looked at, so that guesses made at once do not slip through.';

create function portal.charge_sign_in(account text, address text, moment timestamptz) returns integer
language sql volatile set search_path = '' as $$
  select portal.charge_attempt(array['address', 'pair', 'account'], array[address, account || ' ' || address, account], moment)
$$;
comment on function portal.charge_sign_in(text, text, timestamptz) is
  'Counts an attempt to sign in to an account (role:username) from an address; answers 0 or the seconds to wait.';

create function portal.forgive_sign_in(account text, address text, moment timestamptz) returns void
language plpgsql volatile set search_path = '' as $$
declare
  keys bytea[] := array[portal.throttle_key('address', address), portal.throttle_key('pair', account || ' ' || address),
    portal.throttle_key('account', account)];
begin
  perform from portal.throttle t where t.key = any (keys) order by array_position(keys, t.key) for update;
  update portal.throttle t
  set attempts = case when t.kind = 'pair' then 0 else greatest(0, t.attempts - 1) end,
    trusted_until = case when t.kind = 'pair' then moment + interval '90 days' end
  where t.key = any (keys);
end $$;
comment on function portal.forgive_sign_in(text, text, timestamptz) is
  'Takes back what a right password was charged, clears its pair of account and address and trusts it for 90 days.';

alter table portal.throttle_rules enable row level security;
alter table portal.throttle enable row level security;
