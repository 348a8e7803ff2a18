-- An edit that the gateway's store shows counts from when the store was asked: what was reported before is older, and a report
-- that was lost does not keep its text away.

create or replace function portal.apply_edit(instance text, event jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.whatsapp_messages;
  at timestamptz := portal.from_ms(event ->> 'atMs');
  known_at timestamptz := portal.from_ms(coalesce(event ->> 'readAtMs', event ->> 'atMs'));
begin
  select * into target from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  if not found then return false; end if;
  if target.deleted_at is null
    and (target.edited_at is null or (target.edited_at < known_at and target.body <> event ->> 'body')) then
    update public.whatsapp_messages set body = event ->> 'body', edited_at = greatest(edited_at, at) where id = target.id;
  end if;
  return true;
end $$;
comment on function portal.apply_edit(text, jsonb) is
  'The newest edit counts, by when the gateway reported it or its store was asked; none counts after a revoke. Server only.';
