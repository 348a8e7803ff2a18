-- A number that begins above its own limit a day would be cut by that limit, unsaid (PRODUCT.md 4.5; EVOLUTION.md 5).

create or replace function public.save_campaign_settings(
  p_opens_at integer, p_closes_at integer, p_sends_on_sundays boolean,
  p_daily_cap integer, p_warm_up_from integer, p_warm_up_days integer, p_rest_days integer
) returns public.campaign_settings
language plpgsql volatile security definer set search_path = '' as $$
declare
  saved public.campaign_settings;
begin
  perform portal.require_admin();
  if p_warm_up_from > p_daily_cap then
    raise exception 'O limite no 1º dia não pode passar do limite por dia.' using errcode = '22023';
  end if;
  update public.campaign_settings
  set opens_at = p_opens_at, closes_at = p_closes_at, sends_on_sundays = p_sends_on_sundays, daily_cap = p_daily_cap,
    warm_up_from = p_warm_up_from, warm_up_days = p_warm_up_days, rest_days = p_rest_days
  where id
  returning * into saved;
  -- Whoever waits for an hour or a day that changed looks again.
  update public.remarketing_campaigns set wait_reason = null, next_send_at = null where wait_reason is not null;
  return saved;
exception
  when check_violation or not_null_violation or numeric_value_out_of_range then
    raise exception 'Confira os horários e limites: o fim vem depois do começo, e os números são inteiros positivos.' using errcode = '22023';
end $$;
