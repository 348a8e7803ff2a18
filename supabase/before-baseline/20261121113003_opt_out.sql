-- Who asks to be left alone is: by every broker, under every form of the number, after the contact is gone too (PRODUCT.md 4.5).

insert into portal.settings (key, value)
values ('opt_out_key', to_jsonb(encode(extensions.gen_random_bytes(32), 'hex')));

create table portal.opt_outs (
  number_hash bytea primary key,
  opted_out_at timestamptz not null
);
comment on table portal.opt_outs is
  'Numbers that asked for no more campaigns, as keyed hashes: the wish outlives the person''s row, and says nothing of the number.';
alter table portal.opt_outs enable row level security;

create function portal.opt_out_hash(number_key text) returns bytea
language sql stable strict security definer set search_path = '' as $$
  select extensions.hmac(number_key, s.value #>> '{}', 'sha256') from portal.settings s where s.key = 'opt_out_key'
$$;
comment on function portal.opt_out_hash(text) is 'HMAC of portal.number_key under the portal''s own key. Server only.';

insert into portal.opt_outs (number_hash, opted_out_at)
select portal.opt_out_hash(p.number_key), p.opted_out_at from portal.people p
where p.opted_out_at is not null and p.number_key is not null;

create function portal.keep_new_opt_outs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.opt_outs (number_hash, opted_out_at)
  select portal.opt_out_hash(n.number_key), n.opted_out_at from new_people n
  where n.opted_out_at is not null and n.number_key is not null
  on conflict do nothing;
  if not exists (select from portal.opt_outs) then return null; end if;
  update portal.people p set opted_out_at = o.opted_out_at
  from new_people n join portal.opt_outs o on o.number_hash = portal.opt_out_hash(n.number_key)
  where p.id = n.id and p.opted_out_at is null;
  return null;
end $$;
comment on function portal.keep_new_opt_outs() is 'Trigger: a person who comes back has not forgotten the wish to be left alone.';
create trigger keep_new_opt_outs after insert on portal.people
  referencing new table as new_people for each statement execute function portal.keep_new_opt_outs();

create function portal.keep_opt_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.opted_out_at is not null then
    insert into portal.opt_outs (number_hash, opted_out_at) values (portal.opt_out_hash(new.number_key), new.opted_out_at)
    on conflict do nothing;
  elsif old.number_key is distinct from new.number_key then
    update portal.people p set opted_out_at = o.opted_out_at
    from portal.opt_outs o where p.id = new.id and o.number_hash = portal.opt_out_hash(new.number_key);
  end if;
  return null;
end $$;
comment on function portal.keep_opt_out() is 'Trigger: the wish is kept with the number once both are known, whichever came first.';
create trigger keep_opt_out after update of opted_out_at, number_key on portal.people
  for each row when (new.number_key is not null
    and (old.opted_out_at is distinct from new.opted_out_at or old.number_key is distinct from new.number_key))
  execute function portal.keep_opt_out();

create function portal.opt_out(contact bigint, at_seconds bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  sender_jid text;
  line bigint;
begin
  select * into lead from public.whatsapp_contacts where id = contact;
  update portal.people set opted_out_at = to_timestamp(at_seconds) where id = lead.person_id and opted_out_at is null;
  -- Told once; who asks again, or asked long ago in what is only read back now, is not written to.
  if not found or lead."instanceName" is null or to_timestamp(at_seconds) < now() - interval '1 day' then return; end if;
  select s.owner_jid into sender_jid from portal.instance_states s where s."instanceName" = lead."instanceName";
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, author, delivery)
  values (
    contact, lead."instanceName", sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1),
    'Tudo bem! Você não vai mais receber mensagens de divulgação. Se precisar de algo, é só chamar por aqui.',
    extract(epoch from now())::bigint, 'outgoing', 'campaign', 'queued')
  returning id into line;
  insert into portal.outgoing (message_id) values (line);
end $$;
comment on function portal.opt_out(bigint, bigint) is
  'The person of a contact asked to be left alone: no campaign of any broker goes there any more, confirmed by one short reply. Server only.';

create or replace function portal.apply_message(instance text, event jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_own boolean := (event ->> 'fromMe')::boolean;
  contact bigint;
  known public.whatsapp_messages;
  added bigint;
begin
  select * into known from public.whatsapp_messages
  where "instanceName" = instance and message_id = event ->> 'messageId' for update;
  contact := portal.contact_of(instance, event, known.contact_id);
  if contact is null then return null; end if;
  perform portal.learn_of_contact(contact, instance, event);
  if known.id is not null then
    perform portal.improve_message(known, event);
  else
    if is_own then added := portal.match_sent(instance, contact, event); end if;
    added := coalesce(added, portal.add_message(instance, contact, event));
    if event -> 'raw' <> 'null' then
      insert into portal.message_raw (message_id, raw) values (added, event -> 'raw') on conflict do nothing;
    end if;
    perform portal.apply_waiting(instance, event ->> 'messageId');
    if (event ->> 'optsOut')::boolean then perform portal.opt_out(contact, (event ->> 'sentAtSeconds')::bigint); end if;
  end if;
  if is_own then perform portal.apply_ack(instance, event); end if;
  return case when exists (select from public.whatsapp_contacts where id = contact and number is null) then 'number-hidden' end;
end $$;

create function public.undo_opt_out(p_contact_id bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  person portal.people;
begin
  perform portal.require_admin();
  select p.* into person from portal.people p join public.whatsapp_contacts c on c.person_id = p.id
  where c.id = p_contact_id for update of p;
  if person.opted_out_at is null then return false; end if;
  delete from portal.opt_outs where number_hash = portal.opt_out_hash(person.number_key);
  update portal.people set opted_out_at = null where id = person.id;
  return true;
end $$;
comment on function public.undo_opt_out(bigint) is
  'Lets campaigns reach the person of a contact again, when the person asked for that; administrators only. Called by the lead''s sheet. False where nobody had opted out; a repeat answers false.';
revoke execute on function public.undo_opt_out(bigint) from public;
grant execute on function public.undo_opt_out(bigint) to authenticated, service_role;
