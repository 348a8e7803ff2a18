-- A file goes on to another lead.

create function portal.forward_file(p_lead jsonb, p_operation_id uuid, p_message_id bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.stored_line(p_operation_id);
  source public.whatsapp_messages;
begin
  if answer is not null then return answer; end if;
  select m.* into source
  from public.whatsapp_messages m join public.whatsapp_contacts c on c.id = m.contact_id
  where m.id = p_message_id and m.deleted_at is null and m.kind in ('image', 'video', 'audio', 'document')
    and not coalesce((m.content ->> 'isViewOnce')::boolean, false)
    and (portal.is_admin() or c."instanceName" = portal.my_instance());
  if not found then
    raise exception 'Mensagem não encontrada.' using errcode = 'PT404', hint = 'message.unknown';
  elsif source.content ->> 'mediaId' is null then
    raise exception 'O arquivo não está mais guardado.' using errcode = 'PT409', hint = 'media.unavailable';
  end if;
  -- The same bytes under the same id; a photo of a phone has no name, and what goes out has one.
  return portal.queue_message(p_lead, p_operation_id, jsonb_build_object(
    'kind', source.kind, 'body', source.body,
    'content', source.content || jsonb_build_object('fileName', coalesce(source.content ->> 'fileName', ''))));
end $$;
comment on function portal.forward_file(jsonb, uuid, bigint) is
  'Queues the file of a message that the asking person may read, caption and all, to another lead {brokerName, contactId, number}, once an operation; answers the row. 404 for anyone else''s, for words and for what may be seen once, 409 where the file is gone. Server only.';
