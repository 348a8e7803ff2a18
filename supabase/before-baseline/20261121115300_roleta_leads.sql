-- Leads that rotations handed out, and the dashboard's detail rows as one of its figures (SPEC.md 2.6, 7.1).

create view portal.distributed_leads with (security_invoker = true) as
select
  c.id,
  c.name as nome_lead,
  c.number as number_lead,
  c.created_at,
  c.empreendimento,
  c."instanceName" as broker_name
from public.whatsapp_contacts c
join public.roletas r on r.empreendimento = c.empreendimento and c.created_at >= r.created_at
join public.roleta_corretores s on s."roletaName" = r.empreendimento and s."instanceName" = c."instanceName";
comment on view portal.distributed_leads is
  'Leads of a development that came in while it had a rotation, and are with a broker who has a seat in it. Rotations are seen by administrators only.';
grant select on portal.distributed_leads to authenticated, service_role;

create function public.get_distributed_leads(
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  return (
    with leads as materialized (
      select d.* from portal.distributed_leads d
      where d.created_at >= span.starts_at and d.created_at < span.ends_at
    )
    select json_build_object(
      'total', (select count(*) from leads),
      'leads', (select coalesce(json_agg(x), '[]') from (
        select * from leads l order by l.created_at desc, l.id desc limit 2000) x)
    )
  );
end $$;
comment on function public.get_distributed_leads(timestamp, timestamp) is
  'The leads of a period that rotations handed out (SPEC.md 2.6 ''Roleta''): their total, and the newest 2,000 of them, the newest first. Nothing for whoever is no administrator. Period as in get_dashboard_data_by_params; 22023 when the end is before the start.';

create or replace function public.get_leads_with_filters_and_pagination(
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
language sql stable set search_path = '' as $$
  select * from public.get_leads_of_figure(
    'total', null, p_broker_names, p_empreendimentos, p_data_inicio, p_data_fim, p_cursor, p_id_cursor)
$$;

grant execute on function public.get_distributed_leads(timestamp, timestamp) to authenticated, service_role;
