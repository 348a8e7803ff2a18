-- The first lead may be nobody's yet: the first hour says so, and where it is given to a broker.
create or replace function portal.first_lead(p_lead portal.clocks) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'name', coalesce(nullif(p_lead.name, ''), p_lead.number),
    'seconds', extract(epoch from p_lead.answered_at - p_lead.received_at)::integer,
    'isOwned', p_lead.broker_name is not null)
$$;
comment on function portal.first_lead(portal.clocks) is
  'A lead as the first hour names it, in how many seconds it was answered (null: not yet), and whether it is anybody''s. For portal.first_hour alone.';
