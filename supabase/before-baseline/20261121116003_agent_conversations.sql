-- What the administrator sees of the agents: the list, the facts of one, its conversations, and a new one (SPEC.md 2.13).
-- A refusal has the HTTP status in its errcode and its code in the hint.

create function portal.fold(words text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  -- First the accents: not every database knows the small letters of others than a to z.
  select lower(translate(words,
    'áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ', 'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn'))
$$;
comment on function portal.fold(text) is 'Words in small and without accents, as src/domain/search.ts folds them. Server only.';

create function portal.agent_leads(p_agent_id integer) returns setof public.whatsapp_contacts
language sql stable security definer set search_path = '' rows 200 as $$
  select c.* from public.prompts_agents a join public.whatsapp_contacts c on c.empreendimento = a.empreendimento
  where a.id = p_agent_id and c.last_message_id is not null
  union all
  select c.* from public.prompts_agents a join public.whatsapp_contacts c on c."instanceName" = a."instanceName"
  where a.id = p_agent_id and c.last_message_id is not null and c.empreendimento is distinct from a.empreendimento
$$;
comment on function portal.agent_leads(integer) is
  'The leads whose conversations are an agent''s, as portal.agents_of says, with at least one message. Server only.';

create function portal.agent_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(row_to_json(listed) order by portal.fold(listed.name)), '[]')
    from (
      select a.id, a.nome_agente as name, a.empreendimento as development, a."instanceName", a.paused_at as "pausedAt",
        btrim(a.introducao_atendimento || a.regras_atendimento || a.atendimento_atendimento, E' \t\r\n') <> '' as "hasPrompt",
        s.dead_at is not null as "isDead"
      from public.prompts_agents a left join portal.instance_states s using ("instanceName")
    ) listed
  );
end $$;
comment on function portal.agent_list() is
  'All agents with what their cards say, but for the link, which the gateway knows. Administrators, by the server only.';

create function public.get_agent_info(p_id integer) returns jsonb
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
    select count(*) filter (where not is_paused and c.last_message_timestamp > since) as active,
      count(*) filter (where is_paused) as paused
    from portal.agent_leads(p_id) c cross join lateral (select portal.pause_of(p_id, c.person_id) is not null as is_paused) p
  ) as counted;
end $$;
comment on function public.get_agent_info(integer) is
  'The facts of an agent (SPEC.md 2.13): {version (texts saved so far), last_edit {field, by, at}, paused_by, paused_at, active (conversations of the last 30 days that it may answer), paused (those it may not), replies (of the last 7 days), roleta {name, is_active, brokers}}. Administrators only; 404 for an unknown agent.';

create function public.get_agent_conversations(
  p_agent_id integer,
  p_search text default null,
  p_before_at bigint default null,
  p_before_id bigint default null
) returns setof jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  words text[] := regexp_split_to_array(nullif(btrim(portal.fold(p_search)), ''), '\s+');
  digits text := case when p_search !~ '[[:alpha:]]' then nullif(regexp_replace(p_search, '[^0-9]', '', 'g'), '') end;
  since bigint := case when words is null then extract(epoch from now() - interval '30 days') else 0 end;
begin
  perform portal.require_admin();
  return query
    select jsonb_build_object(
      'id', c.id, 'name', c.name, 'number', c.number, 'notes', c.notes, 'status', c.status,
      'unread_count', c.unread_count, 'created_at', c.created_at, 'remarketing_sent_at', c.remarketing_sent_at,
      'profile_pic_url', c.profile_pic_url, 'instanceName', c."instanceName",
      'last_message', jsonb_build_object(
        'body', c.last_message_body, 'timestamp', c.last_message_timestamp, 'type', c.last_message_type,
        'kind', c.last_message_kind, 'delivery', c.last_message_delivery),
      'last_author', (
        select m.author from public.whatsapp_messages m where m.id = c.last_message_id and m.type = 'outgoing'),
      'pause', portal.pause_of(p_agent_id, c.person_id))
    from portal.agent_leads(p_agent_id) c join portal.people p on p.id = c.person_id
    where c.last_message_timestamp >= since
      and (p_before_at is null or (c.last_message_timestamp, c.id) < (p_before_at, p_before_id))
      and (
        words is null
        or not exists (select from unnest(words) as word where strpos(portal.fold(coalesce(c.name, '')), word) = 0)
        or regexp_replace(c.number, '[^0-9]', '', 'g') like '%' || digits || '%'
        or (length(digits) between 10 and 13 and p.number_key = portal.number_key(digits))
      )
    order by c.last_message_timestamp desc, c.id desc
    limit 50;
end $$;
comment on function public.get_agent_conversations(integer, text, bigint, bigint) is
  'The conversations of an agent''s development, the newest 50, or those before (p_before_at, p_before_id): of the last 30 days, or with p_search all whose name or number has it, whatever the accents and the form. Lead as in sync_board, with last_author (human, agent, campaign; null when the lead wrote last), and pause {reason, by, since, until} or null. Administrators only.';

grant execute on function public.get_agent_info(integer), public.get_agent_conversations(integer, text, bigint, bigint)
  to authenticated, service_role;

create function portal.check_central(p_agent_id integer, p_instance text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  taken text := (
    select a.nome_agente from public.prompts_agents a where a."instanceName" = p_instance and a.id is distinct from p_agent_id);
begin
  if taken is not null then
    raise exception 'Este WhatsApp já é o do agente %.', taken using errcode = 'PT409', hint = 'agent.instance-taken';
  end if;
end $$;
comment on function portal.check_central(integer, text) is
  'Refuses an instance that is another agent''s: nobody would know which of both a lead writes to. Server only.';

create function portal.add_agent(p_operation_id uuid, p_name text, p_instance text, p_copy_from integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  wanted text := btrim(regexp_replace(p_name, '\s+', ' ', 'g'));
  added integer;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  if coalesce(wanted, '') = '' then
    raise exception 'Nome do empreendimento é obrigatório' using errcode = 'PT422', hint = 'agent.no-name';
  end if;
  -- One is added at a time, so that two of one name at once are seen as such.
  perform pg_advisory_xact_lock(hashtextextended('portal.add_agent', 0));
  if exists (
    select from public.prompts_agents a where portal.fold(wanted) in (portal.fold(a.nome_agente), portal.fold(a.empreendimento))) then
    raise exception 'Já existe um agente para este empreendimento' using errcode = 'PT409', hint = 'agent.taken';
  end if;
  perform portal.check_central(null, p_instance);
  if p_copy_from is not null and not exists (select from public.prompts_agents a where a.id = p_copy_from) then
    raise exception 'O agente a copiar não existe mais.' using errcode = 'PT409', hint = 'agent.no-source';
  end if;
  insert into public.prompts_agents
    (nome_agente, empreendimento, "instanceName", introducao_atendimento, regras_atendimento, atendimento_atendimento,
     introducao_agendamento, regras_agendamento, atendimento_agendamento, listar_horarios, agendamento)
  select wanted, wanted, p_instance,
    coalesce(a.introducao_atendimento, ''), coalesce(a.regras_atendimento, ''), coalesce(a.atendimento_atendimento, ''),
    coalesce(a.introducao_agendamento, ''), coalesce(a.regras_agendamento, ''), coalesce(a.atendimento_agendamento, ''),
    coalesce(a.listar_horarios, ''), coalesce(a.agendamento, '')
  from (select 1) as one left join public.prompts_agents a on a.id = p_copy_from
  returning id into added;
  return portal.end_operation(portal.account_id(), p_operation_id, 'agent.add', jsonb_build_object('id', added));
end $$;
comment on function portal.add_agent(uuid, text, text, integer) is
  'The agent of a development, with its central instance (null: none yet) and the prompts of another; once an operation. 409 where the development or the instance has one. Administrators, by the server only.';

create function portal.move_agent(p_id integer, p_instance text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  perform portal.check_central(p_id, p_instance);
  update public.prompts_agents a set "instanceName" = p_instance where a.id = p_id;
  if not found then
    raise exception 'Agente não encontrado.' using errcode = 'PT404', hint = 'agent.unknown';
  end if;
end $$;
comment on function portal.move_agent(integer, text) is
  'Gives an agent another central instance, or none. Administrators, by the server only.';
