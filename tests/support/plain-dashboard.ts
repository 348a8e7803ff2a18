// The dashboard computed directly from the leads, as for an administrator: the roll-up must give the same.

const WEEKDAYS = `array['domingo', 'segunda-feira', 'terça-feira', 'quarta-feira', 'quinta-feira', 'sexta-feira', 'sábado']`

/** Returns {kpi, charts}; $1 brokers, $2 developments, $3 start, $4 end, each as in get_dashboard_data_by_params. */
export const PLAIN_DASHBOARD = `
  with
    leads as materialized (
      select l.*
      from portal.period($3::timestamp, $4::timestamp) as span, portal.leads l
      where l.created_at >= span.starts_at and l.created_at < span.ends_at
        and (coalesce(cardinality($1::text[]), 0) = 0 or l.broker_name = any ($1))
        and (coalesce(cardinality($2::text[]), 0) = 0 or l.empreendimento = any ($2))
    ),
    counted as (
      select count(*) as total, count(l.response_seconds) as answered, count(*) filter (where l.is_unanswered) as unanswered,
        count(*) filter (where l.is_won) as won, avg(l.response_seconds) as mean_seconds,
        $4::timestamp::date - $3::timestamp::date + 1 as days
      from leads l
    )
  select json_build_object(
    'kpi', json_build_object(
      'totalLeads', c.total,
      'avgResponseTimeHours', round(c.mean_seconds / 3600, 6),
      'avgLeadsPerDay', round(c.total::numeric / c.days, 4),
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
        select (${WEEKDAYS})[d.day_number + 1] as day_name, d.day_number, d.count
        from (select extract(dow from l.local_created_at)::integer as day_number, count(*) from leads l group by 1) d
        order by d.day_number) x),
      'leadsByCampaign', (select coalesce(json_agg(x), '[]') from (
        select l.campaign, count(*) from leads l group by 1 order by 2 desc, 1) x)
    )
  ) as data
  from counted c`
