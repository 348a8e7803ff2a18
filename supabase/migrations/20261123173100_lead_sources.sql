-- Leads come from named sources, each read by its own contract; and whoever leaves only an e-mail comes in, too.

alter table public.whatsapp_contacts add column email text constraint contacts_email check (length(email) <= 254);
comment on column public.whatsapp_contacts.email is
  'In small letters. Of who left no number it is all there is: such a lead is the administrator''s until one is known.';
create index contacts_by_email on public.whatsapp_contacts (email) where email is not null;
comment on index public.contacts_by_email is 'Serves finding whose an e-mail is, for who leaves nothing else.';

alter table portal.intake_keys drop constraint intake_keys_kind_check;
alter table portal.intake_keys add constraint intake_keys_kind_check
  check (kind in ('form', 'olx', 'imovelweb', 'chavesnamao', 'rdstation', 'google', 'meta', 'email'));
alter table portal.lead_intakes add column email text, add column listing text;
comment on column portal.lead_intakes.listing is 'The code of the advertisement that was answered.';

create or replace function portal.merge_contacts(kept bigint, gone bigint) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  k public.whatsapp_contacts;
  g public.whatsapp_contacts;
  merge_id bigint;
begin
  perform from public.whatsapp_contacts where id in (kept, gone) order by id for update;
  select * into strict k from public.whatsapp_contacts where id = kept;
  select * into strict g from public.whatsapp_contacts where id = gone;

  insert into portal.contact_merges
    ("instanceName", kept_contact_id, gone_contact_id, kept_person_id, gone_person_id, kept_before, gone_before,
     message_ids, history_ids, jids)
  values (
    g."instanceName", kept, gone, k.person_id, g.person_id, to_jsonb(k), to_jsonb(g),
    array(select id from public.whatsapp_messages where contact_id = gone),
    array(select id from portal.stage_history where contact_id = gone),
    array(select jid from portal.identities where "instanceName" = g."instanceName" and person_id = g.person_id)
  )
  returning id into merge_id;

  update public.whatsapp_messages set contact_id = kept where contact_id = gone;
  update portal.stage_history set contact_id = kept where contact_id = gone;
  update portal.contact_routes set contact_id = kept where contact_id = gone;
  delete from public.whatsapp_contacts where id = gone;
  if g."instanceName" is distinct from k."instanceName" and g."instanceName" is not null then
    insert into portal.contact_routes ("instanceName", person_id, contact_id)
    values (g."instanceName", g.person_id, kept)
    on conflict ("instanceName", person_id) do update set contact_id = excluded.contact_id;
  end if;

  update public.whatsapp_contacts
  set
    name = coalesce(k.name, g.name),
    number = coalesce(k.number, g.number),
    email = coalesce(k.email, g.email),
    notes = left(concat_ws(e'\n\n', nullif(k.notes, ''), nullif(g.notes, '')), 10000),
    status = case when k.status = 'new' then g.status else k.status end,
    profile_pic_url = coalesce(k.profile_pic_url, g.profile_pic_url),
    source = case when k.source in ('desconhecida', 'whatsapp') and g.source <> 'desconhecida' then g.source else k.source end,
    campaign = coalesce(k.campaign, g.campaign),
    empreendimento = coalesce(k.empreendimento, g.empreendimento),
    remarketing_sent_at = greatest(k.remarketing_sent_at, g.remarketing_sent_at),
    won_at = least(k.won_at, g.won_at),
    created_at = least(k.created_at, g.created_at)
  where id = kept;
  update portal.contact_merges
  set kept_after = (select to_jsonb(c) from public.whatsapp_contacts c where c.id = kept)
  where id = merge_id;
  return merge_id;
end $$;
comment on function portal.merge_contacts(bigint, bigint) is
  'Joins the second contact into the first: messages and history move, what the first lacks is taken over, a record allows undoing it. Server only.';

create or replace function portal.undo_merge(merge bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  m portal.contact_merges;
  was public.whatsapp_contacts;
  made public.whatsapp_contacts;
  g public.whatsapp_contacts;
begin
  select * into m from portal.contact_merges where id = merge and undone_at is null for update;
  if not found then
    raise exception 'Esta união de contatos não existe ou já foi desfeita.' using errcode = 'P0001';
  end if;
  perform from public.whatsapp_contacts where id = m.kept_contact_id for update;
  if not found then
    raise exception 'O contato unido não existe mais; a união não pode ser desfeita.' using errcode = 'P0001';
  end if;
  was := jsonb_populate_record(null::public.whatsapp_contacts, m.kept_before);
  made := jsonb_populate_record(null::public.whatsapp_contacts, m.kept_after);
  g := jsonb_populate_record(null::public.whatsapp_contacts, m.gone_before);

  -- A stage or a broker that went away meanwhile does not come back with the contact.
  if not exists (select from public.kanban_stages where slug = g.status) then g.status := 'new'; end if;
  if not exists (select from public.brokers where "instanceName" = g."instanceName") then g."instanceName" := null; end if;
  insert into public.whatsapp_contacts overriding system value select g.*;
  -- Its history comes back below; the line its coming back just wrote would be one too many.
  delete from portal.stage_history where contact_id = g.id;
  update portal.stage_history set contact_id = g.id where id = any (m.history_ids) and contact_id = m.kept_contact_id;

  update portal.identities set person_id = m.gone_person_id
  where "instanceName" = m."instanceName" and jid = any (m.jids) and person_id = m.kept_person_id;
  delete from portal.contact_routes
  where "instanceName" = m."instanceName" and person_id = m.gone_person_id and contact_id = m.kept_contact_id;
  update public.whatsapp_messages set contact_id = g.id
  where contact_id = m.kept_contact_id
    and (id = any (m.message_ids) or ("remoteJid" = any (m.jids) and created_at >= m.merged_at));

  -- What the merge wrote on the kept contact goes, unless someone has written over it since.
  update public.whatsapp_contacts c
  set
    name = case when c.name is not distinct from made.name then was.name else c.name end,
    number = case when c.number is not distinct from made.number then was.number else c.number end,
    email = case when c.email is not distinct from made.email then was.email else c.email end,
    notes = case when c.notes is not distinct from made.notes then was.notes else c.notes end,
    status = case
      when c.status = made.status and exists (select from public.kanban_stages where slug = was.status) then was.status
      else c.status end,
    profile_pic_url = case when c.profile_pic_url is not distinct from made.profile_pic_url then was.profile_pic_url else c.profile_pic_url end,
    source = case when c.source = made.source then was.source else c.source end,
    campaign = case when c.campaign is not distinct from made.campaign then was.campaign else c.campaign end,
    empreendimento = case when c.empreendimento is not distinct from made.empreendimento then was.empreendimento else c.empreendimento end,
    remarketing_sent_at = case when c.remarketing_sent_at is not distinct from made.remarketing_sent_at then was.remarketing_sent_at else c.remarketing_sent_at end,
    won_at = case when c.won_at is not distinct from made.won_at then was.won_at else c.won_at end,
    created_at = was.created_at
  where c.id = m.kept_contact_id;
  update portal.contact_merges set undone_at = now() where id = merge;
end $$;
comment on function portal.undo_merge(bigint) is
  'Takes a merge apart: the contact comes back with its messages, history and addresses, also those that came since. Server only.';

create or replace function portal.open_old_case(p_contact bigint, p_development text, p_source text, p_at timestamptz) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  opened portal.roleta_cases;
begin
  insert into portal.roleta_cases (contact_id, roleta_id, development, state, arrived_at, since, next_at)
  values (p_contact, portal.roleta_of(p_development), p_development, 'inbox', p_at, p_at, null)
  returning * into opened;
  perform portal.add_roleta_event(opened, 'received', null, p_at, jsonb_build_object('source', p_source));
  return opened.id;
end $$;
comment on function portal.open_old_case(bigint, text, text, timestamptz) is
  'A lead that waits in the inbox and is offered to nobody by itself: it wrote to a central instance while no phone was linked, or left only an e-mail. Server only.';

create or replace function portal.inbox_cases() returns table (id bigint, roleta_id integer)
language sql stable security definer set search_path = '' as $$
  select k.id, r.id
  from portal.roleta_cases k
  join public.whatsapp_contacts w on w.id = k.contact_id
  left join public.brokers b on b."instanceName" = w."instanceName"
  join lateral (
    select coalesce((select own.id from public.roletas own where own.id = k.roleta_id and own.ativa),
      portal.roleta_of(k.development)) as id
  ) r on r.id is not null
  where k.state = 'inbox' and (w."instanceName" is null or b.central_since is not null)
    -- Who left only an e-mail: nobody could write there.
    and (w.number is not null or w.last_message_id is not null)
    and not exists (
      select from portal.roleta_cases other
      where other.contact_id = k.contact_id and other.id <> k.id
        and (other.state in ('waiting', 'offered', 'watched', 'pool') or other.state = 'inbox' and other.id > k.id))
    and exists (
      select from public.roletas seated join public.roleta_corretores s on s."roletaName" = seated.empreendimento
      where seated.id = r.id and s.ativo)
$$;
comment on function portal.inbox_cases() is
  'Cases that are the administrator''s, without a broker, and the active rotation with an active seat that could take each: its own, else that of its development. Server only.';

create or replace function portal.open_cases() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'contactId', c.contact_id, 'name', w.name, 'number', w.number,
      'email', w.email, 'development', c.development, 'roletaId', c.roleta_id, 'state', c.state, 'holder', c.holder, 'owner', w."instanceName",
      'arrivedAt', c.arrived_at, 'since', c.since, 'nextAt', c.next_at, 'hops', cardinality(c.tried)) order by c.arrived_at, c.id), '[]')
    from portal.roleta_cases c
    join public.whatsapp_contacts w on w.id = c.contact_id
    left join public.brokers b on b."instanceName" = w."instanceName"
    where c.state in ('waiting', 'offered', 'pool')
      or c.state = 'inbox' and (w."instanceName" is null or b.central_since is not null)
  );
end $$;
comment on function portal.open_cases() is
  'Leads that no broker has yet: on their way, in the bolsão, or the administrator''s because no rotation takes them. Administrators, by the server only.';

create or replace function portal.course_of(p_contact bigint, p_has_reasons boolean) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'development', c.development, 'state', c.state, 'holder', c.holder, 'arrivedAt', c.arrived_at,
    'roleta', (select r.empreendimento from public.roletas r where r.id = c.roleta_id),
    'events', (
      select jsonb_agg(jsonb_build_object('kind', e.kind, 'instanceName', e."instanceName", 'changedBy', e.changed_by,
        'at', e.at, 'decision', case when p_has_reasons then e.decision end) order by e.id)
      from portal.roleta_events e where e.case_id = c.id),
    'intakes', (
      select coalesce(jsonb_agg(jsonb_build_object('source', i.source, 'campaign', i.campaign, 'listing', i.listing, 'message', i.message,
        'fields', i.fields, 'consentAt', i.consent_at, 'consentText', i.consent_text, 'receivedAt', i.received_at,
        'key', (select k.name from portal.intake_keys k where k.id = i.key_id)) order by i.id), '[]')
      from portal.lead_intakes i where i.case_id = c.id)
  ) order by c.id desc), '[]')
  from portal.roleta_cases c where c.contact_id = p_contact
$$;
comment on function portal.course_of(bigint, boolean) is
  'How a lead came in and went from broker to broker, the newest way first; with what each decision was made from, or without. Server only.';

create or replace function portal.subject_of(p_number text, p_contact bigint) returns portal.subject
language plpgsql stable security definer set search_path = '' as $$
declare
  s portal.subject;
  known integer := -1;
begin
  s.keys := array_remove(array[portal.number_key(p_number)], null);
  s.people := array(
    select p.id from portal.people p where p.number_key = any (s.keys)
    union select c.person_id from public.whatsapp_contacts c where c.id = p_contact);
  -- Until nothing more is found: who was merged in, and the same hidden id where no other number stands against it.
  while cardinality(s.people) > known loop
    known := cardinality(s.people);
    s.keys := array(
      select unnest(s.keys) union select p.number_key from portal.people p where p.id = any (s.people) and p.number_key is not null);
    s.addresses := array(select distinct i.jid from portal.identities i where i.person_id = any (s.people));
    s.people := array(
      select unnest(s.people)
      union
      select m.gone_person_id from portal.contact_merges m where m.kept_person_id = any (s.people) and m.undone_at is null
      union
      select p.id from portal.identities i join portal.people p on p.id = i.person_id
      where i.jid = any (s.addresses) and (p.number_key is null or cardinality(s.keys) = 0));
  end loop;
  s.contacts := array(select c.id from public.whatsapp_contacts c where c.person_id = any (s.people));
  s.former_contacts := array(
    with recursive former as (
      select m.gone_contact_id as id from portal.contact_merges m
      where m.kept_contact_id = any (s.contacts) and m.undone_at is null
      union
      select m.gone_contact_id from portal.contact_merges m join former f on m.kept_contact_id = f.id where m.undone_at is null
    )
    select id from former);
  s.pattern := (
    select '(?i)' || string_agg('(^|[^0-9])' || found.form || '($|[^0-9])', '|')
    from (
      select case
        when key like '+55%' then '(55)?' || substr(key, 4, 2) || '9?' || substr(key, 6)
        else substr(key, 2) end as form
      from unnest(s.keys) as key
      union select split_part(jid, '@', 1) from unnest(s.addresses) as jid where jid like '%@lid'
      union select '(?<![a-z0-9._+-])' || regexp_replace(c.email, '([^a-z0-9@_-])', '\\\1', 'g') || '(?![a-z0-9-])'
      from public.whatsapp_contacts c where c.id = any (s.contacts) and c.email is not null
    ) found);
  return s;
end $$;
comment on function portal.subject_of(text, bigint) is
  'The person of a number in any form, or of a contact; empty lists for nobody. Server only.';

create function portal.person_by_email(p_email text) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  found_id bigint;
begin
  -- Two of one e-mail at once are one person, too; nothing else is held yet.
  perform pg_advisory_xact_lock(hashtextextended('e-mail ' || p_email, 0));
  select c.person_id into found_id from public.whatsapp_contacts c
  where c.email = p_email order by c.number is null, c.id limit 1;
  return coalesce(found_id, portal.person_of(null));
end $$;
comment on function portal.person_by_email(text) is
  'The person of an e-mail, one with a number before one without; a new one where nobody has it. Server only.';

create function portal.complete_contact(p_contact bigint, p_number text) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  person bigint := portal.person_of(p_number);
  former bigint;
  known public.whatsapp_contacts := portal.contact_for_intake(person);
begin
  perform from public.whatsapp_contacts c where c.id in (p_contact, known.id) order by c.id for update;
  select c.person_id into former from public.whatsapp_contacts c where c.id = p_contact;
  if former is null or former = person then return coalesce(known.id, p_contact); end if;
  if known.id is null then
    update public.whatsapp_contacts c set person_id = person, number = p_number where c.id = p_contact;
    known.id := p_contact;
  else
    perform portal.merge_contacts(known.id, p_contact);
  end if;
  delete from portal.people p
  where p.id = former and p.number_key is null
    and not exists (select from public.whatsapp_contacts c where c.person_id = former)
    and not exists (select from portal.identities i where i.person_id = former)
    and not exists (select from portal.contact_merges m where former in (m.kept_person_id, m.gone_person_id));
  return known.id;
end $$;
comment on function portal.complete_contact(bigint, text) is
  'Gives a lead that left only an e-mail its number, or joins it to the lead that has this number; answers which lead it is from now on. Server only.';

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
    insert into public.whatsapp_contacts (person_id, name, number, email, source, campaign, empreendimento, notes)
    values (person, p_lead ->> 'name', p_lead ->> 'number', p_lead ->> 'email', p_lead ->> 'source', p_lead ->> 'campaign',
      asked, told)
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

create function portal.complete_lead(p_contact bigint, p_number text, p_operation_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  lead public.whatsapp_contacts;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  select * into lead from public.whatsapp_contacts c where c.id = p_contact and c.number is null and c.email is not null;
  if not found then
    raise exception 'Este lead já tem telefone, ou não existe mais.' using errcode = 'PT404', hint = 'lead.unknown';
  end if;
  select * into lead from public.whatsapp_contacts c where c.id = portal.complete_contact(p_contact, p_number);
  if lead."instanceName" is not null then
    perform portal.push(lead."instanceName", 'assigned', 'lead-' || lead.id, lead.id, interval '1 second');
  end if;
  perform portal.open_case(lead.id, lead.empreendimento, lead.source, p_now);
  return portal.end_operation(portal.account_id(), p_operation_id, 'lead.complete',
    jsonb_build_object('contactId', lead.id, 'isKnown', lead.id <> p_contact));
end $$;
comment on function portal.complete_lead(bigint, text, uuid, timestamptz) is
  'Gives a lead that left only an e-mail the number that was found out, as digits with the country''s code, and puts it on its way; once an operation. Where somebody has that number the two become one and stay with their broker: isKnown. Answers {contactId, isKnown}; 404 for a lead that has a number or is gone. Administrators, by the server only.';

create or replace function portal.keep_intake(p_hash bytea, p_raw jsonb, p_now timestamptz, p_next_at timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys;
  recent record;
  kept bigint;
begin
  select * into k from portal.intake_keys i where i.hash = p_hash and i.revoked_at is null;
  if not found then return null; end if;
  -- Up to now: what a clock that ran ahead wrote holds nobody up.
  select count(*) as leads, min(at) as first_at into recent from (
    select i.received_at as at from portal.lead_intakes i
    where i.key_id = k.id and i.received_at > p_now - interval '1 minute' and i.received_at <= p_now
    union all
    select r.received_at from portal.intake_raw r
    where r.key_id = k.id and r.received_at > p_now - interval '1 minute' and r.received_at <= p_now
  ) minute;
  if recent.leads >= k.per_minute then
    return jsonb_build_object('waitSeconds',
      greatest(1, ceil(extract(epoch from recent.first_at + interval '1 minute' - p_now))));
  end if;
  insert into portal.intake_raw (key_id, content_type, repeat_key, body, next_at, received_at)
  values (k.id, p_raw ->> 'contentType', p_raw ->> 'repeatKey', p_raw ->> 'body', p_next_at, p_now)
  returning id into kept;
  return jsonb_build_object('id', kept, 'keyId', k.id, 'kind', k.kind, 'settings', k.settings, 'waitSeconds', 0);
end $$;
comment on function portal.keep_intake(bytea, jsonb, timestamptz, timestamptz) is
  'Stores what came in with a key before anything of it is read: {id, keyId, kind, settings, waitSeconds}; null for an unknown or revoked key; only {waitSeconds} where the key brought in too many this minute. Server only.';

drop function portal.take_raw(bigint, jsonb, timestamptz);

create function portal.take_raw(p_id bigint, p_leads jsonb, p_fault text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  raw portal.intake_raw;
  lead jsonb;
  taken jsonb;
  answer jsonb;
begin
  select * into raw from portal.intake_raw r where r.id = p_id for update;
  -- Whoever was faster made the leads.
  if not found then return null; end if;
  for lead in select * from jsonb_array_elements(p_leads) loop
    taken := portal.take_lead(raw.key_id, lead, p_now);
    answer := case when answer is null or (answer -> 'isRepeat')::boolean then taken else answer end;
  end loop;
  if p_fault is null then
    delete from portal.intake_raw r where r.id = p_id;
  else
    update portal.intake_raw r set next_at = null, fault = p_fault where r.id = p_id;
  end if;
  return answer;
end $$;
comment on function portal.take_raw(bigint, jsonb, text, timestamptz) is
  'Makes the leads of a stored body and lets the body go, all or nothing: as portal.take_lead of the first that is new. With p_fault, why not all of it could be read, the body stays for a person. Null where another portal was faster. Server only.';

