-- Leads that come in: by form, by portal, by Meta Lead Ads, by a first message to a central instance (PRODUCT.md 3, 4.2).

create table portal.intake_keys (
  id uuid primary key,
  kind text not null check (kind in ('form', 'meta')),
  name text not null check (btrim(name) <> '' and length(name) <= 80),
  hash bytea not null unique,
  settings jsonb not null default '{}',
  secrets jsonb not null default '{}',
  per_minute integer not null check (per_minute between 1 and 6000),
  minute_at timestamptz not null default '-infinity',
  minute_count integer not null default 0,
  created_by text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  revoked_at timestamptz
);
comment on table portal.intake_keys is 'Who may bring leads in: SHA-256 of each key, what is known of its leads, and how many a minute.';
comment on column portal.intake_keys.settings is 'source, campaign and development where a lead says none; mapping of a foreign payload; developments by Meta''s form.';
comment on column portal.intake_keys.secrets is 'Of Meta: appSecret, verifyToken, pageToken. Never shown.';

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
  unique (key_id, external_id)
);
comment on table portal.lead_intakes is 'Every time somebody came in, as they put it themselves, with origin and consent.';
comment on column portal.lead_intakes.key_id is 'Null: by a first message to a central instance.';
comment on column portal.lead_intakes.external_id is 'The sender''s own id of this delivery: the same again is a repeat.';
create index lead_intakes_contact on portal.lead_intakes (contact_id, id desc);
comment on index portal.lead_intakes_contact is 'Serves the deliveries of a lead, its newest above all, and its removal.';
create index lead_intakes_case on portal.lead_intakes (case_id);
comment on index portal.lead_intakes_case is 'Serves the removal of a case.';

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
comment on table portal.meta_inbox is 'Leads that Meta told of by id only and that are still to be read there; a row goes in the transaction that takes the lead.';
comment on column portal.meta_inbox.next_at is 'When it is tried again; null: given up, for a person to look at.';
create index meta_inbox_due on portal.meta_inbox (next_at) where next_at is not null;
comment on index portal.meta_inbox_due is 'Serves what is to be read now.';

alter table portal.intake_keys enable row level security;
alter table portal.lead_intakes enable row level security;
alter table portal.meta_inbox enable row level security;

create function portal.move_intakes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.lead_intakes set contact_id = new.kept_contact_id where contact_id = new.gone_contact_id;
  return null;
end $$;
comment on function portal.move_intakes() is 'Trigger: a lead that becomes one with another takes along how it came in.';
create trigger move_intakes after insert on portal.contact_merges
  for each row execute function portal.move_intakes();

create function portal.use_intake_key(p_hash bytea, p_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  used portal.intake_keys;
begin
  update portal.intake_keys k
  set
    used_at = p_now,
    minute_at = case when k.minute_at <= p_now - interval '1 minute' then p_now else k.minute_at end,
    minute_count = case when k.minute_at <= p_now - interval '1 minute' then 1 else least(k.minute_count, k.per_minute) + 1 end
  where (k.hash = p_hash or k.id = p_id) and k.revoked_at is null
  returning * into used;
  if not found then return null; end if;
  return jsonb_build_object('id', used.id, 'kind', used.kind, 'settings', used.settings, 'secrets', used.secrets,
    'waitSeconds', case when used.minute_count > used.per_minute
      then greatest(1, ceil(extract(epoch from used.minute_at + interval '1 minute' - p_now))) else 0 end);
end $$;
comment on function portal.use_intake_key(bytea, uuid, timestamptz) is
  'The key of a delivery, by its hash or, of Meta, which signs, by its id; counts it, and says how long to wait where there are too many a minute. Null for an unknown or revoked one. Server only.';

create function portal.contact_for_intake(p_person bigint) returns public.whatsapp_contacts
language sql stable security definer set search_path = '' as $$
  select c.* from public.whatsapp_contacts c left join public.brokers b using ("instanceName")
  where c.person_id = p_person
  -- A broker's before a central instance's, both before the administrator's; of several the one talked to last.
  order by c."instanceName" is null, b.central_since is not null, c.last_message_timestamp desc nulls last, c.id
  limit 1
$$;
comment on function portal.contact_for_intake(bigint) is 'Which of a person''s leads an intake belongs to; nothing for a new person. Server only.';

create function portal.take_lead(p_key uuid, p_lead jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  person bigint := portal.person_of(p_lead ->> 'number');
  known portal.lead_intakes;
  contact public.whatsapp_contacts;
  opened bigint;
begin
  -- Deliveries of one person go one after the other.
  perform from portal.people p where p.id = person for no key update;
  select * into known from portal.lead_intakes i where i.key_id = p_key and i.external_id = p_lead ->> 'externalId';
  contact := portal.contact_for_intake(person);
  if known.id is null and p_lead ->> 'externalId' is null then
    select * into known from portal.lead_intakes i
    where i.contact_id = contact.id and i.key_id is not distinct from p_key and i.received_at > p_now - interval '10 minutes'
      and (i.development, i.campaign, i.message, i.fields)
        is not distinct from (p_lead ->> 'development', p_lead ->> 'campaign', p_lead ->> 'message', p_lead -> 'fields')
    order by i.id desc limit 1;
  end if;
  if known.id is not null then
    return jsonb_build_object('id', known.id, 'contactId', known.contact_id, 'isRepeat', true);
  end if;
  if contact.id is null then
    insert into public.whatsapp_contacts (person_id, name, number, source, campaign, empreendimento, notes)
    values (person, p_lead ->> 'name', p_lead ->> 'number', p_lead ->> 'source', p_lead ->> 'campaign',
      p_lead ->> 'development', 'Mensagem do formulário: ' || (p_lead ->> 'message'))
    returning * into contact;
  else
    update public.whatsapp_contacts c
    set name = coalesce(c.name, p_lead ->> 'name'), number = coalesce(c.number, p_lead ->> 'number'),
      campaign = coalesce(c.campaign, p_lead ->> 'campaign'),
      empreendimento = coalesce(c.empreendimento, p_lead ->> 'development'),
      source = case when c.source in ('desconhecida', 'whatsapp') then p_lead ->> 'source' else c.source end
    where c.id = contact.id;
  end if;
  opened := portal.open_case(contact.id, p_lead ->> 'development', p_lead ->> 'source', p_now);
  insert into portal.lead_intakes (contact_id, case_id, key_id, external_id, name, number, source, campaign, development,
    message, fields, consent_at, consent_text, received_at)
  values (contact.id, opened, p_key, p_lead ->> 'externalId', p_lead ->> 'name', p_lead ->> 'number', p_lead ->> 'source',
    p_lead ->> 'campaign', p_lead ->> 'development', p_lead ->> 'message', coalesce(p_lead -> 'fields', '{}'),
    (p_lead ->> 'consentAt')::timestamptz, p_lead ->> 'consentText', p_now)
  returning * into known;
  delete from portal.meta_inbox m where m.key_id = p_key and m.leadgen_id = p_lead ->> 'externalId';
  return jsonb_build_object('id', known.id, 'contactId', contact.id, 'isRepeat', false);
end $$;
comment on function portal.take_lead(uuid, jsonb, timestamptz) is
  'Takes somebody in, once a delivery: {name, number, source, campaign, development, message, fields, externalId, consentAt, consentText}. The same person under any form of the number is one lead; who has a broker stays there. Answers {id, contactId, isRepeat}. Server only.';

create function portal.take_central() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  contact public.whatsapp_contacts;
  since timestamptz := (select b.central_since from public.brokers b where b."instanceName" = new."instanceName");
  words text[];
  development text;
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
  if development is null then
    select a.empreendimento into development from public.prompts_agents a where a."instanceName" = new."instanceName"
    order by a.id limit 1;
  end if;
  update public.whatsapp_contacts c set empreendimento = coalesce(c.empreendimento, development) where c.id = contact.id;
  insert into portal.lead_intakes (contact_id, case_id, name, number, source, campaign, development, message, received_at)
  values (contact.id, portal.open_case(contact.id, development, contact.source, now()), contact.name, contact.number,
    contact.source, contact.campaign, development, new.body, now());
  return null;
end $$;
comment on function portal.take_central() is
  'Trigger: the first message of somebody new to a central instance is an intake; the development is told by the code in its text, else it is the one of the instance''s agent.';
create trigger take_central after insert on public.whatsapp_messages
  for each row when (new.type = 'incoming') execute function portal.take_central();
