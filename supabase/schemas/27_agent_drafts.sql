-- Drafts of an agent's texts. The portal's editor saves them; they are tested and published together. Every other way
-- of writing a text publishes it at once.

create table portal.prompt_drafts (
  agent_id integer not null references public.prompts_agents on delete cascade,
  field text not null check (field in ('introducao_atendimento', 'regras_atendimento', 'atendimento_atendimento',
    'introducao_agendamento', 'regras_agendamento', 'atendimento_agendamento')),
  id bigint not null unique default nextval('public.prompt_versions_id_seq'),
  body text not null,
  over_version bigint,
  saved_by text not null default portal.actor(),
  saved_at timestamptz not null default now(),
  primary key (agent_id, field)
);
comment on table portal.prompt_drafts is
  'Texts of agents that are saved but not published, one for each field. Administrators, by functions.';
comment on column portal.prompt_drafts.id is 'A new number with each save, which no published version has.';
comment on column portal.prompt_drafts.over_version is
  'The published version on which the draft is based. Null: there was none.';
alter table portal.prompt_drafts enable row level security;

create function portal.agent_texts(p_agent_id integer, p_has_drafts boolean) returns text[]
language sql stable security definer set search_path = '' as $$
  select array_agg(coalesce(d.body, prompt.body) order by prompt.place)
  from public.prompts_agents a cross join lateral (values
    (1, 'introducao_atendimento', a.introducao_atendimento),
    (2, 'regras_atendimento', a.regras_atendimento),
    (3, 'atendimento_atendimento', a.atendimento_atendimento),
    (4, 'introducao_agendamento', a.introducao_agendamento),
    (5, 'regras_agendamento', a.regras_agendamento),
    (6, 'atendimento_agendamento', a.atendimento_agendamento)
  ) as prompt (place, field, body)
  left join portal.prompt_drafts d on p_has_drafts and d.agent_id = a.id and d.field = prompt.field
  where a.id = p_agent_id
$$;
comment on function portal.agent_texts(integer, boolean) is
  'The six texts of an agent in the order in which a model reads them: the published ones, or with p_has_drafts as they would be after publishing the drafts. Server only.';

create function portal.texts_mark(p_texts text[]) returns text
language sql stable set search_path = '' as $$ select md5(array_to_string(p_texts, chr(1))) $$;
comment on function portal.texts_mark(text[]) is
  'Fingerprint of texts, by which the portal knows that these texts were tested already. Server only.';

create function portal.failed_cases(p_agent_id integer, p_texts text[]) returns integer
language sql stable security definer set search_path = '' as $$
  select (select count(*) from jsonb_array_elements(run.results) as result where result ->> 'fault' is not null)::integer
  from (
    select r.results from portal.agent_bench_runs r
    where r.agent_id = p_agent_id and r.ended_at is not null and r.texts_mark = portal.texts_mark(p_texts)
    order by r.id desc limit 1
  ) run
$$;
comment on function portal.failed_cases(integer, text[]) is
  'How many tests failed in the last finished run over these texts. Null: they were never tested. Server only.';

create function portal.cases_failed(p_failed integer) returns text
language sql immutable set search_path = '' as $$
  select case p_failed when 1 then '1 conversa de teste falhou.' else p_failed || ' conversas de teste falharam.' end
$$;
comment on function portal.cases_failed(integer) is
  'The number of failed tests as a Portuguese text for the administrator. Server only.';

create function portal.standing_prompt(p_agent_id integer, p_field text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted text := portal.prompt_column(p_field, true);
  answer jsonb;
begin
  perform portal.require_admin();
  select jsonb_build_object('text', coalesce(d.body, to_jsonb(a) ->> wanted), 'version', coalesce(d.id, newest.id),
    'isDraft', d.id is not null, 'by', coalesce(d.saved_by, newest.saved_by), 'at', coalesce(d.saved_at, newest.saved_at))
  into answer
  from public.prompts_agents a
  left join portal.prompt_drafts d on d.agent_id = a.id and d.field = wanted
  left join lateral (
    select v.* from public.prompt_versions v where v.agent_id = a.id and v.field = wanted
    order by v.id desc limit 1) newest on true
  where a.id = p_agent_id;
  if answer is null then
    raise exception 'Prompt ou campo não encontrado.' using errcode = 'PT404', hint = 'prompt.unknown';
  end if;
  return answer;
end $$;
comment on function portal.standing_prompt(integer, text) is
  'The present text of an agent for its editor, the draft if there is one: {text, version, isDraft, by, at}. version, by and at are null if none was ever saved. 404 for an unknown agent, 22023 for an unknown column, 42501 for a read-only one. Administrators, through the server only.';

create function portal.drafts_of(p_agent_id integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_object_agg(d.field, d.body), '{}') from portal.prompt_drafts d where d.agent_id = p_agent_id);
end $$;
comment on function portal.drafts_of(integer) is
  'The drafts of an agent, by column. Administrators, through the server only.';

create function portal.save_draft(
  p_agent_id integer, p_field text, p_text text, p_base bigint, p_operation_id uuid
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  wanted text := portal.prompt_column(p_field, true);
  standing jsonb;
  code text := 'saved';
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  -- Locks the agent, so that nobody replaces the text between the comparison and the save.
  perform from public.prompts_agents a where a.id = p_agent_id for update;
  standing := portal.standing_prompt(p_agent_id, p_field);
  if standing ->> 'text' = p_text then code := 'already';
  elsif (standing ->> 'version')::bigint is distinct from p_base then code := 'conflict';
  elsif p_text = (select to_jsonb(a) ->> wanted from public.prompts_agents a where a.id = p_agent_id) then
    delete from portal.prompt_drafts d where d.agent_id = p_agent_id and d.field = wanted;
  else
    insert into portal.prompt_drafts as d (agent_id, field, body, over_version)
    values (p_agent_id, wanted, p_text, p_base)
    on conflict (agent_id, field) do update
    set id = excluded.id, body = excluded.body, saved_by = excluded.saved_by, saved_at = excluded.saved_at;
  end if;
  if code = 'saved' then
    standing := portal.standing_prompt(p_agent_id, p_field);
    perform portal.publish('{"kind": "agents"}');
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'draft.save', standing || jsonb_build_object('code', code));
end $$;
comment on function portal.save_draft(integer, text, text, bigint, uuid) is
  'Saves a draft of an agent''s text; saving the published text removes the draft. p_base: the version that the writer saw, see portal.standing_prompt; if another one is stored, the answer is conflict and nothing changes. A retry of the operation changes nothing. Returns the current text, with code saved, already or conflict. Errors are those of portal.standing_prompt. Administrators, through the server only.';

create function portal.publish_drafts(p_agent_id integer, p_mark text, p_is_asked_twice boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  texts text[];
  fields jsonb;
  failed integer;
  overtaken text;
begin
  perform portal.require_admin();
  perform from public.prompts_agents a where a.id = p_agent_id for update;
  texts := portal.agent_texts(p_agent_id, true);
  failed := portal.failed_cases(p_agent_id, texts);
  select jsonb_agg(d.field order by d.field), min(newest.saved_by) filter (where newest.id is distinct from d.over_version)
  into fields, overtaken
  from portal.prompt_drafts d
  left join lateral (
    select v.id, v.saved_by from public.prompt_versions v where v.agent_id = d.agent_id and v.field = d.field
    order by v.id desc limit 1) newest on true
  where d.agent_id = p_agent_id;
  if fields is null then
    raise exception 'Não há rascunho para publicar.' using errcode = 'PT409', hint = 'draft.none';
  elsif portal.texts_mark(texts) <> p_mark then
    raise exception 'O rascunho mudou. Confira de novo.' using errcode = 'PT409', hint = 'draft.changed';
  elsif p_is_asked_twice then null;
  elsif overtaken is not null then
    raise exception '% publicou outro texto depois deste rascunho, e ele seria substituído.', overtaken
      using errcode = 'PT409', hint = 'draft.overtaken';
  elsif failed is null then
    raise exception 'Este rascunho ainda não passou pelos testes.' using errcode = 'PT409', hint = 'draft.untested';
  elsif failed > 0 then
    raise exception '%', portal.cases_failed(failed) using errcode = 'PT409', hint = 'draft.failing';
  end if;
  -- Makes portal.audit_agent write no entry. The one below replaces it and has the results of the tests, too.
  perform set_config('portal.publishing', 'on', true);
  update public.prompts_agents a
  set introducao_atendimento = texts[1], regras_atendimento = texts[2], atendimento_atendimento = texts[3],
    introducao_agendamento = texts[4], regras_agendamento = texts[5], atendimento_agendamento = texts[6]
  where a.id = p_agent_id;
  perform set_config('portal.publishing', '', true);
  delete from portal.prompt_drafts d where d.agent_id = p_agent_id;
  perform portal.audit('agent.published', (select a.nome_agente from public.prompts_agents a where a.id = p_agent_id),
    jsonb_build_object('fields', fields, 'failed', failed));
end $$;
comment on function portal.publish_drafts(integer, text, boolean) is
  'Publishes all drafts of an agent together, audited with the test results. p_mark: fingerprint of the texts that the administrator saw. 409, until confirmed: somebody else published meanwhile (draft.overtaken), the texts are untested (draft.untested) or failed (draft.failing). 409 always: no draft (draft.none), other texts than seen (draft.changed). Administrators, through the server only.';

create function portal.discard_drafts(p_agent_id integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  delete from portal.prompt_drafts d where d.agent_id = p_agent_id;
  if found then perform portal.publish('{"kind": "agents"}'); end if;
end $$;
comment on function portal.discard_drafts(integer) is
  'Deletes all drafts of an agent; a repeat changes nothing. Administrators, through the server only.';
