-- One queue an instance: claiming a line, and what became of it (PRODUCT.md 4.3, 4.4; EVOLUTION.md 1.10).
-- A line is claimed, sent, settled. Who was claimed and never settled has an unknown end and is not sent again by itself.

create function portal.lose_claims() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  with lost as (
    delete from portal.outgoing o
    where o.claimed_at is not null and not exists (
      select from portal.send_queues q
      where q."instanceName" = o."instanceName" and q.holder = o.claimed_by and q.leased_until > clock_timestamp())
    returning o.message_id
  )
  update public.whatsapp_messages m
  set delivery = 'unknown', delivery_reason = 'interrupted'
  -- One that the gateway reported meanwhile was sent.
  from lost where m.id = lost.message_id and m.message_id is null;
  -- Lines of leads that lost their broker have nobody to go out from.
  with left_over as (
    delete from portal.outgoing o
    using public.whatsapp_messages m, public.whatsapp_contacts c
    where o.claimed_at is null and m.id = o.message_id and c.id = m.contact_id and c."instanceName" is null
    returning o.message_id
  )
  update public.whatsapp_messages m set delivery = 'failed', delivery_reason = 'no-owner'
  from left_over where m.id = left_over.message_id;
end $$;
comment on function portal.lose_claims() is
  'Lines that a portal was sending when it ended get an unknown end; lines without a broker to send them fail. Server only.';

create function portal.due_queues() returns setof text
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.lose_claims();
  return query
    select distinct c."instanceName"
    from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id
    join public.whatsapp_contacts c on c.id = m.contact_id
    left join portal.send_queues q on q."instanceName" = c."instanceName"
    where o.claimed_at is null and (q.held_until is null or q.held_until <= clock_timestamp());
end $$;
comment on function portal.due_queues() is 'Instances with lines that can be sent now. Server only.';

create function portal.number_to_send(p_address text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  digits text := ltrim(regexp_replace(p_address, '[^0-9]', '', 'g'), '0');
begin
  if p_address like '%@%' then return p_address; end if;
  if ltrim(p_address) not like '+%' and length(digits) in (10, 11)
    and portal.number_key(p_address) like '+55' || left(digits, 2) || '%' then
    return '55' || digits;
  end if;
  return nullif(digits, '');
end $$;
comment on function portal.number_to_send(text) is
  'An address as the gateway wants it: WhatsApp''s own as it is, a number as typed in digits with its country''s, its ninth digit untouched (EVOLUTION.md 4.1).';

create function portal.claim_line(instance text, claimer uuid, lease_seconds integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  queue portal.send_queues;
  next_id bigint;
  line public.whatsapp_messages;
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
    select o.message_id into next_id
    from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id
    join public.whatsapp_contacts c on c.id = m.contact_id
    where o.claimed_at is null and c."instanceName" = instance
    order by o.place limit 1
    for update of o skip locked;
    if next_id is null then
      -- Let go in the same breath: whoever queues a line after this finds the queue free.
      update portal.send_queues set leased_until = null where "instanceName" = instance;
      return null;
    end if;
    update portal.outgoing set "instanceName" = instance, claimed_by = claimer, claimed_at = clock_timestamp()
    where message_id = next_id;
    select * into line from public.whatsapp_messages where id = next_id;
    address := portal.number_to_send(portal.address_of(line.contact_id, instance));
    exit when address is not null;
    perform portal.settle_unsent(next_id, 'failed', 'no-number');
  end loop;
  -- It goes out now, from its owner's instance, whenever it was queued.
  update public.whatsapp_messages
  set "instanceName" = instance, delivery_reason = null,
    "timestamp" = case when "timestamp" < extract(epoch from now()) - 60 then extract(epoch from now())::bigint else "timestamp" end
  where id = next_id
    and ("instanceName" <> instance or delivery_reason is not null or "timestamp" < extract(epoch from now()) - 60);
  return jsonb_build_object(
    'id', next_id, 'address', address, 'kind', line.kind, 'body', line.body, 'content', line.content,
    -- Another phone does not know the line that was answered to.
    'quotedId', (select m.message_id from public.whatsapp_messages m
      where m."instanceName" = instance and m.message_id = line.quoted ->> 'messageId')
  );
end $$;
comment on function portal.claim_line(text, uuid, integer) is
  'The next line of an instance for the portal that sends it, {id, address, kind, body, content, quotedId}; null while another portal sends, while the queue is held, and when it is empty. Server only.';

create function portal.settle_unsent(line bigint, outcome text, reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from portal.outgoing where message_id = line;
  -- One that the gateway reported meanwhile was sent, whatever it answered.
  update public.whatsapp_messages set delivery = outcome, delivery_reason = reason
  where id = line and message_id is null and delivery in ('queued', 'unknown');
end $$;
comment on function portal.settle_unsent(bigint, text, text) is
  'The end of a line that the gateway did not take: ''failed'' when it surely never left, ''unknown'' when nobody can say. Server only.';

create function portal.hold_queue(line bigint, reason text, most_seconds integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  instance text;
begin
  -- One that the gateway reported meanwhile was sent.
  delete from portal.outgoing o using public.whatsapp_messages m
  where o.message_id = line and m.id = line and m.message_id is not null;
  update portal.outgoing o set "instanceName" = null, claimed_by = null, claimed_at = null
  from (select message_id, "instanceName" from portal.outgoing where message_id = line) as before
  where o.message_id = before.message_id
  returning before."instanceName" into instance;
  update portal.send_queues
  set leased_until = null, held_times = held_times + 1,
    held_until = clock_timestamp() + make_interval(secs => least(most_seconds, 5 * 2 ^ least(held_times, 10)))
  where "instanceName" = instance;
  update public.whatsapp_messages m set delivery_reason = reason
  from portal.outgoing o, public.whatsapp_contacts c
  where o.message_id = m.id and o.claimed_at is null and c.id = m.contact_id and c."instanceName" = instance
    and m.delivery_reason is distinct from reason;
end $$;
comment on function portal.hold_queue(bigint, text, integer) is
  'Nothing can be sent now: the line goes back to its place, and all lines of its instance wait and say why, each time twice as long up to a limit. Server only.';

create function portal.resume_queue(instance text) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.send_queues set held_until = null, held_times = 0 where "instanceName" = instance and held_times > 0
$$;
comment on function portal.resume_queue(text) is 'The link is open again: what waits may go. Server only.';

create function portal.sending_counts() returns table ("instanceName" text, queued bigint, oldest_seconds integer)
language sql stable security definer set search_path = '' as $$
  select c."instanceName", count(*), extract(epoch from clock_timestamp() - min(o.queued_at))::integer
  from portal.outgoing o
  join public.whatsapp_messages m on m.id = o.message_id
  join public.whatsapp_contacts c on c.id = m.contact_id
  group by 1 order by 1
$$;
comment on function portal.sending_counts() is 'Lines that are not sent yet, an instance, and how old the oldest is; for health. Server only.';
