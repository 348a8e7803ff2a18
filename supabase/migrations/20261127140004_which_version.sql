-- Which version of the texts a turn read, and which one is published.

create or replace function portal.agent_turns_of(p_agent_id integer, p_contact_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'reason', t.reason,
      'beganAt', t.began_at, 'dueAt', t.due_at, 'endedAt', t.ended_at, 'bubbles', t.bubbles, 'body', t.body,
      'sources', t.sources, 'steps', t.steps, 'model', t.model, 'costMicros', t.cost_micros,
      'inputTokens', t.input_tokens, 'outputTokens', t.output_tokens, 'version', (
        select count(*) from public.prompt_versions v where v.agent_id = p_agent_id and v.id <= t.prompt_version),
      'messageId', t.message_id, 'number', t.number) order by t.id desc), '[]')
    from (
      select l.*, row_number() over (order by l.id) as number from portal.agent_turns l where l.agent_id = p_agent_id and l.contact_id = p_contact_id
      order by l.id desc limit 50
    ) t);
end $$;
comment on function portal.agent_turns_of(integer, bigint) is
  'The last fifty turns of an agent in a conversation, the newest first, each with its number from the first on, the version of the texts that it read (as public.get_agent_info counts them) and the line that it sent. Administrators, by the server only.';

create or replace function portal.bench_of(p_agent_id integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  drafted text := portal.texts_mark(portal.agent_texts(p_agent_id, true));
  published text := portal.texts_mark(portal.agent_texts(p_agent_id, false));
  run portal.agent_bench_runs;
  compared portal.agent_bench_runs;
begin
  perform portal.require_admin();
  select * into run from portal.agent_bench_runs r
  where r.agent_id = p_agent_id and (drafted = published or r.texts_mark = drafted) order by r.id desc limit 1;
  select * into compared from portal.agent_bench_runs r
  where r.agent_id = p_agent_id and r.id is distinct from run.id
    and case when drafted = published then r.id < run.id else r.texts_mark = published end
  order by r.id desc limit 1;
  return jsonb_build_object('isCurrent', coalesce(run.texts_mark = drafted, false), 'mark', drafted,
    'version', (select count(*) from public.prompt_versions v where v.agent_id = p_agent_id),
    'draft', (
      select jsonb_build_object('by', (array_agg(d.saved_by order by d.id desc))[1], 'at', max(d.saved_at),
        'fields', jsonb_agg(d.field order by d.field))
      from portal.prompt_drafts d where d.agent_id = p_agent_id having count(*) > 0),
    'run', portal.bench_run_view(run), 'before', portal.bench_run_view(compared), 'own', portal.bench_cases_of(p_agent_id));
end $$;
comment on function portal.bench_of(integer) is
  'How an agent was tried: {isCurrent (run is of the texts as they would be published), mark (of these texts), version (the published one, as public.get_agent_info counts), draft {by, at, fields} or null, run, before, own (portal.bench_cases_of)}. With a draft run is the last of it and before the last of the published texts; without one the last two. Administrators, by the server only.';
