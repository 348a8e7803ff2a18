-- A link that says it is open while nothing goes out: the last send outranks what is reported (EVOLUTION.md 2.4).

alter table portal.instance_states add column dead_at timestamptz, add column pairing_number text;
comment on column portal.instance_states.dead_at is
  'When a send found no link although it was reported open; null again with the next accepted send or the next report of the link.';
comment on column portal.instance_states.pairing_number is
  'The phone that a link under way makes a code to type for; null for a QR code.';

create or replace function portal.apply_link(instance text, event jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  at timestamptz := portal.from_ms(event ->> 'atMs');
  rank integer := (event ->> 'rank')::integer;
  before portal.instance_states;
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
  where "instanceName" = instance;
  -- The gateway reports 'open' only when a link opens; that it closed before may have been reported later, or never.
  return case when event ->> 'state' = 'open' then 'linked' end;
end $$;
