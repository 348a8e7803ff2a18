-- A page of leads costs the same wherever it is and whatever the filter (PRODUCT.md 5): each broker, development or pair of
-- them has its leads in order, a page takes the newest of each and merges them.

drop index public.contacts_empreendimento;
create index contacts_empreendimento on public.whatsapp_contacts (empreendimento, created_at, id);
comment on index public.contacts_empreendimento is 'Serves the list of developments, and the leads of one in their order.';
drop index public.contacts_broker_period;
create index contacts_broker_period on public.whatsapp_contacts ("instanceName", empreendimento, created_at, id);
comment on index public.contacts_broker_period is 'Serves the leads of a broker and a development at once, in their order.';
create index contacts_broker_created on public.whatsapp_contacts ("instanceName", created_at, id);
comment on index public.contacts_broker_created is 'Serves the leads of a broker in their order.';

create or replace function public.get_leads_of_figure(
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
  broker_name text
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
    select l.id, l.nome_lead, l.number_lead, l.created_at, l.kanban_lead, l.empreendimento, l.broker_name
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
