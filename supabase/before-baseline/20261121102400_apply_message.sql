-- A reported message -> a chat line of its contact, once; and the one door for every kind of event (PRODUCT.md 4.2-4.4).

create function portal.match_sent(instance text, contact bigint, event jsonb) returns bigint
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
      and (m.delivery = 'unknown' or (m.delivery = 'queued' and (event ->> 'isViaApi')::boolean))
      and m.kind = event ->> 'kind' and m.body = event ->> 'body'
      and m."timestamp" between (event ->> 'sentAtSeconds')::bigint - 86400 and (event ->> 'sentAtSeconds')::bigint + 120
    order by m.id limit 1
    for update
  )
  returning id into matched;
  return matched;
end $$;
comment on function portal.match_sent(text, bigint, jsonb) is
  'The line of ours that a reported message is: the report can come before the answer to sending, and is all there is after a crash in between. By address, text and time. Server only.';

create function portal.add_message(instance text, contact bigint, event jsonb) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_own boolean := (event ->> 'fromMe')::boolean;
  sender_jid text := event #>> '{chat,ownJid}';
  added bigint;
begin
  if not is_own then
    sender_jid := coalesce(
      (select j from jsonb_array_elements_text(event #> '{chat,jids}') as given (j) where j like '%@s.whatsapp.net' limit 1),
      event #>> '{chat,remoteJid}');
  end if;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", message_id, "remoteJid", "from", from_number, body, "timestamp", type, kind, author,
     delivery, content, quoted)
  values (
    contact, instance, event ->> 'messageId', event #>> '{chat,remoteJid}',
    sender_jid, case when sender_jid like '%@s.whatsapp.net' then split_part(sender_jid, '@', 1) end,
    event ->> 'body', (event ->> 'sentAtSeconds')::bigint,
    case when is_own then 'outgoing' else 'incoming' end,
    event ->> 'kind',
    -- Sent through the API and not by us: an agent's, which is no human's answer.
    case when (event ->> 'isViaApi')::boolean then 'agent' else 'human' end,
    case when is_own then event ->> 'delivery' end,
    nullif(event -> 'content', 'null'), nullif(event -> 'quoted', 'null')
  )
  returning id into added;
  return added;
end $$;
comment on function portal.add_message(text, bigint, jsonb) is 'A chat line from a reported message. Server only.';

create function portal.improve_message(known public.whatsapp_messages, event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if known.deleted_at is not null then return; end if;
  if known.kind = 'unsupported' and event ->> 'kind' <> 'unsupported' then
    update public.whatsapp_messages
    set kind = event ->> 'kind', content = nullif(event -> 'content', 'null'), quoted = nullif(event -> 'quoted', 'null'),
      body = case when known.edited_at is null then event ->> 'body' else known.body end
    where id = known.id;
    delete from portal.message_raw where message_id = known.id;
  elsif known.kind = event ->> 'kind' and known.content ->> 'mediaId' is null
    and event #>> '{content,mediaId}' is not null then
    update public.whatsapp_messages set content = event -> 'content' where id = known.id;
  end if;
end $$;
comment on function portal.improve_message(public.whatsapp_messages, jsonb) is
  'A message that came first without its text or its bytes gets them from a later report. Server only.';

create function portal.learn_of_contact(contact bigint, instance text, event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  waited_name text;
begin
  with came as (
    delete from portal.waiting_events
    where "instanceName" = instance and kind = 'name'
      and target in (select jsonb_array_elements_text(event #> '{chat,jids}'))
    returning waited ->> 'name' as name
  )
  select min(came.name) into waited_name from came;
  update public.whatsapp_contacts set name = coalesce(event ->> 'pushName', waited_name)
  where id = contact and name is null and coalesce(event ->> 'pushName', waited_name) is not null;
  if event -> 'ad' <> 'null' then
    update public.whatsapp_contacts
    set source = coalesce(event #>> '{ad,source}', source), campaign = event #>> '{ad,title}'
    where id = contact and campaign is null and source in ('desconhecida', 'whatsapp');
  end if;
end $$;
comment on function portal.learn_of_contact(bigint, text, jsonb) is
  'A name for a contact without one, and the advertisement it came from. Server only.';

create function portal.apply_message(instance text, event jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_own boolean := (event ->> 'fromMe')::boolean;
  contact bigint;
  known public.whatsapp_messages;
  added bigint;
begin
  select * into known from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  contact := portal.contact_of(instance, event, known.contact_id);
  if contact is null then return null; end if;
  perform portal.learn_of_contact(contact, instance, event);
  if known.id is not null then
    perform portal.improve_message(known, event);
  else
    if is_own then added := portal.match_sent(instance, contact, event); end if;
    added := coalesce(added, portal.add_message(instance, contact, event));
    if event -> 'raw' <> 'null' then
      insert into portal.message_raw (message_id, raw) values (added, event -> 'raw') on conflict do nothing;
    end if;
    perform portal.apply_waiting(instance, event ->> 'messageId');
  end if;
  if is_own then perform portal.apply_ack(instance, event); end if;
  return case when exists (select from public.whatsapp_contacts where id = contact and number is null) then 'number-hidden' end;
end $$;
comment on function portal.apply_message(text, jsonb) is
  'Files a reported message once, by instance and message id, and lets what waited for it in. Answers ''number-hidden'' while only a hidden id of its contact is known. Server only.';

create function portal.apply_waiting(instance text, target_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  late jsonb;
begin
  for late in
    delete from portal.waiting_events
    where "instanceName" = instance and target = target_id and kind <> 'name' returning waited
  loop
    perform portal.apply_event(instance, late);
  end loop;
end $$;
comment on function portal.apply_waiting(text, text) is 'Applies the edits, revokes, acks and reactions that waited for a message. Server only.';

create function portal.apply_event(instance text, event jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_applied boolean := true;
begin
  case event ->> 'event'
    when 'message' then return portal.apply_message(instance, event);
    when 'link' then return portal.apply_link(instance, event);
    when 'qr' then perform portal.apply_qr(instance, event);
    when 'ack' then is_applied := portal.apply_ack(instance, event);
    when 'edit' then is_applied := portal.apply_edit(instance, event);
    when 'revoke' then is_applied := portal.apply_revoke(instance, event);
    when 'reaction' then is_applied := portal.apply_reaction(instance, event);
    when 'name' then is_applied := portal.apply_name(instance, event);
  end case;
  if not is_applied then perform portal.keep_waiting(instance, event); end if;
  return null;
end $$;
comment on function portal.apply_event(text, jsonb) is
  'Applies one event of an instance; what its message is still missing for, waits. Answers news for the server: ''linked'', ''number-hidden'' or null. Server only.';

create function portal.settle_sent(line bigint, gateway_id text, jid text, sent_at_seconds bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  mine public.whatsapp_messages;
  twin public.whatsapp_messages;
begin
  select * into strict mine from public.whatsapp_messages where id = line for update;
  select * into twin from public.whatsapp_messages
  where "instanceName" = mine."instanceName" and message_id = gateway_id and id <> line for update;
  if twin.id is not null then
    delete from public.whatsapp_messages where id = twin.id;
  end if;
  update public.whatsapp_messages
  set
    message_id = gateway_id, "remoteJid" = jid, "timestamp" = sent_at_seconds,
    delivery = case when portal.delivery_rank(mine.delivery) > portal.delivery_rank(coalesce(twin.delivery, 'sent'))
      then mine.delivery else coalesce(twin.delivery, 'sent') end,
    reactions = coalesce(twin.reactions, mine.reactions),
    kind = case when twin.deleted_at is null then mine.kind else 'deleted' end,
    body = case when twin.deleted_at is not null then '' when twin.edited_at is not null then twin.body else mine.body end,
    edited_at = twin.edited_at, deleted_at = twin.deleted_at
  where id = line;
  insert into portal.identities ("instanceName", jid, person_id)
  select mine."instanceName", settle_sent.jid, c.person_id from public.whatsapp_contacts c where c.id = mine.contact_id
  on conflict do nothing;
  perform portal.apply_waiting(mine."instanceName", gateway_id);
end $$;
comment on function portal.settle_sent(bigint, text, text, bigint) is
  'The gateway accepted a line of ours: it gets the message id, address and time given back, and what was reported of it before the answer came. Server only.';
