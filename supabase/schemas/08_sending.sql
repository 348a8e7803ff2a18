-- Sending from a conversation: why a message waits or failed, the queue, and the daily limit of first texts.

create table portal.outgoing (
  message_id bigint primary key references public.whatsapp_messages on delete cascade,
  place bigint generated always as identity,
  "instanceName" text,
  claimed_by uuid,
  claimed_at timestamptz,
  queued_at timestamptz not null default clock_timestamp(),
  recipient_id bigint,
  typing_ms integer,
  check ((claimed_at is null) = (claimed_by is null) and (claimed_at is null) = ("instanceName" is null))
);
comment on table portal.outgoing is
  'Messages that wait to be sent. Each belongs to the queue of the instance that owns its lead at the time of sending. A row is deleted once the outcome is known.';
comment on column portal.outgoing.place is 'The place in the queue. A message that is retried goes to the end.';
comment on column portal.outgoing."instanceName" is 'The instance that is sending the message; null while it waits.';
comment on column portal.outgoing.claimed_by is
  'The portal that is sending the message. If that portal''s lease has expired, the outcome is unknown.';
comment on column portal.outgoing.recipient_id is
  'The recipient of a campaign, for its message. Such a message waits behind everything that a person wrote. Null for a person''s message.';
comment on column portal.outgoing.typing_ms is
  'For how many milliseconds the gateway first shows ''digitando…''. Null: the default of a reply.';
create index outgoing_recipient on portal.outgoing (recipient_id);
comment on index portal.outgoing_recipient is 'Serves removing a campaign''s message from the queue.';
alter table portal.outgoing enable row level security;

create table portal.send_queues (
  "instanceName" text primary key references public.brokers ("instanceName") on update cascade on delete cascade,
  holder uuid,
  leased_until timestamptz,
  held_until timestamptz,
  held_times integer not null default 0,
  texts_after timestamptz,
  doubted_message bigint references public.whatsapp_messages on delete set null
);
comment on table portal.send_queues is
  'One row for each instance that sends: which portal sends for it, and until when its queue waits because the link or the gateway is down.';
comment on column portal.send_queues.holder is
  'The id of a portal process. Only it sends for the instance until leased_until, which it renews.';
comment on column portal.send_queues.texts_after is
  'Until then no scheduled text enters the queue, so that texts delayed by an outage leave one by one.';
comment on column portal.send_queues.doubted_message is
  'A message of which the portal does not know whether it left, because a proxy answered for the gateway. The queue stops until the gateway''s store was read. Null: none.';
comment on column portal.send_queues.held_times is
  'How often in a row nothing could be sent. Each time doubles the wait.';
create index send_queues_doubted on portal.send_queues (doubted_message);
comment on index portal.send_queues_doubted is 'Serves finding the messages that may have left, and their removal.';
alter table portal.send_queues enable row level security;


-- Functions that queue, cancel and retry a message as the calling person. A refusal has the HTTP status in its errcode
-- and its code in the hint.

create function portal.require_address(p_lead bigint, p_instance text) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from portal.number_doubts d where d.contact_id = p_lead) then
    raise exception 'O número deste lead está em dúvida. O administrador escolhe o certo no CRM.'
      using errcode = 'PT409', hint = 'lead.number-in-doubt';
  elsif portal.address_of(p_lead, p_instance) is null then
    raise exception 'Este lead não tem um número de WhatsApp.' using errcode = 'PT409', hint = 'lead.no-number';
  end if;
end $$;
comment on function portal.require_address(bigint, text) is
  'Raises 409 if nothing can be sent to a lead, because its number is unknown or in doubt. Server only.';

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
  end if;
  perform portal.require_address(lead, owner);
  return lead;
end $$;
comment on function portal.lead_to_write(text, bigint, text) is
  'The lead to which the caller wants to write, found as portal.asked_lead does. 404 for a lead that the caller does not reach, 409 if no instance can send. Server only.';

create function portal.message_to_change(p_message_id bigint) returns public.whatsapp_messages
language plpgsql volatile security definer set search_path = '' as $$
declare
  message public.whatsapp_messages;
begin
  perform portal.require_member();
  -- Locks the queue's row before the message, as the sender does, so that the two cannot deadlock.
  perform from portal.outgoing o where o.message_id = p_message_id for update;
  select m.* into message
  from public.whatsapp_messages m join public.whatsapp_contacts c on c.id = m.contact_id
  where m.id = p_message_id and m.type = 'outgoing' and m.author = 'human'
    and portal.reaches(c."instanceName")
  for update of m;
  if not found then
    raise exception 'Mensagem não encontrada.' using errcode = 'PT404', hint = 'message.unknown';
  end if;
  return message;
end $$;
comment on function portal.message_to_change(bigint) is
  'A message that a person wrote to a lead of the caller, locked for a change; else 404. Server only.';

create function portal.stored_message(p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_operation(portal.require_member(), p_operation_id);
begin
  -- Returns the row as it is now. If the message was cancelled meanwhile, returns it as the operation stored it.
  return coalesce((select to_jsonb(m) from public.whatsapp_messages m where m.id = (answer ->> 'id')::bigint), answer);
end $$;
comment on function portal.stored_message(uuid) is
  'The message that this operation of the calling account queued before. Null: the operation is new. Server only.';

create function portal.keep_message(p_operation_id uuid, p_message_id bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.outgoing (message_id) values (p_message_id);
  return portal.end_operation(portal.account_id(), p_operation_id, 'message.send',
    (select to_jsonb(m) from public.whatsapp_messages m where m.id = p_message_id));
end $$;
comment on function portal.keep_message(uuid, bigint) is
  'Puts a message at the end of the queue and stores it as the answer of its operation. Server only.';

create function portal.quote_of(p_contact_id bigint, p_message_id bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('messageId', m.message_id, 'isOwn', m.type = 'outgoing', 'kind', m.kind, 'body', m.body)
  from public.whatsapp_messages m
  where m.id = p_message_id and m.contact_id = p_contact_id and m.message_id is not null and m.deleted_at is null
$$;
comment on function portal.quote_of(bigint, bigint) is
  'A message of a conversation in the form of the column quoted. Null if the lead has no such message. Server only.';

create function portal.queue_message(p_lead jsonb, p_operation_id uuid, p_message jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.stored_message(p_operation_id);
  lead bigint;
  sender_jid text;
  message bigint;
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
    lead, c."instanceName", sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1), p_message ->> 'body',
    floor(extract(epoch from now()))::bigint, 'outgoing', p_message ->> 'kind', 'human', 'queued',
    nullif(p_message -> 'content', 'null'), portal.quote_of(lead, (p_message ->> 'quotedMessageId')::bigint),
    p_operation_id,
    case when (p_message ->> 'writtenAt')::timestamptz < now() - interval '1 minute' then (p_message ->> 'writtenAt')::timestamptz end
  from public.whatsapp_contacts c where c.id = lead
  returning id into message;
  return portal.keep_message(p_operation_id, message);
end $$;
comment on function portal.queue_message(jsonb, uuid, jsonb) is
  'Writes the message {kind, body, content, quotedMessageId, writtenAt} to the lead {brokerName, contactId, number} into the conversation and the queue. A retry of the operation changes nothing. Returns the row. Server only.';

create function portal.forward_file(p_lead jsonb, p_operation_id uuid, p_message_id bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.stored_message(p_operation_id);
  source public.whatsapp_messages;
begin
  if answer is not null then return answer; end if;
  select m.* into source
  from public.whatsapp_messages m join public.whatsapp_contacts c on c.id = m.contact_id
  where m.id = p_message_id and m.deleted_at is null and m.kind in ('image', 'video', 'audio', 'document')
    and not coalesce((m.content ->> 'isViewOnce')::boolean, false)
    and portal.reaches(c."instanceName");
  if not found then
    raise exception 'Mensagem não encontrada.' using errcode = 'PT404', hint = 'message.unknown';
  elsif source.content ->> 'mediaId' is null then
    raise exception 'O arquivo não está mais guardado.' using errcode = 'PT409', hint = 'media.unavailable';
  end if;
  -- The new message refers to the same file. A phone's photo has no file name, but an outgoing file needs one.
  return portal.queue_message(p_lead, p_operation_id, jsonb_build_object(
    'kind', source.kind, 'body', source.body,
    'content', source.content || jsonb_build_object('fileName', coalesce(source.content ->> 'fileName', ''))));
end $$;
comment on function portal.forward_file(jsonb, uuid, bigint) is
  'Queues the file of a message that the caller may read, with its caption, for another lead {brokerName, contactId, number}. A retry of the operation changes nothing. Returns the row. 404 for messages of other brokers, texts and view-once media, 409 if the file was deleted. Server only.';

create function portal.queue_quick_reply(p_lead jsonb, p_operation_id uuid, p_message jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.stored_message(p_operation_id);
  given jsonb;
begin
  if answer is not null then return answer; end if;
  select q.file into given from public.quick_replies q
  where q.id = (p_message ->> 'quickReplyId')::uuid and (q.broker_id is null or q.broker_id = portal.account_id());
  if given #>> '{content,mediaId}' is distinct from p_message ->> 'mediaId' then
    raise exception 'O arquivo desta resposta rápida mudou. Escolha a resposta de novo.'
      using errcode = 'PT409', hint = 'quick-reply.changed';
  end if;
  return portal.queue_message(p_lead, p_operation_id, p_message || given);
end $$;
comment on function portal.queue_quick_reply(jsonb, uuid, jsonb) is
  'Queues the file of a quick reply that the caller may read, as portal.queue_message does: {quickReplyId, mediaId, body, quotedMessageId, writtenAt}. 409 if the reply has another file than the caller saw, or is gone. Server only.';

create function portal.retry_message(p_message_id bigint, p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.stored_message(p_operation_id);
  message public.whatsapp_messages;
  again bigint;
begin
  if answer is not null then return answer; end if;
  message := portal.message_to_change(p_message_id);
  perform portal.lead_to_write(null, message.contact_id, null);
  if message.delivery not in ('failed', 'unknown') then
    raise exception '%', case message.delivery when 'queued' then 'Esta mensagem já está na fila.' else 'Esta mensagem já foi enviada.' end
      using errcode = 'PT409', hint = 'message.not-failed';
  elsif message.delivery_reason = 'retried' or message.deleted_at is not null then
    raise exception 'Esta mensagem já foi enviada de novo.' using errcode = 'PT409', hint = 'message.retried';
  end if;
  if message.delivery = 'failed' and message.message_id is null then
    -- The message surely never left, so the same row is queued again.
    update public.whatsapp_messages
    set delivery = 'queued', delivery_reason = null, operation_id = p_operation_id, "timestamp" = floor(extract(epoch from now()))::bigint
    where id = message.id;
    return portal.keep_message(p_operation_id, message.id);
  end if;
  -- The first message may have arrived, or the gateway has given it an id. The retry is therefore a second message, and
  -- the conversation shows both.
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, content, quoted, operation_id)
  values
    (message.contact_id, message."instanceName", message."from", message.from_number, message.body, floor(extract(epoch from now()))::bigint,
     'outgoing', message.kind, 'human', 'queued', message.content, message.quoted, p_operation_id)
  returning id into again;
  update public.whatsapp_messages set delivery_reason = 'retried' where id = message.id;
  return portal.keep_message(p_operation_id, again);
end $$;
comment on function portal.retry_message(bigint, uuid) is
  'Retries a failed message, or one with an unknown outcome, because a person asks for it. A message that surely never left is queued again; otherwise a second one is added below it. Returns the queued row. A retry of the operation changes nothing. Server only.';

create function portal.cancel_message(p_message_id bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  message public.whatsapp_messages := portal.message_to_change(p_message_id);
begin
  if message.message_id is not null or message.delivery not in ('queued', 'failed')
    or exists (select from portal.outgoing o where o.message_id = message.id and o.claimed_at is not null)
    or exists (select from portal.send_queues q where q.doubted_message = message.id) then
    raise exception 'Esta mensagem já saiu da fila.' using errcode = 'PT409', hint = 'message.not-queued';
  end if;
  delete from public.whatsapp_messages where id = message.id;
end $$;
comment on function portal.cancel_message(bigint) is
  'Cancels and deletes a message that waits, or that failed without leaving. 409 once sending has begun. Server only.';


create function portal.quick_reply_to_change(p_id uuid) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_member();
  if not exists (
    select from public.quick_replies q
    where q.id = p_id and (q.broker_id = portal.account_id() or q.broker_id is null and portal.is_admin())) then
    raise exception 'Esta resposta rápida não existe mais.' using errcode = 'PT404', hint = 'quick-reply.unknown';
  end if;
  return p_id;
end $$;
comment on function portal.quick_reply_to_change(uuid) is
  'A quick reply that the caller may write; else 404. Server only.';

create function portal.set_quick_reply_file(p_id uuid, p_file jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.quick_replies q set file = p_file where q.id = portal.quick_reply_to_change(p_id);
  return p_file;
exception
  when check_violation then
    raise exception 'Com um arquivo, o texto tem até 1.024 letras.' using errcode = 'PT422', hint = 'message.too-long';
end $$;
comment on function portal.set_quick_reply_file(uuid, jsonb) is
  'Sets the file {kind, content} of a quick reply that the caller may write, or removes it (null). Returns the reply. 404 for any other reply, 422 if its text is too long for a caption. Server only.';


-- One queue for each instance. A portal claims a message, sends it and settles it. A message that was claimed but never
-- settled has an unknown outcome, and the portal does not send it again by itself.

create function portal.lose_claims() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  with lost as (
    delete from portal.outgoing o
    where o.claimed_at is not null and not exists (
      select from portal.send_queues q
      where q."instanceName" = o."instanceName" and q.holder = o.claimed_by and q.leased_until > clock_timestamp())
    returning o.message_id
  )
  update public.whatsapp_messages m
  set delivery = 'unknown', delivery_reason = 'interrupted'
  -- If the gateway has reported the message meanwhile, it was sent.
  from lost where m.id = lost.message_id and m.message_id is null;
  -- A lead that lost its broker has no instance to send from.
  with left_over as (
    delete from portal.outgoing o
    using public.whatsapp_messages m, public.whatsapp_contacts c
    where o.claimed_at is null and m.id = o.message_id and c.id = m.contact_id and c."instanceName" is null
    returning o.message_id
  )
  update public.whatsapp_messages m set delivery = 'failed', delivery_reason = 'no-owner'
  from left_over where m.id = left_over.message_id;
end $$;
comment on function portal.lose_claims() is
  'Cleans up after a crash. Messages that the dead portal was sending get an unknown outcome. Messages of leads without a broker fail. Server only.';

create function portal.due_queues() returns setof text
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.lose_claims();
  return query
    select c."instanceName"
    from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id
    join public.whatsapp_contacts c on c.id = m.contact_id
    left join portal.send_queues q on q."instanceName" = c."instanceName"
    where o.claimed_at is null and (q.held_until is null or q.held_until <= clock_timestamp()) and q.doubted_message is null
    union
    select m."instanceName"
    from portal.outgoing_reactions r
    join public.whatsapp_messages m on m.id = r.message_id
    left join portal.send_queues q on q."instanceName" = m."instanceName"
    where (q.held_until is null or q.held_until <= clock_timestamp()) and q.doubted_message is null
    union
    select m."instanceName"
    from public.whatsapp_messages m
    left join portal.send_queues q on q."instanceName" = m."instanceName"
    where m.change ->> 'state' = 'queued' and (q.held_until is null or q.held_until <= clock_timestamp())
      and q.doubted_message is null;
end $$;
comment on function portal.due_queues() is
  'Instances that have a message, reaction, edit or deletion to send now. Releases the claims of crashed portals first. Server only.';

create function portal.claim_message(instance text, claimer uuid, lease_seconds integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  queue portal.send_queues;
  next_message portal.outgoing;
  message public.whatsapp_messages;
  hindrance text;
  address text;
begin
  insert into portal.send_queues ("instanceName") select "instanceName" from public.brokers where "instanceName" = instance
  on conflict do nothing;
  select * into queue from portal.send_queues where "instanceName" = instance for update;
  if not found or queue.held_until > clock_timestamp() or queue.doubted_message is not null then return null; end if;
  if queue.holder <> claimer and queue.leased_until > clock_timestamp() then return null; end if;
  update portal.send_queues set holder = claimer, leased_until = clock_timestamp() + make_interval(secs => lease_seconds)
  where "instanceName" = instance;
  perform portal.lose_claims();
  loop
    select o.* into next_message
    from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id
    join public.whatsapp_contacts c on c.id = m.contact_id
    where o.claimed_at is null and c."instanceName" = instance
      -- Skips a message that may have left, even if its lead now belongs to another broker.
      and not exists (select from portal.send_queues d where d.doubted_message = o.message_id)
    -- A person's message comes before every campaign's.
    order by o.recipient_id is not null, o.place limit 1
    for update of o skip locked;
    if next_message.message_id is null then
      -- Releases the lease in the same transaction. A message that is queued afterwards then finds the queue free.
      update portal.send_queues set leased_until = null where "instanceName" = instance;
      return null;
    end if;
    select * into message from public.whatsapp_messages where id = next_message.message_id;
    hindrance := portal.message_hindrance(next_message.recipient_id);
    if hindrance is not null then
      perform portal.withdraw_campaign_message(
        next_message.recipient_id, case hindrance when 'paused' then 'pending' else 'cancelled' end, nullif(hindrance, 'paused'));
      continue;
    end if;
    if message.author = 'agent' and portal.withdraw_overtaken(message.id) then continue; end if;
    if portal.withdraw_answered(message.id) or portal.withdraw_untimely(message.id) then continue; end if;
    update portal.outgoing set "instanceName" = instance, claimed_by = claimer, claimed_at = clock_timestamp()
    where message_id = message.id;
    address := portal.address_of(message.contact_id, instance);
    exit when address is not null;
    perform portal.settle_unsent(message.id, 'failed',
      case when exists (select from portal.number_doubts d where d.contact_id = message.contact_id) then 'number-in-doubt' else 'no-number' end);
  end loop;
  -- The owner of the lead may have changed since the message was queued; the message leaves from the present owner's
  -- instance.
  update public.whatsapp_messages
  set "instanceName" = instance, delivery_reason = null,
    "timestamp" = case when "timestamp" < extract(epoch from now()) - 60 then floor(extract(epoch from now()))::bigint else "timestamp" end
  where id = message.id
    and ("instanceName" <> instance or delivery_reason is not null or "timestamp" < extract(epoch from now()) - 60);
  return jsonb_build_object(
    'id', message.id, 'address', address, 'kind', message.kind, 'body', message.body, 'content', message.content,
    'ownId', portal.own_message_id(message), 'typingMs', next_message.typing_ms,
    'unlessAnswered', exists (select from portal.scheduled_messages s where s.message_id = message.id and s.unless_answered),
    -- Another phone does not know the quoted message, so the quote is left out.
    'quotedId', (select m.message_id from public.whatsapp_messages m
      where m."instanceName" = instance and m.message_id = message.quoted ->> 'messageId')
  );
end $$;
comment on function portal.claim_message(text, uuid, integer) is
  'Claims the next message of an instance for the portal that sends it: {id, address, kind, body, content, ownId, typingMs, quotedId, unlessAnswered: portal.may_hand_over must allow it first}. A person''s messages come before a campaign''s. Null while another portal sends, while the queue is held, and when it is empty. Server only.';

create function portal.settle_unsent(message bigint, outcome text, reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from portal.outgoing where message_id = message;
  -- If the gateway has reported the message meanwhile, the message was sent, whatever the gateway answered.
  update public.whatsapp_messages set delivery = outcome, delivery_reason = reason
  where id = message and message_id is null and delivery in ('queued', 'unknown');
end $$;
comment on function portal.settle_unsent(bigint, text, text) is
  'Settles a message that the gateway did not accept: ''failed'' if it surely never left, ''unknown'' if it may have left. Server only.';

create function portal.hold_queue(message bigint, reason text, most_seconds integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  instance text;
begin
  -- If the gateway has reported the message meanwhile, it was sent.
  delete from portal.outgoing o using public.whatsapp_messages m
  where o.message_id = message and m.id = message and m.message_id is not null;
  update portal.outgoing o set "instanceName" = null, claimed_by = null, claimed_at = null
  from (select message_id, "instanceName" from portal.outgoing where message_id = message) as before
  where o.message_id = before.message_id
  returning before."instanceName" into instance;
  update portal.send_queues
  set leased_until = null, held_times = held_times + 1,
    held_until = clock_timestamp() + make_interval(secs => least(most_seconds, 5 * 2 ^ least(held_times, 10)))
  where "instanceName" = instance;
  update public.whatsapp_messages m set delivery_reason = reason
  from portal.outgoing o, public.whatsapp_contacts c
  where o.message_id = m.id and o.claimed_at is null and c.id = m.contact_id and c."instanceName" = instance
    and m.delivery_reason is distinct from reason;
end $$;
comment on function portal.hold_queue(bigint, text, integer) is
  'Puts a message back into the queue, because nothing can be sent now. All messages of the instance wait and show the reason. The wait begins at 5 seconds and doubles each time, up to most_seconds. Server only.';

create function portal.resume_queue(instance text) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.send_queues set held_until = null, held_times = 0 where "instanceName" = instance and held_times > 0
$$;
comment on function portal.resume_queue(text) is
  'Releases the queue of an instance whose link is open again. Server only.';

create function portal.resume_queues() returns void
language sql volatile security definer set search_path = '' as $$
  update portal.send_queues set held_until = null, held_times = 0 where held_times > 0
$$;
comment on function portal.resume_queues() is 'Releases the queues that waited for the gateway. Server only.';

create function portal.doubt_message(message bigint) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.send_queues q set doubted_message = m.id
  from public.whatsapp_messages m join public.whatsapp_contacts c on c.id = m.contact_id
  where m.id = message and m.message_id is null and q."instanceName" = m."instanceName"
$$;
comment on function portal.doubt_message(bigint) is
  'Notes that a message which went back into the queue may have left. Its instance sends nothing until portal.end_doubt. Server only.';

create function portal.end_doubt(instance text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from portal.outgoing o using public.whatsapp_messages m, portal.send_queues q
  where q."instanceName" = instance and m.id = q.doubted_message and m.message_id is not null and o.message_id = m.id;
  update portal.send_queues set doubted_message = null, held_until = null, held_times = 0
  where "instanceName" = instance and doubted_message is not null;
end $$;
comment on function portal.end_doubt(text) is
  'Called after the gateway''s store was read. If the message was found there, it leaves the queue; else it is sent like any other. Server only.';

create function portal.sending_counts() returns table ("instanceName" text, queued bigint, oldest_seconds integer)
language sql stable security definer set search_path = '' as $$
  select c."instanceName", count(*), extract(epoch from clock_timestamp() - min(o.queued_at))::integer
  from portal.outgoing o
  join public.whatsapp_messages m on m.id = o.message_id
  join public.whatsapp_contacts c on c.id = m.contact_id
  group by 1 order by 1
$$;
comment on function portal.sending_counts() is
  'Number of unsent messages of each instance, and the age of the oldest in seconds; for health. Server only.';

create function portal.give_back(message bigint, message_id text, jid text, sent_at_seconds bigint, delivery text) returns void
language sql volatile security definer set search_path = '' as $$
  update public.whatsapp_messages
  set message_id = give_back.message_id, "remoteJid" = jid, "timestamp" = sent_at_seconds, delivery = give_back.delivery,
    delivery_reason = null
  where id = (
    select m.id from public.whatsapp_messages m join public.whatsapp_messages mine on mine.id = message
    where m.contact_id = mine.contact_id and m."instanceName" = mine."instanceName" and m.delivery = 'unknown'
      and m.message_id is null and m.kind = mine.kind and m.body = mine.body and m.id <> message
    order by m.id limit 1
    for update of m
  )
$$;
comment on function portal.give_back(bigint, text, text, bigint, text) is
  'Corrects a wrong match: a report was matched with this message, but belongs to another one with the same text and an unknown outcome. Moves the report''s data there. If there is none, the next sweep reads the message again. Server only.';

create function portal.settle_sent(message bigint, gateway_id text, jid text, sent_at_seconds bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  mine public.whatsapp_messages;
  twin public.whatsapp_messages;
  known text;
begin
  delete from portal.outgoing where message_id = message;
  select * into mine from public.whatsapp_messages where id = message for update;
  -- The lead may have been deleted while the message was being sent.
  if not found then return; end if;
  select * into twin from public.whatsapp_messages
  where "instanceName" = mine."instanceName" and message_id = gateway_id and id <> message for update;
  if twin.operation_id is not null then
    -- Two messages of ours have the same text. The report was of this one, so the other's outcome is unknown.
    update public.whatsapp_messages set message_id = null, delivery = 'unknown', delivery_reason = 'no-answer' where id = twin.id;
  elsif twin.id is not null then
    delete from public.whatsapp_messages where id = twin.id;
  end if;
  known := coalesce(case when mine.message_id = gateway_id then mine.delivery end, twin.delivery, 'sent');
  if portal.delivery_rank(known) < portal.delivery_rank('sent') then known := 'sent'; end if;
  update public.whatsapp_messages
  set
    message_id = gateway_id, "remoteJid" = jid, "timestamp" = sent_at_seconds,
    delivery = known, delivery_reason = case when known = 'failed' then 'rejected' end,
    reactions = coalesce(twin.reactions, mine.reactions),
    kind = case when twin.deleted_at is null then mine.kind else 'deleted' end,
    body = case when twin.deleted_at is not null then '' when twin.edited_at is not null then twin.body else mine.body end,
    edited_at = coalesce(twin.edited_at, mine.edited_at), deleted_at = coalesce(twin.deleted_at, mine.deleted_at)
  where id = message;
  if mine.message_id <> gateway_id then
    perform portal.give_back(message, mine.message_id, mine."remoteJid", mine."timestamp", mine.delivery);
  end if;
  insert into portal.identities ("instanceName", jid, person_id)
  select mine."instanceName", settle_sent.jid, c.person_id
  from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
  where c.id = mine.contact_id
    and (settle_sent.jid like '%@lid' or p.number_key is null or p.number_key = portal.number_key(settle_sent.jid))
  on conflict do nothing;
  update portal.send_queues set held_times = 0 where "instanceName" = mine."instanceName" and held_times > 0;
  perform portal.apply_waiting(mine."instanceName", gateway_id);
end $$;
comment on function portal.settle_sent(bigint, text, text, bigint) is
  'The gateway accepted a message: stores its message id, address and time, and applies what was reported before the answer came. Server only.';


-- WhatsApp blocks accounts that write first to many strangers. So each of the agency's numbers may begin only some
-- conversations a day: by hand, by the API or scheduled. Campaigns have a limit of their own. Nobody who opted out gets
-- a first text; an erasure counts as an opt-out.

create table portal.first_text_days (
  number text not null,
  day date not null,
  sent integer not null check (sent > 0),
  primary key (number, day)
);
comment on table portal.first_text_days is
  'How many conversations each of the agency''s phone numbers began on each day of the portal''s time zone.';
comment on column portal.first_text_days.number is 'The number as portal.phone_of returns it.';
alter table portal.first_text_days enable row level security;

create function portal.first_texts_a_day() returns integer
language sql stable security definer set search_path = '' as $$
  select coalesce((select (s.value #>> '{}')::integer from portal.settings s where s.key = 'first_texts_a_day'), 50)
$$;
comment on function portal.first_texts_a_day() is
  'How many conversations one of the agency''s numbers may begin in a day: the setting first_texts_a_day, else 50. Server only.';

create function portal.begin_conversation(p_lead bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  chip text;
  most integer := portal.first_texts_a_day();
begin
  if exists (
    select from public.whatsapp_messages m
    where m.contact_id = p_lead and (m.type = 'incoming' or m.delivery <> 'failed')) then
    return;
  end if;
  select portal.phone_of(c."instanceName") into chip from public.whatsapp_contacts c where c.id = p_lead;
  if exists (
    select from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
    where c.id = p_lead and p.opted_out_at is not null) then
    raise exception 'Esta pessoa pediu para não receber mensagens. Só responda se ela escrever.'
      using errcode = 'PT409', hint = 'lead.opted-out';
  end if;
  insert into portal.first_text_days as d (number, day, sent)
  select chip, (now() at time zone portal.time_zone())::date, 1 where most > 0
  on conflict (number, day) do update set sent = d.sent + 1 where d.sent < most;
  if not found then
    raise exception 'Este WhatsApp já começou % conversas hoje com quem nunca escreveu. Para não ser bloqueado, continue amanhã ou espere a pessoa escrever.', most
      using errcode = 'PT409', hint = 'message.first-texts';
  end if;
end $$;
comment on function portal.begin_conversation(bigint) is
  'Counts the first text to a lead who never wrote against the daily limit of the owner''s number. Does nothing if there is a conversation already. 409 beyond the limit, and for leads who opted out. Server only.';


-- Reactions that persons add in the portal. The screen shows them at once; they are sent after the messages of their
-- instance. Only the last reaction to a message counts, so an interrupted send is simply repeated.

create table portal.outgoing_reactions (
  message_id bigint primary key references public.whatsapp_messages on delete cascade,
  place bigint generated always as identity,
  emoji text not null,
  before jsonb,
  queued_at timestamptz not null default clock_timestamp()
);
comment on table portal.outgoing_reactions is
  'Reactions that wait to be sent, through the number that carried the message. A row is deleted once the outcome is known.';
comment on column portal.outgoing_reactions.place is
  'The place in the queue. A new reaction to the same message goes to the end.';
comment on column portal.outgoing_reactions.emoji is 'Empty: removes the reaction.';
comment on column portal.outgoing_reactions.before is
  'The reaction that the message shows again if the gateway refuses the new one. Null: none.';
alter table portal.outgoing_reactions enable row level security;

create function public.message_react(
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
  lead := portal.lock_asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if lead is null then
    code := 'unknown_lead';
  else
    -- Locks the message before its row in the queue, as the sender does, so that the two cannot deadlock.
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
comment on function public.message_react(bigint, bigint, text, uuid, text, text) is
  'Reacts to a message of the caller''s lead, or removes the reaction with an empty emoji; a retry changes nothing. Returns {success, code, message}, code saved, already, unknown_lead or gone (the message was deleted, is not sent yet, or went through another number than the owner''s). PT422 if it is no emoji. A broker for its own leads, a gerente for those of the brokers it leads, an administrator for all.';
revoke execute on function public.message_react(bigint, bigint, text, uuid, text, text) from public, anon;
grant execute on function public.message_react(bigint, bigint, text, uuid, text, text) to authenticated, service_role;

create function portal.claim_reaction(instance text, claimer uuid, lease_seconds integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  queue portal.send_queues;
  answer jsonb;
begin
  select jsonb_build_object('id', r.message_id, 'turn', r.place, 'emoji', r.emoji, 'messageId', m.message_id,
    'isOwn', m.type = 'outgoing', 'jid', coalesce(m."remoteJid", portal.address_of(m.contact_id, instance)))
  into answer
  from portal.outgoing_reactions r join public.whatsapp_messages m on m.id = r.message_id
  where m."instanceName" = instance and m.message_id is not null
  order by r.place limit 1;
  if not found then return null; end if;
  insert into portal.send_queues ("instanceName") select "instanceName" from public.brokers where "instanceName" = instance
  on conflict do nothing;
  select * into queue from portal.send_queues where "instanceName" = instance for update;
  if not found or queue.held_until > clock_timestamp() then return null; end if;
  if queue.holder <> claimer and queue.leased_until > clock_timestamp() then return null; end if;
  update portal.send_queues set holder = claimer, leased_until = clock_timestamp() + make_interval(secs => lease_seconds)
  where "instanceName" = instance;
  return answer;
end $$;
comment on function portal.claim_reaction(text, uuid, integer) is
  'Claims the next reaction of an instance for the portal that sends it: {id, turn, emoji, messageId, isOwn, jid}; null while another portal sends, while the queue is held, and when there is none. Server only.';

create function portal.settle_reaction(message bigint, turn bigint, sent_emoji text, gateway_id text, sent_at_seconds bigint, is_refused boolean)
returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  mine constant text := 'portal-' || turn;
  sent portal.outgoing_reactions;
begin
  perform from public.whatsapp_messages m where m.id = message for update;
  delete from portal.outgoing_reactions r where r.message_id = message and r.place = turn returning * into sent;
  if sent.message_id is null then
    -- A newer reaction is queued. If the gateway refuses that one, the message shows this one again.
    update portal.outgoing_reactions r
    set before = jsonb_build_object('emoji', sent_emoji, 'at', sent_at_seconds, 'id', gateway_id)
    where r.message_id = message and gateway_id is not null;
    return;
  end if;
  update public.whatsapp_messages m
  set reactions = case
    when not is_refused then m.reactions || jsonb_build_object('me',
      (m.reactions -> 'me') || jsonb_strip_nulls(jsonb_build_object('id', gateway_id, 'at', sent_at_seconds)))
    when sent.before is null then m.reactions - 'me'
    else m.reactions || jsonb_build_object('me', sent.before)
  end
  -- Keeps a newer reaction that the phone has reported since.
  where m.id = message and m.reactions #>> '{me,id}' = mine;
  update portal.send_queues q set held_times = 0 where q.held_times > 0 and gateway_id is not null
    and q."instanceName" = (select m."instanceName" from public.whatsapp_messages m where m.id = message);
end $$;
comment on function portal.settle_reaction(bigint, bigint, text, text, bigint, boolean) is
  'Settles a reaction: accepted, under the gateway''s id; unknown (no id), and it stays as shown; or refused, and the previous one is shown again. Server only.';

create function portal.hold_reactions(instance text, most_seconds integer) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.send_queues
  set leased_until = null, held_times = held_times + 1,
    held_until = clock_timestamp() + make_interval(secs => least(most_seconds, 5 * 2 ^ least(held_times, 10)))
  where "instanceName" = instance
$$;
comment on function portal.hold_reactions(text, integer) is
  'Nothing can be sent for an instance now. Its reactions wait together with its messages; the wait doubles each time up to a limit. Server only.';
