-- Figures of rotations and agents that read no more than they show (SPEC.md 2.6, 2.13).

create index roleta_events_handed on portal.roleta_events (at) where kind in ('given', 'accepted', 'claimed');
comment on index portal.roleta_events_handed is 'Serves the leads that rotations handed out in a period, over all rotations.';

create or replace function public.get_agent_info(p_id integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  agent public.prompts_agents;
  since bigint := extract(epoch from now() - interval '30 days');
begin
  perform portal.require_admin();
  select a.* into agent from public.prompts_agents a where a.id = p_id;
  if not found then
    raise exception 'Agente não encontrado.' using errcode = 'PT404';
  end if;
  return jsonb_build_object(
    'version', (select count(*) from public.prompt_versions v where v.agent_id = p_id),
    'last_edit', (
      select jsonb_build_object('field', v.field, 'by', v.saved_by, 'at', v.saved_at) from public.prompt_versions v
      where v.agent_id = p_id order by v.id desc limit 1),
    'paused_by', agent.paused_by,
    'paused_at', agent.paused_at,
    'active', counted.active,
    'paused', counted.paused,
    'replies', (
      select count(*) from portal.agent_leads(p_id) c join public.whatsapp_messages m on m.contact_id = c.id
      where m.author = 'agent' and m."timestamp" > extract(epoch from now() - interval '7 days')),
    'roleta', (
      select jsonb_build_object('name', r.empreendimento, 'is_active', r.ativa,
        'brokers', (select count(*) from public.roleta_corretores s where s."roletaName" = r.empreendimento and s.ativo))
      from public.roletas r where r.empreendimento = agent.empreendimento))
  from (
    select count(*) filter (where p.agent_id is null and c.last_message_timestamp > since) as active,
      count(p.agent_id) as paused
    from portal.agent_leads(p_id) c
    left join portal.agent_pauses p
      on p.agent_id = p_id and p.person_id = c.person_id and (p.paused_until is null or p.paused_until > now())
  ) as counted;
end $$;
