-- A first link that was cut before anybody looked has its number, so that its loss is told; and two cards of one person, one by phone
-- and one by hidden id, are asked about as soon as both are there.

create function portal.keep_first_number() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.brokers b
  set broker_number = split_part(split_part(new.owner_jid, '@', 1), ':', 1), status = 'ativo'
  where b."instanceName" = new."instanceName" and b.broker_number is null;
  return null;
end $$;
comment on function portal.keep_first_number() is
  'Trigger on portal.instance_states: the phone that is linked is the broker''s from the moment it is told, where none was before.';
revoke execute on function portal.keep_first_number() from public, anon, authenticated, service_role;
create trigger keep_first_number after insert or update of state, owner_jid on portal.instance_states
  for each row when (new.state = 'open' and new.owner_jid ~ '^\d{8,15}[@:]') execute function portal.keep_first_number();

create function portal.may_be_hidden(instance text, contact bigint, added bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select not exists (select from public.whatsapp_messages m where m.contact_id = contact and m.id <> added)
    and not exists (
      select from portal.identities i join public.whatsapp_contacts c on c.person_id = i.person_id
      where c.id = contact and i."instanceName" = instance and i.jid like '%@lid')
    and exists (
      select from public.whatsapp_contacts h
      where h."instanceName" = instance and h.number is null and h.created_at > now() - interval '30 days')
$$;
comment on function portal.may_be_hidden(text, bigint, bigint) is
  'Whether a contact whose first message was just added may be one of those that are known by a hidden id only. Server only.';
revoke execute on function portal.may_be_hidden(text, bigint, bigint) from public, anon, authenticated, service_role;

create or replace function portal.apply_message(instance text, event jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_own boolean := (event ->> 'fromMe')::boolean;
  contact bigint;
  known public.whatsapp_messages;
  added bigint;
begin
  select * into known from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  perform set_config('portal.history', case when portal.is_history(instance, event) then 'on' else '' end, true);
  contact := portal.contact_of(instance, event, known.contact_id);
  if contact is null then
    perform set_config('portal.history', '', true);
    return null;
  end if;
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
    if (event ->> 'optsOut')::boolean then perform portal.opt_out(contact, (event ->> 'sentAtSeconds')::bigint); end if;
  end if;
  if is_own then perform portal.apply_ack(instance, event); end if;
  perform set_config('portal.history', '', true);
  return case
    when exists (select from public.whatsapp_contacts where id = contact and number is null)
      or (added is not null and portal.may_be_hidden(instance, contact, added)) then 'number-hidden'
  end;
end $$;
comment on function portal.apply_message(text, jsonb) is
  'Files a reported message once, by instance and message id, and lets what waited for it in. Answers ''number-hidden'' while only a hidden id of its contact is known, or where it may be that of another contact. Server only.';
