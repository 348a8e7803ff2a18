-- Auditoria of what came later: campaigns begun, steered and ended, the rules of their pace, and services by name (PRODUCT.md 4.1).

create function portal.audit_campaign() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  before text := case when tg_op = 'UPDATE' then old.status end;
  deed text := case
    when tg_op = 'INSERT' and new.status = 'scheduled' then 'campaign.planned'
    when new.status = 'running' and before = 'paused' then 'campaign.resumed'
    when tg_op = 'INSERT' and new.status <> 'running' then null
    else case new.status
      when 'running' then 'campaign.started'
      when 'paused' then 'campaign.paused'
      when 'stopped' then 'campaign.stopped'
      when 'completed' then 'campaign.completed'
      when 'error' then 'campaign.failed'
    end
  end;
begin
  -- A line to WhatsApp that comes and goes pauses and resumes by itself: nobody did that.
  if deed is null or (portal.account_id() is null and deed in ('campaign.paused', 'campaign.resumed')) then return null; end if;
  perform portal.audit(deed, (select portal.username_of(b."instanceName") from public.brokers b where b.id = new.broker_id),
    jsonb_build_object('campaign', new.id));
  return null;
end $$;
comment on function portal.audit_campaign() is 'Trigger: a campaign was planned, started, paused, resumed or stopped by someone, or came to its end.';
create trigger audit_campaign_added after insert on public.remarketing_campaigns
  for each row execute function portal.audit_campaign();
create trigger audit_campaign_changed after update of status on public.remarketing_campaigns
  for each row when (old.status <> new.status) execute function portal.audit_campaign();

create function portal.audit_campaign_rules() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.audit('settings.changed', changed.key, jsonb_build_object('from', changed.before, 'to', changed.after))
  from (
    select after.key, before.value as before, after.value as after
    from jsonb_each(to_jsonb(new)) after join jsonb_each(to_jsonb(old)) before using (key)
    where after.value is distinct from before.value
  ) changed;
  return null;
end $$;
comment on function portal.audit_campaign_rules() is 'Trigger: the hours, caps or rests of campaigns were changed, from what to what.';
create trigger audit_campaign_rules after update on public.campaign_settings
  for each row execute function portal.audit_campaign_rules();

create or replace function portal.audit(
  p_action text, p_subject text default null, p_details jsonb default '{}', p_actor uuid default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  asking portal.accounts;
  service text := portal.service_name();
begin
  select * into asking from portal.accounts a where a.id = coalesce(p_actor, portal.account_id());
  insert into portal.audit_log (actor_id, actor, actor_role, action, subject, details)
  values (
    asking.id, coalesce(asking.username, service),
    coalesce(asking.role,
      case when service is not null or current_setting('role') = 'service_role' then 'service' else 'system' end),
    p_action, left(p_subject, 200), p_details);
end $$;

create function portal.audit_service_token() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.audit(case when tg_op = 'INSERT' then 'service-token.made' else 'service-token.revoked' end,
    new.name, jsonb_build_object('grants', to_jsonb(new.grants)));
  return null;
end $$;
comment on function portal.audit_service_token() is 'Trigger: a machine was given a token, or its token was revoked.';
create trigger audit_service_token_made after insert on portal.service_tokens
  for each row execute function portal.audit_service_token();
create trigger audit_service_token_revoked after update of revoked_at on portal.service_tokens
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function portal.audit_service_token();
