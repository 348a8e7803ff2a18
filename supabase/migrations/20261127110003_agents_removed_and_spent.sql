-- An agent whose month is spent is listed as such; whoever waits for an agent that is removed gets a broker.

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
        ) as "hasEngine",
        own.mode, coalesce(portal.month_spent(a.id, now()) >= own.month_limit_micros, false) as "isSpent"
      from public.prompts_agents a join portal.agent_settings own on own.agent_id = a.id
      left join portal.instance_states s using ("instanceName")
    ) listed
  );
end $$;
comment on function portal.agent_list() is
  'All agents with what their cards say, but for the link, which the gateway knows. Administrators, by the server only.';

create or replace function portal.release_leads() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  turn record;
begin
  for turn in
    select t.id, t.contact_id from portal.agent_turns t
    where t.agent_id = old.id and t.kind = 'answer' and t.ended_at is null order by t.contact_id
  loop
    -- The lead first, as everybody does who writes about one.
    perform from public.whatsapp_contacts c where c.id = turn.contact_id for no key update;
    perform portal.end_turn(turn.id, now(), 'refused', 'off');
  end loop;
  return old;
end $$;
comment on function portal.release_leads() is 'Trigger: whoever waits for the answer of an agent that is removed gets a broker.';
create trigger release_leads before delete on public.prompts_agents
  for each row execute function portal.release_leads();
