-- Scheduled texts. If the author wants it, a message of the lead holds them back. A person must confirm late ones. They
-- are sent one by one.

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
  changed_at timestamptz not null default now(),
  plan_id bigint
);
comment on table portal.scheduled_messages is
  'Texts to leads that are sent later. They stay with the lead after a hand-over or merge. message_schedule, message_unschedule and the portal write them; devices read them as a column of the lead and by get_scheduled_messages.';
comment on column portal.scheduled_messages.due_at is
  'When the text is to be sent. Outside the allowed hours the portal moves it to their next start.';
comment on column portal.scheduled_messages.unless_answered is
  'True: the text is held back if the lead writes first (state answered).';
comment on column portal.scheduled_messages.seen_at is
  'Up to when the author had seen the lead''s messages. Later ones count as an answer; earlier ones no longer wait for one.';
comment on column portal.scheduled_messages.at_once is
  'True: a person wants it sent now, whatever the hour and however late it is.';
comment on column portal.scheduled_messages.state is
  'waiting: for its time. asking: a person must confirm it. answered: held back, because the lead wrote first. refused: it may not be sent. queued: it is now the message message_id. cancelled: a person or the portal cancelled it for good. The first four states are open.';
comment on column portal.scheduled_messages.reason is
  'Why it waits beyond its time (not-linked), asks (late, handed-over, restored) or was refused (opted-out, no-owner, no-number, number-in-doubt, first-texts). Null: none of these.';
comment on column portal.scheduled_messages.action_id is
  'The visit that the text is about. When the visit is moved or over, the text is cancelled. Null: none.';
comment on column portal.scheduled_messages.plan_id is
  'The plan of next tries to which the text belongs as a step. The end of the plan cancels it. Null: none.';
create unique index scheduled_operation on portal.scheduled_messages (account_id, operation_id);
comment on index portal.scheduled_operation is 'Serves finding a text by its operation.';
create index scheduled_contact on portal.scheduled_messages (contact_id);
comment on index portal.scheduled_contact is
  'Serves the columns that a lead shows of its texts, and their removal with it.';
create index scheduled_due on portal.scheduled_messages (due_at, id) where state = 'waiting';
comment on index portal.scheduled_due is 'Serves finding the texts that are due.';
create index scheduled_message on portal.scheduled_messages (message_id);
comment on index portal.scheduled_message is 'Serves the check whether a message may still be sent.';
create index scheduled_action on portal.scheduled_messages (action_id);
comment on index portal.scheduled_action is 'Serves cancelling the texts about a visit.';
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
  'Trigger: copies a lead''s open texts to the lead. Messages that the author had seen when writing stop waiting for an answer.';
create trigger carry_new_scheduled after insert on portal.scheduled_messages
  referencing new table as new_rows for each statement execute function portal.carry_scheduled();
create trigger carry_changed_scheduled after update on portal.scheduled_messages
  referencing old table as old_rows new table as new_rows for each statement execute function portal.carry_scheduled();

create function portal.push_unsent() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A plan gets one push, however many of its texts wait.
  perform portal.push(c."instanceName", 'unsent', coalesce('plan-' || new.plan_id, 'later-' || new.id), new.id, interval '1 second')
  from public.whatsapp_contacts c where c.id = new.contact_id and c."instanceName" is not null;
  return null;
end $$;
comment on function portal.push_unsent() is 'Trigger: push for the broker when a text was not sent.';
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
  'Whether the text is only for a silent lead (unless_answered), and the lead has written since seen_at. Server only.';

-- The trigger's name makes it fire after the triggers that lock the lead. Functions that write texts lock the lead
-- first, too.
create function portal.withhold_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Checks first, because an update that changes nothing still fires the triggers.
  if exists (
    select from new_rows n join portal.scheduled_messages s on s.contact_id = n.contact_id
    where n.type = 'incoming' and s.state in ('waiting', 'asking')) then
    update portal.scheduled_messages s set state = 'answered', reason = null, changed_at = now()
    where s.state in ('waiting', 'asking') and s.contact_id in (select n.contact_id from new_rows n where n.type = 'incoming')
      and portal.was_answered(s);
  end if;
  return null;
end $$;
comment on function portal.withhold_texts() is
  'Trigger: a message of the lead holds back the texts that are sent only if the lead is silent.';
create trigger withhold_texts after insert on public.whatsapp_messages
  referencing new table as new_rows for each statement execute function portal.withhold_texts();

create function portal.ask_new_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.scheduled_messages s set state = 'asking', reason = 'handed-over', changed_at = now()
  where s.contact_id = new.id and s.state = 'waiting' and not s.at_once;
  return null;
end $$;
comment on function portal.ask_new_owner() is
  'Trigger: after a hand-over, the new owner has to confirm the previous owner''s texts, except those that a person wants sent now.';
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
  'The answer to scheduling or cancelling a text: the code saved, already, gone or unknown_lead, and the text''s id.';

create function portal.open_text(p_lead bigint, p_text bigint, p_account uuid, p_text_operation uuid) returns bigint
language sql stable security definer set search_path = '' as $$
  select s.id from portal.scheduled_messages s
  where s.contact_id = p_lead and s.state in ('waiting', 'asking', 'answered', 'refused')
    and (s.id = p_text or (s.account_id = p_account and s.operation_id = p_text_operation))
  order by s.id limit 1
$$;
comment on function portal.open_text(bigint, bigint, uuid, uuid) is
  'An open text of a lead, by its id or by the operation with which this account wrote it. Null if it was sent, cancelled or is unknown. Server only.';

create function portal.put_text(
  p_lead bigint, p_body text, p_due_at timestamptz, p_unless_answered boolean, p_seen_at timestamptz, p_action bigint,
  p_account uuid, p_operation_id uuid
) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  made portal.scheduled_messages;
begin
  if (select count(*) from portal.scheduled_messages s
    where s.contact_id = p_lead and s.state in ('waiting', 'asking', 'answered', 'refused')) >= 50 then
    raise exception 'Este lead já tem 50 mensagens agendadas. Cancele uma delas antes.' using errcode = 'PT422', hint = 'scheduled.many';
  end if;
  insert into portal.scheduled_messages
    (contact_id, body, due_at, unless_answered, seen_at, at_once, action_id, account_id, operation_id)
  values (p_lead, p_body, coalesce(p_due_at, now()), p_unless_answered, p_seen_at, p_due_at is null, p_action, p_account, p_operation_id)
  returning * into made;
  -- A phone without a signal may deliver the text after the lead's answer, or long after its time.
  update portal.scheduled_messages s
  set state = case when portal.was_answered(made) then 'answered' else 'asking' end,
    reason = case when not portal.was_answered(made) then 'late' end
  where s.id = made.id and not s.at_once and (portal.was_answered(made) or made.due_at < now() - interval '2 hours');
  return made.id;
end $$;
comment on function portal.put_text(bigint, text, timestamptz, boolean, timestamptz, bigint, uuid, uuid) is
  'Stores a scheduled text and returns its id. Without p_due_at it is sent at once, at any hour. Else it is held back if p_unless_answered and the lead has answered meanwhile, and the broker must confirm it if it is more than two hours late. 422 for a lead with 50 open texts, because its card sends them to every device. Server only.';

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
  lead := portal.lock_asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if lead is null then
    return portal.end_operation(account, p_operation_id, 'message.schedule', portal.scheduled_answer('unknown_lead'));
  end if;
  before := portal.open_text(lead, p_scheduled_id, account, p_scheduled_operation);
  if is_change and before is null then
    -- The text is no longer open. If it was only to be sent now and was sent meanwhile, the answer is 'already'. Else
    -- it is 'gone', so that the writer learns that this call sent and changed nothing.
    return portal.end_operation(account, p_operation_id, 'message.schedule',
      portal.scheduled_answer(case when p_due_at is null and exists (
        select from portal.scheduled_messages s
        where s.contact_id = lead and s.state = 'queued'
          and (s.id = p_scheduled_id or (s.account_id = account and s.operation_id = p_scheduled_operation))
      ) then 'already' else 'gone' end));
  end if;
  if before is null then
    before := portal.put_text(lead, words, p_due_at, coalesce(p_unless_answered, true), portal.seen_until(p_seen_at), null,
      account, p_operation_id);
  else
    update portal.scheduled_messages s
    set body = words, due_at = coalesce(p_due_at, now()), at_once = p_due_at is null,
      unless_answered = s.plan_id is not null or coalesce(p_unless_answered, true) and p_due_at is not null, seen_at = greatest(s.seen_at, portal.seen_until(p_seen_at)),
      state = case when p_due_at < now() - interval '2 hours' then 'asking' else 'waiting' end,
      reason = case when p_due_at < now() - interval '2 hours' then 'late' end, changed_at = now()
    where s.id = before;
    update portal.scheduled_messages s set state = 'answered', reason = null where s.id = before and portal.was_answered(s);
  end if;
  return portal.end_operation(account, p_operation_id, 'message.schedule', portal.scheduled_answer('saved', before));
end $$;
comment on function public.message_schedule(bigint, text, timestamptz, boolean, timestamptz, bigint, uuid, uuid, text, text) is
  'Schedules a text to a lead for p_due_at, null: now. With p_unless_answered the text is held back if the lead writes after p_seen_at, up to when the caller had seen the lead''s messages (null: now). A changed step of a plan always is. A text that is two hours late on arrival must be confirmed by a person. p_scheduled_id, or p_scheduled_operation while only the operation is known: the open text to replace. A broker for its own leads, a gerente for those of the brokers it leads, an administrator for all. The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a retry by the same account gets the stored answer. Returns {success, code, message, scheduled_id}, code saved, unknown_lead, gone (the text to change was sent or cancelled) or already (it was only to be sent now, and was sent). 401 once the session has ended; 422 for an empty text, one of more than 10,000 characters, a time out of range or a lead with 50 open ones.';
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
  lead := portal.lock_asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if lead is null then
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
  'Cancels a scheduled text; already if it was sent or cancelled before. Permissions, identification of lead and text, p_operation_id and the answer are those of message_schedule.';
grant execute on function public.message_unschedule(bigint, bigint, uuid, uuid, text, text) to authenticated, service_role;

create function public.get_scheduled_messages(p_broker_name text) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.require_member() is not null and not portal.reaches(p_broker_name) then
    raise exception 'Estas mensagens são de outro corretor.' using errcode = '42501';
  end if;
  return (
    select coalesce(json_agg(json_build_object(
      'id', s.id, 'contact_id', s.contact_id, 'text', s.body, 'due', floor(extract(epoch from s.due_at))::bigint,
      'changed', floor(extract(epoch from s.changed_at))::bigint, 'planned', s.plan_id is not null) order by s.due_at, s.id), '[]')
    from portal.scheduled_messages s join public.whatsapp_contacts c on c.id = s.contact_id
    where c."instanceName" = p_broker_name and s.state in ('waiting', 'asking', 'answered', 'refused'));
end $$;
comment on function public.get_scheduled_messages(text) is
  'All open texts on the board of an instance: [{id, contact_id, text, due, changed (epoch seconds), planned (a step of a plan)}]; their states are columns of the lead. A broker for its own board, a gerente for those it leads, an administrator for any: else 42501; 401 once the session has ended.';
grant execute on function public.get_scheduled_messages(text) to authenticated, service_role;


-- Sending. Due texts enter the queue of their instance one by one, after all conditions are checked again.

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
  'The first instant from p_at on at which the portal may send a text that no lead waits for: within the allowed hours, and on a Sunday only if allowed. Server only.';

create function portal.queue_text(p_text bigint, p_instance text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  words portal.scheduled_messages;
  sender_jid text;
  message bigint;
  hint text;
begin
  select * into words from portal.scheduled_messages s where s.id = p_text;
  begin
    perform portal.require_address(words.contact_id, p_instance);
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
    floor(extract(epoch from now()))::bigint, 'outgoing', 'text', portal.plan_author(words.plan_id), 'queued',
    coalesce(words.operation_id, gen_random_uuid()))
  returning id into message;
  insert into portal.outgoing (message_id) values (message);
  update portal.scheduled_messages s
  set state = 'queued', reason = null, message_id = message, changed_at = now() where s.id = p_text;
  return true;
end $$;
comment on function portal.queue_text(bigint, text) is
  'Turns a due text into a queued message and returns true. Refuses the text and returns false if the lead has no number, or the text may not begin a conversation (portal.begin_conversation). Server only.';

create function portal.hold_texts(p_leads bigint[], p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  opening constant timestamptz := portal.opening_from(p_now);
begin
  perform portal.end_hindered_plans(p_leads, p_now);
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
  'Checks due texts of locked leads. A text is refused if the lead opted out or has no broker. A person must confirm it if it is two hours late. Outside the allowed hours it is postponed to their next start. If the link is down, it waits, with that reason. A text that a person wants sent now is only refused, and only without a broker. Server only.';

create function portal.queue_due_texts(p_now timestamptz, p_gap_ms integer) returns setof text
language plpgsql volatile security definer set search_path = '' as $$
declare
  leads bigint[];
  next record;
begin
  if not exists (select from portal.scheduled_messages s where s.state = 'waiting' and s.due_at <= p_now) then return; end if;
  -- Locks the leads first, as all writers of texts do. The text of a lead that somebody is changing waits for the next
  -- run.
  leads := array(
    select c.id from public.whatsapp_contacts c
    where c.id in (
      select s.contact_id from portal.scheduled_messages s where s.state = 'waiting' and s.due_at <= p_now
      -- Texts that wait for their link come last, so that they delay no others.
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
  'Queues due texts: one for each instance in p_gap_ms, and without that gap those that a person wants sent now. Returns the instances that have something to send. Server only.';

create function portal.withdraw_answered(p_message_id bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  words portal.scheduled_messages;
begin
  select s.* into words from portal.scheduled_messages s where s.message_id = p_message_id and s.state = 'queued';
  if not found or not portal.was_answered(words) then return false; end if;
  delete from public.whatsapp_messages m where m.id = p_message_id and m.message_id is null;
  update portal.scheduled_messages s
  set state = case when s.plan_id is null then 'answered' else 'cancelled' end, message_id = null, changed_at = now()
  where s.id = words.id;
  if words.plan_id is not null then perform portal.end_plan(words.contact_id, 'answered'); end if;
  return true;
end $$;
comment on function portal.withdraw_answered(bigint) is
  'Withdraws a queued text that is sent only to a silent lead, if the lead has answered. The text leaves queue and conversation; a text of a plan ends the plan. Returns whether it did. Server only.';

create function portal.withdraw_untimely(p_message_id bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  words portal.scheduled_messages;
  opening constant timestamptz := portal.opening_from(now());
  why text;
begin
  select s.* into words from portal.scheduled_messages s
  where s.message_id = p_message_id and s.state = 'queued' and (not s.at_once or s.plan_id is not null);
  if not found then return false; end if;
  why := case
    when portal.is_plan_over(words.plan_id) then 'over'
    when words.at_once then null
    when exists (
      select from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
      where c.id = words.contact_id and p.opted_out_at is not null) then 'opted-out'
    when words.due_at < now() - interval '2 hours' then 'late'
    when opening > now() then 'hours'
  end;
  if why is null then return false; end if;
  delete from public.whatsapp_messages m where m.id = p_message_id and m.message_id is null;
  update portal.scheduled_messages s
  set state = case why when 'over' then 'cancelled' when 'opted-out' then 'refused' when 'late' then 'asking' else 'waiting' end,
    reason = case when why in ('opted-out', 'late') then why end,
    due_at = case why when 'hours' then opening else s.due_at end, message_id = null, changed_at = now()
  where s.id = words.id;
  return true;
end $$;
comment on function portal.withdraw_untimely(bigint) is
  'Withdraws a scheduled text that waited in the queue for its link, if it may not be sent any more: the lead opted out, the text is two hours late and must be confirmed, the hour is not allowed, or its plan has ended. A text that a person wants sent now is withdrawn only in the last case. Returns whether it did. Server only.';

-- The gateway gets the 2xx for a delivery before the hand-over of a text or after it, never during it. The insert of a
-- delivery waits for the lock that portal.may_hand_over takes and that the hand-over's transaction holds.
create function portal.wait_for_hand_over() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(108003, hashtext(d."instanceName"))
  from (select distinct n."instanceName" from new_rows n order by 1) d;
  return null;
end $$;
comment on function portal.wait_for_hand_over() is
  'Trigger: an insert of a delivery waits while a text is being handed over that the delivery could answer.';
create trigger wait_for_hand_over after insert on portal.webhook_inbox
  referencing new table as new_rows for each statement execute function portal.wait_for_hand_over();

create function portal.may_hand_over(p_message_id bigint, p_instance text) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(108003, hashtext(p_instance));
  -- An unread delivery may contain the lead's answer, so the text goes to the end of the queue.
  if exists (select from portal.webhook_inbox i where i."instanceName" = p_instance) then
    update portal.outgoing o set "instanceName" = null, claimed_by = null, claimed_at = null, place = default
    where o.message_id = p_message_id;
    update portal.send_queues q set leased_until = null where q."instanceName" = p_instance;
    return 'wait';
  end if;
  -- Checks this last, and so sees what was stored since the first check.
  return case when portal.withdraw_answered(p_message_id) then 'withdrawn' else 'go' end;
end $$;
comment on function portal.may_hand_over(bigint, text) is
  'Whether a claimed text that is sent only to a silent lead may be sent now; called in the transaction that hands it over. go. withdrawn: the lead has answered. wait: an unread delivery came in, so the text goes to the end of the queue. Server only.';
