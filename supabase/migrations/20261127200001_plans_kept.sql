-- What every message and every move asks is planned once for a connection: before Postgres 18 a function in SQL is planned anew by
-- each statement that calls it, which was a fifth of applying a message.

create or replace function portal.time_zone() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  -- A plan is kept for the connection; a SQL function is planned by every statement that calls it.
  return (select value #>> '{}' from portal.settings where key = 'time_zone');
end $$;

create or replace function portal.may_be_hidden(instance text, contact bigint, added bigint) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (select from public.whatsapp_messages m where m.contact_id = contact and m.id <> added) then return false; end if;
  return not exists (
      select from portal.identities i join public.whatsapp_contacts c on c.person_id = i.person_id
      where c.id = contact and i."instanceName" = instance and i.jid like '%@lid')
    and exists (
      select from public.whatsapp_contacts h
      where h."instanceName" = instance and h.number is null and h.created_at > now() - interval '30 days');
end $$;

create or replace function portal.is_history(instance text, event jsonb) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((event ->> 'isReadBack')::boolean, false) and exists (
    select from portal.instance_sweeps s
    where s."instanceName" = instance and floor(extract(epoch from s.relinked_at)) > (event ->> 'sentAtSeconds')::bigint);
end $$;
