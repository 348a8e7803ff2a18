-- What every lead that comes and each turn of a rotation asks is planned once for a connection, as in plans_kept.

create or replace function portal.roleta_seats(p_roleta integer, p_tried text[], p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    with today as (
      select date_trunc('day', p_now at time zone portal.time_zone()) at time zone portal.time_zone() as starts_at
    ),
    taken as (
      select e."instanceName", count(*) as leads
      from portal.roleta_events e, today
      where e.roleta_id = p_roleta and e.at >= today.starts_at and e.kind in ('given', 'accepted', 'claimed')
      group by e."instanceName"
    ),
    offered as (
      select c.holder as "instanceName", count(*) as leads
      from portal.roleta_cases c where c.roleta_id = p_roleta and c.state = 'offered' group by c.holder
    )
    select coalesce(jsonb_agg(jsonb_build_object(
      'instanceName', s."instanceName", 'position', s.ordem, 'weight', s.weight, 'credit', s.credit,
      'isActive', s.ativo and b.central_since is null,
      'isPaused', coalesce(b.paused_until > p_now, false),
      'isLinked', coalesce(i.state = 'open' and i.dead_at is null, false),
      'shifts', s.shifts, 'dailyCap', s.daily_cap,
      'receivedToday', coalesce(taken.leads, 0) + coalesce(offered.leads, 0),
      'wasTried', s."instanceName" = any (p_tried)
    ) order by s.ordem), '[]')
    from public.roletas r
    join public.roleta_corretores s on s."roletaName" = r.empreendimento
    join public.brokers b using ("instanceName")
    left join portal.instance_states i using ("instanceName")
    left join taken using ("instanceName")
    left join offered using ("instanceName")
    where r.id = p_roleta
  );
end $$;

create or replace function portal.keeper_of(p_contact bigint) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select w."instanceName"
    from public.whatsapp_contacts lead
    join public.whatsapp_contacts w on w.person_id = lead.person_id
    join public.brokers b on b."instanceName" = w."instanceName"
    where lead.id = p_contact and b.central_since is null
    order by w.id = lead.id desc, w.last_message_timestamp desc nulls last, w.id limit 1
  );
end $$;

create or replace function portal.known_development(p_development text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(
    (select r.empreendimento from public.roletas r
     where portal.development_key(r.empreendimento) = portal.development_key(p_development) order by r.id limit 1),
    (select a.empreendimento from public.prompts_agents a
     where portal.development_key(a.empreendimento) = portal.development_key(p_development) order by a.id limit 1),
    p_development);
end $$;

create or replace function portal.roleta_of(p_development text) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select r.id from public.roletas r
    where portal.development_key(r.empreendimento) = portal.development_key(p_development) and r.ativa
    order by r.created_at, r.id limit 1
  );
end $$;

create or replace function portal.add_roleta_event(p_case portal.roleta_cases, p_kind text, p_instance text, p_at timestamptz, p_decision jsonb default null)
returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.roleta_events (case_id, roleta_id, kind, "instanceName", decision, at)
  values (p_case.id, p_case.roleta_id, p_kind, p_instance, p_decision, p_at);
end $$;

create or replace function portal.contact_for_intake(p_person bigint) returns public.whatsapp_contacts
language plpgsql stable security definer set search_path = '' as $$
declare
  kept public.whatsapp_contacts;
begin
  select c.* into kept from public.whatsapp_contacts c left join public.brokers b using ("instanceName")
  where c.person_id = p_person
  -- A broker's before a central instance's, both before the administrator's; of several the one talked to last.
  order by c."instanceName" is null, b.central_since is not null, c.last_message_timestamp desc nulls last, c.id
  limit 1;
  return case when found then kept end;
end $$;
