-- What keeps the board's rows true: guards, the newest message on its contact, the history of moves, the change numbers.

create function portal.guard_stage() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    -- An upsert of {id, order_index} inserts first: what it leaves out comes from the row it will meet.
    if new.name is null or new.slug is null then
      select s.name, s.slug, s.kind into new.name, new.slug, new.kind from public.kanban_stages s where s.id = new.id;
    end if;
    return new;
  end if;
  if old.slug = 'new' then
    raise exception 'O estágio "%" não pode ser excluído.', old.name using errcode = '42501';
  end if;
  return old;
end $$;
comment on function portal.guard_stage() is 'Trigger: fills a renumbering upsert, keeps the stage with slug new (SPEC.md 9).';
create trigger guard_stage before insert or delete on public.kanban_stages
  for each row execute function portal.guard_stage();

create function portal.guard_contact() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    new.person_id := coalesce(new.person_id, portal.person_of(new.number));
    return new;
  end if;
  if new.status <> old.status and current_user = 'authenticated' and not portal.is_admin() then
    raise exception 'O status muda pela função atualizar_status_lead.' using errcode = '42501';
  end if;
  new.updated_at := now();
  return new;
end $$;
comment on function portal.guard_contact() is 'Trigger: binds the person, keeps a broker''s direct writes off the status.';
create trigger guard_contact before insert or update on public.whatsapp_contacts
  for each row execute function portal.guard_contact();

create function portal.actor() returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((select username from portal.accounts where id = portal.account_id()), 'portal')
$$;
comment on function portal.actor() is 'Username of who is asking, ''portal'' for the server itself.';
grant execute on function portal.actor() to authenticated, service_role;

create function portal.record_move() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.stage_history (contact_id, from_status, to_status, account_id, changed_by, operation_id, moved_at)
  values (
    new.id,
    case when tg_op = 'UPDATE' then old.status end,
    new.status,
    portal.account_id(),
    portal.actor(),
    nullif(current_setting('portal.operation_id', true), '')::uuid,
    nullif(current_setting('portal.moved_at', true), '')::timestamptz
  );
  if new.won_at is null and exists (select from public.kanban_stages where slug = new.status and kind = 'won') then
    update public.whatsapp_contacts set won_at = now() where id = new.id;
  end if;
  return null;
end $$;
comment on function portal.record_move() is 'Trigger: appends to the history of stages; the first won stage is remembered.';
create trigger record_first_stage after insert on public.whatsapp_contacts
  for each row execute function portal.record_move();
create trigger record_move after update of status on public.whatsapp_contacts
  for each row when (new.status <> old.status) execute function portal.record_move();

create function portal.carry_message() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.whatsapp_contacts c
  set
    last_message_id = case when newest.is_it then new.id else c.last_message_id end,
    last_message_body = case when newest.is_it then left(new.body, 300) else c.last_message_body end,
    last_message_timestamp = case when newest.is_it then new."timestamp" else c.last_message_timestamp end,
    last_message_type = case when newest.is_it then new.type else c.last_message_type end,
    last_message_kind = case when newest.is_it then new.kind else c.last_message_kind end,
    last_message_delivery = case when newest.is_it then new.delivery else c.last_message_delivery end,
    unread_count = greatest(0, c.unread_count
      + (new.type = 'incoming' and not new.read)::int
      - coalesce((tg_op = 'UPDATE' and old.type = 'incoming' and not old.read)::int, 0)),
    first_incoming_at = times.first_incoming_at,
    first_response_at = (
      select to_timestamp(min(m."timestamp"))
      from public.whatsapp_messages m
      where m.contact_id = c.id and m.type = 'outgoing' and m.author = 'human'
        and m."timestamp" >= extract(epoch from times.first_incoming_at)
    )
  from
    (select
      (n.last_message_id is null or n.last_message_id = new.id
        or (new."timestamp", new.id) > (n.last_message_timestamp, n.last_message_id)) as is_it
     from public.whatsapp_contacts n where n.id = new.contact_id) as newest,
    (select case when new.type = 'incoming' then least(t.first_incoming_at, to_timestamp(new."timestamp")) else t.first_incoming_at end as first_incoming_at
     from public.whatsapp_contacts t where t.id = new.contact_id) as times
  where c.id = new.contact_id;
  return null;
end $$;
comment on function portal.carry_message() is 'Trigger: the contact carries its newest message, its unread count and the two times of its first answer.';
create trigger carry_message after insert or update of body, "timestamp", type, kind, author, delivery, read
  on public.whatsapp_messages
  for each row execute function portal.carry_message();

create function portal.number_change(board text, contact bigint, is_removed boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  next_seq bigint;
begin
  -- Several changes of one contact in one transaction are one change to those who read after it.
  if exists (
    select from portal.board_changes
    where "instanceName" = board and contact_id = contact and removed = is_removed
      and transaction_id = pg_current_xact_id()
  ) then
    return;
  end if;
  insert into portal.board_sequences as s ("instanceName", value) values (board, 1)
  on conflict ("instanceName") do update set value = s.value + 1
  returning s.value into next_seq;
  insert into portal.board_changes ("instanceName", contact_id, seq, removed, transaction_id)
  values (board, contact, next_seq, is_removed, pg_current_xact_id())
  on conflict ("instanceName", contact_id) do update
  set seq = excluded.seq, removed = excluded.removed, transaction_id = excluded.transaction_id;
end $$;
comment on function portal.number_change(text, bigint, boolean) is 'Gives a contact''s change on a board the next number, once a transaction.';

create function portal.note_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' and old."instanceName" is not null
    and (tg_op = 'DELETE' or new."instanceName" is distinct from old."instanceName")
    and exists (select from public.brokers where "instanceName" = old."instanceName") then
    perform portal.number_change(old."instanceName", old.id, true);
  end if;
  if tg_op <> 'DELETE' and new."instanceName" is not null then
    perform portal.number_change(new."instanceName", new.id, false);
  end if;
  return null;
end $$;
comment on function portal.note_change() is 'Deferred trigger: numbers a contact''s change at commit, when all row locks are held, so that boards never deadlock.';
create constraint trigger note_change after insert or update or delete on public.whatsapp_contacts
  deferrable initially deferred for each row execute function portal.note_change();
