-- A campaign that stopped on a fault keeps what kind of fault it was; until now the screen could only guess.

alter table public.remarketing_campaigns drop constraint campaigns_pause_reason;
alter table public.remarketing_campaigns add
  constraint campaigns_pause_reason check (status = 'error' or (status = 'paused') = (pause_reason is not null));
comment on column public.remarketing_campaigns.pause_reason is
  'Why it stands still, a code of src/domain/campaign.ts: paused by ''person'', by a link or gateway that is away (goes on by itself) or by a sign of restriction; in error, what kind of fault it was.';

create or replace function portal.steer_campaign(p_id bigint, p_wish text, p_operation_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  answer jsonb := portal.begin_operation(asker, p_operation_id);
  campaign public.remarketing_campaigns;
  again integer;
begin
  if answer is not null then return answer; end if;
  campaign := portal.campaign_to_steer(p_id);
  if p_wish <> 'retry' and campaign.status in ('completed', 'stopped') and not (p_wish = 'stop' and campaign.status = 'stopped') then
    raise exception 'Esta campanha já terminou.' using errcode = 'PT409', hint = 'campaign.ended';
  end if;
  case p_wish
    when 'pause' then
      if campaign.status <> 'error' then
        perform portal.withdraw_line(campaign.current_recipient, 'pending', null);
        -- What it waited for is looked at anew when it goes on; the gap after its last line stands.
        update public.remarketing_campaigns
        set status = 'paused', pause_reason = 'person', wait_reason = null,
          next_send_at = case when wait_reason is null then next_send_at end
        where id = p_id;
      end if;
    when 'resume' then
      if campaign.status in ('paused', 'error') then
        update public.remarketing_campaigns
        set status = case when started_at is null and scheduled_at > p_now then 'scheduled' else 'running' end,
          pause_reason = null, watched_since = p_now, finished_at = null
        where id = p_id;
      end if;
    when 'stop' then
      if campaign.status <> 'stopped' then
        perform portal.withdraw_line(campaign.current_recipient, 'cancelled', 'stopped');
        update public.campaign_recipients set state = 'cancelled', reason = 'stopped' where campaign_id = p_id and state = 'pending';
        update public.remarketing_campaigns
        set status = 'stopped', pause_reason = null, wait_reason = null, next_send_at = null, finished_at = p_now
        where id = p_id;
      end if;
    when 'retry' then
      update public.campaign_recipients
      set state = 'pending', reason = null, message_id = null, settled_at = null, acknowledged = false
      where campaign_id = p_id and state = 'failed';
      get diagnostics again = row_count;
      if again = 0 then
        raise exception 'Nenhum envio desta campanha falhou.' using errcode = 'PT409', hint = 'campaign.none-failed';
      end if;
      if campaign.status in ('completed', 'stopped', 'error') then
        update public.remarketing_campaigns
        set status = 'running', pause_reason = null, finished_at = null, watched_since = p_now, next_send_at = null
        where id = p_id;
      end if;
  end case;
  return portal.end_operation(asker, p_operation_id, 'campaign.' || p_wish,
    (select to_jsonb(c) from public.remarketing_campaigns c where c.id = p_id));
exception
  when unique_violation then
    raise exception 'Esta campanha já está sendo processada' using errcode = 'PT409', hint = 'campaign.active';
end $$;
comment on function portal.steer_campaign(bigint, text, uuid, timestamptz) is
  'pause, resume, stop, or retry (the failed ones, never those with an unknown end), once an operation; what it already is, it stays. Answers the row. Server only.';

drop function portal.fail_campaign(bigint, timestamptz);
create function portal.fail_campaign(p_id bigint, p_now timestamptz, p_reason text) returns void
language sql volatile security definer set search_path = '' as $$
  update public.remarketing_campaigns
  set status = 'error', finished_at = p_now, pause_reason = p_reason, wait_reason = null, next_send_at = null
  where id = p_id and status in ('scheduled', 'running', 'paused')
$$;
comment on function portal.fail_campaign(bigint, timestamptz, text) is
  'What cannot be processed says so, and why (a code of src/domain/campaign.ts); nothing of it is lost, and a person may resume it. Server only.';
