-- A broker's phone draws the line where an answer is late by the agency's own target, which comes with the board.

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
    'target', portal.answer_target(),
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
  'The board of an instance as one snapshot: {cursor, target, reset, leads, removed, stages}. target: within how many seconds the agency wants a lead answered. p_cursor is the one of the last answer: then leads has what is new or changed since, removed the ids that left the board by hand-over or deletion; with null, or a cursor that is not this board''s or of a later time, reset is true and leads is the whole board. stages is always complete: {id, name, slug, order_index, kind, hue}. Lead: {id, name, number, notes, status (slug), unread_count, created_at, updated_at (whole seconds), last_message: {body (300 characters at most), timestamp (epoch seconds), type, kind, delivery} or null; where the lead came in by a form, a portal or Meta after it, what it left there in its place, remarketing_sent_at, opted_out, profile_pic_url, broker_number, instanceName}. A broker reads the own board, an administrator any, and with '''' the leads that belong to no broker, always whole: else 42501; 401 once the session has ended, 404 for an unknown broker.';
