-- When an agent keeps silent: wholly, or towards one person, by an administrator or because a human answered (SPEC.md 2.13, 4).

alter table public.prompts_agents add column paused_at timestamptz, add column paused_by text;
comment on column public.prompts_agents.paused_at is 'Since when the agent answers nobody; null while it does. By pause_agent.';
comment on column public.prompts_agents.paused_by is 'Username of who paused it.';

create table portal.agent_pauses (
  agent_id integer not null references public.prompts_agents on delete cascade,
  person_id bigint not null references portal.people on delete cascade,
  reason text not null check (reason in ('person', 'portal', 'phone')),
  paused_by text not null,
  paused_at timestamptz not null default now(),
  paused_until timestamptz,
  primary key (agent_id, person_id)
);
comment on table portal.agent_pauses is
  'Whom an agent does not answer, whichever number form or broker''s line it is. Over once paused_until has passed; a row goes when it is resumed.';
comment on column portal.agent_pauses.reason is
  'person: asked for; portal: a human answered from the portal; phone: a human answered from the phone itself.';
comment on column portal.agent_pauses.paused_until is 'Null: until it is resumed.';
create index agent_pauses_person on portal.agent_pauses (person_id);
comment on index portal.agent_pauses_person is 'Serves the pauses of a person, for joining it to another.';
alter table portal.agent_pauses enable row level security;

create function portal.agents_of(p_contact_id bigint) returns setof integer
language sql stable security definer set search_path = '' as $$
  select a.id from public.whatsapp_contacts c
  join public.prompts_agents a on a.empreendimento = c.empreendimento or a."instanceName" = c."instanceName"
  where c.id = p_contact_id
$$;
comment on function portal.agents_of(bigint) is
  'The agents whose conversations a lead is one of: that of its development, and that on whose central instance it is. Server only.';

create function portal.pause_for_answer() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  answered_at timestamptz := to_timestamp(new."timestamp");
begin
  -- Long ago, and only read back now: whoever wrote is not in the conversation any more.
  if answered_at < now() - interval '24 hours' then return null; end if;
  insert into portal.agent_pauses as p (agent_id, person_id, reason, paused_by, paused_at, paused_until)
  select agent.id, c.person_id,
    case when new.operation_id is null then 'phone' else 'portal' end,
    case when new.operation_id is null then coalesce(regexp_replace(new."instanceName", '^corretor_', ''), 'portal')
      else portal.actor() end,
    answered_at, answered_at + interval '24 hours'
  from public.whatsapp_contacts c cross join portal.agents_of(c.id) as agent (id)
  where c.id = new.contact_id
  on conflict (agent_id, person_id) do update
  set reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at,
    paused_until = excluded.paused_until
  where p.paused_until < excluded.paused_until;
  return null;
end $$;
comment on function portal.pause_for_answer() is
  'Trigger: where a human answered, the agent keeps silent for a day from the last answer; a longer pause stays.';
create trigger pause_for_answer after insert on public.whatsapp_messages
  for each row when (new.type = 'outgoing' and new.author = 'human')
  execute function portal.pause_for_answer();

create function portal.join_pauses() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.agent_pauses as p (agent_id, person_id, reason, paused_by, paused_at, paused_until)
  select g.agent_id, new.person_id, g.reason, g.paused_by, g.paused_at, g.paused_until
  from portal.agent_pauses g where g.person_id = old.person_id
  on conflict (agent_id, person_id) do update
  set reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at,
    paused_until = excluded.paused_until
  where coalesce(p.paused_until, 'infinity') < coalesce(excluded.paused_until, 'infinity');
  return null;
end $$;
comment on function portal.join_pauses() is
  'Trigger: an address turned out to be another person''s; whoever was not to be answered there still is not.';
create trigger join_pauses after update of person_id on portal.identities
  for each row when (old.person_id <> new.person_id) execute function portal.join_pauses();

create function portal.tell_agents() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell('{"kind": "agents"}');
  return null;
end $$;
comment on function portal.tell_agents() is 'Trigger: an agent, a prompt or a pause changed; told to administrators.';
create trigger tell_agents after insert or update or delete on public.prompts_agents
  for each statement execute function portal.tell_agents();
create trigger tell_pauses after insert or update or delete on portal.agent_pauses
  for each row execute function portal.tell_agents();

create function portal.pause_of(p_agent_id integer, p_person_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('reason', p.reason, 'by', p.paused_by, 'since', p.paused_at, 'until', p.paused_until)
  from portal.agent_pauses p
  where p.agent_id = p_agent_id and p.person_id = p_person_id and (p.paused_until is null or p.paused_until > now())
$$;
comment on function portal.pause_of(integer, bigint) is
  'The pause of an agent towards a person, {reason, by, since, until}; null while it may answer. Server only.';

create function public.get_agent_pause(p_id integer, p_remotejid text default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  agent public.prompts_agents;
  pause jsonb;
begin
  perform portal.require_grant('pauses:read');
  select a.* into agent from public.prompts_agents a where a.id = p_id;
  if not found then
    raise exception 'Agente não encontrado.' using errcode = 'PT404';
  end if;
  if agent.paused_at is not null then
    pause := jsonb_build_object('reason', 'agent', 'by', agent.paused_by, 'since', agent.paused_at, 'until', null);
  else
    pause := portal.pause_of(p_id, portal.person_named(p_remotejid));
  end if;
  return jsonb_build_object('paused', pause is not null)
    || coalesce(pause, '{"reason": null, "by": null, "since": null, "until": null}');
end $$;
comment on function public.get_agent_pause(integer, text) is
  'Whether the agent p_id must keep silent, wholly or towards p_remotejid (any form of the number, or a hidden id): {paused, reason (agent, person, portal or phone), by, since, until (null: until it is resumed)}. To be asked before each answer. For administrators and services with pauses:read; 404 for an unknown agent.';

create function public.pause_agent(p_id integer, p_is_paused boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  update public.prompts_agents a
  set paused_at = case when p_is_paused then now() end, paused_by = case when p_is_paused then portal.actor() end
  where a.id = p_id and (a.paused_at is not null) <> p_is_paused;
  if not exists (select from public.prompts_agents a where a.id = p_id) then
    raise exception 'Agente não encontrado.' using errcode = 'PT404';
  end if;
  return public.get_agent_pause(p_id);
end $$;
comment on function public.pause_agent(integer, boolean) is
  'Pauses an agent towards everyone, or lets it answer again; what it already is, it stays. Answers as get_agent_pause. Administrators only; 404 for an unknown agent.';

create function public.pause_conversation(
  p_agent_id integer, p_contact_id bigint, p_is_paused boolean, p_minutes integer default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  person bigint;
begin
  perform portal.require_admin();
  if p_minutes not between 1 and 525600 then
    raise exception 'A pausa pode durar de um minuto a um ano.' using errcode = 'PT422';
  end if;
  select c.person_id into person from public.whatsapp_contacts c
  where c.id = p_contact_id and p_agent_id in (select portal.agents_of(c.id));
  if person is null then
    raise exception 'Conversa não encontrada.' using errcode = 'PT404';
  end if;
  if p_is_paused then
    insert into portal.agent_pauses (agent_id, person_id, reason, paused_by, paused_until)
    values (p_agent_id, person, 'person', portal.actor(), now() + make_interval(mins => p_minutes))
    on conflict (agent_id, person_id) do update
    set reason = excluded.reason, paused_by = excluded.paused_by, paused_at = excluded.paused_at,
      paused_until = excluded.paused_until;
  else
    delete from portal.agent_pauses p where p.agent_id = p_agent_id and p.person_id = person;
  end if;
  return portal.pause_of(p_agent_id, person);
end $$;
comment on function public.pause_conversation(integer, bigint, boolean, integer) is
  'Pauses an agent towards the person of one of its conversations, for p_minutes or (null) until it is resumed; or resumes. Answers {reason, by, since, until}, null when it may answer. Administrators only; 404 for a lead that is none of the agent''s.';

grant execute on function
  public.get_agent_pause(integer, text),
  public.pause_agent(integer, boolean),
  public.pause_conversation(integer, bigint, boolean, integer)
  to authenticated, service_role;
