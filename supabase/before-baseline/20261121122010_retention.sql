-- How long is kept what only grows: the settings KEEP_RAW_DAYS and KEEP_AUDIT_DAYS, applied by the portal in batches (issue 11).

create or replace function portal.keep_audit() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- A day over the shortest time that the setting takes, so that a wrong clock of the portal costs nothing.
  if tg_op = 'DELETE' and old.at < now() - interval '364 days' then return old; end if;
  raise exception 'A auditoria não pode ser alterada nem apagada.' using errcode = '42501';
end $$;
comment on function portal.keep_audit() is
  'Trigger: a line of the audit log stays as it was written, whoever asks; after a year it may go as a whole.';

create function portal.forget_raw(p_before timestamptz, p_most integer) returns bigint
language sql volatile set search_path = '' as $$
  with aside as (
    delete from portal.webhook_aside where id in (
      select a.id from portal.webhook_aside a where a.received_at < p_before order by a.id limit p_most)
    returning 1
  ), waiting as (
    delete from portal.waiting_events w where (w."instanceName", w.target, w.kind) in (
      select o."instanceName", o.target, o.kind from portal.waiting_events o
      where o.received_at < p_before order by o.received_at limit p_most)
    returning 1
  ), given_up as (
    -- One that is still tried stays, however old.
    delete from portal.meta_inbox m where m.next_at is null and (m.key_id, m.leadgen_id) in (
      select o.key_id, o.leadgen_id from portal.meta_inbox o
      where o.next_at is null and o.received_at < p_before order by o.received_at limit p_most)
    returning 1
  ), words as (
    delete from portal.message_raw where message_id in (
      select r.message_id from portal.message_raw r join public.whatsapp_messages m on m.id = r.message_id
      where m."timestamp" < extract(epoch from p_before) order by r.message_id limit p_most)
    returning 1
  )
  select greatest((select count(*) from aside), (select count(*) from waiting), (select count(*) from given_up), (select count(*) from words))
$$;
comment on function portal.forget_raw(timestamptz, integer) is
  'Removes the gateway''s and Meta''s own words from before then: set aside, waiting in vain, given up, and those kept beside messages, p_most of each at once; the messages stay. Answers the most that went of one kind. Server only.';
revoke all on function portal.forget_raw(timestamptz, integer) from public, anon, authenticated, service_role;

create function portal.forget_audit(p_before timestamptz, p_most integer) returns bigint
language sql volatile set search_path = '' as $$
  with gone as (
    delete from portal.audit_log where id in (
      select a.id from portal.audit_log a where a.at < p_before order by a.at limit p_most)
    returning 1
  )
  select count(*) from gone
$$;
comment on function portal.forget_audit(timestamptz, integer) is
  'Removes lines of the audit log from before then, the oldest first, p_most at once; how many. Server only.';
revoke all on function portal.forget_audit(timestamptz, integer) from public, anon, authenticated, service_role;

comment on table portal.webhook_aside is 'Deliveries that were no event, or that the database refused; counted in health, kept for KEEP_RAW_DAYS.';
comment on table portal.waiting_events is
  'Edits, revokes, acks and reactions that came before their message, and names before their contact; kept for KEEP_RAW_DAYS.';
