-- Applying what the gateway reports, tolerant of any order and of repeats (PRODUCT.md 4.3, 4.4; EVOLUTION.md 3.3, 3.4).
-- Each function takes an event of server/whatsapp/webhook/incoming.ts as JSON and says whether its message was there.

create function portal.delivery_rank(delivery text) returns integer
language sql immutable strict parallel safe set search_path = '' as $$
  select array_position(array['queued', 'unknown', 'sent', 'failed', 'delivered', 'read'], delivery)
$$;
comment on function portal.delivery_rank(text) is
  'Order in which a delivery only rises. An error stands below ''delivered'': it counts unless the message arrived after all.';
grant execute on function portal.delivery_rank(text) to authenticated, service_role;

create function portal.from_ms(epoch_ms text) returns timestamptz
language sql immutable strict parallel safe set search_path = '' as $$
  select to_timestamp(epoch_ms::numeric / 1000)
$$;
comment on function portal.from_ms(text) is 'Epoch milliseconds as a time.';

create function portal.apply_ack(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  wanted text := event ->> 'delivery';
begin
  select * into target from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  if not found then return false; end if;
  if target.type = 'outgoing' and portal.delivery_rank(wanted) > portal.delivery_rank(target.delivery) then
    update public.whatsapp_messages set delivery = wanted where id = target.id;
  elsif target.type = 'incoming' and wanted = 'read' and not target.read then
    update public.whatsapp_messages set read = true where id = target.id;
  end if;
  return true;
end $$;
comment on function portal.apply_ack(text, jsonb) is 'Raises a delivery, never lowers it; a lead''s message that was read on the phone is read here too. Server only.';

create function portal.apply_edit(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  at timestamptz := portal.from_ms(event ->> 'atMs');
begin
  select * into target from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  if not found then return false; end if;
  if target.deleted_at is null and (target.edited_at is null or target.edited_at < at) then
    update public.whatsapp_messages set body = event ->> 'body', edited_at = at where id = target.id;
  end if;
  return true;
end $$;
comment on function portal.apply_edit(text, jsonb) is 'The newest edit counts; none counts after a revoke. Server only.';

create function portal.apply_revoke(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target bigint;
begin
  update public.whatsapp_messages
  set
    kind = 'deleted', body = '', content = null, quoted = null, edited_at = null,
    deleted_at = least(deleted_at, portal.from_ms(event ->> 'atMs'))
  where "instanceName" = instance and message_id = event ->> 'messageId'
  returning id into target;
  delete from portal.message_raw where message_id = target;
  return target is not null;
end $$;
comment on function portal.apply_revoke(text, jsonb) is 'Its author took the message back: what it said goes, that it was there stays. Server only.';

create function portal.apply_reaction(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  who text := case when (event ->> 'isOwn')::boolean then 'me' else 'contact' end;
  old jsonb;
begin
  select * into target from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  if not found then return false; end if;
  old := target.reactions -> who;
  if old is null
    or ((event ->> 'atSeconds')::bigint, event ->> 'reactionId') > ((old ->> 'at')::bigint, old ->> 'id') then
    update public.whatsapp_messages
    set reactions = reactions || jsonb_build_object(who, jsonb_build_object(
      'emoji', event ->> 'emoji', 'at', (event ->> 'atSeconds')::bigint, 'id', event ->> 'reactionId'))
    where id = target.id;
  end if;
  return true;
end $$;
comment on function portal.apply_reaction(text, jsonb) is 'Each side has one reaction, the newest; an empty one takes it back. Server only.';

create function portal.apply_name(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  contact bigint;
begin
  select portal.contact_at(instance, person_id) into contact from portal.identities
  where "instanceName" = instance and jid = event ->> 'jid';
  if contact is null then return false; end if;
  update public.whatsapp_contacts set name = event ->> 'name' where id = contact and name is null;
  return true;
end $$;
comment on function portal.apply_name(text, jsonb) is 'The name a person gave to herself, for a contact that has none. Server only.';

create function portal.apply_link(instance text, event jsonb) returns text
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
  set state = event ->> 'state', reason = (event ->> 'reason')::integer, state_at = at, state_rank = rank, changed_at = now()
  where "instanceName" = instance;
  -- The gateway reports 'open' only when a link opens; that it closed before may have been reported later, or never.
  return case when event ->> 'state' = 'open' then 'linked' end;
end $$;
comment on function portal.apply_link(text, jsonb) is 'Keeps the newest reported state of a link; answers ''linked'' for every opening that is news. Server only.';

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
  where s.qr_at is null or s.qr_at < excluded.qr_at
$$;
comment on function portal.apply_qr(text, jsonb) is 'Keeps the newest code to scan, or the word that no more will come. Server only.';

create function portal.keep_waiting(instance text, event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.waiting_events as w ("instanceName", target, kind, weight, waited)
  select
    instance,
    coalesce(event ->> 'messageId', event ->> 'jid'),
    case when event ->> 'event' = 'reaction' then 'reaction-' || (event ->> 'isOwn') else event ->> 'event' end,
    case event ->> 'event'
      when 'ack' then portal.delivery_rank(event ->> 'delivery')
      when 'edit' then (event ->> 'atMs')::numeric::bigint
      when 'revoke' then -(event ->> 'atMs')::numeric::bigint
      when 'reaction' then (event ->> 'atSeconds')::bigint
      else 0
    end,
    event
  on conflict ("instanceName", target, kind) do update
  set weight = excluded.weight, waited = excluded.waited
  where (w.weight, w.waited ->> 'reactionId') < (excluded.weight, excluded.waited ->> 'reactionId')
    or w.weight < excluded.weight;
end $$;
comment on function portal.keep_waiting(text, jsonb) is 'Keeps an event until its message or contact comes; of one kind the one that would win. Server only.';
