-- Prompts that can be edited without fear: every text that was saved, by whom and when, and a save that is refused when
-- someone else saved meanwhile (SPEC.md 2.14; PRODUCT.md 4.4).

create table public.prompt_versions (
  id bigint generated always as identity primary key,
  agent_id integer not null references public.prompts_agents on delete cascade,
  field text not null check (field in ('introducao_atendimento', 'regras_atendimento', 'atendimento_atendimento',
    'introducao_agendamento', 'regras_agendamento', 'atendimento_agendamento')),
  body text not null,
  saved_by text not null,
  saved_at timestamptz not null default now()
);
comment on table public.prompt_versions is
  'Every text that a prompt had, whichever way it was written; the newest of a field is the published one. Administrators read, triggers write.';
comment on column public.prompt_versions.saved_by is 'Username of who saved it, the name of a service, or ''portal''.';
create index prompt_versions_field on public.prompt_versions (agent_id, field, id desc);
comment on index public.prompt_versions_field is 'Serves the newest version of a prompt and its history.';
alter table public.prompt_versions enable row level security;
create policy versions_read on public.prompt_versions for select to authenticated
  using ((select portal.is_admin()));
comment on policy versions_read on public.prompt_versions is 'Only an administrator sees earlier prompts.';
grant select on public.prompt_versions to authenticated;
grant all on public.prompt_versions to service_role;

create function portal.keep_prompts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.prompt_versions (agent_id, field, body, saved_by)
  select new.id, prompt.field, prompt.body, coalesce(portal.service_name(), portal.actor())
  from (values
    ('introducao_atendimento', new.introducao_atendimento),
    ('regras_atendimento', new.regras_atendimento),
    ('atendimento_atendimento', new.atendimento_atendimento),
    ('introducao_agendamento', new.introducao_agendamento),
    ('regras_agendamento', new.regras_agendamento),
    ('atendimento_agendamento', new.atendimento_agendamento)
  ) as prompt (field, body)
  where prompt.body <> case when tg_op = 'INSERT' then '' else to_jsonb(old) ->> prompt.field end;
  return null;
end $$;
comment on function portal.keep_prompts() is 'Trigger: a prompt that got another text keeps the new one as a version.';
create trigger keep_first_prompts after insert on public.prompts_agents
  for each row execute function portal.keep_prompts();
create trigger keep_prompts after update of introducao_atendimento, regras_atendimento, atendimento_atendimento,
  introducao_agendamento, regras_agendamento, atendimento_agendamento on public.prompts_agents
  for each row execute function portal.keep_prompts();

insert into public.prompt_versions (agent_id, field, body, saved_by, saved_at)
select a.id, prompt.key, prompt.value, 'portal', a.updated_at
from public.prompts_agents a cross join lateral jsonb_each_text(to_jsonb(a)) as prompt
where prompt.key in ('introducao_atendimento', 'regras_atendimento', 'atendimento_atendimento',
    'introducao_agendamento', 'regras_agendamento', 'atendimento_agendamento')
  and prompt.value <> ''
order by a.id, prompt.key;

create function public.save_prompt(
  p_id integer,
  p_coluna text,
  p_valor text,
  p_base_version bigint default null,
  p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  wanted text;
  standing text;
  newest public.prompt_versions;
  code text := 'saved';
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  wanted := portal.prompt_column(p_coluna, true);
  if p_valor is null then
    raise exception 'Informe o texto do prompt.' using errcode = '22023';
  elsif length(p_valor) > 100000 then
    raise exception 'O texto pode ter até 100.000 caracteres.' using errcode = 'PT422';
  end if;
  -- One saves at a time, so that the version looked at is the one that is replaced.
  select to_jsonb(a) ->> wanted into standing from public.prompts_agents a where a.id = p_id for update;
  if not found then
    raise exception 'Prompt ou campo não encontrado.' using errcode = 'PT404';
  end if;
  select v.* into newest from public.prompt_versions v where v.agent_id = p_id and v.field = wanted
  order by v.id desc limit 1;
  if standing = p_valor then code := 'already';
  elsif newest.id is distinct from p_base_version then code := 'conflict';
  else
    execute format('update public.prompts_agents set %I = $1 where id = $2', wanted) using p_valor, p_id;
    select v.* into newest from public.prompt_versions v where v.agent_id = p_id and v.field = wanted
    order by v.id desc limit 1;
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'prompt.save', jsonb_build_object(
    'code', code,
    'version', newest.id,
    'saved_by', newest.saved_by,
    'saved_at', newest.saved_at,
    'current', case when code = 'conflict' then standing end));
end $$;
comment on function public.save_prompt(integer, text, text, bigint, uuid) is
  'Saves one prompt of an agent for the editor (SPEC.md 2.14). p_base_version: the newest version that the writer saw, null where there was none; another one standing there is a conflict, and nothing changes. p_operation_id: a repeat by the same account gets the stored answer. Answers {code, version, saved_by, saved_at, current}, code saved, already or conflict, current the text that stands there then. Errors are those of update_coluna_prompt, and 422 when too long. Administrators only.';
grant execute on function public.save_prompt(integer, text, text, bigint, uuid) to authenticated, service_role;
