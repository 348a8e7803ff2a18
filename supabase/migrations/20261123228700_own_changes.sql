-- A board's live event names the write that caused it, so that the device that did it need not read it again.

create or replace function portal.begin_operation(p_account uuid, p_operation_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if p_account is null or p_operation_id is null then return null; end if;
  -- A repeat that comes while the first is under way waits here for its result.
  perform pg_advisory_xact_lock(hashtextextended(p_account::text || p_operation_id::text, 0));
  -- What it changes is told with its name: the device that did it need not read it again.
  perform set_config('portal.operation', p_operation_id::text, true);
  return (
    select o.result from portal.applied_operations o
    where o.account_id = p_account and o.operation_id = p_operation_id
  );
end $$;
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
  perform portal.tell(jsonb_strip_nulls(jsonb_build_object('kind', 'board', 'instanceName', changed.board,
    'operationId', nullif(current_setting('portal.operation', true), ''))))
  from (select distinct coalesce(board, '') from unnest(boards) as b (board)) as changed (board);
end $$;
