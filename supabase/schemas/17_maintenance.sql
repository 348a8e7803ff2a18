-- What the portal cleans up by itself: files without a row, old rows, and the traces of wrong clocks and restored
-- databases.


-- A file to which no row refers is deleted like the files of an erased person. Its row may be missing, or was deleted
-- in another way than by an erasure.

create function portal.note_orphaned_media(p_ids text[]) returns integer
language sql volatile security definer set search_path = '' as $$
  with noted as (
    insert into portal.media_removals (media_id)
    select asked.media from unnest(p_ids) as asked (media)
    where not portal.media_is_used(asked.media)
      and not exists (select from portal.webhook_aside a where strpos(a.body, 'stored:' || asked.media) > 0)
      and not exists (select from portal.waiting_events w where strpos(w.waited::text, asked.media) > 0)
    on conflict do nothing
    returning 1
  )
  select count(*)::integer from noted
$$;
comment on function portal.note_orphaned_media(text[]) is
  'Puts files on the list of files to delete that no row refers to, not even a failed delivery; returns how many. The caller passes only old files, because a row that refers to a new one may still be written. Server only.';


-- Retention of tables that only grow. The portal deletes in batches what is older than KEEP_RAW_DAYS and
-- KEEP_AUDIT_DAYS.

create function portal.forget_raw(p_before timestamp with time zone, p_most integer) returns bigint
language sql set search_path = '' as $$
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
    -- A lead that the portal still fetches from Meta stays, however old it is.
    delete from portal.meta_inbox m where m.next_at is null and (m.key_id, m.leadgen_id) in (
      select o.key_id, o.leadgen_id from portal.meta_inbox o
      where o.next_at is null and o.received_at < p_before order by o.received_at limit p_most)
    returning 1
  ), unread as (
    delete from portal.intake_raw r where r.id in (
      select o.id from portal.intake_raw o
      where o.next_at is null and o.received_at < p_before order by o.received_at, o.id limit p_most)
    returning 1
  ), read as (
    delete from portal.intake_read r where r.id in (
      select o.id from portal.intake_read o where o.received_at < p_before order by o.received_at, o.id limit p_most)
    returning 1
  ), words as (
    delete from portal.message_raw where message_id in (
      select r.message_id from portal.message_raw r join public.whatsapp_messages m on m.id = r.message_id
      where m."timestamp" < extract(epoch from p_before) order by r.message_id limit p_most)
    returning 1
  )
  select greatest((select count(*) from aside), (select count(*) from waiting), (select count(*) from given_up), (select count(*) from unread), (select count(*) from read), (select count(*) from words))
$$;
comment on function portal.forget_raw(timestamptz, integer) is
  'Deletes original bodies of the gateway, Meta and forms from before p_before, at most p_most of each kind: those that failed, whose message never came, that were given up, that were parsed, and those kept beside messages. Messages stay. Returns the largest number deleted of one kind. Server only.';

create function portal.forget_mails(p_before timestamptz, p_most integer) returns bigint
language sql set search_path = '' as $$
  with gone as (
    delete from portal.mailbox_mails m where (m.key_id, m.hash) in (
      select o.key_id, o.hash from portal.mailbox_mails o where o.taken_at < p_before order by o.taken_at limit p_most)
    returning 1
  )
  select count(*) from gone
$$;
comment on function portal.forget_mails(timestamptz, integer) is
  'Deletes the hashes of read mails from before p_before, at most p_most; returns how many. Server only.';

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
  'Deletes the oldest entries of the audit log from before p_before, at most p_most; returns how many. Server only.';


-- After a backup was restored: prevents what the database would otherwise do a second time, and makes devices read
-- everything again.

create function portal.settle_restored(p_made_at timestamptz) returns table (campaigns bigint, lines bigint)
language plpgsql volatile set search_path = '' as $$
begin
  -- Without this, sessions would be valid again that were ended or stolen after the backup.
  delete from portal.sessions;
  -- Messages in the queue may have been sent after the backup.
  with stopped as (
    delete from portal.outgoing returning message_id
  ), noted as (
    update public.whatsapp_messages m set delivery = 'unknown', delivery_reason = 'interrupted'
    from stopped where m.id = stopped.message_id and m.message_id is null
    returning m.id
  )
  select count(*) into lines from noted;
  with paused as (
    update public.remarketing_campaigns c
    set status = 'paused', pause_reason = 'person', wait_reason = null
    where c.status in ('scheduled', 'running') or c.status = 'paused' and c.pause_reason <> 'person'
    returning c.id
  )
  select count(*) into campaigns from paused;
  delete from portal.push_queue;
  -- A scheduled text that has been due since may have been sent, too.
  update portal.scheduled_messages s set state = 'asking', reason = 'restored', changed_at = now()
  where s.state = 'waiting' and s.due_at <= now();
  -- Every device reads its whole board again.
  perform portal.renew_boards();
  perform portal.audit('backup.restored', null, jsonb_build_object('madeAt', p_made_at));
  return next;
end $$;
comment on function portal.settle_restored(timestamptz) is
  'To be called after a backup was restored. Ends all sessions, gives waiting messages an unknown outcome, pauses campaigns until a person resumes them, lets a person confirm scheduled texts that are due, and renews all boards. Returns the numbers of campaigns and messages. Operator only.';

-- A wait ends after its normal length, even if a clock that ran ahead wrote it and was corrected since.
create function portal.cap_waits(p_now timestamptz, p_longest_gap interval) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  capped integer := 0;
  changed integer;
  -- Columns that the database sets are compared with its own clock, which may differ from the portal's.
  here timestamptz := clock_timestamp();
begin
  perform portal.renew_moved_boards();
  -- After a fault a send queue waits at most five minutes, and its lease lasts half a minute.
  update portal.send_queues
  set held_until = least(held_until, here + interval '5 minutes'), leased_until = least(leased_until, here + interval '1 minute')
  where held_until > here + interval '5 minutes' or leased_until > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.name_turns set held_until = here + interval '1 minute' where held_until > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.leftover_instances set noted_at = here where noted_at > here;
  get diagnostics changed = row_count; capped := capped + changed;
  -- A time in the future would stop the reading of history until then.
  update portal.instance_sweeps set claimed_at = least(claimed_at, here), read_until = least(read_until, p_now)
  where claimed_at > here or read_until > p_now;
  get diagnostics changed = row_count; capped := capped + changed;
  -- The portal ignores reports older than these times, so a time in the future would shut out all until then.
  update portal.instance_states
  set changed_at = least(changed_at, here), dead_at = least(dead_at, here), qr_received_at = least(qr_received_at, here),
    state_at = least(state_at, here + interval '1 minute'), owner_at = least(owner_at, here + interval '1 minute'),
    qr_at = least(qr_at, here + interval '1 minute')
  where greatest(changed_at, dead_at, qr_received_at) > here
    or greatest(state_at, owner_at, qr_at) > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  -- Messages of an erased person count as new from this moment on.
  update portal.erasures set erased_at = here where erased_at > here;
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.agent_pauses
  set paused_until = paused_until - (paused_at - here), paused_at = here where paused_at > here + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  -- Pushes: the delay begins again now, and a device waits an hour at most.
  update portal.push_queue set due_at = due_at - (queued_at - p_now), queued_at = p_now
  where queued_at > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.push_queue set claimed_until = p_now + interval '1 minute' where claimed_until > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.push_devices
  set held_until = least(held_until, p_now + interval '1 hour'), watched_until = least(watched_until, p_now + interval '1 minute')
  where held_until > p_now + interval '1 hour' or watched_until > p_now + interval '1 minute';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Rotations: the time to answer or to accept begins again now. A case without a broker is tried again soon.
  update portal.roleta_cases set next_at = p_now + (next_at - since), since = p_now
  where since > p_now and next_at is not null;
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.roleta_cases set next_at = p_now + interval '5 minutes'
  where state = 'waiting' and next_at > p_now + interval '5 minutes';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.intake_raw set next_at = p_now + interval '10 minutes' where next_at > p_now + interval '10 minutes';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.meta_inbox set next_at = p_now + interval '1 hour' where next_at > p_now + interval '1 hour';
  get diagnostics changed = row_count; capped := capped + changed;

  -- Campaigns: a gap gets at most its normal length. Waits for an hour or the next day are computed again.
  update public.remarketing_campaigns
  set watched_since = least(watched_since, p_now),
    next_send_at = least(next_send_at, case when wait_reason is null then p_now + p_longest_gap
      when next_send_at > p_now + interval '2 days' then p_now else next_send_at end)
  where status in ('running', 'paused') and (watched_since > p_now
    or wait_reason is null and next_send_at > p_now + p_longest_gap
    or wait_reason is not null and next_send_at > p_now + interval '2 days');
  get diagnostics changed = row_count; capped := capped + changed;

  -- Sessions, first accesses and invites end at the latest after their full length, counted from now.
  update portal.sessions set expires_at = p_now + interval '30 days' where expires_at > p_now + interval '30 days';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.accounts
  set first_access_until = least(first_access_until, p_now + interval '24 hours'),
    invite_expires_at = least(invite_expires_at, p_now + interval '7 days')
  where first_access_until > p_now + interval '24 hours' or invite_expires_at > p_now + interval '7 days';
  get diagnostics changed = row_count; capped := capped + changed;
  update portal.throttle set trusted_until = p_now + interval '90 days' where trusted_until > p_now + interval '90 days';
  get diagnostics changed = row_count; return capped + changed;
end $$;
comment on function portal.cap_waits(timestamptz, interval) is
  'Shortens every wait, lease and term that ends later than possible, because a clock ran ahead. It then ends after its normal length from p_now, the portal''s time. p_longest_gap is the longest gap of a campaign. Times that a person chose stay. The portal runs it at its start and every minute; returns how many rows changed.';

reset check_function_bodies;
