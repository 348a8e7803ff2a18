-- Running campaigns: one line at a time into the queue of its instance, behind what persons wrote (PRODUCT.md 4.4, 4.5; EVOLUTION.md 5).
-- Offered, claimed, sent, settled. The claim and its lease are those of every line, so that no two portals send the same one.
-- Time comes from the portal's clock, so that a test turns its hands.

create function portal.link_trouble(instance text) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from portal.instance_states s
      where s."instanceName" = instance and (s.dead_at is not null or s.state <> 'open')) then 'not-linked'
    when exists (select from portal.send_queues q
      where q."instanceName" = instance and q.held_until > clock_timestamp()) then 'unreachable'
  end
$$;
comment on function portal.link_trouble(text) is 'Why nothing can go out over an instance now; null while nothing speaks against it. Server only.';

create function portal.sign_of_restriction(p_campaign public.remarketing_campaigns, instance text, p_now timestamptz) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  since timestamptz := coalesce(p_campaign.watched_since, '-infinity');
begin
  if exists (select from portal.instance_states s
    where s."instanceName" = instance and s.state <> 'open' and s.reason in (401, 403)) then
    return 'restricted';
  elsif exists (select from public.campaign_recipients r
    where r.campaign_id = p_campaign.id and r.reason = 'restricted' and r.settled_at >= since) then
    return 'restricted';
  elsif (select count(*) from public.campaign_recipients r
    where r.campaign_id = p_campaign.id and r.reason in ('rejected', 'restricted') and r.settled_at >= since) >= 2 then
    return 'rejected';
  elsif (select count(*) = 3 and bool_and(last.reason is not distinct from 'not-on-whatsapp') from (
    select r.reason from public.campaign_recipients r
    where r.campaign_id = p_campaign.id and r.settled_at >= since order by r.settled_at desc, r.id desc limit 3) as last) then
    return 'wrong-numbers';
  elsif exists (select from public.campaign_recipients r
    where r.campaign_id = p_campaign.id and r.state = 'sent' and not r.acknowledged
      and r.settled_at >= since and r.settled_at < p_now - interval '2 minutes') then
    return 'no-confirmation';
  end if;
  return null;
end $$;
comment on function portal.sign_of_restriction(public.remarketing_campaigns, text, timestamptz) is
  'A sign that WhatsApp restricts the number, since a person last looked: logged out by WhatsApp, an account barred from new chats, two refusals after acceptance, three numbers in a row without WhatsApp, or nothing confirmed within two minutes. Server only.';

create function portal.phone_of(instance text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select portal.number_key(s.owner_jid) from portal.instance_states s where s."instanceName" = instance), instance)
$$;
comment on function portal.phone_of(text) is 'What the daily cap counts by: the linked phone, or the instance while none is known. Server only.';

create function portal.pacing_of(instance text, p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'opensAt', s.opens_at, 'closesAt', s.closes_at, 'sendsOnSundays', s.sends_on_sundays,
    'dailyCap', s.daily_cap, 'warmUpFrom', s.warm_up_from, 'warmUpDays', s.warm_up_days, 'restDays', s.rest_days,
    'day', today.day,
    'sentToday', coalesce((select d.sent from portal.campaign_days d where d.number = today.number and d.day = today.day), 0),
    'earlierDays', (select count(*) from portal.campaign_days d where d.number = today.number and d.day < today.day))
  from public.campaign_settings s,
    (select (p_now at time zone portal.time_zone())::date, portal.phone_of(instance)) as today (day, number)
  where s.id
$$;
comment on function portal.pacing_of(text, timestamptz) is
  'The settings, and how far the instance''s phone is today: what it sent, and on how many earlier days it sent campaigns. Server only.';

create function portal.due_campaigns(p_now timestamptz) returns table (id bigint, "instanceName" text, pacing jsonb)
language sql stable security definer set search_path = '' as $$
  select c.id, b."instanceName", portal.pacing_of(b."instanceName", p_now)
  from public.remarketing_campaigns c join public.brokers b on b.id = c.broker_id
  where case c.status
    when 'scheduled' then c.scheduled_at <= p_now
    when 'paused' then c.pause_reason in ('not-linked', 'unreachable') and portal.link_trouble(b."instanceName") is null
    when 'running' then (c.next_send_at is null or c.next_send_at <= p_now) and (
      portal.link_trouble(b."instanceName") is not null
      or not exists (select from public.campaign_recipients r where r.id = c.current_recipient and r.state = 'sending'))
    else false
  end
$$;
comment on function portal.due_campaigns(timestamptz) is 'Campaigns with something to do now, and the pace of each. Server only.';

create function portal.next_recipient(p_campaign bigint, instance text, p_now timestamptz) returns public.campaign_recipients
language plpgsql volatile security definer set search_path = '' as $$
declare
  recipient public.campaign_recipients;
  lead public.whatsapp_contacts;
  hindrance text;
begin
  loop
    select r.* into recipient from public.campaign_recipients r
    where r.campaign_id = p_campaign and r.state = 'pending' order by r.id limit 1 for update;
    if not found then return null; end if;
    select c.* into lead from public.whatsapp_contacts c where c.id = recipient.contact_id;
    hindrance := case
      when lead.id is null then 'no-lead'
      when lead."instanceName" is distinct from instance then 'handed-over'
      when exists (select from portal.people p where p.id = lead.person_id and p.opted_out_at is not null) then 'opted-out'
      when portal.number_to_send(portal.address_of(lead.id, instance)) is null then 'no-number'
    end;
    exit when hindrance is null;
    update public.campaign_recipients
    set state = case hindrance when 'no-number' then 'failed' else 'cancelled' end, reason = hindrance, settled_at = p_now
    where id = recipient.id;
  end loop;
  return recipient;
end $$;
comment on function portal.next_recipient(bigint, text, timestamptz) is
  'The next one who may still get it, locked; who may not any more is passed with the reason. Null at the end. Server only.';

create function portal.queue_recipient(recipient public.campaign_recipients, instance text, p_media jsonb, p_typing_ms integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  sender_jid text := (select s.owner_jid from portal.instance_states s where s."instanceName" = instance);
  line bigint;
begin
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, content)
  values (
    recipient.contact_id, instance, sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1), recipient.body,
    extract(epoch from now())::bigint, 'outgoing', coalesce(p_media ->> 'kind', 'text'), 'campaign', 'queued', p_media -> 'content')
  returning id into line;
  insert into portal.outgoing (message_id, recipient_id, typing_ms) values (line, recipient.id, p_typing_ms);
  update public.campaign_recipients set state = 'sending', message_id = line where id = recipient.id;
end $$;
comment on function portal.queue_recipient(public.campaign_recipients, text, jsonb, integer) is
  'A recipient''s text into the conversation and the queue. Server only.';

create function portal.rest_campaign(p_campaign bigint, p_instance text, p_now timestamptz, p_gap_ms integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  recipient public.campaign_recipients;
begin
  select r.* into recipient from public.campaign_recipients r
  join public.remarketing_campaigns c on c.current_recipient = r.id where c.id = p_campaign;
  if recipient.state = 'sending' then
    -- Its line went back to its place because nothing can go out: it is taken out until something can.
    if portal.link_trouble(p_instance) is null
      or not exists (select from portal.outgoing o
        join public.whatsapp_messages m on m.id = o.message_id
        where o.recipient_id = recipient.id and o.claimed_at is null and m.delivery_reason is not null) then
      return false;
    end if;
    if not portal.withdraw_line(recipient.id, 'pending', null) then return false; end if;
  end if;
  update public.campaign_recipients set settled_at = p_now
  where id = recipient.id and state in ('sent', 'failed', 'unknown') and settled_at is null;
  update public.remarketing_campaigns
  set current_recipient = null, next_send_at = p_now + p_gap_ms * interval '1 millisecond'
  where id = p_campaign;
  return true;
end $$;
comment on function portal.rest_campaign(bigint, text, timestamptz, integer) is
  'The line under way has its end: the gap begins. False while it is still being sent. Server only.';

create function portal.run_campaign(p_id bigint, p_now timestamptz, p_pace jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  c public.remarketing_campaigns;
  instance text;
  trouble text;
  recipient public.campaign_recipients;
begin
  select * into c from public.remarketing_campaigns where id = p_id for update skip locked;
  if not found or c.status not in ('scheduled', 'running', 'paused') or c.pause_reason = 'person' then return 'idle'; end if;
  if c.status = 'scheduled' and c.scheduled_at > p_now then return 'idle'; end if;
  select b."instanceName" into instance from public.brokers b where b.id = c.broker_id;
  trouble := portal.link_trouble(instance);
  if c.status = 'paused' and (trouble is not null or c.pause_reason not in ('not-linked', 'unreachable')) then
    return 'idle';
  end if;
  if c.status <> 'running' then
    update public.remarketing_campaigns
    set status = 'running', pause_reason = null, started_at = coalesce(started_at, p_now), watched_since = coalesce(watched_since, p_now)
    where id = p_id;
  elsif c.started_at is null then
    update public.remarketing_campaigns set started_at = p_now, watched_since = p_now where id = p_id;
  end if;
  if c.current_recipient is not null then
    if not portal.rest_campaign(p_id, instance, p_now, (p_pace ->> 'gapMs')::integer) then return 'busy'; end if;
  end if;
  select * into c from public.remarketing_campaigns where id = p_id;
  if not exists (select from public.campaign_recipients r where r.campaign_id = p_id and r.state = 'pending') then
    update public.remarketing_campaigns
    set status = 'completed', finished_at = p_now, next_send_at = null, wait_reason = null where id = p_id;
    return 'completed';
  end if;
  trouble := coalesce(portal.sign_of_restriction(c, instance, p_now), trouble);
  if trouble is not null then
    update public.remarketing_campaigns set status = 'paused', pause_reason = trouble, wait_reason = null where id = p_id;
    return 'paused';
  end if;
  if c.next_send_at > p_now then return 'resting'; end if;
  if p_pace ->> 'waitUntil' is not null then
    update public.remarketing_campaigns
    set next_send_at = (p_pace ->> 'waitUntil')::timestamptz, wait_reason = p_pace ->> 'waitReason' where id = p_id;
    return 'waiting';
  end if;
  recipient := portal.next_recipient(p_id, instance, p_now);
  -- The next look ends it.
  if recipient.id is null then return 'passed'; end if;
  insert into portal.campaign_days as d (number, day, sent) values (portal.phone_of(instance), (p_pace ->> 'day')::date, 1)
  on conflict (number, day) do update set sent = d.sent + 1 where d.sent < (p_pace ->> 'cap')::integer;
  if not found then return 'capped'; end if;
  perform portal.queue_recipient(recipient, instance, c.media, (p_pace ->> 'typingMs')::integer);
  update public.remarketing_campaigns set current_recipient = recipient.id, wait_reason = null, next_send_at = null where id = p_id;
  return 'queued';
end $$;
comment on function portal.run_campaign(bigint, timestamptz, jsonb) is
  'One step of a campaign at the pace {day, cap, gapMs, typingMs, waitUntil, waitReason}: begins the gap, ends, pauses, waits, or queues the next line (''queued''). Whoever else runs it steps aside. Server only.';

create function portal.fail_campaign(p_id bigint, p_now timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  update public.remarketing_campaigns
  set status = 'error', finished_at = p_now, pause_reason = null, wait_reason = null, next_send_at = null
  where id = p_id and status in ('scheduled', 'running', 'paused')
$$;
comment on function portal.fail_campaign(bigint, timestamptz) is 'What cannot be processed says so (SPEC.md 4); nothing of it is lost, and a person may resume it. Server only.';

create function portal.note_campaign_line() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  before public.campaign_recipients;
  is_accepted boolean := new.message_id is not null;
begin
  select * into before from public.campaign_recipients r where r.message_id = new.id for update;
  if not found then return null; end if;
  update public.campaign_recipients
  set state = case new.delivery when 'failed' then 'failed' when 'unknown' then 'unknown' when 'queued' then 'sending' else 'sent' end,
    reason = new.delivery_reason,
    accepted_at = coalesce(accepted_at, case when is_accepted then now() end),
    acknowledged = acknowledged or new.delivery in ('delivered', 'read')
  where id = before.id;
  if is_accepted and before.accepted_at is null then
    update public.remarketing_campaigns set processed_contacts = processed_contacts + 1 where id = before.campaign_id;
    update public.whatsapp_contacts set remarketing_sent_at = now()
    where id = new.contact_id and (select c.marks from public.remarketing_campaigns c where c.id = before.campaign_id);
  end if;
  return null;
end $$;
comment on function portal.note_campaign_line() is
  'Trigger: what became of a campaign''s line is what became of its recipient; counted as processed when the gateway took it, once.';
create function portal.free_recipient() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.state := 'cancelled';
  new.reason := 'no-lead';
  return new;
end $$;
comment on function portal.free_recipient() is 'Trigger: a lead that was removed while the line went out holds no campaign back.';
create trigger free_recipient before update of message_id on public.campaign_recipients
  for each row when (old.message_id is not null and new.message_id is null and old.state = 'sending' and new.state = 'sending')
  execute function portal.free_recipient();

create trigger note_campaign_line after update of delivery on public.whatsapp_messages
  for each row when (new.author = 'campaign' and old.delivery is distinct from new.delivery)
  execute function portal.note_campaign_line();

create or replace function portal.apply_ack(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  wanted text := event ->> 'delivery';
begin
  select * into target from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  if not found then return false; end if;
  if target.type = 'outgoing' and portal.delivery_rank(wanted) > portal.delivery_rank(target.delivery) then
    update public.whatsapp_messages
    set delivery = wanted,
      -- 463: the account may start no new chats.
      delivery_reason = case when wanted = 'failed' then case event ->> 'code' when '463' then 'restricted' else 'rejected' end end
    where id = target.id;
  elsif target.type = 'incoming' and wanted = 'read' and not target.read then
    update public.whatsapp_messages set read = true where id = target.id;
  end if;
  -- A report of the message itself says only that the gateway has it.
  if target.author = 'campaign' and event ->> 'event' = 'ack' and wanted <> 'failed' then
    update public.campaign_recipients set acknowledged = true where message_id = target.id and not acknowledged;
  end if;
  return true;
end $$;

create function portal.line_hindrance(p_recipient bigint) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when p.opted_out_at is not null then 'opted-out'
    when c.status = 'paused' then 'paused'
    when c.status <> 'running' then 'stopped'
  end
  from public.campaign_recipients r
  join public.remarketing_campaigns c on c.id = r.campaign_id
  join public.whatsapp_contacts l on l.id = r.contact_id
  join portal.people p on p.id = l.person_id
  where r.id = p_recipient
$$;
comment on function portal.line_hindrance(bigint) is
  'Why a campaign''s line that waited must not go out any more: opted-out, paused, stopped; null when it may, or is no campaign''s. Server only.';

create or replace function portal.claim_line(instance text, claimer uuid, lease_seconds integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  queue portal.send_queues;
  next_line portal.outgoing;
  line public.whatsapp_messages;
  hindrance text;
  address text;
begin
  insert into portal.send_queues ("instanceName") select "instanceName" from public.brokers where "instanceName" = instance
  on conflict do nothing;
  select * into queue from portal.send_queues where "instanceName" = instance for update;
  if not found or queue.held_until > clock_timestamp() then return null; end if;
  if queue.holder <> claimer and queue.leased_until > clock_timestamp() then return null; end if;
  update portal.send_queues set holder = claimer, leased_until = clock_timestamp() + make_interval(secs => lease_seconds)
  where "instanceName" = instance;
  perform portal.lose_claims();
  loop
    select o.* into next_line
    from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id
    join public.whatsapp_contacts c on c.id = m.contact_id
    where o.claimed_at is null and c."instanceName" = instance
    -- What a person wrote is never held back by a campaign.
    order by o.recipient_id is not null, o.place limit 1
    for update of o skip locked;
    if next_line.message_id is null then
      -- Let go in the same breath: whoever queues a line after this finds the queue free.
      update portal.send_queues set leased_until = null where "instanceName" = instance;
      return null;
    end if;
    select * into line from public.whatsapp_messages where id = next_line.message_id;
    hindrance := portal.line_hindrance(next_line.recipient_id);
    if hindrance is not null then
      perform portal.withdraw_line(
        next_line.recipient_id, case hindrance when 'paused' then 'pending' else 'cancelled' end, nullif(hindrance, 'paused'));
      continue;
    end if;
    update portal.outgoing set "instanceName" = instance, claimed_by = claimer, claimed_at = clock_timestamp()
    where message_id = line.id;
    address := portal.number_to_send(portal.address_of(line.contact_id, instance));
    exit when address is not null;
    perform portal.settle_unsent(line.id, 'failed', 'no-number');
  end loop;
  -- It goes out now, from its owner's instance, whenever it was queued.
  update public.whatsapp_messages
  set "instanceName" = instance, delivery_reason = null,
    "timestamp" = case when "timestamp" < extract(epoch from now()) - 60 then extract(epoch from now())::bigint else "timestamp" end
  where id = line.id
    and ("instanceName" <> instance or delivery_reason is not null or "timestamp" < extract(epoch from now()) - 60);
  return jsonb_build_object(
    'id', line.id, 'address', address, 'kind', line.kind, 'body', line.body, 'content', line.content,
    'typingMs', next_line.typing_ms,
    -- Another phone does not know the line that was answered to.
    'quotedId', (select m.message_id from public.whatsapp_messages m
      where m."instanceName" = instance and m.message_id = line.quoted ->> 'messageId')
  );
end $$;
comment on function portal.claim_line(text, uuid, integer) is
  'The next line of an instance for the portal that sends it, {id, address, kind, body, content, typingMs, quotedId}, a person''s before a campaign''s; null while another portal sends, while the queue is held, and when it is empty. Server only.';
