-- Tokens of agents and other machines: what each may do is listed, and it ends when it is revoked (PRODUCT.md 3).

create table portal.service_tokens (
  id uuid primary key default gen_random_uuid(),
  name text not null check (btrim(name) <> '' and length(name) <= 60),
  grants text[] not null
    check (grants <> '{}' and grants <@ array['prompts:read', 'prompts:write', 'pauses:read', 'memory']),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
comment on table portal.service_tokens is
  'Who asks without being a person, by the id in the token. No account and no session: whatever is not granted here stays closed. A row stays when its token is revoked.';
comment on column portal.service_tokens.grants is
  'prompts:read, prompts:write (which reads too), pauses:read, memory (what the agents remember of each chat).';
alter table portal.service_tokens enable row level security;

create function portal.service_name() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  claims jsonb := auth.jwt();
  token uuid := claims ->> 'session_id';
begin
  return (
    select t.name from portal.service_tokens t
    where t.id = token and t.id::text = claims ->> 'sub' and t.revoked_at is null and t.expires_at > now());
end $$;
comment on function portal.service_name() is 'Name of the service whose living token is asking, or null.';

create function portal.has_grant(p_grant text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  claims jsonb := auth.jwt();
  token uuid := claims ->> 'session_id';
begin
  return portal.service_name() is not null and exists (
    select from portal.service_tokens t
    where t.id = token and (p_grant = any (t.grants) or (p_grant = 'prompts:read' and 'prompts:write' = any (t.grants))));
end $$;
comment on function portal.has_grant(text) is 'Whether a service with that grant is asking; for row rules.';

create function portal.require_grant(p_grant text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.has_grant(p_grant) then return; end if;
  if portal.service_name() is not null then
    raise exception 'Este token de serviço não tem a permissão %.', p_grant using errcode = '42501';
  end if;
  perform portal.require_admin();
end $$;
comment on function portal.require_grant(text) is
  'Refuses whoever is neither a service with that grant, an administrator nor service_role: 42501, or 401 once the session has ended.';

grant execute on function portal.service_name(), portal.has_grant(text), portal.require_grant(text)
  to authenticated, service_role;

-- What the grants open. Every other table and function asks for a person.

create policy agents_service_read on public.prompts_agents for select to authenticated
  using ((select portal.has_grant('prompts:read')));
comment on policy agents_service_read on public.prompts_agents is 'A service with prompts:read reads every agent.';
create policy agents_service_write on public.prompts_agents for update to authenticated
  using ((select portal.has_grant('prompts:write'))) with check ((select portal.has_grant('prompts:write')));
comment on policy agents_service_write on public.prompts_agents is
  'A service with prompts:write changes prompts; guard_agent keeps it from the rest.';

create policy agent_chat_service on public.agent_chat_messages for all to authenticated
  using ((select portal.has_grant('memory'))) with check ((select portal.has_grant('memory')));
comment on policy agent_chat_service on public.agent_chat_messages is
  'A service with memory keeps what the agents remember of each chat.';
grant insert (agent_id, remotejid, message) on public.agent_chat_messages to authenticated;

create or replace function portal.guard_agent() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_user = 'authenticated' and portal.service_name() is not null
    and (new.nome_agente, new.empreendimento, new."instanceName")
      is distinct from (old.nome_agente, old.empreendimento, old."instanceName") then
    raise exception 'Um serviço só muda os textos do agente.' using errcode = '42501';
  end if;
  new.updated_at := now();
  return new;
end $$;
comment on function portal.guard_agent() is 'Trigger: dates the change of an agent, of which a service may write the prompts only.';

create or replace function public.get_coluna_prompt(p_coluna text, p_id integer) returns text
language plpgsql stable set search_path = '' as $$
declare
  prompt text;
begin
  perform portal.require_grant('prompts:read');
  execute format('select %I from public.prompts_agents where id = $1', portal.prompt_column(p_coluna, false))
  into prompt using p_id;
  if prompt is null then
    raise exception 'Prompt ou campo não encontrado.' using errcode = 'PT404';
  end if;
  return prompt;
end $$;
comment on function public.get_coluna_prompt(text, integer) is
  'One prompt of an agent, for its editor and for the agent itself (SPEC.md 2.14, 7.1). 22023 for an unknown column, 404 for an unknown agent, 42501 for whoever is neither an administrator nor a service with prompts:read.';

create or replace function public.update_coluna_prompt(p_id integer, p_coluna text, p_valor text) returns void
language plpgsql volatile set search_path = '' as $$
declare
  changed bigint;
begin
  perform portal.require_grant('prompts:write');
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
  'Writes one prompt of an agent over whatever stands there (SPEC.md 2.14, 7.1); answers nothing. 22023 for an unknown column or no text, 404 for an unknown agent, 42501 for a locked column and for whoever is neither an administrator nor a service with prompts:write.';

create function portal.person_named(p_remotejid text) returns bigint
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select p.id from portal.people p where p.number_key = portal.number_key(p_remotejid)),
    (select min(i.person_id) from portal.identities i where i.jid = p_remotejid))
$$;
comment on function portal.person_named(text) is
  'The person of a number, jid or hidden id that is known here; null when nobody is. Server only.';

create function portal.addresses_of(p_remotejid text) returns text[]
language sql stable security definer set search_path = '' as $$
  with forms as (
    select unnest(array[
      p_remotejid,
      regexp_replace(p_remotejid, '^(55\d\d)9([6-9]\d{7}@s\.whatsapp\.net)$', '\1\2'),
      regexp_replace(p_remotejid, '^(55\d\d)([6-9]\d{7}@s\.whatsapp\.net)$', '\19\2')
    ]) as jid
    union
    select i.jid from portal.identities i where i.person_id = portal.person_named(p_remotejid)
  )
  select array_agg(jid order by jid) from forms
$$;
comment on function portal.addresses_of(text) is
  'Every address under which a person may be remembered elsewhere: the jid with and without the ninth digit, and all that were seen here. Server only.';

create or replace function public.deletar_chat_history_por_empreendimento(p_empreendimento_id integer, p_remotejid text)
returns setof integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted text := portal.number_key(p_remotejid);
  deleted integer;
begin
  perform portal.require_grant('memory');
  if wanted is null then
    raise exception 'Por favor, informe um número de telefone válido.' using errcode = '22023';
  end if;
  delete from public.agent_chat_messages m
  where m.agent_id = p_empreendimento_id
    and (portal.number_key(m.remotejid) = wanted or m.remotejid = any (portal.addresses_of(p_remotejid)));
  get diagnostics deleted = row_count;
  return next deleted;
end $$;
comment on function public.deletar_chat_history_por_empreendimento(integer, text) is
  'Makes the agent p_empreendimento_id (prompts_agents.id, one agent a development) forget a person: every message under any form of the number or known hidden id (SPEC.md 2.13, 7.1; PRODUCT.md 2). Answers one row, how many were deleted. 22023 without a number, 42501 for whoever is neither an administrator nor a service with memory.';
