-- The agents' calls of SPEC.md 7.1: their prompts, and forgetting a chat. Administrators only, by the rules of their tables.

create function portal.require_admin() returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.require_member() is not null and not portal.is_admin() then
    raise exception 'Somente um administrador pode fazer isto.' using errcode = '42501';
  end if;
end $$;
comment on function portal.require_admin() is 'Refuses whoever is neither an administrator nor service_role: 42501, or 401 once the session has ended.';
grant execute on function portal.require_admin() to authenticated, service_role;

create function portal.prompt_column(p_coluna text, p_is_written boolean) returns text
language plpgsql immutable set search_path = '' as $$
begin
  if p_coluna in ('introducao_atendimento', 'regras_atendimento', 'atendimento_atendimento',
    'introducao_agendamento', 'regras_agendamento', 'atendimento_agendamento') then
    return p_coluna;
  end if;
  if p_coluna in ('listar_horarios', 'agendamento') then
    if not p_is_written then return p_coluna; end if;
    raise exception 'Este campo é bloqueado para edição.' using errcode = '42501';
  end if;
  raise exception 'Prompt ou campo não encontrado.' using errcode = '22023';
end $$;
comment on function portal.prompt_column(text, boolean) is
  'A column of prompts_agents that holds a prompt; 22023 for any other name, 42501 for writing a locked one (SPEC.md 3, 9).';
grant execute on function portal.prompt_column(text, boolean) to authenticated, service_role;

create function public.get_prompts_agents() returns table (id integer, nome_agente text, empreendimento text)
language sql stable set search_path = '' as $$
  select a.id, a.nome_agente, a.empreendimento from public.prompts_agents a order by a.nome_agente
$$;
comment on function public.get_prompts_agents() is
  'All agents, for their list (SPEC.md 2.13, 7.1); none for whoever is no administrator.';

create function public.get_prompt_by_id(p_id integer) returns setof public.prompts_agents
language sql stable set search_path = '' as $$
  select * from public.prompts_agents a where a.id = p_id
$$;
comment on function public.get_prompt_by_id(integer) is
  'One row with all prompts of an agent, none when there is no such agent or the caller is no administrator (SPEC.md 2.13, 7.1).';

create function public.get_coluna_prompt(p_coluna text, p_id integer) returns text
language plpgsql stable set search_path = '' as $$
declare
  prompt text;
begin
  perform portal.require_admin();
  execute format('select %I from public.prompts_agents where id = $1', portal.prompt_column(p_coluna, false))
  into prompt using p_id;
  if prompt is null then
    raise exception 'Prompt ou campo não encontrado.' using errcode = 'PT404';
  end if;
  return prompt;
end $$;
comment on function public.get_coluna_prompt(text, integer) is
  'One prompt of an agent, for its editor (SPEC.md 2.14, 7.1). 22023 for an unknown column, 404 for an unknown agent, 42501 for whoever is no administrator.';

create function public.update_coluna_prompt(p_id integer, p_coluna text, p_valor text) returns void
language plpgsql volatile set search_path = '' as $$
declare
  changed bigint;
begin
  perform portal.require_admin();
  if p_valor is null then
    raise exception 'Informe o texto do prompt.' using errcode = '22023';
  end if;
  execute format('update public.prompts_agents set %I = $1 where id = $2', portal.prompt_column(p_coluna, true))
  using p_valor, p_id;
  get diagnostics changed = row_count;
  if changed = 0 then
    raise exception 'Prompt ou campo não encontrado.' using errcode = 'PT404';
  end if;
end $$;
comment on function public.update_coluna_prompt(integer, text, text) is
  'Writes one prompt of an agent (SPEC.md 2.14, 7.1); answers nothing. 22023 for an unknown column or no text, 404 for an unknown agent, 42501 for a locked column and for whoever is no administrator.';

create function public.deletar_chat_history_por_empreendimento(p_empreendimento_id integer, p_remotejid text)
returns setof integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted text := portal.number_key(p_remotejid);
  hidden_ids text[];
  deleted integer;
begin
  perform portal.require_admin();
  if wanted is null then
    raise exception 'Por favor, informe um número de telefone válido.' using errcode = '22023';
  end if;
  hidden_ids := array(
    select i.jid from portal.identities i join portal.people p on p.id = i.person_id where p.number_key = wanted);
  delete from public.agent_chat_messages m
  where m.agent_id = p_empreendimento_id
    and (portal.number_key(m.remotejid) = wanted or m.remotejid = any (hidden_ids));
  get diagnostics deleted = row_count;
  return next deleted;
end $$;
comment on function public.deletar_chat_history_por_empreendimento(integer, text) is
  'Makes the agent p_empreendimento_id (prompts_agents.id, one agent a development) forget a person: every message under any form of the number or known hidden id (SPEC.md 2.13, 7.1; PRODUCT.md 2). Answers one row, how many were deleted. 22023 without a number, 42501 for whoever is no administrator.';

grant execute on function
  public.get_prompts_agents(),
  public.get_prompt_by_id(integer),
  public.get_coluna_prompt(text, integer),
  public.update_coluna_prompt(integer, text, text),
  public.deletar_chat_history_por_empreendimento(integer, text)
  to authenticated, service_role;
