-- What keeps the board's rows true: guards of stages and contacts, the history of moves, the newest message on its contact.

create function portal.guard_stage() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  met public.kanban_stages;
begin
  if tg_op = 'DELETE' then
    if old.slug = 'new' then
      raise exception 'O estágio "%" não pode ser excluído.', old.name using errcode = '42501';
    end if;
    -- Whoever was moved in since the screen emptied the stage; the row's lock keeps others out (SPEC.md 4).
    update public.whatsapp_contacts set status = 'new' where status = old.slug;
    return old;
  end if;
  select * into met from public.kanban_stages s where s.id = new.id;
  if found then
    -- An upsert of {id, order_index} inserts first: what it leaves out comes from the row it will meet.
    new.name := coalesce(new.name, met.name);
    new.slug := coalesce(new.slug, met.slug);
  elsif exists (select from public.kanban_stages s where s.order_index = new.order_index) then
    -- A count plus one is taken where an earlier removal was not renumbered.
    new.order_index := (select max(s.order_index) + 1 from public.kanban_stages s);
  end if;
  return new;
end $$;
comment on function portal.guard_stage() is
  'Trigger: fills a renumbering upsert, puts a new stage last when its place is taken, empties a stage before it goes, keeps the one with slug new (SPEC.md 4, 9).';
create trigger guard_stage before insert or delete on public.kanban_stages
  for each row execute function portal.guard_stage();

create function portal.guard_status() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_user = 'authenticated' and not portal.is_admin() then
    raise exception 'O estágio do lead muda pela função atualizar_status_lead.' using errcode = '42501';
  end if;
  return null;
end $$;
comment on function portal.guard_status() is 'Trigger: keeps a broker''s direct writes off the status; runs as who writes, so that the function itself passes.';
create trigger guard_status before update of status on public.whatsapp_contacts
  for each statement execute function portal.guard_status();

create function portal.guard_contact() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.person_id := coalesce(new.person_id, portal.person_of(new.number));
  else
    new.updated_at := now();
  end if;
  if new.won_at is null and (tg_op = 'INSERT' or new.status <> old.status) then
    select now() into new.won_at from public.kanban_stages s where s.slug = new.status and s.kind = 'won';
  end if;
  return new;
end $$;
comment on function portal.guard_contact() is 'Trigger: binds the person, dates the change, remembers the first stage that is marked as won.';
create trigger guard_contact before insert or update on public.whatsapp_contacts
  for each row execute function portal.guard_contact();

create function portal.actor() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  return coalesce((select a.username from portal.accounts a where a.id = account), 'portal');
end $$;
comment on function portal.actor() is 'Username of who is asking, ''portal'' for the server itself.';

-- A plan made for one row serves a thousand next time, and must not compare each with each.
create function portal.record_moves() returns trigger
language plpgsql security definer set search_path = '' set enable_nestloop = off as $$
declare
  contacts bigint[];
  from_statuses text[];
  to_statuses text[];
begin
  if tg_op = 'INSERT' then
    select array_agg(n.id), array_agg(null::text), array_agg(n.status)
    into contacts, from_statuses, to_statuses from new_rows n;
  else
    select array_agg(n.id), array_agg(o.status), array_agg(n.status)
    into contacts, from_statuses, to_statuses from new_rows n join old_rows o using (id) where n.status <> o.status;
  end if;
  if contacts is null then return null; end if;
  insert into portal.stage_history (contact_id, from_status, to_status, account_id, changed_by, operation_id, moved_at)
  select m.contact_id, m.from_status, m.to_status, asking.account_id, asking.actor, asking.operation_id, asking.moved_at
  from
    unnest(contacts, from_statuses, to_statuses) as m (contact_id, from_status, to_status),
    (select
      portal.account_id(),
      portal.actor(),
      nullif(current_setting('portal.operation_id', true), '')::uuid,
      nullif(current_setting('portal.moved_at', true), '')::timestamptz
    ) as asking (account_id, actor, operation_id, moved_at);
  return null;
end $$;
comment on function portal.record_moves() is
  'Trigger: appends to the history of stages, with the operation and its time on the device from the settings portal.operation_id and portal.moved_at of the transaction.';
create trigger record_first_stage after insert on public.whatsapp_contacts
  referencing new table as new_rows for each statement execute function portal.record_moves();
create trigger record_moves after update on public.whatsapp_contacts
  referencing old table as old_rows new table as new_rows for each statement execute function portal.record_moves();

create function portal.recount_won() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.whatsapp_contacts c
  set won_at = (
    select min(h.changed_at)
    from portal.stage_history h join public.kanban_stages s on s.slug = h.to_status and s.kind = 'won'
    where h.contact_id = c.id
  )
  where exists (select from portal.stage_history h where h.contact_id = c.id and h.to_status = new.slug);
  return null;
end $$;
comment on function portal.recount_won() is 'Trigger: a stage that is marked as won, or no longer, tells anew when each of its leads was won (PRODUCT.md 4.7).';
create trigger recount_won after update of kind on public.kanban_stages
  for each row when ((old.kind = 'won') <> (new.kind = 'won')) execute function portal.recount_won();

-- One plan for all calls: the planner would make a new one each time, which costs several times the work itself.
create function portal.carry(contacts bigint[]) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  -- One order for all writers, and after the wait a snapshot that has what the one before wrote.
  perform from public.whatsapp_contacts c where c.id = any (contacts) order by c.id for no key update;
  update public.whatsapp_contacts c
  set
    last_message_id = newest.id,
    last_message_body = newest.body,
    last_message_timestamp = newest."timestamp",
    last_message_type = newest.type,
    last_message_kind = newest.kind,
    last_message_delivery = newest.delivery,
    unread_count = unread.count,
    first_incoming_at = to_timestamp(incoming."timestamp"),
    first_response_at = to_timestamp(response."timestamp")
  from unnest(contacts) as touched (id)
  left join lateral (
    select m.id, left(m.body, 300) as body, m."timestamp", m.type, m.kind, m.delivery
    from public.whatsapp_messages m where m.contact_id = touched.id
    order by m."timestamp" desc, m.id desc limit 1
  ) newest on true
  cross join lateral (
    select count(*)::integer from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'incoming' and not m.read
  ) unread (count)
  left join lateral (
    select m."timestamp" from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'incoming'
    order by m."timestamp", m.id limit 1
  ) incoming on true
  left join lateral (
    select m."timestamp" from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
      and m."timestamp" >= incoming."timestamp"
    order by m."timestamp", m.id limit 1
  ) response on true
  where c.id = touched.id
    and (c.last_message_id, c.last_message_body, c.last_message_timestamp, c.last_message_type, c.last_message_kind,
        c.last_message_delivery, c.unread_count, c.first_incoming_at, c.first_response_at)
      is distinct from (newest.id, newest.body, newest."timestamp", newest.type, newest.kind,
        newest.delivery, unread.count, to_timestamp(incoming."timestamp"), to_timestamp(response."timestamp"));
end $$;
comment on function portal.carry(bigint[]) is
  'Writes on each contact what its messages say: the newest one, the unread count, the first incoming and the first human answer to it. For the triggers, and after a bulk load without them.';

create function portal.carry_messages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.carry(array_agg(distinct n.contact_id)) from new_rows n having count(*) > 0;
  elsif tg_op = 'DELETE' then
    perform portal.carry(array_agg(distinct o.contact_id)) from old_rows o having count(*) > 0;
  else
    perform portal.carry(array_agg(distinct m.contact_id))
    from (select o.contact_id from old_rows o union select n.contact_id from new_rows n) m having count(*) > 0;
  end if;
  return null;
end $$;
comment on function portal.carry_messages() is 'Trigger: contacts carry what was written, corrected, read, moved to another contact or removed among their messages.';
create trigger carry_new_messages after insert on public.whatsapp_messages
  referencing new table as new_rows for each statement execute function portal.carry_messages();
create trigger carry_changed_messages after update on public.whatsapp_messages
  referencing old table as old_rows new table as new_rows for each statement execute function portal.carry_messages();
create trigger carry_removed_messages after delete on public.whatsapp_messages
  referencing old table as old_rows for each statement execute function portal.carry_messages();
