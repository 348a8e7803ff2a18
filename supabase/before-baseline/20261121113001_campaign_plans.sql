-- Planning a campaign and steering it, each as the person who asks (SPEC.md 2.18, 4, 5, 8; PRODUCT.md 4.1, 4.4).
-- A refusal has the HTTP status in its errcode and its code in the hint.

create function portal.my_broker() returns public.brokers
language plpgsql stable security definer set search_path = '' as $$
declare
  broker public.brokers;
begin
  select b.* into broker from public.brokers b where b.id = portal.require_member();
  if broker.id is null then
    raise exception 'Só um corretor faz campanhas, com os próprios contatos.' using errcode = 'PT403', hint = 'campaign.no-broker';
  end if;
  return broker;
end $$;
comment on function portal.my_broker() is 'The broker who is asking; 403 for an administrator, 401 once the session has ended. Server only.';

create function portal.campaign_candidates(p_stage text) returns table (contact_id bigint, person_id bigint, name text, exclusion text)
language plpgsql stable security definer set search_path = '' as $$
declare
  me text := (portal.my_broker())."instanceName";
  since timestamptz := now() - make_interval(days => (select s.rest_days from public.campaign_settings s where s.id));
begin
  return query
    select c.id, c.person_id, c.name, case
      when p.opted_out_at is not null then 'opted-out'
      when portal.number_to_send(portal.address_of(c.id, me)) is null then 'no-number'
      when c.remarketing_sent_at > since
        or exists (select from public.campaign_recipients r where r.contact_id = c.id and r.accepted_at > since) then 'recent'
    end
    from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
    where c."instanceName" = me and c.status = p_stage
    order by c.last_message_timestamp desc nulls last, c.id desc;
end $$;
comment on function portal.campaign_candidates(text) is
  'The asking broker''s leads in a stage, and who of them is left out: opted-out, no-number, recent (got one within the days of rest). Server only.';

create function portal.plan_campaign(p_operation_id uuid, p_campaign jsonb, p_recipients jsonb) returns jsonb
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
  perform from public.brokers b where b.id = me.id for update;
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
comment on function portal.plan_campaign(uuid, jsonb, jsonb) is
  'Freezes a campaign {stage, message, startsAt, marks, media} of the asking broker with its recipients [{contactId, body}], once an operation; who may not get one is left out. Answers the row. Server only.';

create function portal.withdraw_line(p_recipient bigint, p_state text, p_reason text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  line bigint;
begin
  -- What is being sent now cannot be taken back.
  delete from portal.outgoing o
  where o.message_id = (
    select q.message_id from portal.outgoing q where q.recipient_id = p_recipient and q.claimed_at is null for update skip locked)
  returning o.message_id into line;
  if line is null then return false; end if;
  update public.campaign_recipients set state = p_state, reason = p_reason, message_id = null where id = p_recipient;
  delete from public.whatsapp_messages where id = line and message_id is null;
  return true;
end $$;
comment on function portal.withdraw_line(bigint, text, text) is
  'Takes a campaign''s line out of the queue while nobody sends it: it was never in the conversation. False once it is being sent. Server only.';

create function portal.campaign_to_steer(p_id bigint) returns public.remarketing_campaigns
language plpgsql volatile security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  campaign public.remarketing_campaigns;
begin
  select c.* into campaign from public.remarketing_campaigns c
  where c.id = p_id and (portal.is_admin() or c.broker_id = asker) for update;
  if not found then
    raise exception 'Campanha não encontrada.' using errcode = 'PT404', hint = 'campaign.unknown';
  end if;
  return campaign;
end $$;
comment on function portal.campaign_to_steer(bigint) is 'A campaign of the asking broker, or any for an administrator, locked; else 404. Server only.';

create function portal.steer_campaign(p_id bigint, p_wish text, p_operation_id uuid, p_now timestamptz) returns jsonb
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
        update public.remarketing_campaigns set status = 'paused', pause_reason = 'person', wait_reason = null where id = p_id;
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
comment on function portal.steer_campaign(bigint, text, uuid, timestamptz) is
  'pause, resume, stop, or retry (the failed ones, never those with an unknown end), once an operation; what it already is, it stays. Answers the row. Server only.';

create function portal.active_campaign() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  me public.brokers := portal.my_broker();
begin
  return (
    select jsonb_build_object(
      'campaign', to_jsonb(c),
      'counts', (
        select coalesce(jsonb_object_agg(s.state, s.n), '{}')
        from (select r.state, count(*) as n from public.campaign_recipients r where r.campaign_id = c.id group by 1) s),
      'current', (
        select jsonb_build_object('contactId', r.contact_id, 'name', r.name)
        from public.campaign_recipients r where r.id = c.current_recipient))
    from public.remarketing_campaigns c
    where c.broker_id = me.id and c.status in ('scheduled', 'running', 'paused'));
end $$;
comment on function portal.active_campaign() is
  'The asking broker''s campaign under way, {campaign, counts, current}; null without one. Server only.';
