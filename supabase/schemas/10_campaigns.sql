-- Campaigns: recipients with their final text, the pace, the sending by the server, and the results.

create table public.remarketing_campaigns (
  id bigint generated always as identity primary key,
  broker_id uuid not null references public.brokers on delete cascade,
  kanban_stage text not null,
  status text not null default 'running'
    check (status in ('scheduled', 'running', 'paused', 'stopped', 'completed', 'error')),
  total_contacts integer not null default 0 check (total_contacts >= 0),
  processed_contacts integer not null default 0 check (processed_contacts between 0 and total_contacts),
  message text not null,
  created_at timestamptz not null default now(),
  scheduled_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  pause_reason text,
  wait_reason text check (wait_reason in ('courtesy-hours', 'sunday', 'daily-cap')),
  next_send_at timestamptz,
  watched_since timestamptz,
  current_recipient bigint,
  marks boolean not null default true,
  media jsonb,
  constraint campaigns_pause_reason check (status = 'error' or (status = 'paused') = (pause_reason is not null))
);
comment on table public.remarketing_campaigns is
  'Bulk sends of a broker. A broker reads its own ones, an administrator all. Only the server writes their progress.';
comment on column public.remarketing_campaigns.scheduled_at is 'When a scheduled campaign starts; null: at once.';
comment on column public.remarketing_campaigns.pause_reason is
  'Why it does not run: a code of src/domain/campaign.ts. A paused one waits for a person (''person''), for the link or the gateway (it then resumes by itself), or shows a sign of restriction by WhatsApp. For state error: the kind of fault.';
comment on column public.remarketing_campaigns.wait_reason is
  'Why a running campaign waits until next_send_at longer than its usual gap. Null: only the gap.';
comment on column public.remarketing_campaigns.watched_since is
  'Signs of restriction count from this time on. A person who resumes a campaign has seen the earlier ones.';
comment on column public.remarketing_campaigns.current_recipient is
  'The row of campaign_recipients that is being sent; null between two sends.';
comment on column public.remarketing_campaigns.marks is
  'True: the campaign sets remarketing_sent_at on the leads that got it.';
comment on column public.remarketing_campaigns.media is
  'The attachment in the form of a message''s content, with its kind; the bytes are in the media store.';
create unique index campaigns_one_active on public.remarketing_campaigns (broker_id)
  where status in ('scheduled', 'running', 'paused');
comment on index public.campaigns_one_active is 'Allows one active campaign for each broker, and serves finding it.';
create index campaigns_history on public.remarketing_campaigns (broker_id, created_at desc);
comment on index public.campaigns_history is 'Serves a broker''s history of campaigns.';
alter table public.remarketing_campaigns enable row level security;
create policy campaigns_read on public.remarketing_campaigns for select to authenticated
  using ((select portal.is_admin()) or broker_id = (select portal.account_id()));
comment on policy campaigns_read on public.remarketing_campaigns is
  'A broker sees its own campaigns, an administrator all.';
grant select on public.remarketing_campaigns to authenticated;
grant all on public.remarketing_campaigns to service_role;

create function public.broker(public.remarketing_campaigns) returns setof public.brokers
language sql stable rows 1 set search_path = '' as $$
  select b.* from public.brokers b where b.id = ($1).broker_id
$$;
comment on function public.broker(public.remarketing_campaigns) is
  'The broker of a campaign, for /rest/v1/remarketing_campaigns?select=*,broker(…). A broker sees itself, an administrator all, as in brokers.';
grant execute on function public.broker(public.remarketing_campaigns) to authenticated, service_role;

create table public.campaign_recipients (
  id bigint generated always as identity primary key,
  campaign_id bigint not null references public.remarketing_campaigns on delete cascade,
  contact_id bigint references public.whatsapp_contacts on delete set null,
  person_id bigint references portal.people,
  name text,
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'failed', 'unknown', 'cancelled')),
  reason text,
  message_id bigint references public.whatsapp_messages on delete set null,
  accepted_at timestamptz,
  settled_at timestamptz,
  acknowledged boolean not null default false,
  erased_delivery text check (erased_delivery in ('sent', 'delivered', 'read', 'failed', 'unknown')),
  erased_answer text check (erased_answer in ('answered', 'opted-out')),
  unique (campaign_id, person_id)
);
comment on table public.campaign_recipients is
  'Recipients of a campaign with their final text, which is fixed when the campaign is planned. A broker reads the ones of its own campaigns, an administrator all. Only the server writes.';
comment on column public.campaign_recipients.reason is
  'Why it failed, has an unknown outcome or was skipped; a code of src/domain/campaign.ts or outgoing.ts.';
comment on column public.campaign_recipients.message_id is
  'The message that was sent; its column delivery says how far it came. Null: not sent, or erased.';
comment on column public.campaign_recipients.accepted_at is
  'When the gateway first accepted the message. processed_contacts counts the recipient once, at that time.';
comment on column public.campaign_recipients.settled_at is
  'When the sending portal learnt the outcome; null: not yet.';
comment on column public.campaign_recipients.acknowledged is
  'True: after the gateway had accepted the message, WhatsApp''s server confirmed it.';
comment on column public.campaign_recipients.erased_delivery is
  'The delivery state that the message had when the person''s data were erased; null: not erased.';
comment on column public.campaign_recipients.erased_answer is
  'How the person had answered within 72 hours, if the person''s data were erased. Null: not erased, or no answer.';
create index recipients_contact on public.campaign_recipients (contact_id, accepted_at);
comment on index public.recipients_contact is
  'Serves finding out who got a campaign lately, and the removal of a contact.';
create index recipients_person on public.campaign_recipients (person_id);
comment on index public.recipients_person is 'Serves the removal of a person.';
create index recipients_message on public.campaign_recipients (message_id);
comment on index public.recipients_message is 'Serves finding the recipient of a message.';
create index recipients_state on public.campaign_recipients (campaign_id, state, id);
comment on index public.recipients_state is
  'Serves finding the next recipient to send to and the failed ones, and counting recipients by state.';
create index recipients_settled on public.campaign_recipients (campaign_id, settled_at desc) where settled_at is not null;
comment on index public.recipients_settled is
  'Serves reading the last outcomes of a campaign, which may be signs of restriction.';
create index recipients_unacknowledged on public.campaign_recipients (campaign_id, settled_at) where state = 'sent' and not acknowledged;
comment on index public.recipients_unacknowledged is
  'Serves finding messages that WhatsApp''s server never confirmed.';
create index recipients_rejected on public.campaign_recipients (campaign_id, settled_at) where reason in ('rejected', 'restricted');
comment on index public.recipients_rejected is
  'Serves finding messages that WhatsApp refused after the gateway had accepted them.';
alter table public.campaign_recipients enable row level security;
create policy recipients_read on public.campaign_recipients for select to authenticated
  using (exists (select from public.remarketing_campaigns c where c.id = campaign_id));
comment on policy recipients_read on public.campaign_recipients is
  'Whoever may read the campaign may read its recipients: the subquery applies the campaigns'' policy.';
grant select on public.campaign_recipients to authenticated;
grant all on public.campaign_recipients to service_role;
-- When a recipient is deleted, Postgres deletes its queued message.
alter table portal.outgoing add constraint outgoing_recipient_id_fkey
  foreign key (recipient_id) references public.campaign_recipients on delete cascade;

create table public.campaign_settings (
  id boolean primary key default true,
  opens_at smallint not null default 8 check (opens_at between 0 and 23),
  closes_at smallint not null default 20 check (closes_at between 1 and 24 and closes_at > opens_at),
  sends_on_sundays boolean not null default false,
  daily_cap integer not null default 200 check (daily_cap between 1 and 5000),
  warm_up_from integer not null default 20 check (warm_up_from between 1 and 5000),
  warm_up_days smallint not null default 14 check (warm_up_days between 1 and 90),
  rest_days smallint not null default 7 check (rest_days between 0 and 365)
);
comment on table public.campaign_settings is
  'One row, with id true: when campaigns may send, and how much a day. Everyone signed in reads it; administrators change it through a function.';
comment on column public.campaign_settings.opens_at is
  'First hour of the day when campaigns may send, in the portal''s time zone.';
comment on column public.campaign_settings.daily_cap is
  'Campaign messages that each phone number sends in a day after its warm-up.';
comment on column public.campaign_settings.warm_up_from is
  'Campaign messages on the first day on which a number sends. The limit rises from there to daily_cap.';
comment on column public.campaign_settings.warm_up_days is 'On this day of sending the limit reaches daily_cap.';
comment on column public.campaign_settings.rest_days is
  'Days of rest: a person who got a campaign within so many days is skipped.';
alter table public.campaign_settings enable row level security;
create policy settings_read on public.campaign_settings for select to authenticated using ((select portal.is_member()));
comment on policy settings_read on public.campaign_settings is
  'Everyone signed in sees when and how much campaigns send.';
grant select on public.campaign_settings to authenticated;
grant all on public.campaign_settings to service_role;
insert into public.campaign_settings default values;

create table portal.campaign_days (
  number text not null,
  day date not null,
  sent integer not null default 0,
  primary key (number, day)
);
comment on table portal.campaign_days is
  'Campaign messages of each phone number on each day of the portal''s time zone, for the daily cap and its warm-up.';
alter table portal.campaign_days enable row level security;

create function portal.publish_campaign_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.publish(jsonb_build_object('kind', 'campaign', 'instanceName', b."instanceName"))
  from public.brokers b where b.id = new.broker_id;
  return null;
end $$;
comment on function portal.publish_campaign_change() is
  'Trigger: publishes that a broker''s campaign was created or progressed.';
create trigger publish_campaign_change after insert or update on public.remarketing_campaigns
  for each row execute function portal.publish_campaign_change();

create function portal.keep_recipients() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.campaign_recipients r set contact_id = new.kept_contact_id where r.contact_id = new.gone_contact_id;
  return null;
end $$;
comment on function portal.keep_recipients() is
  'Trigger: when a recipient''s contact is merged, the recipient moves to the kept contact.';
create trigger keep_recipients after insert on portal.contact_merges
  for each row execute function portal.keep_recipients();

-- The warm-up may not begin above the daily cap.
create function public.save_campaign_settings(
  p_opens_at integer, p_closes_at integer, p_sends_on_sundays boolean,
  p_daily_cap integer, p_warm_up_from integer, p_warm_up_days integer, p_rest_days integer
) returns public.campaign_settings
language plpgsql volatile security definer set search_path = '' as $$
declare
  saved public.campaign_settings;
begin
  perform portal.require_admin();
  if p_warm_up_from > p_daily_cap then
    raise exception 'O limite no 1º dia não pode passar do limite por dia.' using errcode = '22023';
  end if;
  update public.campaign_settings
  set opens_at = p_opens_at, closes_at = p_closes_at, sends_on_sundays = p_sends_on_sundays, daily_cap = p_daily_cap,
    warm_up_from = p_warm_up_from, warm_up_days = p_warm_up_days, rest_days = p_rest_days
  where id
  returning * into saved;
  -- Campaigns that wait for an hour or a day get a new time under the new settings.
  update public.remarketing_campaigns set wait_reason = null, next_send_at = null where wait_reason is not null;
  return saved;
exception
  when check_violation or not_null_violation or numeric_value_out_of_range then
    raise exception 'Confira os horários e limites: o fim vem depois do começo, e os números são inteiros positivos.' using errcode = '22023';
end $$;
comment on function public.save_campaign_settings(integer, integer, boolean, integer, integer, integer, integer) is
  'Changes when campaigns may send and how much a day; administrators only. The settings sheet of remarketing calls it; saving equal settings changes nothing.';
grant execute on function public.save_campaign_settings(integer, integer, boolean, integer, integer, integer, integer)
  to authenticated, service_role;


-- Functions that plan and steer a campaign as the calling person. A refusal has the HTTP status in its errcode and its
-- code in the hint.

create function portal.was_reached(p_person bigint, p_since timestamptz, p_but bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.whatsapp_contacts c where c.person_id = p_person and c.remarketing_sent_at > p_since)
      and p_but is null
    or exists (
      select from public.campaign_recipients r
      where r.person_id = p_person and r.id is distinct from p_but
        and (r.accepted_at > p_since or p_but is not null and r.state = 'sending'))
$$;
comment on function portal.was_reached(bigint, timestamptz, bigint) is
  'Whether a person got a campaign since that time, from any broker through any instance. p_but: a recipient who does not count; then recipients to whom a campaign is sending now count as reached. Server only.';

create function portal.campaign_candidates(p_stage text) returns table (contact_id bigint, person_id bigint, name text, exclusion text)
language plpgsql stable security definer set search_path = '' as $$
declare
  me text := (portal.my_broker())."instanceName";
  since timestamptz := now() - make_interval(days => (select s.rest_days from public.campaign_settings s where s.id));
begin
  return query
    select c.id, c.person_id, c.name, case
      when p.opted_out_at is not null then 'opted-out'
      when portal.address_of(c.id, me) is null then 'no-number'
      when portal.was_reached(c.person_id, since, null) then 'recent'
      when portal.is_held_back(c.person_id, now()) then 'held-out'
    end
    from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
    where c."instanceName" = me and c.status = p_stage
    order by c.last_message_timestamp desc nulls last, c.id desc;
end $$;
comment on function portal.campaign_candidates(text) is
  'The leads of the calling broker in a stage. exclusion says why a campaign skips one: opted-out, no-number, recent (the person got a campaign within the days of rest, from any broker), held-out (portal.is_held_back). Null: it gets the campaign. Server only.';

-- Planning takes no lock for which the broker's incoming messages would have to wait.
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
  -- Locks the broker. Otherwise two plans at the same time could both find no active campaign.
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
comment on function portal.plan_campaign(uuid, jsonb, jsonb) is
  'Plans a campaign {stage, message, startsAt, marks, media} of the calling broker, with its recipients [{contactId, body}]. Recipients who may not get one are skipped. A retry of the operation changes nothing. Returns the campaign''s row. Server only.';

create function portal.withdraw_campaign_message(p_recipient bigint, p_state text, p_reason text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  message bigint;
begin
  -- A message that is being sent can no longer be withdrawn.
  delete from portal.outgoing o
  where o.message_id = (
    select q.message_id from portal.outgoing q
    where q.recipient_id = p_recipient and q.claimed_at is null
      and not exists (select from portal.send_queues d where d.doubted_message = q.message_id)
    for update skip locked)
  returning o.message_id into message;
  if message is null then return false; end if;
  update public.campaign_recipients set state = p_state, reason = p_reason, message_id = null where id = p_recipient;
  delete from public.whatsapp_messages where id = message and message_id is null;
  return true;
end $$;
comment on function portal.withdraw_campaign_message(bigint, text, text) is
  'Removes a campaign''s message from queue and conversation, if no portal is sending it. Returns false once sending has begun. Server only.';

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
comment on function portal.campaign_to_steer(bigint) is
  'A campaign of the calling broker, or any for an administrator, locked for a change; else 404. Server only.';

create function portal.steer_campaign(p_id bigint, p_intent text, p_operation_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  answer jsonb := portal.begin_operation(asker, p_operation_id);
  campaign public.remarketing_campaigns;
  again integer;
begin
  if answer is not null then return answer; end if;
  campaign := portal.campaign_to_steer(p_id);
  if p_intent <> 'retry' and campaign.status in ('completed', 'stopped') and not (p_intent = 'stop' and campaign.status = 'stopped') then
    raise exception 'Esta campanha já terminou.' using errcode = 'PT409', hint = 'campaign.ended';
  end if;
  case p_intent
    when 'pause' then
      if campaign.status <> 'error' then
        perform portal.withdraw_campaign_message(campaign.current_recipient, 'pending', null);
        -- The resumed campaign checks its reasons to wait again. The gap after the last message still holds.
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
        perform portal.withdraw_campaign_message(campaign.current_recipient, 'cancelled', 'stopped');
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
        set status = 'running', pause_reason = null, finished_at = null, watched_since = p_now, next_send_at = null
        where id = p_id;
      end if;
  end case;
  return portal.end_operation(asker, p_operation_id, 'campaign.' || p_intent,
    (select to_jsonb(c) from public.remarketing_campaigns c where c.id = p_id));
exception
  when unique_violation then
    raise exception 'Esta campanha já está sendo processada' using errcode = 'PT409', hint = 'campaign.active';
end $$;
comment on function portal.steer_campaign(bigint, text, uuid, timestamptz) is
  'Changes a campaign by p_intent: pause, resume, stop, or retry (the failed recipients, never those with an unknown outcome). A retry of the operation changes nothing, nor does an intent that already holds. Returns the campaign''s row. Server only.';

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
  'The calling broker''s active campaign, {campaign, counts, current}; null without one. Server only.';


-- Runs campaigns. One message at a time enters the queue of its instance, behind those of persons. Claims and leases
-- are those of all messages, so no two portals send the same one. The portal passes the time as an argument, so that
-- tests can set it.

create function portal.link_trouble(instance text) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from portal.instance_states s
      where s."instanceName" = instance and (s.dead_at is not null or s.state <> 'open')) then 'not-linked'
    when exists (select from portal.send_queues q
      where q."instanceName" = instance and (q.held_until > clock_timestamp() or q.doubted_message is not null)) then 'unreachable'
  end
$$;
comment on function portal.link_trouble(text) is
  'Why an instance cannot send now. Null: the portal knows no obstacle. Server only.';

create function portal.sign_of_restriction(p_campaign public.remarketing_campaigns, instance text, p_now timestamptz) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  since timestamptz := coalesce(p_campaign.watched_since, '-infinity');
begin
  if exists (select from portal.instance_states s
    where s."instanceName" = instance and s.state <> 'open' and s.reason in (401, 403)) then
    return 'restricted';
  elsif portal.limit_of(instance, p_now) is not null then
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
  'A sign, since a person last resumed, that WhatsApp restricts the number: logged out by WhatsApp, barred from new chats or without quota for them, two refusals after acceptance, three numbers in a row without WhatsApp, or no confirmation within two minutes. Null without any. Server only.';

create function portal.phone_of(instance text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select portal.number_key(s.owner_jid) from portal.instance_states s where s."instanceName" = instance), instance)
$$;
comment on function portal.phone_of(text) is
  'The phone number for which the daily cap counts. The instance''s name while no phone is known. Server only.';

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
  'The settings of campaigns, and what the instance''s phone has done: how much it sent today, and on how many earlier days it sent campaigns. Server only.';

create function portal.due_campaigns(p_now timestamptz) returns table (id bigint, "instanceName" text, pacing jsonb)
language sql stable security definer set search_path = '' as $$
  select c.id, b."instanceName", portal.pacing_of(b."instanceName", p_now)
  from public.remarketing_campaigns c join public.brokers b on b.id = c.broker_id
  where case c.status
    when 'scheduled' then c.scheduled_at <= p_now
    when 'paused' then c.pause_reason in ('not-linked', 'unreachable') and portal.link_trouble(b."instanceName") is null
    when 'running' then (c.next_send_at is null or c.next_send_at <= p_now) and (
      portal.link_trouble(b."instanceName") is not null
      or not exists (select from public.campaign_recipients r where r.id = c.current_recipient and r.state = 'sending')
      or portal.message_hindrance(c.current_recipient) = 'handed-over')
    else false
  end
$$;
comment on function portal.due_campaigns(timestamptz) is
  'Campaigns that have something to do now, each with its pace. Server only.';

create function portal.coming_recipients(p_now timestamptz, p_within_ms integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'instanceName', b."instanceName", 'sendAtMs', floor(extract(epoch from c.next_send_at) * 1000)::bigint,
    'address', portal.address_of(l.id, b."instanceName")) order by c.id), '[]')
  from public.remarketing_campaigns c join public.brokers b on b.id = c.broker_id
  cross join lateral (
    select r.id, r.contact_id from public.campaign_recipients r
    where r.campaign_id = c.id and r.state = 'pending' order by r.id limit 1
  ) next
  -- Leaves out recipients whom portal.next_recipient will skip for one of these reasons.
  join public.whatsapp_contacts l on l.id = next.contact_id and l."instanceName" = b."instanceName"
  join portal.people p on p.id = l.person_id and p.opted_out_at is null
  where c.status = 'running' and c.wait_reason is null and portal.link_trouble(b."instanceName") is null
    and c.next_send_at > p_now and c.next_send_at <= p_now + p_within_ms * interval '1 millisecond'
    and portal.address_of(l.id, b."instanceName") is not null
$$;
comment on function portal.coming_recipients(timestamptz, integer) is
  'The recipients to whom a campaign sends within that time: [{id (of the campaign), instanceName, sendAtMs, address}]. Server only.';

create function portal.next_recipient(p_campaign bigint, instance text, p_now timestamptz) returns public.campaign_recipients
language plpgsql volatile security definer set search_path = '' as $$
declare
  recipient public.campaign_recipients;
  lead public.whatsapp_contacts;
  hindrance text;
  rest constant interval := make_interval(days => (select s.rest_days from public.campaign_settings s where s.id));
begin
  loop
    select r.* into recipient from public.campaign_recipients r
    where r.campaign_id = p_campaign and r.state = 'pending' order by r.id limit 1 for update;
    if not found then return null; end if;
    -- The lead stays locked until the message is in the queue. If somebody is changing the lead, the step gives up.
    -- Waiting could deadlock.
    select c.* into lead from public.whatsapp_contacts c where c.id = recipient.contact_id for no key update skip locked;
    if not found and exists (select from public.whatsapp_contacts c where c.id = recipient.contact_id) then return null; end if;
    -- Two campaigns have reached the same person at the same time. The second gives up for now.
    perform from portal.people p where p.id = lead.person_id for no key update skip locked;
    if not found and lead.id is not null then return null; end if;
    hindrance := case
      when lead.id is null then 'no-lead'
      when lead."instanceName" is distinct from instance then 'handed-over'
      when exists (select from portal.people p where p.id = lead.person_id and p.opted_out_at is not null) then 'opted-out'
      when portal.address_of(lead.id, instance) is null then 'no-number'
      -- Since this campaign was planned, another broker's campaign has reached the person.
      when portal.was_reached(lead.person_id, p_now - rest, recipient.id) then 'recent'
      when portal.is_held_back(lead.person_id, p_now) then 'held-out'
    end;
    exit when hindrance is null;
    update public.campaign_recipients
    set state = case hindrance when 'no-number' then 'failed' else 'cancelled' end, reason = hindrance, settled_at = p_now
    where id = recipient.id;
  end loop;
  return recipient;
end $$;
comment on function portal.next_recipient(bigint, text, timestamptz) is
  'The next recipient who may still get the campaign, locked together with the lead. Others are skipped with their reason. Null if none is left, or somebody is changing the lead. Server only.';

create function portal.queue_recipient(recipient public.campaign_recipients, instance text, p_media jsonb, p_typing_ms integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  sender_jid text := (select s.owner_jid from portal.instance_states s where s."instanceName" = instance);
  message bigint;
begin
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, content)
  values (
    recipient.contact_id, instance, sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1), recipient.body,
    floor(extract(epoch from now()))::bigint, 'outgoing', coalesce(p_media ->> 'kind', 'text'), 'campaign', 'queued', p_media -> 'content')
  returning id into message;
  insert into portal.outgoing (message_id, recipient_id, typing_ms) values (message, recipient.id, p_typing_ms);
  update public.campaign_recipients set state = 'sending', message_id = message where id = recipient.id;
end $$;
comment on function portal.queue_recipient(public.campaign_recipients, text, jsonb, integer) is
  'Writes a recipient''s text as a message into the conversation and the queue. Server only.';

create function portal.rest_campaign(p_campaign bigint, p_instance text, p_now timestamptz, p_gap_ms integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  recipient public.campaign_recipients;
begin
  select r.* into recipient from public.campaign_recipients r
  join public.remarketing_campaigns c on c.current_recipient = r.id where c.id = p_campaign;
  if recipient.state = 'sending' and portal.message_hindrance(recipient.id) = 'handed-over' then
    if not portal.withdraw_campaign_message(recipient.id, 'cancelled', 'handed-over') then return false; end if;
  elsif recipient.state = 'sending' then
    -- If the message is back in the queue because nothing can be sent, it is withdrawn until sending is possible.
    -- Otherwise this step waits.
    if portal.link_trouble(p_instance) is null
      -- The message may have left; only the gateway's store can tell.
      or exists (select from portal.send_queues q where q.doubted_message = recipient.message_id)
      or not exists (select from portal.outgoing o
        join public.whatsapp_messages m on m.id = o.message_id
        where o.recipient_id = recipient.id and o.claimed_at is null and m.delivery_reason is not null) then
      return false;
    end if;
    if not portal.withdraw_campaign_message(recipient.id, 'pending', null) then return false; end if;
  end if;
  update public.campaign_recipients set settled_at = p_now
  where id = recipient.id and state in ('sent', 'failed', 'unknown') and settled_at is null;
  update public.remarketing_campaigns
  set current_recipient = null, next_send_at = p_now + p_gap_ms * interval '1 millisecond'
  where id = p_campaign;
  return true;
end $$;
comment on function portal.rest_campaign(bigint, text, timestamptz, integer) is
  'Begins the gap after the current message is settled. Returns false while the message is still being sent. Server only.';

create function portal.run_campaign(p_id bigint, p_now timestamptz, p_pace jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  c public.remarketing_campaigns;
  instance text;
  trouble text;
  recipient public.campaign_recipients;
begin
  -- Locks the settings. A person who changes them waits for this step, and then gives the campaign a new time.
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
  -- The settings have changed since the portal computed the pace, so this step gives up.
  if not portal.pacing_of(instance, p_now) @> (p_pace -> 'settings') then return 'passed'; end if;
  if p_pace ->> 'waitUntil' is not null then
    update public.remarketing_campaigns
    set next_send_at = (p_pace ->> 'waitUntil')::timestamptz, wait_reason = p_pace ->> 'waitReason' where id = p_id;
    return 'waiting';
  end if;
  recipient := portal.next_recipient(p_id, instance, p_now);
  if recipient.id is null then
    -- If recipients are pending, somebody is changing the lead or the person of the next one. If none is pending, the
    -- next step ends the campaign.
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
  'Takes one step of a campaign: begins the gap, ends, pauses, waits, or queues the next message (''queued''). The portal must compute the pace {settings, day, cap, gapMs, typingMs, waitUntil, waitReason} from the current settings. While another portal runs the campaign, nothing happens. Server only.';

create function portal.fail_campaign(p_id bigint, p_now timestamptz, p_reason text) returns void
language sql volatile security definer set search_path = '' as $$
  update public.remarketing_campaigns
  set status = 'error', finished_at = p_now, pause_reason = p_reason, wait_reason = null, next_send_at = null
  where id = p_id and status in ('scheduled', 'running', 'paused')
$$;
comment on function portal.fail_campaign(bigint, timestamptz, text) is
  'Sets a campaign to error because a step failed, with the reason (a code of src/domain/campaign.ts). No recipient is lost, and a person may resume it. Server only.';

create function portal.note_campaign_message() returns trigger
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
comment on function portal.note_campaign_message() is
  'Trigger: copies the state of a campaign''s message to its recipient. processed_contacts counts the message once, when the gateway accepts it.';
create trigger note_campaign_message after update of delivery on public.whatsapp_messages
  for each row when (new.author = 'campaign' and old.delivery is distinct from new.delivery)
  execute function portal.note_campaign_message();

create function portal.free_recipient() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.state := 'cancelled';
  new.reason := 'no-lead';
  return new;
end $$;
comment on function portal.free_recipient() is
  'Trigger: when a lead is deleted during its send, the campaign goes on without it.';
create trigger free_recipient before update of message_id on public.campaign_recipients
  for each row when (old.message_id is not null and new.message_id is null and old.state = 'sending' and new.state = 'sending')
  execute function portal.free_recipient();

-- A campaign sends only through the phone of its broker. If the lead of a waiting message gets another owner, the
-- message is withdrawn and the campaign continues.
create function portal.message_hindrance(p_recipient bigint) returns text
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
comment on function portal.message_hindrance(bigint) is
  'Why a waiting message of a campaign may not be sent any more: opted-out, handed-over, paused or stopped. Null if it may be sent, or belongs to no campaign. Server only.';


-- Only a person decides about a recipient with an unknown outcome: the message is sent again, or counted as sent.

create function portal.settle_recipient(p_campaign bigint, p_recipient bigint, p_intent text, p_operation_id uuid, p_now timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  answer jsonb := portal.begin_operation(asker, p_operation_id);
  message public.whatsapp_messages;
  campaign public.remarketing_campaigns;
  recipient public.campaign_recipients;
begin
  if answer is not null then return answer; end if;
  -- Locks the message first, as reports of its delivery do.
  select m.* into message from public.whatsapp_messages m
  where m.id = (select r.message_id from public.campaign_recipients r where r.id = p_recipient and r.campaign_id = p_campaign)
  for update;
  campaign := portal.campaign_to_steer(p_campaign);
  select r.* into recipient from public.campaign_recipients r where r.id = p_recipient and r.campaign_id = p_campaign for update;
  if not found then
    raise exception 'Este contato não está nesta campanha.' using errcode = 'PT404', hint = 'campaign.unknown-recipient';
  elsif recipient.state <> 'unknown' then
    raise exception 'O fim deste envio já é conhecido.' using errcode = 'PT409', hint = 'campaign.settled';
  end if;
  case p_intent
    when 'sent' then
      -- The message keeps its state, so that a later report can still raise it.
      update public.campaign_recipients
      set state = 'sent', reason = 'by-hand', acknowledged = true, settled_at = coalesce(settled_at, p_now),
        accepted_at = coalesce(accepted_at, to_timestamp(message."timestamp"), p_now)
      where id = p_recipient;
      if recipient.accepted_at is null then
        update public.remarketing_campaigns set processed_contacts = processed_contacts + 1 where id = p_campaign;
        update public.whatsapp_contacts set remarketing_sent_at = now() where id = recipient.contact_id and campaign.marks;
      end if;
    when 'again' then
      if message.delivery_reason = 'retried' then
        raise exception 'Esta mensagem já foi enviada de novo.' using errcode = 'PT409', hint = 'message.retried';
      end if;
      -- The retry is a second message, and the conversation shows both.
      update public.whatsapp_messages set delivery_reason = 'retried' where id = message.id;
      update public.campaign_recipients
      set state = 'pending', reason = null, message_id = null, settled_at = null, acknowledged = false
      where id = p_recipient;
      update public.remarketing_campaigns
      set status = 'running', finished_at = null, watched_since = p_now, next_send_at = null
      where id = p_campaign and status in ('completed', 'stopped', 'error');
  end case;
  return portal.end_operation(asker, p_operation_id, 'campaign.' || p_intent,
    (select to_jsonb(c) from public.remarketing_campaigns c where c.id = p_campaign));
exception
  when unique_violation then
    raise exception 'Esta campanha já está sendo processada' using errcode = 'PT409', hint = 'campaign.active';
end $$;
comment on function portal.settle_recipient(bigint, bigint, text, uuid, timestamptz) is
  'Settles a recipient with an unknown outcome: p_intent ''again'' sends once more, ''sent'' counts it as sent. A retry of the operation changes nothing. For the campaign''s broker or an administrator. Returns the campaign''s row. Server only.';


-- Results of campaigns, for a broker's own history and for the administrators' report.

-- Postgres finds every row by an index, however many recipients other campaigns have. Erased persons are counted
-- without being identified.
create function portal.campaign_outcomes(p_campaigns bigint[]) returns table (
  campaign_id bigint, delivered bigint, read bigint, answered bigint, opted_out bigint, failed bigint, unknown bigint, waiting bigint
)
language sql stable security definer set search_path = '' as $$
  with reached as (
    select r.campaign_id, coalesce(m.delivery, r.erased_delivery) as delivery, r.state, r.accepted_at, r.contact_id, r.erased_answer,
      coalesce(p.opted_out_at between r.accepted_at and r.accepted_at + interval '72 hours', false) as has_opted_out
    from public.campaign_recipients r
    left join public.whatsapp_messages m on m.id = r.message_id
    left join portal.people p on p.id = r.person_id and p.opted_out_at is not null
    where r.campaign_id = any (p_campaigns)
  )
  select r.campaign_id,
    count(*) filter (where r.delivery in ('delivered', 'read')),
    count(*) filter (where r.delivery = 'read'),
    -- Only an answer or opt-out after the gateway accepted the message counts.
    count(*) filter (where r.erased_answer = 'answered'
      or r.accepted_at is not null and not r.has_opted_out and portal.answers_campaign(r.contact_id, r.accepted_at)),
    count(*) filter (where r.has_opted_out or r.erased_answer = 'opted-out'),
    count(*) filter (where r.state = 'failed'),
    count(*) filter (where r.state = 'unknown'),
    count(*) filter (where r.state in ('pending', 'sending'))
  from reached r
  group by 1
$$;
comment on function portal.campaign_outcomes(bigint[]) is
  'Counts of each campaign: delivered to the phone, read, answered within 72 hours, opted out within 72 hours (which is no answer), failed, unknown outcome, waiting. Server only.';

create function public.get_campaign_history(p_cursor timestamptz default null, p_id_cursor bigint default null) returns table (
  id bigint,
  "instanceName" text,
  created_at timestamptz,
  scheduled_at timestamptz,
  finished_at timestamptz,
  kanban_stage text,
  stage_name text,
  status text,
  pause_reason text,
  total_contacts integer,
  processed_contacts integer,
  message text,
  delivered bigint,
  read bigint,
  answered bigint,
  opted_out bigint,
  failed bigint,
  unknown bigint,
  waiting bigint
)
language plpgsql stable security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  found_ids bigint[];
begin
  select array_agg(page.id) into found_ids
  from (
    select c.id from public.remarketing_campaigns c
    where (asker is null or portal.is_admin() or c.broker_id = asker)
      and (c.created_at, c.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
    order by c.created_at desc, c.id desc
    limit 30
  ) page;
  return query
    select c.id, b."instanceName", c.created_at, c.scheduled_at, c.finished_at, c.kanban_stage, s.name, c.status, c.pause_reason,
      c.total_contacts, c.processed_contacts, c.message,
      coalesce(o.delivered, 0), coalesce(o.read, 0), coalesce(o.answered, 0), coalesce(o.opted_out, 0), coalesce(o.failed, 0),
      coalesce(o.unknown, 0), coalesce(o.waiting, 0)
    from public.remarketing_campaigns c
    join public.brokers b on b.id = c.broker_id
    left join public.kanban_stages s on s.slug = c.kanban_stage
    left join portal.campaign_outcomes(found_ids) o on o.campaign_id = c.id
    where c.id = any (found_ids)
    order by c.created_at desc, c.id desc;
end $$;
comment on function public.get_campaign_history(timestamptz, bigint) is
  'A page of 30 campaigns with their results, the newest first: a broker''s own, for an administrator those of everyone. The next page starts at created_at and id of the last row. stage_name is null for a deleted stage. 401 once the session has ended.';
grant execute on function public.get_campaign_history(timestamptz, bigint) to authenticated, service_role;

create function public.get_campaign_stats() returns table (
  broker_id uuid,
  "instanceName" text,
  total_campaigns bigint,
  total_contacts bigint,
  processed_contacts bigint,
  delivered bigint,
  read bigint,
  answered bigint,
  opted_out bigint
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select b.id, b."instanceName", count(*), sum(c.total_contacts)::bigint, sum(c.processed_contacts)::bigint,
      coalesce(sum(o.delivered), 0)::bigint, coalesce(sum(o.read), 0)::bigint, coalesce(sum(o.answered), 0)::bigint,
      coalesce(sum(o.opted_out), 0)::bigint
    from public.remarketing_campaigns c
    join public.brokers b on b.id = c.broker_id
    left join portal.campaign_outcomes((select array_agg(every.id) from public.remarketing_campaigns every)) o on o.campaign_id = c.id
    group by b.id, b."instanceName"
    order by b."instanceName";
end $$;
comment on function public.get_campaign_stats() is
  '''Resumo por Corretor'': totals of each broker''s campaigns, without brokers that have none. Administrators only.';
grant execute on function public.get_campaign_stats() to authenticated, service_role;

create function public.get_opt_outs(p_cursor timestamptz default null, p_id_cursor bigint default null) returns table (
  contact_id bigint,
  name text,
  number text,
  "instanceName" text,
  opted_out_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select c.id, c.name, c.number, c."instanceName", p.opted_out_at
    from portal.people p
    join lateral (
      select l.id, l.name, l.number, l."instanceName" from public.whatsapp_contacts l
      where l.person_id = p.id order by l.last_message_timestamp desc nulls last, l.id desc limit 1
    ) c on true
    where p.opted_out_at is not null
      and (p.opted_out_at, c.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
    order by p.opted_out_at desc, c.id desc
    limit 50;
end $$;
comment on function public.get_opt_outs(timestamptz, bigint) is
  'A page of 50 opted-out persons, the latest first, each by the contact with the newest message; undo_opt_out takes its id. The next page starts at opted_out_at and contact_id of the last row. Administrators only.';
grant execute on function public.get_opt_outs(timestamptz, bigint) to authenticated, service_role;

create function portal.push_campaign() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status in ('completed', 'error')
    or new.status = 'paused' and new.pause_reason not in ('person', 'not-linked', 'unreachable') then
    perform portal.push(b."instanceName", 'campaign', 'campaign-' || new.id, new.id, interval '0')
    from public.brokers b where b.id = new.broker_id;
  end if;
  return null;
end $$;
comment on function portal.push_campaign() is
  'Trigger: push when a campaign has ended, or when it waits for a decision of its broker.';
create trigger push_campaign after update of status on public.remarketing_campaigns
  for each row when (new.status <> old.status) execute function portal.push_campaign();
