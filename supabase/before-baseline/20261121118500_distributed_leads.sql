-- What rotations handed out, as their own log tells it (SPEC.md 2.6 'Roleta').

create or replace view portal.distributed_leads with (security_invoker = true) as
select
  e.case_id as id,
  c.name as nome_lead,
  c.number as number_lead,
  e.at as created_at,
  coalesce(r.empreendimento, k.development, '') as empreendimento,
  e."instanceName" as broker_name
from portal.roleta_events e
join portal.roleta_cases k on k.id = e.case_id
join public.whatsapp_contacts c on c.id = k.contact_id
left join public.roletas r on r.id = k.roleta_id
where e.kind in ('given', 'accepted', 'claimed');
comment on view portal.distributed_leads is
  'Each time a rotation handed a lead to a broker: the case, the lead, when, of which development, and who got it. Read by public.get_distributed_leads only.';
revoke select on portal.distributed_leads from authenticated, service_role;

create or replace function public.get_distributed_leads(
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  if not (portal.is_admin() or portal.is_service()) then
    return json_build_object('total', 0, 'leads', json_build_array());
  end if;
  return (
    with leads as materialized (
      select distinct on (d.id) d.*
      from portal.distributed_leads d
      where d.created_at >= span.starts_at and d.created_at < span.ends_at
      order by d.id, d.created_at desc
    )
    select json_build_object(
      'total', (select count(*) from leads),
      'leads', (select coalesce(json_agg(x), '[]') from (
        select * from leads l order by l.created_at desc, l.id desc limit 2000) x)
    )
  );
end $$;
comment on function public.get_distributed_leads(timestamp, timestamp) is
  'The leads that rotations handed to brokers in a period (SPEC.md 2.6 ''Roleta''), each once, with who of them got it last and when: their total, and the newest 2,000, the newest first. Nothing for whoever is no administrator. Period as in get_dashboard_data_by_params; 22023 when the end is before the start.';
