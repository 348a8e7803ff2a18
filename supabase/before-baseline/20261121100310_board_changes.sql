-- The change numbers behind sync_board (PRODUCT.md 4.8): what a transaction changed is noted at once, numbered at commit.

create function portal.note_changes(boards text[], contacts bigint[], are_removed boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.board_pending ("instanceName", contact_id, removed, wakes)
  select
    changed.board, changed.contact, are_removed,
    row_number() over () = 1
      and not exists (select from portal.board_pending p where p.transaction_id = pg_current_xact_id())
  from unnest(boards, contacts) as changed (board, contact)
  where changed.board is not null
  on conflict (transaction_id, "instanceName", contact_id) do update set removed = excluded.removed;
end $$;
comment on function portal.note_changes(text[], bigint[], boolean) is 'Notes that contacts changed on boards, or left them, in this transaction; a contact and board once only.';

create function portal.number_changes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- All boards of the transaction in one order, so that no two transactions wait for each other; held until the commit,
  -- so that nobody ever sees a number before a lower one. A board that went with its broker is not there any more.
  perform from portal.board_sequences s
  where s."instanceName" in (
    select p."instanceName" from portal.board_pending p where p.transaction_id = new.transaction_id)
  order by s."instanceName" for no key update;
  update portal.board_sequences s
  set value = s.value + 1
  where s."instanceName" in (
    select p."instanceName" from portal.board_pending p where p.transaction_id = new.transaction_id);
  insert into portal.board_changes ("instanceName", contact_id, seq, removed)
  select p."instanceName", p.contact_id, s.value, p.removed
  from portal.board_pending p join portal.board_sequences s using ("instanceName")
  where p.transaction_id = new.transaction_id and p.contact_id > 0
  on conflict ("instanceName", contact_id) do update set seq = excluded.seq, removed = excluded.removed;
  delete from portal.board_pending p where p.transaction_id = new.transaction_id;
  return null;
end $$;
comment on function portal.number_changes() is 'Deferred trigger: at commit, gives all changes of the transaction on a board the board''s next number.';
create constraint trigger number_changes after insert on portal.board_pending
  deferrable initially deferred for each row when (new.wakes) execute function portal.number_changes();

-- A plan made for one row serves a thousand next time, and must not compare each with each.
create function portal.note_contacts() returns trigger
language plpgsql security definer set search_path = '' set enable_nestloop = off as $$
begin
  if tg_op = 'INSERT' then
    perform portal.note_changes(array_agg(n."instanceName"), array_agg(n.id), false) from new_rows n having count(*) > 0;
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform portal.note_changes(array_agg(o."instanceName"), array_agg(o.id), true) from old_rows o having count(*) > 0;
    return null;
  end if;
  perform portal.note_changes(array_agg(o."instanceName"), array_agg(o.id), true)
  from old_rows o join new_rows n using (id)
  where o."instanceName" <> n."instanceName" or n."instanceName" is null
  having count(*) > 0;
  perform portal.note_changes(array_agg(n."instanceName"), array_agg(n.id), false) from new_rows n having count(*) > 0;
  return null;
end $$;
comment on function portal.note_contacts() is 'Trigger: a contact that is new, changed, handed over or gone is a change of its board, and of the one it left.';
create trigger note_new_contacts after insert on public.whatsapp_contacts
  referencing new table as new_rows for each statement execute function portal.note_contacts();
create trigger note_changed_contacts after update on public.whatsapp_contacts
  referencing old table as old_rows new table as new_rows for each statement execute function portal.note_contacts();
create trigger note_gone_contacts after delete on public.whatsapp_contacts
  referencing old table as old_rows for each statement execute function portal.note_contacts();

create function portal.note_opt_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_changes(array_agg(c."instanceName"), array_agg(c.id), false)
  from public.whatsapp_contacts c where c.person_id = new.id having count(*) > 0;
  return null;
end $$;
comment on function portal.note_opt_out() is 'Trigger: a person''s wish to be left alone shows on every board with a contact of that person.';
create trigger note_opt_out after update of opted_out_at on portal.people
  for each row when ((old.opted_out_at is null) <> (new.opted_out_at is null)) execute function portal.note_opt_out();

create function portal.note_stages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_changes(array_agg(s."instanceName"), array_agg(0::bigint), false)
  from portal.board_sequences s having count(*) > 0;
  return null;
end $$;
comment on function portal.note_stages() is 'Trigger: a changed column is a change of every board.';
create trigger note_stages after insert or update or delete on public.kanban_stages
  for each statement execute function portal.note_stages();

create function portal.note_broker_number() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_changes(array_agg(c."instanceName"), array_agg(c.id), false)
  from public.whatsapp_contacts c where c."instanceName" = new."instanceName" having count(*) > 0;
  return null;
end $$;
comment on function portal.note_broker_number() is 'Trigger: a broker''s phone number stands on every lead of the board.';
create trigger note_broker_number after update of broker_number on public.brokers
  for each row when (old.broker_number is distinct from new.broker_number) execute function portal.note_broker_number();

create function portal.open_board() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.board_sequences ("instanceName") values (new."instanceName");
  return null;
end $$;
comment on function portal.open_board() is 'Trigger: a new broker has a board, with an epoch of its own.';
create trigger open_board after insert on public.brokers
  for each row execute function portal.open_board();
