-- 'Gerenciar Corretores' tells which instances are central (SPEC.md 2.5; PRODUCT.md 4.2).

create or replace function portal.broker_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(row_to_json(listed) order by listed."instanceName"), '[]')
    from (
      select b.id, b."instanceName", b.broker_number as number, b.created_at as "createdAt",
        b.password_hash is not null as "hasPassword", coalesce(s.state, 'close') as state, s.dead_at as "deadAt",
        s.changed_at as "changedAt", s.profile_pic_url as "pictureUrl", b.central_since is not null as "isCentral",
        (select max(seen.refreshed_at) from portal.sessions seen where seen.account_id = b.id) as "seenAt",
        (select count(*) from public.remarketing_campaigns c where c.broker_id = b.id) as campaigns,
        (select count(*) from public.roleta_corretores r where r."instanceName" = b."instanceName") as seats
      from public.brokers b left join portal.instance_states s using ("instanceName")
    ) listed
  );
end $$;
