-- A campaign that waits over a Sunday says so.

alter table public.remarketing_campaigns
  drop constraint remarketing_campaigns_wait_reason_check,
  add constraint remarketing_campaigns_wait_reason_check check (wait_reason in ('courtesy-hours', 'sunday', 'daily-cap'));
