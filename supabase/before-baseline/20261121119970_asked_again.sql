-- Who asks again is heard: the owner is told and finds the message with the lead; and who may take a lead out of the bolsão is
-- told that it is there (PRODUCT.md 4.2; PWA.md 4).

create or replace function portal.take_lead(p_key uuid, p_lead jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  person bigint := portal.person_of(p_lead ->> 'number');
  known portal.lead_intakes;
  contact public.whatsapp_contacts;
  opened bigint;
  asked text := portal.known_development(p_lead ->> 'development');
  told text := 'Mensagem do formulário: ' || (p_lead ->> 'message');
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

create function portal.pool_brokers(p_roleta integer) returns setof text
language sql stable security definer set search_path = '' as $$
  select s."instanceName"
  from public.roletas r join public.roleta_corretores s on s."roletaName" = r.empreendimento
  where r.id = p_roleta and s.ativo
$$;
comment on function portal.pool_brokers(integer) is 'Who may take leads out of the bolsão of a rotation: its active seats. Server only.';

create function portal.push_pooled() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(instance, 'offer', 'offer-' || new.id, new.id, interval '0')
  from portal.pool_brokers(new.roleta_id) as instance order by instance;
  return null;
end $$;
comment on function portal.push_pooled() is 'Trigger: a lead may be taken by every broker of its rotation.';
create trigger push_pooled after update on portal.roleta_cases
  for each row when (new.state = 'pool' and old.state <> 'pool') execute function portal.push_pooled();

create or replace function portal.tell_case(p_case portal.roleta_cases) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'offers', 'instanceName', named.instance))
  from (
    select p_case.holder as instance
    union select unnest(p_case.tried)
    union select portal.pool_brokers(p_case.roleta_id) where p_case.state = 'pool'
  ) named
  where named.instance is not null;
end $$;

create or replace function portal.outdated_pushes(p_now timestamptz) returns setof bigint
language sql stable security definer set search_path = '' as $$
  select q.id
  from portal.push_queue q
  join portal.push_devices d on d.id = q.device_id
  join portal.sessions s on s.id = d.session_id
  join public.brokers b on b.id = s.account_id
  left join public.whatsapp_contacts c on c.id = q.subject and q.kind in ('lead', 'assigned', 'message')
  left join portal.instance_states i on i."instanceName" = b."instanceName"
  where q.queued_at < p_now - interval '1 day'
    or s.expires_at <= p_now
    or q.claimed_by is null and q.due_at <= p_now and case q.kind
      when 'link' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'campaign' then not exists (select from public.remarketing_campaigns r where r.id = q.subject)
      when 'digest' then not exists (
        select from public.whatsapp_contacts u where u."instanceName" = b."instanceName" and u.unread_count > 0)
      when 'handover' then false
      when 'offer' then not exists (
        select from portal.roleta_cases k
        where k.id = q.subject and (
          k.state = 'offered' and k.holder = b."instanceName" and k.next_at > p_now
          or k.state = 'pool' and b."instanceName" in (select portal.pool_brokers(k.roleta_id))))
      -- Read here or on the phone, removed, or another's by now.
      else c."instanceName" is distinct from b."instanceName"
        or c.unread_count = 0 and (q.kind = 'message' or q.kind = 'lead' and c.last_message_id is not null)
    end
$$;
