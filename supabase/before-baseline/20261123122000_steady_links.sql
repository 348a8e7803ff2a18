-- A link that opens for a moment and is gone again has not come back. Since when it is away counts from when it was last there for
-- good, and once it proved to flip, an opening is believed when it still stands at the next look, not when it is reported.

alter table portal.instance_states
  add column away_since timestamptz,
  add column flips integer not null default 0,
  add column opening_since timestamptz;
comment on column portal.instance_states.away_since is
  'When the link was last left after it had stood; openings of seconds in between do not count. Null before the first time.';
comment on column portal.instance_states.flips is
  'How often it opened for less than 30 s since then; 0 again once it stands, was sent through, or a person links it.';
comment on column portal.instance_states.opening_since is
  'Since when the gateway says that it is open, while that is not believed.';

create function portal.judge_opening() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was_looked_at boolean := new.state_at is not distinct from old.state_at;
begin
  if new.qr_received_at is distinct from old.qr_received_at then new.flips := 0; end if;
  if old.state = 'open' and new.state <> 'open' then
    if old.away_since is not null and old.changed_at > now() - interval '30 seconds' then
      new.flips := old.flips + 1;
    else
      new.away_since := now();
      new.flips := 0;
    end if;
  elsif old.state <> 'open' and new.state = 'open' and new.flips > 0
    and not coalesce(was_looked_at and old.opening_since < now() - interval '25 seconds', false) then
    new.opening_since := case when was_looked_at then coalesce(old.opening_since, now()) else now() end;
    new.state := old.state;
    new.reason := old.reason;
    new.changed_at := old.changed_at;
    new.dead_at := old.dead_at;
    return new;
  elsif new.state = 'open' then
    new.flips := 0;
  end if;
  new.opening_since := null;
  return new;
end $$;
comment on function portal.judge_opening() is
  'Trigger on portal.instance_states: counts openings of seconds, and holds back one more of them until a look finds it standing.';
revoke execute on function portal.judge_opening() from public, anon, authenticated, service_role;
create trigger judge_opening before update of state, qr_received_at on portal.instance_states
  for each row execute function portal.judge_opening();

create or replace function portal.apply_link(instance text, event jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  at timestamptz := portal.from_ms(event ->> 'atMs');
  rank integer := (event ->> 'rank')::integer;
  before portal.instance_states;
  believed text;
begin
  insert into portal.instance_states ("instanceName") values (instance) on conflict do nothing;
  select * into before from portal.instance_states where "instanceName" = instance for update;
  if event ->> 'ownerJid' is not null and (before.owner_at is null or before.owner_at < at) then
    update portal.instance_states
    set owner_jid = event ->> 'ownerJid', profile_name = event ->> 'profileName',
      profile_pic_url = event ->> 'profilePicUrl', owner_at = at
    where "instanceName" = instance;
  end if;
  if before.state_at is not null and (before.state_at, before.state_rank) >= (at, rank) then return null; end if;
  update portal.instance_states
  set state = event ->> 'state', reason = (event ->> 'reason')::integer, state_at = at, state_rank = rank,
    changed_at = now(), dead_at = null,
    pairing_number = case when event ->> 'state' <> 'open' then pairing_number end
  where "instanceName" = instance
  returning state into believed;
  -- The gateway reports 'open' only when a link opens; that it closed before may have been reported later, or never.
  return case when event ->> 'state' = 'open' and believed = 'open' then 'linked' end;
end $$;
comment on function portal.apply_link(text, jsonb) is
  'Keeps the newest reported state of a link; answers ''linked'' for every opening that is news and believed. Server only.';

create or replace function portal.raise_lost_links() returns setof text
language plpgsql volatile security definer set search_path = '' as $$
declare
  lost text;
begin
  for lost in
    update portal.instance_states s set alarmed_at = now()
    from public.brokers b
    where b."instanceName" = s."instanceName" and b.broker_number is not null and s.alarmed_at is null
      and (s.state <> 'open' or s.dead_at is not null)
      -- One look of the watch: a link that only begins anew is back by then. What is older is known. Each failed attempt to come
      -- back is a change of its own, so the time is that of when it left.
      and coalesce(s.dead_at, s.away_since, s.changed_at) between now() - interval '1 day' and now() - interval '25 seconds'
      and s.cut_at is null
    returning s."instanceName"
  loop
    perform portal.audit('link.lost', lost);
    return next lost;
  end loop;
end $$;

create or replace function portal.broker_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(row_to_json(listed) order by listed."instanceName"), '[]')
    from (
      select b.id, b."instanceName", b.broker_number as number, b.created_at as "createdAt",
        b.password_hash is not null as "hasPassword", coalesce(s.state, 'close') as state, s.dead_at as "deadAt",
        s.changed_at as "changedAt", s.profile_pic_url as "pictureUrl", b.central_since is not null as "isCentral",
        case when s.alarmed_at is not null then coalesce(s.dead_at, s.away_since, s.changed_at) end as "lostAt",
        (select max(seen.refreshed_at) from portal.sessions seen where seen.account_id = b.id) as "seenAt",
        (select count(*) from public.remarketing_campaigns c where c.broker_id = b.id) as campaigns,
        (select count(*) from public.roleta_corretores r where r."instanceName" = b."instanceName") as seats
      from public.brokers b left join portal.instance_states s using ("instanceName")
    ) listed
  );
end $$;
