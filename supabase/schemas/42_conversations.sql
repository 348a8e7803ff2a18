-- One lead's conversation as a file that proves what was said: what the file says, page by page, and its entry in the audit log.

create function portal.proof_head(p_contact bigint, p_most integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  first record;
  last record;
  total bigint;
begin
  perform portal.require_admin();
  select c.* into lead from public.whatsapp_contacts c where c.id = p_contact;
  if not found then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'lead.unknown';
  end if;
  select count(*) into total from public.whatsapp_messages m where m.contact_id = lead.id;
  if total = 0 then
    raise exception 'Esta conversa ainda não tem mensagens.' using errcode = 'PT404', hint = 'proof.empty';
  end if;
  select m."timestamp" as at, m.id into last from public.whatsapp_messages m
  where m.contact_id = lead.id order by m."timestamp" desc, m.id desc limit 1;
  select m."timestamp" as at, m.id into first from public.whatsapp_messages m
  where m.contact_id = lead.id order by m."timestamp" desc, m.id desc offset least(total, p_most) - 1 limit 1;
  return jsonb_build_object(
    'id', lead.id, 'name', lead.name, 'number', lead.number, 'instanceName', lead."instanceName",
    'agency', (select s.value from portal.settings s where s.key = 'agency_name'),
    'total', total,
    'first', jsonb_build_object('at', first.at, 'id', first.id),
    'last', jsonb_build_object('at', last.at, 'id', last.id));
end $$;
comment on function portal.proof_head(bigint, integer) is
  'What the file of a conversation says of its lead, and its first and last message: {id, name, number, instanceName, agency, total, first, last (each {at (epoch seconds), id})}. Of a longer conversation first is the oldest of the newest p_most messages. 404 lead.unknown, and proof.empty for a lead without messages. Administrators, through the server only.';

create function portal.proof_page(p_contact bigint, p_from jsonb, p_last jsonb, p_limit integer) returns setof jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select jsonb_build_object('id', m.id, 'at', m."timestamp", 'type', m.type, 'kind', m.kind, 'author', m.author,
      'delivery', m.delivery, 'reason', m.delivery_reason, 'body', m.body, 'content', m.content, 'quoted', m.quoted,
      'reactions', m.reactions, 'editedAt', m.edited_at, 'deletedAt', m.deleted_at, 'instanceName', m."instanceName",
      'transcript', (select t.body from portal.transcripts t where t.message_id = m.id))
    from public.whatsapp_messages m
    where m.contact_id = p_contact
      and (m."timestamp", m.id) >= ((p_from ->> 'at')::bigint, (p_from ->> 'id')::bigint)
      and (m."timestamp", m.id) <= ((p_last ->> 'at')::bigint, (p_last ->> 'id')::bigint)
    order by m."timestamp", m.id
    limit p_limit;
end $$;
comment on function portal.proof_page(bigint, jsonb, jsonb, integer) is
  'Messages of a conversation for its file, oldest first, from p_from to p_last (each {at, id}, both included). Administrators, through the server only.';

create function portal.note_proof(p_contact bigint, p_messages integer, p_sha256 text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  perform portal.audit('conversation.saved', null, jsonb_build_object('lead', p_contact, 'messages', p_messages,
    'sha256', p_sha256, 'ending', portal.person_ending(portal.subject_of(null, p_contact))));
end $$;
comment on function portal.note_proof(bigint, integer, text) is
  'Records in the audit log that a conversation was saved as a file, with the file''s SHA-256, before it is handed out. Administrators, through the server only.';
