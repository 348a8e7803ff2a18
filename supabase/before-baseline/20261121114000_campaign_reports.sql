-- What became of campaigns: for the broker's own history and for the administrators' report (SPEC.md 2.8, 2.18; PRODUCT.md 4.1, 4.3, 4.5).

create function portal.campaign_outcomes(p_campaigns bigint[]) returns table (
  campaign_id bigint, delivered bigint, read bigint, answered bigint, opted_out bigint, failed bigint, unknown bigint, waiting bigint
)
language sql stable security definer set search_path = '' as $$
  select r.campaign_id,
    count(*) filter (where m.delivery in ('delivered', 'read')),
    count(*) filter (where m.delivery = 'read'),
    count(*) filter (where after.has_answered and not after.has_opted_out),
    count(*) filter (where after.has_opted_out),
    count(*) filter (where r.state = 'failed'),
    count(*) filter (where r.state = 'unknown'),
    count(*) filter (where r.state in ('pending', 'sending'))
  from public.campaign_recipients r
  left join public.whatsapp_messages m on m.id = r.message_id
  left join portal.people p on p.id = r.person_id
  left join lateral (
    select
      coalesce(p.opted_out_at between r.accepted_at and r.accepted_at + interval '72 hours', false) as has_opted_out,
      exists (
        select from public.whatsapp_messages a
        where a.contact_id = r.contact_id and a.type = 'incoming'
          and a."timestamp" >= extract(epoch from r.accepted_at)
          and a."timestamp" <= extract(epoch from r.accepted_at + interval '72 hours')
      ) as has_answered
  ) after on r.accepted_at is not null
  where r.campaign_id = any (p_campaigns)
  group by 1
$$;
comment on function portal.campaign_outcomes(bigint[]) is
  'Of each campaign the contacts that got it as far as the phone, read it, wrote back within 72 hours, asked within 72 hours to be left alone (such a wish is no answer), failed, have an unknown end, or still wait. Server only.';

create function public.get_campaign_history(p_cursor timestamptz default null, p_id_cursor bigint default null) returns table (
  id bigint,
  "instanceName" text,
  created_at timestamptz,
  scheduled_at timestamptz,
  finished_at timestamptz,
  kanban_stage text,
  stage_name text,
  status text,
  pause_reason text,
  total_contacts integer,
  processed_contacts integer,
  message text,
  delivered bigint,
  read bigint,
  answered bigint,
  opted_out bigint,
  failed bigint,
  unknown bigint,
  waiting bigint
)
language plpgsql stable security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  found_ids bigint[];
begin
  select array_agg(page.id) into found_ids
  from (
    select c.id from public.remarketing_campaigns c
    where (asker is null or portal.is_admin() or c.broker_id = asker)
      and (c.created_at, c.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
    order by c.created_at desc, c.id desc
    limit 30
  ) page;
  return query
    select c.id, b."instanceName", c.created_at, c.scheduled_at, c.finished_at, c.kanban_stage, s.name, c.status, c.pause_reason,
      c.total_contacts, c.processed_contacts, c.message,
      coalesce(o.delivered, 0), coalesce(o.read, 0), coalesce(o.answered, 0), coalesce(o.opted_out, 0), coalesce(o.failed, 0),
      coalesce(o.unknown, 0), coalesce(o.waiting, 0)
    from public.remarketing_campaigns c
    join public.brokers b on b.id = c.broker_id
    left join public.kanban_stages s on s.slug = c.kanban_stage
    left join portal.campaign_outcomes(found_ids) o on o.campaign_id = c.id
    where c.id = any (found_ids)
    order by c.created_at desc, c.id desc;
end $$;
comment on function public.get_campaign_history(timestamptz, bigint) is
  'A page of 30 campaigns, the newest first, with what became of their contacts: a broker''s own, an administrator''s of everyone. The next page by created_at and id of the last row. stage_name is null for a stage that is gone. 401 once the session has ended.';

create function public.get_campaign_stats() returns table (
  broker_id uuid,
  "instanceName" text,
  total_campaigns bigint,
  total_contacts bigint,
  processed_contacts bigint,
  delivered bigint,
  read bigint,
  answered bigint,
  opted_out bigint
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select b.id, b."instanceName", count(*), sum(c.total_contacts)::bigint, sum(c.processed_contacts)::bigint,
      coalesce(sum(o.delivered), 0)::bigint, coalesce(sum(o.read), 0)::bigint, coalesce(sum(o.answered), 0)::bigint,
      coalesce(sum(o.opted_out), 0)::bigint
    from public.remarketing_campaigns c
    join public.brokers b on b.id = c.broker_id
    left join portal.campaign_outcomes((select array_agg(every.id) from public.remarketing_campaigns every)) o on o.campaign_id = c.id
    group by b.id, b."instanceName"
    order by b."instanceName";
end $$;
comment on function public.get_campaign_stats() is
  '''Resumo por Corretor'': each broker''s campaigns added up; who has none is left out. Administrators only.';

create function public.get_opt_outs(p_cursor timestamptz default null, p_id_cursor bigint default null) returns table (
  contact_id bigint,
  name text,
  number text,
  "instanceName" text,
  opted_out_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select c.id, c.name, c.number, c."instanceName", p.opted_out_at
    from portal.people p
    join lateral (
      select l.id, l.name, l.number, l."instanceName" from public.whatsapp_contacts l
      where l.person_id = p.id order by l.last_message_timestamp desc nulls last, l.id desc limit 1
    ) c on true
    where p.opted_out_at is not null
      and (p.opted_out_at, c.id) < (coalesce(p_cursor, 'infinity'), coalesce(p_id_cursor, 0))
    order by p.opted_out_at desc, c.id desc
    limit 50;
end $$;
comment on function public.get_opt_outs(timestamptz, bigint) is
  'A page of 50 of the persons who asked to be left alone, the latest first, each by the contact that last wrote; undo_opt_out takes its id. The next page by opted_out_at and contact_id of the last row. Administrators only.';
create index people_opt_outs on portal.people (opted_out_at desc) where opted_out_at is not null;
comment on index portal.people_opt_outs is 'Serves the list of who asked to be left alone.';

revoke execute on function
  public.get_campaign_history(timestamptz, bigint), public.get_campaign_stats(), public.get_opt_outs(timestamptz, bigint) from public;
grant execute on function
  public.get_campaign_history(timestamptz, bigint), public.get_campaign_stats(), public.get_opt_outs(timestamptz, bigint)
  to authenticated, service_role;
