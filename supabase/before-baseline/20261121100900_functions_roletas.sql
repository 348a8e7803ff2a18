-- The rotations' calls of SPEC.md 7.1. Administrators only, by the rules of their tables; a broker sees the own seats.

create function public.listar_roletas_com_corretores()
returns table (id integer, empreendimento text, ativa boolean, total_corretores bigint, created_at timestamptz)
language sql stable set search_path = '' as $$
  select r.id, r.empreendimento, r.ativa, count(s.id), r.created_at
  from public.roletas r left join public.roleta_corretores s on s."roletaName" = r.empreendimento
  group by r.id
  order by r.created_at, r.id
$$;
comment on function public.listar_roletas_com_corretores() is
  'All rotations with how many brokers each has (SPEC.md 2.15, 7.1); none for whoever is no administrator.';

create function public.get_brokers_by_roleta(roleta_id integer)
returns table (instance_id text, broker_name text, ordem integer, leads_recebidos integer, ativo boolean)
language sql stable set search_path = '' as $$
  select s."instanceName", s."instanceName", s.ordem, s.leads_recebidos, s.ativo
  from public.roletas r join public.roleta_corretores s on s."roletaName" = r.empreendimento
  where r.id = roleta_id
  order by s.ordem
$$;
comment on function public.get_brokers_by_roleta(integer) is
  'Seats of a rotation in order (SPEC.md 2.15, 7.1; PRODUCT.md 2): instance_id and broker_name both are the instance name, ordem counts from 1. None for an unknown rotation and for whoever is no administrator.';

create function public.set_roleta_ativa(roleta_id integer, nova_ativa boolean)
returns table (id integer, empreendimento text, ativa boolean)
language plpgsql volatile set search_path = '' as $$
begin
  perform portal.require_admin();
  if nova_ativa is null then
    raise exception 'Informe se a roleta fica ativa.' using errcode = '22023';
  end if;
  return query
    update public.roletas r set ativa = nova_ativa where r.id = roleta_id returning r.id, r.empreendimento, r.ativa;
  if not found then
    raise exception 'Roleta não encontrada.' using errcode = 'PT404';
  end if;
end $$;
comment on function public.set_roleta_ativa(integer, boolean) is
  'Switches a rotation on or off (SPEC.md 4, 7.1) and answers its row. 22023 without a choice, 404 for an unknown one, 42501 for whoever is no administrator.';

grant execute on function
  public.listar_roletas_com_corretores(),
  public.get_brokers_by_roleta(integer),
  public.set_roleta_ativa(integer, boolean)
  to authenticated, service_role;
