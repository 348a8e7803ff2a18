-- What another system does is told under its name.

create or replace function portal.actor() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.account_id() is not null then return current_setting('portal.username'); end if;
  return coalesce(
    case when auth.jwt() -> 'app_metadata' ->> 'portal_role' = 'service' then portal.service_name() end, 'portal');
end $$;
comment on function portal.actor() is 'Username of who is asking, the name of a service, ''portal'' for the server itself.';
