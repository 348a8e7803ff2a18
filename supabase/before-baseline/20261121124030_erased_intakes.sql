-- A delivery that comes again after its person was erased brings nobody back (PRODUCT.md 4.4; LGPD art. 18 VI).

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
  person := portal.person_of(p_lead ->> 'number');
  -- Deliveries of one person go one after the other.
  perform from portal.people p where p.id = person for no key update;
  select * into known from portal.lead_intakes i where i.key_id = p_key and i.external_id = p_lead ->> 'externalId';
  contact := portal.contact_for_intake(person);
  if known.id is null and p_lead ->> 'externalId' is null then
    select * into known from portal.lead_intakes i
    where i.contact_id = contact.id and i.key_id is not distinct from p_key and i.received_at > p_now - interval '10 minutes'
      and (i.development, i.campaign, i.message, i.fields)
        is not distinct from (asked, p_lead ->> 'campaign', p_lead ->> 'message', p_lead -> 'fields')
    order by i.id desc limit 1;
  end if;
  if known.id is not null then
    return jsonb_build_object('id', known.id, 'contactId', known.contact_id, 'isRepeat', true);
  end if;
  if contact.id is null then
    insert into public.whatsapp_contacts (person_id, name, number, source, campaign, empreendimento, notes)
    values (person, p_lead ->> 'name', p_lead ->> 'number', p_lead ->> 'source', p_lead ->> 'campaign',
      asked, told)
    returning * into contact;
  else
    update public.whatsapp_contacts c
    set name = coalesce(c.name, p_lead ->> 'name'), number = coalesce(c.number, p_lead ->> 'number'),
      campaign = coalesce(c.campaign, p_lead ->> 'campaign'),
      empreendimento = coalesce(c.empreendimento, asked),
      source = case when c.source in ('desconhecida', 'whatsapp') then p_lead ->> 'source' else c.source end,
      notes = case when told is null or position(told in c.notes) > 0 then c.notes
        else concat_ws(E'\n\n', nullif(btrim(c.notes), ''), told) end
    where c.id = contact.id;
    perform portal.push(contact."instanceName", 'assigned', 'lead-' || contact.id, contact.id, interval '1 second');
  end if;
  opened := portal.open_case(contact.id, asked, p_lead ->> 'source', p_now);
  insert into portal.lead_intakes (contact_id, case_id, key_id, external_id, name, number, source, campaign, development,
    message, fields, consent_at, consent_text, received_at)
  values (contact.id, opened, p_key, p_lead ->> 'externalId', p_lead ->> 'name', p_lead ->> 'number', p_lead ->> 'source',
    p_lead ->> 'campaign', asked, p_lead ->> 'message', coalesce(p_lead -> 'fields', '{}'),
    (p_lead ->> 'consentAt')::timestamptz, p_lead ->> 'consentText', p_now)
  returning * into known;
  delete from portal.meta_inbox m where m.key_id = p_key and m.leadgen_id = p_lead ->> 'externalId';
  return jsonb_build_object('id', known.id, 'contactId', contact.id, 'isRepeat', false);
end $$;
comment on function portal.take_lead(uuid, jsonb, timestamptz) is
  'Takes somebody in, once a delivery: {name, number, source, campaign, development, message, fields, externalId, consentAt, consentText}. The same person under any form of the number is one lead; who has a broker stays there. Answers {id, contactId, isRepeat}, id and contactId null for a delivery whose person was erased. Server only.';
