-- What the gateway reports of lines that were sent here (PRODUCT.md 4.3, 4.4). Replaces what 20261121102300 and 102400 began.

create or replace function portal.apply_ack(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  wanted text := event ->> 'delivery';
begin
  select * into target from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  if not found then return false; end if;
  if target.type = 'outgoing' and portal.delivery_rank(wanted) > portal.delivery_rank(target.delivery) then
    update public.whatsapp_messages
    set delivery = wanted, delivery_reason = case when wanted = 'failed' then 'rejected' end
    where id = target.id;
  elsif target.type = 'incoming' and wanted = 'read' and not target.read then
    update public.whatsapp_messages set read = true where id = target.id;
  end if;
  return true;
end $$;
comment on function portal.apply_ack(text, jsonb) is
  'Raises a delivery, never lowers it; an error after the gateway took it is WhatsApp''s own. A lead''s message that was read on the phone is read here too. Server only.';

create or replace function portal.match_sent(instance text, contact bigint, event jsonb) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  matched bigint;
begin
  update public.whatsapp_messages
  set message_id = event ->> 'messageId', "remoteJid" = event #>> '{chat,remoteJid}',
    "timestamp" = (event ->> 'sentAtSeconds')::bigint
  where id = (
    select m.id from public.whatsapp_messages m
    where m.contact_id = contact and m."instanceName" = instance and m.type = 'outgoing' and m.message_id is null
      and (
        m.delivery = 'unknown'
        -- Being sent now, told by the webhook or read back; one whose turn has not come is another's.
        or m.delivery = 'queued' and not exists (
          select from portal.outgoing o where o.message_id = m.id and o.claimed_at is null))
      and m.kind = event ->> 'kind' and m.body = event ->> 'body'
      and m."timestamp" between (event ->> 'sentAtSeconds')::bigint - 86400 and (event ->> 'sentAtSeconds')::bigint + 120
    order by m.delivery = 'unknown', m.id limit 1
    for update
  )
  returning id into matched;
  return matched;
end $$;

create function portal.give_back(line bigint, message_id text, jid text, sent_at_seconds bigint, delivery text) returns void
language sql volatile security definer set search_path = '' as $$
  update public.whatsapp_messages
  set message_id = give_back.message_id, "remoteJid" = jid, "timestamp" = sent_at_seconds, delivery = give_back.delivery,
    delivery_reason = null
  where id = (
    select m.id from public.whatsapp_messages m join public.whatsapp_messages mine on mine.id = line
    where m.contact_id = mine.contact_id and m."instanceName" = mine."instanceName" and m.delivery = 'unknown'
      and m.message_id is null and m.kind = mine.kind and m.body = mine.body and m.id <> line
    order by m.id limit 1
    for update of m
  )
$$;
comment on function portal.give_back(bigint, text, text, bigint, text) is
  'A report that was taken for one line turns out to be of its twin with the unknown end. Without a twin the next sweep brings it. Server only.';

create or replace function portal.settle_sent(line bigint, gateway_id text, jid text, sent_at_seconds bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  mine public.whatsapp_messages;
  twin public.whatsapp_messages;
  known text;
begin
  delete from portal.outgoing where message_id = line;
  select * into mine from public.whatsapp_messages where id = line for update;
  -- The lead may have been removed while it was sent.
  if not found then return; end if;
  select * into twin from public.whatsapp_messages
  where "instanceName" = mine."instanceName" and message_id = gateway_id and id <> line for update;
  if twin.operation_id is not null then
    -- Two of ours with the same words: what was reported was this one.
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
  where id = line;
  if mine.message_id <> gateway_id then
    perform portal.give_back(line, mine.message_id, mine."remoteJid", mine."timestamp", mine.delivery);
  end if;
  insert into portal.identities ("instanceName", jid, person_id)
  select mine."instanceName", settle_sent.jid, c.person_id from public.whatsapp_contacts c where c.id = mine.contact_id
  on conflict do nothing;
  update portal.send_queues set held_times = 0 where "instanceName" = mine."instanceName" and held_times > 0;
  perform portal.apply_waiting(mine."instanceName", gateway_id);
end $$;

create or replace function portal.tell_conversation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'conversation', 'instanceName', c."instanceName", 'contactId', c.id))
  from public.whatsapp_contacts c
  where c.id = case when tg_op = 'DELETE' then old.contact_id else new.contact_id end and c."instanceName" is not null;
  return null;
end $$;
comment on function portal.tell_conversation() is
  'Trigger: a conversation has a new or changed message, or lost one; told to the lead''s owner.';
create trigger tell_shorter_conversation after delete on public.whatsapp_messages
  for each row execute function portal.tell_conversation();
