-- A campaign as it is run by the server: its recipients with their final text, its pace, and how a portal sends (issue of remarketing;
-- PRODUCT.md 2, 4.4, 4.5; EVOLUTION.md 5).

alter table public.remarketing_campaigns
  add column scheduled_at timestamptz,
  add column started_at timestamptz,
  add column finished_at timestamptz,
  add column pause_reason text,
  add column wait_reason text check (wait_reason in ('courtesy-hours', 'daily-cap')),
  add column next_send_at timestamptz,
  add column watched_since timestamptz,
  add column current_recipient bigint,
  add column marks boolean not null default true,
  add column media jsonb,
  add constraint campaigns_pause_reason check ((status = 'paused') = (pause_reason is not null));
comment on column public.remarketing_campaigns.scheduled_at is 'When it is to start, where that was put off; null: at once.';
comment on column public.remarketing_campaigns.pause_reason is
  'Why it is paused, a code of src/domain/campaign.ts: ''person'', a link or gateway that is away (goes on by itself), or a sign of restriction.';
comment on column public.remarketing_campaigns.wait_reason is 'Why a running campaign does not send until next_send_at, beyond its usual gap.';
comment on column public.remarketing_campaigns.watched_since is 'Signs of restriction count from here: a person who resumes has seen the earlier ones.';
comment on column public.remarketing_campaigns.current_recipient is 'The row of campaign_recipients that is being sent; null between two.';
comment on column public.remarketing_campaigns.marks is 'Whether who got it is marked by remarketing_sent_at.';
comment on column public.remarketing_campaigns.media is 'The attachment as messages keep it, with its kind; the bytes stay in the media store.';

create table public.campaign_recipients (
  id bigint generated always as identity primary key,
  campaign_id bigint not null references public.remarketing_campaigns on delete cascade,
  contact_id bigint references public.whatsapp_contacts on delete set null,
  person_id bigint not null references portal.people,
  name text,
  body text not null,
  state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'failed', 'unknown', 'cancelled')),
  reason text,
  message_id bigint references public.whatsapp_messages on delete set null,
  accepted_at timestamptz,
  settled_at timestamptz,
  acknowledged boolean not null default false,
  unique (campaign_id, person_id)
);
comment on table public.campaign_recipients is
  'Who a campaign goes to, frozen when it is planned with the final text. A broker reads the own ones, an administrator all; written by the server.';
comment on column public.campaign_recipients.reason is 'Why it failed, has an unknown end or was left out; a code of src/domain/campaign.ts or outgoing.ts.';
comment on column public.campaign_recipients.message_id is 'The chat line it went out as; its delivery says how far it came.';
comment on column public.campaign_recipients.accepted_at is 'When the gateway took it first: counted once in processed_contacts.';
comment on column public.campaign_recipients.settled_at is 'When the portal that sends saw its end.';
comment on column public.campaign_recipients.acknowledged is 'Whether WhatsApp''s server confirmed it after the gateway took it.';
create index recipients_contact on public.campaign_recipients (contact_id, accepted_at);
comment on index public.recipients_contact is 'Serves who got a campaign lately, and the removal of a contact.';
create index recipients_person on public.campaign_recipients (person_id);
comment on index public.recipients_person is 'Serves the removal of a person.';
create index recipients_message on public.campaign_recipients (message_id);
comment on index public.recipients_message is 'Serves the recipient behind a chat line.';
create index recipients_state on public.campaign_recipients (campaign_id, state, id);
comment on index public.recipients_state is 'Serves the next one to send, counting by state, and the failed ones.';
create index recipients_settled on public.campaign_recipients (campaign_id, settled_at desc) where settled_at is not null;
comment on index public.recipients_settled is 'Serves the last ends of a campaign, for signs of restriction.';
create index recipients_unacknowledged on public.campaign_recipients (campaign_id, settled_at) where state = 'sent' and not acknowledged;
comment on index public.recipients_unacknowledged is 'Serves what WhatsApp''s server never confirmed.';
create index recipients_rejected on public.campaign_recipients (campaign_id, settled_at) where reason in ('rejected', 'restricted');
comment on index public.recipients_rejected is 'Serves what WhatsApp refused after the gateway took it.';

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
comment on table public.campaign_settings is 'One row, of id true: when campaigns may send, and how much a day. Everyone signed in reads it, an administrator changes it by function.';
comment on column public.campaign_settings.opens_at is 'Hours of the day in the portal''s zone.';
comment on column public.campaign_settings.daily_cap is 'Campaign messages a day and phone number, once it is warmed up.';
comment on column public.campaign_settings.warm_up_from is 'Messages on the first day on which a number sends a campaign; from there it rises to the cap.';
comment on column public.campaign_settings.warm_up_days is 'On which day of sending the cap is reached.';
comment on column public.campaign_settings.rest_days is 'Who got a campaign in so many days is left out of the next.';
insert into public.campaign_settings default values;

create table portal.campaign_days (
  number text not null,
  day date not null,
  sent integer not null default 0,
  primary key (number, day)
);
comment on table portal.campaign_days is 'How many campaign messages each phone number was given on each day of the portal''s zone: the daily cap and its warm-up.';

alter table portal.outgoing add column recipient_id bigint references public.campaign_recipients on delete cascade,
  add column typing_ms integer;
comment on column portal.outgoing.recipient_id is 'Of a campaign: it waits behind everything that a person wrote.';
comment on column portal.outgoing.typing_ms is 'How long the gateway shows ''digitando…'' first; null: as for a reply.';
create index outgoing_recipient on portal.outgoing (recipient_id);
comment on index portal.outgoing_recipient is 'Serves taking a campaign''s line out of the queue.';

alter table public.campaign_recipients enable row level security;
alter table public.campaign_settings enable row level security;
alter table portal.campaign_days enable row level security;
create policy recipients_read on public.campaign_recipients for select to authenticated
  using (exists (select from public.remarketing_campaigns c where c.id = campaign_id));
comment on policy recipients_read on public.campaign_recipients is 'Read by whoever may read the campaign: the rule of campaigns holds inside.';
create policy settings_read on public.campaign_settings for select to authenticated using ((select portal.is_member()));
comment on policy settings_read on public.campaign_settings is 'Everyone signed in sees when and how much campaigns send.';
grant select on public.campaign_recipients, public.campaign_settings to authenticated;
grant all on public.campaign_recipients, public.campaign_settings to service_role;

create function portal.tell_campaign() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'campaign', 'instanceName', b."instanceName"))
  from public.brokers b where b.id = new.broker_id;
  return null;
end $$;
comment on function portal.tell_campaign() is 'Trigger: a broker''s campaign is new or went on.';
create trigger tell_campaign after insert or update on public.remarketing_campaigns
  for each row execute function portal.tell_campaign();

create function portal.keep_recipients() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.campaign_recipients r set contact_id = new.kept_contact_id where r.contact_id = new.gone_contact_id;
  return null;
end $$;
comment on function portal.keep_recipients() is 'Trigger: who is merged into another contact stays on the lists of campaigns.';
create trigger keep_recipients after insert on portal.contact_merges
  for each row execute function portal.keep_recipients();

create function public.save_campaign_settings(
  p_opens_at integer, p_closes_at integer, p_sends_on_sundays boolean,
  p_daily_cap integer, p_warm_up_from integer, p_warm_up_days integer, p_rest_days integer
) returns public.campaign_settings
language plpgsql volatile security definer set search_path = '' as $$
declare
  saved public.campaign_settings;
begin
  perform portal.require_admin();
  update public.campaign_settings
  set opens_at = p_opens_at, closes_at = p_closes_at, sends_on_sundays = p_sends_on_sundays, daily_cap = p_daily_cap,
    warm_up_from = p_warm_up_from, warm_up_days = p_warm_up_days, rest_days = p_rest_days
  where id
  returning * into saved;
  -- Whoever waits for an hour or a day that changed looks again.
  update public.remarketing_campaigns set wait_reason = null, next_send_at = null where wait_reason is not null;
  return saved;
exception
  when check_violation or not_null_violation or numeric_value_out_of_range then
    raise exception 'Confira os horários e limites: o fim vem depois do começo, e os números são inteiros positivos.' using errcode = '22023';
end $$;
comment on function public.save_campaign_settings(integer, integer, boolean, integer, integer, integer, integer) is
  'Changes when campaigns may send and how much a day; administrators only. Called by the settings sheet of remarketing; setting the same again changes nothing.';
revoke execute on function public.save_campaign_settings(integer, integer, boolean, integer, integer, integer, integer) from public;
grant execute on function public.save_campaign_settings(integer, integer, boolean, integer, integer, integer, integer) to authenticated, service_role;
