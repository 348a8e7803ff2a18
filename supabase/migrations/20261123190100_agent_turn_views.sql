-- What is seen of an agent's turns, and the card that a broker gets with a conversation.

create function portal.hand_over_turn(p_turn portal.agent_turns, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not portal.call_broker(p_turn.contact_id, p_now) then return; end if;
  -- Where the model wrote no card, the last words of both are one.
  insert into portal.agent_handovers (contact_id, turn_id, at, wants, said)
  select p_turn.contact_id, p_turn.id, p_now,
    coalesce((
      select left(string_agg(l.body, E'\n' order by l.id), 400) from (
        select m.id, m.body from public.whatsapp_messages m
        where m.contact_id = p_turn.contact_id and m.type = 'incoming' and m.deleted_at is null
        order by m.id desc limit 2) l), ''),
    coalesce((
      select left(m.body, 400) from public.whatsapp_messages m
      where m.contact_id = p_turn.contact_id and m.type = 'outgoing' and m.author = 'agent' and m.id <> coalesce(p_turn.message_id, 0)
      order by m.id desc limit 1), '')
  on conflict (turn_id) do nothing;
end $$;
comment on function portal.hand_over_turn(portal.agent_turns, timestamptz) is
  'Calls a broker into a turn''s conversation, and leaves a card of what was said. Server only.';

create or replace function portal.end_turn(p_turn bigint, p_now timestamptz, p_state text, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  turn portal.agent_turns;
  refused integer;
begin
  update portal.agent_turns t
  set state = p_state, reason = p_reason, ended_at = p_now, leased_until = null, claimed_by = null
  where t.id = p_turn returning * into turn;
  if p_reason = 'newer' then
    perform portal.plan_answer(turn.contact_id, p_now)
    where not exists (select from portal.agent_turns t where t.contact_id = turn.contact_id and t.state = 'waiting');
  elsif p_state = 'failed' or p_reason in ('off', 'paused', 'budget', 'too-many-steps') then
    perform portal.hand_over_turn(turn, p_now);
  elsif p_state = 'refused' and p_reason in ('price', 'promise', 'leak', 'empty', 'too-long', 'repeated') then
    select count(*) into refused from portal.agent_turns t
    where t.contact_id = turn.contact_id and t.kind = 'answer' and t.state = 'refused'
      and t.id > coalesce((
        select max(s.id) from portal.agent_turns s
        where s.contact_id = turn.contact_id and s.kind = 'answer' and s.state = 'sent'), 0);
    -- Once more, with other words perhaps; after that a person.
    if refused >= 2 or not portal.plan_answer(turn.contact_id, p_now) then
      perform portal.hand_over_turn(turn, p_now);
    end if;
  end if;
end $$;

create or replace function portal.settle_answer(
  p_turn bigint, p_claimer uuid, p_now timestamptz, p_state text, p_reason text, p_body text, p_sources jsonb
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead bigint := (select t.contact_id from portal.agent_turns t where t.id = p_turn);
  turn portal.agent_turns;
  hindrance text;
  line bigint;
begin
  -- The lead first, as everybody does who writes about one: no line of a person slips in between gate and queue.
  perform from public.whatsapp_contacts c where c.id = lead for no key update;
  select t.* into turn from portal.agent_turns t
  where t.id = p_turn and t.state = 'thinking' and t.claimed_by = p_claimer for update;
  if not found then return null; end if;
  update portal.agent_turns t set body = p_body, sources = p_sources where t.id = p_turn;
  hindrance := portal.turn_gate(turn, p_now, case p_state when 'sent' then p_body end, p_sources);
  if hindrance is not null or p_state <> 'sent' then
    perform portal.end_turn(p_turn, p_now,
      coalesce(portal.hindered_state(hindrance), p_state),
      coalesce(hindrance, p_reason));
    return (select jsonb_build_object('state', t.state, 'reason', t.reason, 'instanceName', null) from portal.agent_turns t where t.id = p_turn);
  end if;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, operation_id)
  select c.id, c."instanceName", s.owner_jid, split_part(split_part(s.owner_jid, '@', 1), ':', 1), p_body,
    extract(epoch from now())::bigint, 'outgoing', 'text', 'agent', 'queued', turn.operation_id
  from public.whatsapp_contacts c left join portal.instance_states s using ("instanceName") where c.id = lead
  returning id into line;
  insert into portal.outgoing (message_id) values (line);
  update portal.agent_turns t
  set state = 'sent', reason = p_reason, ended_at = p_now, leased_until = null, claimed_by = null, message_id = line
  where t.id = p_turn returning * into turn;
  if p_reason in ('person', 'handed-over') then perform portal.hand_over_turn(turn, p_now); end if;
  return jsonb_build_object('state', 'sent', 'reason', p_reason, 'instanceName', turn."instanceName");
end $$;

create function portal.agent_turns_of(p_agent_id integer, p_contact_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'kind', t.kind, 'state', t.state, 'reason', t.reason,
      'beganAt', t.began_at, 'dueAt', t.due_at, 'endedAt', t.ended_at, 'bubbles', t.bubbles, 'body', t.body,
      'sources', t.sources, 'steps', t.steps, 'model', t.model, 'costMicros', t.cost_micros,
      'inputTokens', t.input_tokens, 'outputTokens', t.output_tokens, 'promptVersion', t.prompt_version) order by t.id desc), '[]')
    from (
      select * from portal.agent_turns l where l.agent_id = p_agent_id and l.contact_id = p_contact_id
      order by l.id desc limit 50
    ) t);
end $$;
comment on function portal.agent_turns_of(integer, bigint) is
  'The last fifty turns of an agent in a conversation, the newest first. Administrators, by the server only.';

create function portal.handover_of(p_contact_id bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lead bigint := portal.lead_to_write(null, p_contact_id, null);
begin
  return (
    select jsonb_build_object('at', h.at, 'wants', h.wants, 'said', h.said, 'missing', h.missing)
    from portal.agent_handovers h join portal.agent_turns t on t.id = h.turn_id
    where h.contact_id = lead and not exists (
      select from public.whatsapp_messages m
      where m.contact_id = lead and m.type = 'outgoing' and m.author = 'human' and m.id > t.base_message)
    order by h.id desc limit 1);
end $$;
comment on function portal.handover_of(bigint) is
  'The card of a conversation that an agent handed over, {at, wants, said, missing}, until a person has written; else null. 401, 404 and 409 are those of portal.lead_to_write. By the server only.';
