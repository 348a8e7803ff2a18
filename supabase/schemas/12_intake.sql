-- How leads come in: by forms, by portals, by Meta Lead Ads, and by a first message to a central instance.

-- The portal encrypts the secrets of Meta keys, so that a copy of the database cannot be used at Meta. The portal has
-- the encryption key outside the database, and encrypts rows of older versions at its next start.
create table portal.intake_keys (
  id uuid primary key,
  kind text not null check (kind ~ '^[a-z]{2,20}$'),
  name text not null check (btrim(name) <> '' and length(name) <= 80),
  hash bytea not null unique,
  settings jsonb not null default '{}',
  secrets jsonb not null default '{}',
  per_minute integer not null check (per_minute between 1 and 6000),
  created_by text not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  made_by uuid,
  made_in uuid,
  former_hash bytea,
  former_until timestamptz,
  off_at timestamptz,
  tested_at timestamptz
);
comment on table portal.intake_keys is
  'Keys with which sources send leads. Each row has the SHA-256 of a key, defaults for its leads, and how many leads a minute it may send.';
comment on column portal.intake_keys.settings is
  'source, campaign and development: for leads that name none. mapping: where a foreign body has each field. origins: web pages that may send. developmentByForm: developments by Meta''s form id. plansSince: a lead that came in from then on gets a plan by itself when it falls silent.';
comment on column portal.intake_keys.made_in is
  'The operation in which account made_by added the key. From both ids the portal derives the key again, to show the source''s address. Null: an older key, whose address was shown only once.';
comment on column portal.intake_keys.former_hash is
  'Hash of the previous key, which stays valid until former_until. Null: the key was never replaced.';
comment on column portal.intake_keys.off_at is 'Since when the source accepts no leads. Null: it is switched on.';
comment on column portal.intake_keys.tested_at is
  'When the source was last tested, by an administrator or by the portal itself. A test creates no lead. Null: never.';
create index intake_keys_former on portal.intake_keys (former_hash) where former_hash is not null;
comment on index portal.intake_keys_former is 'Serves finding a key by the previous hash.';
comment on column portal.intake_keys.secrets is
  'For Meta: appSecret, verifyToken and pageToken as {sealed}. They are encrypted with AES-256-GCM under a key derived from JWT_SECRET, and never shown.';
alter table portal.intake_keys add constraint intake_keys_sealed check (secrets = '{}' or secrets ? 'sealed') not valid;
alter table portal.intake_keys enable row level security;

create table portal.lead_intakes (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  case_id bigint references portal.roleta_cases on delete set null,
  key_id uuid references portal.intake_keys on delete set null,
  external_id text check (length(external_id) <= 200),
  name text,
  number text,
  source text not null,
  campaign text,
  development text,
  message text,
  fields jsonb not null default '{}',
  consent_at timestamptz,
  consent_text text,
  received_at timestamptz not null,
  email text,
  listing text,
  unique (key_id, external_id)
);
comment on table portal.lead_intakes is 'Every arrival of a person, with its own words, its origin and its consent.';
comment on column portal.lead_intakes.key_id is
  'The source. Null: a first message to a central instance whose text has no code of a source.';
comment on column portal.lead_intakes.external_id is
  'The id that the sender gave this delivery. The same id of the same key again is a repeat.';
comment on column portal.lead_intakes.listing is 'The code of the advertisement that the person answered.';
create index lead_intakes_contact on portal.lead_intakes (contact_id, id desc);
comment on index portal.lead_intakes_contact is
  'Serves listing the arrivals of a lead, mostly the newest, and its removal.';
create index lead_intakes_case on portal.lead_intakes (case_id);
comment on index portal.lead_intakes_case is 'Serves the removal of a case.';
create index lead_intakes_key on portal.lead_intakes (key_id, received_at);
comment on index portal.lead_intakes_key is
  'Serves counting a key''s leads of this minute, and finding its last one.';
create index lead_intakes_external on portal.lead_intakes (external_id) where external_id is not null;
comment on index portal.lead_intakes_external is
  'Serves finding a lead by the id that another system gave its delivery.';
alter table portal.lead_intakes enable row level security;

create table portal.meta_inbox (
  key_id uuid not null references portal.intake_keys on delete cascade,
  leadgen_id text not null check (length(leadgen_id) <= 60),
  value jsonb not null,
  attempts integer not null default 0,
  next_at timestamptz,
  received_at timestamptz not null,
  fault text,
  primary key (key_id, leadgen_id)
);
comment on table portal.meta_inbox is
  'Leads that Meta announced by their id only; the portal still has to fetch their data. The transaction that creates the lead deletes the row.';
comment on column portal.meta_inbox.next_at is
  'When the portal fetches the lead next. Null: it gave up, and an administrator has to look.';
create index meta_inbox_due on portal.meta_inbox (next_at) where next_at is not null;
comment on index portal.meta_inbox_due is 'Serves the leads that are due.';
alter table portal.meta_inbox enable row level security;

create function portal.move_intakes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.lead_intakes set contact_id = new.kept_contact_id where contact_id = new.gone_contact_id;
  return null;
end $$;
comment on function portal.move_intakes() is 'Trigger: moves the arrivals of a merged lead to the kept one.';
create trigger move_intakes after insert on portal.contact_merges
  for each row execute function portal.move_intakes();

create function portal.contact_for_intake(p_person bigint) returns public.whatsapp_contacts
language plpgsql stable security definer set search_path = '' as $$
declare
  kept public.whatsapp_contacts;
begin
  select c.* into kept from public.whatsapp_contacts c left join public.brokers b using ("instanceName")
  where c.person_id = p_person
  -- A broker's lead comes first, then that of a central instance, then the administrator's. Of equals the one with the
  -- newest message.
  order by c."instanceName" is null, b.central_since is not null, c.last_message_timestamp desc nulls last, c.id
  limit 1;
  return case when found then kept end;
end $$;
comment on function portal.contact_for_intake(bigint) is
  'To which of a person''s leads an arrival belongs. Null: the person has no lead yet. Server only.';

-- An arrival with only an e-mail joins the lead that has this e-mail. Without such a lead it becomes a person of its
-- own, because the portal has no number to compare.

create function portal.person_by_email(p_email text) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  found_id bigint;
begin
  -- Makes arrivals with the same e-mail wait for each other. No other lock is held yet.
  perform pg_advisory_xact_lock(hashtextextended('e-mail ' || p_email, 0));
  select c.person_id into found_id from public.whatsapp_contacts c
  where c.email = p_email order by c.number is null, c.id limit 1;
  return coalesce(found_id, portal.person_of(null));
end $$;
comment on function portal.person_by_email(text) is
  'The person of an e-mail, preferably one with a number. Creates the person if nobody has that e-mail. Server only.';

create function portal.forget_nobody(p_person bigint) returns void
language sql volatile security definer set search_path = '' as $$
  delete from portal.people p
  where p.id = p_person and (p.number_key is null or p.opted_out_at is null)
    and not exists (select from public.whatsapp_contacts c where c.person_id = p.id)
    and not exists (select from portal.identities i where i.person_id = p.id)
    and not exists (select from public.campaign_recipients r where r.person_id = p.id)
    and not exists (select from portal.contact_merges m where p.id in (m.kept_person_id, m.gone_person_id))
$$;
comment on function portal.forget_nobody(bigint) is
  'Deletes a person who has no data left. A person with a number and an opt-out stays. Server only.';

-- Some people enter a made-up number in a form. If two of them enter the same one, their e-mails keep them apart.

create function portal.is_improbable(number_key text) returns boolean
language sql immutable strict parallel safe set search_path = '' as $$
  select right(number_key, 8) ~ '^(\d)\1{7}$' or strpos('0123456789012345', right(number_key, 8)) > 0
$$;
comment on function portal.is_improbable(text) is
  'Whether a number looks made up: its last eight digits are all equal, or ascend. The same rule as isImprobable of src/domain/phone/improbable.ts.';

create function portal.person_of_arrival(p_number text, p_email text) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  key text := portal.number_key(p_number);
  person bigint;
  same bigint;
begin
  if p_number is null then return portal.person_by_email(p_email); end if;
  person := portal.person_of(p_number);
  if p_email is null or not portal.is_improbable(key) then return person; end if;
  -- Makes arrivals with the same number wait for each other, so that the second sees the first.
  perform from portal.people p where p.id = person for no key update;
  select c.person_id into same from public.whatsapp_contacts c
  where c.email = p_email and portal.number_key(c.number) = key order by c.id limit 1;
  if found then return same; end if;
  if exists (select from public.whatsapp_contacts c where c.person_id = person and c.email <> p_email) then
    return portal.person_of(null);
  end if;
  return person;
end $$;
comment on function portal.person_of_arrival(text, text) is
  'The person of an arrival, by its number or e-mail. A number that looks made up has a person for each e-mail. Server only.';

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
  perform portal.forget_nobody(former);
  return known.id;
end $$;
comment on function portal.complete_contact(bigint, text) is
  'Gives a lead with only an e-mail its number, or merges it into the lead that has this number. Returns the id that the lead has from then on. Server only.';

-- If a delivery with an id is repeated after its person was erased, the person is not created again (LGPD art. 18 VI).
create function portal.take_lead(p_key uuid, p_lead jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  person bigint;
  known portal.lead_intakes;
  contact public.whatsapp_contacts;
  opened bigint;
  listing jsonb := portal.listing_of(p_lead ->> 'listing');
  asked text := portal.known_development(coalesce(listing ->> 'development', p_lead ->> 'development', left(listing ->> 'title', 120)));
  told text := 'Mensagem do formulário: ' || (p_lead ->> 'message');
begin
  if exists (select from portal.erasures e where e.hash = portal.opt_out_hash('intake ' || (p_lead ->> 'externalId'))) then
    delete from portal.meta_inbox m where m.key_id = p_key and m.leadgen_id = p_lead ->> 'externalId';
    return jsonb_build_object('id', null, 'contactId', null, 'isRepeat', true);
  end if;
  person := portal.person_of_arrival(p_lead ->> 'number', p_lead ->> 'email');
  -- Makes deliveries for the same person wait for each other.
  perform from portal.people p where p.id = person for no key update;
  select * into known from portal.lead_intakes i where i.key_id = p_key and i.external_id = p_lead ->> 'externalId';
  contact := portal.contact_for_intake(person);
  if known.id is null and p_lead ->> 'externalId' is null then
    select * into known from portal.lead_intakes i
    where i.contact_id = contact.id and i.key_id is not distinct from p_key and i.received_at > p_now - interval '10 minutes'
      -- Leaves out rows from the future, which were written while a clock ran ahead.
      and i.received_at <= p_now + interval '10 minutes'
      and (i.development, i.campaign, i.listing, i.message, i.fields)
        is not distinct from (asked, p_lead ->> 'campaign', p_lead ->> 'listing', p_lead ->> 'message', p_lead -> 'fields')
    order by i.id desc limit 1;
  end if;
  if known.id is not null then
    return jsonb_build_object('id', known.id, 'contactId', known.contact_id, 'isRepeat', true);
  end if;
  if contact.id is null then
    -- Sets the columns at once that the arrival's trigger would otherwise update.
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
  -- A known lead who asks about another development keeps the first one, and the other becomes an interest. A
  -- development that a listing names is always added to the interests.
  if contact.empreendimento is distinct from asked or listing ->> 'development' is not null then
    perform portal.add_interest(contact.id, portal.development_of(asked), 'listing');
  end if;
  perform portal.add_numbers(contact.id, array(select jsonb_array_elements_text(
    case when jsonb_typeof(p_lead -> 'numbers') = 'array' then p_lead -> 'numbers' else '[]' end)));
  opened := case
    -- Nobody can write to a lead without a number, so the administrator finds the number out first.
    when contact.number is null and contact.last_message_id is null
      then portal.open_old_case(contact.id, asked, p_lead ->> 'source', p_now)
    else portal.open_case(contact.id, asked, p_lead ->> 'source', p_now) end;
  insert into portal.lead_intakes (contact_id, case_id, key_id, external_id, name, number, email, source, campaign, development,
    listing, message, fields, consent_at, consent_text, received_at)
  values (contact.id, opened, p_key, p_lead ->> 'externalId', p_lead ->> 'name', portal.shown_number(p_lead ->> 'number'), p_lead ->> 'email',
    p_lead ->> 'source', p_lead ->> 'campaign', asked, p_lead ->> 'listing', p_lead ->> 'message',
    coalesce(p_lead -> 'fields', '{}'), (p_lead ->> 'consentAt')::timestamptz, p_lead ->> 'consentText', p_now)
  returning * into known;
  delete from portal.meta_inbox m where m.key_id = p_key and m.leadgen_id = p_lead ->> 'externalId';
  return jsonb_build_object('id', known.id, 'contactId', contact.id, 'isRepeat', false);
end $$;
comment on function portal.take_lead(uuid, jsonb, timestamptz) is
  'Creates or finds the lead of a delivery, once: {name, number and numbers (further ones) as portal.shown_number returns them, email, source, campaign, development, listing, message, fields, externalId, consentAt, consentText}; number or email is required. All forms of a number are one lead, as is an e-mail without a number. A number that looks made up has one lead for each e-mail. A lead with a broker stays there. The development is that of the listing with this code, else the one that the delivery names, else the listing''s title. A lead with only an e-mail goes to the administrator. Returns {id, contactId, isRepeat}, id and contactId null if the delivery''s person was erased. Server only.';

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
  'Sets the number (with + and country code) of a lead that had only an e-mail, and opens its case. If somebody has that number, the two leads become one and stay with their broker: isKnown. A retry of the operation changes nothing. Returns {contactId, isKnown}; 404 for a lead that has a number or was deleted. Administrators, through the server only.';

-- Leads whose number is in doubt (portal.number_doubts). An administrator decides which of the possible numbers is
-- right.

create function portal.list_number_doubts() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('contactId', c.id, 'name', c.name, 'instanceName', c."instanceName",
      'shown', d.shown, 'numbers', d.numbers) order by d.found_at, c.id), '[]')
    from portal.number_doubts d join public.whatsapp_contacts c on c.id = d.contact_id);
end $$;
comment on function portal.list_number_doubts() is
  'Leads whose number is in doubt, with the possible numbers: [{contactId, name, instanceName, shown, numbers}]. Administrators, through the server only.';

create function portal.decide_number(p_contact bigint, p_number text, p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  key text := portal.number_key(p_number);
  lead public.whatsapp_contacts;
  person bigint;
  known bigint;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  if key is null then
    raise exception 'Informe o telefone com DDD, ou com + e o código do país.' using errcode = 'PT422', hint = 'lead.no-number';
  end if;
  select c.* into lead from public.whatsapp_contacts c join portal.number_doubts d on d.contact_id = c.id
  where c.id = p_contact for update of c, d;
  if not found then
    raise exception 'O número deste lead já não está em dúvida.' using errcode = 'PT404', hint = 'lead.unknown';
  end if;
  delete from portal.number_doubts d where d.contact_id = p_contact;
  person := portal.person_of(p_number);
  -- Addresses that WhatsApp returned for the chosen number belong to this person. Those of the other numbers belong to
  -- strangers.
  update portal.identities i set person_id = person where i.person_id = lead.person_id and portal.number_key(i.jid) = key;
  delete from portal.identities i using portal.people p
  where p.id = i.person_id and i.person_id in (person, lead.person_id) and portal.number_key(i.jid) <> p.number_key;
  if person = lead.person_id then
    update public.whatsapp_contacts c set number = p_number where c.id = p_contact;
  else
    delete from portal.contact_routes r where r.contact_id = p_contact and r.person_id = lead.person_id;
    select c.id into known from public.whatsapp_contacts c
    where c.person_id = person and c."instanceName" is not distinct from lead."instanceName";
    if known is not null then
      perform portal.merge_contacts(known, p_contact);
    else
      update public.whatsapp_contacts c set person_id = person, number = p_number where c.id = p_contact;
    end if;
    perform portal.forget_nobody(lead.person_id);
  end if;
  perform portal.audit('lead.number-decided', lead."instanceName", jsonb_build_object('leadId', coalesce(known, p_contact)));
  return portal.end_operation(portal.account_id(), p_operation_id, 'lead.number',
    jsonb_build_object('contactId', coalesce(known, p_contact), 'isKnown', known is not null));
end $$;
comment on function portal.decide_number(bigint, text, uuid) is
  'Sets the number of a lead in doubt (+ and country code). Sending resumes, and messages of the other number belong to another person. If the broker already has a lead with this number, the two become one: isKnown. A retry of the operation changes nothing. Returns {contactId, isKnown}; 404 for a lead whose number is not in doubt, 422 for an invalid number. Administrators, through the server only.';

create function portal.key_code(p_key uuid) returns text
language sql immutable parallel safe set search_path = '' as $$
  select 'Q' || upper(left(md5(p_key::text), 6))
$$;
comment on function portal.key_code(uuid) is
  'The code in the text of a source''s WhatsApp link. By it a central instance knows which source a first message comes from. Server only.';

create function portal.take_central() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  contact public.whatsapp_contacts;
  since timestamptz := (select b.central_since from public.brokers b where b."instanceName" = new."instanceName");
  is_history boolean := coalesce(current_setting('portal.history', true), '') = 'on';
  arrived_at timestamptz := case when is_history then to_timestamp(new."timestamp") else now() end;
  words text[];
  development text;
  origin portal.intake_keys;
  listing jsonb;
begin
  if since is null then return null; end if;
  select * into contact from public.whatsapp_contacts c where c.id = new.contact_id;
  if contact."instanceName" is distinct from new."instanceName" or contact.created_at < since
    or exists (select from portal.lead_intakes i where i.contact_id = contact.id) then
    return null;
  end if;
  words := regexp_split_to_array(upper(new.body), '[^A-Z0-9]+');
  select r.empreendimento into development from public.roletas r
  where r.text_code = any (words) order by array_position(words, r.text_code) limit 1;
  -- The first message may contain the code of a source, for example of a printed board at the building site.
  select k.* into origin from portal.intake_keys k
  where k.revoked_at is null and portal.key_code(k.id) = any (words)
  order by array_position(words, portal.key_code(k.id)) limit 1;
  -- The link of a public page puts the code of a listing or page into the message: '(cód. AP-1001)'.
  listing := portal.listing_of(substring(new.body from '(?i)\mc[oó]d\.\s*([^\s),;]{1,50})'));
  development := coalesce(development, listing ->> 'development', left(listing ->> 'title', 120), portal.known_development(origin.settings ->> 'development'));
  if development is null then
    select a.empreendimento into development from public.prompts_agents a where a."instanceName" = new."instanceName"
    order by a.id limit 1;
  end if;
  update public.whatsapp_contacts c
  set empreendimento = coalesce(c.empreendimento, development),
    source = case when origin.id is not null and c.source in ('desconhecida', 'whatsapp')
      then coalesce(origin.settings ->> 'source', left(origin.name, 60)) else c.source end,
    campaign = coalesce(c.campaign, origin.settings ->> 'campaign')
  where c.id = contact.id returning * into contact;
  perform portal.add_interest(contact.id, portal.development_of(listing ->> 'development'), 'listing');
  insert into portal.lead_intakes (contact_id, key_id, listing, case_id, name, number, source, campaign, development, message, received_at)
  values (contact.id, origin.id, listing ->> 'code',
    case when is_history then portal.open_old_case(contact.id, development, contact.source, arrived_at)
      -- The agent of the instance answers the lead first, and calls a broker itself.
      when portal.speaking_agent(new, now()) is not null then null
      -- A person has answered the lead already, and the agent leaves it to that person.
      when portal.answering_agent(contact.id, now()) is not null and exists (
        select from public.whatsapp_messages m
        where m.contact_id = contact.id and m.type = 'outgoing' and m.author = 'human') then null
      else portal.open_case(contact.id, development, contact.source, arrived_at) end,
    contact.name, contact.number, contact.source, contact.campaign, development, new.body, arrived_at);
  return null;
end $$;
comment on function portal.take_central() is
  'Trigger: the first message of an unknown person to a central instance is an arrival. The development comes from a rotation''s code in the text, else from the code of a listing or a public page, else from a source''s code, else from the instance''s agent. A source''s code also makes that source the lead''s origin.';
create trigger take_central after insert on public.whatsapp_messages
  for each row when (new.type = 'incoming') execute function portal.take_central();

create function portal.intake_key_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'kind', k.kind, 'name', k.name, 'settings', k.settings,
      'code', portal.key_code(k.id), 'perMinute', k.per_minute, 'createdBy', k.created_by, 'createdAt', k.created_at, 'revokedAt', k.revoked_at,
      'offAt', k.off_at, 'testedAt', k.tested_at, 'hasAddress', k.made_in is not null,
      'usedAt', newest.received_at, 'lastName', newest.name, 'gapSeconds', gaps.seconds,
      'leads', (select count(*) from portal.lead_intakes i where i.key_id = k.id),
      'monthLeads', (select count(*) from portal.lead_intakes i where i.key_id = k.id and i.received_at > now() - interval '30 days'),
      'waiting', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is not null)
        + (select count(*) from portal.intake_raw r where r.key_id = k.id and r.next_at is not null),
      'failed', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is null),
      'unread', (select count(*) from portal.intake_raw r where r.key_id = k.id and r.next_at is null)
    ) order by k.revoked_at is not null, k.created_at desc, k.id), '[]')
    from portal.intake_keys k
    left join lateral (
      select i.received_at, i.name from portal.lead_intakes i where i.key_id = k.id order by i.received_at desc, i.id desc limit 1
    ) newest on true
    left join lateral (
      select round(extract(epoch from max(last.at) - min(last.at)) / nullif(count(*) - 1, 0)) as seconds
      from (select i.received_at as at from portal.lead_intakes i where i.key_id = k.id order by i.received_at desc limit 50) last
    ) gaps on true
  );
end $$;
comment on function portal.intake_key_list() is
  'All intake keys without their secrets: the code in the link text, leads in all and in thirty days, the last lead, the interval between its last fifty (gapSeconds), failed (leads that could not be fetched from Meta) and unread (bodies that gave no lead). Administrators, through the server only.';

create function portal.add_intake_key(p_operation_id uuid, p_key jsonb, p_hash bytea, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  insert into portal.intake_keys (id, kind, name, hash, settings, secrets, per_minute, created_by, created_at, made_by, made_in)
  values (p_operation_id, p_key ->> 'kind', p_key ->> 'name', p_hash, p_key -> 'settings', p_key -> 'secrets',
    (p_key ->> 'perMinute')::integer, portal.actor(), p_now, portal.account_id(), p_operation_id);
  perform portal.audit('intake-key.made', p_key ->> 'name');
  return portal.end_operation(portal.account_id(), p_operation_id, 'intake-key.add', jsonb_build_object('id', p_operation_id));
end $$;
comment on function portal.add_intake_key(uuid, jsonb, bytea, timestamptz) is
  'Adds an intake key {kind, name, settings, secrets, perMinute}. The operation''s id becomes its id, so that a retry changes nothing. Administrators, through the server only.';

create function portal.living_key(p_id uuid) returns portal.intake_keys
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys;
begin
  perform portal.require_admin();
  select * into k from portal.intake_keys i where i.id = p_id and i.revoked_at is null for no key update;
  if not found then
    raise exception 'Chave não encontrada.' using errcode = 'PT404', hint = 'intake-key.unknown';
  end if;
  return k;
end $$;
comment on function portal.living_key(uuid) is
  'An intake key that is not revoked, locked for a change; else 404. Administrators, through the server only.';

create function portal.intake_key_origin(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys := portal.living_key(p_id);
begin
  perform portal.audit('intake-key.seen', k.name);
  return jsonb_build_object('kind', k.kind, 'madeBy', k.made_by, 'madeIn', k.made_in, 'hash', encode(k.hash, 'hex'));
end $$;
comment on function portal.intake_key_origin(uuid) is
  'The data from which the portal derives a key again, to show its address; audited. 404 for an unknown or revoked key. Administrators, through the server only.';

create function portal.change_intake_key(p_id uuid, p_change jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys := portal.living_key(p_id);
  is_on boolean := (p_change ->> 'isOn')::boolean;
begin
  update portal.intake_keys i
  set settings = jsonb_strip_nulls(i.settings || coalesce(p_change -> 'settings', '{}')),
    off_at = case when is_on then null when not is_on then coalesce(i.off_at, p_now) else i.off_at end
  where i.id = p_id;
  if p_change ? 'settings' then perform portal.audit('intake-key.changed', k.name); end if;
  if is_on and k.off_at is not null then perform portal.audit('intake-key.on', k.name); end if;
  if not is_on and k.off_at is null then perform portal.audit('intake-key.off', k.name); end if;
  return jsonb_build_object('id', p_id);
end $$;
comment on function portal.change_intake_key(uuid, jsonb, timestamptz) is
  'Changes the named parts of a key: settings (null removes one), isOn. A repeat changes nothing. 404 for an unknown or revoked key. Administrators, through the server only.';

create function portal.swap_intake_key(p_id uuid, p_operation_id uuid, p_hash bytea, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys := portal.living_key(p_id);
begin
  if k.made_in is distinct from p_operation_id then
    update portal.intake_keys i
    set former_hash = i.hash, former_until = p_now + interval '24 hours', hash = p_hash, made_by = portal.account_id(),
      made_in = p_operation_id
    where i.id = p_id;
    perform portal.audit('intake-key.swapped', k.name);
  end if;
  return jsonb_build_object('id', p_id);
end $$;
comment on function portal.swap_intake_key(uuid, uuid, bytea, timestamptz) is
  'Replaces a key; the old one stays valid for 24 hours. A retry of the operation changes nothing. 404 for an unknown or revoked key. Administrators, through the server only.';

create function portal.revoke_intake_key(p_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  revoked text;
begin
  perform portal.require_admin();
  if not exists (select from portal.intake_keys k where k.id = p_id) then
    raise exception 'Chave não encontrada.' using errcode = 'PT404', hint = 'intake-key.unknown';
  end if;
  delete from portal.mailboxes b where b.key_id = p_id;
  update portal.intake_keys k set revoked_at = p_now, secrets = '{}' where k.id = p_id and k.revoked_at is null
  returning k.name into revoked;
  if found then perform portal.audit('intake-key.revoked', revoked); end if;
  return jsonb_build_object('id', p_id);
end $$;
comment on function portal.revoke_intake_key(uuid, timestamptz) is
  'Revokes a key and deletes its secrets; a repeat changes nothing. Administrators, through the server only.';


-- The rate of a key is counted from stored rows, and nobody writes to the key's row. So deliveries of one key can run
-- at the same time.

create function portal.intake_key(p_hash bytea, p_id uuid, p_now timestamp with time zone) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', k.id, 'kind', k.kind, 'settings', k.settings, 'secrets', k.secrets,
    'waitSeconds', case when recent.leads >= k.per_minute
      then greatest(1, ceil(extract(epoch from recent.first_at + interval '1 minute' - p_now))) else 0 end)
  from portal.intake_keys k
  cross join lateral (
    select count(*) as leads, min(i.received_at) as first_at from portal.lead_intakes i
    where i.key_id = k.id and i.received_at > p_now - interval '1 minute' and i.received_at <= p_now
  ) recent
  where (k.hash = p_hash or k.id = p_id) and k.revoked_at is null and k.off_at is null
$$;
comment on function portal.intake_key(bytea, uuid, timestamptz) is
  'The key of a delivery: by the hash of the sent key, or by its id for Meta, which signs instead. Includes the seconds to wait if the key sent too many leads this minute. Null for an unknown, revoked or inactive key. Server only.';


-- The portal stores a body before it parses it, and creates the lead afterwards. The sender waits for one insert only,
-- and an accepted body is never lost.

create table portal.intake_raw (
  id bigint generated always as identity primary key,
  key_id uuid not null references portal.intake_keys (id) on delete cascade,
  content_type text not null check (length(content_type) <= 200),
  repeat_key text check (length(repeat_key) <= 200),
  body text not null check (octet_length(body) <= 262144),
  attempts integer not null default 0,
  next_at timestamptz,
  received_at timestamptz not null,
  fault text
);
comment on table portal.intake_raw is
  'Bodies that are not turned into leads yet, and those that could not be parsed, which an administrator looks at. The transaction that creates the lead deletes the row.';
comment on column portal.intake_raw.body is
  'The body as received: at most 64 KiB from a form or portal, more for a mail or an answer of Meta. A binary body is in base64, and its content type ends in '';base64''.';
comment on column portal.intake_raw.repeat_key is 'The sender''s Idempotency-Key, for bodies without an id.';
comment on column portal.intake_raw.next_at is
  'When the portal parses the body next. A portal that begins sets it later, so that no other one does the same. Null: parsing failed.';
comment on column portal.intake_raw.fault is 'Why parsing failed: a sentence, or the error''s code.';
create index intake_raw_due on portal.intake_raw (next_at, id) where next_at is not null;
comment on index portal.intake_raw_due is 'Serves the bodies that are due.';
create index intake_raw_key on portal.intake_raw (key_id, received_at);
comment on index portal.intake_raw_key is 'Serves counting a key''s waiting bodies, and its rate.';
alter table portal.intake_raw enable row level security;

create function portal.keep_intakes(p_arrivals jsonb) returns setof jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  arrival record;
  k portal.intake_keys;
  counted uuid;
  recent record;
  kept bigint;
begin
  for arrival in
    select decode(a.value ->> 'hash', 'hex') as hash, a.value -> 'raw' as raw,
      (a.value ->> 'now')::timestamptz as now, (a.value ->> 'nextAt')::timestamptz as next_at
    from jsonb_array_elements(p_arrivals) with ordinality as a
    order by a.ordinality
  loop
    select * into k from portal.intake_keys i
    where (i.hash = arrival.hash or i.former_hash = arrival.hash and i.former_until > arrival.now) and i.revoked_at is null;
    if not found then
      return next null;
      continue;
    end if;
    if k.off_at is not null then
      return next '{"isOff": true}';
      continue;
    end if;
    -- Counts once for all consecutive bodies of the same key.
    if counted is distinct from k.id then
      counted := k.id;
      -- Leaves out rows from the future, so that a clock that ran ahead blocks nobody.
      select count(*) as leads, min(at) as first_at into recent from (
        select i.received_at as at from portal.lead_intakes i
        where i.key_id = k.id and i.received_at > arrival.now - interval '1 minute' and i.received_at <= arrival.now
        union all
        select r.received_at from portal.intake_raw r
        where r.key_id = k.id and r.received_at > arrival.now - interval '1 minute' and r.received_at <= arrival.now
      ) minute;
    end if;
    if recent.leads >= k.per_minute then
      return next jsonb_build_object('waitSeconds',
        greatest(1, ceil(extract(epoch from recent.first_at + interval '1 minute' - arrival.now))));
      continue;
    end if;
    insert into portal.intake_raw (key_id, content_type, repeat_key, body, next_at, received_at)
    values (k.id, arrival.raw ->> 'contentType', arrival.raw ->> 'repeatKey', arrival.raw ->> 'body', arrival.next_at, arrival.now)
    returning id into kept;
    recent.leads := recent.leads + 1;
    recent.first_at := coalesce(recent.first_at, arrival.now);
    return next jsonb_build_object('id', kept, 'keyId', k.id, 'kind', k.kind, 'settings', k.settings, 'waitSeconds', 0);
  end loop;
end $$;
comment on function portal.keep_intakes(jsonb) is
  'Stores bodies before they are parsed, an array of {hash: the key''s in hex, raw: {contentType, repeatKey, body}, now, nextAt}. Returns one answer each, in order: {id, keyId, kind, settings, waitSeconds}; null for an unknown or revoked key; {isOff} for an inactive one; only {waitSeconds} if the key sent too many this minute, earlier ones of the array included. Server only.';

create function portal.is_unread_twin(raw portal.intake_raw) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from portal.intake_raw r
    where r.key_id = raw.key_id and r.next_at is null and r.id <> raw.id and r.body = raw.body and r.content_type = raw.content_type)
$$;
comment on function portal.is_unread_twin(portal.intake_raw) is
  'Whether the same body of the same key already waits for an administrator. Mail services repeat everything that they did not get 200 for. Server only.';

-- The portal keeps parsed bodies for a while, because a later version may parse them better.
create table portal.intake_read (
  id bigint primary key,
  key_id uuid not null references portal.intake_keys on delete cascade,
  content_type text not null,
  repeat_key text,
  body text not null check (octet_length(body) <= 262144),
  leads jsonb not null,
  intakes bigint[] not null,
  fault text,
  received_at timestamptz not null
);
comment on table portal.intake_read is
  'Parsed bodies, kept for KEEP_RAW_DAYS, so that later versions can parse them again.';
comment on column portal.intake_read.id is 'The id that the body had in portal.intake_raw.';
comment on column portal.intake_read.leads is
  'The parsed leads, as passed to portal.take_lead; empty for a body without a lead.';
comment on column portal.intake_read.intakes is
  'One row of portal.lead_intakes for each of the leads; null if its person was erased.';
comment on column portal.intake_read.fault is 'Why the body has no lead: it is a bounce or a newsletter.';
create index intake_read_received on portal.intake_read (received_at, id);
comment on index portal.intake_read_received is 'Serves deleting old rows.';
create index intake_read_key on portal.intake_read (key_id, id);
comment on index portal.intake_read_key is 'Serves the removal of a key, and parsing its bodies again.';
alter table portal.intake_read enable row level security;

create function portal.trim_reads(p_key uuid) returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from portal.intake_read r where r.id in (
      select o.id from (
        select i.id, row_number() over newest as place,
          sum(octet_length(i.body) + pg_column_size(i.leads)) over newest as size_bytes
        from portal.intake_read i where i.key_id = p_key
        window newest as (order by i.id desc rows unbounded preceding)
      ) o
      where o.place > 20000 or o.size_bytes > 33554432)
    returning 1
  )
  select count(*) from gone
$$;
comment on function portal.trim_reads(uuid) is
  'Deletes the oldest parsed bodies of one source, if it has more than 20,000 of them or more than 32 MiB with their results. Returns how many were deleted. Server only.';

create function portal.keep_read(raw portal.intake_raw, p_leads jsonb, p_intakes bigint[], p_fault text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.intake_read (id, key_id, content_type, repeat_key, body, leads, intakes, fault, received_at)
  values (raw.id, raw.key_id, raw.content_type, raw.repeat_key, raw.body, p_leads, p_intakes, p_fault, raw.received_at)
  on conflict do nothing;
  -- Counting at each arrival would slow down every lead. The bound is therefore checked at every 64th body, and a
  -- source may exceed it for a moment.
  if raw.id % 64 = 0 then perform portal.trim_reads(raw.key_id); end if;
end $$;
comment on function portal.keep_read(portal.intake_raw, jsonb, bigint[], text) is
  'Stores a parsed body with its result. Server only.';

create function portal.take_raw(p_id bigint, p_leads jsonb, p_fault text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  raw portal.intake_raw;
  lead jsonb;
  taken jsonb;
  answer jsonb;
  intakes bigint[] := '{}';
  is_new boolean := false;
begin
  select * into raw from portal.intake_raw r where r.id = p_id for update;
  -- Another portal has created the leads already.
  if not found then return null; end if;
  for lead in select * from jsonb_array_elements(p_leads) loop
    taken := portal.take_lead(raw.key_id, lead, p_now);
    intakes := intakes || (taken ->> 'id')::bigint;
    is_new := is_new or not (taken -> 'isRepeat')::boolean;
    answer := case when answer is null or (answer -> 'isRepeat')::boolean then taken else answer end;
  end loop;
  if p_fault is null or portal.is_unread_twin(raw) then
    delete from portal.intake_raw r where r.id = p_id;
    -- A repeated body is stored once. The body of an erased person is not stored.
    if is_new then perform portal.keep_read(raw, p_leads, intakes, null); end if;
  else
    update portal.intake_raw r set next_at = null, fault = p_fault where r.id = p_id;
  end if;
  return answer;
end $$;
comment on function portal.take_raw(bigint, jsonb, text, timestamptz) is
  'Creates the leads of a stored body, all or nothing, and moves the body to portal.intake_read. Returns the answer of portal.take_lead for the first new lead. With p_fault (a part could not be parsed) the body stays for an administrator. Null if another portal was faster. Server only.';

-- Meta announces a lead by its id; the portal answers at once and fetches the data later (portal.meta_inbox). The
-- fetched answer is then kept like any other body.

create function portal.body_of_meta(p_key uuid, p_body text, p_now timestamptz) returns portal.intake_raw
language plpgsql volatile security definer set search_path = '' as $$
declare
  raw portal.intake_raw;
begin
  raw.id := nextval(pg_get_serial_sequence('portal.intake_raw', 'id'));
  raw.key_id := p_key;
  raw.content_type := 'application/json';
  raw.body := p_body;
  raw.attempts := 0;
  raw.received_at := p_now;
  return raw;
end $$;
comment on function portal.body_of_meta(uuid, text, timestamptz) is
  'A lead that was fetched from Meta, in the form of a stored body with a new id. Stores nothing. Server only.';

create function portal.take_meta(p_key uuid, p_lead jsonb, p_body text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  taken jsonb := portal.take_lead(p_key, p_lead, p_now);
begin
  if not (taken -> 'isRepeat')::boolean and octet_length(p_body) <= 262144 then
    perform portal.keep_read(portal.body_of_meta(p_key, p_body, p_now), jsonb_build_array(p_lead),
      array[(taken ->> 'id')::bigint], null);
  end if;
  return taken;
end $$;
comment on function portal.take_meta(uuid, jsonb, text, timestamptz) is
  'Creates the lead that was fetched from Meta, as portal.take_lead does, and keeps Meta''s answer so that it can be parsed again. An answer over 256 KiB is not kept. Server only.';

create function portal.set_meta_unread(p_key uuid, p_leadgen text, p_body text, p_fault text, p_most integer, p_now timestamptz) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  raw portal.intake_raw;
begin
  -- Makes the bodies of one key wait for each other, so that the limit p_most holds.
  perform from portal.intake_keys k where k.id = p_key for no key update;
  if octet_length(p_body) > 262144
    or (select count(*) from portal.intake_raw r where r.key_id = p_key and r.next_at is null) >= p_most then
    return false;
  end if;
  delete from portal.meta_inbox m where m.key_id = p_key and m.leadgen_id = p_leadgen;
  if not found then return true; end if;
  raw := portal.body_of_meta(p_key, p_body, p_now);
  insert into portal.intake_raw (id, key_id, content_type, body, received_at, fault) overriding system value
  values (raw.id, raw.key_id, raw.content_type, raw.body, raw.received_at, p_fault);
  return true;
end $$;
comment on function portal.set_meta_unread(uuid, text, text, text, integer, timestamptz) is
  'Moves a lead that was fetched from Meta but cannot be created to the bodies that an administrator looks at. Returns false and changes nothing if the key already has p_most of them, or the answer is over 256 KiB. Server only.';

create function portal.put_raw_aside(p_id bigint, p_fault text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  raw portal.intake_raw;
begin
  delete from portal.intake_raw r where r.id = p_id returning * into raw;
  if found then perform portal.keep_read(raw, '[]', '{}', p_fault); end if;
end $$;
comment on function portal.put_raw_aside(bigint, text) is
  'Moves a body that contains no lead to portal.intake_read. Server only.';

create function portal.set_raw_unread(p_id bigint, p_fault text, p_most integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  raw portal.intake_raw;
begin
  select * into raw from portal.intake_raw r where r.id = p_id for update;
  if not found then return false; end if;
  -- Requests with one key wait for each other, so that p_most holds.
  perform from portal.intake_keys k where k.id = raw.key_id for no key update;
  if portal.is_unread_twin(raw) then
    delete from portal.intake_raw r where r.id = p_id;
    return true;
  end if;
  if (select count(*) from portal.intake_raw r where r.key_id = raw.key_id and r.next_at is null) >= p_most then
    delete from portal.intake_raw r where r.id = p_id;
    return false;
  end if;
  update portal.intake_raw r set next_at = null, fault = p_fault where r.id = p_id;
  return true;
end $$;
comment on function portal.set_raw_unread(bigint, text, integer) is
  'Keeps a body that could not be parsed for an administrator, once even if it is repeated. If the key has p_most of them already, deletes the body and returns false. Server only.';


create function portal.pages_of(p_hash bytea, p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(k.settings -> 'origins', '[]') from portal.intake_keys k
  where (k.hash = p_hash or k.former_hash = p_hash and k.former_until > p_now) and k.revoked_at is null and k.off_at is null
$$;
comment on function portal.pages_of(bytea, timestamptz) is
  'The web pages (origins) from which a browser may send with a key. Null for an invalid or inactive key. Server only.';

create function portal.end_test(p_raw bigint, p_now timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  with gone as (delete from portal.intake_raw r where r.id = p_raw returning r.key_id)
  update portal.intake_keys k set tested_at = p_now from gone where k.id = gone.key_id
$$;
comment on function portal.end_test(bigint, timestamptz) is
  'Deletes the body of a connection test, and records the test. Server only.';

create function portal.note_key_test(p_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys := portal.living_key(p_id);
begin
  update portal.intake_keys i set tested_at = p_now where i.id = p_id;
  return jsonb_build_object('kind', k.kind, 'settings', k.settings,
    'roleta', (select r.empreendimento from public.roletas r where r.id = portal.roleta_of(portal.known_development(k.settings ->> 'development'))));
end $$;
comment on function portal.note_key_test(uuid, timestamptz) is
  'The settings with which a key is tested, and the rotation that gets leads without a development. Records the time of the test. 404 for an unknown or revoked key. Administrators, through the server only.';


-- Bodies that could not be parsed. An administrator reads them, fixes the source and has them parsed again. They
-- contain personal data of people who are not leads yet.

create function portal.unread_intakes() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'keyId', r.key_id, 'keyName', k.name, 'kind', k.kind,
      'receivedAt', r.received_at, 'fault', r.fault) order by r.received_at desc, r.id desc), '[]')
    from portal.intake_raw r join portal.intake_keys k on k.id = r.key_id
    where r.next_at is null
  );
end $$;
comment on function portal.unread_intakes() is
  'Bodies that could not be parsed, the newest first, each with its key and the fault; at most 200 for each key. Administrators, through the server only.';

create function portal.unread_intake(p_id bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  select jsonb_build_object('id', r.id, 'keyId', k.id, 'keyName', k.name, 'kind', k.kind, 'settings', k.settings,
    'receivedAt', r.received_at, 'fault', r.fault, 'contentType', r.content_type, 'repeatKey', r.repeat_key, 'body', r.body)
  into answer
  from portal.intake_raw r join portal.intake_keys k on k.id = r.key_id
  where r.id = p_id and r.next_at is null;
  if not found then
    raise exception 'Esta entrega já não está aqui.' using errcode = 'PT404', hint = 'intake.unknown';
  end if;
  perform portal.audit('intake.seen', answer ->> 'keyName', jsonb_build_object('id', p_id));
  return answer;
end $$;
comment on function portal.unread_intake(bigint) is
  'One body that could not be parsed, as received, with its key''s settings; audited. 404 if it was parsed or discarded. Administrators, through the server only.';

create function portal.read_again(p_ids bigint[], p_until timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  again jsonb;
begin
  perform portal.require_admin();
  with taken as (
    update portal.intake_raw r set next_at = p_until, attempts = 1
    from portal.intake_keys k where k.id = r.key_id and r.id = any (p_ids) and r.next_at is null
    returning jsonb_build_object('id', r.id, 'kind', k.kind, 'settings', k.settings, 'attempts', r.attempts,
      'contentType', r.content_type, 'repeatKey', r.repeat_key, 'body', r.body) as raw, r.id
  )
  select coalesce(jsonb_agg(t.raw order by t.id), '[]') into again from taken t;
  if jsonb_array_length(again) > 0 then
    perform portal.audit('intake.read-again', null, jsonb_build_object('count', jsonb_array_length(again)));
  end if;
  return again;
end $$;
comment on function portal.read_again(bigint[], timestamptz) is
  'Has bodies parsed again after an administrator fixed their key. The caller parses them until p_until; then the portal does. Those that fail again come back to the list. Administrators, through the server only.';

create function portal.discard_intakes(p_ids bigint[]) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  gone integer;
begin
  perform portal.require_admin();
  delete from portal.intake_raw r where r.id = any (p_ids) and r.next_at is null;
  get diagnostics gone = row_count;
  if gone > 0 then perform portal.audit('intake.discarded', null, jsonb_build_object('count', gone)); end if;
  return gone;
end $$;
comment on function portal.discard_intakes(bigint[]) is
  'Deletes bodies that could not be parsed; returns how many. Administrators, through the server only.';


-- The current version parses kept bodies again. A screen shows the differences, and an administrator applies them.

create function portal.kept_intakes(p_after bigint, p_most integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  if p_after = 0 then perform portal.audit('intake.compared'); end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'kind', k.kind, 'keyName', k.name, 'settings', k.settings,
      'contentType', r.content_type, 'repeatKey', r.repeat_key, 'body', r.body, 'receivedAt', r.received_at,
      'leads', r.leads, 'isUnread', r.is_unread) order by r.id), '[]')
    from (
      select e.id, e.key_id, e.content_type, e.repeat_key, e.body, e.received_at, e.leads, false as is_unread
      from portal.intake_read e where e.id > p_after
      union all
      select u.id, u.key_id, u.content_type, u.repeat_key, u.body, u.received_at, '[]', true
      from portal.intake_raw u where u.id > p_after and u.next_at is null
      order by 1 limit p_most
    ) r join portal.intake_keys k on k.id = r.key_id and k.revoked_at is null
  );
end $$;
comment on function portal.kept_intakes(bigint, integer) is
  'Kept bodies after p_after, parsed or not, with their keys'' settings and the earlier result; the first page is audited. Administrators, through the server only.';

create function portal.mend_lead(p_intake bigint, p_lead jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  told portal.lead_intakes;
  contact public.whatsapp_contacts;
  told_now text := portal.shown_number(p_lead ->> 'number');
  person bigint;
  known bigint;
begin
  select * into told from portal.lead_intakes i where i.id = p_intake for update;
  if not found then return false; end if;
  select * into contact from public.whatsapp_contacts c where c.id = told.contact_id for update;
  if told_now is not null and contact.number is null then
    contact.id := portal.complete_contact(contact.id, told_now);
  elsif told_now is not null and portal.number_key(told_now) is distinct from portal.number_key(contact.number)
    and portal.number_key(told.number) is not distinct from portal.number_key(contact.number) then
    -- If the lead has a conversation under the old number, that conversation belongs to another person, so nothing
    -- changes.
    if contact.last_message_id is not null then return false; end if;
    person := portal.person_of(told_now);
    select c.id into known from public.whatsapp_contacts c
    where c.person_id = person and c."instanceName" is not distinct from contact."instanceName";
    if known is not null then
      perform portal.merge_contacts(known, contact.id);
    else
      update public.whatsapp_contacts c set person_id = person, number = told_now where c.id = contact.id;
    end if;
    perform portal.forget_nobody(contact.person_id);
    contact.id := coalesce(known, contact.id);
  end if;
  -- Values that a person has changed meanwhile stay.
  update public.whatsapp_contacts c
  set name = case when c.name is null or c.name = told.name then coalesce(p_lead ->> 'name', c.name) else c.name end,
    email = case when c.email is null or c.email = told.email then coalesce(p_lead ->> 'email', c.email) else c.email end,
    campaign = case when c.campaign is null or c.campaign in (told.campaign, portal.campaign_of(c.id, told.campaign)) then coalesce(p_lead ->> 'campaign', c.campaign) else c.campaign end,
    notes = case when p_lead ->> 'message' is null or position(p_lead ->> 'message' in coalesce(c.notes, '')) > 0 then c.notes
      else left(concat_ws(E'\n\n', nullif(btrim(c.notes), ''), 'Mensagem do formulário: ' || (p_lead ->> 'message')), 10000) end
  where c.id = contact.id;
  update portal.lead_intakes i
  set name = p_lead ->> 'name', number = told_now, email = p_lead ->> 'email',
    listing = p_lead ->> 'listing', message = p_lead ->> 'message', campaign = p_lead ->> 'campaign',
    fields = coalesce(p_lead -> 'fields', '{}')
  where i.id = p_intake;
  return true;
end $$;
comment on function portal.mend_lead(bigint, jsonb) is
  'Applies the new parsing of a delivery to its arrival and its lead. Values that a person changed stay. Returns false and changes nothing if the number differs and the lead has a conversation, or if the lead was deleted. Server only.';

create function portal.mend_intake(p_id bigint, p_leads jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  kept portal.intake_read;
  place integer;
  mended integer := 0;
  spoken integer := 0;
begin
  perform portal.require_admin();
  select * into kept from portal.intake_read r where r.id = p_id for update;
  if not found then return null; end if;
  for place in 1 .. jsonb_array_length(p_leads) loop
    if kept.intakes[place] is null then
      kept.intakes[place] := (portal.take_lead(kept.key_id, p_leads -> place - 1, p_now) ->> 'id')::bigint;
      mended := mended + 1;
    elsif portal.mend_lead(kept.intakes[place], p_leads -> place - 1) then
      mended := mended + 1;
    else
      spoken := spoken + 1;
    end if;
  end loop;
  if spoken = 0 then
    update portal.intake_read r set leads = p_leads, intakes = kept.intakes, fault = null where r.id = p_id;
  end if;
  perform portal.audit('intake.mended', null, jsonb_build_object('id', p_id, 'count', mended));
  return jsonb_build_object('mended', mended, 'spoken', spoken);
end $$;
comment on function portal.mend_intake(bigint, jsonb, timestamptz) is
  'Replaces the result of a kept body by a new parsing. Missing leads are created, others corrected. spoken: how many stay as they are, because they have a conversation under the old number. Null for a deleted body. Administrators, through the server only.';


-- Mailboxes from which the portal reads mails by IMAP, for agencies without an inbound mail service. The password is
-- encrypted.

create table portal.mailboxes (
  key_id uuid primary key references portal.intake_keys on delete cascade,
  host text not null check (length(host) between 1 and 253),
  port integer not null check (port between 1 and 65535),
  username text not null check (length(username) between 1 and 254),
  folder text not null check (length(folder) between 1 and 200),
  sealed text not null,
  is_on boolean not null,
  uid_validity text,
  last_uid bigint not null default 0,
  since timestamptz,
  next_at timestamptz,
  read_at timestamptz,
  attempts integer not null default 0,
  fault text,
  changed_at timestamptz not null
);
comment on table portal.mailboxes is
  'Mailboxes whose new mails become bodies of a source of kind e-mail. The portal deletes nothing in them.';
comment on column portal.mailboxes.sealed is
  'The password, encrypted with AES-256-GCM under a key derived from JWT_SECRET, and never shown.';
comment on column portal.mailboxes.uid_validity is
  'The folder''s UIDVALIDITY at the time of last_uid. Another value means that the mail server made the folder anew.';
comment on column portal.mailboxes.since is
  'In a folder that was made anew, mails before this time are no leads. Null: the folder is still the first one.';
comment on column portal.mailboxes.next_at is
  'When the mailbox is read next. A portal that begins sets it later, so that no other one does the same. Null: stopped, until an administrator changes the mailbox.';
comment on column portal.mailboxes.fault is
  'Why the last reading failed: password, address, folder, connection, late. Null: it succeeded.';
create index mailboxes_due on portal.mailboxes (next_at) where is_on;
comment on index portal.mailboxes_due is 'Serves the mailboxes that are due.';
alter table portal.mailboxes enable row level security;

create table portal.mailbox_mails (
  key_id uuid not null references portal.mailboxes on delete cascade,
  hash text not null check (length(hash) <= 64),
  taken_at timestamptz not null,
  primary key (key_id, hash)
);
comment on table portal.mailbox_mails is
  'Mails that were read, by a hash of their content. A folder that was made anew therefore repeats none.';
create index mailbox_mails_taken on portal.mailbox_mails (taken_at);
comment on index portal.mailbox_mails_taken is 'Serves deleting old rows.';
alter table portal.mailbox_mails enable row level security;

create function portal.mailbox_of(p_key uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select jsonb_build_object('host', b.host, 'port', b.port, 'username', b.username, 'folder', b.folder, 'isOn', b.is_on,
      'readAt', b.read_at, 'fault', b.fault, 'isStopped', b.is_on and b.next_at is null)
    from portal.mailboxes b where b.key_id = p_key
  );
end $$;
comment on function portal.mailbox_of(uuid) is
  'The mailbox of a source, without its password; null without one. Administrators, through the server only.';

create function portal.set_mailbox(p_key uuid, p_box jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys := portal.living_key(p_key);
  known portal.mailboxes;
  is_other boolean;
begin
  if k.kind <> 'email' then
    raise exception 'Só uma fonte de e-mail lê uma caixa.' using errcode = 'PT422', hint = 'mailbox.no-mail';
  end if;
  select * into known from portal.mailboxes b where b.key_id = p_key for update;
  is_other := known.key_id is null
    or (known.host, known.username, known.folder) is distinct from (p_box ->> 'host', p_box ->> 'username', p_box ->> 'folder');
  -- The portal sends the stored password only to the server for which it was entered.
  if p_box ->> 'sealed' is null and (known.key_id is null or known.host <> p_box ->> 'host' or known.port <> (p_box ->> 'port')::integer) then
    raise exception 'Informe a senha da caixa.' using errcode = 'PT422', hint = 'mailbox.no-password';
  end if;
  if known.key_id is null and (select count(*) from portal.mailboxes) >= 20 then
    raise exception 'O portal lê no máximo 20 caixas.' using errcode = 'PT422', hint = 'mailbox.too-many';
  end if;
  insert into portal.mailboxes as b (key_id, host, port, username, folder, sealed, is_on, next_at, changed_at)
  values (p_key, p_box ->> 'host', (p_box ->> 'port')::integer, p_box ->> 'username', p_box ->> 'folder', coalesce(p_box ->> 'sealed', known.sealed),
    (p_box ->> 'isOn')::boolean, p_now, p_now)
  on conflict (key_id) do update set host = excluded.host, port = excluded.port, username = excluded.username,
    folder = excluded.folder, sealed = excluded.sealed, is_on = excluded.is_on, next_at = p_now,
    attempts = 0, fault = null, changed_at = p_now,
    uid_validity = case when is_other then null else b.uid_validity end,
    last_uid = case when is_other then 0 else b.last_uid end,
    since = case when is_other then null else b.since end;
  perform portal.audit('mailbox.set', k.name, jsonb_build_object('isOn', p_box -> 'isOn'));
  return portal.mailbox_of(p_key);
end $$;
comment on function portal.set_mailbox(uuid, jsonb, timestamptz) is
  'Sets the mailbox of an e-mail source, {host, port, username, folder, sealed, isOn}. Without sealed the password stays, unless the server changes. Another mailbox starts with its next new mail. Returns the same as portal.mailbox_of; 404 for an unknown or revoked source, 422 for a source of another kind. Administrators, through the server only.';

create function portal.remove_mailbox(p_key uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys := portal.living_key(p_key);
begin
  delete from portal.mailboxes b where b.key_id = p_key;
  if found then perform portal.audit('mailbox.removed', k.name); end if;
  return jsonb_build_object('id', p_key);
end $$;
comment on function portal.remove_mailbox(uuid) is
  'Deletes the mailbox of a source, with its password. Administrators, through the server only.';


-- A lead who left a contact (form, portal, Meta) waits from that arrival until we write, as a lead who wrote does.
-- A lead added by hand or imported has no arrival; it waits only once it writes. Reports have two times:
-- response_seconds from the lead's first message to a person's answer, and contact_seconds from the arrival to a
-- person's first message, null if the lead wrote before that.

create function portal.note_arrival() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- If this arrival has created the lead, portal.take_lead has set the columns already.
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
  -- A lead that arrives again begins to wait again.
  perform portal.carry(array_remove(array[new.contact_id, case when tg_op = 'UPDATE' then old.contact_id end], null));
  return null;
end $$;
comment on function portal.note_arrival() is
  'Trigger: writes on the lead when it first left a contact and since when it waits. Also runs after a merge and after its undoing.';
create trigger note_arrival after insert or update of contact_id on portal.lead_intakes
  for each row execute function portal.note_arrival();
