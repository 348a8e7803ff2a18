-- Texts for later: written on a lead, given up when it answers first, sent one by one when their time has come.

alter table public.whatsapp_contacts add column later jsonb;
comment on column public.whatsapp_contacts.later is
  'The open texts of portal.scheduled_messages: [{id, op (how its operation begins), due (epoch seconds), silent (given up when the lead writes first), why (it stands still: answered, or its reason)}]; null without one.';
alter table portal.contact_merges add column scheduled_ids bigint[] not null default '{}';
alter table portal.send_queues add column texts_after timestamptz;
comment on column portal.send_queues.texts_after is 'Until then no text for later goes into its queue: what was held up by an outage goes one by one.';
alter table portal.push_queue drop constraint push_queue_kind_check;
alter table portal.push_queue add constraint push_queue_kind_check check (kind in ('lead', 'assigned', 'message', 'link', 'campaign', 'digest', 'handover', 'offer',
    'lost', 'webhook', 'unsent'));
comment on column portal.push_queue.kind is
  'digest: several leads wrote; handover: several became the broker''s; lost: the WhatsApp of a broker, webhook: an address that is notified no longer, both for administrators; unsent: a text for later that did not go.';
comment on column portal.push_queue.subject is 'The lead, the campaign or the text for later; null where it is about the broker''s line or several leads.';

create table portal.scheduled_messages (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  body text not null check (length(body) between 1 and 10000),
  due_at timestamptz not null,
  unless_answered boolean not null,
  seen_at timestamptz not null,
  at_once boolean not null default false,
  state text not null default 'waiting' check (state in ('waiting', 'asking', 'answered', 'refused', 'queued', 'cancelled')),
  reason text,
  action_id bigint references portal.actions on delete cascade,
  message_id bigint references public.whatsapp_messages on delete set null,
  account_id uuid,
  operation_id uuid,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
comment on table portal.scheduled_messages is
  'Texts to leads that are to go later. They stay with the lead when it is handed over or joined to another. Written by message_schedule, message_unschedule and the portal; read on the lead and by get_scheduled_messages.';
comment on column portal.scheduled_messages.due_at is 'When it is to go; moved to when sending is allowed again where it was not then.';
comment on column portal.scheduled_messages.unless_answered is 'It is given up when the lead writes first.';
comment on column portal.scheduled_messages.seen_at is
  'Up to when what the lead wrote had been seen by whoever wrote it: what came later is an answer, and what came before waits no more.';
comment on column portal.scheduled_messages.at_once is 'A person wishes it now: neither hours nor lateness hold it back.';
comment on column portal.scheduled_messages.state is
  'waiting; asking (a person must say whether it still goes); answered (given up, the lead wrote first); refused (it may not go); queued (it is the message message_id now); cancelled. The first four are open.';
comment on column portal.scheduled_messages.reason is
  'Why it waits beyond its time (not-linked), asks (late, handed-over) or was refused (opted-out, no-owner, no-number, first-texts).';
comment on column portal.scheduled_messages.action_id is 'The visit that it speaks of; it goes no more once that was moved or is over.';
create unique index scheduled_operation on portal.scheduled_messages (account_id, operation_id);
comment on index portal.scheduled_operation is 'Serves a text that its device knows by its operation alone.';
create index scheduled_contact on portal.scheduled_messages (contact_id);
comment on index portal.scheduled_contact is 'Serves what a lead carries of its texts, and their removal with it.';
create index scheduled_due on portal.scheduled_messages (due_at, id) where state = 'waiting';
comment on index portal.scheduled_due is 'Serves what is due.';
create index scheduled_message on portal.scheduled_messages (message_id);
comment on index portal.scheduled_message is 'Serves the question whether a line may still go.';
create index scheduled_action on portal.scheduled_messages (action_id);
comment on index portal.scheduled_action is 'Serves taking back what speaks of a visit.';
alter table portal.scheduled_messages enable row level security;

create function portal.carry_scheduled() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.carry_plans(array_agg(distinct n.contact_id)) from new_rows n having count(*) > 0;
  else
    perform portal.carry_plans(array_agg(distinct t.id))
    from (select o.contact_id as id from old_rows o union select n.contact_id from new_rows n) t having count(*) > 0;
  end if;
  return null;
end $$;
comment on function portal.carry_scheduled() is
  'Trigger: a lead carries its open texts, and what was seen when they were written no longer waits.';
create trigger carry_new_scheduled after insert on portal.scheduled_messages
  referencing new table as new_rows for each statement execute function portal.carry_scheduled();
create trigger carry_changed_scheduled after update on portal.scheduled_messages
  referencing old table as old_rows new table as new_rows for each statement execute function portal.carry_scheduled();

create function portal.push_unsent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(c."instanceName", 'unsent', 'later-' || new.id, new.id, interval '1 second')
  from public.whatsapp_contacts c where c.id = new.contact_id and c."instanceName" is not null;
  return null;
end $$;
comment on function portal.push_unsent() is 'Trigger: a text did not go, and its broker is told.';
create trigger push_unsent after update of state on portal.scheduled_messages
  for each row when (new.state in ('asking', 'answered', 'refused') and old.state is distinct from new.state)
  execute function portal.push_unsent();

create function portal.was_answered(p_text portal.scheduled_messages) returns boolean
language sql stable set search_path = '' as $$
  select p_text.unless_answered and exists (
    select from public.whatsapp_messages m
    where m.contact_id = p_text.contact_id and m.type = 'incoming' and m."timestamp" > floor(extract(epoch from p_text.seen_at)))
$$;
comment on function portal.was_answered(portal.scheduled_messages) is
  'Whether the lead wrote since, and the text is one that then does not go. Server only.';

-- After the triggers that lock the lead: whoever writes texts takes the lead first, too.
create function portal.withhold_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.scheduled_messages s set state = 'answered', reason = null, changed_at = now()
  where s.state in ('waiting', 'asking') and s.contact_id in (select n.contact_id from new_rows n where n.type = 'incoming')
    and portal.was_answered(s);
  return null;
end $$;
comment on function portal.withhold_texts() is 'Trigger: a lead wrote, so that texts meant for silence do not go.';
create trigger withhold_texts after insert on public.whatsapp_messages
  referencing new table as new_rows for each statement execute function portal.withhold_texts();

create function portal.ask_new_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.scheduled_messages s set state = 'asking', reason = 'handed-over', changed_at = now()
  where s.contact_id = new.id and s.state = 'waiting' and not s.at_once;
  return null;
end $$;
comment on function portal.ask_new_owner() is 'Trigger: what one broker wrote goes out from another only when that one says so.';
create trigger withhold_from_new_owner after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName") execute function portal.ask_new_owner();

create function portal.scheduled_answer(p_code text, p_text bigint default null) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('saved', 'already'),
    'code', p_code,
    'message', case p_code
      when 'unknown_lead' then 'Lead não encontrado.'
      when 'gone' then 'Esta mensagem já tinha saído ou sido cancelada.'
    end,
    'scheduled_id', p_text)
$$;
comment on function portal.scheduled_answer(text, bigint) is
  'The answer to a text that was scheduled or taken back: saved, already, gone or unknown_lead, and which text it was.';

create function portal.open_text(p_lead bigint, p_text bigint, p_account uuid, p_text_operation uuid) returns bigint
language sql stable security definer set search_path = '' as $$
  select s.id from portal.scheduled_messages s
  where s.contact_id = p_lead and s.state in ('waiting', 'asking', 'answered', 'refused')
    and (s.id = p_text or (s.account_id = p_account and s.operation_id = p_text_operation))
  order by s.id limit 1
$$;
comment on function portal.open_text(bigint, bigint, uuid, uuid) is
  'An open text of a lead by its id, or by the operation by which this account wrote it; null when it went, was cancelled or there is none. Server only.';

create function portal.put_text(
  p_lead bigint, p_body text, p_due_at timestamptz, p_unless_answered boolean, p_seen_at timestamptz, p_action bigint,
  p_account uuid, p_operation_id uuid
) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  made portal.scheduled_messages;
begin
  insert into portal.scheduled_messages
    (contact_id, body, due_at, unless_answered, seen_at, at_once, action_id, account_id, operation_id)
  values (p_lead, p_body, coalesce(p_due_at, now()), p_unless_answered, p_seen_at, p_due_at is null, p_action, p_account, p_operation_id)
  returning * into made;
  -- Written on a phone without a signal, it may come after the answer, or long after its time.
  update portal.scheduled_messages s
  set state = case when portal.was_answered(made) then 'answered' else 'asking' end,
    reason = case when not portal.was_answered(made) then 'late' end
  where s.id = made.id and not s.at_once and (portal.was_answered(made) or made.due_at < now() - interval '2 hours');
  return made.id;
end $$;
comment on function portal.put_text(bigint, text, timestamptz, boolean, timestamptz, bigint, uuid, uuid) is
  'Writes a text for later, null: now, whatever the hour; given up at once where the lead answered already, and asked about where its time is two hours over. Its id. Server only.';

create function public.message_schedule(
  p_contact_id bigint, p_text text, p_due_at timestamptz, p_unless_answered boolean default true,
  p_seen_at timestamptz default null, p_scheduled_id bigint default null, p_scheduled_operation uuid default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  before bigint;
  is_change constant boolean := p_scheduled_id is not null or p_scheduled_operation is not null;
  words constant text := btrim(p_text, E' \t\r\n');
begin
  if answer is not null then return answer; end if;
  if coalesce(words, '') = '' then
    raise exception 'Escreva uma mensagem.' using errcode = 'PT422';
  end if;
  if length(words) > 10000 then
    raise exception 'A mensagem passa de 10.000 caracteres.' using errcode = 'PT422';
  end if;
  if p_due_at not between now() - interval '1 year' and now() + interval '1 year' then
    raise exception 'Escolha um dia no próximo ano.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if not portal.lock_lead(lead) then
    return portal.end_operation(account, p_operation_id, 'message.schedule', portal.scheduled_answer('unknown_lead'));
  end if;
  before := portal.open_text(lead, p_scheduled_id, account, p_scheduled_operation);
  if is_change and before is null then
    -- Sent by then, it is not sent twice; other words for it are not lost without a word.
    return portal.end_operation(account, p_operation_id, 'message.schedule',
      portal.scheduled_answer(case when p_due_at is null then 'already' else 'gone' end));
  end if;
  if before is null then
    before := portal.put_text(lead, words, p_due_at, p_unless_answered, least(coalesce(p_seen_at, now()), now()), null,
      account, p_operation_id);
  else
    update portal.scheduled_messages s
    set body = words, due_at = coalesce(p_due_at, now()), at_once = p_due_at is null,
      unless_answered = p_unless_answered and p_due_at is not null, seen_at = greatest(s.seen_at, least(coalesce(p_seen_at, now()), now())),
      state = case when p_due_at < now() - interval '2 hours' then 'asking' else 'waiting' end,
      reason = case when p_due_at < now() - interval '2 hours' then 'late' end, changed_at = now()
    where s.id = before;
    update portal.scheduled_messages s set state = 'answered', reason = null where s.id = before and portal.was_answered(s);
  end if;
  return portal.end_operation(account, p_operation_id, 'message.schedule', portal.scheduled_answer('saved', before));
end $$;
comment on function public.message_schedule(bigint, text, timestamptz, boolean, timestamptz, bigint, uuid, uuid, text, text) is
  'A text to a lead for later: goes at p_due_at, null: now. With p_unless_answered it is given up when the lead writes after p_seen_at, up to when what the lead wrote had been seen (null: now). Its time being two hours over when it comes here, it asks first. p_scheduled_id, or p_scheduled_operation while only the operation is known: the open text that it takes the place of. A broker for the own leads, an administrator for all. The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, scheduled_id}, code saved, unknown_lead, gone (what was to change has left or was cancelled) or already (the same, where it was only to go now). 401 once the session has ended; 422 for an empty text, one of more than 10,000 characters or a time out of reach.';
grant execute on function public.message_schedule(bigint, text, timestamptz, boolean, timestamptz, bigint, uuid, uuid, text, text) to authenticated, service_role;

create function public.message_unschedule(
  p_contact_id bigint, p_scheduled_id bigint default null, p_scheduled_operation uuid default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  before bigint;
  code text := 'already';
begin
  if answer is not null then return answer; end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if not portal.lock_lead(lead) then
    code := 'unknown_lead';
  else
    before := portal.open_text(lead, p_scheduled_id, account, p_scheduled_operation);
    if before is not null then
      update portal.scheduled_messages s set state = 'cancelled', reason = null, changed_at = now() where s.id = before;
      code := 'saved';
    end if;
  end if;
  return portal.end_operation(account, p_operation_id, 'message.unschedule', portal.scheduled_answer(code, before));
end $$;
comment on function public.message_unschedule(bigint, bigint, uuid, uuid, text, text) is
  'Takes a text for later back; already where it has left or was taken back before. Who may, how lead and text are named, p_operation_id and the answer are those of message_schedule.';
grant execute on function public.message_unschedule(bigint, bigint, uuid, uuid, text, text) to authenticated, service_role;

create function public.get_scheduled_messages(p_broker_name text) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.require_member() is not null and not portal.is_admin() and p_broker_name is distinct from portal.my_instance() then
    raise exception 'Estas mensagens são de outro corretor.' using errcode = '42501';
  end if;
  return (
    select coalesce(json_agg(json_build_object(
      'id', s.id, 'contact_id', s.contact_id, 'text', s.body, 'due', floor(extract(epoch from s.due_at))::bigint,
      'changed', floor(extract(epoch from s.changed_at))::bigint) order by s.due_at, s.id), '[]')
    from portal.scheduled_messages s join public.whatsapp_contacts c on c.id = s.contact_id
    where c."instanceName" = p_broker_name and s.state in ('waiting', 'asking', 'answered', 'refused'));
end $$;
comment on function public.get_scheduled_messages(text) is
  'The words of all open texts on the board of an instance: [{id, contact_id, text, due, changed (epoch seconds)}]; how each stands is on its lead. A broker of the own board, an administrator of any: else 42501; 401 once the session has ended.';
grant execute on function public.get_scheduled_messages(text) to authenticated, service_role;


-- Sending: what is due goes into the queue of its instance, one after the other, after everything was asked again.

create function portal.opening_from(p_at timestamptz) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
declare
  hours public.campaign_settings;
  here timestamp := p_at at time zone portal.time_zone();
begin
  select * into hours from public.campaign_settings;
  for ahead in 0..2 loop
    if extract(isodow from here) < 7 or hours.sends_on_sundays then
      if extract(hour from here) < hours.opens_at then
        return (here::date + make_interval(hours => hours.opens_at)) at time zone portal.time_zone();
      elsif extract(hour from here) < hours.closes_at then
        return case when ahead = 0 then p_at else here at time zone portal.time_zone() end;
      end if;
    end if;
    here := here::date + 1;
  end loop;
end $$;
comment on function portal.opening_from(timestamptz) is
  'The first instant from one on at which what nobody waits for may be sent: within the hours, not on Sundays unless they are allowed. Server only.';

create function portal.queue_text(p_text bigint, p_instance text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  words portal.scheduled_messages;
  sender_jid text;
  line bigint;
  hint text;
begin
  select * into words from portal.scheduled_messages s where s.id = p_text;
  begin
    if portal.address_of(words.contact_id, p_instance) is null then
      raise exception 'no number' using errcode = 'PT409', hint = 'lead.no-number';
    end if;
    perform portal.begin_conversation(words.contact_id);
  exception when sqlstate 'PT409' then
    get stacked diagnostics hint = pg_exception_hint;
    update portal.scheduled_messages s
    set state = 'refused', reason = split_part(hint, '.', 2), changed_at = now() where s.id = p_text;
    return false;
  end;
  select i.owner_jid into sender_jid from portal.instance_states i where i."instanceName" = p_instance;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, operation_id)
  values (words.contact_id, p_instance, sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1), words.body,
    extract(epoch from now())::bigint, 'outgoing', 'text', 'human', 'queued', coalesce(words.operation_id, gen_random_uuid()))
  returning id into line;
  insert into portal.outgoing (message_id) values (line);
  update portal.scheduled_messages s
  set state = 'queued', reason = null, message_id = line, changed_at = now() where s.id = p_text;
  return true;
end $$;
comment on function portal.queue_text(bigint, text) is
  'A text whose time has come becomes a message in the queue; refused instead, with the reason, where it may not begin a conversation. Whether it went. Server only.';

create function portal.hold_texts(p_leads bigint[], p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  opening constant timestamptz := portal.opening_from(p_now);
begin
  with asked as (
    select s.id, s.due_at, c."instanceName", p.opted_out_at is not null as is_left_alone
    from portal.scheduled_messages s
    join public.whatsapp_contacts c on c.id = s.contact_id join portal.people p on p.id = c.person_id
    where s.contact_id = any (p_leads) and s.state = 'waiting' and s.due_at <= p_now
      and (not s.at_once or c."instanceName" is null)
  ), judged as (
    select a.id,
      case when a."instanceName" is null then 'no-owner' when a.is_left_alone then 'opted-out'
        when a.due_at < p_now - interval '2 hours' then 'late'
        when opening > p_now then null else portal.link_trouble(a."instanceName") end as reason
    from asked a
  )
  update portal.scheduled_messages s
  set state = case when j.reason in ('no-owner', 'opted-out') then 'refused' when j.reason = 'late' then 'asking' else 'waiting' end,
    reason = case when j.reason = 'unreachable' then 'not-linked' else j.reason end,
    due_at = case when j.reason is null and opening > p_now then opening else s.due_at end,
    changed_at = now()
  from judged j
  where j.id = s.id and (
    j.reason in ('no-owner', 'opted-out', 'late') or opening > p_now and j.reason is null
    or s.reason is distinct from case when j.reason = 'unreachable' then 'not-linked' else j.reason end);
end $$;
comment on function portal.hold_texts(bigint[], timestamptz) is
  'Of the due texts of locked leads: who asked to be left alone or lost the broker gets none, what is two hours late asks first, what comes outside the hours waits for them, and what has no link says so. Server only.';

create function portal.queue_due_texts(p_now timestamptz, p_gap_ms integer) returns setof text
language plpgsql volatile security definer set search_path = '' as $$
declare
  leads bigint[];
  next record;
begin
  if not exists (select from portal.scheduled_messages s where s.state = 'waiting' and s.due_at <= p_now) then return; end if;
  -- The leads first, as all who write texts do; one that is being changed right now waits for the next look.
  leads := array(
    select c.id from public.whatsapp_contacts c
    where c.id in (
      select s.contact_id from portal.scheduled_messages s where s.state = 'waiting' and s.due_at <= p_now
      -- What has no link stands in nobody's way.
      order by s.reason is not null, s.due_at, s.id limit 1000)
    order by c.id for no key update of c skip locked);
  perform portal.hold_texts(leads, p_now);
  insert into portal.send_queues ("instanceName")
  select distinct c."instanceName" from public.whatsapp_contacts c where c.id = any (leads) and c."instanceName" is not null
  on conflict do nothing;
  for next in
    select due.id, due."instanceName"
    from (
      select s.id, c."instanceName", s.at_once, s.due_at, row_number() over (
        partition by c."instanceName", s.at_once order by s.due_at, s.id) as place, q.texts_after
      from portal.scheduled_messages s
      join public.whatsapp_contacts c on c.id = s.contact_id
      join portal.send_queues q on q."instanceName" = c."instanceName"
      where s.contact_id = any (leads) and s.state = 'waiting' and s.due_at <= p_now and s.reason is null
    ) due
    where due.at_once or due.place = 1 and coalesce(due.texts_after <= p_now, true)
    order by due.due_at, due.id
  loop
    if portal.queue_text(next.id, next."instanceName") then
      update portal.send_queues q set texts_after = p_now + make_interval(secs => p_gap_ms / 1000.0)
      where q."instanceName" = next."instanceName";
      return next next."instanceName";
    end if;
  end loop;
end $$;
comment on function portal.queue_due_texts(timestamptz, integer) is
  'Puts texts whose time has come into the queues of their instances, one an instance and p_gap_ms, what a person wishes now without a gap; answers the instances that have something to send. Server only.';

create function portal.withdraw_answered(p_line bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  words portal.scheduled_messages;
begin
  select s.* into words from portal.scheduled_messages s where s.message_id = p_line and s.state = 'queued';
  if not found or not portal.was_answered(words) then return false; end if;
  delete from public.whatsapp_messages m where m.id = p_line and m.message_id is null;
  update portal.scheduled_messages s set state = 'answered', message_id = null, changed_at = now() where s.id = words.id;
  return true;
end $$;
comment on function portal.withdraw_answered(bigint) is
  'Takes a text that was meant for silence out of the queue and the conversation where the lead has answered; whether it did. Server only.';

-- Deliveries of an instance are acknowledged before a text is handed over or after it, never in between: who stores one waits for
-- the lock that is held while the text is looked at for the last time and begins to leave.
create function portal.wait_for_hand_over() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(108003, hashtext(d."instanceName"))
  from (select distinct n."instanceName" from new_rows n order by 1) d;
  return null;
end $$;
comment on function portal.wait_for_hand_over() is
  'Trigger: a delivery is safe, and acknowledged, only when no text that it could answer is just being handed over.';
create trigger wait_for_hand_over after insert on portal.webhook_inbox
  referencing new table as new_rows for each statement execute function portal.wait_for_hand_over();

create function portal.may_hand_over(p_line bigint, p_instance text) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(108003, hashtext(p_instance));
  -- What is acknowledged and not yet read may be the answer: the text waits until it is, behind the others.
  if exists (select from portal.webhook_inbox i where i."instanceName" = p_instance) then
    update portal.outgoing o set "instanceName" = null, claimed_by = null, claimed_at = null, place = default
    where o.message_id = p_line;
    update portal.send_queues q set leased_until = null where q."instanceName" = p_instance;
    return 'wait';
  end if;
  -- Only then: what was read between the two looks is seen by this one.
  return case when portal.withdraw_answered(p_line) then 'withdrawn' else 'go' end;
end $$;
comment on function portal.may_hand_over(bigint, text) is
  'Whether a claimed text that is meant for silence begins to leave, in the transaction in which it does: go; withdrawn, the lead has answered; wait, unclaimed behind the others, something unread came in. Server only.';

create function portal.carry_plans(p_contacts bigint[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  quieted bigint[];
begin
  if p_contacts is null then return; end if;
  -- In the order of all who write leads; after the wait a snapshot that has what the one before wrote.
  perform from public.whatsapp_contacts c where c.id = any (p_contacts) order by c.id for no key update;
  with carried as (
    select t.id, greatest(planned.quiet_at, written.quiet_at) as quiet_at, planned.next, written.later
    from unnest(p_contacts) as t (id)
    cross join lateral (
      select max(a.seen_at) filter (where a.outcome is distinct from 'removed') as quiet_at,
        jsonb_agg(jsonb_build_object('id', a.id, 'op', left(a.operation_id::text, 8), 'kind', a.kind,
          'due', floor(extract(epoch from a.due_at))::bigint, 'note', a.note)
          order by a.due_at, a.id) filter (where a.finished_at is null) as next
      from portal.actions a where a.contact_id = t.id
    ) planned
    cross join lateral (
      select max(s.seen_at) filter (where s.state <> 'cancelled') as quiet_at,
        jsonb_agg(jsonb_build_object('id', s.id, 'op', left(s.operation_id::text, 8),
          'due', floor(extract(epoch from s.due_at))::bigint, 'silent', s.unless_answered)
          || case when s.state = 'answered' then '{"why": "answered"}'
            when s.reason is not null then jsonb_build_object('why', s.reason) else '{}' end
          order by s.due_at, s.id) filter (where s.state in ('waiting', 'asking', 'answered', 'refused')) as later
      from portal.scheduled_messages s where s.contact_id = t.id
    ) written
  ), changed as (
    update public.whatsapp_contacts c set quiet_at = carried.quiet_at, next = carried.next, later = carried.later
    from carried, public.whatsapp_contacts before
    where c.id = carried.id and before.id = c.id
      and (c.quiet_at, c.next, c.later) is distinct from (carried.quiet_at, carried.next, carried.later)
    returning c.id, before.quiet_at is distinct from c.quiet_at as is_quieted
  )
  select array_agg(w.id) into quieted from changed w where w.is_quieted;
  if quieted is not null then perform portal.carry(quieted); end if;
end $$;
comment on function portal.carry_plans(bigint[]) is
  'Writes on each lead its open actions and texts for later, and up to when what it wrote was seen by whoever set them. Server only.';

create or replace function portal.carry_actions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.carry_plans(array_agg(distinct n.contact_id)) from new_rows n having count(*) > 0;
  else
    perform portal.carry_plans(array_agg(distinct t.id))
    from (select o.contact_id as id from old_rows o union select n.contact_id from new_rows n) t having count(*) > 0;
  end if;
  return null;
end $$;
comment on function portal.carry_actions() is
  'Trigger: a lead carries its open actions, and what was seen when they were set no longer waits.';

create or replace function portal.list_merged_actions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.action_ids := array(select a.id from portal.actions a where a.contact_id = new.gone_contact_id);
  new.scheduled_ids := array(select s.id from portal.scheduled_messages s where s.contact_id = new.gone_contact_id);
  return new;
end $$;
comment on function portal.list_merged_actions() is 'Trigger: a merge keeps which actions and texts for later came with the contact that goes.';

create or replace function portal.move_actions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.actions a
  set contact_id = case when new.undone_at is null then new.kept_contact_id else new.gone_contact_id end
  where a.id = any (new.action_ids);
  update portal.scheduled_messages s
  set contact_id = case when new.undone_at is null then new.kept_contact_id else new.gone_contact_id end
  where s.id = any (new.scheduled_ids);
  return null;
end $$;
comment on function portal.move_actions() is
  'Trigger: a lead that becomes one with another takes along what is to be done for it and said to it later, and back when the two are parted.';

create or replace function portal.board_leads(p_board text, p_contacts bigint[]) returns json
language plpgsql stable set search_path = '' as $$
declare
  -- What stands on every lead of a board is looked up once.
  broker_number text := (select b.broker_number from public.brokers b where b."instanceName" = p_board);
begin
  return (
    select coalesce(json_agg(lead), '[]')
    from (
      select
        c.id, c.name, c.number, c.notes, c.status, c.unread_count,
        date_trunc('second', c.created_at) as created_at,
        date_trunc('second', c.updated_at) as updated_at,
        case
          -- Whoever comes in by a form is read like whoever writes.
          when arrival.received_at is not null then json_build_object(
            'body', left(coalesce(arrival.message, 'Deixou o contato'), 300),
            'timestamp', floor(extract(epoch from arrival.received_at))::bigint,
            'type', 'incoming', 'kind', 'text', 'delivery', null)
          when c.last_message_id is not null then json_build_object(
            'body', c.last_message_body,
            'timestamp', c.last_message_timestamp,
            'type', c.last_message_type,
            'kind', c.last_message_kind,
            'delivery', c.last_message_delivery)
        end as last_message,
        -- Mostly the same as the message's, and so next to it.
        floor(extract(epoch from c.waiting_since))::bigint as waiting_since,
        -- Mostly the same on neighbours, and side by side so that it costs next to nothing compressed.
        c.remarketing_sent_at,
        c.person_id in (select p.id from portal.people p where p.opted_out_at is not null) as opted_out,
        c.next, c.later, c.source, c.empreendimento,
        c.profile_pic_url, broker_number, p_board as "instanceName"
      from (
        select o.* from public.whatsapp_contacts o
        where o."instanceName" = p_board and (p_contacts is null or o.id = any (p_contacts))
        -- Not even begun for a broker's board.
        union all
        select o.* from public.whatsapp_contacts o where p_board = '' and o."instanceName" is null
      ) c
      -- The first message to a central instance is an arrival, too, and stands as the message that it is.
      left join lateral (
        select i.message, i.received_at from portal.lead_intakes i
        where c.left_contact_at is not null and i.contact_id = c.id and i.key_id is not null
          and i.received_at > to_timestamp(coalesce(c.last_message_timestamp, 0))
        order by i.id desc limit 1
      ) arrival on true
    ) lead
  );
end $$;
comment on function portal.board_leads(text, bigint[]) is
  'Leads of a board as sync_board shows them: the named ones, or all of them with null; of the board '''' always all.';

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
    if line.author = 'human' and portal.withdraw_answered(line.id) then continue; end if;
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
comment on function portal.claim_line(text, uuid, integer) is
  'The next line of an instance for the portal that sends it, {id, address, kind, body, content, typingMs, quotedId, unlessAnswered: portal.may_hand_over is asked first}, a person''s before a campaign''s; null while another portal sends, while the queue is held, and when it is empty. Server only.';

create or replace function portal.outdated_pushes(p_now timestamptz) returns setof bigint
language sql stable security definer set search_path = '' as $$
  select q.id
  from portal.push_queue q
  join portal.push_devices d on d.id = q.device_id
  join portal.sessions s on s.id = d.session_id
  -- Whose it is about: an administrator is told of a broker's line.
  left join public.brokers b on b.id = coalesce(q.broker_id, s.account_id)
  left join public.whatsapp_contacts c on c.id = q.subject and q.kind in ('lead', 'assigned', 'message')
  left join portal.instance_states i on i."instanceName" = b."instanceName"
  where q.queued_at < p_now - interval '1 day'
    or s.expires_at <= p_now
    or d.removed_at is not null
    or q.claimed_by is null and q.due_at <= p_now and case q.kind
      when 'link' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'lost' then i.state = 'open' and i.dead_at is null or i.cut_at > q.queued_at - interval '2 minutes'
      when 'campaign' then not exists (select from public.remarketing_campaigns r where r.id = q.subject)
      when 'digest' then not exists (
        select from public.whatsapp_contacts u where u."instanceName" = b."instanceName" and u.unread_count > 0)
      when 'handover' then false
      when 'webhook' then not exists (select from portal.hooks h where h.reason is not null)
      when 'unsent' then not exists (
        select from portal.scheduled_messages t join public.whatsapp_contacts l on l.id = t.contact_id
        where t.id = q.subject and t.state in ('asking', 'answered', 'refused') and l."instanceName" = b."instanceName")
      when 'offer' then not exists (
        select from portal.roleta_cases k
        where k.id = q.subject and (
          k.state = 'offered' and k.holder = b."instanceName" and k.next_at > p_now
          or k.state = 'pool' and b."instanceName" in (select portal.pool_brokers(k.roleta_id))))
      -- Read here or on the phone, removed, or another's by now.
      else c."instanceName" is distinct from b."instanceName"
        or c.unread_count = 0 and (q.kind = 'message' or q.kind = 'lead' and c.last_message_id is not null)
    end
$$;
comment on function portal.outdated_pushes(timestamptz) is 'Pushes that nobody needs any more: what they would tell is known, gone or over. Server only.';

create or replace function portal.claim_pushes(p_claimer uuid, p_now timestamptz, p_lease_seconds integer, p_most integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  due bigint[];
  answer jsonb;
begin
  -- Any constant does: portals take turns at this, which is short.
  perform pg_advisory_xact_lock(108002);
  -- Whoever is settling one of them right now holds it.
  perform portal.unclaim_push(expired.id)
  from (
    select q.id from portal.push_queue q where q.claimed_until <= p_now
    order by q.device_id, q.id desc for update skip locked
  ) expired;
  -- What came in since makes it news again: it counts as another then.
  with outdated as (
    select q.id, q.happened from portal.push_queue q where q.id in (select portal.outdated_pushes(p_now))
  )
  delete from portal.push_queue q using outdated where q.id = outdated.id and q.happened = outdated.happened;
  -- Held until it is told: nobody opens, closes or reads between one rule and the next. Whoever is at one right now wakes us after.
  due := array(
    select q.id from portal.push_queue q where q.claimed_by is null and q.due_at <= p_now
    order by q.device_id, q.id for update skip locked);
  due := due || array(select portal.gather_pushes(p_now, due));
  -- One look for the check and for what is told: what changes right now is seen by both or by neither.
  with next as (
    select q.id from portal.push_queue q join portal.push_devices d on d.id = q.device_id
    where q.id = any (due) and q.claimed_by is null and q.due_at <= p_now and (d.held_until is null or d.held_until <= p_now)
      and q.id not in (select portal.outdated_pushes(p_now))
      -- One after the other where they replace each other.
      and not exists (
        select from portal.push_queue before
        where before.device_id = q.device_id and before.tag = q.tag and before.claimed_by is not null)
    order by q.due_at, q.id limit p_most
    for update of q skip locked
  ), taken as (
    update portal.push_queue q
    set claimed_by = p_claimer, claimed_until = p_now + make_interval(secs => p_lease_seconds)
    from next where q.id = next.id
    returning q.id, q.device_id, q.kind, q.tag, q.subject, q.broker_id, q.happened
  )
  select jsonb_build_object(
    'pushes', (
      select coalesce(jsonb_agg(row_to_json(told) order by told.id), '[]')
      from (
        select q.id, q.kind, q.tag, q.subject, q.happened, d.id as "deviceId", d.endpoint, d.p256dh, d.auth,
          d.held_times as "heldTimes", coalesce(p.hides_names, false) as "hidesNames",
          case when q.broker_id is null then unread.leads end as "unreadLeads",
          case when q.broker_id is not null then b."instanceName" end as "lostInstance",
          case when c.id is not null then jsonb_build_object(
            'name', c.name, 'number', c.number, 'kind', coalesce(m.kind, 'text'), 'body', coalesce(left(m.body, 300), ''),
            'sentAtSeconds', m."timestamp") end as lead,
          case when r.id is not null then jsonb_build_object(
            'status', r.status, 'sent', r.processed_contacts, 'total', r.total_contacts) end as campaign,
          case when o.id is not null then jsonb_build_object(
            'firstName', portal.first_name(person.name), 'development', o.development,
            'secondsLeft', ceil(extract(epoch from o.next_at - p_now))) end as offer,
          case when t.id is not null then jsonb_build_object(
            'contactId', t.contact_id, 'name', spoken.name, 'number', spoken.number,
            'why', case when t.state = 'answered' then 'answered' else t.reason end) end as unsent
        from taken q
        join portal.push_devices d on d.id = q.device_id
        join portal.sessions s on s.id = d.session_id
        left join public.brokers b on b.id = coalesce(q.broker_id, s.account_id)
        left join portal.push_settings p on p.account_id = s.account_id
        left join public.whatsapp_contacts c on c.id = q.subject and q.kind in ('lead', 'assigned', 'message')
        left join lateral (
          select m.kind, m.body, m."timestamp" from public.whatsapp_messages m
          where m.contact_id = c.id and m.type = 'incoming' order by m."timestamp" desc, m.id desc limit 1
        ) m on true
        left join public.remarketing_campaigns r on r.id = q.subject and q.kind = 'campaign'
        left join portal.roleta_cases o on o.id = q.subject and q.kind = 'offer'
        left join public.whatsapp_contacts person on person.id = o.contact_id
        left join portal.scheduled_messages t on t.id = q.subject and q.kind = 'unsent'
        left join public.whatsapp_contacts spoken on spoken.id = t.contact_id
        cross join lateral (
          select count(*) as leads from public.whatsapp_contacts u
          where u."instanceName" = b."instanceName" and u.unread_count > 0
        ) unread
      ) told
    ),
    'nextAt', (
      select to_json(min(greatest(q.due_at, d.held_until, q.claimed_until))) #>> '{}'
      from portal.push_queue q join portal.push_devices d on d.id = q.device_id
      where q.id not in (select taken.id from taken)
    )
  ) into answer;
  return answer;
end $$;
comment on function portal.claim_pushes(uuid, timestamptz, integer, integer) is
  'The pushes that are due, for the portal that sends them until its lease ends, each with what it says as of now; and when the next are due. {pushes, nextAt}. Server only.';

create or replace function portal.agent_talk(p_agent_id integer, p_lead public.whatsapp_contacts) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_lead.id, 'name', p_lead.name, 'number', p_lead.number, 'notes', p_lead.notes, 'status', p_lead.status,
    'unread_count', p_lead.unread_count, 'created_at', p_lead.created_at,
    'remarketing_sent_at', p_lead.remarketing_sent_at,
    'waiting_since', floor(extract(epoch from p_lead.waiting_since))::bigint, 'next', p_lead.next, 'later', p_lead.later,
    'source', p_lead.source, 'empreendimento', p_lead.empreendimento,
    'opted_out', exists (select from portal.people p where p.id = p_lead.person_id and p.opted_out_at is not null),
    'profile_pic_url', p_lead.profile_pic_url, 'instanceName', p_lead."instanceName",
    'last_message', jsonb_build_object(
      'body', p_lead.last_message_body, 'timestamp', p_lead.last_message_timestamp, 'type', p_lead.last_message_type,
      'kind', p_lead.last_message_kind, 'delivery', p_lead.last_message_delivery),
    'last_author', (
      select m.author from public.whatsapp_messages m where m.id = p_lead.last_message_id and m.type = 'outgoing'),
    'pause', portal.pause_of(p_agent_id, p_lead.person_id))
$$;
comment on function portal.agent_talk(integer, public.whatsapp_contacts) is
  'A lead as public.get_agent_conversations and public.get_agent_conversation answer it. Server only.';

create or replace function portal.held_rows(s portal.subject, p_place text, p_after bigint, p_limit integer) returns table (id bigint, at timestamp with time zone, data jsonb)
language sql stable security definer set search_path = '' as $$
  -- One place is asked for; the others are not begun. What is another person's is left out: who else a rotation weighed, and in a
  -- delivery that held several events, theirs.
  select found.id, found.at, found.data
  from (
    select p.id, p.created_at as at, jsonb_build_object('numberKey', p.number_key, 'optedOutAt', p.opted_out_at) as data
    from portal.people p where p_place = 'person' and p.id = any ((s).people)
    union all
    select row_number() over (order by i."instanceName", i.jid), i.first_seen_at, to_jsonb(i) - 'person_id'
    from portal.identities i where p_place = 'addresses' and i.person_id = any ((s).people)
    union all
    select c.id, c.created_at, to_jsonb(c) - 'person_id'
    from public.whatsapp_contacts c where p_place = 'leads' and c.id = any ((s).contacts)
    union all
    select m.id, to_timestamp(m."timestamp"), to_jsonb(m) || jsonb_build_object('raw', r.raw)
    from public.whatsapp_messages m left join portal.message_raw r on r.message_id = m.id
    where p_place = 'messages' and m.contact_id = any ((s).contacts)
    union all
    select h.id, h.changed_at, to_jsonb(h) - 'account_id'
    from portal.stage_history h where p_place = 'stages' and h.contact_id = any ((s).contacts)
    union all
    select a.id, a.created_at, to_jsonb(a) - 'account_id'
    from portal.actions a where p_place = 'actions' and a.contact_id = any ((s).contacts)
    union all
    select t.id, t.created_at, to_jsonb(t) - 'account_id'
    from portal.scheduled_messages t where p_place = 'scheduled' and t.contact_id = any ((s).contacts)
    union all
    select h.id, h.changed_at, to_jsonb(h) - 'account_id'
    from portal.owner_history h where p_place = 'owners' and h.contact_id = any ((s).contacts)
    union all
    select i.id, i.received_at, to_jsonb(i) - 'key_id'
    from portal.lead_intakes i where p_place = 'intakes' and i.contact_id = any ((s).contacts)
    union all
    select e.id, e.at, jsonb_build_object('case', c.id, 'contact_id', c.contact_id, 'development', c.development, 'state', c.state,
      'kind', e.kind, 'instanceName', e."instanceName", 'changed_by', e.changed_by)
    from portal.roleta_cases c join portal.roleta_events e on e.case_id = c.id
    where p_place = 'distribution' and c.contact_id = any ((s).contacts)
    union all
    select r.id, coalesce(r.accepted_at, c.created_at), to_jsonb(r) - 'person_id'
    from public.campaign_recipients r join public.remarketing_campaigns c on c.id = r.campaign_id
    where p_place = 'campaigns' and r.person_id = any ((s).people)
    union all
    select a.id, a.created_at, to_jsonb(a) from public.agent_chat_messages a
    where p_place = 'agents' and (portal.number_key(a.remotejid) = any ((s).keys) or a.remotejid = any ((s).addresses))
    union all
    select t.id, t.began_at, to_jsonb(t) - 'claimed_by' - 'operation_id'
    from portal.agent_turns t where p_place = 'turns' and t.contact_id = any ((s).contacts)
    union all
    select 4503599627370496 + h.id, h.at, to_jsonb(h)
    from portal.agent_handovers h where p_place = 'turns' and h.contact_id = any ((s).contacts)
    union all
    select row_number() over (order by p.agent_id), p.paused_at, to_jsonb(p) - 'person_id'
    from portal.agent_pauses p where p_place = 'pauses' and p.person_id = any ((s).people)
    union all
    select m.id, m.merged_at, jsonb_build_object('instanceName', m."instanceName", 'kept_before', m.kept_before,
      'gone_before', m.gone_before, 'jids', m.jids)
    from portal.contact_merges m
    where p_place = 'merges' and m.kept_person_id = any ((s).people) and m.gone_person_id = any ((s).people)
    union all
    select row_number() over (order by o.applied_at, o.operation_id), o.applied_at,
      jsonb_build_object('kind', o.kind, 'result', o.result)
    from portal.applied_operations o
    where p_place = 'operations' and o.kind in ('lead.note', 'lead.rename', 'message.send')
      and (o.result ->> 'contact_id')::bigint = any ((s).contacts || (s).former_contacts)
    union all
    select q.id, q.queued_at, jsonb_build_object('kind', q.kind, 'due_at', q.due_at)
    from portal.push_queue q
    where p_place = 'pushes' and (
      q.kind in ('lead', 'assigned', 'message') and q.subject = any ((s).contacts || (s).former_contacts)
      or q.kind = 'offer' and q.subject in (select c.id from portal.roleta_cases c where c.contact_id = any ((s).contacts))
      or q.kind = 'unsent' and q.subject in (select t.id from portal.scheduled_messages t where t.contact_id = any ((s).contacts)))
    union all
    select row_number() over (order by w.received_at, w.target), w.received_at, w.waited
    from portal.waiting_events w
    where p_place = 'waiting' and (w.target = any ((s).addresses) or w.waited::text ~ (s).pattern)
    union all
    select w.id, w.received_at, jsonb_build_object('reason', w.reason, 'events', portal.items_about(w.body, (s).pattern))
    from portal.webhook_aside w where p_place = 'aside' and w.body ~ (s).pattern
    union all
    -- Beyond the numbers of the others, so that one page follows the other.
    select 4503599627370496 + r.id, r.received_at, jsonb_build_object('reason', r.fault, 'body', r.body)
    from portal.intake_raw r where p_place = 'aside' and portal.body_names(r.body, s)
    union all
    select 6755399441055744 + r.id, i.created_at, jsonb_build_object('reason', r.fault, 'row', r.data)
    from portal.import_rows r join portal.imports i on i.id = r.import_id
    where p_place = 'aside' and r.data is not null and portal.body_names(r.data::text, s)
  ) found
  where found.id > p_after
  order by found.id
  limit p_limit
$$;
comment on function portal.held_rows(portal.subject, text, bigint, integer) is
  'What one place of portal.held_places holds about a person, by its own id after p_after. Server only.';

create or replace function portal.held_places() returns text[]
language sql immutable set search_path = '' as $$
  select array['person', 'addresses', 'leads', 'messages', 'stages', 'actions', 'scheduled', 'owners', 'intakes', 'distribution', 'campaigns', 'agents',
    'turns', 'pauses', 'merges', 'operations', 'pushes', 'waiting', 'aside']
$$;
comment on function portal.held_places() is 'Where something of a person can stand, as src/domain/person-data.ts names it. Server only.';

create or replace function portal.erase_person(p_number text, p_contact bigint, p_operation_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
  answer jsonb;
  s portal.subject;
  every_contact bigint[];
  told portal.roleta_cases;
  counts jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(account, p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  s := portal.subject_of(p_number, p_contact);
  -- Whoever is writing about this person is waited for, and whoever comes after finds nobody.
  perform from portal.people p where p.id = any (s.people) order by p.id for update;
  s := portal.subject_of(p_number, p_contact);
  perform from public.whatsapp_contacts c where c.id = any (s.contacts) order by c.id for update;
  counts := portal.count_person(s);
  if counts ->> 'rows' = '0' then
    raise exception 'O portal não tem dados desta pessoa.' using errcode = 'PT404', hint = 'person.unknown';
  end if;
  perform from portal.outgoing o join public.whatsapp_messages m on m.id = o.message_id
  where m.contact_id = any (s.contacts) for update of o;
  if exists (
    select from portal.outgoing o join public.whatsapp_messages m on m.id = o.message_id
    where m.contact_id = any (s.contacts) and o.claimed_at is not null) then
    raise exception 'Uma mensagem para esta pessoa está sendo enviada agora. Tente de novo em instantes.'
      using errcode = 'PT409', hint = 'person.sending';
  end if;

  every_contact := s.contacts || s.former_contacts;
  for told in select c.* from portal.roleta_cases c
    where c.contact_id = any (s.contacts) and c.state in ('waiting', 'offered', 'watched', 'pool') loop
    perform portal.tell_case(told);
  end loop;
  perform portal.remember_erasure(s);
  counts := counts || jsonb_build_object('files', portal.note_media_of(s));
  perform portal.free_recipients(s);
  delete from portal.push_queue q
  where q.kind in ('lead', 'assigned', 'message') and q.subject = any (every_contact)
    or q.kind = 'offer' and q.subject in (select c.id from portal.roleta_cases c where c.contact_id = any (s.contacts))
    or q.kind = 'unsent' and q.subject in (select t.id from portal.scheduled_messages t where t.contact_id = any (s.contacts));
  update portal.push_devices d set watched_contact = null, watched_until = null where d.watched_contact = any (every_contact);
  delete from portal.applied_operations o
  where o.kind in ('lead.note', 'lead.rename', 'message.send') and (o.result ->> 'contact_id')::bigint = any (every_contact);
  delete from public.agent_chat_messages a
  where portal.number_key(a.remotejid) = any (s.keys) or a.remotejid = any (s.addresses);
  delete from portal.waiting_events w
  where w.target = any (s.addresses) or w.waited::text ~ s.pattern
    or w.target in (select m.message_id from public.whatsapp_messages m where m.contact_id = any (s.contacts));
  delete from portal.webhook_aside w where w.body ~ s.pattern;
  delete from portal.intake_raw r where portal.body_names(r.body, s);
  update portal.import_rows r set data = null, outcome = 'refused', fault = 'erased'
  where r.data is not null and portal.body_names(r.data::text, s);
  delete from portal.meta_inbox m
  where m.leadgen_id in (select i.external_id from portal.lead_intakes i where i.contact_id = any (s.contacts));
  delete from portal.contact_merges m
  where m.kept_person_id = any (s.people) or m.gone_person_id = any (s.people)
    or m.kept_contact_id = any (every_contact) or m.gone_contact_id = any (every_contact);
  delete from public.whatsapp_contacts c where c.id = any (s.contacts);
  delete from portal.people p where p.id = any (s.people);

  perform portal.audit('person.erased', null, counts || jsonb_build_object('ending', portal.person_ending(s)));
  return portal.end_operation(account, p_operation_id, 'person.erase', counts);
end $$;
comment on function portal.erase_person(text, bigint, uuid) is
  'Erases all that is held about the person of a number in any form, or of a contact, once an operation: {leads, messages, rows, files}. The files themselves go once nothing refers to them. 404 where nothing is held, 409 while a line is just being sent. Taken in the turn of applying deliveries. Administrators, by the server only.';
