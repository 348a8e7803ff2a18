-- A WhatsApp service that does not reach the portal is noticed in the first hour.

create or replace function portal.first_hour() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return jsonb_build_object(
    'brokers', (select count(*) from public.brokers),
    -- Whoever has come furthest.
    'broker', (
      select jsonb_build_object(
        'instanceName', b."instanceName",
        'hasPassword', a.password_hash is not null,
        'isLinked', coalesce(s.state = 'open', false),
        'isTold', exists (
          select from portal.push_devices d join portal.sessions o on o.id = d.session_id
          where o.account_id = a.id and d.removed_at is null))
      from public.brokers b
      join portal.accounts a on a.id = b.id
      left join portal.instance_states s on s."instanceName" = b."instanceName"
      order by s.state = 'open' desc nulls last, a.password_hash is not null desc, b.created_at, b.id
      limit 1),
    -- A link is there or under way, so the service has something to report, and never did.
    'isUnheard', exists (
        select from portal.instance_states s
        where s.state in ('connecting', 'open') and s.changed_at < now() - interval '15 seconds')
      and not exists (
        select from portal.instance_states s where s.state_at is not null or s.qr_received_at is not null),
    'sources', (select count(*) from portal.intake_keys k where k.revoked_at is null and k.off_at is null)
      + (select count(*) from public.brokers b where b.central_since is not null),
    'lead', coalesce(
      (select portal.first_lead(c) from portal.clocks c where c.answered_at is not null limit 1),
      (select portal.first_lead(c) from portal.clocks c limit 1)));
end $$;
comment on function portal.first_hour() is
  'How far a new agency has come: brokers, and the one who has come furthest (password set, WhatsApp linked, a device that is told of leads); whether the WhatsApp service, asked by the portal, knows a link of which it never reported anything (it does not reach the portal); sources that bring leads in, central numbers included; and a lead that came by itself, an answered one if there is any. Null where there is none. Administrators; 401 and 403 for anybody else.';
