-- One account makes twenty calendar addresses an hour: each is kept in the audit log for a year.

create or replace function public.calendar_renew(p_broker_name text, p_is_on boolean default true) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  secret constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  broker uuid;
begin
  if portal.require_member() is not null and not portal.is_admin() and p_broker_name is distinct from portal.my_instance() then
    raise exception 'Esta agenda é de outro corretor.' using errcode = '42501';
  end if;
  select b.id into broker from public.brokers b where b."instanceName" = p_broker_name;
  if not found then raise exception 'Corretor não encontrado.' using errcode = 'PT404'; end if;
  -- Each is kept in the audit log for a year.
  if (select count(*) from portal.audit_log l
      where l.actor_id = portal.account_id() and l.action ~ '^calendar\.' and l.at > now() - interval '1 hour') >= 20 then
    raise exception 'Muitas trocas em pouco tempo. Tente de novo em uma hora.' using errcode = 'PT429';
  end if;
  delete from portal.calendar_feeds f where f.broker_id = broker;
  if not p_is_on then
    perform portal.audit('calendar.off', p_broker_name);
    return null;
  end if;
  perform portal.audit('calendar.renewed', p_broker_name);
  insert into portal.calendar_feeds (broker_id, secret_hash) values (broker, sha256(convert_to(secret, 'UTF8')));
  return secret;
end $$;
comment on function public.calendar_renew(text, boolean) is
  'Makes a new secret for the address of a broker''s calendar and answers it, the only time that it is told; the one before ends. Audited. With p_is_on false there is none any more, and null. A broker the own, an administrator any: else 42501; 401 once the session has ended, 404 for an unknown broker, 429 after twenty within an hour.';
