-- A reset, which is also for a lost phone, ends the secret address of the broker's calendar.

create or replace function portal.reset_broker(p_operation_id uuid, p_instance text, p_invite_hash bytea, p_invite_until timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  -- Its trigger clears the real password, ends the sessions and opens the first access.
  update public.brokers set password_hash = null where "instanceName" = p_instance;
  if not found then
    raise exception 'Corretor não encontrado' using errcode = 'PT404', hint = 'broker.unknown';
  end if;
  update portal.accounts a set invite_hash = p_invite_hash, invite_expires_at = p_invite_until
  from public.brokers b where b.id = a.broker_id and b."instanceName" = p_instance;
  -- A lost phone's calendar would show visits for good.
  delete from portal.calendar_feeds f using public.brokers b where b.id = f.broker_id and b."instanceName" = p_instance;
  return portal.end_operation(portal.account_id(), p_operation_id, 'broker.reset', jsonb_build_object('instanceName', p_instance));
end $$;
comment on function portal.reset_broker(uuid, text, bytea, timestamptz) is
  'Takes a broker''s password, sessions and calendar address away and invites to a new first access; once an operation. Administrators, by the server only.';
