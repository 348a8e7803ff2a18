-- A recipient whose end nobody knows is settled by a person: sent once more, or taken as sent; never by itself (PRODUCT.md 4.4).

create function portal.settle_recipient(p_campaign bigint, p_recipient bigint, p_wish text, p_operation_id uuid, p_now timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  answer jsonb := portal.begin_operation(asker, p_operation_id);
  line public.whatsapp_messages;
  campaign public.remarketing_campaigns;
  recipient public.campaign_recipients;
begin
  if answer is not null then return answer; end if;
  -- Its line first, as whoever reports its end does.
  select m.* into line from public.whatsapp_messages m
  where m.id = (select r.message_id from public.campaign_recipients r where r.id = p_recipient and r.campaign_id = p_campaign)
  for update;
  campaign := portal.campaign_to_steer(p_campaign);
  select r.* into recipient from public.campaign_recipients r where r.id = p_recipient and r.campaign_id = p_campaign for update;
  if not found then
    raise exception 'Este contato não está nesta campanha.' using errcode = 'PT404', hint = 'campaign.unknown-recipient';
  elsif recipient.state <> 'unknown' then
    raise exception 'O fim deste envio já é conhecido.' using errcode = 'PT409', hint = 'campaign.settled';
  end if;
  case p_wish
    when 'sent' then
      -- Its line stays as it is: a report that comes yet says how far it came.
      update public.campaign_recipients
      set state = 'sent', reason = 'by-hand', acknowledged = true, settled_at = coalesce(settled_at, p_now),
        accepted_at = coalesce(accepted_at, to_timestamp(line."timestamp"), p_now)
      where id = p_recipient;
      if recipient.accepted_at is null then
        update public.remarketing_campaigns set processed_contacts = processed_contacts + 1 where id = p_campaign;
        update public.whatsapp_contacts set remarketing_sent_at = now() where id = recipient.contact_id and campaign.marks;
      end if;
    when 'again' then
      if line.delivery_reason = 'retried' then
        raise exception 'Esta mensagem já foi enviada de novo.' using errcode = 'PT409', hint = 'message.retried';
      end if;
      -- What goes now is another line, and both are seen.
      update public.whatsapp_messages set delivery_reason = 'retried' where id = line.id;
      update public.campaign_recipients
      set state = 'pending', reason = null, message_id = null, settled_at = null, acknowledged = false
      where id = p_recipient;
      update public.remarketing_campaigns
      set status = 'running', finished_at = null, watched_since = p_now, next_send_at = null
      where id = p_campaign and status in ('completed', 'stopped', 'error');
  end case;
  return portal.end_operation(asker, p_operation_id, 'campaign.' || p_wish,
    (select to_jsonb(c) from public.remarketing_campaigns c where c.id = p_campaign));
exception
  when unique_violation then
    raise exception 'Esta campanha já está sendo processada' using errcode = 'PT409', hint = 'campaign.active';
end $$;
comment on function portal.settle_recipient(bigint, bigint, text, uuid, timestamptz) is
  'again or sent: what becomes of a recipient with an unknown end, once an operation; by the campaign''s broker or an administrator. Answers the campaign''s row. Server only.';
