-- What is applied and taken in thousands of times asks the same each time: its statements keep their plans, which Postgres
-- otherwise makes anew wherever it takes a value for telling. And who looks at a conversation hears once, at the end of a group,
-- that it has new messages: a notice from amid a message's writing costs more than to find its lead.

create function portal.publish_conversations(p_contacts bigint[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.publish(jsonb_build_object('kind', 'conversation', 'instanceName', c."instanceName", 'contactId', c.id))
  from public.whatsapp_contacts c
  where c.id = any(p_contacts) and c."instanceName" is not null;
end $$;
comment on function portal.publish_conversations(bigint[]) is
  'Tells the owners of these leads that their conversations changed. Server only.';

create or replace function portal.publish_conversation_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.publish_conversations(array[case when tg_op = 'DELETE' then old.contact_id else new.contact_id end]);
  return null;
end $$;
comment on function portal.publish_conversation_change() is
  'Trigger: a conversation has a new or changed message, or lost one; told to the lead''s owner.';

create or replace function portal.apply_events(instances text[], events jsonb[]) returns table ("instanceName" text, kind text)
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  touched bigint[];
begin
  perform set_config('portal.carry_later', ',', true);
  return query
  select e.instance, portal.apply_event(e.instance, e.event) from unnest(instances, events) as e (instance, event);
  touched := string_to_array(trim(',' from current_setting('portal.carry_later')), ',');
  perform set_config('portal.carry_later', '', true);
  perform portal.carry(touched);
  perform portal.publish_conversations(touched);
end $$;
comment on function portal.apply_events(text[], jsonb[]) is
  'Applies events in their order, each as portal.apply_event does, and has their contacts carry what they said once at the end: one write for each contact instead of one for each message, and one word to whoever looks at it. Answers a row for each event. Server only.';

drop trigger publish_conversation_change on public.whatsapp_messages;
create trigger publish_new_message after insert on public.whatsapp_messages
  for each row when (coalesce(current_setting('portal.carry_later', true), '') = '')
  execute function portal.publish_conversation_change();
create trigger publish_conversation_change after update on public.whatsapp_messages
  for each row execute function portal.publish_conversation_change();

alter function portal.take_raw(bigint, jsonb, text, timestamptz) set plan_cache_mode = force_generic_plan;
