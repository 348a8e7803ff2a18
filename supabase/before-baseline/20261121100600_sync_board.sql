-- A broker's board as what changed since a cursor (PRODUCT.md 4.8, 5).

create function portal.board_leads(p_board text, p_contacts bigint[]) returns json
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
        c.profile_pic_url, broker_number, c."instanceName"
      from public.whatsapp_contacts c
      where c."instanceName" = p_board and (p_contacts is null or c.id = any (p_contacts))
    ) lead
  );
end $$;
comment on function portal.board_leads(text, bigint[]) is 'Leads of a board as sync_board shows them: the named ones, or all of them with null.';

create function public.sync_board(p_instance text, p_cursor text default null) returns json
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
  select * into board from portal.board_sequences s where s."instanceName" = p_instance;
  if not found then
    raise exception 'Corretor não encontrado.' using errcode = 'PT404';
  end if;
  -- A cursor of another board, or of a database that went back in time, starts anew.
  if p_cursor ~ ('^' || board.epoch || '\.[0-9]{1,18}$') then
    since := split_part(p_cursor, '.', 2)::bigint;
    if since > board.value then since := null; end if;
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
  'The board of an instance as one snapshot (PRODUCT.md 4.8): {cursor, reset, leads, removed, stages}. p_cursor is the one of the last answer: then leads has what is new or changed since, removed the ids that left the board by hand-over or deletion; with null, or a cursor that is not this board''s or of a later time, reset is true and leads is the whole board. stages is always complete. Lead: {id, name, number, notes, status (slug), unread_count, created_at, updated_at (whole seconds), last_message: {body (300 characters at most), timestamp (epoch seconds), type, kind, delivery} or null, remarketing_sent_at, opted_out, profile_pic_url, broker_number, instanceName}. A broker reads the own board, an administrator any: else 42501; 401 once the session has ended, 404 for an unknown broker.';
grant execute on function public.sync_board(text, text) to authenticated, service_role;
