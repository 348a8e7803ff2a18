-- The card of a lead that came in by a form says what it left there, when, and waits like any other.

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
        case
          -- Whoever comes in by a form is read like whoever writes.
          when arrival.received_at is not null then json_build_object(
            'body', left(coalesce(arrival.message, 'Deixou o contato'), 300),
            'timestamp', floor(extract(epoch from arrival.received_at))::bigint,
            'type', 'incoming', 'kind', 'text', 'delivery', null)
          when c.last_message_id is not null then json_build_object(
            'body', c.last_message_body,
            'timestamp', c.last_message_timestamp,
            'type', c.last_message_type,
            'kind', c.last_message_kind,
            'delivery', c.last_message_delivery)
        end as last_message,
        -- Mostly the same as the message's, and so next to it.
        floor(extract(epoch from c.waiting_since))::bigint as waiting_since,
        -- Mostly the same on neighbours, and side by side so that it costs next to nothing compressed.
        c.remarketing_sent_at,
        c.person_id in (select p.id from portal.people p where p.opted_out_at is not null) as opted_out,
        c.next, c.source, c.empreendimento,
        c.profile_pic_url, broker_number, p_board as "instanceName"
      from (
        select o.* from public.whatsapp_contacts o
        where o."instanceName" = p_board and (p_contacts is null or o.id = any (p_contacts))
        -- Not even begun for a broker's board.
        union all
        select o.* from public.whatsapp_contacts o where p_board = '' and o."instanceName" is null
      ) c
      -- The first message to a central instance is an arrival, too, and stands as the message that it is.
      left join lateral (
        select i.message, i.received_at from portal.lead_intakes i
        where c.left_contact_at is not null and i.contact_id = c.id and i.key_id is not null
          and i.received_at > to_timestamp(coalesce(c.last_message_timestamp, 0))
        order by i.id desc limit 1
      ) arrival on true
    ) lead
  );
end $$;
comment on function portal.board_leads(text, bigint[]) is
  'Leads of a board as sync_board shows them: the named ones, or all of them with null; of the board '''' always all.';

comment on function public.sync_board(text, text) is
  'The board of an instance as one snapshot: {cursor, reset, leads, removed, stages}. p_cursor is the one of the last answer: then leads has what is new or changed since, removed the ids that left the board by hand-over or deletion; with null, or a cursor that is not this board''s or of a later time, reset is true and leads is the whole board. stages is always complete: {id, name, slug, order_index, kind, hue}. Lead: {id, name, number, notes, status (slug), unread_count, created_at, updated_at (whole seconds), last_message: {body (300 characters at most), timestamp (epoch seconds), type, kind, delivery} or null; where the lead came in by a form, a portal or Meta after it, what it left there in its place, remarketing_sent_at, opted_out, profile_pic_url, broker_number, instanceName}. A broker reads the own board, an administrator any, and with '''' the leads that belong to no broker, always whole: else 42501; 401 once the session has ended, 404 for an unknown broker.';
