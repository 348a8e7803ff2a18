-- A text for later that waited in the queue while its link was away is asked again when it is to leave: hours, opt-out, lateness.

create function portal.withdraw_untimely(p_line bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  words portal.scheduled_messages;
  opening constant timestamptz := portal.opening_from(now());
  why text;
begin
  select s.* into words from portal.scheduled_messages s where s.message_id = p_line and s.state = 'queued' and not s.at_once;
  if not found then return false; end if;
  why := case
    when exists (
      select from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
      where c.id = words.contact_id and p.opted_out_at is not null) then 'opted-out'
    when words.due_at < now() - interval '2 hours' then 'late'
    when opening > now() then 'hours'
  end;
  if why is null then return false; end if;
  delete from public.whatsapp_messages m where m.id = p_line and m.message_id is null;
  update portal.scheduled_messages s
  set state = case why when 'opted-out' then 'refused' when 'late' then 'asking' else 'waiting' end, reason = nullif(why, 'hours'),
    due_at = case why when 'hours' then opening else s.due_at end, message_id = null, changed_at = now()
  where s.id = words.id;
  return true;
end $$;
comment on function portal.withdraw_untimely(bigint) is
  'Takes a text for later that waited in the queue, its link being away, out of it and the conversation again where it may not go by now: the lead asked to be left alone, it is two hours late and asks, or it waits for the hours; whether it did. What a person wishes at once stays. Server only.';

create or replace function portal.claim_line(instance text, claimer uuid, lease_seconds integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  queue portal.send_queues;
  next_line portal.outgoing;
  line public.whatsapp_messages;
  hindrance text;
  address text;
begin
  insert into portal.send_queues ("instanceName") select "instanceName" from public.brokers where "instanceName" = instance
  on conflict do nothing;
  select * into queue from portal.send_queues where "instanceName" = instance for update;
  if not found or queue.held_until > clock_timestamp() then return null; end if;
  if queue.holder <> claimer and queue.leased_until > clock_timestamp() then return null; end if;
  update portal.send_queues set holder = claimer, leased_until = clock_timestamp() + make_interval(secs => lease_seconds)
  where "instanceName" = instance;
  perform portal.lose_claims();
  loop
    select o.* into next_line
    from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id
    join public.whatsapp_contacts c on c.id = m.contact_id
    where o.claimed_at is null and c."instanceName" = instance
    -- What a person wrote is never held back by a campaign.
    order by o.recipient_id is not null, o.place limit 1
    for update of o skip locked;
    if next_line.message_id is null then
      -- Let go in the same breath: whoever queues a line after this finds the queue free.
      update portal.send_queues set leased_until = null where "instanceName" = instance;
      return null;
    end if;
    select * into line from public.whatsapp_messages where id = next_line.message_id;
    hindrance := portal.line_hindrance(next_line.recipient_id);
    if hindrance is not null then
      perform portal.withdraw_line(
        next_line.recipient_id, case hindrance when 'paused' then 'pending' else 'cancelled' end, nullif(hindrance, 'paused'));
      continue;
    end if;
    if line.author = 'agent' and portal.withdraw_overtaken(line.id) then continue; end if;
    if line.author = 'human' and (portal.withdraw_answered(line.id) or portal.withdraw_untimely(line.id)) then continue; end if;
    update portal.outgoing set "instanceName" = instance, claimed_by = claimer, claimed_at = clock_timestamp()
    where message_id = line.id;
    address := portal.number_to_send(portal.address_of(line.contact_id, instance));
    exit when address is not null;
    perform portal.settle_unsent(line.id, 'failed', 'no-number');
  end loop;
  -- It goes out now, from its owner's instance, whenever it was queued.
  update public.whatsapp_messages
  set "instanceName" = instance, delivery_reason = null,
    "timestamp" = case when "timestamp" < extract(epoch from now()) - 60 then extract(epoch from now())::bigint else "timestamp" end
  where id = line.id
    and ("instanceName" <> instance or delivery_reason is not null or "timestamp" < extract(epoch from now()) - 60);
  return jsonb_build_object(
    'id', line.id, 'address', address, 'kind', line.kind, 'body', line.body, 'content', line.content,
    'typingMs', next_line.typing_ms,
    'unlessAnswered', exists (select from portal.scheduled_messages s where s.message_id = line.id and s.unless_answered),
    -- Another phone does not know the line that was answered to.
    'quotedId', (select m.message_id from public.whatsapp_messages m
      where m."instanceName" = instance and m.message_id = line.quoted ->> 'messageId')
  );
end $$;
