-- An agent was said to answer though nothing was there that could: whatever writes its answers reads its prompts with a service
-- token, and without one in force there is no such thing.

create or replace function portal.agent_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(row_to_json(listed) order by portal.fold(listed.name)), '[]')
    from (
      select a.id, a.nome_agente as name, a.empreendimento as development, a."instanceName", a.paused_at as "pausedAt",
        btrim(a.introducao_atendimento || a.regras_atendimento || a.atendimento_atendimento, E' \t\r\n') <> '' as "hasPrompt",
        s.dead_at is not null as "isDead",
        -- What answers reads the prompts with a token of its own.
        exists (
          select from portal.service_tokens t
          where t.revoked_at is null and t.expires_at > now() and t.grants && array['prompts:read', 'prompts:write']
        ) as "hasEngine"
      from public.prompts_agents a left join portal.instance_states s using ("instanceName")
    ) listed
  );
end $$;
