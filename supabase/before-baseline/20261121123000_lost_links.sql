-- A WhatsApp that is lost is told within a minute, whatever became of its event: the broker by push, the administrator on every
-- screen and in the audit log (issue: gateway for real). The watch looks twice a minute and raises what the last look has seen, too.

alter table portal.instance_states add column alarmed_at timestamptz;
comment on column portal.instance_states.alarmed_at is
  'When the loss of this link was raised: it was linked, is not, and no person cut it. Null again once it is back or a person cuts it.';

create function portal.raise_lost_links() returns setof text
language plpgsql volatile security definer set search_path = '' as $$
declare
  lost text;
begin
  for lost in
    update portal.instance_states s set alarmed_at = now()
    from public.brokers b
    where b."instanceName" = s."instanceName" and b.broker_number is not null and s.alarmed_at is null
      and (s.state <> 'open' or s.dead_at is not null)
      -- One look of the watch: a link that only begins anew is back by then. What is older is known.
      and coalesce(s.dead_at, s.changed_at) between now() - interval '1 day' and now() - interval '25 seconds'
      and s.cut_at is null
    returning s."instanceName"
  loop
    perform portal.audit('link.lost', lost);
    return next lost;
  end loop;
end $$;
comment on function portal.raise_lost_links() is
  'Links that were lost and not raised yet are raised, each once over all portals; answers their instances. Server only.';

create function portal.lower_lost_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.state = 'open' and new.dead_at is null then
    if new.alarmed_at is not null then perform portal.audit('link.back', new."instanceName"); end if;
    new.alarmed_at := null;
    -- The next loss is no person's doing.
    if old.state <> 'open' then new.cut_at := null; end if;
  elsif new.cut_at is distinct from old.cut_at then
    new.alarmed_at := null;
  end if;
  return new;
end $$;
comment on function portal.lower_lost_link() is 'Trigger: a link is back, or a person cut it: neither is lost.';
create trigger lower_lost_link before update on portal.instance_states
  for each row execute function portal.lower_lost_link();

create or replace function portal.push_link() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(new."instanceName", 'link', 'link', null, interval '25 seconds');
  return null;
end $$;
comment on function portal.push_link() is
  'Trigger: a broker''s WhatsApp was lost; told within the minute that the watch may have needed, unless it is back.';

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
        case when s.alarmed_at is not null then coalesce(s.dead_at, s.changed_at) end as "lostAt",
        (select max(seen.refreshed_at) from portal.sessions seen where seen.account_id = b.id) as "seenAt",
        (select count(*) from public.remarketing_campaigns c where c.broker_id = b.id) as campaigns,
        (select count(*) from public.roleta_corretores r where r."instanceName" = b."instanceName") as seats
      from public.brokers b left join portal.instance_states s using ("instanceName")
    ) listed
  );
end $$;
comment on function portal.broker_list() is
  'All brokers with what ''Gerenciar Corretores'' shows of each; lostAt: since when a link is lost that nobody cut; campaigns and seats are what removing one takes along. Administrators, by the server only.';
