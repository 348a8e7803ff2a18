-- A campaign speaks over its broker's own phone alone: a line that waits when its lead gets another owner is taken back, and the
-- campaign goes on; and a lead that is being changed at that moment is neither written to nor waited for (PRODUCT.md 4.2, 4.4, 4.5).

create or replace function portal.line_hindrance(p_recipient bigint) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when p.opted_out_at is not null then 'opted-out'
    when l."instanceName" is distinct from b."instanceName" then 'handed-over'
    when c.status = 'paused' then 'paused'
    when c.status <> 'running' then 'stopped'
  end
  from public.campaign_recipients r
  join public.remarketing_campaigns c on c.id = r.campaign_id
  join public.brokers b on b.id = c.broker_id
  join public.whatsapp_contacts l on l.id = r.contact_id
  join portal.people p on p.id = l.person_id
  where r.id = p_recipient
$$;
comment on function portal.line_hindrance(bigint) is
  'Why a campaign''s line that waited must not go out any more: opted-out, handed-over, paused, stopped; null when it may, or is no campaign''s. Server only.';

create or replace function portal.due_campaigns(p_now timestamptz) returns table (id bigint, "instanceName" text, pacing jsonb)
language sql stable security definer set search_path = '' as $$
  select c.id, b."instanceName", portal.pacing_of(b."instanceName", p_now)
  from public.remarketing_campaigns c join public.brokers b on b.id = c.broker_id
  where case c.status
    when 'scheduled' then c.scheduled_at <= p_now
    when 'paused' then c.pause_reason in ('not-linked', 'unreachable') and portal.link_trouble(b."instanceName") is null
    when 'running' then (c.next_send_at is null or c.next_send_at <= p_now) and (
      portal.link_trouble(b."instanceName") is not null
      or not exists (select from public.campaign_recipients r where r.id = c.current_recipient and r.state = 'sending')
      or portal.line_hindrance(c.current_recipient) = 'handed-over')
    else false
  end
$$;

create or replace function portal.rest_campaign(p_campaign bigint, p_instance text, p_now timestamptz, p_gap_ms integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  recipient public.campaign_recipients;
begin
  select r.* into recipient from public.campaign_recipients r
  join public.remarketing_campaigns c on c.current_recipient = r.id where c.id = p_campaign;
  if recipient.state = 'sending' and portal.line_hindrance(recipient.id) = 'handed-over' then
    if not portal.withdraw_line(recipient.id, 'cancelled', 'handed-over') then return false; end if;
  elsif recipient.state = 'sending' then
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

create or replace function portal.next_recipient(p_campaign bigint, instance text, p_now timestamptz) returns public.campaign_recipients
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
    -- Held until the line is in the queue of its owner. Who is changing it right now is not waited for: that may wait for this.
    select c.* into lead from public.whatsapp_contacts c where c.id = recipient.contact_id for no key update skip locked;
    if not found and exists (select from public.whatsapp_contacts c where c.id = recipient.contact_id) then return null; end if;
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
  'The next one who may still get it, locked with the lead; who may not any more is passed with the reason. Null at the end, and while someone is changing the lead. Server only.';

create or replace function portal.run_campaign(p_id bigint, p_now timestamptz, p_pace jsonb) returns text
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
  if recipient.id is null then
    -- The next look ends it, unless someone is just changing the lead whose turn it is.
    return case when exists (select from public.campaign_recipients r where r.campaign_id = p_id and r.state = 'pending')
      then 'busy' else 'passed' end;
  end if;
  insert into portal.campaign_days as d (number, day, sent) values (portal.phone_of(instance), (p_pace ->> 'day')::date, 1)
  on conflict (number, day) do update set sent = d.sent + 1 where d.sent < (p_pace ->> 'cap')::integer;
  if not found then return 'capped'; end if;
  perform portal.queue_recipient(recipient, instance, c.media, (p_pace ->> 'typingMs')::integer);
  update public.remarketing_campaigns set current_recipient = recipient.id, wait_reason = null, next_send_at = null where id = p_id;
  return 'queued';
end $$;
