-- One person, one contact: which person an event's addresses mean, and which contact that is (PRODUCT.md 4.2, EVOLUTION.md 4.2).

create function portal.join_people(instance text, kept bigint, gone bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  theirs record;
  other bigint;
begin
  for theirs in select id, "instanceName" as board from public.whatsapp_contacts where person_id = gone order by id loop
    other := portal.contact_at(theirs.board, kept);
    if other is null then
      update public.whatsapp_contacts set person_id = kept where id = theirs.id;
    else
      perform portal.merge_contacts(other, theirs.id);
    end if;
  end loop;
  update portal.identities set person_id = kept where "instanceName" = instance and person_id = gone;
  insert into portal.contact_routes ("instanceName", person_id, contact_id)
  select r."instanceName", kept, r.contact_id from portal.contact_routes r
  where r.person_id = gone and portal.contact_at(r."instanceName", kept) is null
  on conflict do nothing;
  delete from portal.contact_routes where person_id = gone;
  update portal.people p set opted_out_at = least(p.opted_out_at, g.opted_out_at)
  from portal.people g where p.id = kept and g.id = gone and g.opted_out_at is not null;
end $$;
comment on function portal.join_people(text, bigint, bigint) is
  'The second person, of whom an instance knew only a hidden id, turned out to be the first. Server only.';

create function portal.person_at(instance text, jids text[], own_jid text, from_me boolean) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  own_key text := portal.number_key(own_jid);
  phone text;
  lid text;
  by_phone bigint;
  by_lid bigint;
  who bigint;
  lid_has_number boolean;
begin
  -- On own messages the other address may be our own phone.
  select j into phone from unnest(jids) with ordinality as given (j, n)
  where j like '%@s.whatsapp.net' and portal.number_key(j) is distinct from own_key order by n limit 1;
  select j into lid from unnest(jids) with ordinality as given (j, n)
  where j like '%@lid' and j is distinct from own_jid order by n limit 1;

  select person_id into by_phone from portal.identities where "instanceName" = instance and jid = phone;
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

  insert into portal.identities as i ("instanceName", jid, person_id)
  select instance, j, who from unnest(array[phone, lid]) as given (j) where j is not null
  on conflict ("instanceName", jid) do update set person_id = excluded.person_id where i.person_id <> excluded.person_id;
  return who;
end $$;
comment on function portal.person_at(text, text[], text, boolean) is
  'The person behind an event''s addresses at an instance, our own left out; binds a hidden id to a phone on proof. Null when nobody else is meant. Server only.';

create function portal.contact_of(instance text, event jsonb, known_contact bigint) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  jids text[] := array(select jsonb_array_elements_text(event #> '{chat,jids}'));
  person bigint := portal.person_at(instance, jids, event #>> '{chat,ownJid}', (event ->> 'fromMe')::boolean);
  contact bigint := coalesce(portal.contact_at(instance, person), known_contact);
begin
  if person is null then return known_contact; end if;
  if contact is null then
    insert into public.whatsapp_contacts ("instanceName", person_id, source) values (instance, person, 'whatsapp')
    on conflict ("instanceName", person_id) do nothing returning id into contact;
    contact := coalesce(contact, portal.contact_at(instance, person));
  end if;
  if exists (select from public.whatsapp_contacts where id = contact and number is null) then
    update public.whatsapp_contacts c set number = split_part(phones.jid, '@', 1)
    from (
      select jid from portal.identities
      where "instanceName" = instance and person_id = person and jid like '%@s.whatsapp.net'
      order by first_seen_at, jid limit 1
    ) as phones
    where c.id = contact;
  end if;
  return contact;
end $$;
comment on function portal.contact_of(text, jsonb, bigint) is
  'The contact that a reported message belongs to, made when new (the known one goes for a repeat); its number is filled in once known. Null for a chat with ourselves. Server only.';

create function portal.address_of(contact bigint, instance text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select i.jid
     from public.whatsapp_contacts c join portal.identities i on i.person_id = c.person_id
     where c.id = contact
     order by i.jid like '%@lid', i."instanceName" <> instance, i.first_seen_at desc, i.jid
     limit 1),
    (select number from public.whatsapp_contacts where id = contact)
  )
$$;
comment on function portal.address_of(bigint, text) is
  'Where to send to: the address WhatsApp gave for the person, seen by this instance before others, a phone before a hidden id; else the number as entered. Server only.';
