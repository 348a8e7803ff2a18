-- A lead's way as its own broker reads it, and a development that keeps its one name however a form writes it (PRODUCT.md 4.1, 4.2).

create function portal.known_development(p_development text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select r.empreendimento from public.roletas r
     where portal.development_key(r.empreendimento) = portal.development_key(p_development) order by r.id limit 1),
    (select a.empreendimento from public.prompts_agents a
     where portal.development_key(a.empreendimento) = portal.development_key(p_development) order by a.id limit 1),
    p_development)
$$;
comment on function portal.known_development(text) is
  'The name by which rotations or agents know a development, so that figures do not count it under several; else as it was told. Server only.';

create or replace function portal.take_lead(p_key uuid, p_lead jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  person bigint := portal.person_of(p_lead ->> 'number');
  known portal.lead_intakes;
  contact public.whatsapp_contacts;
  opened bigint;
  asked text := portal.known_development(p_lead ->> 'development');
begin
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
      asked, 'Mensagem do formulário: ' || (p_lead ->> 'message'))
    returning * into contact;
  else
    update public.whatsapp_contacts c
    set name = coalesce(c.name, p_lead ->> 'name'), number = coalesce(c.number, p_lead ->> 'number'),
      campaign = coalesce(c.campaign, p_lead ->> 'campaign'),
      empreendimento = coalesce(c.empreendimento, asked),
      source = case when c.source in ('desconhecida', 'whatsapp') then p_lead ->> 'source' else c.source end
    where c.id = contact.id;
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

create function portal.course_of(p_contact bigint, p_has_reasons boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'development', c.development, 'state', c.state, 'holder', c.holder, 'arrivedAt', c.arrived_at,
    'roleta', (select r.empreendimento from public.roletas r where r.id = c.roleta_id),
    'events', (
      select jsonb_agg(jsonb_build_object('kind', e.kind, 'instanceName', e."instanceName", 'changedBy', e.changed_by,
        'at', e.at, 'decision', case when p_has_reasons then e.decision end) order by e.id)
      from portal.roleta_events e where e.case_id = c.id),
    'intakes', (
      select coalesce(jsonb_agg(jsonb_build_object('source', i.source, 'campaign', i.campaign, 'message', i.message,
        'fields', i.fields, 'consentAt', i.consent_at, 'consentText', i.consent_text, 'receivedAt', i.received_at,
        'key', (select k.name from portal.intake_keys k where k.id = i.key_id)) order by i.id), '[]')
      from portal.lead_intakes i where i.case_id = c.id)
  ) order by c.id desc), '[]')
  from portal.roleta_cases c where c.contact_id = p_contact
$$;
comment on function portal.course_of(bigint, boolean) is
  'How a lead came in and went from broker to broker, the newest way first; with what each decision was made from, or without. Server only.';

create or replace function portal.lead_course(p_contact bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return portal.course_of(p_contact, true);
end $$;

create function portal.my_lead_course(p_contact bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  instance text := portal.require_broker();
begin
  if not exists (select from public.whatsapp_contacts c where c.id = p_contact and c."instanceName" = instance) then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'lead.unknown';
  end if;
  return portal.course_of(p_contact, false);
end $$;
comment on function portal.my_lead_course(bigint) is
  'portal.course_of of an own lead, without what the decisions were made from: that tells of others. 404 for any other. Brokers, by the server only.';
