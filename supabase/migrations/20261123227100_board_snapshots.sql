-- A change of a board bears its transaction, and a cursor says which transactions its reader has seen: nobody holds a number until the
-- commit any more, so that writers of one board do not wait for each other's flush.

set check_function_bodies = off;

drop trigger tell_board on portal.board_sequences;
drop function portal.tell_board();
-- Its last transactions end before it goes.
drop table portal.board_pending;
drop function portal.number_changes();
drop function portal.note_changes(text[], bigint[], boolean);

alter table portal.board_changes
  drop column removed,
  alter column seq set default 0,
  add column xid bigint not null default 0,
  add column is_shared boolean not null default false,
  drop constraint board_changes_pkey,
  add primary key ("instanceName", contact_id, is_shared);
drop index portal.board_changes_seq;
create index board_changes_xid on portal.board_changes ("instanceName", xid);
comment on table portal.board_sequences is 'One row a board. Nothing is written to it while the board changes, so that no writer waits for another.';
comment on column portal.board_sequences.epoch is 'Part of every cursor: a new one makes all readers read the whole board again. To be renewed after a backup was put back.';
comment on column portal.board_sequences.value is 'How far an earlier version counted the board''s changes, for the cursors that devices have from it.';
comment on table portal.board_changes is
  'Which transaction changed a contact on a board last, hand-overs away from it included; the source of sync_board, which compares it with what its reader has seen.';
comment on column portal.board_changes.contact_id is 'Zero for the stages, which every board shows.';
comment on column portal.board_changes.seq is 'The number an earlier version gave the change; 0 for what changed since.';
comment on column portal.board_changes.xid is 'The transaction (pg_current_xact_id) that committed last; 0 for what an earlier version wrote.';
comment on column portal.board_changes.is_shared is
  'A change of what many leads have in common, written without the lock of the lead: in rows of its own, so that it waits for no lead''s writer.';
comment on index portal.board_changes_xid is 'Serves what changed on a board since a cursor, and its last change.';

-- Leads that belong to no broker, those of removed ones above all, as a board of the administrator's, named ''.
create or replace function portal.note_changes(boards text[], contacts bigint[], p_shared boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- In one order, so that no two transactions wait for each other. A board that went with its broker is not there any more.
  insert into portal.board_changes ("instanceName", contact_id, is_shared, xid)
  select s."instanceName", changed.contact, p_shared, pg_current_xact_id()::text::bigint
  from unnest(boards, contacts) as changed (board, contact)
  join portal.board_sequences s on s."instanceName" = changed.board
  order by changed.contact, s."instanceName"
  on conflict ("instanceName", contact_id, is_shared) do update set xid = excluded.xid, seq = 0
  where board_changes.xid <> excluded.xid;
  perform portal.tell(jsonb_build_object('kind', 'board', 'instanceName', changed.board))
  from (select distinct coalesce(board, '') from unnest(boards) as b (board)) as changed (board);
end $$;
comment on function portal.note_changes(text[], bigint[], boolean) is
  'Notes that contacts changed on boards, or left them, in this transaction, and tells each board. p_shared: the leads are not locked.';

create or replace function portal.note_contacts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.note_changes(array_agg(n."instanceName"), array_agg(n.id), false) from new_rows n having count(*) > 0;
  elsif tg_op = 'DELETE' then
    perform portal.note_changes(array_agg(o."instanceName"), array_agg(o.id), false) from old_rows o having count(*) > 0;
  else
    perform portal.note_changes(array_agg(m.board), array_agg(m.id), false)
    from (
      select n."instanceName", n.id from new_rows n
      union
      -- Who left a board is a change of it.
      select o."instanceName", o.id from old_rows o
    ) m (board, id)
    having count(*) > 0;
  end if;
  return null;
end $$;
comment on function portal.note_contacts() is 'Trigger: a contact that is new, changed, handed over or gone is a change of its board, and of the one it left.';

create or replace function portal.note_opt_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_changes(array_agg(c."instanceName"), array_agg(c.id), true)
  from public.whatsapp_contacts c where c.person_id = new.id having count(*) > 0;
  return null;
end $$;
comment on function portal.note_opt_out() is 'Trigger: a person''s wish to be left alone shows on every board with a contact of that person.';

create or replace function portal.note_stages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_changes(array_agg(s."instanceName"), array_agg(0::bigint), true)
  from portal.board_sequences s having count(*) > 0;
  perform portal.tell(jsonb_build_object('kind', 'stages'));
  return null;
end $$;
comment on function portal.note_stages() is 'Trigger: a changed column is a change of every board, told to whoever manages them, too.';

create or replace function portal.note_broker_number() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_changes(array_agg(c."instanceName"), array_agg(c.id), true)
  from public.whatsapp_contacts c where c."instanceName" = new."instanceName" having count(*) > 0;
  return null;
end $$;
comment on function portal.note_broker_number() is 'Trigger: a broker''s phone number stands on every lead of the board.';

create or replace function portal.renew_boards() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update portal.board_changes h set xid = 0, seq = 0 where h.xid > 0;
  update portal.board_sequences s set epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
end $$;
comment on function portal.renew_boards() is
  'Makes every device read its whole board again: transactions may be numbered anew, or some be undone. Server only.';

create or replace function portal.renew_moved_boards() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if exists (
    select from portal.board_sequences s
    where (select max(h.xid) from portal.board_changes h where h."instanceName" = s."instanceName")
      > pg_snapshot_xmax(pg_current_snapshot())::text::bigint) then
    perform portal.renew_boards();
  end if;
end $$;
comment on function portal.renew_moved_boards() is
  'Renews the boards of a database that was moved to another server: their changes are numbered higher than any transaction there. Server only.';

create or replace function portal.board_cursor(p_board text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  shown constant pg_snapshot := pg_current_snapshot();
  -- No further than the last change: a number that was in no log yet when the server fell is given anew, up to this one none is.
  ends constant bigint := least(pg_snapshot_xmax(shown)::text::bigint,
    1 + coalesce((select max(h.xid) from portal.board_changes h where h."instanceName" = p_board), 0));
  running constant bigint[] := array(
    select r.xid::text::bigint from pg_snapshot_xip(shown) as r (xid) where r.xid::text::bigint < ends order by 1);
begin
  return (
    select format('%s.%s.%s:%s:%s', s.epoch, s.value + ends - cardinality(running),
      least(pg_snapshot_xmin(shown)::text::bigint, ends), ends, array_to_string(running, ','))
    from portal.board_sequences s where s."instanceName" = p_board);
end $$;
comment on function portal.board_cursor(text) is
  'Which transactions this snapshot shows of a board: epoch, how many (so that devices tell the later of two), then as in a pg_snapshot the first that may run, the first that is none yet, and those that run in between. Null for an unknown board.';

create or replace function portal.changed_since(p_board text, p_cursor text) returns bigint[]
language plpgsql stable security definer set search_path = '' as $$
declare
  board portal.board_sequences;
  parts constant text[] := regexp_match(p_cursor,
    '^([0-9a-z]+)\.([0-9]{1,18})(?:\.([0-9]{1,18}):([0-9]{1,18}):([0-9,]*))?$');
  counted constant bigint := parts[2];
  begins constant bigint := parts[3];
  ends constant bigint := parts[4];
  running constant bigint[] := array(select r.xid::bigint from unnest(string_to_array(parts[5], ',')) as r (xid) where r.xid <> '');
begin
  select * into board from portal.board_sequences s where s."instanceName" = p_board;
  if parts[1] is distinct from board.epoch then return null; end if;
  if ends is null then
    -- A device that comes from an earlier version, which counted.
    if counted > board.value then return null; end if;
    return array(
      select distinct h.contact_id from portal.board_changes h
      where h."instanceName" = p_board and (h.xid > 0 or h.seq > counted));
  end if;
  if ends > pg_snapshot_xmax(pg_current_snapshot())::text::bigint then return null; end if;
  return array(
    select distinct h.contact_id from portal.board_changes h
    where h."instanceName" = p_board and h.xid >= begins and (h.xid >= ends or h.xid = any (running)));
end $$;
comment on function portal.changed_since(text, text) is
  'Contacts of a board that changed since a cursor, 0 for the stages; null where the cursor is another board''s, or of a time after which the database went back.';

create or replace function public.sync_board(p_instance text, p_cursor text default null) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  cursor_now text := 'whole.0';
  changed bigint[];
begin
  if portal.require_member() is not null and not portal.is_admin() and p_instance is distinct from portal.my_instance() then
    raise exception 'Este quadro é de outro corretor.' using errcode = '42501';
  end if;
  if p_instance is distinct from '' then
    cursor_now := portal.board_cursor(p_instance);
    if cursor_now is null then
      raise exception 'Corretor não encontrado.' using errcode = 'PT404';
    end if;
    changed := portal.changed_since(p_instance, p_cursor);
    -- Where nothing changed the cursor is as good as a new one, and nothing is stored on the device.
    if changed = '{}' and p_cursor like '%:%' then cursor_now := p_cursor; end if;
  end if;
  return json_build_object(
    'cursor', cursor_now,
    'reset', changed is null,
    'leads', case when changed = '{}' then '[]' else portal.board_leads(p_instance, changed) end,
    'removed', array(
      select gone.id from unnest(changed) as gone (id)
      where gone.id > 0 and not exists (
        select from public.whatsapp_contacts c where c.id = gone.id and c."instanceName" = p_instance)
      order by gone.id),
    'stages', (
      select json_agg(stage)
      from (select s.id, s.name, s.slug, s.order_index, s.kind, s.hue from public.kanban_stages s order by s.order_index) stage
    )
  );
end $$;
comment on function public.sync_board(text, text) is
  'The board of an instance as one snapshot: {cursor, reset, leads, removed, stages}. p_cursor is the one of the last answer: then leads has what is new or changed since, removed the ids that left the board by hand-over or deletion; with null, or a cursor that is not this board''s or of a later time, reset is true and leads is the whole board. stages is always complete: {id, name, slug, order_index, kind, hue}. Lead: {id, name, number, notes, status (slug), unread_count, created_at, updated_at (whole seconds), last_message: {body (300 characters at most), timestamp (epoch seconds), type, kind, delivery} or null; where the lead came in by a form, a portal or Meta after it, what it left there in its place, remarketing_sent_at, opted_out, profile_pic_url, broker_number, instanceName}. A broker reads the own board, an administrator any, and with '''' the leads that belong to no broker, always whole: else 42501; 401 once the session has ended, 404 for an unknown broker.';

create or replace function portal.settle_restored(p_made_at timestamptz) returns table (campaigns bigint, lines bigint)
language plpgsql volatile set search_path = '' as $$
begin
  -- Ended, removed or taken sessions would live again.
  delete from portal.sessions;
  -- What waited then may have gone out since.
  with stopped as (
    delete from portal.outgoing returning message_id
  ), noted as (
    update public.whatsapp_messages m set delivery = 'unknown', delivery_reason = 'interrupted'
    from stopped where m.id = stopped.message_id and m.message_id is null
    returning m.id
  )
  select count(*) into lines from noted;
  with paused as (
    update public.remarketing_campaigns c
    set status = 'paused', pause_reason = 'person', wait_reason = null
    where c.status in ('scheduled', 'running') or c.status = 'paused' and c.pause_reason <> 'person'
    returning c.id
  )
  select count(*) into campaigns from paused;
  delete from portal.push_queue;
  -- Every screen reads its whole board again.
  perform portal.renew_boards();
  perform portal.audit('backup.restored', null, jsonb_build_object('madeAt', p_made_at));
  return next;
end $$;
comment on function portal.settle_restored(timestamptz) is
  'After a backup was put back: all sessions end, lines that waited get an unknown end, campaigns wait for a person, boards are read anew. Answers how many campaigns and lines. Operator only.';

-- A wait is over after its own length, also where it was written down by a clock that ran ahead and was set right since.
create or replace function portal.cap_waits(p_now timestamptz, p_longest_gap interval) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  capped integer := 0;
  changed integer;
  -- What the database dates by itself, and what the portal does: they may be two machines.
  here timestamptz := clock_timestamp();
begin
  perform portal.renew_moved_boards();
  -- The outbox to the gateway: held for up to five minutes after a fault, and leased for half a minute.
  update portal.send_queues
  set held_until = least(held_until, here + interval '5 minutes'), leased_until = least(leased_until, here + interval '1 minute')
  where held_until > here + interval '5 minutes' or leased_until > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.name_turns set held_until = here + interval '1 minute' where held_until > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.leftover_instances set noted_at = here where noted_at > here;
  get diagnostics changed = row_count; capped := capped + changed;
  -- Read back up to then, says a mark of the future, and nothing would be read back until then.
  update portal.instance_sweeps set claimed_at = least(claimed_at, here), read_until = least(read_until, p_now)
  where claimed_at > here or read_until > p_now;
  get diagnostics changed = row_count; capped := capped + changed;
  -- A gateway whose clock is a little ahead keeps its order; one that was far ahead is heard again.
  update portal.instance_states
  set changed_at = least(changed_at, here), dead_at = least(dead_at, here), qr_received_at = least(qr_received_at, here),
    state_at = least(state_at, here + interval '1 minute'), owner_at = least(owner_at, here + interval '1 minute'),
    qr_at = least(qr_at, here + interval '1 minute')
  where greatest(changed_at, dead_at, qr_received_at) > here
    or greatest(state_at, owner_at, qr_at) > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  -- What is written to an erased person's number from now on is new.
  update portal.erasures set erased_at = here where erased_at > here;
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.agent_pauses
  set paused_until = paused_until - (paused_at - here), paused_at = here where paused_at > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  -- Pushes: as long after now as they were after they were queued; a device is left in peace for an hour at most.
  update portal.push_queue set due_at = due_at - (queued_at - p_now), queued_at = p_now
  where queued_at > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.push_queue set claimed_until = p_now + interval '1 minute' where claimed_until > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.push_devices
  set held_until = least(held_until, p_now + interval '1 hour'), watched_until = least(watched_until, p_now + interval '1 minute')
  where held_until > p_now + interval '1 hour' or watched_until > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Rotations: the time to answer or accept begins now; without anybody there it is looked again within minutes.
  update portal.roleta_cases set next_at = p_now + (next_at - since), since = p_now
  where since > p_now and next_at is not null;
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.roleta_cases set next_at = p_now + interval '5 minutes'
  where state = 'waiting' and next_at > p_now + interval '5 minutes';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.intake_raw set next_at = p_now + interval '10 minutes' where next_at > p_now + interval '10 minutes';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.meta_inbox set next_at = p_now + interval '1 hour' where next_at > p_now + interval '1 hour';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Campaigns: a gap is as long as gaps are; what waits for hours or for the day is looked at again, and waits if it must.
  update public.remarketing_campaigns
  set watched_since = least(watched_since, p_now),
    next_send_at = least(next_send_at, case when wait_reason is null then p_now + p_longest_gap
      when next_send_at > p_now + interval '2 days' then p_now else next_send_at end)
  where status in ('running', 'paused') and (watched_since > p_now
    or wait_reason is null and next_send_at > p_now + p_longest_gap
    or wait_reason is not null and next_send_at > p_now + interval '2 days');
  get diagnostics changed = row_count; capped := capped + changed;

  -- What opens something lasts no longer than it would have.
  update portal.sessions set expires_at = p_now + interval '30 days' where expires_at > p_now + interval '30 days';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.accounts
  set first_access_until = least(first_access_until, p_now + interval '24 hours'),
    invite_expires_at = least(invite_expires_at, p_now + interval '7 days')
  where first_access_until > p_now + interval '24 hours' or invite_expires_at > p_now + interval '7 days';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.throttle set trusted_until = p_now + interval '90 days' where trusted_until > p_now + interval '90 days';
  get diagnostics changed = row_count; return capped + changed;
end $$;
comment on function portal.cap_waits(timestamptz, interval) is
  'Every wait, lease and term that lies further ahead than it is ever made, as after a clock that ran ahead, ends after its own length from now (the portal''s p_now). p_longest_gap is the longest between two texts of a campaign. Run by the portal at its start and every minute; answers how many rows changed. Times that a person chose stay.';

reset check_function_bodies;
