-- A broker's own figures of the day, for the day's page.

create function public.get_broker_day(p_broker_name text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  today timestamptz := date_trunc('day', now() at time zone portal.time_zone()) at time zone portal.time_zone();
begin
  if portal.require_member() is not null and not portal.is_admin() and p_broker_name is distinct from portal.my_instance() then
    raise exception 'Este dia é de outro corretor.' using errcode = '42501';
  end if;
  return (
    select jsonb_build_object('answered', count(*),
      'median', round(percentile_cont(0.5) within group (order by extract(epoch from k.answered_at - k.received_at))))
    from portal.clocks k
    where k.broker_name = p_broker_name and k.received_at >= today and k.answered_at is not null);
end $$;
comment on function public.get_broker_day(text) is
  'Of the leads of today of a broker: how many are answered, and the median of their waits in seconds, null where none is; as in that broker''s line of get_clocks. A broker of the own, an administrator of any: else 42501; 401 once the session has ended.';
grant execute on function public.get_broker_day(text) to authenticated, service_role;
