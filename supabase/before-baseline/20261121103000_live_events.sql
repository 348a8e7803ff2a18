-- What changed is told on channel portal, by id and once a transaction; src/domain/events.ts is the list.

create function portal.tell(event jsonb) returns void
language sql security definer set search_path = '' as $$
  select pg_notify('portal', event::text)
$$;
comment on function portal.tell(jsonb) is 'Sends a live event to every portal process at commit; equal ones of a transaction are one.';

create function portal.tell_board() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'board', 'instanceName', new."instanceName"));
  return null;
end $$;
comment on function portal.tell_board() is 'Trigger: a board changed, told once a transaction however many leads it was.';
create trigger tell_board after update of value on portal.board_sequences
  for each row execute function portal.tell_board();

create function portal.tell_conversation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'conversation', 'instanceName', c."instanceName", 'contactId', c.id))
  from public.whatsapp_contacts c
  where c.id = new.contact_id and c."instanceName" is not null;
  return null;
end $$;
comment on function portal.tell_conversation() is 'Trigger: a conversation has a new or changed message; told to the lead''s owner.';
create trigger tell_conversation after insert or update on public.whatsapp_messages
  for each row execute function portal.tell_conversation();

alter table portal.instance_states add column replaced_number text;
comment on column portal.instance_states.replaced_number is
  'The number linked before, once a different phone was linked; null again when the broker has seen it.';

create function portal.tell_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'link', 'instanceName', new."instanceName"));
  return null;
end $$;
comment on function portal.tell_link() is 'Trigger: an instance''s link or code changed.';
create trigger tell_link after insert or update on portal.instance_states
  for each row execute function portal.tell_link();
