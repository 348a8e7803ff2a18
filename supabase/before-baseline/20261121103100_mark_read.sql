-- Reading a conversation: the mark that makes unread counts true on every device (SPEC.md 2.10).

create function public.mark_read(p_contact_id bigint, p_up_to bigint) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  still_unread integer;
begin
  -- Locked first, as every writer of a conversation does, so that two devices reading at once wait instead of failing.
  perform from public.whatsapp_contacts c
  where c.id = p_contact_id and (portal.is_admin() or portal.is_service() or c."instanceName" = portal.my_instance())
  for no key update;
  if not found then
    raise exception 'Lead não encontrado.' using errcode = 'PT404';
  end if;
  update public.whatsapp_messages
  set read = true
  where contact_id = p_contact_id and type = 'incoming' and not read and "timestamp" <= p_up_to;
  select unread_count into still_unread from public.whatsapp_contacts where id = p_contact_id;
  return still_unread;
end $$;
comment on function public.mark_read(bigint, bigint) is
  'Marks what a lead wrote up to an instant (epoch seconds) as read and answers how many stay unread. Called by the conversation (SPEC.md 2.10): the owner or an administrator; 404 for anyone else''s lead and for none. A repeat changes nothing.';
grant execute on function public.mark_read(bigint, bigint) to authenticated, service_role;
