-- The WhatsApp link of each broker: its reported state, how far its history was read, and the alarm when it is lost.

-- Numbers the reported states. A poll notes the number before it asks. If a report raised the number meanwhile, the
-- poll's answer is older and is ignored.
create sequence portal.link_changes as bigint;

create table portal.webhook_secrets (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  hash bytea not null,
  previous_hash bytea,
  created_at timestamptz not null default now(),
  gateway text not null default 'evolution',
  previous_gateway text
);
comment on table portal.webhook_secrets is 'SHA-256 of the secret in each instance''s webhook address, and the kind of gateway on which the instance runs.';
comment on column portal.webhook_secrets.gateway is
  'The kind of gateway on which the instance runs, a name in server/whatsapp/gateway/rooms.ts. That gateway knows the secret.';
comment on column portal.webhook_secrets.previous_gateway is
  'The kind of gateway that was given the previous secret. Null: the same as the column gateway.';
comment on column portal.webhook_secrets.previous_hash is
  'Hash of the previous secret, valid until the next one is made. The gateway uses the old address until it learns the new one.';
alter table portal.webhook_secrets enable row level security;

create table portal.instance_moves (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  gateway text not null,
  hash bytea not null,
  begun_at timestamptz not null default now(),
  pairing_number text
);
comment on table portal.instance_moves is
  'Instances that are moving to another gateway. Until the link on the new gateway is open, all messages go through the old one.';
comment on column portal.instance_moves.gateway is 'The kind of the new gateway.';
comment on column portal.instance_moves.hash is 'SHA-256 of the secret in the webhook address that the new gateway was given.';
comment on column portal.instance_moves.pairing_number is
  'The phone number for which a person asked the new gateway for a pairing code. Null: nobody asked, so the phone scans a QR code.';
alter table portal.instance_moves enable row level security;

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
  -- Some links report 'open' although no message goes out. The result of the last send overrides the reported state.
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
  'What the gateway last reported of each instance''s link. State, owner and code are three groups of columns; each group comes from its own newest report.';
comment on column portal.instance_states.reason is 'The gateway''s statusReason: 401 unlinked on the phone, 403 banned, 428 no scan in time …';
comment on column portal.instance_states.state_at is
  'Time of the report by the gateway''s clock. It only orders the gateway''s reports among themselves.';
comment on column portal.instance_states.changed_at is 'When the portal received the state.';
comment on column portal.instance_states.owner_jid is 'The WhatsApp address (jid) of the phone that was linked last.';
comment on column portal.instance_states.qr_is_limit is
  'True when the gateway makes no more codes until the next request.';
comment on column portal.instance_states.qr_received_at is
  'When the portal received the code, which WhatsApp accepts for 45 seconds.';
comment on column portal.instance_states.replaced_number is
  'The number that was linked before another phone was linked. Null: the number did not change, or the broker has closed the notice.';
comment on column portal.instance_states.dead_at is
  'When a send failed although the gateway reported the link as open. Null again after the next accepted send or report of the link.';
comment on column portal.instance_states.pairing_number is
  'The phone number for which the portal asked for a code to type. Null: the broker scans a QR code.';
comment on column portal.instance_states.cut_at is
  'When a person last disconnected the link in the portal. Such a disconnection raises no alarm.';
comment on column portal.instance_states.alarmed_at is
  'When the portal raised the alarm for a lost link: it was linked, is down, and no person disconnected it. Null again once the link is back or a person disconnects it.';
comment on column portal.instance_states.change_number is
  'Increases with each reported state, even an equal one. A poll that began under a lower number has an older answer, which is ignored.';
comment on column portal.instance_states.away_since is
  'When the link went down after it had been stable. An opening of a few seconds does not reset it. Null: never lost, or a message has proved since that the link is stable.';
comment on column portal.instance_states.flips is
  'How often the link opened for less than 30 s since away_since. 0 again once it is stable, a send succeeded, or a person links it.';
comment on column portal.instance_states.opening_since is
  'Since when the gateway reports the link as open although the portal does not trust it yet, because it has flipped before. Null: no such opening.';
comment on column portal.instance_states.looked_at is
  'When a poll found the link open before the gateway reported it. The portal then ignores late reports of older states. Null once a newer report arrives.';
comment on column portal.instance_states.shown_code is
  'Text of the QR code that the connection page showed last; null: none. shown_count is the gateway''s number for that code.';
comment on column portal.instance_states.old_codes is
  'Codes of the previous link. The gateway may return them once more; the connection page never shows them again.';
comment on column portal.instance_states.codes_before is
  'The value of the gateway''s code counter when this linking began, because the gateway does not reset its counter.';
alter table portal.instance_states enable row level security;
alter sequence portal.link_changes owned by portal.instance_states.change_number;


-- A counter tells whether a report came while a poll was asking the gateway. Clocks cannot, because they can show the
-- same time twice: the embedded engine counts milliseconds, WhatsApp seconds.

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
  perform portal.publish(
    jsonb_build_object('kind', 'link', 'instanceName', coalesce(new."instanceName", old."instanceName")));
  return null;
end $$;
comment on function portal.publish_link_change() is
  'Trigger: publishes that an instance''s link or code changed, or that a move of it began or ended.';
create trigger publish_link_change after insert or update on portal.instance_states
  for each row execute function portal.publish_link_change();
create trigger publish_move after insert or delete on portal.instance_moves
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
  -- A poll has already seen this opening, and the report 'connecting' comes late. If the link really reconnects, the
  -- next poll finds out.
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
  -- The gateway reports 'open' only when a link opens. The report that the link had closed before may come later, or
  -- never.
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
    -- A code reported after the opening belongs to the linking before it. If it were stored, the next opening would
    -- look like a new link by code.
    and not (s.state = 'open' and (s.state_at >= excluded.qr_at or coalesce(s.looked_at > now() - interval '30 seconds', false)))
$$;
comment on function portal.apply_qr(text, jsonb) is
  'Stores the newest QR code, or that no more will come, unless the link opened since. Server only.';


-- A link that opens for a few seconds does not count as restored: away_since stays. After such a flip the portal trusts
-- an opening only once a later poll still finds it open, or a message passes through.

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
  'Trigger on portal.instance_states: counts openings that last less than 30 seconds. After one, it does not store the next opening until a poll confirms it.';
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
  -- A message passed through, so the link is stable. If it is lost again, that counts as a first loss.
  update portal.instance_states s set away_since = null
  where s."instanceName" = instance and s.state = 'open' and s.away_since is not null
    and s.changed_at > now() - interval '30 seconds' and p_seconds >= extract(epoch from s.changed_at) - 2;
end $$;
comment on function portal.prove_link(text, bigint) is
  'The portal calls it when a message of that second (epoch) passed through the link. An opening that was not trusted yet is trusted, and away_since is cleared. Server only.';

-- The portal stores the number with the first report, even if nobody opened the connection page. Without a number it
-- raises no alarm when the link is lost.
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


-- The portal announces a lost link within a minute, even if the gateway's report got lost: by push to the broker and
-- the administrators, on every screen, and in the audit log. server/whatsapp/connection/link-watch.ts polls twice a
-- minute.

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
      -- Waits for one more poll, because a link that restarts is back by then. Losses older than a day are known
      -- already. Failed reconnects change the row, too, so away_since is when the link went down.
      and coalesce(s.dead_at, s.away_since, s.changed_at) between now() - interval '1 day' and now() - interval '25 seconds'
      and s.cut_at is null
    returning s."instanceName"
  loop
    perform portal.audit('link.lost', lost);
    return next lost;
  end loop;
end $$;
comment on function portal.raise_lost_links() is
  'Raises the alarm for lost links, once although several portals run it. Returns the instances with a new alarm. Server only.';

create function portal.lower_lost_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.state = 'open' and new.dead_at is null then
    if new.alarmed_at is not null then perform portal.audit('link.back', new."instanceName"); end if;
    new.alarmed_at := null;
    -- A new opening clears cut_at, so that the next loss raises the alarm.
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

-- After a person linked a phone by a code, WhatsApp sends the phone's history to the gateway some time later. If the
-- same phone was linked before, reading continues where it ended. Of a new phone nothing older than its first link is
-- read. Messages from the time without a link count as history: they raise no alarm, enter no rotation and start no
-- clock.
create table portal.instance_sweeps (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  claimed_at timestamptz not null default now(),
  read_until timestamptz,
  read_from timestamptz,
  opened_at timestamptz not null default now(),
  relinked_at timestamptz,
  -- A phone that was off may send its history hours after it was linked.
  gap_from timestamptz,
  gap_read_at timestamptz
);
comment on table portal.instance_sweeps is
  'State of the sweeps, one row for each instance. A sweep reads from the gateway what a lost delivery did not bring.';
comment on column portal.instance_sweeps.claimed_at is
  'When a portal last began a sweep. Other portals over the same database then skip the instance for a while.';
comment on column portal.instance_sweeps.read_until is 'Everything older than this was read while the link was open.';
comment on column portal.instance_sweeps.read_from is
  'When the current phone was first linked to this instance; nothing older is read. Null: before this column existed.';
comment on column portal.instance_sweeps.opened_at is 'When the link last opened.';
comment on column portal.instance_sweeps.relinked_at is
  'When a phone was last linked by a code. Older messages are history; most of them reach the gateway within the next hour.';
comment on column portal.instance_sweeps.gap_from is
  'When the same phone was linked again: where complete reading had ended. The time from then to relinked_at is read again now and then for a week. Null: no gap.';
comment on column portal.instance_sweeps.gap_read_at is 'When the gap was last read; null: not yet.';
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
  'Trigger on portal.instance_states: notes that the link opened, or that another phone was linked. Both decide how far back the instance''s history is read.';
create trigger note_opened_link after insert or update of state, owner_jid on portal.instance_states
  for each row execute function portal.note_opened_link();


-- These functions move an instance to another gateway. They link it on the new gateway first, and delete it on the old
-- one after that.

create function portal.begin_move(p_instance text, p_gateway text, p_hash bytea) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  if coalesce(p_gateway, '') !~ '^[a-z]{1,20}$' or p_hash is null then
    raise exception 'Escolha o serviço de WhatsApp.' using errcode = 'PT422', hint = 'gateway.invalid';
  end if;
  perform from portal.webhook_secrets s where s."instanceName" = p_instance for update;
  if not found then
    raise exception 'Nome da instância não encontrado' using errcode = 'PT404', hint = 'instance.unknown';
  elsif exists (select from portal.webhook_secrets s where s."instanceName" = p_instance and s.gateway = p_gateway) then
    raise exception 'Esta conexão já está neste serviço de WhatsApp.' using errcode = 'PT409', hint = 'move.same';
  end if;
  if not exists (select from portal.instance_moves m where m."instanceName" = p_instance and m.gateway = p_gateway) then
    perform portal.audit('gateway.move-begun', p_instance, jsonb_build_object('to', p_gateway));
  end if;
  insert into portal.instance_moves ("instanceName", gateway, hash) values (p_instance, p_gateway, p_hash)
  on conflict ("instanceName") do update
  set gateway = excluded.gateway, hash = excluded.hash, begun_at = now(), pairing_number = null;
end $$;
comment on function portal.begin_move(text, text, bytea) is
  'Begins to move an instance to another kind of gateway. p_hash is the SHA-256 of the secret in the new gateway''s webhook address. 404 for an unknown instance, 409 if it already runs on that gateway. Administrators only.';

create function portal.end_move(p_instance text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  target text;
begin
  perform portal.require_admin();
  delete from portal.instance_moves m where m."instanceName" = p_instance returning m.gateway into target;
  if target is null then return; end if;
  insert into portal.leftover_instances ("instanceName", gateway) values (p_instance, target)
  on conflict ("instanceName") do update set gateway = excluded.gateway, noted_at = now();
  perform portal.audit('gateway.move-ended', p_instance);
end $$;
comment on function portal.end_move(text) is
  'Cancels the move of an instance: it stays on the old gateway, and the portal deletes it on the new one. Does nothing if no move is going on. Administrators only.';

create function portal.finish_move(p_instance text, p_gateway text, p_number text) returns text
language plpgsql volatile set search_path = '' as $$
declare
  move portal.instance_moves;
  left_gateway text;
begin
  -- Waits until the reports of the old gateway are applied.
  perform portal.take_apply_turn_of(p_instance);
  select * into move from portal.instance_moves m where m."instanceName" = p_instance and m.gateway = p_gateway for update;
  if not found then return 'none'; end if;
  if exists (
    select from public.brokers b where b."instanceName" = p_instance and b.broker_number is not null and p_number is not null
      and portal.number_key('+' || b.broker_number) <> portal.number_key('+' || p_number)) then
    return 'other-phone';
  end if;
  update portal.webhook_secrets s
  set previous_hash = s.hash, previous_gateway = s.gateway, hash = move.hash, gateway = move.gateway, created_at = now()
  where s."instanceName" = p_instance returning s.previous_gateway into left_gateway;
  insert into portal.leftover_instances ("instanceName", gateway) values (p_instance, left_gateway)
  on conflict ("instanceName") do update set gateway = excluded.gateway, noted_at = now();
  delete from portal.instance_moves m where m."instanceName" = p_instance;
  -- Only the old gateway knows whether a message in doubt left. The message gets an unknown outcome, and the portal
  -- does not send it again by itself.
  perform portal.settle_unsent(q.doubted_message, 'unknown', 'no-answer')
  from portal.send_queues q where q."instanceName" = p_instance and q.doubted_message is not null;
  perform portal.end_doubt(p_instance);
  -- The clocks of the two gateways may differ, so the new gateway's reports are not ordered with the old one's.
  insert into portal.instance_states as s ("instanceName", state, looked_at) values (p_instance, 'open', now())
  on conflict ("instanceName") do update
  set state = 'open', reason = null, changed_at = now(), dead_at = null, looked_at = now(), state_at = null, state_rank = 0,
    owner_at = null, qr_image = null, qr_text = null, pairing_code = null, qr_count = null, qr_is_limit = false, qr_at = null,
    qr_received_at = null, pairing_number = null, shown_code = null, old_codes = '{}', codes_before = 0;
  perform portal.audit('gateway.moved', p_instance, jsonb_build_object('to', p_gateway));
  return 'moved';
end $$;
comment on function portal.finish_move(text, text, text) is
  'Called when the link on the new gateway is open: the instance runs there from now on, and the portal deletes it on the old gateway. Returns moved; other-phone (somebody linked another number than the broker''s, so nothing changed); or none (there is no such move). Server only.';


-- WhatsApp may forbid a number to begin conversations. Such a number may still answer people who write to it.

create table portal.instance_limits (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  reported_at timestamptz not null,
  restricted_until timestamptz,
  has_no_end boolean not null default false,
  quota_is_used_up boolean not null default false,
  quota_total integer,
  quota_used integer,
  quota_until timestamptz
);
comment on table portal.instance_limits is
  'The last report of WhatsApp that a number may begin no conversations, or only a limited number of them.';
comment on column portal.instance_limits.reported_at is 'Time of the report. The portal ignores earlier reports that arrive later.';
comment on column portal.instance_limits.restricted_until is
  'Until then the number may not begin conversations. Null: it is not restricted.';
comment on column portal.instance_limits.has_no_end is
  'True: WhatsApp named no end, so the portal assumes one day from the report.';
comment on column portal.instance_limits.quota_until is 'When the quota''s period ends.';
alter table portal.instance_limits enable row level security;
create trigger publish_limits after insert or update on portal.instance_limits
  for each row execute function portal.publish_link_change();

create function portal.apply_limits(instance text, event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  at timestamptz := portal.from_ms(event ->> 'atMs');
  ends timestamptz := to_timestamp((event ->> 'restrictedUntilSeconds')::bigint);
  is_restricted boolean := (event ->> 'isRestricted')::boolean;
  quota jsonb := nullif(event -> 'quota', 'null');
begin
  insert into portal.instance_limits as l
    ("instanceName", reported_at, restricted_until, has_no_end, quota_is_used_up, quota_total, quota_used, quota_until)
  select b."instanceName", at, case when is_restricted then coalesce(ends, at + interval '1 day') end,
    is_restricted and ends is null, coalesce((quota ->> 'isUsedUp')::boolean, false),
    least((quota ->> 'total')::bigint, 2147483647)::integer, least((quota ->> 'used')::bigint, 2147483647)::integer,
    to_timestamp((quota ->> 'endsAtSeconds')::bigint)
  from public.brokers b where b."instanceName" = instance
  on conflict ("instanceName") do update
  set reported_at = excluded.reported_at, restricted_until = excluded.restricted_until, has_no_end = excluded.has_no_end,
    quota_is_used_up = excluded.quota_is_used_up, quota_total = excluded.quota_total, quota_used = excluded.quota_used,
    quota_until = excluded.quota_until
  where l.reported_at <= excluded.reported_at;
end $$;
comment on function portal.apply_limits(text, jsonb) is
  'Stores WhatsApp''s report of whether a number may begin conversations, unless a newer report is stored. Server only.';

create function portal.note_restriction(instance text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.instance_limits as l ("instanceName", reported_at, restricted_until, has_no_end)
  select b."instanceName", now(), now() + interval '1 day', true from public.brokers b where b."instanceName" = instance
  on conflict ("instanceName") do update
  set reported_at = excluded.reported_at, restricted_until = excluded.restricted_until, has_no_end = true
  -- Keeps a stored restriction that still runs and names its end, because it says more than the refusal of a message.
  where l.restricted_until is null or l.restricted_until < now() or l.has_no_end
$$;
comment on function portal.note_restriction(text) is
  'Called when WhatsApp refused a message because the number may not begin conversations: stores a restriction of one day whose real end is unknown. Server only.';

create function portal.limit_of(instance text, at timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'until', case when l.restricted_until > at then l.restricted_until
      when l.quota_is_used_up and l.quota_until > at then l.quota_until end,
    'isQuota', (l.restricted_until > at) is not true and l.quota_is_used_up,
    'hasNoEnd', coalesce(l.restricted_until > at, false) and l.has_no_end)
  from portal.instance_limits l
  where l."instanceName" = instance
    and (l.restricted_until > at or l.quota_is_used_up and (l.quota_until is null or l.quota_until > at))
$$;
comment on function portal.limit_of(text, timestamptz) is
  'Why a number may not begin conversations at that time: {until, isQuota (its quota is used up), hasNoEnd}. Null: it may. Server only.';
