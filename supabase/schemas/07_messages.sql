-- The gateway's reports. The portal stores each raw body, then applies it once, to the lead of the right person.

create table portal.message_raw (
  message_id bigint primary key references public.whatsapp_messages on delete cascade,
  raw jsonb not null
);
comment on table portal.message_raw is
  'The gateway''s original JSON of some messages: those that the portal cannot show completely, and those that came from an advertisement.';
alter table portal.message_raw enable row level security;

create table portal.webhook_inbox (
  id bigint generated always as identity primary key,
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  body text not null,
  received_at timestamptz not null,
  gateway text not null default 'evolution'
);
comment on column portal.webhook_inbox.gateway is 'The kind of gateway that sent the body, and so the form in which it is parsed.';
comment on table portal.webhook_inbox is
  'Deliveries that are stored but not applied, in order of arrival. The transaction that applies a row also deletes it.';
create index webhook_inbox_instance on portal.webhook_inbox ("instanceName", id);
comment on index portal.webhook_inbox_instance is 'Serves the waiting deliveries of one instance, in order.';
alter table portal.webhook_inbox enable row level security;

create table portal.webhook_aside (
  id bigint generated always as identity primary key,
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  reason text not null,
  body text not null,
  received_at timestamptz not null default now()
);
comment on table portal.webhook_aside is
  'Deliveries that are not applied: they were no valid event, or the database refused them. Health counts them. They are deleted after KEEP_RAW_DAYS.';
alter table portal.webhook_aside enable row level security;

create table portal.waiting_events (
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  target text not null,
  kind text not null,
  weight bigint not null,
  waited jsonb not null,
  received_at timestamptz not null default now(),
  primary key ("instanceName", target, kind)
);
comment on table portal.waiting_events is
  'Events that came too early: edits, revokes, acks and reactions before their message, names before their contact, and calls that still ring. They are deleted after KEEP_RAW_DAYS.';
comment on column portal.waiting_events.target is
  'The id of the awaited message. For an event of kind name: the person''s address.';
comment on column portal.waiting_events.waited is 'The event, as portal.apply_event takes it.';
comment on column portal.waiting_events.weight is
  'Of several waiting events of one kind, only the one with the highest weight is applied.';
create index waiting_events_age on portal.waiting_events (received_at);
comment on index portal.waiting_events_age is 'Serves the deletion of old rows.';
alter table portal.waiting_events enable row level security;

create table portal.unknown_kinds (
  name text primary key,
  seen bigint not null default 1,
  last_seen_at timestamptz not null default now()
);
comment on table portal.unknown_kinds is
  'Counts of message types that server/whatsapp/gateway/message/message-names.ts does not know, 200 types at most. Health shows them.';
alter table portal.unknown_kinds enable row level security;

create table portal.media (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null,
  created_at timestamptz not null default now(),
  put_at timestamptz not null default now(),
  is_waiting boolean not null default false
);
comment on table portal.media is
  'Files stored in the database, named by their SHA-256. Where a folder or a bucket holds the files, this table has only those that were not moved yet or that wait for the bucket.';
comment on column portal.media.put_at is
  'When these bytes were last stored. A recent row is not deleted, because the writer is about to refer to it.';
comment on column portal.media.is_waiting is
  'True: the bucket did not answer when these bytes came. The portal moves them to the bucket later.';
create index media_waiting on portal.media (put_at) where is_waiting;
comment on index portal.media_waiting is 'Serves finding the files that wait for the bucket.';
alter table portal.media enable row level security;

create table portal.media_chunks (
  media_id text not null references portal.media on delete cascade,
  index integer not null,
  bytes bytea not null,
  primary key (media_id, index)
);
comment on table portal.media_chunks is
  'The bytes of portal.media in pieces of 256 KiB, so that the server can read a range without the rest.';
alter table portal.media_chunks enable row level security;

create table portal.media_puts (
  id text primary key check (id ~ '^[0-9a-f]{64}$'),
  put_at timestamptz not null default now()
);
comment on table portal.media_puts is
  'Files that a portal put into the bucket within about a day. A removal locks the row of its file and leaves a file alone that was put a moment ago. Each put deletes a few old rows.';
create index media_puts_age on portal.media_puts (put_at);
comment on index portal.media_puts_age is 'Serves the deletion of old rows.';
alter table portal.media_puts enable row level security;


-- The portal merges two contacts of one person and records the merge, so that it can be undone.

create table portal.contact_routes (
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  person_id bigint not null references portal.people on delete cascade,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  primary key ("instanceName", person_id)
);
comment on table portal.contact_routes is
  'Routes of leads that were handed over: what the person still writes to the old number joins the lead at its new owner.';
create index contact_routes_contact on portal.contact_routes (contact_id);
comment on index portal.contact_routes_contact is 'Serves the routes to a contact, for merging and removing it.';
create index contact_routes_person on portal.contact_routes (person_id);
comment on index portal.contact_routes_person is 'Serves the routes of a person, for merging persons.';
alter table portal.contact_routes enable row level security;

create table portal.contact_merges (
  id bigint generated always as identity primary key,
  "instanceName" text,
  kept_contact_id bigint not null,
  gone_contact_id bigint not null,
  kept_person_id bigint not null,
  gone_person_id bigint not null,
  kept_before jsonb not null,
  kept_after jsonb not null default '{}',
  gone_before jsonb not null,
  message_ids bigint[] not null,
  history_ids bigint[] not null,
  jids text[] not null,
  merged_at timestamptz not null default now(),
  undone_at timestamptz,
  action_ids bigint[] not null default '{}',
  scheduled_ids bigint[] not null default '{}',
  number_keys text[] not null default '{}',
  gone_interests jsonb,
  plan_ids bigint[] not null default '{}'
);
comment on table portal.contact_merges is
  'Each merge with all data that undoing it needs. The portal never repeats a merge that a person undid.';
create index contact_merges_people on portal.contact_merges (kept_person_id, gone_person_id);
comment on index portal.contact_merges_people is 'Serves the check whether a merge of these two was undone.';
alter table portal.contact_merges enable row level security;

create function portal.keep_route() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.brokers where "instanceName" = old."instanceName") then
    insert into portal.contact_routes ("instanceName", person_id, contact_id)
    values (old."instanceName", new.person_id, new.id)
    on conflict ("instanceName", person_id) do update set contact_id = excluded.contact_id;
  end if;
  delete from portal.contact_routes where "instanceName" = new."instanceName" and person_id = new.person_id;
  return null;
end $$;
comment on function portal.keep_route() is
  'Trigger: a handed-over lead still receives what its person writes to the previous owner''s number.';
create trigger keep_route after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName")
  execute function portal.keep_route();

-- Most functions that apply events are plpgsql, so that a connection caches their plans.
create function portal.contact_at(instance text, person bigint) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  contact bigint;
begin
  select id into contact from public.whatsapp_contacts where person_id = person and "instanceName" = instance;
  if contact is null then
    select contact_id into contact from portal.contact_routes where "instanceName" = instance and person_id = person;
  end if;
  return contact;
end $$;
comment on function portal.contact_at(text, bigint) is
  'The lead that a person''s messages at an instance belong to; it may have been handed over to another broker. Null without one. Server only.';

create function portal.merge_contacts(kept bigint, gone bigint) returns bigint
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
  with moved as (
    update portal.contact_numbers n set contact_id = kept
    where n.contact_id = gone and not exists (
      select from portal.contact_numbers there where there.contact_id = kept and there.number_key = n.number_key)
    returning n.number_key
  )
  update portal.contact_merges set number_keys = array(select moved.number_key from moved) where id = merge_id;
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
    tags = array(select distinct t.tag from unnest(k.tags || g.tags) as t (tag) order by 1 limit 12),
    value_cents = coalesce(k.value_cents, g.value_cents),
    loss_reason = coalesce(k.loss_reason, g.loss_reason),
    ad = coalesce(k.ad, g.ad),
    marked_unread_at = coalesce(marked_unread_at, g.marked_unread_at),
    created_at = least(k.created_at, g.created_at)
  where id = kept;
  perform portal.carry(array[kept]);
  update portal.contact_merges
  set kept_after = (select to_jsonb(c) from public.whatsapp_contacts c where c.id = kept)
  where id = merge_id;
  return merge_id;
end $$;
comment on function portal.merge_contacts(bigint, bigint) is
  'Merges the second contact into the first. Messages and history move, empty fields are filled, and a record allows undoing it. Server only.';

create function portal.undo_merge(merge bigint) returns void
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
  -- A merge that was recorded before the column tags existed has no tags.
  g.tags := coalesce(g.tags, '{}');

  -- If its stage was deleted meanwhile, the contact gets the stage with slug new. If its broker was deleted, it gets no
  -- broker.
  if not exists (select from public.kanban_stages where slug = g.status) then g.status := 'new'; end if;
  if not exists (select from public.brokers where "instanceName" = g."instanceName") then g."instanceName" := null; end if;
  perform set_config('portal.restoring', 'on', true);
  insert into public.whatsapp_contacts overriding system value select g.*;
  perform set_config('portal.restoring', '', true);
  -- The insert trigger has just written a first stage for the contact. Its true history is moved back below, so this
  -- row is deleted.
  delete from portal.stage_history where contact_id = g.id;
  update portal.stage_history set contact_id = g.id where id = any (m.history_ids) and contact_id = m.kept_contact_id;

  update portal.contact_numbers set contact_id = g.id where contact_id = m.kept_contact_id and number_key = any (m.number_keys);

  update portal.identities set person_id = m.gone_person_id
  where "instanceName" = m."instanceName" and jid = any (m.jids) and person_id = m.kept_person_id;
  delete from portal.contact_routes
  where "instanceName" = m."instanceName" and person_id = m.gone_person_id and contact_id = m.kept_contact_id;
  update public.whatsapp_messages set contact_id = g.id
  where contact_id = m.kept_contact_id
    and (id = any (m.message_ids) or ("remoteJid" = any (m.jids) and created_at >= m.merged_at));

  -- Puts back the values that the merge overwrote on the kept contact, unless somebody has changed them since.
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
    tags = case when c.tags is not distinct from made.tags then coalesce(was.tags, '{}') else c.tags end,
    value_cents = case when c.value_cents is not distinct from made.value_cents then was.value_cents else c.value_cents end,
    loss_reason = case when c.loss_reason is not distinct from made.loss_reason then was.loss_reason else c.loss_reason end,
    ad = case when c.ad is not distinct from made.ad then was.ad else c.ad end,
    marked_unread_at = case when c.marked_unread_at is not distinct from made.marked_unread_at then was.marked_unread_at else c.marked_unread_at end,
    created_at = was.created_at
  where c.id = m.kept_contact_id;
  perform portal.carry(array[m.kept_contact_id]);
  -- Messages of an agent may have kept the portal from warning that the kept lead waits. These messages belong to the
  -- other contact again, so the portal checks the deadline again.
  update portal.answer_deadlines set look_at = received_at where contact_id = m.kept_contact_id;
  update portal.contact_merges set undone_at = now() where id = merge;
end $$;
comment on function portal.undo_merge(bigint) is
  'Undoes a merge. The contact comes back with its messages, history and addresses, including those that arrived since. Server only.';

create function portal.record_merged_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  owner text := new.kept_before ->> 'instanceName';
begin
  update portal.owner_history set contact_id = new.kept_contact_id where contact_id = new.gone_contact_id;
  if new."instanceName" is distinct from owner then
    perform portal.add_owner(new.kept_contact_id, new."instanceName", owner);
  end if;
  return null;
end $$;
comment on function portal.record_merged_owner() is
  'Trigger: moves the owner history of a merged lead to the kept one.';
create trigger record_merged_owner after insert on portal.contact_merges
  for each row execute function portal.record_merged_owner();


-- A person has at most one contact on each broker's board. These functions find the person to whom the WhatsApp
-- addresses of a report belong, and that person's contact.

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
  -- The days of rest between two campaigns are counted for each person.
  update public.campaign_recipients r set person_id = kept
  where r.person_id = gone and not exists (
    select from public.campaign_recipients o where o.campaign_id = r.campaign_id and o.person_id = kept);
  perform portal.join_arms(kept, gone);
  update portal.people p set opted_out_at = least(p.opted_out_at, g.opted_out_at)
  from portal.people g where p.id = kept and g.id = gone and g.opted_out_at is not null;
end $$;
comment on function portal.join_people(text, bigint, bigint) is
  'Joins two persons. The second, known to an instance only by a hidden id, turned out to be the first. Server only.';

create function portal.person_at(instance text, jids text[], own_jid text, from_me boolean) returns bigint
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
  -- Takes the first phone and the first hidden id that are not the instance's own. In an outgoing message the other
  -- address may be the broker's own phone.
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
    -- A hidden id never joins two different numbers, because it may be the broker's own id or a wrong mapping. Only a
    -- message that the person wrote proves whose id it is.
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

  -- This is the usual case: the portal knows both addresses.
  if (phone is null or at_phone = who) and (lid is null or by_lid = who) then return who; end if;
  insert into portal.identities as i ("instanceName", jid, person_id)
  select instance, j, who from unnest(array[phone, lid]) as given (j) where j is not null
  on conflict ("instanceName", jid) do update set person_id = excluded.person_id where i.person_id <> excluded.person_id;
  return who;
end $$;
comment on function portal.person_at(text, text[], text, boolean) is
  'The person to whom an event''s addresses at an instance belong, ignoring the instance''s own addresses. If the event proves it, links a hidden id to a phone. Null if no other person is involved. Server only.';

create function portal.contact_of(instance text, event jsonb, known_contact bigint) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- In an outgoing message the instance's own hidden id does not identify the recipient.
  jids text[] := array(
    select j.jid from jsonb_array_elements_text(event #> '{chat,jids}') with ordinality as j (jid, n)
    where not exists (select from portal.own_addresses o where o."instanceName" = instance and o.address = j.jid)
    -- The first address is the one from which the message came.
    order by j.n);
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
    update public.whatsapp_contacts c set number = phones.jid
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
  'The contact of a reported message. Creates it if the person is new; a repeated report finds the same one. Adds its number once that is known. Null for a note to oneself. Server only.';

create function portal.address_of(contact bigint, instance text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select i.jid
     from portal.identities i
     where i.person_id = c.person_id
       -- Skips an address that WhatsApp returned when somebody dialled a wrong number.
       and (i.jid like '%@lid' or p.number_key is null or p.number_key = portal.number_key(i.jid))
     order by i.jid like '%@lid', i."instanceName" <> instance, i.first_seen_at desc, i.jid
     limit 1),
    portal.number_of_key(p.number_key)
  )
  from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
  where c.id = contact and not exists (select from portal.number_doubts d where d.contact_id = contact)
$$;
comment on function portal.address_of(bigint, text) is
  'The address to which messages for a contact are sent. It is one that WhatsApp gave for the person: a phone before a hidden id, one of this instance before others. Otherwise it is the person''s number. Null without one, and while the number is in doubt. Server only.';

create function portal.may_be_hidden(instance text, contact bigint, added bigint) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from public.whatsapp_messages m where m.contact_id = contact and m.id <> added) then return false; end if;
  return not exists (
      select from portal.identities i join public.whatsapp_contacts c on c.person_id = i.person_id
      where c.id = contact and i."instanceName" = instance and i.jid like '%@lid')
    and exists (
      select from public.whatsapp_contacts h
      where h."instanceName" = instance and h.number is null and h.created_at > now() - interval '30 days');
end $$;
comment on function portal.may_be_hidden(text, bigint, bigint) is
  'Whether a contact with its very first message may be a person of whom the instance already knows a hidden id, but no number. Server only.';


-- The portal applies reports in their order and locks leads in that order. Hand-overs and removals of brokers lock
-- leads in another order. This lock lets only one of the two run, because otherwise they could deadlock.

create function portal.take_apply_turn() returns void
language sql volatile set search_path = '' as $$
  select pg_advisory_xact_lock(71302211)
$$;
comment on function portal.take_apply_turn() is
  'Keeps everybody else from applying reports of any instance until the transaction ends. Callers take it before the lock of rotations and before any row. Server only.';

create function portal.take_apply_turn_of(instance text) returns void
language sql volatile set search_path = '' as $$
  select pg_advisory_xact_lock_shared(71302211), pg_advisory_xact_lock(71302211, hashtext(instance))
$$;
comment on function portal.take_apply_turn_of(text) is
  'Keeps everybody else from applying reports of one instance until the transaction ends; other instances continue. It has the same place in the order of locks as portal.take_apply_turn. Server only.';

create function portal.take_inbox(p_instances text[], p_most integer)
returns table (id bigint, "instanceName" text, body text, received_at_ms bigint, gateway text, is_current boolean)
language plpgsql volatile set search_path = '' as $$
declare
  taken_turns text[];
  next_ids bigint[];
begin
  -- Reads after it has the lock, and so sees what the previous holder committed.
  if p_instances is null then
    perform portal.take_apply_turn();
    next_ids := array(select i.id from portal.webhook_inbox i order by i.id limit p_most);
  else
    -- Waits for the lock of the first instance while it holds no other, so that two portals cannot deadlock. It only
    -- tries the locks of the others.
    perform portal.take_apply_turn_of(p_instances[1]);
    taken_turns := p_instances[1] || array(
      select n.name from unnest(p_instances[2:]) as n (name)
      where pg_try_advisory_xact_lock(71302211, hashtext(n.name)));
    -- Takes some deliveries of each instance, so that the long queue of one does not delay the others.
    next_ids := array(
      select i.id from unnest(taken_turns) as t (name) cross join lateral (
        select w.id, row_number() over (order by w.id) as n from portal.webhook_inbox w
        where w."instanceName" = t.name order by w.id limit p_most) as i
      order by i.n, i.id limit p_most);
  end if;
  return query
  with taken as (delete from portal.webhook_inbox i where i.id = any (next_ids) returning i.*)
  select t.id, t."instanceName", t.body, (extract(epoch from t.received_at) * 1000)::bigint, t.gateway,
    not exists (
      select from portal.webhook_secrets s where s."instanceName" = t."instanceName" and s.gateway <> t.gateway)
  from taken t
  union all
  select null, n.name, null, null, null, null from unnest(p_instances) as n (name) where n.name <> all (taken_turns)
  order by 1;
end $$;
comment on function portal.take_inbox(text[], integer) is
  'Locks applying for these instances (null: all), then takes their oldest deliveries out of the inbox, in order of arrival, for the transaction that applies them. is_current: the gateway that sent it has the instance. Waits for the first instance''s lock; an instance that another portal has locked returns a row without an id. Server only.';

create function portal.wait_for_reports() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.take_apply_turn();
  return null;
end $$;
comment on function portal.wait_for_reports() is
  'Trigger: a removal of a broker waits for the reports that are being applied, because they may write to its rows.';
create trigger wait_for_reports before delete on public.brokers
  for each statement execute function portal.wait_for_reports();


-- Applies the gateway's reports, which come in any order and may repeat. Each function takes an event of
-- server/delivery.ts as JSON. Those for a known message return whether it found the message.

create function portal.delivery_rank(delivery text) returns integer
language sql immutable strict parallel safe set search_path = '' as $$
  select array_position(array['queued', 'unknown', 'sent', 'failed', 'delivered', 'read'], delivery)
$$;
comment on function portal.delivery_rank(text) is
  'Rank of a delivery state; a state only rises. ''failed'' ranks below ''delivered'', because a message with an error can still arrive.';
grant execute on function portal.delivery_rank(text) to authenticated, service_role;

create function portal.from_ms(epoch_ms text) returns timestamptz
language sql immutable strict parallel safe set search_path = '' as $$
  select to_timestamp(epoch_ms::numeric / 1000)
$$;
comment on function portal.from_ms(text) is 'Converts epoch milliseconds to a time.';

create function portal.apply_ack(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  wanted text := event ->> 'delivery';
begin
  select * into target from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  if not found then return false; end if;
  -- Code 463: WhatsApp does not let the account start new chats. It does not say until when.
  if wanted = 'failed' and event ->> 'code' = '463' and target.type = 'outgoing' then
    perform portal.note_restriction(instance);
  end if;
  if target.type = 'outgoing' and portal.delivery_rank(wanted) > portal.delivery_rank(target.delivery) then
    update public.whatsapp_messages
    set delivery = wanted,
      delivery_reason = case when wanted = 'failed' then case event ->> 'code' when '463' then 'restricted' else 'rejected' end end
    where id = target.id;
  elsif target.type = 'incoming' and wanted = 'read' and not target.read then
    update public.whatsapp_messages set read = true where id = target.id;
  end if;
  -- A report of the message proves only that the gateway has it. An ack proves that WhatsApp has it.
  if target.author = 'campaign' and event ->> 'event' = 'ack' and wanted <> 'failed' then
    update public.campaign_recipients set acknowledged = true where message_id = target.id and not acknowledged;
  end if;
  return true;
end $$;
comment on function portal.apply_ack(text, jsonb) is
  'Raises a message''s delivery state and never lowers it. An error after the gateway had accepted the message comes from WhatsApp. A lead''s message that was read on the phone becomes read here, too. Server only.';

-- The portal reads an edit from the gateway's store when the report of it may be lost. Such an edit counts from the
-- time of the query, because all reports up to then are older.
create function portal.apply_edit(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  at timestamptz := portal.from_ms(event ->> 'atMs');
  known_at timestamptz := portal.from_ms(coalesce(event ->> 'readAtMs', event ->> 'atMs'));
begin
  select * into target from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  if not found then return false; end if;
  if target.deleted_at is null and target.type <> 'note'
    and (target.edited_at is null or (target.edited_at < known_at and target.body <> event ->> 'body')) then
    update public.whatsapp_messages
    set body = event ->> 'body', edited_at = greatest(edited_at, at),
      -- If the reported text is the edit that a person asked for in the portal, that request is done.
      change = case when change ->> 'body' is distinct from event ->> 'body' then change end
    where id = target.id;
  end if;
  return true;
end $$;
comment on function portal.apply_edit(text, jsonb) is
  'Applies an edit if it is newer than the last one, by the time of its report or of the query of the gateway''s store. A revoked message is not edited. Server only.';

create function portal.apply_revoke(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target bigint;
begin
  delete from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' and type = 'note';
  if found then return true; end if;
  update public.whatsapp_messages
  set
    kind = 'deleted', body = '', content = null, quoted = null, edited_at = null, change = null,
    deleted_at = least(deleted_at, portal.from_ms(event ->> 'atMs'))
  where "instanceName" = instance and message_id = event ->> 'messageId'
  returning id into target;
  delete from portal.message_raw where message_id = target;
  return target is not null;
end $$;
comment on function portal.apply_revoke(text, jsonb) is
  'The author revoked a message: its text is deleted, the row stays. Server only.';

create function portal.apply_reaction(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  who text := case when (event ->> 'isOwn')::boolean then 'me' else 'contact' end;
  old jsonb;
begin
  select * into target from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  if not found then return false; end if;
  old := target.reactions -> who;
  if old is null
    or ((event ->> 'atSeconds')::bigint, event ->> 'reactionId') > ((old ->> 'at')::bigint, old ->> 'id') then
    update public.whatsapp_messages
    set reactions = reactions || jsonb_build_object(who, jsonb_build_object(
      'emoji', event ->> 'emoji', 'at', (event ->> 'atSeconds')::bigint, 'id', event ->> 'reactionId'))
    where id = target.id;
  end if;
  return true;
end $$;
comment on function portal.apply_reaction(text, jsonb) is
  'Stores the newest reaction of each side, the lead''s and ours; an empty one removes it. Server only.';

create function portal.apply_name(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  contact bigint;
begin
  select portal.contact_at(instance, person_id) into contact from portal.identities
  where "instanceName" = instance and jid = event ->> 'jid';
  if contact is null then return false; end if;
  update public.whatsapp_contacts set name = event ->> 'name' where id = contact and name is null;
  return true;
end $$;
comment on function portal.apply_name(text, jsonb) is
  'Gives a contact without a name the name from its WhatsApp profile. Server only.';

create function portal.keep_waiting(instance text, event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.waiting_events as w ("instanceName", target, kind, weight, waited)
  select
    instance,
    coalesce(event ->> 'messageId', event ->> 'jid'),
    case when event ->> 'event' = 'reaction' then 'reaction-' || (event ->> 'isOwn') else event ->> 'event' end,
    case event ->> 'event'
      when 'ack' then portal.delivery_rank(event ->> 'delivery')
      when 'edit' then (event ->> 'atMs')::numeric::bigint
      when 'revoke' then -(event ->> 'atMs')::numeric::bigint
      when 'reaction' then (event ->> 'atSeconds')::bigint
      else 0
    end,
    event
  on conflict ("instanceName", target, kind) do update
  set weight = excluded.weight, waited = excluded.waited
  where (w.weight, w.waited ->> 'reactionId') < (excluded.weight, excluded.waited ->> 'reactionId')
    or w.weight < excluded.weight;
end $$;
comment on function portal.keep_waiting(text, jsonb) is
  'Stores an event until its message or contact arrives. Of one kind only the event is kept that would apply in the end. Server only.';


-- Turns a reported message into a message of its contact, once. portal.apply_event at the end is the only entrance for
-- all kinds of events.

create function portal.own_message_id(message public.whatsapp_messages) returns text
language sql immutable set search_path = '' as $$
  select '3EB0' || upper(left(md5(message.id || '-' || extract(epoch from message.created_at)), 18))
$$;
comment on function portal.own_message_id(public.whatsapp_messages) is
  'The id under which a gateway that lets us choose sends the message, in WhatsApp''s form. The same message has it again after a crash, so a report of it proves which message was sent. Server only.';

create function portal.match_sent(instance text, contact bigint, event jsonb) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  matched bigint;
begin
  update public.whatsapp_messages
  set message_id = event ->> 'messageId', "remoteJid" = event #>> '{chat,remoteJid}',
    "timestamp" = (event ->> 'sentAtSeconds')::bigint
  where id = (
    select m.id from public.whatsapp_messages m
    where m.contact_id = contact and m."instanceName" = instance and m.type = 'outgoing' and m.message_id is null
      and (
        m.delivery = 'unknown'
        -- Matches a message that a portal is sending now. A queued message that no portal has claimed cannot be the
        -- reported one, unless it is in doubt.
        or m.delivery = 'queued' and (
          not exists (select from portal.outgoing o where o.message_id = m.id and o.claimed_at is null)
          or exists (select from portal.send_queues q where q.doubted_message = m.id)))
      and (
        portal.own_message_id(m) = event ->> 'messageId'
        or m.kind = event ->> 'kind' and m.body = event ->> 'body'
          and m."timestamp" between (event ->> 'sentAtSeconds')::bigint - 86400 and (event ->> 'sentAtSeconds')::bigint + 120)
    order by portal.own_message_id(m) = event ->> 'messageId' desc, m.delivery = 'unknown', m.id limit 1
    for update
  )
  returning id into matched;
  return matched;
end $$;
comment on function portal.match_sent(text, bigint, jsonb) is
  'The message of ours that a report describes, found by the id that we chose, else by address, text and time. The report can come before the answer to the send, and after a crash it is the only proof. Server only.';

create function portal.add_message(instance text, contact bigint, event jsonb) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_own boolean := (event ->> 'fromMe')::boolean;
  sender_jid text := event #>> '{chat,ownJid}';
  added bigint;
begin
  if not is_own then
    sender_jid := coalesce(
      (select j from jsonb_array_elements_text(event #> '{chat,jids}') as given (j) where j like '%@s.whatsapp.net' limit 1),
      event #>> '{chat,remoteJid}');
  end if;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", message_id, "remoteJid", "from", from_number, body, "timestamp", type, kind, author,
     delivery, content, quoted)
  values (
    contact, instance, event ->> 'messageId', event #>> '{chat,remoteJid}',
    sender_jid, case when sender_jid like '%@s.whatsapp.net' then split_part(sender_jid, '@', 1) end,
    event ->> 'body', (event ->> 'sentAtSeconds')::bigint,
    case when is_own then 'outgoing' else 'incoming' end,
    event ->> 'kind',
    -- True: the message was sent through the gateway's API, but not by the portal. Another system's agent wrote it, so
    -- it is no person's answer.
    case when (event ->> 'isViaApi')::boolean then 'agent' else 'human' end,
    case when is_own then event ->> 'delivery' end,
    nullif(event -> 'content', 'null'), nullif(event -> 'quoted', 'null')
  )
  returning id into added;
  return added;
end $$;
comment on function portal.add_message(text, bigint, jsonb) is
  'Adds a chat message from a reported message. Server only.';

create function portal.improve_message(known public.whatsapp_messages, event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if known.deleted_at is not null then return; end if;
  if known.kind = 'unsupported' and event ->> 'kind' <> 'unsupported' then
    update public.whatsapp_messages
    set kind = event ->> 'kind', content = nullif(event -> 'content', 'null'), quoted = nullif(event -> 'quoted', 'null'),
      body = case when known.edited_at is null then event ->> 'body' else known.body end
    where id = known.id;
    delete from portal.message_raw where message_id = known.id;
  elsif known.kind = event ->> 'kind' and known.content ->> 'mediaId' is null
    and event #>> '{content,mediaId}' is not null then
    update public.whatsapp_messages set content = event -> 'content' where id = known.id;
  end if;
end $$;
comment on function portal.improve_message(public.whatsapp_messages, jsonb) is
  'Completes a message from a later report, if it came without its text or file. Server only.';

create function portal.learn_of_contact(contact bigint, instance text, event jsonb) returns void
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
  -- Checks first, because an update that changes nothing still fires the triggers.
  select c.name into known_name from public.whatsapp_contacts c where c.id = contact;
  if known_name is null and coalesce(event ->> 'pushName', waited_name) is not null then
    update public.whatsapp_contacts set name = coalesce(event ->> 'pushName', waited_name)
    where id = contact and name is null;
  end if;
  if event -> 'ad' <> 'null' then
    update public.whatsapp_contacts
    set source = coalesce(event #>> '{ad,source}', source), campaign = event #>> '{ad,title}'
    where id = contact and campaign is null and source in ('desconhecida', 'whatsapp');
    perform portal.keep_clicks(contact, jsonb_build_object('ctwa_clid', event #>> '{ad,clickId}'), now());
    update public.whatsapp_contacts
    set ad = (event -> 'ad') - 'clickId' || jsonb_build_object('link', portal.bare_link(contact, event #>> '{ad,link}'))
    where id = contact and ad is null;
  end if;
end $$;
comment on function portal.learn_of_contact(bigint, text, jsonb) is
  'Sets the name of a contact without one, and the advertisement from which it came. Server only.';

create function portal.apply_message(instance text, event jsonb) returns text
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
  if known.type = 'note' then
    -- Deletes the placeholder: the phone could not decrypt the message until now.
    delete from public.whatsapp_messages where id = known.id;
    known := null;
  end if;
  contact := portal.contact_of(instance, event, known.contact_id);
  if contact is null then
    perform set_config('portal.history', '', true);
    return null;
  end if;
  -- Locks a person who opts out before the lead, as arrivals and imports do.
  if (event ->> 'optsOut')::boolean then
    perform from portal.people p join public.whatsapp_contacts c on c.person_id = p.id
    where c.id = contact for no key update of p;
  end if;
  -- Locks the lead before its dependent rows, even when it is written to later.
  select c.number is not null into has_number from public.whatsapp_contacts c where c.id = contact for no key update;
  perform portal.learn_of_contact(contact, instance, event);
  if known.id is not null then
    perform portal.improve_message(known, event);
  else
    if is_own then added := portal.match_sent(instance, contact, event); end if;
    perform set_config('portal.automated', case when (event ->> 'isAutomated')::boolean then 'on' else '' end, true);
    added := coalesce(added, portal.add_message(instance, contact, event));
    perform set_config('portal.automated', '', true);
    if event -> 'raw' <> 'null' then
      insert into portal.message_raw (message_id, raw) values (added, event -> 'raw') on conflict do nothing;
    end if;
    perform portal.apply_waiting(instance, event ->> 'messageId');
    if (event ->> 'optsOut')::boolean then perform portal.opt_out(contact, (event ->> 'sentAtSeconds')::bigint); end if;
  end if;
  if is_own then perform portal.apply_ack(instance, event); end if;
  if added is not null then perform portal.prove_link(instance, (event ->> 'sentAtSeconds')::bigint); end if;
  perform set_config('portal.history', '', true);
  return case
    when not has_number or (added is not null and portal.may_be_hidden(instance, contact, added)) then 'number-hidden'
  end;
end $$;
comment on function portal.apply_message(text, jsonb) is
  'Adds a reported message once, by instance and message id, and applies the events that waited for it. Returns ''number-hidden'' if only a hidden id of the contact is known, or if that id may belong to another contact. Server only.';

create function portal.known_contact(instance text, event jsonb) returns bigint
language sql stable security definer set search_path = '' as $$
  select portal.contact_at(instance, p.id)
  from jsonb_array_elements_text(event #> '{chat,jids}') with ordinality as given (jid, n)
  join portal.people p on p.id = coalesce(
    (select i.person_id from portal.identities i where i."instanceName" = instance and i.jid = given.jid),
    (select k.id from portal.people k where given.jid like '%@s.whatsapp.net' and k.number_key = portal.number_key(given.jid)))
  where given.jid is distinct from event #>> '{chat,ownJid}' and portal.contact_at(instance, p.id) is not null
  order by given.n limit 1
$$;
comment on function portal.known_contact(text, jsonb) is
  'The contact to whom an event''s addresses at an instance belong. Creates none: null if there is none. Server only.';

create function portal.apply_note(instance text, event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  contact bigint := portal.known_contact(instance, event);
  added bigint;
begin
  if exists (
    select from public.whatsapp_messages where "instanceName" = instance and message_id = event ->> 'messageId') then
    return;
  end if;
  if (event ->> 'isUnknown')::boolean then
    insert into portal.unknown_kinds as k (name)
    select case when (select count(*) from portal.unknown_kinds) < 200
        or exists (select from portal.unknown_kinds u where u.name = event ->> 'name') then event ->> 'name' else 'outros' end
    on conflict (name) do update set seen = k.seen + 1, last_seen_at = now();
  end if;
  if contact is null then return; end if;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", message_id, "remoteJid", "timestamp", type, kind, read, content)
  values (
    contact, instance, event ->> 'messageId', event #>> '{chat,remoteJid}', (event ->> 'sentAtSeconds')::bigint, 'note', 'note', true,
    jsonb_build_object('name', event ->> 'name', 'isOwn', event -> 'fromMe', 'isUndone', event -> 'isUndone', 'text', event -> 'text'))
  returning id into added;
  if event -> 'raw' <> 'null' then
    insert into portal.message_raw (message_id, raw) values (added, event -> 'raw');
  end if;
end $$;
comment on function portal.apply_note(text, jsonb) is
  'Adds a grey note to an existing conversation, and counts message types that the portal does not know. A note creates no lead. Server only.';

create function portal.add_call(instance text, contact bigint, event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_answered boolean := event ->> 'status' = 'answered';
  what text := case when (event ->> 'isVideo')::boolean then 'Ligação de vídeo' else 'Ligação' end;
begin
  insert into public.whatsapp_messages
    (contact_id, "instanceName", message_id, "remoteJid", body, "timestamp", type, kind, delivery, content)
  values (
    contact, instance, event ->> 'messageId', event #>> '{chat,remoteJid}',
    what || case when is_answered then '' else ' perdida' end, (event ->> 'sentAtSeconds')::bigint,
    -- A call that the broker took counts as an answer to the lead.
    case when is_answered then 'outgoing' else 'incoming' end, 'call', case when is_answered then 'read' end,
    jsonb_build_object('isAnswered', is_answered, 'isVideo', event -> 'isVideo', 'seconds', event -> 'seconds'));
end $$;
comment on function portal.add_call(text, bigint, jsonb) is
  'Adds the line of a call. A missed call waits for an answer and causes a push, like a message of the lead. A call that was taken counts as a person''s answer. Server only.';

create function portal.apply_call(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  at_seconds bigint := (event ->> 'sentAtSeconds')::bigint;
  status text := event ->> 'status';
  contact bigint := portal.known_contact(instance, event);
  offered jsonb;
  known public.whatsapp_messages;
begin
  -- The call is ringing. A later report says how it ended; without one portal.end_calls counts it as missed.
  if status = 'offered' then
    return exists (
      select from public.whatsapp_messages where "instanceName" = instance and message_id = event ->> 'messageId');
  end if;
  delete from portal.waiting_events
  where "instanceName" = instance and target = event ->> 'messageId' and kind = 'call' returning waited into offered;
  event := event || jsonb_build_object(
    'isVideo', (event ->> 'isVideo')::boolean or coalesce((offered ->> 'isVideo')::boolean, false));
  perform from public.whatsapp_contacts c where c.id = contact for no key update;
  select * into known from public.whatsapp_messages m
  where m."instanceName" = instance and (m.message_id = event ->> 'messageId'
    -- The log of a call has a message id of its own, so its call is found by time.
    or (event ->> 'isLog')::boolean and m.contact_id = contact and m.kind = 'call'
      and abs(m."timestamp" - at_seconds) <= 120)
  order by m.message_id = event ->> 'messageId' desc, m.id desc limit 1 for update;
  if known.type = 'incoming' and status = 'answered' then
    -- The end of the call was reported before its start.
    event := event || jsonb_build_object('seconds',
      coalesce((event ->> 'seconds')::bigint, greatest(known."timestamp" - at_seconds, 0)), 'messageId', known.message_id);
    delete from public.whatsapp_messages where id = known.id;
    perform portal.add_call(instance, contact, event);
  elsif known.type = 'outgoing' and known.content ->> 'seconds' is null and status in ('answered', 'ended') then
    update public.whatsapp_messages
    set content = content || jsonb_build_object('seconds',
      case status when 'ended' then greatest(at_seconds - known."timestamp", 0) else (event ->> 'seconds')::bigint end)
    where id = known.id;
  elsif known.id is null and status = 'answered' then
    -- A call that was taken creates no lead. Without a lead there is no conversation to which a line could be added.
    if contact is null then return false; end if;
    perform portal.add_call(instance, contact, event);
  elsif known.id is null and offered ->> 'status' is distinct from 'answered' then
    contact := coalesce(contact, portal.contact_of(instance, event || '{"fromMe": false}', null));
    if contact is not null then
      -- A missed call is placed at the time when it began to ring.
      perform portal.add_call(instance, contact, event || jsonb_build_object(
        'status', 'missed', 'sentAtSeconds', least(at_seconds, (offered ->> 'sentAtSeconds')::bigint)));
    end if;
  end if;
  return true;
end $$;
comment on function portal.apply_call(text, jsonb) is
  'Combines all reports of a call, in any order, into one line: missed unless somebody took it. A call of an unknown person creates a lead only if it was missed. Returns false while no line can be added. Server only.';

create function portal.end_calls(p_now timestamptz) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  ringing record;
  ended integer := 0;
begin
  for ringing in
    select w."instanceName", w.target from portal.waiting_events w
    where w.kind = 'call' and w.waited ->> 'status' = 'offered' and w.received_at < p_now - interval '2 minutes'
    -- Every portal takes the locks in this order, so that two cannot deadlock.
    order by w."instanceName", w.received_at, w.target limit 100
  loop
    perform portal.take_apply_turn_of(ringing."instanceName");
    perform portal.apply_event(w."instanceName", w.waited || '{"status": "missed"}')
    from portal.waiting_events w
    where w."instanceName" = ringing."instanceName" and w.target = ringing.target and w.kind = 'call';
    ended := ended + 1;
  end loop;
  return ended;
end $$;
comment on function portal.end_calls(timestamptz) is
  'Counts a call as missed if nobody reported its end within two minutes; returns how many. Each portal calls it every half minute. Server only.';

create function portal.apply_waiting(instance text, target_id text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  late jsonb;
begin
  for late in
    delete from portal.waiting_events
    where "instanceName" = instance and target = target_id and kind <> 'name' returning waited
  loop
    perform portal.apply_event(instance, late);
  end loop;
end $$;
comment on function portal.apply_waiting(text, text) is
  'Applies the edits, revokes, acks and reactions that waited for a message. Server only.';

create function portal.apply_event(instance text, event jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_applied boolean := true;
begin
  if portal.is_private(instance, array[event ->> 'jid']) then return null; end if;
  case event ->> 'event'
    when 'message' then
      if portal.was_erased(event) or portal.is_no_lead(instance, event) then
        insert into portal.media_removals (media_id)
        select event #>> '{content,mediaId}' where event #>> '{content,mediaId}' is not null on conflict do nothing;
        return null;
      end if;
      return portal.apply_message(instance, event);
    when 'note' then
      if not portal.was_erased(event) then perform portal.apply_note(instance, event); end if;
    when 'call' then is_applied := portal.was_erased(event) or portal.apply_call(instance, event);
    when 'link' then return portal.apply_link(instance, event);
    when 'qr' then perform portal.apply_qr(instance, event);
    when 'limits' then perform portal.apply_limits(instance, event);
    when 'ack' then is_applied := portal.apply_ack(instance, event);
    when 'edit' then is_applied := portal.apply_edit(instance, event);
    when 'revoke' then is_applied := portal.apply_revoke(instance, event);
    when 'reaction' then is_applied := portal.apply_reaction(instance, event);
    when 'name' then is_applied := portal.apply_name(instance, event);
  end case;
  if not is_applied and not portal.was_erased(event) then perform portal.keep_waiting(instance, event); end if;
  return null;
end $$;
comment on function portal.apply_event(text, jsonb) is
  'Applies one event of an instance. An event whose message is missing is stored until the message comes. Returns what the server must do next: ''linked'' (the link opened), ''number-hidden'' (ask the gateway for the number), or null. Server only.';

create function portal.apply_events(instances text[], events jsonb[]) returns table ("instanceName" text, kind text)
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  touched bigint[];
begin
  perform set_config('portal.carry_later', ',', true);
  return query
  select e.instance, portal.apply_event(e.instance, e.event) from unnest(instances, events) as e (instance, event);
  touched := string_to_array(trim(',' from current_setting('portal.carry_later')), ',');
  perform set_config('portal.carry_later', '', true);
  perform portal.carry(touched);
  perform portal.publish_conversations(touched);
end $$;
comment on function portal.apply_events(text[], jsonb[]) is
  'Applies several events in order, as portal.apply_event does, and updates their contacts once at the end. Each contact gets one write and one live event instead of one for each message. Returns a row for each event. Server only.';

create function portal.is_history(instance text, event jsonb) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((event ->> 'isReadBack')::boolean, false) and exists (
    select from portal.instance_sweeps s
    where s."instanceName" = instance and floor(extract(epoch from s.relinked_at)) > (event ->> 'sentAtSeconds')::bigint);
end $$;
comment on function portal.is_history(text, jsonb) is
  'Whether a sweep read the message back, and it is older than the linking of its phone by a code. Server only.';
