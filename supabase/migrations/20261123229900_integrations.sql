-- Integrações: tokens tell by their end and their last use, and may be given what the API for machines asks for; what is done to an
-- address of other systems is audited, and administrators are told when one is notified no longer.

alter table portal.service_tokens drop constraint service_tokens_grants_check;
alter table portal.service_tokens add constraint service_tokens_grants_check
  check (grants <> '{}' and grants <@ array['prompts:read', 'prompts:write', 'pauses:read', 'memory', 'leads:read',
    'leads:write', 'messages:read', 'messages:send', 'brokers:read', 'rotations:read', 'events:read']);
alter table portal.service_tokens add column tail text, add column used_at timestamptz;
comment on column portal.service_tokens.grants is
  'Of agents: prompts:read, prompts:write (which reads too), pauses:read, memory (what the agents remember of each chat). Of other machines, by /api/v1: leads:read, leads:write, messages:read, messages:send, brokers:read, rotations:read, events:read.';
comment on column portal.service_tokens.tail is 'The end of the token, to tell it by; the token itself is kept nowhere. Null for those made before this was kept.';
comment on column portal.service_tokens.used_at is 'When it last asked by /api/v1, to the minute.';

alter table portal.push_queue drop constraint push_queue_kind_check;
alter table portal.push_queue add constraint push_queue_kind_check check (kind in ('lead', 'assigned', 'message', 'link',
  'campaign', 'digest', 'handover', 'offer', 'lost', 'webhook'));
comment on column portal.push_queue.kind is
  'digest: several leads wrote; handover: several became the broker''s; lost: the WhatsApp of a broker, webhook: an address that is notified no longer, both for administrators.';

create or replace function portal.outdated_pushes(p_now timestamptz) returns setof bigint
language sql stable security definer set search_path = '' as $$
  select q.id
  from portal.push_queue q
  join portal.push_devices d on d.id = q.device_id
  join portal.sessions s on s.id = d.session_id
  -- Whose it is about: an administrator is told of a broker's line.
  left join public.brokers b on b.id = coalesce(q.broker_id, s.account_id)
  left join public.whatsapp_contacts c on c.id = q.subject and q.kind in ('lead', 'assigned', 'message')
  left join portal.instance_states i on i."instanceName" = b."instanceName"
  where q.queued_at < p_now - interval '1 day'
    or s.expires_at <= p_now
    or d.removed_at is not null
    or q.claimed_by is null and q.due_at <= p_now and case q.kind
      when 'link' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'lost' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'campaign' then not exists (select from public.remarketing_campaigns r where r.id = q.subject)
      when 'digest' then not exists (
        select from public.whatsapp_contacts u where u."instanceName" = b."instanceName" and u.unread_count > 0)
      when 'handover' then false
      when 'webhook' then not exists (select from portal.hooks h where h.reason is not null)
      when 'offer' then not exists (
        select from portal.roleta_cases k
        where k.id = q.subject and (
          k.state = 'offered' and k.holder = b."instanceName" and k.next_at > p_now
          or k.state = 'pool' and b."instanceName" in (select portal.pool_brokers(k.roleta_id))))
      -- Read here or on the phone, removed, or another's by now.
      else c."instanceName" is distinct from b."instanceName"
        or c.unread_count = 0 and (q.kind = 'message' or q.kind = 'lead' and c.last_message_id is not null)
    end
$$;

create function portal.audit_hook() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.audit('webhook.added', new.name);
  elsif tg_op = 'DELETE' then
    perform portal.audit('webhook.removed', old.name);
  elsif new.secret <> old.secret then
    perform portal.audit('webhook.secret-changed', new.name);
  elsif new.state = 'active' then
    perform portal.audit('webhook.active', new.name);
  elsif new.state = 'paused' then
    perform portal.audit('webhook.paused', new.name);
  else
    perform portal.audit('webhook.off', new.name);
  end if;
  return null;
end $$;
comment on function portal.audit_hook() is
  'Trigger: an address was added, removed or given another secret, or it was resumed (active), paused or turned off.';
create trigger audit_hook_made after insert or delete on portal.hooks
  for each row execute function portal.audit_hook();
create trigger audit_hook_changed after update on portal.hooks
  for each row when (old.state <> new.state or old.secret <> new.secret) execute function portal.audit_hook();

create function portal.push_hook() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.push_queue as q (device_id, kind, tag, due_at)
  -- Tags are short: 24 hexadecimal digits of an id are as much its own as all 32.
  select d.id, 'webhook', 'hook-' || left(replace(new.id::text, '-', ''), 24), now()
  from portal.push_devices d
  join portal.sessions s on s.id = d.session_id
  join portal.accounts a on a.id = s.account_id
  where a.role = 'admin' and d.removed_at is null
  order by d.id
  on conflict (device_id, tag) where claimed_by is null do nothing;
  if found then perform pg_notify('push', ''); end if;
  return null;
end $$;
comment on function portal.push_hook() is
  'Trigger: the portal paused an address after too many failures, or the address said that it is gone; the administrators are told.';
create trigger push_hook after update of state on portal.hooks
  for each row when (old.state = 'active' and new.reason is not null) execute function portal.push_hook();
