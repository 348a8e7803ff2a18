-- What agents cost is seen beside the other figures, and the minutes that a model heard are paid, too.

alter table portal.model_prices add column minute_micros bigint not null default 0
  check (minute_micros between 0 and 1000000000000);
comment on table portal.model_prices is 'What a model costs: millionths of a real for a million tokens read, and written, and for a minute of voice heard. Administrators, by functions.';
alter table portal.transcripts add column cost_micros bigint not null default 0;
comment on column portal.transcripts.cost_micros is 'Millionths of a real, at the price of the model then; of both, where two asked at once.';
create index transcripts_at on portal.transcripts (at);
comment on index portal.transcripts_at is 'Serves what voices cost in a period.';

create function portal.keep_transcript(p_message_id bigint, p_body text, p_model text, p_seconds numeric) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.transcripts as t (message_id, body, model, cost_micros)
  select m.id, p_body, p_model, coalesce(ceil(coalesce(p_seconds, (m.content ->> 'seconds')::numeric, 0) * p.minute_micros / 60), 0)
  from public.whatsapp_messages m left join portal.model_prices p on p.model = p_model
  where m.id = p_message_id
  on conflict (message_id) do update set cost_micros = t.cost_micros + excluded.cost_micros
$$;
comment on function portal.keep_transcript(bigint, text, text, numeric) is
  'Keeps what was heard in a voice message of so many seconds (null: as WhatsApp says), with what it cost, rounded up to the millionth. Of two who asked at once the first words stay, and both are paid. Server only.';

create or replace function portal.agent_setup(p_agent_id integer, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  if not exists (select from public.prompts_agents a where a.id = p_agent_id) then
    raise exception 'Agente não encontrado.' using errcode = 'PT404', hint = 'agent.unknown';
  end if;
  return (
    select jsonb_build_object('mode', s.mode, 'monthLimitMicros', s.month_limit_micros,
      'spentMicros', portal.month_spent(p_agent_id, p_now),
      'conversations', (
        select count(distinct t.contact_id) from portal.agent_turns t
        where t.agent_id = p_agent_id
          and t.began_at >= date_trunc('month', p_now at time zone portal.time_zone()) at time zone portal.time_zone()),
      'prices', (
        select coalesce(jsonb_agg(jsonb_build_object('model', p.model, 'inputMicros', p.input_micros,
          'outputMicros', p.output_micros, 'minuteMicros', p.minute_micros) order by p.model), '[]') from portal.model_prices p),
      'facts', (
        select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'label', f.label, 'value', f.value, 'isPrice', f.is_price,
          'validUntil', f.valid_until,
          'isExpired', coalesce(f.valid_until < (p_now at time zone portal.time_zone())::date, false)) order by f.label), '[]')
        from portal.agent_facts f where f.agent_id = p_agent_id))
    from portal.agent_settings s where s.agent_id = p_agent_id);
end $$;
drop function portal.save_model_price(text, bigint, bigint);
create function portal.save_model_price(p_model text, p_input bigint, p_output bigint, p_minute bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  insert into portal.model_prices (model, input_micros, output_micros, minute_micros)
  values (p_model, p_input, p_output, p_minute)
  on conflict (model) do update
  set input_micros = excluded.input_micros, output_micros = excluded.output_micros, minute_micros = excluded.minute_micros;
  perform portal.audit('agent.price', p_model);
end $$;
comment on function portal.save_model_price(text, bigint, bigint, bigint) is
  'What a model costs from now on, in millionths of a real for a million tokens read and written and a minute heard; what was spent stays as it was. Administrators, by the server only.';

create function public.get_agent_costs(
  p_empreendimentos text[] default null,
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  perform portal.require_admin();
  return json_build_object(
    'agents', (
      select coalesce(json_agg(json_build_object('name', a.nome_agente, 'micros', said.micros + tried.micros,
        'benchMicros', tried.micros, 'conversations', said.conversations, 'answers', said.answers)
        order by said.micros + tried.micros desc, a.nome_agente), '[]')
      from public.prompts_agents a
      cross join lateral (
        select coalesce(sum(t.cost_micros), 0)::bigint as micros, count(distinct t.contact_id) as conversations,
          count(*) filter (where t.state = 'sent') as answers
        from portal.agent_turns t
        where t.agent_id = a.id and t.began_at >= span.starts_at and t.began_at < span.ends_at
      ) said
      cross join lateral (
        select coalesce(sum(r.cost_micros), 0)::bigint as micros from portal.agent_bench_runs r
        where r.agent_id = a.id and r.began_at >= span.starts_at and r.began_at < span.ends_at
      ) tried
      where (coalesce(cardinality(p_empreendimentos), 0) = 0 or a.empreendimento = any (p_empreendimentos))
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
  'What agents cost in a period as of get_kpi_metrics, of the developments that are named or, without names, of all, in millionths of a real: {agents: [{name, micros (all of it), benchMicros (of it, for tests), conversations, answers (sent)}] the dearest first and only those that did something, voices: {count (voice messages written down), micros}}. What went with an erased person is not in it. Administrators only.';
grant execute on function public.get_agent_costs(text[], timestamp, timestamp) to authenticated, service_role;
