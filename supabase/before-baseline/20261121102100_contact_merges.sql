-- Contacts that turn out to be one person: merged with a record, and taken apart again (PRODUCT.md 4.2).

create table portal.contact_routes (
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  person_id bigint not null references portal.people on delete cascade,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  primary key ("instanceName", person_id)
);
comment on table portal.contact_routes is 'Leads that were handed over: what the person writes to the old number joins the contact at its new owner.';
create index contact_routes_contact on portal.contact_routes (contact_id);
comment on index portal.contact_routes_contact is 'Serves the routes that lead to a contact, for merging and removing it.';
create index contact_routes_person on portal.contact_routes (person_id);
comment on index portal.contact_routes_person is 'Serves the routes of a person, for joining it to another.';

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
  undone_at timestamptz
);
comment on table portal.contact_merges is 'Each merge with all that undoing it needs. A merge that was undone is not made again by itself.';
create index contact_merges_people on portal.contact_merges (kept_person_id, gone_person_id);
comment on index portal.contact_merges_people is 'Serves the question whether a merge of these two was undone.';

alter table portal.contact_routes enable row level security;
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
comment on function portal.keep_route() is 'Trigger: a contact that changes its owner is still reached from the old number.';
create trigger keep_route after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName")
  execute function portal.keep_route();

-- This and the other functions on an event's way are plpgsql, which keeps its plans from call to call.
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
comment on function portal.contact_at(text, bigint) is 'The contact that a person''s messages at an instance belong to, handed-over ones included; null without one. Server only.';

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
