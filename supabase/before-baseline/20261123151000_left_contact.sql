-- Who left a contact in a form, a portal or Meta and was called by nobody waits as well: the figures knew only who wrote.
-- Two lines, apart: who wrote is answered from the first message on; who left a contact, and did not write before a person
-- wrote to them, from the arrival on. Leads added by hand or imported have no arrival and never wait.

alter table public.whatsapp_contacts
  add column left_contact_at timestamptz,
  add column first_contacted_at timestamptz;
comment on column public.whatsapp_contacts.left_contact_at is
  'When the lead first arrived by a form, a portal or Meta; null for who only wrote, was added by hand or imported.';
comment on column public.whatsapp_contacts.first_contacted_at is
  'First human outgoing message, not failed, from left_contact_at on.';
create index if not exists lead_intakes_contact on portal.lead_intakes (contact_id, received_at);

create or replace view portal.leads with (security_invoker = true) as
select
  c.id,
  c."instanceName" as broker_name,
  c.name as nome_lead,
  c.number as number_lead,
  c.created_at,
  c.created_at at time zone (select portal.time_zone()) as local_created_at,
  c.status as kanban_lead,
  c.empreendimento,
  c.source,
  coalesce(c.campaign, 'sem campanha') as campaign,
  extract(epoch from c.first_response_at - c.first_incoming_at) as response_seconds,
  (c.first_incoming_at is not null and c.first_response_at is null)
    or (c.left_contact_at is not null and c.first_incoming_at is null and c.first_contacted_at is null) as is_unanswered,
  c.won_at is not null as is_won,
  case when c.first_contacted_at < coalesce(c.first_incoming_at, 'infinity')
    then greatest(0, extract(epoch from c.first_contacted_at - c.left_contact_at)) end as contact_seconds,
  case
    when c.first_incoming_at is not null then case when c.first_response_at is null then c.first_incoming_at end
    when c.first_contacted_at is null then c.left_contact_at
  end as waiting_since,
  c.left_contact_at is not null and c.first_incoming_at is null and c.first_contacted_at is null as is_uncontacted
from public.whatsapp_contacts c;
comment on column portal.leads.is_unanswered is 'Wrote and no human answered, or left a contact, did not write, and no human wrote to them.';
comment on column portal.leads.contact_seconds is
  'First human message minus arrival by a form, a portal or Meta, in seconds, where the lead did not write before it; null otherwise.';
comment on column portal.leads.is_uncontacted is 'Left a contact, did not write, and no human wrote to them: one of the unanswered.';
comment on column portal.leads.waiting_since is 'Since when an unanswered lead waits: its first message, else its arrival.';

create or replace function portal.lead_delta(lead public.whatsapp_contacts, sign integer, zone text) returns setof portal.lead_deltas
language sql stable as $$
  select
    (lead.created_at at time zone zone)::date,
    coalesce(lead."instanceName", ''),
    coalesce(lead.empreendimento, ''),
    lead.status,
    lead.source,
    coalesce(lead.campaign, 'sem campanha'),
    sign,
    sign * (lead.first_response_at - lead.first_incoming_at is not null)::integer,
    sign * ((lead.first_incoming_at is not null and lead.first_response_at is null)
      or (lead.left_contact_at is not null and lead.first_incoming_at is null and lead.first_contacted_at is null))::integer,
    sign * (lead.won_at is not null)::integer,
    sign * coalesce(extract(epoch from lead.first_response_at - lead.first_incoming_at), 0)
$$;

create or replace function portal.note_lead_counts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  zone text := portal.time_zone();
begin
  if tg_op = 'INSERT' then
    insert into portal.lead_deltas
    select d.* from new_rows n, portal.lead_delta(n, 1, zone) d;
  elsif tg_op = 'DELETE' then
    insert into portal.lead_deltas
    select d.* from old_rows o, portal.lead_delta(o, -1, zone) d;
  else
    insert into portal.lead_deltas
    select d.*
    from old_rows o
      -- A message changes none of these, and comes most often.
      join new_rows n on n.id = o.id
        and (n."instanceName", n.empreendimento, n.status, n.source, n.campaign, n.created_at,
          n.first_incoming_at, n.first_response_at, n.won_at, n.left_contact_at, n.first_contacted_at)
        is distinct from (o."instanceName", o.empreendimento, o.status, o.source, o.campaign, o.created_at,
          o.first_incoming_at, o.first_response_at, o.won_at, o.left_contact_at, o.first_contacted_at),
      lateral (
        select * from portal.lead_delta(o, -1, zone)
        union all
        select * from portal.lead_delta(n, 1, zone)
      ) d;
  end if;
  return null;
end $$;

create or replace function portal.carry(contacts bigint[]) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  -- One order for all writers, and after the wait a snapshot that has what the one before wrote.
  perform from public.whatsapp_contacts c where c.id = any (contacts) order by c.id for no key update;
  update public.whatsapp_contacts c
  set
    last_message_id = newest.id,
    last_message_body = newest.body,
    last_message_timestamp = newest."timestamp",
    last_message_type = newest.type,
    last_message_kind = newest.kind,
    last_message_delivery = newest.delivery,
    unread_count = unread.count,
    first_incoming_at = to_timestamp(incoming."timestamp"),
    first_response_at = to_timestamp(response."timestamp"),
    first_contacted_at = to_timestamp(contacted."timestamp")
  from unnest(contacts) as touched (id)
  join public.whatsapp_contacts known on known.id = touched.id
  left join lateral (
    select m.id, left(m.body, 300) as body, m."timestamp", m.type, m.kind, m.delivery
    from public.whatsapp_messages m where m.contact_id = touched.id
    order by m."timestamp" desc, m.id desc limit 1
  ) newest on true
  cross join lateral (
    select count(*)::integer from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'incoming' and not m.read
  ) unread (count)
  left join lateral (
    select m."timestamp", m.id from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'incoming'
    order by m."timestamp", m.id limit 1
  ) incoming on true
  left join lateral (
    select m."timestamp" from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
      and m."timestamp" >= incoming."timestamp" and (m."timestamp" > incoming."timestamp" or m.id > incoming.id)
    order by m."timestamp", m.id limit 1
  ) response on true
  left join lateral (
    select min(m."timestamp") as "timestamp" from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
      and m."timestamp" >= floor(extract(epoch from known.left_contact_at))
      and known.left_contact_at is not null
  ) contacted on true
  where c.id = touched.id
    and (c.last_message_id, c.last_message_body, c.last_message_timestamp, c.last_message_type, c.last_message_kind,
        c.last_message_delivery, c.unread_count, c.first_incoming_at, c.first_response_at, c.first_contacted_at)
      is distinct from (newest.id, newest.body, newest."timestamp", newest.type, newest.kind,
        newest.delivery, unread.count, to_timestamp(incoming."timestamp"), to_timestamp(response."timestamp"), to_timestamp(contacted."timestamp"));
end $$;

create function portal.note_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.whatsapp_contacts c
  set left_contact_at = (select min(i.received_at) from portal.lead_intakes i where i.contact_id = c.id)
  where c.id in (new.contact_id, case when tg_op = 'UPDATE' then old.contact_id end)
    and c.left_contact_at is distinct from (select min(i.received_at) from portal.lead_intakes i where i.contact_id = c.id);
  if found then
    perform portal.carry(array_remove(array[new.contact_id, case when tg_op = 'UPDATE' then old.contact_id end], null));
  end if;
  return null;
end $$;
comment on function portal.note_arrival() is
  'Trigger: keeps with the lead when it first left a contact, also where leads are joined or parted.';
create trigger note_arrival after insert or update of contact_id on portal.lead_intakes
  for each row execute function portal.note_arrival();

-- What is there already; the counts follow by their own triggers.
update public.whatsapp_contacts c
set left_contact_at = a.at,
  first_contacted_at = (
    select to_timestamp(min(m."timestamp")) from public.whatsapp_messages m
    where m.contact_id = c.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
      and m."timestamp" >= floor(extract(epoch from a.at))
  )
from (select i.contact_id, min(i.received_at) as at from portal.lead_intakes i group by i.contact_id) a
where a.contact_id = c.id;

-- What is not there yet is told apart: both figures are lists, too.
create or replace function portal.makes_figure(lead portal.leads, p_figure text, p_value text) returns boolean
language sql stable as $$
  select case p_figure
    when 'total' then true
    when 'answered' then lead.response_seconds is not null
    when 'unanswered' then lead.is_unanswered
    when 'won' then lead.is_won
    when 'within-five-minutes' then coalesce(lead.response_seconds <= 300, false)
    when 'contacted-within-five-minutes' then coalesce(lead.contact_seconds <= 300, false)
    when 'status' then lead.kanban_lead = p_value
    when 'source' then lead.source = p_value
    when 'campaign' then lead.campaign = p_value
    when 'weekday' then extract(dow from lead.local_created_at)::text = p_value
  end
$$;

create or replace function portal.require_figure(p_figure text, p_value text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_figure in ('total', 'answered', 'unanswered', 'won', 'within-five-minutes', 'contacted-within-five-minutes')
    and p_value is null then return; end if;
  if p_figure in ('status', 'source', 'campaign') and p_value is not null then return; end if;
  if p_figure = 'weekday' and p_value ~ '^[0-6]$' then return; end if;
  raise exception 'Este número do painel não existe.' using errcode = '22023';
end $$;

create function public.get_leads_behind_figure(
  p_figure text,
  p_value text default null,
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null,
  p_cursor timestamptz default null,
  p_id_cursor bigint default null
) returns table (
  id bigint,
  nome_lead text,
  number_lead text,
  created_at timestamptz,
  kanban_lead text,
  empreendimento text,
  broker_name text,
  response_seconds numeric,
  waiting_since timestamptz
)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
  is_any_broker boolean := coalesce(cardinality(p_broker_names), 0) = 0;
  is_any_development boolean := coalesce(cardinality(p_empreendimentos), 0) = 0;
  -- Beside the row comparison, so that both bounds lead to the same place of an index: one of them is where a scan starts,
  -- and which one depends on the version of Postgres.
  ends_at timestamptz := least(span.ends_at, p_cursor + interval '1 microsecond');
begin
  perform portal.require_figure(p_figure, p_value);
  return query
    select l.id, l.nome_lead, l.number_lead, l.created_at, l.kanban_lead, l.empreendimento, l.broker_name,
      case when p_figure = 'contacted-within-five-minutes' then l.contact_seconds
        else coalesce(l.response_seconds, l.contact_seconds) end,
      l.waiting_since
    from
      (select distinct unnest(case when is_any_broker then '{""}' else p_broker_names end)) as b (name)
      cross join (select distinct unnest(case when is_any_development then '{""}' else p_empreendimentos end)) as d (name)
      cross join lateral (
        select *
        from portal.leads o
        where (is_any_broker or o.broker_name = b.name)
          and (is_any_development or o.empreendimento = d.name)
          and o.created_at >= span.starts_at and o.created_at < ends_at
          and (o.created_at, o.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
          and portal.makes_figure(o, p_figure, p_value)
        order by o.created_at desc, o.id desc
        limit 20
      ) l
    order by l.created_at desc, l.id desc
    limit 20;
end $$;
comment on function public.get_leads_behind_figure(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint) is
  'As get_leads_of_figure, with how long the first answer took in response_seconds, or waiting_since, since when the lead waits for one. Filters and cursors as in get_leads_with_filters_and_pagination. 22023 for a figure that does not exist, and when the end is before the start.';
grant execute on function
  public.get_leads_behind_figure(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint)
  to authenticated, service_role;

create or replace function public.get_response_times(
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  return (
    select json_build_object(
      'answeredLeads', count(l.response_seconds),
      'unansweredLeads', count(*) filter (where l.is_unanswered),
      'meanHours', round(avg(l.response_seconds) / 3600, 6),
      'medianHours', round((percentile_cont(0.5) within group (order by l.response_seconds) / 3600)::numeric, 6),
      'p90Hours', round((percentile_cont(0.9) within group (order by l.response_seconds) / 3600)::numeric, 6),
      'withinFiveMinutes', count(*) filter (where l.response_seconds <= 300),
      'withinFiveMinutesRate', round(
        100.0 * count(*) filter (where l.response_seconds <= 300)
          / nullif(count(l.response_seconds) + count(*) filter (where l.is_unanswered and not l.is_uncontacted), 0),
        4),
      'wroteUnansweredLeads', count(*) filter (where l.is_unanswered and not l.is_uncontacted),
      'leftContact', json_build_object(
        'answeredLeads', count(l.contact_seconds),
        'unansweredLeads', count(*) filter (where l.is_uncontacted),
        'medianHours', round((percentile_cont(0.5) within group (order by l.contact_seconds) / 3600)::numeric, 6),
        'p90Hours', round((percentile_cont(0.9) within group (order by l.contact_seconds) / 3600)::numeric, 6),
        'withinFiveMinutes', count(*) filter (where l.contact_seconds <= 300),
        'withinFiveMinutesRate', round(
          100.0 * count(*) filter (where l.contact_seconds <= 300)
            / nullif(count(l.contact_seconds) + count(*) filter (where l.is_uncontacted), 0),
          4)
      )
    )
    from portal.leads_of(p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l
  );
end $$;
comment on function public.get_response_times(text[], text[], timestamp, timestamp) is
  'How fast the leads of a period were answered. Of those who wrote: mean, median and p90 in hours over answeredLeads, null without one, wroteUnansweredLeads beside them, and the percentage answered within five minutes, null when nobody wrote. The same in leftContact of those who left a contact and did not write before a person wrote to them, from their arrival on. unansweredLeads is the sum of both. Filters as in get_dashboard_data_by_params.';
