-- Visits: an action of kind visit with an hour in its broker's week, reminders, an outcome, and an entry in the
-- broker's calendar.

create table portal.visit_hours (
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  weekday smallint not null check (weekday between 1 and 7),
  from_minute smallint not null check (from_minute between 0 and 1439),
  until_minute smallint not null check (until_minute > from_minute and until_minute <= 1440),
  primary key ("instanceName", weekday)
);
comment on table portal.visit_hours is
  'The hours in which a broker shows properties, in the portal''s time zone. A broker without rows has 9h to 18h on every day. With rows, a weekday without one is free of visits. Server only.';
comment on column portal.visit_hours.weekday is '1 (Monday) to 7.';
comment on column portal.visit_hours.from_minute is 'The first minute of the day in which a visit may begin.';
alter table portal.visit_hours enable row level security;

create table portal.visits (
  action_id bigint primary key references portal.actions on delete cascade,
  sequence integer not null default 0,
  remind_at timestamptz,
  remind_kind text check (remind_kind in ('day', 'hours', 'outcome', 'again')),
  feeling text check (feeling in ('liked', 'unsure', 'disliked')),
  changed_at timestamptz not null default now(),
  held_for text references public.brokers ("instanceName") on update cascade on delete set null,
  check ((remind_at is null) = (remind_kind is null))
);
comment on table portal.visits is
  'Further columns of an action of kind visit. The action''s due_at is the start, its note the place. Server only.';
comment on column portal.visits.sequence is 'How often the visit was changed; calendar programs need this number.';
comment on column portal.visits.remind_kind is
  'The next reminder of its broker. day: one day before. hours: two hours before. outcome: twenty minutes after the end it asks for the outcome. again: it asks again at 18h, for a visit from 16h30 on at 18h of the next day. Null: none.';
comment on column portal.visits.feeling is 'The lead''s reaction: liked, unsure or disliked.';
comment on column portal.visits.held_for is
  'The broker for whom an agent booked the visit while the lead still belongs to a central instance. Null: the visit is the lead owner''s.';
create index visits_held on portal.visits (held_for);
comment on index portal.visits_held is 'Serves the removal of a broker.';
create index visits_remind on portal.visits (remind_at) where remind_at is not null;
comment on index portal.visits_remind is 'Serves finding the reminders that are due.';
create index actions_visits on portal.actions (due_at) where kind = 'visit';
comment on index portal.actions_visits is 'Serves finding a broker''s booked hours, and the visits of a day.';
alter table portal.visits enable row level security;

create view portal.booked_visits with (security_invoker = true) as
select a.id, a.contact_id, c."instanceName" as broker_name, a.due_at as starts_at, coalesce(a.outcome = 'done', false) as is_held
from portal.actions a join public.whatsapp_contacts c on c.id = a.contact_id
where a.kind = 'visit' and (a.outcome is null or a.outcome in ('done', 'missed'));
comment on view portal.booked_visits is
  'Visits as reports count them. A cancelled one does not count. A moved one counts on its new day, for the broker who has the lead. Server only.';
comment on column portal.booked_visits.is_held is 'True: somebody recorded that the visit took place.';

create function portal.visit_length() returns interval
language sql immutable set search_path = '' as $$ select interval '40 minutes' $$;
comment on function portal.visit_length() is 'How long a visit lasts. Server only.';

create function portal.reminder_after(p_starts_at timestamptz, p_told text, p_now timestamptz)
returns table (kind text, at timestamptz)
language sql stable security definer set search_path = '' as $$
  select r.kind, r.at
  from (values
    (1, 'day', p_starts_at - interval '1 day'),
    (2, 'hours', p_starts_at - interval '2 hours'),
    (3, 'outcome', p_starts_at + portal.visit_length() + interval '20 minutes'),
    (4, 'again', ((p_starts_at at time zone portal.time_zone())::date + case
      when (p_starts_at at time zone portal.time_zone())::time < '16:30' then interval '18 hours'
      else interval '42 hours' end) at time zone portal.time_zone())
  ) r (place, kind, at)
  where r.place > coalesce(array_position(array['day', 'hours', 'outcome', 'again'], p_told), 0)
    -- Skips reminders whose time has passed, but always asks for the outcome.
    and (r.place > 2 or r.at > p_now)
  order by r.place limit 1
$$;
comment on function portal.reminder_after(timestamptz, text, timestamptz) is
  'The next reminder of a visit after p_told (null: the first), and its time. ''day'' only if the visit is more than a day ahead. No row after the last one. Server only.';

create function portal.begin_visit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.visits (action_id, remind_kind, remind_at)
  values (new.id, (select r.kind from portal.reminder_after(new.due_at, null, now()) r),
    (select r.at from portal.reminder_after(new.due_at, null, now()) r))
  on conflict do nothing;
  perform portal.emit('visit.booked', new.contact_id, jsonb_build_object(
    'leadId', new.contact_id, 'visitId', new.id, 'startsAt', new.due_at));
  return null;
end $$;
comment on function portal.begin_visit() is
  'Trigger: when an action of kind visit is set, adds its row of portal.visits and writes an event.';
create trigger begin_visit after insert on portal.actions
  for each row when (new.kind = 'visit' and new.finished_at is null) execute function portal.begin_visit();
create trigger become_visit after update of kind on portal.actions
  for each row when (old.kind <> 'visit' and new.kind = 'visit' and new.finished_at is null) execute function portal.begin_visit();

create function portal.follow_visit() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  payload constant jsonb := jsonb_build_object('leadId', new.contact_id, 'visitId', new.id, 'startsAt', new.due_at);
  is_open constant boolean := new.kind = 'visit' and new.finished_at is null;
begin
  -- The visit was moved, finished or given another place, so scheduled texts about it may be wrong and are cancelled.
  update portal.scheduled_messages s set state = 'cancelled', reason = null, changed_at = now()
  where s.action_id = new.id and s.state in ('waiting', 'asking', 'refused', 'answered');
  if new.kind <> 'visit' then
    delete from portal.visits v where v.action_id = new.id;
    perform portal.emit('visit.cancelled', new.contact_id, payload);
    return null;
  end if;
  update portal.visits v
  set sequence = v.sequence + 1, changed_at = now(),
    remind_kind = case when is_open then (select r.kind from portal.reminder_after(new.due_at, null, now()) r) end,
    remind_at = case when is_open then (select r.at from portal.reminder_after(new.due_at, null, now()) r) end
  where v.action_id = new.id;
  perform portal.emit(case when is_open then 'visit.moved' else case new.outcome
    when 'done' then 'visit.held' when 'missed' then 'visit.missed' else 'visit.cancelled' end end, new.contact_id, payload);
  return null;
end $$;
comment on function portal.follow_visit() is
  'Trigger: when a visit is moved, finished, given another place or made another kind of action, updates its row of portal.visits, cancels scheduled texts about it and writes an event.';
create trigger follow_visit after update on portal.actions
  for each row when (old.kind = 'visit' and (
    old.due_at <> new.due_at or old.note <> new.note or old.kind <> new.kind or old.finished_at is distinct from new.finished_at))
  execute function portal.follow_visit();


-- Free hours and bookings. A broker's phone and an agent use the same functions.

create function portal.hours_of(p_instance text) returns table (weekday smallint, from_minute smallint, until_minute smallint)
language sql stable security definer set search_path = '' as $$
  select h.weekday, h.from_minute, h.until_minute from portal.visit_hours h where h."instanceName" = p_instance
  union all
  select d::smallint, 540::smallint, 1080::smallint from generate_series(1, 7) d
  where not exists (select from portal.visit_hours h where h."instanceName" = p_instance)
$$;
comment on function portal.hours_of(text) is
  'A broker''s week of visits: 9h to 18h on every day if the broker set none. Server only.';

create function portal.is_taken(p_instance text, p_starts_at timestamptz, p_but bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from portal.actions a
    join public.whatsapp_contacts c on c.id = a.contact_id
    join public.brokers b on b."instanceName" = c."instanceName"
    left join portal.visits v on v.action_id = a.id
    where a.kind = 'visit' and a.finished_at is null and a.id is distinct from p_but
      and case when b.central_since is not null then coalesce(v.held_for, c."instanceName") else c."instanceName" end = p_instance
      and a.due_at > p_starts_at - portal.visit_length() and a.due_at < p_starts_at + portal.visit_length())
$$;
comment on function portal.is_taken(text, timestamptz, bigint) is
  'Whether a visit at that time would overlap another visit of the broker; p_but is left out. Server only.';

create function portal.free_slots(p_instance text, p_from timestamptz, p_days integer) returns table (starts_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select slot.at
  from generate_series(0, least(greatest(p_days, 1), 60) - 1) ahead
  cross join lateral (select (p_from at time zone portal.time_zone())::date + ahead as day) d
  join portal.hours_of(p_instance) h on h.weekday = extract(isodow from d.day)
  cross join lateral generate_series(h.from_minute, h.until_minute - extract(epoch from portal.visit_length())::integer / 60, 60) minute
  cross join lateral (select (d.day + make_interval(mins => minute)) at time zone portal.time_zone() as at) slot
  where slot.at > p_from and not portal.is_taken(p_instance, slot.at, null)
  order by slot.at
$$;
comment on function portal.free_slots(text, timestamptz, integer) is
  'Times at which a visit of the broker could begin, in order: every hour from the first minute of a day on, if the visit ends within the broker''s hours and overlaps no other. Only after p_from, within p_days days (60 at most). Server only.';

create function portal.put_visit(
  p_lead bigint, p_starts_at timestamptz, p_place text, p_seen_at timestamptz, p_action bigint, p_account uuid, p_operation_id uuid
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  instance text := (select c."instanceName" from public.whatsapp_contacts c where c.id = p_lead);
  action bigint := p_action;
begin
  -- Only one booking runs at a time in a broker's week. The next statement then sees what the previous booking wrote.
  perform pg_advisory_xact_lock(108004, hashtext(coalesce(instance, '')));
  if portal.is_taken(instance, p_starts_at, p_action) then return portal.visit_answer('taken', p_action); end if;
  if action is null then
    perform portal.require_free_step(p_lead);
    insert into portal.actions (contact_id, kind, due_at, note, seen_at, account_id, operation_id)
    values (p_lead, 'visit', p_starts_at, p_place, p_seen_at, p_account, p_operation_id) returning id into action;
  else
    update portal.actions
    set kind = 'visit', due_at = p_starts_at, note = p_place, seen_at = greatest(seen_at, p_seen_at) where id = action;
  end if;
  return portal.visit_answer('saved', action);
end $$;
comment on function portal.put_visit(bigint, timestamptz, text, timestamptz, bigint, uuid, uuid) is
  'Books a visit for a locked lead, or makes the open action p_action this visit. Returns the answer of visit_save, with the code saved or taken. Server only.';

create function portal.book_visit(
  p_lead bigint, p_broker text, p_starts_at timestamptz, p_place text, p_operation_id uuid, p_now timestamptz
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  action bigint;
begin
  if not portal.lock_lead(p_lead) then return portal.visit_answer('unknown_lead'); end if;
  perform pg_advisory_xact_lock(108004, hashtext(p_broker));
  if not exists (
    select from portal.free_slots(p_broker, greatest(p_now, p_starts_at - interval '1 day'), 2) s where s.starts_at = p_starts_at) then
    return portal.visit_answer('taken');
  end if;
  insert into portal.actions (contact_id, kind, due_at, note, seen_at, operation_id)
  values (p_lead, 'visit', p_starts_at, left(coalesce(btrim(p_place), ''), 200), p_now, p_operation_id) returning id into action;
  update portal.visits v set held_for = p_broker where v.action_id = action;
  return portal.visit_answer('saved', action);
end $$;
comment on function portal.book_visit(bigint, text, timestamptz, text, uuid, timestamptz) is
  'Books a visit for an agent in a free hour of a broker, who may not have the lead yet. Returns {success, code, message, action_id}, code saved, taken (or outside the broker''s hours) or unknown_lead. Server only.';

create function portal.visit_answer(p_code text, p_action bigint default null) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('saved', 'already'),
    'code', p_code,
    'message', case p_code
      when 'unknown_lead' then 'Lead não encontrado.'
      when 'unknown_visit' then 'Esta visita não existe mais.'
      when 'taken' then 'Esse horário acabou de ser ocupado. Escolha outro.'
    end,
    'action_id', p_action)
$$;
comment on function portal.visit_answer(text, bigint) is
  'The answer to a visit that was booked, moved or given an outcome: saved, already, taken, unknown_visit or unknown_lead, with the action''s id.';

create function public.visit_save(
  p_contact_id bigint, p_starts_at timestamptz, p_place text default '', p_seen_at timestamptz default null,
  p_confirm_text text default null, p_remind_text text default null, p_remind_at timestamptz default null,
  p_action_id bigint default null, p_action_operation uuid default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  seen constant timestamptz := portal.seen_until(p_seen_at);
begin
  if answer is not null then return answer; end if;
  if p_starts_at is null or p_starts_at not between now() - interval '30 days' and now() + interval '1 year'
    or p_remind_at > now() + interval '1 year' then
    raise exception 'Escolha um dia no próximo ano.' using errcode = 'PT422';
  end if;
  if length(btrim(p_place)) > 200 then
    raise exception 'O lugar pode ter até 200 caracteres.' using errcode = 'PT422';
  end if;
  if length(p_confirm_text) > 10000 or length(p_remind_text) > 10000 then
    raise exception 'A mensagem passa de 10.000 caracteres.' using errcode = 'PT422';
  end if;
  lead := portal.lock_asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if lead is null then
    return portal.end_operation(account, p_operation_id, 'visit.save', portal.visit_answer('unknown_lead'));
  end if;
  answer := portal.put_visit(lead, p_starts_at, coalesce(btrim(p_place), ''), seen,
    portal.open_action(lead, p_action_id, account, p_action_operation), account, p_operation_id);
  if answer ->> 'code' = 'saved' then
    if btrim(p_confirm_text) <> '' then
      -- A person who undoes the booking within seconds cancels the text before it is sent.
      perform portal.put_text(lead, btrim(p_confirm_text), now() + interval '15 seconds', false, seen, (answer ->> 'action_id')::bigint, null, null);
    end if;
    if btrim(p_remind_text) <> '' and p_remind_at > now() then
      perform portal.put_text(lead, btrim(p_remind_text), p_remind_at, false, seen, (answer ->> 'action_id')::bigint, null, null);
    end if;
  end if;
  return portal.end_operation(account, p_operation_id, 'visit.save', answer);
end $$;
comment on function public.visit_save(bigint, timestamptz, text, timestamptz, text, text, timestamptz, bigint, uuid, uuid, text, text) is
  'Books a visit of a lead at p_starts_at in p_place, or moves the open action p_action_id (p_action_operation while only the operation is known) there and cancels the texts about the old hour. p_confirm_text is sent to the lead fifteen seconds later, unless the visit is moved or removed until then, p_remind_text at p_remind_at, both checked like any scheduled text. p_seen_at: up to when the caller had seen the lead''s messages. A broker for its own leads, a gerente for those of the brokers it leads, an administrator for all. The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a retry by the same account gets the stored answer. Returns {success, code, message, action_id}, code saved, taken (the broker has another visit then) or unknown_lead. 401 once the session has ended; 422 for a time out of range, a place of more than 200 characters, a text of more than 10,000 characters or a lead with 50 open actions.';
grant execute on function public.visit_save(bigint, timestamptz, text, timestamptz, text, text, timestamptz, bigint, uuid, uuid, text, text) to authenticated, service_role;

create function public.visit_outcome(
  p_contact_id bigint, p_outcome text, p_feeling text default null, p_action_id bigint default null,
  p_action_operation uuid default null, p_operation_id uuid default null, p_number_lead text default null,
  p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  visit portal.actions;
  code text := 'already';
begin
  if answer is not null then return answer; end if;
  if p_outcome is null or p_outcome not in ('held', 'missed') or p_feeling not in ('liked', 'unsure', 'disliked') then
    raise exception 'Diga se a visita aconteceu.' using errcode = 'PT422';
  end if;
  lead := portal.lock_asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if lead is null then
    return portal.end_operation(account, p_operation_id, 'visit.outcome', portal.visit_answer('unknown_lead'));
  end if;
  select a.* into visit from portal.actions a
  where a.contact_id = lead and a.kind = 'visit'
    and (a.id = p_action_id or (a.account_id = account and a.operation_id = p_action_operation))
  order by a.id limit 1;
  if visit.id is null then
    return portal.end_operation(account, p_operation_id, 'visit.outcome', portal.visit_answer('unknown_visit'));
  end if;
  -- If two devices record an outcome, the first one counts.
  if visit.finished_at is null then
    update portal.actions set finished_at = now(), outcome = case p_outcome when 'held' then 'done' else 'missed' end
    where id = visit.id;
    code := 'saved';
  end if;
  if p_feeling is not null then
    update portal.visits v set feeling = p_feeling, changed_at = now() where v.action_id = visit.id;
    code := 'saved';
  end if;
  return portal.end_operation(account, p_operation_id, 'visit.outcome', portal.visit_answer(code, visit.id));
end $$;
comment on function public.visit_outcome(bigint, text, text, bigint, uuid, uuid, text, text) is
  'Records the outcome of a visit: p_outcome held or missed, the first one counts; p_feeling liked, unsure or disliked may come with it or later. Permissions, identification of lead and visit, p_operation_id and the answer are those of visit_save; code saved, already (recorded before), unknown_visit or unknown_lead. 422 for another word.';
grant execute on function public.visit_outcome(bigint, text, text, bigint, uuid, uuid, text, text) to authenticated, service_role;


-- The hours in which a broker shows properties, and the address by which a calendar program reads the visits.

create table portal.calendar_feeds (
  broker_id uuid primary key references public.brokers on delete cascade,
  secret_hash bytea not null unique,
  made_at timestamptz not null default now()
);
comment on table portal.calendar_feeds is
  'SHA-256 of the secret in each broker''s calendar address; deleted with the broker. Server only.';
alter table portal.calendar_feeds enable row level security;

create function public.get_visit_setup(p_broker_name text) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.require_member() is not null and not portal.reaches(p_broker_name) then
    raise exception 'Esta agenda é de outro corretor.' using errcode = '42501';
  end if;
  return json_build_object(
    'hours', (select coalesce(json_agg(json_build_object('weekday', h.weekday, 'from', h.from_minute, 'until', h.until_minute)
      order by h.weekday), '[]') from portal.hours_of(p_broker_name) h),
    'feed_made_at', (select f.made_at from portal.calendar_feeds f join public.brokers b on b.id = f.broker_id
      where b."instanceName" = p_broker_name));
end $$;
comment on function public.get_visit_setup(text) is
  'A broker''s week of visits and whether there is a calendar address: {hours: [{weekday (1 = Monday), from, until (minutes of the day)}], feed_made_at}. A broker for itself, a gerente for those it leads, an administrator for any: else 42501; 401 once the session has ended.';
grant execute on function public.get_visit_setup(text) to authenticated, service_role;

create function public.visit_hours_save(p_broker_name text, p_hours jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if portal.require_member() is not null and not portal.is_admin() and p_broker_name is distinct from portal.my_instance() then
    raise exception 'Esta agenda é de outro corretor.' using errcode = '42501';
  end if;
  if jsonb_typeof(p_hours) <> 'array' or jsonb_array_length(p_hours) not between 1 and 7 then
    raise exception 'Escolha ao menos um dia.' using errcode = 'PT422';
  end if;
  delete from portal.visit_hours h where h."instanceName" = p_broker_name;
  insert into portal.visit_hours ("instanceName", weekday, from_minute, until_minute)
  select p_broker_name, (day ->> 'weekday')::smallint, (day ->> 'from')::smallint, (day ->> 'until')::smallint
  from jsonb_array_elements(p_hours) day;
exception
  when check_violation or unique_violation or not_null_violation or invalid_text_representation or numeric_value_out_of_range then
    raise exception 'Confira os horários: cada dia termina depois de começar.' using errcode = 'PT422';
  when foreign_key_violation then
    raise exception 'Corretor não encontrado.' using errcode = 'PT404';
end $$;
comment on function public.visit_hours_save(text, jsonb) is
  'Sets a broker''s week of visits, [{weekday, from, until}] in the form of get_visit_setup; missing weekdays are free. A broker for itself, an administrator for any: else 42501; 401 once the session has ended, 404 for an unknown broker, 422 for an empty week or hours that end before they begin.';
grant execute on function public.visit_hours_save(text, jsonb) to authenticated, service_role;

create function public.calendar_renew(p_broker_name text, p_is_on boolean default true) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  secret constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  broker uuid;
begin
  if portal.require_member() is not null and not portal.is_admin() and p_broker_name is distinct from portal.my_instance() then
    raise exception 'Esta agenda é de outro corretor.' using errcode = '42501';
  end if;
  select b.id into broker from public.brokers b where b."instanceName" = p_broker_name;
  if not found then raise exception 'Corretor não encontrado.' using errcode = 'PT404'; end if;
  -- Limits how many entries this writes to the audit log, which keeps each for a year.
  if (select count(*) from portal.audit_log l
      where l.actor_id = portal.account_id() and l.action ~ '^calendar\.' and l.at > now() - interval '1 hour') >= 20 then
    raise exception 'Muitas trocas em pouco tempo. Tente de novo em uma hora.' using errcode = 'PT429';
  end if;
  delete from portal.calendar_feeds f where f.broker_id = broker;
  if not p_is_on then
    perform portal.audit('calendar.off', p_broker_name);
    return null;
  end if;
  perform portal.audit('calendar.renewed', p_broker_name);
  insert into portal.calendar_feeds (broker_id, secret_hash) values (broker, sha256(convert_to(secret, 'UTF8')));
  return secret;
end $$;
comment on function public.calendar_renew(text, boolean) is
  'Makes a new secret for a broker''s calendar address and returns it; it cannot be read again. The previous address ends. Audited. With p_is_on false the address is removed, and the answer is null. A broker for itself, an administrator for any: else 42501; 401 once the session has ended, 404 for an unknown broker, 429 after twenty within an hour.';
grant execute on function public.calendar_renew(text, boolean) to authenticated, service_role;

create function portal.calendar_of(p_hash bytea) returns jsonb
language sql stable security definer set search_path = '' as $$
  select (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', a.id, 'kind', a.kind, 'at', floor(extract(epoch from a.due_at))::bigint,
      'place', case when a.kind = 'visit' then a.note end, 'firstName', portal.first_name(c.name),
      'sequence', coalesce(v.sequence, 0),
      'changedAt', floor(extract(epoch from coalesce(v.changed_at, a.created_at)))::bigint) order by a.due_at, a.id), '[]')
    from portal.actions a
    join public.whatsapp_contacts c on c.id = a.contact_id
    left join portal.visits v on v.action_id = a.id
    where c."instanceName" = b."instanceName" and a.finished_at is null)
  from portal.calendar_feeds f join public.brokers b on b.id = f.broker_id
  where f.secret_hash = p_hash
$$;
comment on function portal.calendar_of(bytea) is
  'Entries of the calendar with this secret: open actions and visits with first names, kinds and places, never a number; null for an unknown secret. Server only.';


-- A reminder of a visit is queued in the same transaction that records it, so that none is sent twice.

create function portal.remind_visits(p_now timestamptz) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  looked_at integer;
begin
  with due as (
    select v.action_id, v.remind_kind, a.due_at as starts_at, a.contact_id
    from portal.visits v join portal.actions a on a.id = v.action_id
    where v.remind_at <= p_now
    -- Limited, because each of them needs a search in the queue of pushes.
    order by v.remind_at limit greatest(0, 256 - (
      select count(*) from portal.push_queue q join portal.push_devices e on e.id = q.device_id
      where q.kind in ('visit', 'outcome') and q.due_at <= p_now and coalesce(e.held_until <= p_now, true)))
    for update of v skip locked
  ), noted as (
    update portal.visits v
    set remind_kind = (select r.kind from portal.reminder_after(d.starts_at, d.remind_kind, p_now) r),
      remind_at = (select r.at from portal.reminder_after(d.starts_at, d.remind_kind, p_now) r)
    from due d where d.action_id = v.action_id
    returning v.action_id
  ), told as (
    insert into portal.push_queue as q (device_id, kind, tag, subject, due_at)
    select e.id, case when d.remind_kind in ('day', 'hours') then 'visit' else 'outcome' end, 'visit-' || d.action_id, d.action_id, p_now
    from due d
    join public.whatsapp_contacts c on c.id = d.contact_id
    join public.brokers b on b."instanceName" = c."instanceName"
    join portal.sessions s on s.account_id = b.id
    join portal.push_devices e on e.session_id = s.id and e.removed_at is null
    -- After an outage only reminders are sent that still help: of a visit that has not begun, or for the outcome of one
    -- that began within two days.
    where case d.remind_kind when 'day' then d.starts_at - interval '2 hours' > p_now when 'hours' then d.starts_at > p_now
      else d.starts_at > p_now - interval '2 days' end
    order by e.id, d.action_id
    on conflict (device_id, tag) where claimed_by is null do update
    set kind = excluded.kind, due_at = excluded.due_at, happened = q.happened + 1
    returning 1
  )
  select count(*) into looked_at from noted, (select count(*) from told) t;
  if looked_at > 0 then perform portal.notify_channel('push', ''); end if;
  return looked_at;
end $$;
comment on function portal.remind_visits(timestamptz) is
  'Queues the due reminders of visits, each once, as many as the queue of pushes has room for. Reminders that no longer help are skipped. Returns how many visits were processed. Server only.';
