-- 'Conversas ativas' are those that the agent holds, not what brokers write on their own numbers.

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
    select count(*) filter (where c.last_message_timestamp > since and portal.agent_holder(p_id, c) = 'agent') as active,
      count(p.agent_id) as paused
    from portal.agent_leads(p_id) c
    left join portal.agent_pauses p
      on p.agent_id = p_id and p.person_id = c.person_id and (p.paused_until is null or p.paused_until > now())
  ) as counted;
end $$;
comment on function public.get_agent_info(integer) is
  'The facts of an agent: {version (texts saved so far), last_edit {field, by, at}, paused_by, paused_at, active (conversations of the last 30 days that are with it), paused (those it may not), replies (of the last 7 days), roleta {name, is_active, brokers}}. Administrators only; 404 for an unknown agent.';
