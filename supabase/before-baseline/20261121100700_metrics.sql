-- The one definition of every metric (PRODUCT.md 4.6, 4.7) and of the leads that a filter means (SPEC.md 2.7, 9).

create view portal.leads with (security_invoker = true) as
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
  c.first_incoming_at is not null and c.first_response_at is null as is_unanswered,
  c.won_at is not null as is_won
from public.whatsapp_contacts c;
comment on view portal.leads is 'Leads with what is measured of each; merged contacts are one. Row rules of whatsapp_contacts hold.';
comment on column portal.leads.local_created_at is 'Wall-clock time in the portal''s zone, whose days and hours count.';
comment on column portal.leads.response_seconds is 'First human outgoing message minus first incoming one, in seconds: campaigns and agents do not count; null while unanswered.';
comment on column portal.leads.is_unanswered is 'Wrote, and no human answered.';
comment on column portal.leads.is_won is 'Reached a stage that is marked as won, wherever it is now.';
grant select on portal.leads to authenticated, service_role;

create function portal.period(p_start timestamp, p_end timestamp, out starts_at timestamptz, out ends_at timestamptz)
language plpgsql stable set search_path = '' as $$
begin
  if p_end < p_start then
    raise exception 'O fim do período vem antes do início.' using errcode = '22023';
  end if;
  starts_at := coalesce(p_start at time zone portal.time_zone(), '-infinity');
  ends_at := coalesce((date_trunc('second', p_end) + interval '1 second') at time zone portal.time_zone(), 'infinity');
end $$;
comment on function portal.period(timestamp, timestamp) is
  'Instants [starts_at, ends_at) of a period of the wire (SPEC.md 9, PRODUCT.md 4.6): ''2026-11-01T00:00:00Z'' is read as wall-clock time in the portal''s zone whatever stands behind it, the end exclusive at the next second; a bound left out is open. 22023 when the end is before the start.';

-- No search_path of its own, every name being qualified: only so is it planned as part of the query that asks.
create function portal.leads_of(p_brokers text[], p_empreendimentos text[], p_starts_at timestamptz, p_ends_at timestamptz)
returns setof portal.leads
language sql stable as $$
  select l.*
  from portal.leads l
  where l.created_at >= p_starts_at and l.created_at < p_ends_at
    and (coalesce(cardinality(p_brokers), 0) = 0 or l.broker_name = any (p_brokers))
    and (coalesce(cardinality(p_empreendimentos), 0) = 0 or l.empreendimento = any (p_empreendimentos))
$$;
comment on function portal.leads_of(text[], text[], timestamptz, timestamptz) is
  'Leads created in [start, end) of these brokers (instance names) and developments; none named = all.';

create function portal.dashboard(p_brokers text[], p_empreendimentos text[], p_start timestamp, p_end timestamp) returns json
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_start, p_end);
  today date := (now() at time zone portal.time_zone())::date;
begin
  return (
    with
      leads as materialized (
        select l.local_created_at, l.kanban_lead, l.source, l.campaign, l.response_seconds, l.is_unanswered, l.is_won
        from portal.leads_of(p_brokers, p_empreendimentos, span.starts_at, span.ends_at) l
      ),
      counted as (
        select
          count(*) as total,
          count(l.response_seconds) as answered,
          count(*) filter (where l.is_unanswered) as unanswered,
          count(*) filter (where l.is_won) as won,
          avg(l.response_seconds) as mean_seconds,
          coalesce(p_end::date, today) - coalesce(p_start::date, min(l.local_created_at)::date, today) + 1 as days
        from leads l
      )
    select json_build_object(
      'kpi', json_build_object(
        'totalLeads', c.total,
        'avgResponseTimeHours', round(c.mean_seconds / 3600, 6),
        'avgLeadsPerDay', round(c.total::numeric / greatest(c.days, 1), 4),
        'conversionRate', round(coalesce(100.0 * c.won / nullif(c.total, 0), 0), 4),
        'answeredLeads', c.answered,
        'unansweredLeads', c.unanswered
      ),
      'charts', json_build_object(
        'statusDistribution', (select coalesce(json_agg(x), '[]') from (
          select l.kanban_lead as status, count(*) from leads l group by 1 order by 2 desc, 1) x),
        'leadSource', (select coalesce(json_agg(x), '[]') from (
          select l.source, count(*) from leads l group by 1 order by 2 desc, 1) x),
        'leadsByDayOfWeek', (select coalesce(json_agg(x), '[]') from (
          select
            (array['domingo', 'segunda-feira', 'terça-feira', 'quarta-feira', 'quinta-feira', 'sexta-feira', 'sábado'])[
              d.day_number + 1] as day_name,
            d.day_number, d.count
          from (select extract(dow from l.local_created_at)::integer as day_number, count(*) from leads l group by 1) d
          order by d.day_number) x),
        'leadsByCampaign', (select coalesce(json_agg(x), '[]') from (
          select l.campaign, count(*) from leads l group by 1 order by 2 desc, 1) x)
      ),
      'period', json_build_object('start', p_start, 'end', p_end, 'days', greatest(c.days, 1))
    )
    from counted c
  );
end $$;
comment on function portal.dashboard(text[], text[], timestamp, timestamp) is
  'Metrics of the leads of a period (PRODUCT.md 4.7): totalLeads; avgResponseTimeHours over the answeredLeads, null without one; unansweredLeads beside it; avgLeadsPerDay = total / calendar days; conversionRate in percent = leads that reached a won stage / leads; and the four charts of SPEC.md 3, counts descending, weekdays from day_number 0 = Sunday.';

grant execute on function
  portal.period(timestamp, timestamp),
  portal.leads_of(text[], text[], timestamptz, timestamptz),
  portal.dashboard(text[], text[], timestamp, timestamp)
  to authenticated, service_role;
