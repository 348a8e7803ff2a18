-- A campaign waits for what the settings say now: one that began to wait as they were saved, or that was paused while it waited, slept
-- until the day after; and planning one holds back no delivery of its WhatsApp (PRODUCT.md 4.5).

create or replace function portal.plan_campaign(p_operation_id uuid, p_campaign jsonb, p_recipients jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  me public.brokers := portal.my_broker();
  answer jsonb := portal.begin_operation(me.id, p_operation_id);
  starts_at timestamptz := (p_campaign ->> 'startsAt')::timestamptz;
  planned bigint;
  total integer;
begin
  if answer is not null then return answer; end if;
  -- One plan at a time a broker, so that two at once cannot both find none under way.
  perform from public.brokers b where b.id = me.id for no key update;
  if exists (select from public.remarketing_campaigns c where c.broker_id = me.id and c.status in ('scheduled', 'running', 'paused')) then
    raise exception 'Esta campanha já está sendo processada' using errcode = 'PT409', hint = 'campaign.active';
  end if;
  insert into public.remarketing_campaigns (broker_id, kanban_stage, status, message, scheduled_at, marks, media, total_contacts)
  values (
    me.id, p_campaign ->> 'stage', case when starts_at is null then 'running' else 'scheduled' end, p_campaign ->> 'message',
    starts_at, (p_campaign ->> 'marks')::boolean, nullif(p_campaign -> 'media', 'null'), 0)
  returning id into planned;
  insert into public.campaign_recipients (campaign_id, contact_id, person_id, name, body)
  select planned, c.contact_id, c.person_id, c.name, wanted.item ->> 'body'
  from jsonb_array_elements(p_recipients) with ordinality as wanted (item, place)
  join portal.campaign_candidates(p_campaign ->> 'stage') c on c.contact_id = (wanted.item ->> 'contactId')::bigint and c.exclusion is null
  order by wanted.place
  on conflict do nothing;
  get diagnostics total = row_count;
  if total = 0 then
    raise exception 'Nenhum destes contatos pode receber uma campanha agora.' using errcode = 'PT422', hint = 'campaign.no-contacts';
  end if;
  update public.remarketing_campaigns set total_contacts = total where id = planned;
  return portal.end_operation(me.id, p_operation_id, 'campaign.start',
    (select to_jsonb(c) from public.remarketing_campaigns c where c.id = planned));
end $$;

create or replace function portal.steer_campaign(p_id bigint, p_wish text, p_operation_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  answer jsonb := portal.begin_operation(asker, p_operation_id);
  campaign public.remarketing_campaigns;
  again integer;
begin
  if answer is not null then return answer; end if;
  campaign := portal.campaign_to_steer(p_id);
  if p_wish <> 'retry' and campaign.status in ('completed', 'stopped') and not (p_wish = 'stop' and campaign.status = 'stopped') then
    raise exception 'Esta campanha já terminou.' using errcode = 'PT409', hint = 'campaign.ended';
  end if;
  case p_wish
    when 'pause' then
      if campaign.status <> 'error' then
        perform portal.withdraw_line(campaign.current_recipient, 'pending', null);
        -- What it waited for is looked at anew when it goes on; the gap after its last line stands.
        update public.remarketing_campaigns
        set status = 'paused', pause_reason = 'person', wait_reason = null,
          next_send_at = case when wait_reason is null then next_send_at end
        where id = p_id;
      end if;
    when 'resume' then
      if campaign.status in ('paused', 'error') then
        update public.remarketing_campaigns
        set status = case when started_at is null and scheduled_at > p_now then 'scheduled' else 'running' end,
          pause_reason = null, watched_since = p_now, finished_at = null
        where id = p_id;
      end if;
    when 'stop' then
      if campaign.status <> 'stopped' then
        perform portal.withdraw_line(campaign.current_recipient, 'cancelled', 'stopped');
        update public.campaign_recipients set state = 'cancelled', reason = 'stopped' where campaign_id = p_id and state = 'pending';
        update public.remarketing_campaigns
        set status = 'stopped', pause_reason = null, wait_reason = null, next_send_at = null, finished_at = p_now
        where id = p_id;
      end if;
    when 'retry' then
      update public.campaign_recipients
      set state = 'pending', reason = null, message_id = null, settled_at = null, acknowledged = false
      where campaign_id = p_id and state = 'failed';
      get diagnostics again = row_count;
      if again = 0 then
        raise exception 'Nenhum envio desta campanha falhou.' using errcode = 'PT409', hint = 'campaign.none-failed';
      end if;
      if campaign.status in ('completed', 'stopped', 'error') then
        update public.remarketing_campaigns
        set status = 'running', finished_at = null, watched_since = p_now, next_send_at = null
        where id = p_id;
      end if;
  end case;
  return portal.end_operation(asker, p_operation_id, 'campaign.' || p_wish,
    (select to_jsonb(c) from public.remarketing_campaigns c where c.id = p_id));
exception
  when unique_violation then
    raise exception 'Esta campanha já está sendo processada' using errcode = 'PT409', hint = 'campaign.active';
end $$;

create or replace function portal.run_campaign(p_id bigint, p_now timestamptz, p_pace jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  c public.remarketing_campaigns;
  instance text;
  trouble text;
  recipient public.campaign_recipients;
begin
  -- Whoever saves the settings waits, and then finds what this step made wait.
  perform from public.campaign_settings s where s.id for share;
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
    update public.remarketing_campaigns
    set status = 'paused', pause_reason = trouble, wait_reason = null,
      next_send_at = case when wait_reason is null then next_send_at end
    where id = p_id;
    return 'paused';
  end if;
  if c.next_send_at > p_now then return 'resting'; end if;
  -- Made under settings that were saved since, it is no pace any more.
  if not portal.pacing_of(instance, p_now) @> (p_pace -> 'settings') then return 'passed'; end if;
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
comment on function portal.run_campaign(bigint, timestamptz, jsonb) is
  'One step of a campaign at the pace {settings, day, cap, gapMs, typingMs, waitUntil, waitReason}, made under these settings: begins the gap, ends, pauses, waits, or queues the next line (''queued''). Whoever else runs it steps aside. Server only.';
