-- A lead that comes in by a form is written once, with since when it waits, instead of three times.

create or replace function portal.take_lead(p_key uuid, p_lead jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  person bigint;
  known portal.lead_intakes;
  contact public.whatsapp_contacts;
  opened bigint;
  asked text := portal.known_development(p_lead ->> 'development');
  told text := 'Mensagem do formulário: ' || (p_lead ->> 'message');
begin
  if exists (select from portal.erasures e where e.hash = portal.opt_out_hash('intake ' || (p_lead ->> 'externalId'))) then
    delete from portal.meta_inbox m where m.key_id = p_key and m.leadgen_id = p_lead ->> 'externalId';
    return jsonb_build_object('id', null, 'contactId', null, 'isRepeat', true);
  end if;
  person := case when p_lead ->> 'number' is null then portal.person_by_email(p_lead ->> 'email')
    else portal.person_of(p_lead ->> 'number') end;
  -- Deliveries of one person go one after the other.
  perform from portal.people p where p.id = person for no key update;
  select * into known from portal.lead_intakes i where i.key_id = p_key and i.external_id = p_lead ->> 'externalId';
  contact := portal.contact_for_intake(person);
  if known.id is null and p_lead ->> 'externalId' is null then
    select * into known from portal.lead_intakes i
    where i.contact_id = contact.id and i.key_id is not distinct from p_key and i.received_at > p_now - interval '10 minutes'
      -- Not what a clock that ran ahead wrote.
      and i.received_at <= p_now + interval '10 minutes'
      and (i.development, i.campaign, i.listing, i.message, i.fields)
        is not distinct from (asked, p_lead ->> 'campaign', p_lead ->> 'listing', p_lead ->> 'message', p_lead -> 'fields')
    order by i.id desc limit 1;
  end if;
  if known.id is not null then
    return jsonb_build_object('id', known.id, 'contactId', known.contact_id, 'isRepeat', true);
  end if;
  if contact.id is null then
    -- With what its arrival would write to it.
    insert into public.whatsapp_contacts (person_id, name, number, email, source, campaign, empreendimento, notes,
      left_contact_at, waiting_since)
    values (person, p_lead ->> 'name', p_lead ->> 'number', p_lead ->> 'email', p_lead ->> 'source', p_lead ->> 'campaign',
      asked, told, p_now, p_now)
    returning * into contact;
  else
    update public.whatsapp_contacts c
    set name = coalesce(c.name, p_lead ->> 'name'), number = coalesce(c.number, p_lead ->> 'number'),
      email = coalesce(c.email, p_lead ->> 'email'),
      campaign = coalesce(c.campaign, p_lead ->> 'campaign'),
      empreendimento = coalesce(c.empreendimento, asked),
      source = case when c.source in ('desconhecida', 'whatsapp') then p_lead ->> 'source' else c.source end,
      notes = case when told is null or position(told in c.notes) > 0 then c.notes
        else left(concat_ws(E'\n\n', nullif(btrim(c.notes), ''), told), 10000) end
    where c.id = contact.id returning * into contact;
    perform portal.push(contact."instanceName", 'assigned', 'lead-' || contact.id, contact.id, interval '1 second');
  end if;
  opened := case
    -- Nobody can write there: the administrator finds the number out first.
    when contact.number is null and contact.last_message_id is null
      then portal.open_old_case(contact.id, asked, p_lead ->> 'source', p_now)
    else portal.open_case(contact.id, asked, p_lead ->> 'source', p_now) end;
  insert into portal.lead_intakes (contact_id, case_id, key_id, external_id, name, number, email, source, campaign, development,
    listing, message, fields, consent_at, consent_text, received_at)
  values (contact.id, opened, p_key, p_lead ->> 'externalId', p_lead ->> 'name', p_lead ->> 'number', p_lead ->> 'email',
    p_lead ->> 'source', p_lead ->> 'campaign', asked, p_lead ->> 'listing', p_lead ->> 'message',
    coalesce(p_lead -> 'fields', '{}'), (p_lead ->> 'consentAt')::timestamptz, p_lead ->> 'consentText', p_now)
  returning * into known;
  delete from portal.meta_inbox m where m.key_id = p_key and m.leadgen_id = p_lead ->> 'externalId';
  return jsonb_build_object('id', known.id, 'contactId', contact.id, 'isRepeat', false);
end $$;
comment on function portal.take_lead(uuid, jsonb, timestamptz) is
  'Takes somebody in, once a delivery: {name, number, email, source, campaign, development, listing, message, fields, externalId, consentAt, consentText}, number or email not null. The same person under any form of the number is one lead, and so is the same e-mail where no number is told; who has a broker stays there. Who can be reached by e-mail alone is the administrator''s. Answers {id, contactId, isRepeat}, id and contactId null for a delivery whose person was erased. Server only.';

create or replace function portal.note_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A lead that was made for this arrival.
  if tg_op = 'INSERT' and exists (
    select from public.whatsapp_contacts c
    where c.id = new.contact_id and c.left_contact_at = new.received_at and c.waiting_since = new.received_at
      and c.last_message_id is null) then
    return null;
  end if;
  update public.whatsapp_contacts c
  set left_contact_at = (select min(i.received_at) from portal.lead_intakes i where i.contact_id = c.id)
  where c.id in (new.contact_id, case when tg_op = 'UPDATE' then old.contact_id end)
    and c.left_contact_at is distinct from (select min(i.received_at) from portal.lead_intakes i where i.contact_id = c.id);
  -- Who comes in once more waits once more.
  perform portal.carry(array_remove(array[new.contact_id, case when tg_op = 'UPDATE' then old.contact_id end], null));
  return null;
end $$;
comment on function portal.note_arrival() is
  'Trigger: keeps with the lead when it first left a contact and since when it waits, also where leads are joined or parted.';
