-- Leads that belong to no broker, those of removed ones above all, as a board of the administrator's, named '' (SPEC.md 2.12).

create or replace function portal.note_changes(boards text[], contacts bigint[], are_removed boolean) returns void
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
  -- The board of no broker has no numbers: it is read whole.
  if array_position(boards, null) is not null then
    perform portal.tell(jsonb_build_object('kind', 'board', 'instanceName', ''));
  end if;
end $$;

create or replace function portal.note_contacts() returns trigger
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
  where o."instanceName" is distinct from n."instanceName"
  having count(*) > 0;
  perform portal.note_changes(array_agg(n."instanceName"), array_agg(n.id), false) from new_rows n having count(*) > 0;
  return null;
end $$;

create or replace function portal.board_leads(p_board text, p_contacts bigint[]) returns json
language plpgsql stable set search_path = '' as $$
declare
  -- What stands on every lead of a board is looked up once.
  broker_number text := (select b.broker_number from public.brokers b where b."instanceName" = p_board);
begin
  return (
    select coalesce(json_agg(lead), '[]')
    from (
      select
        c.id, c.name, c.number, c.notes, c.status, c.unread_count,
        date_trunc('second', c.created_at) as created_at,
        date_trunc('second', c.updated_at) as updated_at,
        case when c.last_message_id is not null then json_build_object(
          'body', c.last_message_body,
          'timestamp', c.last_message_timestamp,
          'type', c.last_message_type,
          'kind', c.last_message_kind,
          'delivery', c.last_message_delivery
        ) end as last_message,
        -- Mostly the same on neighbours, and side by side so that it costs next to nothing compressed.
        c.remarketing_sent_at,
        c.person_id in (select p.id from portal.people p where p.opted_out_at is not null) as opted_out,
        c.profile_pic_url, broker_number, p_board as "instanceName"
      from (
        select o.* from public.whatsapp_contacts o
        where o."instanceName" = p_board and (p_contacts is null or o.id = any (p_contacts))
        -- Not even begun for a broker's board.
        union all
        select o.* from public.whatsapp_contacts o where p_board = '' and o."instanceName" is null
      ) c
    ) lead
  );
end $$;
comment on function portal.board_leads(text, bigint[]) is
  'Leads of a board as sync_board shows them: the named ones, or all of them with null; of the board '''' always all.';

create or replace function public.sync_board(p_instance text, p_cursor text default null) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  board portal.board_sequences;
  since bigint;
  changed bigint[];
  removed bigint[] := '{}';
begin
  if portal.require_member() is not null and not portal.is_admin() and p_instance is distinct from portal.my_instance() then
    raise exception 'Este quadro é de outro corretor.' using errcode = '42501';
  end if;
  if p_instance = '' then
    board.epoch := 'whole';
    board.value := 0;
  else
    select * into board from portal.board_sequences s where s."instanceName" = p_instance;
    if not found then
      raise exception 'Corretor não encontrado.' using errcode = 'PT404';
    end if;
    -- A cursor of another board, or of a database that went back in time, starts anew.
    if p_cursor ~ ('^' || board.epoch || '\.[0-9]{1,18}$') then
      since := split_part(p_cursor, '.', 2)::bigint;
      if since > board.value then since := null; end if;
    end if;
  end if;
  if since < board.value then
    select coalesce(array_agg(h.contact_id) filter (where not h.removed), '{}'),
      coalesce(array_agg(h.contact_id) filter (where h.removed), '{}')
    into changed, removed
    from portal.board_changes h
    where h."instanceName" = p_instance and h.seq > since;
  end if;
  return json_build_object(
    'cursor', board.epoch || '.' || board.value,
    'reset', since is null,
    'leads', case when since = board.value then '[]' else portal.board_leads(p_instance, changed) end,
    'removed', removed,
    'stages', (
      select json_agg(stage)
      from (select s.id, s.name, s.slug, s.order_index, s.kind from public.kanban_stages s order by s.order_index) stage
    )
  );
end $$;
comment on function public.sync_board(text, text) is
  'The board of an instance as one snapshot (PRODUCT.md 4.8): {cursor, reset, leads, removed, stages}. p_cursor is the one of the last answer: then leads has what is new or changed since, removed the ids that left the board by hand-over or deletion; with null, or a cursor that is not this board''s or of a later time, reset is true and leads is the whole board. stages is always complete. Lead: {id, name, number, notes, status (slug), unread_count, created_at, updated_at (whole seconds), last_message: {body (300 characters at most), timestamp (epoch seconds), type, kind, delivery} or null, remarketing_sent_at, opted_out, profile_pic_url, broker_number, instanceName}. A broker reads the own board, an administrator any, and with '''' the leads that belong to no broker, always whole: else 42501; 401 once the session has ended, 404 for an unknown broker.';
