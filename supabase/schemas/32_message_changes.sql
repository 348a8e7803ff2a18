-- Edits and deletions of sent messages, within WhatsApp's time limits, through the number that sent them. Until the
-- gateway has accepted a change, the message keeps what the lead's phone shows, and the column change has the wanted
-- text.

create function portal.change_limit(kind text) returns interval
language sql immutable set search_path = '' as $$
  select case kind when 'edit' then interval '15 minutes' else interval '2 days' end
$$;
comment on function portal.change_limit(text) is
  'Within what time after sending WhatsApp allows a message to be edited, or deleted for all. Server only.';

create function portal.queue_change(p_lead bigint, p_message_id bigint, p_change jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  is_edit constant boolean := p_change ->> 'kind' = 'edit';
begin
  if not portal.lock_lead(p_lead) then return 'unknown_lead'; end if;
  select m.* into target
  from public.whatsapp_messages m join public.whatsapp_contacts c on c.id = m.contact_id and c."instanceName" = m."instanceName"
  where m.id = p_message_id and m.contact_id = p_lead and m.type = 'outgoing' and m.kind <> 'call'
    and m.message_id is not null and m.delivery in ('sent', 'delivered', 'read')
  for update of m;
  if not found then return 'gone'; end if;
  if target.deleted_at is not null or target.change @> '{"kind": "delete", "state": "queued"}' then
    return case when is_edit then 'gone' else 'already' end;
  end if;
  if is_edit and (target.kind <> 'text' or target.author = 'agent') then return 'gone'; end if;
  if is_edit and target.body = p_change ->> 'body' and coalesce(target.change ->> 'state', 'refused') = 'refused' then
    return 'already';
  end if;
  if to_timestamp(target."timestamp") + portal.change_limit(p_change ->> 'kind') < now() then return 'too_late'; end if;
  update public.whatsapp_messages set change = p_change || '{"state": "queued"}' where id = target.id;
  return 'saved';
end $$;
comment on function portal.queue_change(bigint, bigint, jsonb) is
  'Notes an edit or a deletion {kind, body, operationId} on a message that was sent to the lead; a waiting one is replaced. Returns saved, already, unknown_lead, too_late, or gone. gone: the message is the lead''s, was deleted or not sent, went through another number than the owner''s, or is no text that can be edited (an agent''s texts cannot). Server only.';

create function portal.change_answer(p_code text, p_what text) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('saved', 'already'), 'code', p_code,
    'message', case p_code
      when 'unknown_lead' then 'Lead não encontrado.'
      when 'gone' then format('Não dá mais para %s esta mensagem.', p_what)
      when 'too_late' then case p_what
        when 'editar' then 'O WhatsApp só deixa editar até 15 minutos depois do envio. O contato continua vendo o texto de antes.'
        else 'O WhatsApp só deixa apagar para todos até 2 dias depois do envio. O contato continua vendo a mensagem.'
      end
    end)
$$;
comment on function portal.change_answer(text, text) is
  'The answer to an edit or a deletion: the code of the result, and why it was refused. Server only.';

create function public.message_edit(
  p_contact_id bigint, p_message_id bigint, p_text text,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  wanted text := btrim(p_text, E' \t\r\n');
  code text;
begin
  if answer is not null then return answer; end if;
  if coalesce(wanted, '') = '' then
    raise exception 'Escreva uma mensagem.' using errcode = 'PT422';
  elsif length(wanted) > 10000 then
    raise exception 'A mensagem passa de 10.000 caracteres.' using errcode = 'PT422';
  end if;
  code := portal.queue_change(
    portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead), p_message_id,
    jsonb_build_object('kind', 'edit', 'body', wanted, 'operationId', coalesce(p_operation_id, gen_random_uuid())));
  return portal.end_operation(account, p_operation_id, 'message.edit', portal.change_answer(code, 'editar'));
end $$;
comment on function public.message_edit(bigint, bigint, text, uuid, text, text) is
  'Edits a text that was sent to the caller''s lead at most 15 minutes ago; the gateway sends the edit, and the message''s column change says until then, or if it is refused, what is wanted. A retry changes nothing. Returns {success, code, message}, code saved, already, unknown_lead, gone or too_late. PT422 without text, or with more than 10,000 characters. Brokers, gerentes for leads of the brokers they lead, and administrators.';
revoke execute on function public.message_edit(bigint, bigint, text, uuid, text, text) from public, anon;
grant execute on function public.message_edit(bigint, bigint, text, uuid, text, text) to authenticated, service_role;

create function public.message_delete(
  p_contact_id bigint, p_message_id bigint,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  code text;
begin
  if answer is not null then return answer; end if;
  code := portal.queue_change(
    portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead), p_message_id,
    jsonb_build_object('kind', 'delete', 'operationId', coalesce(p_operation_id, gen_random_uuid())));
  return portal.end_operation(account, p_operation_id, 'message.delete', portal.change_answer(code, 'apagar'));
end $$;
comment on function public.message_delete(bigint, bigint, uuid, text, text) is
  'Deletes for all a message that was sent to the caller''s lead at most two days ago. What the gateway does, a retry, the answer and the permissions are as in message_edit.';
revoke execute on function public.message_delete(bigint, bigint, uuid, text, text) from public, anon;
grant execute on function public.message_delete(bigint, bigint, uuid, text, text) to authenticated, service_role;


-- The sender of an instance claims and settles its changes. A change needs no lease of its own, because repeating an
-- edit or a deletion changes nothing more.

create function portal.settle_change(message bigint, sent jsonb, outcome text, reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
begin
  perform from public.whatsapp_contacts c
  where c.id = (select m.contact_id from public.whatsapp_messages m where m.id = message) for no key update;
  select m.* into target from public.whatsapp_messages m where m.id = message for update;
  if not found or target.deleted_at is not null then return; end if;
  if outcome <> 'done' then
    update public.whatsapp_messages m
    set change = m.change || jsonb_build_object('state', outcome, 'reason', reason)
    -- Leaves a newer change alone: the person asked for another one meanwhile, or the gateway has reported this one.
    where m.id = message and m.change ->> 'operationId' = sent ->> 'operationId';
    return;
  end if;
  if sent ->> 'kind' = 'delete' then
    perform portal.apply_revoke(target."instanceName", jsonb_build_object(
      'messageId', target.message_id, 'atMs', floor(extract(epoch from clock_timestamp()) * 1000)));
  else
    update public.whatsapp_messages m
    set body = sent ->> 'body', edited_at = greatest(m.edited_at, clock_timestamp()),
      change = case when m.change ->> 'operationId' <> sent ->> 'operationId' then m.change end
    where m.id = message;
  end if;
  update portal.send_queues set held_times = 0 where "instanceName" = target."instanceName" and held_times > 0;
end $$;
comment on function portal.settle_change(bigint, jsonb, text, text) is
  'Settles a change {kind, body, operationId} as done, refused, or unknown (the gateway did not confirm it). A refused or unknown one stays on the message with its reason. Server only.';

create function portal.refuse_late_changes() returns void
language sql volatile security definer set search_path = '' as $$
  select portal.settle_change(late.id, late.change, 'refused', 'too-late')
  from (
    select m.id, m.change from public.whatsapp_messages m
    where m.change ->> 'state' = 'queued'
      and to_timestamp(m."timestamp") + portal.change_limit(m.change ->> 'kind') < clock_timestamp()
    order by m.contact_id, m.id) late
$$;
comment on function portal.refuse_late_changes() is
  'Refuses changes that have waited longer than WhatsApp''s limits. Server only.';

create function portal.claim_change(instance text, claimer uuid, lease_seconds integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  queue portal.send_queues;
  answer jsonb;
begin
  if not exists (
    select from public.whatsapp_messages m where m."instanceName" = instance and m.change ->> 'state' = 'queued') then
    return null;
  end if;
  insert into portal.send_queues ("instanceName") select "instanceName" from public.brokers where "instanceName" = instance
  on conflict do nothing;
  select * into queue from portal.send_queues where "instanceName" = instance for update;
  if not found or queue.held_until > clock_timestamp() then return null; end if;
  if queue.holder <> claimer and queue.leased_until > clock_timestamp() then return null; end if;
  perform portal.refuse_late_changes();
  select jsonb_build_object('id', m.id, 'change', m.change, 'messageId', m.message_id,
    'jid', coalesce(m."remoteJid", portal.address_of(m.contact_id, instance)))
  into answer
  from public.whatsapp_messages m where m."instanceName" = instance and m.change ->> 'state' = 'queued'
  order by m.id limit 1;
  if not found then return null; end if;
  update portal.send_queues set holder = claimer, leased_until = clock_timestamp() + make_interval(secs => lease_seconds)
  where "instanceName" = instance;
  return answer;
end $$;
comment on function portal.claim_change(text, uuid, integer) is
  'Claims the next edit or deletion of an instance for the portal that sends it: {id, change, messageId, jid}; null while another portal sends, while the queue is held, and when there is none. Server only.';
