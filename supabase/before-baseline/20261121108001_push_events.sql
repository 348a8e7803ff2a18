-- What is worth a push, written down in the transaction that makes it so (PWA.md 4; issue of web push).

create function portal.push(instance text, what text, under text, about bigint, delay interval) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into portal.push_queue as q (device_id, kind, tag, subject, due_at)
  select d.id, what, under, about, now() + delay
  from portal.push_devices d
  join portal.sessions s on s.id = d.session_id
  join public.brokers b on b.id = s.account_id
  where b."instanceName" = instance
  order by d.id
  on conflict (device_id, tag) where claimed_by is null do update
  set
    happened = q.happened + 1,
    -- A new lead that writes is still a new one.
    kind = case when q.kind in ('lead', 'assigned') then q.kind else excluded.kind end;
  if found then perform pg_notify('push', ''); end if;
end $$;
comment on function portal.push(text, text, text, bigint, interval) is
  'A broker is to be told on every device, and the portals are woken at commit; what still waits under that tag takes it up. Server only.';

create function portal.push_lead() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(
    new."instanceName", case when tg_op = 'INSERT' then 'lead' else 'assigned' end, 'lead-' || new.id, new.id, interval '1 second');
  return null;
end $$;
comment on function portal.push_lead() is 'Trigger: a broker got a lead, a new one or one that was somebody else''s.';
create trigger push_new_lead after insert on public.whatsapp_contacts
  for each row when (new."instanceName" is not null) execute function portal.push_lead();
create trigger push_assigned_lead after update of "instanceName" on public.whatsapp_contacts
  for each row when (new."instanceName" is not null and new."instanceName" is distinct from old."instanceName")
  execute function portal.push_lead();

create function portal.push_message() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(c."instanceName", 'message', 'lead-' || c.id, c.id, interval '1 second')
  from public.whatsapp_contacts c
  where c.id = new.contact_id and c."instanceName" is not null;
  return null;
end $$;
comment on function portal.push_message() is
  'Trigger: a lead wrote. Not of what is older than a day, which a sweep read back; a second later, so that a screen that shows the conversation can read it first.';
create trigger push_message after insert on public.whatsapp_messages
  for each row when (new.type = 'incoming' and not new.read and new."timestamp" > extract(epoch from now()) - 86400)
  execute function portal.push_message();

create function portal.push_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(new."instanceName", 'link', 'link', null, interval '1 minute');
  return null;
end $$;
comment on function portal.push_link() is 'Trigger: a broker''s WhatsApp was lost; told after a minute, unless it is back.';
create trigger push_link after update on portal.instance_states
  for each row when (
    old.state = 'open' and old.dead_at is null and (new.state <> 'open' or new.dead_at is not null))
  execute function portal.push_link();

create function portal.push_campaign() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status in ('completed', 'error')
    or new.status = 'paused' and new.pause_reason not in ('person', 'not-linked', 'unreachable') then
    perform portal.push(b."instanceName", 'campaign', 'campaign-' || new.id, new.id, interval '0')
    from public.brokers b where b.id = new.broker_id;
  end if;
  return null;
end $$;
comment on function portal.push_campaign() is 'Trigger: a campaign ended, or waits for its broker to decide.';
create trigger push_campaign after update of status on public.remarketing_campaigns
  for each row when (new.status <> old.status) execute function portal.push_campaign();
