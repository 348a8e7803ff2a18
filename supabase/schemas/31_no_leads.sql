-- Contacts that are no leads: the broker's own phone, other phones of the agency, machines, and contacts that a broker
-- marked as private.


-- Addresses of the agency's own phones. The portal knows a phone once its link opens. It learns the phone's hidden id
-- from messages that contain both addresses.

create table portal.own_addresses (
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  address text not null constraint own_addresses_form check (address ~ '^(\+\d{5,20}|\d{5,20}@lid)$'),
  learned_at timestamptz not null default now(),
  primary key ("instanceName", address)
);
comment on table portal.own_addresses is
  'Addresses of each instance''s own phone, in the form of portal.address_key. A message between two of them, or of a phone to itself, creates no lead.';
comment on column portal.own_addresses.address is 'portal.number_key of the phone, or its hidden id.';
create index own_addresses_address on portal.own_addresses (address);
comment on index portal.own_addresses_address is 'Serves the check whether an address is a phone of the agency.';
alter table portal.own_addresses enable row level security;

create function portal.address_key(jid text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  return coalesce(portal.number_key(jid), jid);
end $$;
comment on function portal.address_key(text) is
  'One key for all forms of an address: portal.number_key of a phone, a hidden id unchanged. Server only.';

create function portal.keep_own_phone() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  phone text := portal.number_key(new.owner_jid);
begin
  -- Another phone has another hidden id, so what was learnt of the previous phone is deleted.
  delete from portal.own_addresses o
  where o."instanceName" = new."instanceName" and not exists (
    select from portal.own_addresses same where same."instanceName" = o."instanceName" and same.address = phone);
  if phone is null then return null; end if;
  insert into portal.own_addresses ("instanceName", address) values (new."instanceName", phone) on conflict do nothing;
  perform portal.remove_card(new."instanceName", phone, false);
  return null;
end $$;
comment on function portal.keep_own_phone() is
  'Trigger on portal.instance_states: stores the linked phone as the instance''s own, and deletes what was learnt of the previous phone.';
create trigger keep_own_phone after insert or update of owner_jid on portal.instance_states
  for each row when (new.owner_jid is not null) execute function portal.keep_own_phone();

create function portal.remove_card(instance text, own_address text, has_proof boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from public.whatsapp_contacts c
  using (
    select i.person_id from portal.identities i where i."instanceName" = instance and i.jid = own_address
    union select p.id from portal.people p where p.number_key = own_address
  ) who
  where c.person_id = who.person_id and c."instanceName" = instance and portal.why_lead_stays(c.id) is null
    and (has_proof or not exists (
      select from public.whatsapp_messages m where m.contact_id = c.id and m.type = 'incoming'));
  delete from portal.identities i where i."instanceName" = instance and i.jid = own_address;
end $$;
comment on function portal.remove_card(text, text, boolean) is
  'Deletes a contact that came from messages alone, before the portal knew that its address is a phone of the agency. has_proof: a message has proved whose address it is; otherwise a contact that has written to the instance stays. Server only.';

create function portal.is_somebody(instance text, lid text, own_key text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from portal.identities i join portal.people p on p.id = i.person_id
    where i.jid = lid and (
      p.number_key <> own_key
      or i."instanceName" = instance and exists (
        select from public.whatsapp_messages m join public.whatsapp_contacts c on c.id = m.contact_id
        where c.person_id = p.id and m."instanceName" = instance and m.type = 'incoming')));
end $$;
comment on function portal.is_somebody(text, text, text) is
  'Whether a hidden id surely belongs to another person: the portal knows a number for it, or it has written to this instance. Server only.';

create function portal.is_oneself(instance text, event jsonb, keys text[]) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  own_key text := portal.number_key(event #>> '{chat,ownJid}');
  own text[] := array(select o.address from portal.own_addresses o where o."instanceName" = instance);
  others text[];
  other text;
begin
  if own_key is null then
    own_key := (select o.address from portal.own_addresses o where o."instanceName" = instance and o.address like '+%');
  elsif cardinality(own) = 0 then
    insert into portal.own_addresses ("instanceName", address) values (instance, own_key) on conflict do nothing;
  end if;
  if not (event ->> 'fromMe')::boolean then
    -- An incoming message never comes from the instance's own phone, so this hidden id was stored by mistake.
    delete from portal.own_addresses o
    where o."instanceName" = instance and o.address like '%@lid' and o.address = any (keys);
    return keys <@ array[own_key];
  end if;
  others := array(select k from unnest(keys) as k where k <> all (own) and k is distinct from own_key);
  if cardinality(others) = 0 then return true; end if;
  -- The message names the own phone and otherwise only hidden ids, so it is the chat with oneself. That is not so if a
  -- hidden id surely belongs to another person.
  if own_key is null or own_key <> all (keys) then return false; end if;
  foreach other in array others loop
    if other not like '%@lid' or portal.is_somebody(instance, other, own_key)
      or exists (select from portal.own_addresses o where o.address = other) then
      return false;
    end if;
  end loop;
  insert into portal.own_addresses ("instanceName", address)
  select instance, o from unnest(others) as o on conflict do nothing;
  perform portal.remove_card(instance, o, false) from unnest(others) as o;
  return true;
end $$;
comment on function portal.is_oneself(text, jsonb, text[]) is
  'Whether a message is a note to oneself, under any own address. Stores the own hidden id from a message that contains both addresses. Deletes it when somebody writes under it. Server only.';

create function portal.is_colleague(instance text, keys text[]) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  colleague text;
  lid text;
begin
  select o."instanceName" into colleague from portal.own_addresses o
  where o.address = any (keys) and o."instanceName" <> instance
  order by o.address like '+%' desc, o."instanceName" limit 1;
  if not found then return false; end if;
  -- A message with both a colleague's phone and a hidden id proves to whom the hidden id belongs.
  if exists (
    select from portal.own_addresses o
    where o."instanceName" = colleague and o.address like '+%' and o.address = any (keys)) then
    for lid in select k from unnest(keys) as k where k like '%@lid' and not exists (
      select from portal.own_addresses o where o.address = k and o."instanceName" in (instance, colleague)) loop
      insert into portal.own_addresses ("instanceName", address) values (colleague, lid);
      perform portal.remove_card(instance, lid, true);
    end loop;
  end if;
  return true;
end $$;
comment on function portal.is_colleague(text, text[]) is
  'Whether an address is the own phone of another instance. Stores its hidden id if a message contains both. Server only.';

create function portal.card_at(instance text, jids text[], keys text[]) returns bigint
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select portal.contact_at(instance, who.person_id)
    from (
      select i.person_id from portal.identities i where i."instanceName" = instance and i.jid = any (jids)
      union select p.id from portal.people p where p.number_key = any (keys)
    ) who
    where portal.contact_at(instance, who.person_id) is not null limit 1);
end $$;
comment on function portal.card_at(text, text[], text[]) is
  'The contact that has one of these addresses at an instance, by jid or by portal.address_key. Null without one. Server only.';

create function portal.is_no_lead(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  jids text[] := array(select jsonb_array_elements_text(event #> '{chat,jids}'));
  keys text[] := array(select distinct portal.address_key(j) from unnest(jids) as j);
begin
  if portal.is_oneself(instance, event, keys) then return true; end if;
  -- A contact that only messages created is no proof that a colleague is a lead.
  if portal.is_colleague(instance, keys) then
    return portal.why_lead_stays(portal.card_at(instance, jids, keys)) is null;
  end if;
  if portal.learn_private(instance, keys) then return true; end if;
  return coalesce((event ->> 'isAutomated')::boolean, false) and portal.card_at(instance, jids, keys) is null;
end $$;
comment on function portal.is_no_lead(text, jsonb) is
  'Whether the portal drops a reported message because nobody in it is a lead. It drops a note to oneself, a message between two phones of the agency (unless a real lead has that number), one of a private contact, and an automatic one to an instance that has no such contact. Server only.';


-- Leads that a broker may not remove from the board, because the agency brought them.

create function portal.why_lead_stays(contact bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
begin
  select c.* into lead from public.whatsapp_contacts c where c.id = contact;
  return (
    select jsonb_build_object('by', found.by, 'name', found.name, 'at', found.at)
    from (
      select 1 as rank, 'roleta' as by, coalesce(r.empreendimento, k.development) as name, k.arrived_at as at
      from portal.roleta_cases k left join public.roletas r on r.id = k.roleta_id where k.contact_id = contact
      union all
      select 2, 'source', coalesce(s.name, i.source), i.received_at
      from portal.lead_intakes i left join portal.intake_keys s on s.id = i.key_id where i.contact_id = contact
      union all
      select 3, 'import', null, r.taken_at
      from portal.imports i join portal.import_rows r on r.import_id = i.id and r.contact_id = contact
      union all
      select 4, 'campaign', null, r.accepted_at from public.campaign_recipients r
      where r.contact_id = contact and r.accepted_at is not null
      union all
      select 5, 'campaign', lead.campaign, lead.created_at where lead.campaign is not null
      union all
      select 6, 'owner', null, h.changed_at from portal.owner_history h where h.contact_id = contact
      union all
      select 7, 'added', null, lead.created_at where lead.source not in ('desconhecida', 'whatsapp')
    ) found
    order by found.rank, found.at limit 1);
end $$;
comment on function portal.why_lead_stays(bigint) is
  'Why a lead belongs to the agency: {by: roleta, source, import, campaign, owner (handed over) or added (by hand, or by an ad), name, at}. Null for a contact that came from messages alone. Server only.';

-- Contacts that a broker marked as private: family, friends, suppliers. Of their numbers, keyed hashes
-- and the last four digits are stored. Their former data are kept for seven days, and only undoing the mark reads them.

create table portal.private_contacts (
  id bigint generated always as identity primary key,
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  form_hashes bytea[] not null constraint private_contacts_forms check (cardinality(form_hashes) > 0),
  last_digits text constraint private_contacts_digits check (last_digits ~ '^\d{4}$'),
  since timestamptz not null default now(),
  contact_id bigint,
  operation_id uuid
);
comment on table portal.private_contacts is
  'Contacts that a broker marked as private, so they are no leads of the agency. Their names stay on the broker''s device. lead_private and lead_public write the table; a mark also ends when the agency brings the contact as a lead.';
comment on column portal.private_contacts.form_hashes is
  'The keyed hash (portal.opt_out_hash of portal.address_key) of each address that the portal knew: numbers and hidden ids.';
comment on column portal.private_contacts.last_digits is
  'The last four digits of the number. Null while only a hidden id is known.';
comment on column portal.private_contacts.contact_id is
  'The id of the removed contact, by which the broker''s device knows it. Null: a number was marked in advance.';
comment on column portal.private_contacts.operation_id is
  'The operation that marked the contact. A device that has no answer yet refers to it.';
create index private_contacts_broker on portal.private_contacts ("instanceName", since desc);
comment on index portal.private_contacts_broker is
  'Serves reading the broker''s list, and the check whether an instance has private contacts.';
alter table portal.private_contacts enable row level security;

create table portal.private_history (
  private_id bigint primary key references portal.private_contacts on delete cascade,
  kept_at timestamptz not null default now(),
  rows jsonb not null,
  media_ids text[] not null default '{}'
);
comment on table portal.private_history is
  'The data of a private contact as they were at the mark. They are kept for seven days so that the mark can be undone. No role may read them.';
comment on column portal.private_history.rows is 'The removed rows, by place of portal.private_places.';
comment on column portal.private_history.media_ids is
  'Files of the contact''s messages. They are kept as long as this row.';
create index private_history_age on portal.private_history (kept_at);
comment on index portal.private_history_age is 'Serves deleting rows older than seven days.';
alter table portal.private_history enable row level security;

create function portal.private_places() returns table (place text, filter text, n bigint)
language sql immutable set search_path = '' as $$
  values
    ('public.whatsapp_contacts', 'id = $1', 1::bigint),
    ('portal.identities', '("instanceName", person_id) in (select c."instanceName", c.person_id from public.whatsapp_contacts c where c.id = $1)', 2::bigint),
    ('portal.contact_numbers', 'contact_id = $1', 3::bigint),
    ('portal.number_doubts', 'contact_id = $1', 4::bigint),
    ('public.whatsapp_messages', 'contact_id = $1', 5::bigint),
    ('portal.message_raw', 'message_id in (select m.id from public.whatsapp_messages m where m.contact_id = $1)', 6::bigint),
    ('portal.transcripts', 'message_id in (select m.id from public.whatsapp_messages m where m.contact_id = $1)', 7::bigint),
    ('portal.outgoing', 'message_id in (select m.id from public.whatsapp_messages m where m.contact_id = $1)', 8::bigint),
    ('portal.outgoing_reactions', 'message_id in (select m.id from public.whatsapp_messages m where m.contact_id = $1)', 9::bigint),
    ('portal.stage_history', 'contact_id = $1', 10::bigint),
    ('portal.owner_history', 'contact_id = $1', 11::bigint),
    ('portal.roleta_cases', 'contact_id = $1', 12::bigint),
    ('portal.roleta_events', 'case_id in (select k.id from portal.roleta_cases k where k.contact_id = $1)', 13::bigint),
    ('portal.lead_intakes', 'contact_id = $1', 14::bigint),
    ('portal.contact_routes', 'contact_id = $1', 15::bigint),
    ('portal.muted_leads', 'contact_id = $1', 16::bigint),
    ('portal.risk_warnings', 'contact_id = $1', 17::bigint),
    ('portal.agent_turns', 'contact_id = $1', 18::bigint),
    ('portal.agent_handovers', 'contact_id = $1', 19::bigint),
    ('portal.bench_cases', 'contact_id = $1', 20::bigint),
    ('portal.lead_plans', 'contact_id = $1', 21::bigint),
    ('portal.actions', 'contact_id = $1', 22::bigint),
    ('portal.visits', 'action_id in (select a.id from portal.actions a where a.contact_id = $1)', 23::bigint),
    ('portal.scheduled_messages', 'contact_id = $1', 24::bigint),
    ('portal.answer_deadlines', 'contact_id = $1', 25::bigint),
    ('portal.interests', 'contact_id = $1', 26::bigint),
    ('portal.sent_material', 'message_id in (select m.id from public.whatsapp_messages m where m.contact_id = $1)', 27::bigint),
    ('portal.page_links', 'contact_id = $1', 28::bigint),
    ('portal.lead_passes', 'contact_id = $1', 29::bigint),
    ('portal.lead_clicks', 'contact_id = $1', 30::bigint),
    ('portal.conversions', 'contact_id = $1', 31::bigint)
$$;
comment on function portal.private_places() is
  'Every table with rows of a contact, in the order in which they can be restored, with a condition that selects them ($1: the contact). Server only.';

create function portal.is_private(instance text, jids text[]) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  -- Hashing is slow, so the check whether there is any private contact comes first.
  if not exists (select from portal.private_contacts p where p."instanceName" = instance) then return false; end if;
  return exists (
    select from portal.private_contacts p
    where p."instanceName" = instance and p.form_hashes && array(
      select portal.opt_out_hash(portal.address_key(j)) from unnest(jids) as j));
end $$;
comment on function portal.is_private(text, text[]) is
  'Whether one of these addresses was marked as private at an instance. The portal asks before it stores a delivery. Server only.';

create function portal.learn_private(instance text, keys text[]) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  hashes bytea[];
  new_key text;
begin
  if not portal.is_private(instance, keys) then return false; end if;
  hashes := array(select portal.opt_out_hash(k) from unnest(keys) as k);
  update portal.private_contacts p
  set form_hashes = array(select distinct h from unnest(p.form_hashes || hashes) as h),
    last_digits = coalesce(p.last_digits, (select right(k, 4) from unnest(keys) as k where k like '+%' limit 1))
  where p."instanceName" = instance and p.form_hashes && hashes and not p.form_hashes @> hashes;
  -- Deletes a contact that a hidden id had created before the message proved to whom it belongs.
  if found then
    foreach new_key in array keys loop perform portal.remove_card(instance, new_key, true); end loop;
  end if;
  return true;
end $$;
comment on function portal.learn_private(text, text[]) is
  'Whether a message belongs to a private contact. Stores further addresses of that contact that the message contains. Server only.';

create function portal.end_private() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  key text;
begin
  if not exists (select from portal.private_contacts p where p."instanceName" = new."instanceName") then return null; end if;
  select p.number_key into key from portal.people p where p.id = new.person_id;
  if key is null then return null; end if;
  perform portal.drop_private(p.id) from portal.private_contacts p
  where p."instanceName" = new."instanceName" and p.form_hashes && array[portal.opt_out_hash(key)];
  return null;
end $$;
comment on function portal.end_private() is
  'Trigger: when the agency brings a private contact as a lead (form, hand-over, by hand), the mark ends.';
create trigger end_private_of_new after insert on public.whatsapp_contacts
  for each row when (new."instanceName" is not null) execute function portal.end_private();
create trigger end_private_of_given after update of "instanceName" on public.whatsapp_contacts
  for each row when (new."instanceName" is not null and new."instanceName" is distinct from old."instanceName")
  execute function portal.end_private();

create function portal.drop_private(p_private bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.media_removals (media_id)
  select unnest(h.media_ids) from portal.private_history h where h.private_id = p_private on conflict do nothing;
  delete from portal.private_contacts p where p.id = p_private;
end $$;
comment on function portal.drop_private(bigint) is
  'Removes the mark of a private contact, and its kept data. Server only.';

create function portal.forget_private(p_before timestamptz, p_limit integer) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  gone integer;
begin
  with old as (
    select h.private_id from portal.private_history h where h.kept_at < p_before order by h.kept_at limit p_limit for update
  ), forgotten as (
    delete from portal.private_history h using old where h.private_id = old.private_id returning h.media_ids
  ), noted as (
    insert into portal.media_removals (media_id)
    select distinct m from forgotten f cross join lateral unnest(f.media_ids) as m on conflict do nothing
  )
  select count(*) into gone from forgotten;
  return gone;
end $$;
comment on function portal.forget_private(timestamptz, integer) is
  'Deletes the kept data of contacts that were marked as private before p_before, at most p_limit; returns how many. Retention only.';

create function portal.erase_private(s portal.subject) returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from portal.private_history h using portal.private_contacts p
    where p.id = h.private_id and p.form_hashes && array(
      select portal.opt_out_hash(portal.address_key(word)) from unnest((s).keys || (s).addresses) as word)
    returning h.media_ids
  ), noted as (
    insert into portal.media_removals (media_id)
    select distinct m from gone cross join lateral unnest(gone.media_ids) as m on conflict do nothing
  )
  select count(*) from gone
$$;
comment on function portal.erase_private(portal.subject) is
  'Deletes the kept data of an erased person''s private contact; the mark, which does not reveal the person, stays. Returns how many. Server only.';

create function portal.drop_contact(p_contact bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
begin
  select * into lead from public.whatsapp_contacts c where c.id = p_contact;
  perform portal.leave_campaigns(p_contact);
  perform portal.free_arms('{}', array[p_contact]);
  delete from portal.push_queue q
  where q.kind in ('lead', 'assigned', 'message', 'accepted', 'declined') and q.subject = p_contact
    or q.kind = 'unsent' and q.subject in (select t.id from portal.scheduled_messages t where t.contact_id = p_contact)
    or q.kind in ('visit', 'outcome', 'try') and q.subject in (select a.id from portal.actions a where a.contact_id = p_contact);
  update portal.push_devices d set watched_contact = null, watched_until = null where d.watched_contact = p_contact;
  delete from portal.applied_operations o
  where o.kind in ('lead.note', 'lead.rename', 'message.send') and (o.result ->> 'contact_id')::bigint = p_contact;
  delete from portal.waiting_events w
  where w."instanceName" = lead."instanceName" and (
    w.target in (select i.jid from portal.identities i where i.person_id = lead.person_id)
    or w.target in (select m.message_id from public.whatsapp_messages m where m.contact_id = p_contact));
  delete from portal.contact_merges m where m.kept_contact_id = p_contact or m.gone_contact_id = p_contact;
  delete from portal.event_out e where e.contact_id = p_contact;
  delete from portal.identities i where i."instanceName" = lead."instanceName" and i.person_id = lead.person_id;
  delete from public.whatsapp_contacts c where c.id = p_contact;
  if not exists (select from public.whatsapp_contacts c where c.person_id = lead.person_id) then
    delete from public.agent_chat_messages a
    where portal.number_key(a.remotejid) = (select p.number_key from portal.people p where p.id = lead.person_id);
    delete from portal.people p where p.id = lead.person_id
      and not exists (select from portal.identities i where i.person_id = p.id)
      and not exists (select from public.campaign_recipients r where r.person_id = p.id);
  end if;
end $$;
comment on function portal.drop_contact(bigint) is
  'Deletes a contact with all its rows in every table, including those that refer to it only by id. Deletes its person, too, if nothing else refers to it. The person may write again and become a lead. Server only.';

create function portal.put_aside(p_contact bigint, p_private bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  at record;
  found_rows jsonb;
  kept jsonb := '{}';
begin
  perform portal.withdraw_campaign_message(r.id, 'pending', null)
  from public.campaign_recipients r where r.contact_id = p_contact and r.state = 'sending';
  perform portal.end_plan(p_contact, 'private');
  select * into lead from public.whatsapp_contacts c where c.id = p_contact;
  for at in select p.place, p.filter from portal.private_places() p order by p.n loop
    execute format('select jsonb_agg(to_jsonb(r)) from %s r where %s', at.place, at.filter) into found_rows using p_contact;
    if found_rows is not null then kept := kept || jsonb_build_object(at.place, found_rows); end if;
  end loop;
  select kept || jsonb_build_object('portal.people', to_jsonb(p)) into kept from portal.people p where p.id = lead.person_id;
  insert into portal.private_history (private_id, rows, media_ids)
  values (p_private, kept, array(
    select distinct m.content ->> 'mediaId' from public.whatsapp_messages m
    where m.contact_id = p_contact and m.content ->> 'mediaId' is not null));

  perform portal.drop_contact(p_contact);
end $$;
comment on function portal.put_aside(bigint, bigint) is
  'Moves a contact with all its rows from every table to portal.private_history. Rows that refer to it only by id are deleted. Server only.';

create function portal.leave_campaigns(p_contact bigint) returns void
language sql volatile security definer set search_path = '' as $$
  update public.campaign_recipients r
  set name = null, body = '', person_id = null, contact_id = null, message_id = null,
    erased_delivery = coalesce(r.erased_delivery, (
      select nullif(m.delivery, 'queued') from public.whatsapp_messages m where m.id = r.message_id)),
    erased_answer = coalesce(r.erased_answer, case when portal.answers_campaign(r.contact_id, r.accepted_at) then 'answered' end),
    state = case when r.state in ('pending', 'sending') then 'cancelled' else r.state end,
    reason = case when r.state in ('pending', 'sending') then 'private' else r.reason end
  where r.contact_id = p_contact
$$;
comment on function portal.leave_campaigns(bigint) is
  'Makes a contact''s rows in campaigns anonymous: results still count, the person is removed, waiting messages are cancelled. Server only.';

create function portal.bring_back(p_private bigint) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  mark portal.private_contacts;
  kept jsonb;
  at record;
  columns text;
  person bigint;
  other bigint;
begin
  select * into mark from portal.private_contacts p where p.id = p_private;
  select h.rows into kept from portal.private_history h where h.private_id = p_private;
  delete from portal.private_contacts p where p.id = p_private;
  if kept is null then return null; end if;
  person := portal.person_of(kept #>> '{portal.people,number_key}');
  other := portal.contact_at(mark."instanceName", person);
  if other is not null then person := portal.person_of(null); end if;
  -- Restored rows cause no alarm and no event, because those were sent before.
  perform set_config('portal.restoring', 'on', true), set_config('portal.history', 'on', true),
    set_config('portal.quiet', 'on', true);
  for at in
    select p.place, p.filter, p.n, jsonb_agg(case when r ? 'person_id' then r || jsonb_build_object('person_id', person)
      -- If the stage was deleted meanwhile, the lead comes back in the stage 'new'.
      || case when p.place = 'public.whatsapp_contacts' and not exists (
        select from public.kanban_stages s where s.slug = r ->> 'status') then '{"status": "new"}' else '{}' end::jsonb
      else r end) as rows
    from portal.private_places() p cross join lateral jsonb_array_elements(kept -> p.place) as r
    group by p.place, p.filter, p.n order by p.n
  loop
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into columns
    from pg_attribute a
    where a.attrelid = at.place::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';
    -- Triggers have created rows for the restored ones; the original rows replace them.
    if at.n > 2 then execute format('delete from %s where %s', at.place, at.filter) using mark.contact_id; end if;
    execute format('insert into %s (%s) overriding system value select %2$s from jsonb_populate_recordset(null::%1$s, $1) on conflict do nothing',
      at.place, columns) using at.rows;
  end loop;
  perform set_config('portal.restoring', '', true), set_config('portal.history', '', true), set_config('portal.quiet', '', true);
  if other is not null then perform portal.merge_contacts(other, mark.contact_id); end if;
  return coalesce(other, mark.contact_id);
end $$;
comment on function portal.bring_back(bigint) is
  'Removes a mark and restores the contact''s rows under its old id. Null if they were deleted. If the person has another contact there by now, the two are merged. Server only.';


-- Marking, undoing a mark, and the broker's own list. An administrator sees only how many there are, never a row.

create function public.lead_private(
  p_contact_id bigint default null, p_number text default null, p_operation_id uuid default null,
  p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb;
  board text := coalesce(portal.private_board(account, p_broker_name), (
    select c."instanceName" from public.whatsapp_contacts c where c.id = p_contact_id));
  lead public.whatsapp_contacts;
  stays jsonb;
  keys text[];
  mark bigint;
begin
  perform portal.take_apply_turn_of(board);
  answer := portal.begin_operation(account, p_operation_id);
  if answer is not null then return answer; end if;
  if p_number is not null and portal.phone_fault(p_number) is not null then
    raise exception 'Este número não parece de WhatsApp.' using errcode = 'PT422';
  end if;
  select * into lead from public.whatsapp_contacts c
  where c.id = case when p_number is null then portal.find_lead(board, p_contact_id, p_number_lead)
    else portal.find_lead(board, null, p_number) end for update;
  if board is null or lead.id is null and p_number is null then
    return portal.end_operation(account, p_operation_id, 'lead.private', portal.private_answer(
      case when exists (select from portal.private_contacts p where p."instanceName" = board and p.contact_id = p_contact_id)
        then 'already' else 'unknown_lead' end));
  end if;
  stays := case
    when exists (select from public.brokers b where b."instanceName" = board and b.central_since is not null)
      then jsonb_build_object('by', 'central', 'name', null, 'at', null)
    when not portal.is_admin() then portal.why_lead_stays(lead.id) end;
  if stays is not null then
    return portal.end_operation(account, p_operation_id, 'lead.private', portal.private_answer('stays', stays));
  end if;
  perform from portal.outgoing o join public.whatsapp_messages m on m.id = o.message_id where m.contact_id = lead.id for update of o;
  if exists (
    select from portal.outgoing o join public.whatsapp_messages m on m.id = o.message_id
    where m.contact_id = lead.id and o.claimed_at is not null) then
    raise exception 'Uma mensagem para este contato está sendo enviada agora. Tente de novo em instantes.' using errcode = 'PT503';
  end if;
  keys := array(
    select portal.address_key(i.jid) from portal.identities i where i.person_id = lead.person_id
    union select p.number_key from portal.people p where p.id = lead.person_id and p.number_key is not null
    union select portal.number_key(p_number) where p_number is not null);
  -- The contact has no jid, and portal.number_key has no key for its number. It is removed all the same, and the digits
  -- of the number are hashed.
  if cardinality(keys) = 0 then
    keys := array(
      select coalesce(portal.address_key(digits || '@s.whatsapp.net'), 'number ' || digits)
      from regexp_replace(coalesce(lead.number, ''), '\D', '', 'g') as digits);
  end if;
  if lead.id is null and portal.is_private(board, array[portal.number_key(p_number)]) then
    return portal.end_operation(account, p_operation_id, 'lead.private', portal.private_answer('already'));
  end if;
  insert into portal.private_contacts ("instanceName", form_hashes, last_digits, contact_id, operation_id)
  values (board, array(select portal.opt_out_hash(k) from unnest(keys) as k),
    (select right(k, 4) from unnest(keys) as k where k like '+%' limit 1), lead.id, p_operation_id)
  returning id into mark;
  if lead.id is not null then perform portal.put_aside(lead.id, mark); end if;
  perform portal.audit('lead.private', board);
  return portal.end_operation(account, p_operation_id, 'lead.private', portal.private_answer('saved'));
end $$;
comment on function public.lead_private(bigint, text, uuid, text, text) is
  'Marks a contact of the own board as private, or a number in advance (p_number). The contact leaves every table at once; its data are kept for seven days, readable by no role. A lead that the agency brought stays: code stays, with the reason in message; an administrator may remove those, too. On the board of a central number every contact stays. Returns {success, code, message, current}, code saved, already, stays or unknown_lead. p_operation_id: a retry by the same account gets the stored answer. 401 once the session has ended, 403 for another broker''s board, 422 for a number that cannot be called, 503 while a message to the contact is being sent.';
grant execute on function public.lead_private(bigint, text, uuid, text, text) to authenticated, service_role;

create function portal.private_board(p_account uuid, p_broker_name text) returns text
language plpgsql stable set search_path = '' as $$
declare
  asked text := case
    when p_broker_name like 'corretor\_%' then p_broker_name
    else 'corretor_' || nullif(lower(btrim(p_broker_name)), '')
  end;
begin
  if p_account is null or portal.is_admin() then return asked; end if;
  if portal.my_instance() is null or asked <> portal.my_instance() then
    raise exception 'Este contato é de outro corretor.' using errcode = '42501';
  end if;
  return portal.my_instance();
end $$;
comment on function portal.private_board(uuid, text) is
  'The board on which the caller may mark contacts: a broker''s own; for an administrator the named one. 42501 for another broker''s, and for a gerente who is no broker. Server only.';

create function portal.stays_words(p_stays jsonb) returns text
language sql stable strict set search_path = '' as $$
  select case p_stays ->> 'by'
      when 'roleta' then 'Ele chegou pela roleta' || coalesce(' ' || (p_stays ->> 'name'), '')
      when 'source' then 'Ele chegou por ' || coalesce(p_stays ->> 'name', 'uma fonte da agência')
      when 'import' then 'Ele veio de uma lista importada'
      when 'campaign' then coalesce('Ele veio da campanha ' || (p_stays ->> 'name'), 'Ele veio de uma campanha')
      when 'owner' then 'Ele passou de um corretor para outro'
      when 'central' then 'Ele escreveu para um número central'
      else 'Ele foi adicionado como lead' end
    || coalesce(' em ' || to_char((p_stays ->> 'at')::timestamptz at time zone portal.time_zone(), 'DD/MM'), '')
    || '. Lead de roleta, portal ou campanha não pode ser particular.'
$$;
comment on function portal.stays_words(jsonb) is
  'Portuguese text for the broker why a lead stays on the board, from portal.why_lead_stays. Server only.';

create function portal.private_answer(p_code text, p_stays jsonb default null) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('saved', 'already'),
    'code', p_code,
    'message', case p_code
      when 'unknown_lead' then 'Lead não encontrado.'
      when 'stays' then 'Este lead fica no quadro. ' || portal.stays_words(p_stays)
    end,
    'current', null)
$$;
comment on function portal.private_answer(text, jsonb) is 'The answer to marking and undoing. Server only.';

create function public.lead_stays(p_contact_id bigint) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  lead bigint := portal.asked_lead(account, portal.private_board(account, portal.my_instance()), p_contact_id, null);
begin
  return portal.stays_words(portal.why_lead_stays(lead));
end $$;
comment on function public.lead_stays(bigint) is
  'Why a lead of the own board cannot be marked as private, as a text; null if it can, and for an unknown lead; 42501 for a gerente who is no broker. The conversation''s menu asks before it marks. 401 once the session has ended.';
grant execute on function public.lead_stays(bigint) to authenticated, service_role;

create function public.lead_public(
  p_private_id bigint default null, p_marked_by uuid default null, p_operation_id uuid default null,
  p_contact_id bigint default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb;
  board text := portal.my_instance();
  mark bigint;
begin
  if board is null then
    raise exception 'Só o corretor vê os próprios particulares.' using errcode = '42501';
  end if;
  perform portal.take_apply_turn_of(board);
  answer := portal.begin_operation(account, p_operation_id);
  if answer is not null then return answer; end if;
  select p.id into mark from portal.private_contacts p
  where p."instanceName" = board and (p.id = p_private_id or p.operation_id = p_marked_by or p.contact_id = p_contact_id)
  order by p.id is not distinct from p_private_id desc, p.operation_id is not distinct from p_marked_by desc limit 1 for update;
  if mark is null then
    return portal.end_operation(account, p_operation_id, 'lead.public', portal.private_answer('already'));
  end if;
  perform portal.bring_back(mark);
  perform portal.audit('lead.public', board);
  return portal.end_operation(account, p_operation_id, 'lead.public', portal.private_answer('saved'));
end $$;
comment on function public.lead_public(bigint, uuid, uuid, bigint, text, text) is
  'Undoes a mark of the own list, by its id, by the operation that marked it or by the old id of the contact: within seven days with its history, later only for new messages. Answer as of lead_private, code saved or already (no such mark). Brokers only: 42501 for an administrator; 401 once the session has ended.';
grant execute on function public.lead_public(bigint, uuid, uuid, bigint, text, text) to authenticated, service_role;

create function public.ask_private(p_contact_id bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  lead bigint;
begin
  if portal.my_instance() is null then
    raise exception 'Só o corretor pede isto.' using errcode = '42501';
  end if;
  lead := portal.asked_lead(account, portal.my_instance(), p_contact_id, null);
  if lead is null then return false; end if;
  perform portal.audit('lead.private-asked', lead::text);
  perform portal.push_administrators('asked', 'asked-' || lead, lead);
  return true;
end $$;
comment on function public.ask_private(bigint) is
  'A broker asks the administrators to remove from its board a lead that the agency brought. Administrators get a push, and the audit log an entry. False for a lead of another board. Brokers only: 42501 for an administrator; 401 once the session has ended.';
grant execute on function public.ask_private(bigint) to authenticated, service_role;

create function public.list_private_contacts()
returns table (id bigint, last_digits text, since timestamptz, contact_id bigint, operation_id uuid, has_history boolean)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_member();
  if portal.my_instance() is null then
    raise exception 'Só o corretor vê os próprios particulares.' using errcode = '42501';
  end if;
  return query
    select p.id, p.last_digits, p.since, p.contact_id, p.operation_id,
      exists (select from portal.private_history h where h.private_id = p.id)
    from portal.private_contacts p where p."instanceName" = portal.my_instance() order by p.since desc, p.id desc;
end $$;
comment on function public.list_private_contacts() is
  'The calling broker''s private contacts, the newest first: no names, only the last four digits. Brokers only: 42501 for an administrator; 401 once the session has ended.';
grant execute on function public.list_private_contacts() to authenticated, service_role;

create function public.count_private_contacts() returns table ("instanceName" text, count bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query select p."instanceName", count(*) from portal.private_contacts p group by 1 order by 1;
end $$;
comment on function public.count_private_contacts() is
  'How many private contacts each broker has, one row for each broker with any. Administrators only.';
grant execute on function public.count_private_contacts() to authenticated, service_role;
