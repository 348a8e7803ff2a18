-- How far an instance is read back, where a phone was linked anew. WhatsApp hands a phone's past to the gateway some time after the
-- link opened: of the phone that was linked before it is read from where reading had ended, of a new one nothing is. What is read
-- of the time without a link is history: nobody is alarmed, nothing is offered and no clock begins because of it.

alter table portal.instance_sweeps
  add column read_from timestamptz,
  add column opened_at timestamptz not null default now(),
  add column relinked_at timestamptz;
comment on column portal.instance_sweeps.read_from is
  'When the phone that is linked now was linked to this instance first: nothing older is read back. Null where that was before it was kept.';
comment on column portal.instance_sweeps.opened_at is 'When the link opened last.';
comment on column portal.instance_sweeps.relinked_at is
  'When a phone was last linked by a code: what is read back of the time before is history, and comes to the gateway within the hour after.';

create function portal.note_opened_link() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_new_phone boolean := new.owner_jid is not null and (
    tg_op = 'INSERT' or portal.number_key(new.owner_jid) is distinct from portal.number_key(old.owner_jid));
  has_opened boolean := new.state = 'open' and (tg_op = 'INSERT' or old.state <> 'open');
  phone_since timestamptz := case
    when tg_op = 'INSERT' or new.owner_at is distinct from old.owner_at then coalesce(new.owner_at, now()) else now() end;
begin
  if not is_new_phone and not has_opened then return null; end if;
  insert into portal.instance_sweeps ("instanceName", claimed_at, opened_at)
  values (new."instanceName", '-infinity', '-infinity') on conflict do nothing;
  update portal.instance_sweeps s
  set
    read_from = case when is_new_phone then phone_since else s.read_from end,
    read_until = case when is_new_phone then phone_since else s.read_until end,
    opened_at = case when has_opened then now() else s.opened_at end,
    relinked_at = case when has_opened and new.qr_received_at > s.opened_at then now() else s.relinked_at end
  where s."instanceName" = new."instanceName";
  return null;
end $$;
comment on function portal.note_opened_link() is
  'Trigger on portal.instance_states: a link opened, or another phone was linked than the one before; from when on it is read back.';
revoke execute on function portal.note_opened_link() from public, anon, authenticated, service_role;
create trigger note_opened_link after insert or update of state, owner_jid on portal.instance_states
  for each row execute function portal.note_opened_link();

create function portal.is_history(instance text, event jsonb) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((event ->> 'isReadBack')::boolean, false) and exists (
    select from portal.instance_sweeps s
    where s."instanceName" = instance and floor(extract(epoch from s.relinked_at)) > (event ->> 'sentAtSeconds')::bigint)
$$;
comment on function portal.is_history(text, jsonb) is
  'Whether a message is of the time before its phone was linked by a code, and was read back from the gateway. Server only.';
revoke execute on function portal.is_history(text, jsonb) from public, anon, authenticated, service_role;

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
  perform set_config('portal.history', case when portal.is_history(instance, event) then 'on' else '' end, true);
  contact := portal.contact_of(instance, event, known.contact_id);
  if contact is null then
    perform set_config('portal.history', '', true);
    return null;
  end if;
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
  perform set_config('portal.history', '', true);
  return case when exists (select from public.whatsapp_contacts where id = contact and number is null) then 'number-hidden' end;
end $$;

create or replace function portal.push(instance text, what text, under text, about bigint, delay interval) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Whoever had the phone in hand was told by it.
  if current_setting('portal.history', true) = 'on' then return; end if;
  insert into portal.push_queue as q (device_id, kind, tag, subject, due_at)
  select d.id, what, under, about, now() + delay
  from portal.push_devices d
  join portal.sessions s on s.id = d.session_id
  join public.brokers b on b.id = s.account_id
  where b."instanceName" = instance and d.removed_at is null
  order by d.id
  on conflict (device_id, tag) where claimed_by is null do update
  set
    happened = q.happened + 1,
    due_at = least(q.due_at, excluded.due_at),
    -- A new lead that writes is still a new one.
    kind = case when q.kind in ('lead', 'assigned') then q.kind else excluded.kind end;
  if found then perform pg_notify('push', ''); end if;
end $$;

create function portal.open_old_case(p_contact bigint, p_development text, p_source text, p_at timestamptz) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  opened portal.roleta_cases;
begin
  insert into portal.roleta_cases (contact_id, roleta_id, development, state, arrived_at, since, next_at)
  values (p_contact, portal.roleta_of(p_development), p_development, 'inbox', p_at, p_at, null)
  returning * into opened;
  perform portal.add_roleta_event(opened, 'received', null, p_at, jsonb_build_object('source', p_source));
  return opened.id;
end $$;
comment on function portal.open_old_case(bigint, text, text, timestamptz) is
  'A lead that wrote to a central instance while no phone was linked waits in the inbox: whoever is there decides, nobody is offered it late. Server only.';
revoke execute on function portal.open_old_case(bigint, text, text, timestamptz) from public, anon, authenticated, service_role;

create or replace function portal.take_central() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  contact public.whatsapp_contacts;
  since timestamptz := (select b.central_since from public.brokers b where b."instanceName" = new."instanceName");
  is_history boolean := coalesce(current_setting('portal.history', true), '') = 'on';
  arrived_at timestamptz := case when is_history then to_timestamp(new."timestamp") else now() end;
  words text[];
  development text;
begin
  if since is null then return null; end if;
  select * into contact from public.whatsapp_contacts c where c.id = new.contact_id;
  if contact."instanceName" is distinct from new."instanceName" or contact.created_at < since
    or exists (select from portal.lead_intakes i where i.contact_id = contact.id) then
    return null;
  end if;
  words := regexp_split_to_array(upper(new.body), '[^A-Z0-9]+');
  select r.empreendimento into development from public.roletas r
  where r.text_code = any (words) order by array_position(words, r.text_code) limit 1;
  if development is null then
    select a.empreendimento into development from public.prompts_agents a where a."instanceName" = new."instanceName"
    order by a.id limit 1;
  end if;
  update public.whatsapp_contacts c set empreendimento = coalesce(c.empreendimento, development) where c.id = contact.id;
  insert into portal.lead_intakes (contact_id, case_id, name, number, source, campaign, development, message, received_at)
  values (contact.id,
    case when is_history then portal.open_old_case(contact.id, development, contact.source, arrived_at)
      else portal.open_case(contact.id, development, contact.source, arrived_at) end,
    contact.name, contact.number, contact.source, contact.campaign, development, new.body, arrived_at);
  return null;
end $$;
