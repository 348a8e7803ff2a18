-- The portal's zone is looked up once a statement: as a column of a subselect it was looked up for every lead, which made
-- counting leads one by one many times dearer (PRODUCT.md 5).

create or replace function portal.note_lead_counts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  zone text := portal.time_zone();
begin
  if tg_op = 'INSERT' then
    insert into portal.lead_deltas
    select d.* from new_rows n, portal.lead_delta(n, 1, zone) d;
  elsif tg_op = 'DELETE' then
    insert into portal.lead_deltas
    select d.* from old_rows o, portal.lead_delta(o, -1, zone) d;
  else
    insert into portal.lead_deltas
    select d.*
    from old_rows o
      -- A message changes none of these, and comes most often.
      join new_rows n on n.id = o.id
        and (n."instanceName", n.empreendimento, n.status, n.source, n.campaign, n.created_at,
          n.first_incoming_at, n.first_response_at, n.won_at)
        is distinct from (o."instanceName", o.empreendimento, o.status, o.source, o.campaign, o.created_at,
          o.first_incoming_at, o.first_response_at, o.won_at),
      lateral (
        select * from portal.lead_delta(o, -1, zone)
        union all
        select * from portal.lead_delta(n, 1, zone)
      ) d;
  end if;
  return null;
end $$;

create or replace function portal.rebuild_lead_rollup() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  zone text := portal.time_zone();
begin
  -- Nobody may count by the old zone meanwhile.
  lock table public.whatsapp_contacts in share row exclusive mode;
  perform pg_advisory_xact_lock(hashtextextended('portal.lead_rollup', 0));
  delete from portal.lead_deltas;
  delete from portal.lead_rollup;
  insert into portal.lead_deltas
  select d.* from public.whatsapp_contacts c, portal.lead_delta(c, 1, zone) d;
  perform portal.fold_lead_deltas();
  return null;
end $$;

create or replace function portal.count_plain_leads(
  p_brokers text[], p_empreendimentos text[], p_starts_at timestamptz, p_ends_at timestamptz, p_is_total_only boolean
) returns setof portal.lead_count
language plpgsql stable set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  zone text := portal.time_zone();
begin
  if p_starts_at >= p_ends_at then return; end if;
  return query
    select x.dimension, x.value, sum(d.leads), sum(d.answered), sum(d.unanswered), sum(d.won), sum(d.response_seconds)
    from public.whatsapp_contacts c,
      portal.lead_delta(c, 1, zone) d,
      lateral (values ('total', ''), ('status', d.status), ('source', d.source), ('campaign', d.campaign),
        ('weekday', extract(dow from d.day)::text)) as x (dimension, value)
    where (x.dimension = 'total' or not p_is_total_only)
      and c.created_at >= p_starts_at and c.created_at < p_ends_at
      and (p_brokers is null or c."instanceName" = any (p_brokers))
      and (coalesce(cardinality(p_empreendimentos), 0) = 0 or c.empreendimento = any (p_empreendimentos))
    group by x.dimension, x.value;
end $$;
