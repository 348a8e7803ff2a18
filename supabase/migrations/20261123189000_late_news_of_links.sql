-- A link's late news, and a phone's past that comes late: what a look has seen is not taken back by the way there, a code told after the
-- opening is none, and the time without a link is read again for a week.

alter table portal.instance_states add column looked_at timestamptz;
comment on column portal.instance_states.looked_at is
  'When a look found it open before the gateway told of it: what is told of the way there comes late. Null once it tells anything newer.';

alter table portal.instance_sweeps add column gap_from timestamptz, add column gap_read_at timestamptz;
comment on column portal.instance_sweeps.relinked_at is
  'When a phone was last linked by a code: what is read back of the time before is history, and mostly comes to the gateway within the hour after.';
comment on column portal.instance_sweeps.gap_from is
  'Up to when everything was read as the same phone was linked anew: from then to relinked_at is read again now and then for a week.';
comment on column portal.instance_sweeps.gap_read_at is 'When that was last read.';

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
  -- The way to the opening that a look has seen already; were it on its way again, the next look would say so.
  if event ->> 'state' = 'connecting' and before.state = 'open' and before.looked_at > now() - interval '30 seconds' then
    update portal.instance_states set state_at = at, state_rank = rank where "instanceName" = instance;
    return null;
  end if;
  update portal.instance_states
  set state = event ->> 'state', reason = (event ->> 'reason')::integer, state_at = at, state_rank = rank,
    changed_at = now(), dead_at = null, looked_at = null,
    pairing_number = case when event ->> 'state' <> 'open' then pairing_number end
  where "instanceName" = instance
  returning state into believed;
  -- The gateway reports 'open' only when a link opens; that it closed before may have been reported later, or never.
  return case when event ->> 'state' = 'open' and believed = 'open' then 'linked' end;
end $$;
comment on function portal.apply_link(text, jsonb) is
  'Keeps the newest reported state of a link; answers ''linked'' for every opening that is news and believed. Server only.';

create or replace function portal.apply_qr(instance text, event jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.instance_states as s
    ("instanceName", qr_image, qr_text, pairing_code, qr_count, qr_is_limit, qr_at, qr_received_at)
  values (
    instance, event ->> 'image', event ->> 'text', event ->> 'pairingCode', (event ->> 'count')::integer,
    (event ->> 'isLimit')::boolean, portal.from_ms(event ->> 'atMs'), now()
  )
  on conflict ("instanceName") do update
  set qr_image = excluded.qr_image, qr_text = excluded.qr_text, pairing_code = excluded.pairing_code,
    qr_count = excluded.qr_count, qr_is_limit = excluded.qr_is_limit, qr_at = excluded.qr_at,
    qr_received_at = excluded.qr_received_at
  where (s.qr_at is null or s.qr_at < excluded.qr_at)
    -- Told after the opening, it is of the way there: kept, it would make the next opening one by a code.
    and not (s.state = 'open' and (s.state_at >= excluded.qr_at or coalesce(s.looked_at > now() - interval '30 seconds', false)))
$$;
comment on function portal.apply_qr(text, jsonb) is
  'Keeps the newest code to scan, or the word that no more will come, unless the link opened since. Server only.';

create or replace function portal.note_opened_link() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new_phone boolean := new.owner_jid is not null and (
    tg_op = 'INSERT' or portal.number_key(new.owner_jid) is distinct from portal.number_key(old.owner_jid));
  has_opened boolean := new.state = 'open' and (tg_op = 'INSERT' or old.state <> 'open');
  phone_since timestamptz := case
    when tg_op = 'INSERT' or new.owner_at is distinct from old.owner_at then coalesce(new.owner_at, now()) else now() end;
begin
  if not is_new_phone and not has_opened then return null; end if;
  insert into portal.instance_sweeps ("instanceName", claimed_at, opened_at)
  values (new."instanceName", '-infinity', '-infinity') on conflict do nothing;
  update portal.instance_sweeps s
  set
    read_from = case when is_new_phone then phone_since else s.read_from end,
    read_until = case when is_new_phone then phone_since else s.read_until end,
    gap_from = case
      when is_new_phone then null
      when has_opened and new.qr_received_at > s.opened_at then coalesce(s.gap_from, s.read_until)
      else s.gap_from end,
    opened_at = case when has_opened then now() else s.opened_at end,
    relinked_at = case when has_opened and new.qr_received_at > s.opened_at then now() else s.relinked_at end
  where s."instanceName" = new."instanceName";
  return null;
end $$;
comment on function portal.note_opened_link() is
  'Trigger on portal.instance_states: a link opened, or another phone was linked than the one before; from when on it is read back.';
