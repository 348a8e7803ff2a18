-- A period beyond all calendars is refused in words: the days before the one asked for, which it is compared with, were out
-- of what the database can count, and nobody could tell why (SPEC.md 9; PRODUCT.md 4.6).

create or replace function portal.period(p_start timestamp, p_end timestamp, out starts_at timestamptz, out ends_at timestamptz)
language plpgsql stable set search_path = '' as $$
begin
  if p_end < p_start then
    raise exception 'O fim do período vem antes do início.' using errcode = '22023';
  end if;
  -- Wider than the words: as many days before those of the widest period go back a century more.
  if p_start < '1800-01-01' or p_start >= '2201-01-01' or p_end < '1800-01-01' or p_end >= '2201-01-01' then
    raise exception 'Escolha datas entre os anos 2000 e 2100.' using errcode = '22023';
  end if;
  starts_at := coalesce(p_start at time zone portal.time_zone(), '-infinity');
  ends_at := coalesce((date_trunc('second', p_end) + interval '1 second') at time zone portal.time_zone(), 'infinity');
end $$;
comment on function portal.period(timestamp, timestamp) is
  'Instants [starts_at, ends_at) of a period of the wire (SPEC.md 9, PRODUCT.md 4.6): ''2026-11-01T00:00:00Z'' is read as wall-clock time in the portal''s zone whatever stands behind it, the end exclusive at the next second; a bound left out is open. 22023 when the end is before the start, or a bound is far beyond the years 2000 to 2100.';

create or replace function public.get_dashboard_data_by_params(
  p_broker_names text[] default null,
  p_start_date timestamp default null,
  p_end_date timestamp default null,
  p_empreendimentos text[] default null
) returns json
language sql stable set search_path = '' as $$
  -- The period is looked at before its days are counted, which those of no calendar cannot be.
  select portal.dashboard(p_broker_names, p_empreendimentos, p_start_date, p_end_date)
  from portal.period(p_start_date, p_end_date)
$$;
