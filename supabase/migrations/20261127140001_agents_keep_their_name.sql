-- An agent that is removed keeps its turns, its trials and what both cost, under its name.

create table portal.agent_names (
  agent_id integer primary key,
  name text not null,
  development text,
  removed_at timestamptz
);
comment on table portal.agent_names is
  'How each agent is called, which outlives the agent: what it did and cost stays its own. Written by triggers of prompts_agents. Server only.';
comment on column portal.agent_names.removed_at is 'When the agent was removed; null while it is there.';
alter table portal.agent_names enable row level security;

create function portal.keep_agent_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.agent_names (agent_id, name, development) values (new.id, new.nome_agente, new.empreendimento)
  on conflict (agent_id) do update
  set name = excluded.name, development = excluded.development, removed_at = null;
  return null;
end $$;
comment on function portal.keep_agent_name() is 'Trigger: an agent is called as it is called now.';
create trigger keep_agent_name after insert or update of nome_agente, empreendimento on public.prompts_agents
  for each row execute function portal.keep_agent_name();

create function portal.note_removed_agent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from portal.agent_turns t where t.agent_id = old.id)
    or exists (select from portal.agent_bench_runs r where r.agent_id = old.id) then
    update portal.agent_names n set removed_at = now() where n.agent_id = old.id;
  else
    delete from portal.agent_names n where n.agent_id = old.id;
  end if;
  return null;
end $$;
comment on function portal.note_removed_agent() is
  'Trigger: an agent that is removed keeps its name as long as it has turns or trials; one that never did anything leaves nothing.';
create trigger note_removed_agent after delete on public.prompts_agents
  for each row execute function portal.note_removed_agent();

insert into portal.agent_names (agent_id, name, development)
select a.id, a.nome_agente, a.empreendimento from public.prompts_agents a;
alter table portal.agent_turns
  drop constraint agent_turns_agent_id_fkey,
  add constraint agent_turns_agent_id_fkey foreign key (agent_id) references portal.agent_names;
alter table portal.agent_bench_runs
  drop constraint agent_bench_runs_agent_id_fkey,
  add constraint agent_bench_runs_agent_id_fkey foreign key (agent_id) references portal.agent_names;
comment on index portal.agent_turns_month is 'Serves what an agent spent in a month, and whether it did anything.';
comment on index portal.agent_bench_runs_agent is 'Serves the last runs of an agent, and what they cost.';
drop index portal.agent_turns_suggestion;
create unique index agent_turns_suggestion on portal.agent_turns (contact_id, base_message, agent_id) where kind = 'suggestion';
comment on index portal.agent_turns_suggestion is 'One draft of an agent a message: who asks again gets the same.';

create or replace function portal.begin_suggestion(p_contact_id bigint, p_claimer uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead bigint := portal.lead_to_write(null, p_contact_id, null);
  agent integer := portal.agent_for(lead);
  newest public.whatsapp_messages;
  turn portal.agent_turns;
begin
  perform portal.end_lost_turns(p_now);
  select m.* into newest from public.whatsapp_messages m where m.contact_id = lead
  order by m."timestamp" desc, m.id desc limit 1;
  if newest.type is distinct from 'incoming' or newest.deleted_at is not null or agent is null
    or portal.turn_silence(agent, lead, p_now) is not null
    -- It is answered already, or is about to be: no second draft is paid for.
    or exists (
      select from portal.agent_turns t
      where t.contact_id = lead and t.kind = 'answer'
        and (t.state in ('waiting', 'thinking') or t.state = 'sent' and t.base_message >= newest.id)) then
    return '{"turn": null, "suggestion": null}';
  end if;
  select * into turn from portal.agent_turns t
  where t.contact_id = lead and t.base_message = newest.id and t.kind = 'suggestion' and t.agent_id = agent for update;
  if turn.id is null then
    insert into portal.agent_turns
      (kind, agent_id, contact_id, state, base_message, began_at, due_at, claimed_by, leased_until, prompt_version)
    values ('suggestion', agent, lead, 'thinking', newest.id, p_now, p_now, p_claimer, p_now + interval '90 seconds',
      (select max(v.id) from public.prompt_versions v where v.agent_id = agent))
    on conflict do nothing returning * into turn;
  elsif turn.state = 'failed' and turn.ended_at < p_now - interval '1 minute' then
    -- It may go better now; what the first try cost stays.
    update portal.agent_turns t set state = 'thinking', reason = null, ended_at = null, claimed_by = p_claimer,
      leased_until = p_now + interval '90 seconds'
    where t.id = turn.id returning * into turn;
  else
    return jsonb_build_object('turn', null, 'suggestion', portal.suggestion_view(turn));
  end if;
  return jsonb_build_object('turn', case when turn.id is not null then portal.turn_material(turn, p_now) end, 'suggestion', null);
end $$;
comment on function portal.begin_suggestion(bigint, uuid, timestamptz) is
  'A draft for the newest message of a lead of the asking person''s: {turn, suggestion}. turn is what the model is told, for whoever asked first; suggestion what it wrote before; both null where the newest line is ours, the agent answers it by itself, is off or paused, the person opted out, the month''s limit is reached, or the draft is being written, was refused or put away. 401, 404 and 409 are those of portal.lead_to_write. By the server only.';

create or replace function public.get_agent_costs(
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_admin();
  perform portal.require_few(p_empreendimentos);
  return json_build_object(
    'agents', (
      select coalesce(json_agg(json_build_object('id', a.agent_id, 'name', a.name, 'isRemoved', a.removed_at is not null,
        'micros', said.micros + tried.micros, 'benchMicros', tried.micros, 'conversations', said.conversations,
        'answers', said.answers) order by said.micros + tried.micros desc, a.name, a.agent_id), '[]')
      from portal.agent_names a
      cross join lateral (
        select coalesce(sum(t.cost_micros), 0)::bigint as micros, count(distinct t.contact_id) as conversations,
          count(*) filter (where t.state = 'sent') as answers
        from portal.agent_turns t
        where t.agent_id = a.agent_id and t.began_at >= span.starts_at and t.began_at < span.ends_at
      ) said
      cross join lateral (
        select coalesce(sum(r.cost_micros), 0)::bigint as micros from portal.agent_bench_runs r
        where r.agent_id = a.agent_id and r.began_at >= span.starts_at and r.began_at < span.ends_at
      ) tried
      where (coalesce(cardinality(p_empreendimentos), 0) = 0 or a.development = any (p_empreendimentos))
        -- Those that were gone before it are not even asked for.
        and (a.removed_at is null or a.removed_at >= span.starts_at)
        and (said.conversations > 0 or tried.micros > 0)),
    'voices', (
      select json_build_object('count', count(*), 'micros', coalesce(sum(v.cost_micros), 0)::bigint)
      from portal.transcripts v
      join public.whatsapp_messages m on m.id = v.message_id
      join public.whatsapp_contacts c on c.id = m.contact_id
      where v.at >= span.starts_at and v.at < span.ends_at
        and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos))));
end $$;
comment on function public.get_agent_costs(text[], timestamp, timestamp) is
  'What agents cost in a period as of get_kpi_metrics, of the developments that are named or, without names, of all, in millionths of a real: {agents: [{id, name, isRemoved (the agent is gone, what it did stays), micros (all of it), benchMicros (of it, for tests), conversations, answers (sent)}] the dearest first and only those that did something, voices: {count (voice messages written down), micros}}. What went with an erased person is not in it. Administrators only.';
