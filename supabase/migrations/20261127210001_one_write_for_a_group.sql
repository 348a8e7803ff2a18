-- The messages of one group of deliveries are written to their leads once at its end: a contact that carries them was a third of applying
-- a message, and what follows its update as much again. And what is known already is asked for before it is written.

create or replace function portal.carry_messages() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  later text := current_setting('portal.carry_later', true);
begin
  if tg_op = 'INSERT' and later <> '' then
    perform set_config('portal.carry_later', later || string_agg(n.contact_id || ',', ''), true)
    from (select distinct contact_id from new_rows) n
    where position(',' || n.contact_id || ',' in later) = 0 having count(*) > 0;
  elsif tg_op = 'INSERT' then
    perform portal.carry(array_agg(distinct n.contact_id)) from new_rows n having count(*) > 0;
  elsif tg_op = 'DELETE' then
    perform portal.carry(array_agg(distinct o.contact_id)) from old_rows o having count(*) > 0;
  else
    perform portal.carry(array_agg(distinct m.contact_id))
    from (select o.contact_id from old_rows o union select n.contact_id from new_rows n) m having count(*) > 0;
  end if;
  return null;
end $$;
comment on function portal.carry_messages() is 'Trigger: contacts carry what was written, corrected, read, moved to another contact or removed among their messages.';

create or replace function portal.person_at(instance text, jids text[], own_jid text, from_me boolean) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  own_key text := portal.number_key(own_jid);
  address text;
  phone text;
  lid text;
  at_phone bigint;
  by_phone bigint;
  by_lid bigint;
  who bigint;
  lid_has_number boolean;
begin
  -- The first of each kind; on own messages the other address may be our own phone.
  foreach address in array jids loop
    if phone is null and address like '%@s.whatsapp.net' and portal.number_key(address) is distinct from own_key then
      phone := address;
    elsif lid is null and address like '%@lid' and address is distinct from own_jid then
      lid := address;
    end if;
  end loop;

  select person_id into at_phone from portal.identities where "instanceName" = instance and jid = phone;
  by_phone := at_phone;
  if by_phone is null then
    select id into by_phone from portal.people where number_key = portal.number_key(phone);
  end if;
  select i.person_id, p.number_key is not null into by_lid, lid_has_number
  from portal.identities i join portal.people p on p.id = i.person_id
  where i."instanceName" = instance and i.jid = lid;

  if phone is null then
    who := by_lid;
    if who is null and lid is not null then who := portal.person_of(null); end if;
  elsif by_lid is null or by_lid = by_phone then
    who := coalesce(by_phone, portal.person_of(phone));
  elsif by_phone is null and not lid_has_number then
    update portal.people set number_key = portal.number_key(phone) where id = by_lid;
    who := by_lid;
  elsif lid_has_number then
    -- Two different numbers are never merged by a hidden id: it may be our own, or a wrong mapping. Only a message of the
    -- person herself says whose the id is now.
    who := coalesce(by_phone, portal.person_of(phone));
    if from_me then lid := null; end if;
  elsif exists (
    select from portal.contact_merges
    where kept_person_id = by_phone and gone_person_id = by_lid and undone_at is not null
  ) then
    who := case when jids[1] = lid then by_lid else by_phone end;
    lid := case when who = by_lid then lid end;
    phone := case when who = by_phone then phone end;
  else
    perform portal.join_people(instance, by_phone, by_lid);
    who := by_phone;
  end if;

  -- Most often all of it is known.
  if (phone is null or at_phone = who) and (lid is null or by_lid = who) then return who; end if;
  insert into portal.identities as i ("instanceName", jid, person_id)
  select instance, j, who from unnest(array[phone, lid]) as given (j) where j is not null
  on conflict ("instanceName", jid) do update set person_id = excluded.person_id where i.person_id <> excluded.person_id;
  return who;
end $$;
comment on function portal.person_at(text, text[], text, boolean) is
  'The person behind an event''s addresses at an instance, our own left out; binds a hidden id to a phone on proof. Null when nobody else is meant. Server only.';

create or replace function portal.learn_of_contact(contact bigint, instance text, event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  known_name text;
  waited_name text;
begin
  with came as (
    delete from portal.waiting_events
    where "instanceName" = instance and kind = 'name'
      and target in (select jsonb_array_elements_text(event #> '{chat,jids}'))
    returning waited ->> 'name' as name
  )
  select min(came.name) into waited_name from came;
  -- Asked first: an update that finds nothing still pays for all that follows an update.
  select c.name into known_name from public.whatsapp_contacts c where c.id = contact;
  if known_name is null and coalesce(event ->> 'pushName', waited_name) is not null then
    update public.whatsapp_contacts set name = coalesce(event ->> 'pushName', waited_name)
    where id = contact and name is null;
  end if;
  if event -> 'ad' <> 'null' then
    update public.whatsapp_contacts
    set source = coalesce(event #>> '{ad,source}', source), campaign = event #>> '{ad,title}'
    where id = contact and campaign is null and source in ('desconhecida', 'whatsapp');
  end if;
end $$;
comment on function portal.learn_of_contact(bigint, text, jsonb) is
  'A name for a contact without one, and the advertisement it came from. Server only.';

create or replace function portal.apply_message(instance text, event jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_own boolean := (event ->> 'fromMe')::boolean;
  contact bigint;
  known public.whatsapp_messages;
  added bigint;
  has_number boolean;
begin
  select * into known from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  perform set_config('portal.history', case when portal.is_history(instance, event) then 'on' else '' end, true);
  contact := portal.contact_of(instance, event, known.contact_id);
  if contact is null then
    perform set_config('portal.history', '', true);
    return null;
  end if;
  -- The lead before whatever hangs on it, however late it is written to.
  select c.number is not null into has_number from public.whatsapp_contacts c where c.id = contact for no key update;
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
    when not has_number or (added is not null and portal.may_be_hidden(instance, contact, added)) then 'number-hidden'
  end;
end $$;
comment on function portal.apply_message(text, jsonb) is
  'Files a reported message once, by instance and message id, and lets what waited for it in. Answers ''number-hidden'' while only a hidden id of its contact is known, or where it may be that of another contact. Server only.';

create or replace function portal.apply_events(instances text[], events jsonb[]) returns table ("instanceName" text, kind text)
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform set_config('portal.carry_later', ',', true);
  return query
  select e.instance, portal.apply_event(e.instance, e.event) from unnest(instances, events) as e (instance, event);
  perform portal.carry(array(
    select touched.id::bigint
    from unnest(string_to_array(trim(',' from current_setting('portal.carry_later')), ',')) as touched (id)));
  perform set_config('portal.carry_later', '', true);
end $$;
comment on function portal.apply_events(text[], jsonb[]) is
  'Applies events in their order, each as portal.apply_event does, and has their contacts carry what they said once at the end: one write for each contact instead of one for each message. Answers a row for each event. Server only.';

create or replace function portal.withhold_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Asked first: an update that finds nothing still pays for all that follows an update.
  if exists (
    select from new_rows n join portal.scheduled_messages s on s.contact_id = n.contact_id
    where n.type = 'incoming' and s.state in ('waiting', 'asking')) then
    update portal.scheduled_messages s set state = 'answered', reason = null, changed_at = now()
    where s.state in ('waiting', 'asking') and s.contact_id in (select n.contact_id from new_rows n where n.type = 'incoming')
      and portal.was_answered(s);
  end if;
  return null;
end $$;
comment on function portal.withhold_texts() is 'Trigger: a lead wrote, so that texts meant for silence do not go.';
