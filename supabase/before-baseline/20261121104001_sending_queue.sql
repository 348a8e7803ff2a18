-- Putting a line into the queue, taking it out, and sending it again: each as the person who asks (PRODUCT.md 4.1, 4.3, 4.4).
-- A refusal has the HTTP status in its errcode and its code in the hint.

create function portal.lead_to_write(p_broker_name text, p_contact_id bigint, p_number text) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  lead bigint := portal.asked_lead(portal.require_member(), p_broker_name, p_contact_id, p_number);
  owner text;
begin
  select c."instanceName" into owner from public.whatsapp_contacts c where c.id = lead;
  if not found then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'lead.unknown';
  elsif owner is null then
    raise exception 'Este lead está sem corretor. Entregue-o a um corretor para responder.' using errcode = 'PT409', hint = 'lead.no-owner';
  elsif portal.address_of(lead, owner) is null then
    raise exception 'Este lead não tem um número de WhatsApp.' using errcode = 'PT409', hint = 'lead.no-number';
  end if;
  return lead;
end $$;
comment on function portal.lead_to_write(text, bigint, text) is
  'The lead that the asking person may write to, named as portal.asked_lead takes it. 404 for anyone else''s, 409 where nobody could send. Server only.';

create function portal.line_to_change(p_message_id bigint) returns public.whatsapp_messages
language plpgsql volatile security definer set search_path = '' as $$
declare
  line public.whatsapp_messages;
begin
  perform portal.require_member();
  -- The place in the queue first, as the one who sends it does, so that they never wait for each other.
  perform from portal.outgoing o where o.message_id = p_message_id for update;
  select m.* into line
  from public.whatsapp_messages m join public.whatsapp_contacts c on c.id = m.contact_id
  where m.id = p_message_id and m.type = 'outgoing' and m.author = 'human'
    and (portal.is_admin() or c."instanceName" = portal.my_instance())
  for update of m;
  if not found then
    raise exception 'Mensagem não encontrada.' using errcode = 'PT404', hint = 'message.unknown';
  end if;
  return line;
end $$;
comment on function portal.line_to_change(bigint) is
  'A line that a person wrote to a lead of the asking one''s, locked; else 404. Server only.';

create function portal.stored_line(p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_operation(portal.require_member(), p_operation_id);
begin
  -- As it is now; one that was taken out of the queue again as it was.
  return coalesce((select to_jsonb(m) from public.whatsapp_messages m where m.id = (answer ->> 'id')::bigint), answer);
end $$;
comment on function portal.stored_line(uuid) is
  'The line that an operation of the asking account queued before; null for a new one. Server only.';

create function portal.keep_line(p_operation_id uuid, p_line bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.outgoing (message_id) values (p_line);
  return portal.end_operation(portal.account_id(), p_operation_id, 'message.send',
    (select to_jsonb(m) from public.whatsapp_messages m where m.id = p_line));
end $$;
comment on function portal.keep_line(uuid, bigint) is
  'Puts a line last in the queue and keeps it as the answer of its operation. Server only.';

create function portal.quote_of(p_contact_id bigint, p_message_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('messageId', m.message_id, 'isOwn', m.type = 'outgoing', 'kind', m.kind, 'body', m.body)
  from public.whatsapp_messages m
  where m.id = p_message_id and m.contact_id = p_contact_id and m.message_id is not null and m.deleted_at is null
$$;
comment on function portal.quote_of(bigint, bigint) is
  'The line of a conversation that is answered to, as messages keep it; null where the lead has no such line. Server only.';

create function portal.queue_message(p_lead jsonb, p_operation_id uuid, p_line jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.stored_line(p_operation_id);
  lead bigint;
  sender_jid text;
  line bigint;
begin
  if answer is not null then return answer; end if;
  lead := portal.lead_to_write(p_lead ->> 'brokerName', (p_lead ->> 'contactId')::bigint, p_lead ->> 'number');
  select s.owner_jid into sender_jid
  from public.whatsapp_contacts c join portal.instance_states s using ("instanceName") where c.id = lead;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, content, quoted,
     operation_id, written_at)
  select
    lead, c."instanceName", sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1), p_line ->> 'body',
    extract(epoch from now())::bigint, 'outgoing', p_line ->> 'kind', 'human', 'queued',
    nullif(p_line -> 'content', 'null'), portal.quote_of(lead, (p_line ->> 'quotedMessageId')::bigint),
    p_operation_id,
    case when (p_line ->> 'writtenAt')::timestamptz < now() - interval '1 minute' then (p_line ->> 'writtenAt')::timestamptz end
  from public.whatsapp_contacts c where c.id = lead
  returning id into line;
  return portal.keep_line(p_operation_id, line);
end $$;
comment on function portal.queue_message(jsonb, uuid, jsonb) is
  'To the lead {brokerName, contactId, number}: writes {kind, body, content, quotedMessageId, writtenAt} into the conversation and the queue, once an operation; answers the row. Server only.';

create function portal.retry_message(p_message_id bigint, p_operation_id uuid) returns jsonb
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
    set delivery = 'queued', delivery_reason = null, operation_id = p_operation_id, "timestamp" = extract(epoch from now())::bigint
    where id = line.id;
    return portal.keep_line(p_operation_id, line.id);
  end if;
  -- It may have arrived, or the gateway knows it by its id: what is sent now is another message, and both are seen.
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, content, quoted, operation_id)
  values
    (line.contact_id, line."instanceName", line."from", line.from_number, line.body, extract(epoch from now())::bigint,
     'outgoing', line.kind, 'human', 'queued', line.content, line.quoted, p_operation_id)
  returning id into again;
  update public.whatsapp_messages set delivery_reason = 'retried' where id = line.id;
  return portal.keep_line(p_operation_id, again);
end $$;
comment on function portal.retry_message(bigint, uuid) is
  'Sends a line again that failed or has an unknown end, because the person wishes so: the same line where it surely never left, else a second one under it, once. Answers the row that goes out. Server only.';

create function portal.cancel_message(p_message_id bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  line public.whatsapp_messages := portal.line_to_change(p_message_id);
begin
  if line.message_id is not null or line.delivery not in ('queued', 'failed')
    or exists (select from portal.outgoing o where o.message_id = line.id and o.claimed_at is not null) then
    raise exception 'Esta mensagem já saiu da fila.' using errcode = 'PT409', hint = 'message.not-queued';
  end if;
  delete from public.whatsapp_messages where id = line.id;
end $$;
comment on function portal.cancel_message(bigint) is
  'Takes a line back that waits, or that failed without ever leaving: it is gone. 409 once it was being sent. Server only.';
