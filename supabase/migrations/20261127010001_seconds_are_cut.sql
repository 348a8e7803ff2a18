-- A line of ours is dated with the second it is in: rounded to the next one it stood after what the lead wrote in that second.

create or replace function portal.opt_out(contact bigint, at_seconds bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  sender_jid text;
  line bigint;
begin
  select * into lead from public.whatsapp_contacts where id = contact;
  update portal.people set opted_out_at = to_timestamp(at_seconds) where id = lead.person_id and opted_out_at is null;
  -- Told once; who asks again, or asked long ago in what is only read back now, is not written to.
  if not found or lead."instanceName" is null or to_timestamp(at_seconds) < now() - interval '1 day' then return; end if;
  select s.owner_jid into sender_jid from portal.instance_states s where s."instanceName" = lead."instanceName";
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, author, delivery)
  values (
    contact, lead."instanceName", sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1),
    'Tudo bem! Você não vai mais receber mensagens de divulgação. Se precisar de algo, é só chamar por aqui.',
    floor(extract(epoch from now()))::bigint, 'outgoing', 'campaign', 'queued')
  returning id into line;
  insert into portal.outgoing (message_id) values (line);
end $$;

create or replace function portal.queue_message(p_lead jsonb, p_operation_id uuid, p_line jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.stored_line(p_operation_id);
  lead bigint;
  sender_jid text;
  line bigint;
begin
  if answer is not null then return answer; end if;
  lead := portal.lead_to_write(p_lead ->> 'brokerName', (p_lead ->> 'contactId')::bigint, p_lead ->> 'number');
  perform portal.begin_conversation(lead);
  select s.owner_jid into sender_jid
  from public.whatsapp_contacts c join portal.instance_states s using ("instanceName") where c.id = lead;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, content, quoted,
     operation_id, written_at)
  select
    lead, c."instanceName", sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1), p_line ->> 'body',
    floor(extract(epoch from now()))::bigint, 'outgoing', p_line ->> 'kind', 'human', 'queued',
    nullif(p_line -> 'content', 'null'), portal.quote_of(lead, (p_line ->> 'quotedMessageId')::bigint),
    p_operation_id,
    case when (p_line ->> 'writtenAt')::timestamptz < now() - interval '1 minute' then (p_line ->> 'writtenAt')::timestamptz end
  from public.whatsapp_contacts c where c.id = lead
  returning id into line;
  return portal.keep_line(p_operation_id, line);
end $$;

create or replace function portal.retry_message(p_message_id bigint, p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.stored_line(p_operation_id);
  line public.whatsapp_messages;
  again bigint;
begin
  if answer is not null then return answer; end if;
  line := portal.line_to_change(p_message_id);
  perform portal.lead_to_write(null, line.contact_id, null);
  if line.delivery not in ('failed', 'unknown') then
    raise exception '%', case line.delivery when 'queued' then 'Esta mensagem já está na fila.' else 'Esta mensagem já foi enviada.' end
      using errcode = 'PT409', hint = 'message.not-failed';
  elsif line.delivery_reason = 'retried' or line.deleted_at is not null then
    raise exception 'Esta mensagem já foi enviada de novo.' using errcode = 'PT409', hint = 'message.retried';
  end if;
  if line.delivery = 'failed' and line.message_id is null then
    -- It never left, so that it is the same line that goes now.
    update public.whatsapp_messages
    set delivery = 'queued', delivery_reason = null, operation_id = p_operation_id, "timestamp" = floor(extract(epoch from now()))::bigint
    where id = line.id;
    return portal.keep_line(p_operation_id, line.id);
  end if;
  -- It may have arrived, or the gateway knows it by its id: what is sent now is another message, and both are seen.
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, content, quoted, operation_id)
  values
    (line.contact_id, line."instanceName", line."from", line.from_number, line.body, floor(extract(epoch from now()))::bigint,
     'outgoing', line.kind, 'human', 'queued', line.content, line.quoted, p_operation_id)
  returning id into again;
  update public.whatsapp_messages set delivery_reason = 'retried' where id = line.id;
  return portal.keep_line(p_operation_id, again);
end $$;

create or replace function portal.claim_line(instance text, claimer uuid, lease_seconds integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  queue portal.send_queues;
  next_line portal.outgoing;
  line public.whatsapp_messages;
  hindrance text;
  address text;
begin
  insert into portal.send_queues ("instanceName") select "instanceName" from public.brokers where "instanceName" = instance
  on conflict do nothing;
  select * into queue from portal.send_queues where "instanceName" = instance for update;
  if not found or queue.held_until > clock_timestamp() then return null; end if;
  if queue.holder <> claimer and queue.leased_until > clock_timestamp() then return null; end if;
  update portal.send_queues set holder = claimer, leased_until = clock_timestamp() + make_interval(secs => lease_seconds)
  where "instanceName" = instance;
  perform portal.lose_claims();
  loop
    select o.* into next_line
    from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id
    join public.whatsapp_contacts c on c.id = m.contact_id
    where o.claimed_at is null and c."instanceName" = instance
    -- What a person wrote is never held back by a campaign.
    order by o.recipient_id is not null, o.place limit 1
    for update of o skip locked;
    if next_line.message_id is null then
      -- Let go in the same breath: whoever queues a line after this finds the queue free.
      update portal.send_queues set leased_until = null where "instanceName" = instance;
      return null;
    end if;
    select * into line from public.whatsapp_messages where id = next_line.message_id;
    hindrance := portal.line_hindrance(next_line.recipient_id);
    if hindrance is not null then
      perform portal.withdraw_line(
        next_line.recipient_id, case hindrance when 'paused' then 'pending' else 'cancelled' end, nullif(hindrance, 'paused'));
      continue;
    end if;
    if line.author = 'agent' and portal.withdraw_overtaken(line.id) then continue; end if;
    if line.author = 'human' and (portal.withdraw_answered(line.id) or portal.withdraw_untimely(line.id)) then continue; end if;
    update portal.outgoing set "instanceName" = instance, claimed_by = claimer, claimed_at = clock_timestamp()
    where message_id = line.id;
    address := portal.number_to_send(portal.address_of(line.contact_id, instance));
    exit when address is not null;
    perform portal.settle_unsent(line.id, 'failed', 'no-number');
  end loop;
  -- It goes out now, from its owner's instance, whenever it was queued.
  update public.whatsapp_messages
  set "instanceName" = instance, delivery_reason = null,
    "timestamp" = case when "timestamp" < extract(epoch from now()) - 60 then floor(extract(epoch from now()))::bigint else "timestamp" end
  where id = line.id
    and ("instanceName" <> instance or delivery_reason is not null or "timestamp" < extract(epoch from now()) - 60);
  return jsonb_build_object(
    'id', line.id, 'address', address, 'kind', line.kind, 'body', line.body, 'content', line.content,
    'typingMs', next_line.typing_ms,
    'unlessAnswered', exists (select from portal.scheduled_messages s where s.message_id = line.id and s.unless_answered),
    -- Another phone does not know the line that was answered to.
    'quotedId', (select m.message_id from public.whatsapp_messages m
      where m."instanceName" = instance and m.message_id = line.quoted ->> 'messageId')
  );
end $$;

create or replace function public.message_react(
  p_contact_id bigint, p_message_id bigint, p_emoji text,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  target public.whatsapp_messages;
  turn bigint;
  code text := 'already';
begin
  if answer is not null then return answer; end if;
  if p_emoji is null or length(p_emoji) > 16 or p_emoji ~ '[ -~]' then
    raise exception 'Escolha uma reação.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if not portal.lock_lead(lead) then
    code := 'unknown_lead';
  else
    -- The message before its place in the queue, as the one who sends does, so that they never wait for each other.
    select m.* into target
    from public.whatsapp_messages m join public.whatsapp_contacts c on c.id = m.contact_id and c."instanceName" = m."instanceName"
    where m.id = p_message_id and m.contact_id = lead and m.message_id is not null and m.deleted_at is null
    for update of m;
    if not found then
      code := 'gone';
    elsif coalesce(target.reactions #>> '{me,emoji}', '') <> p_emoji then
      insert into portal.outgoing_reactions (message_id, emoji, before) values (target.id, p_emoji, target.reactions -> 'me')
      on conflict (message_id) do update set emoji = excluded.emoji, place = default
      returning place into turn;
      update public.whatsapp_messages
      set reactions = reactions || jsonb_build_object('me', jsonb_build_object(
        'emoji', p_emoji, 'id', 'portal-' || turn,
        'at', greatest(floor(extract(epoch from now()))::bigint, (target.reactions #>> '{me,at}')::bigint)))
      where id = target.id;
      code := 'saved';
    end if;
  end if;
  return portal.end_operation(account, p_operation_id, 'message.react', jsonb_build_object(
    'success', code in ('saved', 'already'), 'code', code,
    'message', case code
      when 'unknown_lead' then 'Lead não encontrado.'
      when 'gone' then 'Não dá mais para reagir a esta mensagem.'
    end));
end $$;

create or replace function portal.queue_recipient(recipient public.campaign_recipients, instance text, p_media jsonb, p_typing_ms integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  sender_jid text := (select s.owner_jid from portal.instance_states s where s."instanceName" = instance);
  line bigint;
begin
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, content)
  values (
    recipient.contact_id, instance, sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1), recipient.body,
    floor(extract(epoch from now()))::bigint, 'outgoing', coalesce(p_media ->> 'kind', 'text'), 'campaign', 'queued', p_media -> 'content')
  returning id into line;
  insert into portal.outgoing (message_id, recipient_id, typing_ms) values (line, recipient.id, p_typing_ms);
  update public.campaign_recipients set state = 'sending', message_id = line where id = recipient.id;
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
    floor(extract(epoch from now()))::bigint, 'outgoing', 'text', 'agent', 'queued', turn.operation_id
  from public.whatsapp_contacts c left join portal.instance_states s using ("instanceName") where c.id = lead
  returning id into line;
  insert into portal.outgoing (message_id) values (line);
  update portal.agent_turns t
  set state = 'sent', reason = p_reason, ended_at = p_now, leased_until = null, claimed_by = null, message_id = line
  where t.id = p_turn returning * into turn;
  if p_reason in ('person', 'handed-over', 'booked') then perform portal.hand_over_turn(turn, p_now); end if;
  return jsonb_build_object('state', 'sent', 'reason', p_reason, 'instanceName', turn."instanceName");
end $$;

create or replace function portal.turn_tool(p_turn bigint, p_claimer uuid, p_name text, p_args jsonb, p_now timestamptz) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  turn portal.agent_turns;
  known jsonb;
  answer text;
  booked jsonb;
  wanted timestamptz;
begin
  perform from public.whatsapp_contacts c
  where c.id = (select t.contact_id from portal.agent_turns t where t.id = p_turn) for no key update;
  select t.* into turn from portal.agent_turns t
  where t.id = p_turn and t.state = 'thinking' and t.claimed_by = p_claimer for update;
  if not found then return null; end if;
  select step into known from jsonb_array_elements(turn.steps) as step
  where step ->> 'name' = p_name and (p_name not in ('buscar_fatos', 'agendar_visita') or step ? 'visitId' or step -> 'args' = p_args - 'choice') limit 1;
  if known is not null then return known ->> 'result'; end if;
  case p_name
    when 'buscar_fatos' then
      select coalesce(string_agg((fact ->> 'label') || ': ' || (fact ->> 'value'), E'\n'), 'Nenhum fato sobre isso.') into answer
      from jsonb_array_elements(portal.valid_facts(turn.agent_id, p_now)) as fact
      where portal.fold((fact ->> 'label') || ' ' || (fact ->> 'value'))
        ~ coalesce(nullif(array_to_string(regexp_split_to_array(
          regexp_replace(btrim(portal.fold(p_args ->> 'tema')), '[^a-z0-9 ]', '', 'g'), ' +'), '|'), ''), '.');
    when 'anotar_interesse' then
      update public.whatsapp_contacts c
      set notes = left(concat_ws(E'\n', nullif(c.notes, ''), 'Assistente: ' || left(btrim(p_args ->> 'texto'), 300)), 10000)
      where c.id = turn.contact_id and btrim(p_args ->> 'texto') <> '';
      answer := 'Anotado.';
    when 'lembrar' then
      insert into portal.actions (contact_id, kind, due_at, note, seen_at, operation_id)
      values (turn.contact_id, 'task', p_now + interval '1 day', left(btrim(coalesce(p_args ->> 'texto', '')), 200),
        'epoch', turn.operation_id);
      answer := 'Lembrete criado para amanhã.';
    when 'chamar_corretor' then
      insert into portal.agent_handovers (contact_id, turn_id, at, wants, said, missing)
      values (turn.contact_id, turn.id, p_now, left(coalesce(p_args ->> 'quer', ''), 400), left(coalesce(p_args ->> 'dito', ''), 400),
        left(coalesce(p_args ->> 'falta', ''), 400));
      answer := 'O corretor será chamado depois desta mensagem.';
    when 'agendar_visita' then
      if portal.visit_of(turn.contact_id, p_now) is not null then
        answer := 'Visita agendada: ' || portal.visit_of(turn.contact_id, p_now) || '. Para mudar, chame o corretor.';
      elsif p_args -> 'choice' ->> 'broker' is null then
        answer := 'Nenhum corretor está livre agora. Chame o corretor.';
      else
        wanted := portal.wanted_slot(p_args);
        if wanted is not null then
          booked := portal.book_visit(turn.contact_id, p_args -> 'choice' ->> 'broker', wanted, p_args ->> 'lugar', turn.operation_id, p_now);
        end if;
        if booked ->> 'code' = 'saved' then
          perform portal.pay_seats((p_args -> 'choice' ->> 'roletaId')::integer, p_args -> 'choice' -> 'credits');
          answer := 'Visita agendada: ' || portal.visit_of(turn.contact_id, p_now) || '.';
        else
          select case when wanted is not null then 'Este horário não está livre. ' else '' end
            || coalesce('Horários livres: ' || string_agg(to_char(s.starts_at at time zone portal.time_zone(), 'YYYY-MM-DD HH24:MI'), ', '
              order by s.starts_at) || '.', 'Não há horário livre nestes dias.')
          into answer
          from (
            select f.starts_at from portal.free_slots(p_args -> 'choice' ->> 'broker', greatest(p_now, portal.wanted_day(p_args)), 7) f limit 6) s;
        end if;
      end if;
    when 'encerrar' then
      insert into portal.actions (contact_id, kind, due_at, seen_at, operation_id, finished_at, outcome)
      values (turn.contact_id, 'none', p_now, p_now, turn.operation_id, p_now, 'not_needed');
      answer := 'Conversa encerrada. Despeça-se em uma frase.';
    when 'sair' then
      perform portal.opt_out(turn.contact_id, floor(extract(epoch from p_now))::bigint);
      answer := 'Não receberá mais mensagens.';
    else answer := 'Esta ferramenta não existe.';
  end case;
  update portal.agent_turns t
  set steps = t.steps || jsonb_strip_nulls(jsonb_build_object('name', p_name, 'args', p_args - 'choice', 'result', answer,
    'visitId', case when booked ->> 'code' = 'saved' then booked -> 'action_id' end)) where t.id = turn.id;
  return answer;
end $$;

create or replace function portal.machine_send(p_lead bigint, p_text text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant integer := 20;
  lead public.whatsapp_contacts;
  line bigint;
begin
  perform portal.require_grant('messages:send');
  select c.* into lead from public.whatsapp_contacts c where c.id = p_lead for no key update;
  if not found then
    raise exception 'Este lead não existe.' using errcode = 'PT404', hint = 'lead.unknown';
  elsif lead."instanceName" is null then
    raise exception 'Este lead está sem corretor.' using errcode = 'PT409', hint = 'lead.no-owner';
  elsif portal.address_of(lead.id, lead."instanceName") is null then
    raise exception 'Este lead não tem um número de WhatsApp.' using errcode = 'PT409', hint = 'lead.no-number';
  elsif exists (select from portal.people p where p.id = lead.person_id and p.opted_out_at is not null) then
    raise exception 'Esta pessoa pediu para não receber mensagens.' using errcode = 'PT409', hint = 'lead.opted-out';
  elsif (
    select count(*) from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id join public.whatsapp_contacts c on c.id = m.contact_id
    where c."instanceName" = lead."instanceName" and m.author = 'agent') >= most then
    -- The queue is the broker's own, too: what a person writes must not wait behind a machine.
    raise exception 'Já há % mensagens automáticas na fila deste WhatsApp. Tente mais tarde.', most
      using errcode = 'PT409', hint = 'message.queue-full';
  end if;
  perform portal.begin_conversation(lead.id);
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery)
  select lead.id, lead."instanceName", s.owner_jid, split_part(split_part(s.owner_jid, '@', 1), ':', 1), p_text,
    floor(extract(epoch from now()))::bigint, 'outgoing', 'text', 'agent', 'queued'
  from (select) one left join portal.instance_states s on s."instanceName" = lead."instanceName"
  returning id into line;
  insert into portal.outgoing (message_id) values (line);
  return jsonb_build_object('id', line, 'leadId', lead.id, 'instanceName', lead."instanceName", 'delivery', 'queued');
end $$;

create or replace function portal.queue_text(p_text bigint, p_instance text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  words portal.scheduled_messages;
  sender_jid text;
  line bigint;
  hint text;
begin
  select * into words from portal.scheduled_messages s where s.id = p_text;
  begin
    if portal.address_of(words.contact_id, p_instance) is null then
      raise exception 'no number' using errcode = 'PT409', hint = 'lead.no-number';
    end if;
    perform portal.begin_conversation(words.contact_id);
  exception when sqlstate 'PT409' then
    get stacked diagnostics hint = pg_exception_hint;
    update portal.scheduled_messages s
    set state = 'refused', reason = split_part(hint, '.', 2), changed_at = now() where s.id = p_text;
    return false;
  end;
  select i.owner_jid into sender_jid from portal.instance_states i where i."instanceName" = p_instance;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, operation_id)
  values (words.contact_id, p_instance, sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1), words.body,
    floor(extract(epoch from now()))::bigint, 'outgoing', 'text', 'human', 'queued', coalesce(words.operation_id, gen_random_uuid()))
  returning id into line;
  insert into portal.outgoing (message_id) values (line);
  update portal.scheduled_messages s
  set state = 'queued', reason = null, message_id = line, changed_at = now() where s.id = p_text;
  return true;
end $$;
