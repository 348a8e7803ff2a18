-- The WhatsApp of each broker: what is known of its link, how far it was read back, and when its loss is told.

-- What is known of a link: by its number a look at it sees that something was told meanwhile.
create sequence portal.link_changes as bigint;

create table portal.webhook_secrets (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  hash bytea not null,
  previous_hash bytea,
  created_at timestamptz not null default now()
);
comment on table portal.webhook_secrets is 'SHA-256 of the secret in each instance''s webhook address.';
comment on column portal.webhook_secrets.previous_hash is 'Stays good until the next is made: the gateway reports to the old address until it is told the new one.';
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
  -- A link that says it is open while nothing goes out: the last send outranks what is reported.
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
comment on table portal.instance_states is 'What the gateway last reported of each instance''s link. Three groups, state, owner and code, each as of its newest report.';
comment on column portal.instance_states.reason is 'The gateway''s statusReason: 401 unlinked on the phone, 403 banned, 428 no scan in time …';
comment on column portal.instance_states.state_at is 'Time of the report by the gateway''s clock: fit to order its reports only.';
comment on column portal.instance_states.changed_at is 'When the portal learnt of the state.';
comment on column portal.instance_states.owner_jid is 'The phone linked last.';
comment on column portal.instance_states.qr_is_limit is 'The gateway makes no more codes until asked again.';
comment on column portal.instance_states.qr_received_at is 'When the portal learnt of the code; it lives 45 seconds.';
comment on column portal.instance_states.replaced_number is
  'The number linked before, once a different phone was linked; null again when the broker has seen it.';
comment on column portal.instance_states.dead_at is
  'When a send found no link although it was reported open; null again with the next accepted send or the next report of the link.';
comment on column portal.instance_states.pairing_number is
  'The phone that a link under way makes a code to type for; null for a QR code.';
comment on column portal.instance_states.cut_at is 'When a person last disconnected it here: she need not be told that it is lost.';
comment on column portal.instance_states.alarmed_at is
  'When the loss of this link was raised: it was linked, is not, and no person cut it. Null again once it is back or a person cuts it.';
comment on column portal.instance_states.change_number is
  'Another one each time the state is told, be it the same again: who asked before and finds another number has older news.';
comment on column portal.instance_states.away_since is
  'When the link was last left after it had stood; openings of seconds in between do not count. Null before the first time.';
comment on column portal.instance_states.flips is
  'How often it opened for less than 30 s since then; 0 again once it stands, was sent through, or a person links it.';
comment on column portal.instance_states.opening_since is
  'Since when the gateway says that it is open, while that is not believed.';
comment on column portal.instance_states.looked_at is
  'When a look found it open before the gateway told of it: what is told of the way there comes late. Null once it tells anything newer.';
comment on column portal.instance_states.shown_code is 'The code to scan that a screen was shown last; shown_count is its number as the gateway counts.';
comment on column portal.instance_states.old_codes is 'Codes of the link before, which the gateway may answer once more: never shown again.';
comment on column portal.instance_states.codes_before is 'How far the gateway had counted codes when this link began: its own count does not begin anew.';
alter table portal.instance_states enable row level security;
alter sequence portal.link_changes owned by portal.instance_states.change_number;


-- What decides which of two things came later is a counter, for a clock says the same time twice: to the millisecond in the
-- embedded engine, to the second in what WhatsApp tells.

create function portal.number_link_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.change_number := nextval('portal.link_changes');
  return new;
end $$;
comment on function portal.number_link_change() is 'Trigger on portal.instance_states: a number for each state told.';
create trigger number_link_change before update of state on portal.instance_states
  for each row execute function portal.number_link_change();

create function portal.publish_link_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.publish(jsonb_build_object('kind', 'link', 'instanceName', new."instanceName"));
  return null;
end $$;
comment on function portal.publish_link_change() is 'Trigger: an instance''s link or code changed.';
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
    -- Told after the opening, it is of the way there: kept, it would make the next opening one by a code.
    and not (s.state = 'open' and (s.state_at >= excluded.qr_at or coalesce(s.looked_at > now() - interval '30 seconds', false)))
$$;
comment on function portal.apply_qr(text, jsonb) is
  'Keeps the newest code to scan, or the word that no more will come, unless the link opened since. Server only.';


-- A link that opens for a moment and is gone again has not come back. Since when it is away counts from when it was last there for
-- good, and once it proved to flip, an opening is believed when it still stands at the next look, not when it is reported.

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
  -- What comes through stands: the next drop is the first again.
  update portal.instance_states s set away_since = null
  where s."instanceName" = instance and s.state = 'open' and s.away_since is not null
    and s.changed_at > now() - interval '30 seconds' and p_seconds >= extract(epoch from s.changed_at) - 2;
end $$;
comment on function portal.prove_link(text, bigint) is
  'A message of that second came through a link: an opening that was not believed yet is, and what was left before counts no more. Server only.';

-- A first link that was cut before anybody looked has its number, so that its loss is told; and two cards of one person, one by phone
-- and one by hidden id, are asked about as soon as both are there.
create function portal.keep_first_number() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.brokers b
  set broker_number = split_part(split_part(new.owner_jid, '@', 1), ':', 1), status = 'ativo'
  where b."instanceName" = new."instanceName" and b.broker_number is null;
  return null;
end $$;
comment on function portal.keep_first_number() is
  'Trigger on portal.instance_states: the phone that is linked is the broker''s from the moment it is told, where none was before.';
create trigger keep_first_number after insert or update of state, owner_jid on portal.instance_states
  for each row when (new.state = 'open' and new.owner_jid ~ '^\d{8,15}[@:]') execute function portal.keep_first_number();


-- A WhatsApp that is lost is told within a minute, whatever became of its event: the broker by push, the administrator on every
-- screen and in the audit log. The watch looks twice a minute and raises what the last look has seen, too.

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
comment on function portal.raise_lost_links() is
  'Links that were lost and not raised yet are raised, each once over all portals; answers their instances. Server only.';

create function portal.lower_lost_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.state = 'open' and new.dead_at is null then
    if new.alarmed_at is not null then perform portal.audit('link.back', new."instanceName"); end if;
    new.alarmed_at := null;
    -- The next loss is no person's doing.
    if old.state <> 'open' then new.cut_at := null; end if;
  elsif new.cut_at is distinct from old.cut_at then
    new.alarmed_at := null;
  end if;
  return new;
end $$;
comment on function portal.lower_lost_link() is 'Trigger: a link is back, or a person cut it: neither is lost.';
create trigger lower_lost_link before update on portal.instance_states
  for each row execute function portal.lower_lost_link();


-- How far each instance was read back from the gateway.

-- Where a phone was linked anew, WhatsApp hands its past to the gateway some time after the link opened: of the phone that was
-- linked before it is read from where reading had ended, of a new one nothing is. What is read of the time without a link is
-- history: nobody is alarmed, nothing is offered and no clock begins because of it.
create table portal.instance_sweeps (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  claimed_at timestamptz not null default now(),
  read_until timestamptz,
  -- How far an instance is read back, where a phone was linked anew. WhatsApp hands a phone's past to the gateway some time after the
  -- link opened: of the phone that was linked before it is read from where reading had ended, of a new one nothing is. What is read
  -- of the time without a link is history: nobody is alarmed, nothing is offered and no clock begins because of it.
  read_from timestamptz,
  opened_at timestamptz not null default now(),
  relinked_at timestamptz,
  -- A phone may hand over its past hours after it was linked, as when it was off meanwhile.
  gap_from timestamptz,
  gap_read_at timestamptz
);
comment on table portal.instance_sweeps is 'The sweeps that bring what a lost webhook missed, one row an instance.';
comment on column portal.instance_sweeps.claimed_at is 'When a portal last began one, so that several portals over one database do not all read.';
comment on column portal.instance_sweeps.read_until is 'Everything before was read back while the link was open.';
comment on column portal.instance_sweeps.read_from is
  'When the phone that is linked now was linked to this instance first: nothing older is read back. Null where that was before it was kept.';
comment on column portal.instance_sweeps.opened_at is 'When the link opened last.';
comment on column portal.instance_sweeps.relinked_at is
  'When a phone was last linked by a code: what is read back of the time before is history, and mostly comes to the gateway within the hour after.';
comment on column portal.instance_sweeps.gap_from is
  'Up to when everything was read as the same phone was linked anew: from then to relinked_at is read again now and then for a week.';
comment on column portal.instance_sweeps.gap_read_at is 'When that was last read.';
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
  'Trigger on portal.instance_states: a link opened, or another phone was linked than the one before; from when on it is read back.';
create trigger note_opened_link after insert or update of state, owner_jid on portal.instance_states
  for each row execute function portal.note_opened_link();
