-- Value of leads: open by stage, won in a period, lost in a period and why.

create index contacts_valued on public.whatsapp_contacts (status) where value_cents is not null;
comment on index public.contacts_valued is 'Serves the value of open leads by stage.';
create index contacts_won on public.whatsapp_contacts (won_at) where won_at is not null;
comment on index public.contacts_won is 'Serves the leads won in a period.';
create index stage_history_moves on portal.stage_history (to_status, changed_at);
comment on index portal.stage_history_moves is 'Serves the leads that reached a stage in a period.';

create function portal.valued_leads(
  p_figure text, p_broker_names text[], p_empreendimentos text[], p_starts_at timestamptz, p_ends_at timestamptz
) returns table (id bigint, part text, value_cents bigint)
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
begin
  if p_figure = 'open-value' then
    return query select c.id, c.status, c.value_cents
      from public.whatsapp_contacts c join public.kanban_stages s on s.slug = c.status and s.kind = 'open'
      where c.value_cents is not null
        and (coalesce(cardinality(p_broker_names), 0) = 0 or c."instanceName" = any (p_broker_names))
        and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos));
  elsif p_figure = 'won-value' then
    return query select c.id, 'won', coalesce(c.value_cents, 0)
      from public.whatsapp_contacts c
      where c.won_at >= p_starts_at and c.won_at < p_ends_at
        and (coalesce(cardinality(p_broker_names), 0) = 0 or c."instanceName" = any (p_broker_names))
        and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos));
  elsif p_figure = 'lost' then
    return query select c.id, coalesce(c.loss_reason, 'none'), coalesce(c.value_cents, 0)
      from portal.stage_history h
      join public.kanban_stages s on s.slug = h.to_status and s.kind = 'lost'
      join public.whatsapp_contacts c on c.id = h.contact_id and c.status = h.to_status
      where h.changed_at >= p_starts_at and h.changed_at < p_ends_at
        -- A lead that came back and was lost again counts once, for the last time.
        and not exists (select from portal.stage_history l where l.contact_id = h.contact_id and l.id > h.id)
        and (coalesce(cardinality(p_broker_names), 0) = 0 or c."instanceName" = any (p_broker_names))
        and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos));
  else
    raise exception 'Este número do painel não existe.' using errcode = '22023';
  end if;
end $$;
comment on function portal.valued_leads(text, text[], text[], timestamptz, timestamptz) is
  'The leads behind a figure of value, each with its part of the chart and its cents. open-value: leads with a value in open stages, whenever they came; the part is the stage. won-value: leads that first reached a won stage in [start, end). lost: leads that are in a lost stage since [start, end); the part is the reason, ''none'' without one. Of these brokers and developments; empty lists mean all. 22023 for any other figure.';

create function public.get_value_and_losses(
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_admin();
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  return json_build_object(
    'open', (
      select coalesce(json_agg(json_build_object('stage', s.slug, 'leads', v.leads, 'cents', v.cents) order by s.order_index), '[]')
      from public.kanban_stages s
      join (
        select l.part, count(*) as leads, sum(l.value_cents) as cents
        from portal.valued_leads('open-value', p_broker_names, p_empreendimentos, null, null) l group by l.part
      ) v on v.part = s.slug),
    'won', (
      select json_build_object('leads', count(*), 'cents', coalesce(sum(l.value_cents), 0))
      from portal.valued_leads('won-value', p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l),
    'lost', (
      select coalesce(json_agg(json_build_object('reason', v.part, 'leads', v.leads, 'cents', v.cents) order by v.leads desc, v.part), '[]')
      from (
        select l.part, count(*) as leads, sum(l.value_cents) as cents
        from portal.valued_leads('lost', p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) l group by l.part
      ) v));
end $$;
comment on function public.get_value_and_losses(text[], text[], timestamp, timestamp) is
  'Value of leads in cents: open by stage (only leads with a value, of any time), won in the period, lost in the period by reason, the most leads first; each with its number of leads. Filters and period as in get_dashboard_data_by_params; 22023 if the end is before the start. Administrators; 401 and 42501 for anybody else.';
grant execute on function public.get_value_and_losses(text[], text[], timestamp, timestamp) to authenticated, service_role;

create function public.get_leads_of_value(
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
language plpgsql stable security definer set search_path = '' as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_admin();
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  return query
    select l.id, l.nome_lead, l.number_lead, l.created_at, l.kanban_lead, l.empreendimento, l.broker_name,
      coalesce(l.response_seconds, l.contact_seconds), l.waiting_since
    from portal.valued_leads(p_figure, p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) w
    join portal.leads l using (id)
    where (p_value is null or w.part = p_value)
      and (l.created_at, l.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
    order by l.created_at desc, l.id desc
    limit 20;
end $$;
comment on function public.get_leads_of_value(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint) is
  'A page of 20 leads behind a figure of get_value_and_losses, the newest first: p_figure open-value, won-value or lost, with the p_value of one stage or reason. Columns and cursors as in get_leads_behind_figure. 22023 for an unknown figure, or if the end is before the start. Administrators; 401 and 42501 for anybody else.';
grant execute on function public.get_leads_of_value(text, text, text[], text[], timestamp, timestamp, timestamptz, bigint)
  to authenticated, service_role;

create function public.count_leads_of_value(
  p_figure text,
  p_value text default null,
  p_broker_names text[] default null,
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_admin();
  perform portal.require_few(p_broker_names), portal.require_few(p_empreendimentos);
  return (
    select count(*)
    from portal.valued_leads(p_figure, p_broker_names, p_empreendimentos, span.starts_at, span.ends_at) w
    where p_value is null or w.part = p_value
  );
end $$;
comment on function public.count_leads_of_value(text, text, text[], text[], timestamp, timestamp) is
  'Number of leads on all pages of get_leads_of_value. Administrators; 401 and 42501 for anybody else.';
grant execute on function public.count_leads_of_value(text, text, text[], text[], timestamp, timestamp) to authenticated, service_role;
