-- The WhatsApp link of each broker: its reported state, how far its history was read, and the alarm when it is lost.

-- Numbers the reported states. A poll that started before a report sees from the number that its own answer is older.
create sequence portal.link_changes as bigint;

create table portal.webhook_secrets (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  hash bytea not null,
  previous_hash bytea,
  created_at timestamptz not null default now()
);
comment on table portal.webhook_secrets is 'SHA-256 of the secret in each instance''s webhook address.';
comment on column portal.webhook_secrets.previous_hash is
  'Valid until the next secret is made: the gateway uses the old address until it learns the new one.';
alter table portal.webhook_secrets enable row level security;

create table portal.instance_states (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  state text not null default 'close' check (state in ('close', 'connecting', 'open', 'refused', 'removed')),
  reason integer,
  state_at timestamptz,
  state_rank integer not null default 0,
  changed_at timestamptz not null default now(),
  owner_jid text,
  profile_name text,
  profile_pic_url text,
  owner_at timestamptz,
  qr_image text,
  qr_text text,
  pairing_code text,
  qr_count integer,
  qr_is_limit boolean not null default false,
  qr_at timestamptz,
  qr_received_at timestamptz,
  replaced_number text,
  -- Some links report open although nothing goes out. The result of the last send overrides the reported state.
  dead_at timestamptz,
  pairing_number text,
  cut_at timestamptz,
  alarmed_at timestamptz,
  change_number bigint not null default nextval('portal.link_changes'),
  away_since timestamptz,
  flips integer not null default 0,
  opening_since timestamptz,
  looked_at timestamptz,
  shown_code text,
  shown_count integer,
  old_codes text[] not null default '{}',
  codes_before integer not null default 0
);
comment on table portal.instance_states is
  'What the gateway last reported of each instance''s link. State, owner and code are three groups, each as of its newest report.';
comment on column portal.instance_states.reason is 'The gateway''s statusReason: 401 unlinked on the phone, 403 banned, 428 no scan in time …';
comment on column portal.instance_states.state_at is
  'Time of the report by the gateway''s clock, only for ordering its reports.';
comment on column portal.instance_states.changed_at is 'When the portal received the state.';
comment on column portal.instance_states.owner_jid is 'The phone that was linked last.';
comment on column portal.instance_states.qr_is_limit is
  'True when the gateway makes no more codes until the next request.';
comment on column portal.instance_states.qr_received_at is
  'When the portal received the code; a code is valid for 45 seconds.';
comment on column portal.instance_states.replaced_number is
  'The previous number, after a different phone was linked; null again once the broker has seen the notice.';
comment on column portal.instance_states.dead_at is
  'When a send failed because the link was down although it was reported open; null again with the next accepted send or link report.';
comment on column portal.instance_states.pairing_number is
  'The phone for which a link in progress makes a code to type; null for a QR code.';
comment on column portal.instance_states.cut_at is
  'When a person last disconnected it in the portal; such a disconnection raises no alarm.';
comment on column portal.instance_states.alarmed_at is
  'When the portal raised the alarm for a lost link: it was linked, is down, and nobody disconnected it. Null again once the link is back or somebody disconnects it.';
comment on column portal.instance_states.change_number is
  'Increases with each reported state, even an equal one. A poll that started under another number has an older answer.';
comment on column portal.instance_states.away_since is
  'When the link went down after being stable; short openings of seconds do not reset it. Null until the first time.';
comment on column portal.instance_states.flips is
  'How often the link opened for less than 30 s since then; 0 again once it is stable, a send got through, or a person links it.';
comment on column portal.instance_states.opening_since is
  'Since when the gateway reports an opening that the portal does not trust yet.';
comment on column portal.instance_states.looked_at is
  'When a poll found the link open before the gateway reported it; late reports of the states before are then ignored. Null once a newer report arrives.';
comment on column portal.instance_states.shown_code is
  'The QR code that a screen showed last; shown_count is the gateway''s number of it.';
comment on column portal.instance_states.old_codes is
  'Codes of the previous link, which the gateway may return once more; they are never shown again.';
comment on column portal.instance_states.codes_before is
  'The gateway''s code counter when this link began; the gateway does not reset it.';
alter table portal.instance_states enable row level security;
alter sequence portal.link_changes owned by portal.instance_states.change_number;


-- A counter decides which of two reports came later. Clocks can repeat: the embedded engine has milliseconds, WhatsApp
-- has seconds.

create function portal.number_link_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.change_number := nextval('portal.link_changes');
  return new;
end $$;
comment on function portal.number_link_change() is 'Trigger on portal.instance_states: numbers each reported state.';
create trigger number_link_change before update of state on portal.instance_states
  for each row execute function portal.number_link_change();

create function portal.publish_link_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.publish(jsonb_build_object('kind', 'link', 'instanceName', new."instanceName"));
  return null;
end $$;
comment on function portal.publish_link_change() is 'Trigger: publishes that an instance''s link or code changed.';
create trigger publish_link_change after insert or update on portal.instance_states
  for each row execute function portal.publish_link_change();

create function portal.apply_link(instance text, event jsonb) returns text
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
  -- A late 'connecting' of an opening that a poll has already seen. If the link really reconnects, the next poll says
  -- so.
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
  -- The gateway reports 'open' only when a link opens; the report of the closing may come later, or never.
  return case when event ->> 'state' = 'open' and believed = 'open' then 'linked' end;
end $$;
comment on function portal.apply_link(text, jsonb) is
  'Stores the newest reported state of a link; returns ''linked'' for every new opening that the portal trusts. Server only.';

create function portal.apply_qr(instance text, event jsonb) returns void
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
    -- A code reported after the opening belongs to the linking before it. Storing it would make the next opening look
    -- like a new link by code.
    and not (s.state = 'open' and (s.state_at >= excluded.qr_at or coalesce(s.looked_at > now() - interval '30 seconds', false)))
$$;
comment on function portal.apply_qr(text, jsonb) is
  'Stores the newest QR code, or that no more will come, unless the link opened since. Server only.';


-- An opening of a few seconds does not count as a return: away_since stays. Once a link has flipped, the portal trusts
-- an opening only when the next poll still finds it open.

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
  'Trigger on portal.instance_states: counts openings of seconds, and does not trust the next opening until a poll confirms it.';
create trigger judge_opening before update of state, qr_received_at on portal.instance_states
  for each row execute function portal.judge_opening();

create function portal.prove_link(instance text, p_seconds bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update portal.instance_states s
  set state = 'open', reason = null, changed_at = now(), dead_at = null, flips = 0
  where s."instanceName" = instance and p_seconds >= extract(epoch from s.opening_since) - 2;
  if found then
    perform portal.resume_queue(instance);
    return;
  end if;
  -- A message that got through proves the link stable: the next loss is a first one again.
  update portal.instance_states s set away_since = null
  where s."instanceName" = instance and s.state = 'open' and s.away_since is not null
    and s.changed_at > now() - interval '30 seconds' and p_seconds >= extract(epoch from s.changed_at) - 2;
end $$;
comment on function portal.prove_link(text, bigint) is
  'A message of that second passed through the link: a doubted opening is trusted, and away_since is cleared. Server only.';

-- The number is stored at the first report, so that the loss of a link is noticed even if nobody opened the page. It
-- also lets two contacts of one person, one by phone and one by hidden id, be resolved at once.
create function portal.keep_first_number() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.brokers b
  set broker_number = split_part(split_part(new.owner_jid, '@', 1), ':', 1), status = 'ativo'
  where b."instanceName" = new."instanceName" and b.broker_number is null;
  return null;
end $$;
comment on function portal.keep_first_number() is
  'Trigger on portal.instance_states: a broker without a number gets the linked phone''s number as soon as it is reported.';
create trigger keep_first_number after insert or update of state, owner_jid on portal.instance_states
  for each row when (new.state = 'open' and new.owner_jid ~ '^\d{8,15}[@:]') execute function portal.keep_first_number();


-- The loss of a WhatsApp link is announced within a minute, even if its event was lost: by push to the broker, on every
-- screen and in the audit log for administrators. The watch polls twice a minute.

create function portal.raise_lost_links() returns setof text
language plpgsql volatile security definer set search_path = '' as $$
declare
  lost text;
begin
  for lost in
    update portal.instance_states s set alarmed_at = now()
    from public.brokers b
    where b."instanceName" = s."instanceName" and b.broker_number is not null and s.alarmed_at is null
      and (s.state <> 'open' or s.dead_at is not null)
      -- Waits one poll, within which a restarting link is back; older losses are known already. Failed reconnects
      -- change the row too, so away_since tells when the link went down.
      and coalesce(s.dead_at, s.away_since, s.changed_at) between now() - interval '1 day' and now() - interval '25 seconds'
      and s.cut_at is null
    returning s."instanceName"
  loop
    perform portal.audit('link.lost', lost);
    return next lost;
  end loop;
end $$;
comment on function portal.raise_lost_links() is
  'Raises the alarm for links that were lost, once over all portals; returns their instances. Server only.';

create function portal.lower_lost_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.state = 'open' and new.dead_at is null then
    if new.alarmed_at is not null then perform portal.audit('link.back', new."instanceName"); end if;
    new.alarmed_at := null;
    -- A new opening clears the mark, so that the next loss raises the alarm.
    if old.state <> 'open' then new.cut_at := null; end if;
  elsif new.cut_at is distinct from old.cut_at then
    new.alarmed_at := null;
  end if;
  return new;
end $$;
comment on function portal.lower_lost_link() is
  'Trigger: clears the alarm of a link that is back or that a person disconnected.';
create trigger lower_lost_link before update on portal.instance_states
  for each row execute function portal.lower_lost_link();


-- How far each instance's history was read from the gateway.

-- After a phone is linked by a code, WhatsApp sends its history to the gateway some time later. For the phone that was
-- linked before, reading continues where it ended; of a new phone nothing older is read. Messages from the time without
-- a link are history: they raise no alarm, enter no rotation and start no clock.
create table portal.instance_sweeps (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  claimed_at timestamptz not null default now(),
  read_until timestamptz,
  -- How far the history is read after a phone was linked by a code. WhatsApp sends it to the gateway some time after
  -- the link opened. For the phone that was linked before, reading continues where it ended; of a new phone nothing
  -- older is read. Messages from the time without a link are history: they raise no alarm, enter no rotation and start
  -- no clock.
  read_from timestamptz,
  opened_at timestamptz not null default now(),
  relinked_at timestamptz,
  -- A phone that was off may send its history hours after it was linked.
  gap_from timestamptz,
  gap_read_at timestamptz
);
comment on table portal.instance_sweeps is
  'State of the sweeps that fetch what a lost webhook missed, one row for each instance.';
comment on column portal.instance_sweeps.claimed_at is
  'When a portal last began a sweep, so that several portals over one database do not all read.';
comment on column portal.instance_sweeps.read_until is 'Everything older was read while the link was open.';
comment on column portal.instance_sweeps.read_from is
  'When the current phone was first linked to this instance: nothing older is read. Null if that was before this column existed.';
comment on column portal.instance_sweeps.opened_at is 'When the link last opened.';
comment on column portal.instance_sweeps.relinked_at is
  'When a phone was last linked by a code. Messages from before are history, most of which reaches the gateway within the next hour.';
comment on column portal.instance_sweeps.gap_from is
  'Where complete reading ended when the same phone was linked again. The time from then to relinked_at is re-read now and then for a week.';
comment on column portal.instance_sweeps.gap_read_at is 'When that gap was last read.';
alter table portal.instance_sweeps enable row level security;

create function portal.note_opened_link() returns trigger
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
  'Trigger on portal.instance_states: records that the link opened, or that another phone was linked, and from when on its history is read.';
create trigger note_opened_link after insert or update of state, owner_jid on portal.instance_states
  for each row execute function portal.note_opened_link();
