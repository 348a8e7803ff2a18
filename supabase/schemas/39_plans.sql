-- Plans of next tries for a lead that fell silent after our answer. A step is an action or a scheduled text that has
-- the plan's id. A lead has at most one open plan.

create table portal.plans (
  id bigint generated always as identity primary key,
  development_id integer references public.developments on delete cascade,
  account_id uuid references portal.accounts on delete cascade,
  changed_by text not null default portal.actor(),
  changed_at timestamptz not null default now(),
  constraint plans_whose check (development_id is null or account_id is null)
);
comment on table portal.plans is
  'Templates of plans: one of the agency (both ids null), one for each development, and each person''s own days and kinds. plan_template_save and plan_start write them.';
comment on column portal.plans.account_id is
  'The person whose own default it is. Null: it is a template of the agency.';
create unique index plans_shared on portal.plans ((coalesce(development_id, 0))) where account_id is null;
comment on index portal.plans_shared is 'Allows one template for the agency, and one for each development.';
create unique index plans_own on portal.plans (account_id);
comment on index portal.plans_own is 'Allows one own default for each person; serves the removal of an account.';
create index plans_development on portal.plans (development_id);
comment on index portal.plans_development is 'Serves the removal of a development.';
alter table portal.plans enable row level security;

create table portal.plan_steps (
  plan_id bigint not null references portal.plans on delete cascade,
  place smallint not null check (place between 1 and 5),
  day smallint not null check (day between 1 and 60),
  minute smallint not null check (minute between 0 and 1439),
  kind text not null check (kind in ('call', 'message', 'task')),
  body text not null default '' check (length(body) <= 4000),
  primary key (plan_id, place)
);
comment on table portal.plan_steps is 'The steps of a template, five at most.';
comment on column portal.plan_steps.day is 'How many days after the beginning of the plan the step is.';
comment on column portal.plan_steps.minute is 'Minute of the day, in the portal''s time zone.';
comment on column portal.plan_steps.body is
  'The text of a message, in which {nome} stands for the lead''s first name. Empty: the broker writes it. For other kinds of steps it is a note.';
alter table portal.plan_steps enable row level security;

create table portal.lead_plans (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  state text not null default 'running' check (state in ('running', 'asking', 'done', 'ended')),
  reason text check (reason in ('answered', 'visit', 'stage', 'opted-out', 'private', 'merged', 'stopped', 'declined', 'undone', 'agent')),
  started_by text not null check (started_by in ('person', 'source', 'agent')),
  agent_id integer references public.prompts_agents on delete set null,
  seen_at timestamptz not null,
  account_id uuid,
  operation_id uuid,
  started_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  constraint lead_plans_reason check ((state = 'ended') = (reason is not null))
);
comment on table portal.lead_plans is
  'Plans of leads, including ended ones. They stay with the lead after a hand-over or merge. plan_start, plan_stop and the portal write them; get_plans reads them.';
comment on column portal.lead_plans.state is
  'running. asking: the lead''s new broker must confirm it. done: every step is over and the lead has not answered. ended. The first three are open.';
comment on column portal.lead_plans.reason is
  'Why it ended: answered (the lead wrote or called), visit (one was booked), stage (won or lost), opted-out, private, merged (the other lead had a plan, too), stopped (by a person), declined (a person wants no plan until the lead writes), undone (counts as never begun), agent (the agent that began it may not write any more). Null: it is open.';
comment on column portal.lead_plans.started_by is
  'Who began it: person, source (the rule of a source of leads), or agent (agent_id).';
comment on column portal.lead_plans.seen_at is
  'Up to when the person who set the plan had seen the lead''s messages. Anything that the lead sends later ends the plan.';
create unique index lead_plans_open on portal.lead_plans (contact_id) where state <> 'ended';
comment on index portal.lead_plans_open is 'Allows a lead one open plan.';
create index lead_plans_contact on portal.lead_plans (contact_id, id desc);
comment on index portal.lead_plans_contact is
  'Serves finding the newest plan of a lead, and the removal with the lead.';
create index lead_plans_agent on portal.lead_plans (agent_id);
comment on index portal.lead_plans_agent is 'Serves the removal of an agent.';
alter table portal.lead_plans enable row level security;

alter table portal.actions add constraint actions_plan_id_fkey
  foreign key (plan_id) references portal.lead_plans on delete set null;
create index actions_plan on portal.actions (plan_id, due_at);
comment on index portal.actions_plan is 'Serves finding the steps of a plan.';
create index actions_to_remind on portal.actions (due_at) where plan_id is not null and finished_at is null;
comment on index portal.actions_to_remind is 'Serves finding the steps of plans that are due soon.';
alter table portal.scheduled_messages add constraint scheduled_messages_plan_id_fkey
  foreign key (plan_id) references portal.lead_plans on delete set null;
create index scheduled_plan on portal.scheduled_messages (plan_id);
comment on index portal.scheduled_plan is 'Serves finding the steps of a plan.';


-- How a plan ends. All callers of portal.end_plan but portal.end_plans_of_person hold the lock of the lead.

create function portal.plan_hindrance(p_lead bigint, p_seen_at timestamptz) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when exists (
      select from public.whatsapp_messages m
      where m.contact_id = c.id and m.type = 'incoming' and m."timestamp" > floor(extract(epoch from p_seen_at))) then 'answered'
    when exists (select from portal.people p where p.id = c.person_id and p.opted_out_at is not null) then 'opted-out'
    when exists (select from public.kanban_stages s where s.slug = c.status and s.kind <> 'open') then 'stage'
    when exists (
      select from portal.actions a where a.contact_id = c.id and a.kind = 'visit' and a.finished_at is null) then 'visit'
  end
  from public.whatsapp_contacts c where c.id = p_lead
$$;
comment on function portal.plan_hindrance(bigint, timestamptz) is
  'Why a lead may have no plan: answered (it wrote after p_seen_at), opted-out, stage (it is won or lost), visit (one is booked). Null: it may. Server only.';

create function portal.end_plan(p_lead bigint, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  plan bigint;
begin
  update portal.lead_plans p set state = 'ended', reason = p_reason, changed_at = now()
  where p.contact_id = p_lead and p.state <> 'ended' returning p.id into plan;
  if not found then return; end if;
  update portal.scheduled_messages s set state = 'cancelled', reason = null, changed_at = now()
  where s.plan_id = plan and s.state in ('waiting', 'asking', 'answered', 'refused');
  update portal.actions a set finished_at = now(), outcome = 'removed' where a.plan_id = plan and a.finished_at is null;
end $$;
comment on function portal.end_plan(bigint, text) is
  'Ends the open plan of a locked lead, if there is one, and cancels its open steps. A text that is already in the queue is withdrawn when it is about to be sent. Server only.';

create function portal.end_hindered_plans(p_leads bigint[], p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.end_plan(d.contact_id, d.why)
  from (
    select p.contact_id, coalesce(portal.plan_hindrance(p.contact_id, p.seen_at),
      case when p.started_by = 'agent' and not portal.agent_may_try(p.agent_id, p.contact_id, p_now) then 'agent' end) as why
    from portal.lead_plans p
    where p.contact_id = any (p_leads) and p.state <> 'ended' and exists (
      select from portal.scheduled_messages s where s.plan_id = p.id and s.state = 'waiting' and s.due_at <= p_now)
    order by p.contact_id
  ) d
  where d.why is not null;
end $$;
comment on function portal.end_hindered_plans(bigint[], timestamptz) is
  'Ends the plans of locked leads that may not go on, among those that have a text to send now. Server only.';

create function portal.is_plan_over(p_plan bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from portal.lead_plans p where p.id = p_plan and p.state = 'ended')
$$;
comment on function portal.is_plan_over(bigint) is 'Whether a plan has ended; false for null. Server only.';

create function portal.plan_author(p_plan bigint) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select case p.started_by when 'agent' then 'agent' when 'source' then 'campaign' end
    from portal.lead_plans p where p.id = p_plan), 'human')
$$;
comment on function portal.plan_author(bigint) is
  'Who counts as the author of a scheduled text: ''human'', also for p_plan null. A text of a plan that began by itself is by ''agent'' or ''campaign'', so that no figure counts it as a person''s answer. Server only.';

create function portal.end_answered_plans() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.end_plan(p.contact_id, 'answered')
  from (
    select distinct l.contact_id from new_rows n
    join portal.lead_plans l on l.contact_id = n.contact_id and l.state <> 'ended'
    where n.type = 'incoming' and n."timestamp" > floor(extract(epoch from l.seen_at))
    order by l.contact_id
  ) p;
  return null;
end $$;
comment on function portal.end_answered_plans() is 'Trigger: anything that a lead sends after seen_at of its plan ends the plan.';
-- The trigger's name makes it fire after the triggers that lock the lead, and before withhold_texts. Otherwise that
-- trigger would hold the plan's texts back, and the broker would get a push about them.
create trigger withhold_plan after insert on public.whatsapp_messages
  referencing new table as new_rows for each statement execute function portal.end_answered_plans();

create function portal.end_plan_of_stage() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.kanban_stages s where s.slug = new.status and s.kind <> 'open') then
    perform portal.end_plan(new.id, 'stage');
  end if;
  return null;
end $$;
comment on function portal.end_plan_of_stage() is 'Trigger: the plan of a lead ends when the lead is won or lost.';
create trigger end_plan_of_stage after update of status on public.whatsapp_contacts
  for each row when (old.status is distinct from new.status) execute function portal.end_plan_of_stage();

create function portal.end_plans_of_person() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.end_plan(c.id, 'opted-out') from (
    select o.id from public.whatsapp_contacts o where o.person_id = new.id order by o.id) c;
  return null;
end $$;
comment on function portal.end_plans_of_person() is 'Trigger: an opt-out ends the plans of the person''s leads.';
create trigger end_plans_of_person after update of opted_out_at on portal.people
  for each row when (old.opted_out_at is null and new.opted_out_at is not null) execute function portal.end_plans_of_person();

create function portal.end_plan_for_visit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.end_plan(new.contact_id, 'visit');
  return null;
end $$;
comment on function portal.end_plan_for_visit() is 'Trigger: the plan of a lead ends when a visit is booked.';
create trigger end_plan_for_visit after insert on portal.actions
  for each row when (new.kind = 'visit' and new.finished_at is null) execute function portal.end_plan_for_visit();
create trigger end_plan_for_moved_visit after update of kind on portal.actions
  for each row when (old.kind <> 'visit' and new.kind = 'visit') execute function portal.end_plan_for_visit();

create function portal.ask_about_plan() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.lead_plans p set state = 'asking', changed_at = now() where p.contact_id = new.id and p.state = 'running';
  return null;
end $$;
comment on function portal.ask_about_plan() is 'Trigger: after a hand-over the new owner has to confirm the plan.';
create trigger ask_about_plan after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName") execute function portal.ask_about_plan();

create function portal.settle_plan(p_plan bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  has_tried boolean;
begin
  if exists (select from portal.actions a where a.plan_id = p_plan and a.finished_at is null)
    or exists (select from portal.scheduled_messages s where s.plan_id = p_plan and s.state in ('waiting', 'asking')) then
    return;
  end if;
  has_tried := exists (select from portal.actions a where a.plan_id = p_plan and a.outcome <> 'removed')
    or exists (select from portal.scheduled_messages s where s.plan_id = p_plan and s.state in ('queued', 'refused'));
  update portal.lead_plans p
  set state = case when has_tried then 'done' else 'ended' end, reason = case when not has_tried then 'stopped' end, changed_at = now()
  where p.id = p_plan and p.state in ('running', 'asking');
end $$;
comment on function portal.settle_plan(bigint) is
  'Marks a plan as done if no step is open. A plan whose steps were all removed ends as stopped. Server only.';

create function portal.settle_step() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.settle_plan(new.plan_id);
  return null;
end $$;
comment on function portal.settle_step() is
  'Trigger: settles the plan when one of its steps was done, sent or removed.';
create trigger settle_plan after update of finished_at on portal.actions
  for each row when (new.plan_id is not null and old.finished_at is null and new.finished_at is not null)
  execute function portal.settle_step();
create trigger settle_plan after update of state on portal.scheduled_messages
  for each row when (new.plan_id is not null and old.state is distinct from new.state) execute function portal.settle_step();

-- Devices then get the lead again, and open screens read its plan again.
create function portal.note_plan() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_changes(array[c."instanceName"], array[c.id], false)
  from public.whatsapp_contacts c where c.id = new.contact_id;
  return null;
end $$;
comment on function portal.note_plan() is 'Trigger: a change of a plan counts as a change of its lead on the board.';
create trigger note_plan after insert or update on portal.lead_plans
  for each row execute function portal.note_plan();

create function portal.list_merged_plans() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  plan record;
begin
  new.plan_ids := array(select p.id from portal.lead_plans p where p.contact_id = new.gone_contact_id);
  -- The messages have not moved yet. A lead's plan ends if either lead has sent something after the plan's seen_at.
  for plan in
    select p.contact_id from portal.lead_plans p
    where p.contact_id in (new.kept_contact_id, new.gone_contact_id) and p.state <> 'ended' and exists (
      select from public.whatsapp_messages m
      where m.contact_id in (new.kept_contact_id, new.gone_contact_id) and m.type = 'incoming'
        and m."timestamp" > floor(extract(epoch from p.seen_at)))
  loop
    perform portal.end_plan(plan.contact_id, 'answered');
  end loop;
  if exists (select from portal.lead_plans p where p.contact_id = new.kept_contact_id and p.state <> 'ended') then
    perform portal.end_plan(new.gone_contact_id, 'merged');
  end if;
  return new;
end $$;
comment on function portal.list_merged_plans() is
  'Trigger: notes in the record of a merge the plans of the deleted contact. If both leads have an open plan, that of the kept lead goes on.';
create trigger list_merged_plans before insert on portal.contact_merges
  for each row execute function portal.list_merged_plans();

create function portal.move_plans() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.lead_plans p
  set contact_id = case when new.undone_at is null then new.kept_contact_id else new.gone_contact_id end
  where p.id = any (new.plan_ids);
  return null;
end $$;
comment on function portal.move_plans() is
  'Trigger: moves the plans of a merged lead to the kept one, and back when the merge is undone.';
create trigger move_plans after insert or update of undone_at on portal.contact_merges
  for each row execute function portal.move_plans();


-- How a plan is started, changed and stopped.

create function portal.plan_outcome(p_code text, p_plan bigint default null) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('saved', 'already'),
    'code', p_code,
    'message', case p_code
      when 'unknown_lead' then 'Lead não encontrado.'
      when 'gone' then 'Este plano já tinha terminado.'
    end,
    'current', null,
    'plan_id', p_plan)
$$;
comment on function portal.plan_outcome(text, bigint) is
  'The answer to starting, changing or stopping a plan: the code saved, already, gone or unknown_lead, and the plan''s id.';

create function portal.check_plan_steps(p_steps jsonb) returns void
language plpgsql stable set search_path = '' as $$
begin
  if jsonb_typeof(p_steps) is distinct from 'array' or jsonb_array_length(p_steps) not between 1 and 5 then
    raise exception 'Um plano tem de uma a cinco tentativas.' using errcode = 'PT422', hint = 'plan.count';
  elsif exists (
    select from jsonb_array_elements(p_steps) s
    where jsonb_typeof(s) <> 'object' or coalesce(s ->> 'kind', '') not in ('call', 'message', 'task')
      or coalesce(s ->> 'operationId', '') !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      or coalesce(s ->> 'dueAt', '') !~ '^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?Z$'
      or coalesce(jsonb_typeof(s -> 'text'), 'null') not in ('string', 'null'))
    or (select count(distinct s ->> 'operationId') from jsonb_array_elements(p_steps) s) < jsonb_array_length(p_steps) then
    raise exception 'Este plano não pôde ser lido. Monte de novo.' using errcode = 'PT422', hint = 'plan.invalid';
  elsif exists (select from jsonb_array_elements(p_steps) s where length(s ->> 'text') > case s ->> 'kind' when 'message' then 4000 else 200 end) then
    raise exception 'Uma mensagem do plano tem até 4.000 letras, e uma anotação até 200.' using errcode = 'PT422', hint = 'plan.too-long';
  elsif exists (
    select from jsonb_array_elements(p_steps) s
    where (s ->> 'dueAt')::timestamptz not between now() - interval '1 year' and now() + interval '1 year') then
    raise exception 'Escolha dias no próximo ano.' using errcode = 'PT422', hint = 'plan.invalid';
  end if;
exception
  when datetime_field_overflow or invalid_datetime_format then
    raise exception 'Este plano não pôde ser lido. Monte de novo.' using errcode = 'PT422', hint = 'plan.invalid';
end $$;
comment on function portal.check_plan_steps(jsonb) is
  'Refuses, with 422 and a Portuguese message, steps that plan_start does not accept. Server only.';

create function portal.plan_due(p_wanted timestamptz, p_before timestamptz, p_now timestamptz) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
declare
  due timestamptz := p_wanted;
begin
  if p_wanted < p_now then return p_wanted; end if;
  due := coalesce(portal.opening_from(p_wanted), p_wanted);
  if due <> p_wanted and (due at time zone portal.time_zone())::date = (p_before at time zone portal.time_zone())::date then
    due := portal.opening_from(((due at time zone portal.time_zone())::date + 1)::timestamp at time zone portal.time_zone());
  end if;
  return due;
end $$;
comment on function portal.plan_due(timestamptz, timestamptz, timestamptz) is
  'When a step takes place. A time outside the allowed hours moves to their next start, but not onto the day of the step before it (p_before). A time in the past stays; portal.put_text has a person confirm a text that is two hours late. Server only.';

create function portal.put_plan_step(
  p_plan portal.lead_plans, p_step jsonb, p_due_at timestamptz, p_account uuid
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  op constant uuid := (p_step ->> 'operationId')::uuid;
  words constant text := btrim(coalesce(p_step ->> 'text', ''), E' \t\r\n');
  is_text constant boolean := p_step ->> 'kind' = 'message' and words <> '';
  action portal.actions;
  later portal.scheduled_messages;
  made bigint;
begin
  select a.* into action from portal.actions a where a.plan_id = p_plan.id and a.operation_id = op;
  select s.* into later from portal.scheduled_messages s where s.plan_id = p_plan.id and s.operation_id = op;
  -- The step was done, sent or removed meanwhile, so it is not tried again.
  if action.finished_at is not null or later.state in ('queued', 'cancelled') then return; end if;
  if is_text and later.id is not null then
    update portal.scheduled_messages s
    set body = words, due_at = p_due_at, unless_answered = true, at_once = false,
      state = case when p_due_at < now() - interval '2 hours' then 'asking' else 'waiting' end,
      reason = case when p_due_at < now() - interval '2 hours' then 'late' end, changed_at = now()
    where s.id = later.id
      and (s.body, s.due_at, s.state, s.at_once, s.unless_answered) is distinct from (words, p_due_at, 'waiting', false, true);
    return;
  elsif not is_text and action.id is not null then
    update portal.actions a set kind = p_step ->> 'kind', due_at = p_due_at, note = words
    where a.id = action.id and (a.kind, a.due_at, a.note) is distinct from (p_step ->> 'kind', p_due_at, words);
    return;
  end if;
  -- The step became another kind, so a new row takes over its operation. The old row is ended last, so that at each
  -- moment a step is open.
  update portal.scheduled_messages s set operation_id = null where s.id = later.id;
  update portal.actions a set operation_id = null where a.id = action.id;
  if exists (select from portal.actions a where a.account_id = p_account and a.operation_id = op)
    or exists (select from portal.scheduled_messages s where s.account_id = p_account and s.operation_id = op) then
    raise exception 'Este plano não pôde ser lido. Monte de novo.' using errcode = 'PT422', hint = 'plan.invalid';
  end if;
  if is_text then
    made := portal.put_text(p_plan.contact_id, words, p_due_at, true, p_plan.seen_at, null, p_account, op);
    update portal.scheduled_messages s set plan_id = p_plan.id where s.id = made;
  else
    perform portal.require_free_step(p_plan.contact_id);
    insert into portal.actions (contact_id, kind, due_at, note, seen_at, account_id, operation_id, plan_id)
    values (p_plan.contact_id, p_step ->> 'kind', p_due_at, words, p_plan.seen_at, p_account, op, p_plan.id);
  end if;
  update portal.scheduled_messages s set state = 'cancelled', reason = null, changed_at = now() where s.id = later.id;
  update portal.actions a set finished_at = now(), outcome = 'removed' where a.id = action.id;
end $$;
comment on function portal.put_plan_step(portal.lead_plans, jsonb, timestamptz, uuid) is
  'Adds a step to the plan of a locked lead, or changes the open step of the same operation. A step that is over stays as it is. A message without a text becomes an action, because the broker writes it. Server only.';

create function portal.put_plan_steps(p_plan portal.lead_plans, p_steps jsonb, p_account uuid, p_now timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  step jsonb;
  due timestamptz;
  kept constant uuid[] := array(select (s ->> 'operationId')::uuid from jsonb_array_elements(p_steps) s);
begin
  for step in select s from jsonb_array_elements(p_steps) s order by (s ->> 'dueAt')::timestamptz loop
    due := portal.plan_due((step ->> 'dueAt')::timestamptz, due, p_now);
    perform portal.put_plan_step(p_plan, step, due, p_account);
  end loop;
  update portal.scheduled_messages s set state = 'cancelled', reason = null, changed_at = now()
  where s.plan_id = p_plan.id and s.state in ('waiting', 'asking', 'answered', 'refused') and coalesce(s.operation_id <> all (kept), true);
  update portal.actions a set finished_at = now(), outcome = 'removed'
  where a.plan_id = p_plan.id and a.finished_at is null and coalesce(a.operation_id <> all (kept), true);
  perform portal.settle_plan(p_plan.id);
end $$;
comment on function portal.put_plan_steps(portal.lead_plans, jsonb, uuid, timestamptz) is
  'Sets the open steps of a plan. Open steps that are not in p_steps are removed; steps that are over stay. Server only.';

create function portal.save_own_plan(p_account uuid, p_steps jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  plan bigint;
begin
  insert into portal.plans as p (account_id) values (p_account)
  on conflict (account_id) do update set changed_at = now(), changed_by = excluded.changed_by returning p.id into plan;
  delete from portal.plan_steps s where s.plan_id = plan;
  insert into portal.plan_steps (plan_id, place, day, minute, kind)
  select plan, row_number() over (order by s.due), least(greatest(s.due::date - (now() at time zone portal.time_zone())::date, 1), 60),
    extract(hour from s.due) * 60 + extract(minute from s.due), s.kind
  from (
    select (t ->> 'dueAt')::timestamptz at time zone portal.time_zone() as due, t ->> 'kind' as kind
    from jsonb_array_elements(p_steps) t) s;
end $$;
comment on function portal.save_own_plan(uuid, jsonb) is
  'Stores the days and kinds of steps, not their texts, as a person''s own default. Server only.';

create function public.plan_start(
  p_contact_id bigint, p_steps jsonb, p_seen_at timestamptz default null, p_as_default boolean default false,
  p_plan_id bigint default null, p_plan_operation uuid default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  plan portal.lead_plans;
  hindrance text;
  is_change constant boolean := p_plan_id is not null or p_plan_operation is not null;
begin
  if answer is not null then return answer; end if;
  perform portal.check_plan_steps(p_steps);
  lead := portal.lock_asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if lead is null then
    return portal.end_operation(account, p_operation_id, 'plan.start', portal.plan_outcome('unknown_lead'));
  end if;
  if p_as_default and account is not null then perform portal.save_own_plan(account, p_steps); end if;
  select p.* into plan from portal.lead_plans p where p.contact_id = lead and p.state <> 'ended';
  if is_change and plan.id is null then
    return portal.end_operation(account, p_operation_id, 'plan.start', portal.plan_outcome('gone'));
  elsif not is_change and plan.state in ('running', 'asking') then
    -- Another device began a plan meanwhile; that one stays.
    return portal.end_operation(account, p_operation_id, 'plan.start', portal.plan_outcome('already', plan.id));
  end if;
  hindrance := portal.plan_hindrance(lead, coalesce(plan.seen_at, portal.seen_until(p_seen_at)));
  if plan.id is null then
    insert into portal.lead_plans (contact_id, state, reason, started_by, seen_at, account_id, operation_id)
    values (lead, case when hindrance is null then 'running' else 'ended' end, hindrance, 'person',
      portal.seen_until(p_seen_at), account, p_operation_id)
    returning * into plan;
  elsif hindrance is not null then
    perform portal.end_plan(lead, hindrance);
  else
    -- A person has changed the plan, so it counts as this person's from now on.
    update portal.lead_plans p set state = 'running', started_by = 'person', agent_id = null, changed_at = now()
    where p.id = plan.id returning * into plan;
  end if;
  if hindrance is null then perform portal.put_plan_steps(plan, p_steps, account, now()); end if;
  return portal.end_operation(account, p_operation_id, 'plan.start', portal.plan_outcome('saved', plan.id));
end $$;
comment on function public.plan_start(bigint, jsonb, timestamptz, boolean, bigint, uuid, uuid, text, text) is
  'Starts a lead''s plan of next tries, or changes the open one (p_plan_id, or p_plan_operation while only the operation is known). p_steps: one to five of {operationId (of the step), kind (call, message, task), dueAt (UTC), text}. The portal sends a message with a text; for one without a text it reminds the broker. A step outside the allowed hours moves to their next start. A changed plan has exactly the given open steps; steps that are over stay. Anything that the lead sends after p_seen_at (null: now) ends it. p_as_default: days and kinds become the caller''s own default. A broker for its own leads, a gerente for those of the brokers it leads, an administrator for all. The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a retry by the same account gets the stored answer. Returns {success, code, message, current, plan_id}. code: saved (the plan may have ended at once, because the lead has answered, opted out, has a visit, or is won or lost), already (the lead has another open plan, which stays), gone (the plan to change has ended) or unknown_lead. 401 once the session has ended; 422 for other steps.';
revoke execute on function public.plan_start(bigint, jsonb, timestamptz, boolean, bigint, uuid, uuid, text, text) from public, anon;
grant execute on function public.plan_start(bigint, jsonb, timestamptz, boolean, bigint, uuid, uuid, text, text) to authenticated, service_role;

create function public.plan_stop(
  p_contact_id bigint, p_reason text default 'stopped', p_plan_id bigint default null, p_plan_operation uuid default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  plan bigint;
  code text := 'already';
begin
  if answer is not null then return answer; end if;
  if p_reason is null or p_reason not in ('stopped', 'declined', 'undone') then
    raise exception 'Diga por que o plano para.' using errcode = 'PT422', hint = 'plan.invalid';
  end if;
  lead := portal.lock_asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if lead is null then
    return portal.end_operation(account, p_operation_id, 'plan.stop', portal.plan_outcome('unknown_lead'));
  end if;
  select p.id into plan from portal.lead_plans p
  where p.contact_id = lead and p.state <> 'ended'
    and (p.id = p_plan_id or (p.account_id = account and p.operation_id = p_plan_operation));
  if plan is not null then
    perform portal.end_plan(lead, p_reason);
    code := 'saved';
  elsif p_reason = 'declined' and p_plan_id is null and p_plan_operation is null and not exists (
    select from portal.lead_plans p where p.contact_id = lead and p.state <> 'ended') then
    insert into portal.lead_plans (contact_id, state, reason, started_by, seen_at, account_id, operation_id)
    values (lead, 'ended', 'declined', 'person', now(), account, p_operation_id) returning id into plan;
    code := 'saved';
  end if;
  return portal.end_operation(account, p_operation_id, 'plan.stop', portal.plan_outcome(code, plan));
end $$;
comment on function public.plan_stop(bigint, text, bigint, uuid, uuid, text, text) is
  'Stops the open plan of a lead, identified as in plan_start, and cancels its open steps; already if it had ended. p_reason: stopped; undone (counts as never begun); or declined (no plan is wanted until the lead writes again), which is also recorded for a lead without a plan. Permissions, the lead''s identification, p_operation_id and the answer are those of plan_start. 422 for another reason.';
revoke execute on function public.plan_stop(bigint, text, bigint, uuid, uuid, text, text) from public, anon;
grant execute on function public.plan_stop(bigint, text, bigint, uuid, uuid, text, text) to authenticated, service_role;


-- What phones keep of plans, so that they can be used without a network.

create function portal.steps_of_plan(p_plan bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('op', s.operation_id, 'kind', s.kind, 'due', floor(extract(epoch from s.due_at))::bigint,
    'text', s.words, 'sends', s.sends, 'state', s.state, 'why', s.why,
    'at', floor(extract(epoch from s.at))::bigint, 'delivery', s.delivery) order by coalesce(s.at, s.due_at), s.due_at, s.sends), '[]')
  from (
    select a.operation_id, a.kind, a.due_at, a.note as words, false as sends,
      case when a.finished_at is null then 'open' else 'done' end as state, null::text as why, a.finished_at as at, null::text as delivery
    from portal.actions a where a.plan_id = p_plan and a.outcome is distinct from 'removed'
    union all
    select t.operation_id, 'message', t.due_at, t.body, true,
      case t.state when 'queued' then 'done' when 'waiting' then 'open' when 'answered' then 'asking' else t.state end,
      t.reason, case when t.state = 'queued' then t.changed_at end, m.delivery
    from portal.scheduled_messages t left join public.whatsapp_messages m on m.id = t.message_id
    where t.plan_id = p_plan and t.state <> 'cancelled'
  ) s
$$;
comment on function portal.steps_of_plan(bigint) is
  'The steps of a plan in their order, without removed ones: [{op (operation), kind, due (epoch seconds), text, sends (it goes by itself), state (open, done, asking, refused), why (reason of a text), at (when it was done), delivery}]. Server only.';

create function portal.template_steps(p_plan bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('day', s.day, 'minute', s.minute, 'kind', s.kind, 'text', s.body) order by s.place), '[]')
  from portal.plan_steps s where s.plan_id = p_plan
$$;
comment on function portal.template_steps(bigint) is 'The steps of a template: [{day, minute, kind, text}]. Server only.';

create function public.get_plans(p_broker_name text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  account constant uuid := portal.require_member();
begin
  if account is not null and not portal.reaches(p_broker_name) then
    raise exception 'Estes planos são de outro corretor.' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'plans', (
      select coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'op', n.operation_id, 'contact_id', n.contact_id, 'state', n.state,
        'reason', n.reason, 'by', n.started_by, 'started', floor(extract(epoch from n.started_at))::bigint,
        'changed', floor(extract(epoch from n.changed_at))::bigint, 'steps', portal.steps_of_plan(n.id)) order by n.id), '[]')
      from (
        select distinct on (p.contact_id) p.*
        from public.whatsapp_contacts c join portal.lead_plans p on p.contact_id = c.id
        where c."instanceName" = p_broker_name and (p.state <> 'ended' or p.changed_at > now() - interval '60 days')
        order by p.contact_id, p.id desc limit 2000) n
      where n.reason is distinct from 'undone'),
    'own', (select portal.template_steps(p.id) from portal.plans p where p.account_id = account),
    'shared', (
      select coalesce(jsonb_agg(jsonb_build_object('development', d.name, 'steps', portal.template_steps(p.id)) order by p.id), '[]')
      from portal.plans p left join public.developments d on d.id = p.development_id
      where p.account_id is null and d.archived_at is null),
    'hours', (select jsonb_build_object('from', s.opens_at, 'until', s.closes_at, 'sundays', s.sends_on_sundays) from public.campaign_settings s));
end $$;
comment on function public.get_plans(text) is
  'Plans on the board of an instance, and the templates from which the app proposes one: {plans [{id, op, contact_id, state, reason, by, started, changed, steps (portal.steps_of_plan)}], own (the caller''s default, null without one), shared [{development (null: the agency''s), steps}], hours {from, until, sundays}}. plans has the newest of each lead; ended ones for 60 days. A broker for its own board, a gerente for those it leads, an administrator for any: else 42501; 401 once the session has ended.';
revoke execute on function public.get_plans(text) from public, anon;
grant execute on function public.get_plans(text) to authenticated, service_role;


-- Templates, which administrators write.

create function public.plan_template_save(p_development_id integer, p_steps jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  plan bigint;
  development text := (select d.name from public.developments d where d.id = p_development_id);
begin
  perform portal.require_admin();
  if p_development_id is not null and development is null then
    raise exception 'Este empreendimento não existe mais.' using errcode = 'PT404', hint = 'development.unknown';
  elsif jsonb_typeof(p_steps) is distinct from 'array' or jsonb_array_length(p_steps) > 5 then
    raise exception 'Um plano tem até cinco tentativas.' using errcode = 'PT422', hint = 'plan.count';
  elsif exists (
    select from jsonb_array_elements(p_steps) s
    where jsonb_typeof(s) <> 'object' or coalesce(s ->> 'kind', '') not in ('call', 'message', 'task')
      or coalesce(s ->> 'day', '') !~ '^[0-9]{1,2}$' or (s ->> 'day')::integer not between 1 and 60
      or coalesce(s ->> 'minute', '') !~ '^[0-9]{1,4}$' or (s ->> 'minute')::integer > 1439
      or coalesce(jsonb_typeof(s -> 'text'), 'null') not in ('string', 'null')
      or length(s ->> 'text') > case s ->> 'kind' when 'message' then 4000 else 200 end) then
    raise exception 'Confira as tentativas: dia de 1 a 60, hora, e até 4.000 letras.' using errcode = 'PT422', hint = 'plan.invalid';
  end if;
  delete from portal.plans p where p.account_id is null and p.development_id is not distinct from p_development_id;
  if p_steps <> '[]' then
    insert into portal.plans (development_id) values (p_development_id) returning id into plan;
    insert into portal.plan_steps (plan_id, place, day, minute, kind, body)
    select plan, row_number() over (order by (s ->> 'day')::integer, (s ->> 'minute')::integer, place),
      (s ->> 'day')::smallint, (s ->> 'minute')::smallint, s ->> 'kind', btrim(coalesce(s ->> 'text', ''), E' \t\r\n')
    from jsonb_array_elements(p_steps) with ordinality as t (s, place);
  end if;
  perform portal.audit('plan.template', coalesce(development, ''), jsonb_build_object('steps', jsonb_array_length(p_steps)));
  return coalesce(portal.template_steps(plan), '[]');
end $$;
comment on function public.plan_template_save(integer, jsonb) is
  'Publishes the template of a development''s plans (null: the agency''s): [{day, minute, kind, text}] in any order, five at most. An empty list removes it. Plans of leads stay as they are. Audited. Returns the steps in order. 404 for an unknown development, 422 for other steps. Administrators only.';
revoke execute on function public.plan_template_save(integer, jsonb) from public, anon;
grant execute on function public.plan_template_save(integer, jsonb) to authenticated, service_role;


-- Pushes before steps that a broker takes: one for each time of a step.

create function portal.remind_tries(p_now timestamptz) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  told integer;
begin
  with due as (
    select a.id, a.contact_id, a.due_at
    from portal.actions a join portal.lead_plans p on p.id = a.plan_id and p.state = 'running'
    where a.finished_at is null and a.due_at <= p_now + interval '10 minutes' and a.due_at > p_now
      and a.reminded_for is distinct from a.due_at
    -- Limited, because each of them needs a search in the queue of pushes.
    order by a.due_at limit greatest(0, 256 - (
      select count(*) from portal.push_queue q where q.kind = 'try' and q.due_at <= p_now))
    for update of a skip locked
  ), noted as (
    update portal.actions a set reminded_for = d.due_at from due d where a.id = d.id returning a.id
  ), queued as (
    insert into portal.push_queue as q (device_id, kind, tag, subject, due_at)
    select e.id, 'try', 'try-' || d.id, d.id, p_now
    from due d
    join public.whatsapp_contacts c on c.id = d.contact_id
    join public.brokers b on b."instanceName" = c."instanceName"
    join portal.sessions s on s.account_id = b.id
    join portal.push_devices e on e.session_id = s.id and e.removed_at is null
    order by e.id, d.id
    on conflict (device_id, tag) where claimed_by is null do update
    set kind = excluded.kind, due_at = excluded.due_at, happened = q.happened + 1
    returning 1
  )
  select count(*) into told from noted, (select count(*) from queued) t;
  if told > 0 then perform portal.notify_channel('push', ''); end if;
  return told;
end $$;
comment on function portal.remind_tries(timestamptz) is
  'Queues a push to the broker for each action of a running plan that is due within ten minutes, one for each time of the action. At most 256 such pushes wait at once. Returns how many actions were processed. Server only.';


-- Plans that begin by themselves: by the rule of a source, or after an agent's last message got no answer.

create function portal.agent_may_try(p_agent integer, p_lead bigint, p_now timestamptz) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select s.follows_up and s.mode in ('new_people', 'answer') and portal.answering_agent(c.id, p_now) = s.agent_id
      and portal.pause_of(s.agent_id, c.person_id) is null and not portal.is_braked(s.agent_id, c.person_id, p_now)
    from portal.agent_settings s join public.whatsapp_contacts c on c.id = p_lead
    where s.agent_id = p_agent), false)
$$;
comment on function portal.agent_may_try(integer, bigint, timestamptz) is
  'Whether an agent may write to a lead that does not answer. The agent must follow up (follows_up) in mode new_people or answer, answer this lead now, be within its limits, and not be paused, as it is once a person writes. Server only.';

create function portal.silent_leads(p_now timestamptz, p_limit integer)
returns table (lead_id bigint, name text, started_by text, agent_id integer, steps jsonb)
language sql stable security definer set search_path = '' as $$
  with found as (
    -- Takes only leads that came in after the rule was switched on.
    select i.contact_id as lead_id, 'source' as started_by, null::integer as agent_id, i.received_at as since
    from portal.intake_keys k
    join portal.lead_intakes i on i.key_id = k.id and i.received_at >= (k.settings ->> 'plansSince')::timestamptz
    where k.revoked_at is null and i.received_at between p_now - interval '60 days' and p_now - interval '2 days'
    union all
    select t.contact_id, 'agent', t.agent_id, t.ended_at
    from portal.agent_settings s
    join portal.agent_turns t on t.agent_id = s.agent_id and t.began_at between p_now - interval '10 days' and p_now - interval '2 days'
    where s.follows_up and s.mode in ('new_people', 'answer') and t.kind = 'answer' and t.state = 'sent'
  ), silent as (
    select distinct on (c.id) c.id, c.name, f.started_by, f.agent_id,
      (select portal.template_steps(p.id) from portal.plans p
        where p.account_id is null and (p.development_id is null or p.development_id = portal.development_of(c.empreendimento))
        order by p.development_id nulls last limit 1) as steps
    from found f
    join public.whatsapp_contacts c on c.id = f.lead_id
    where c."instanceName" is not null and c.last_message_type = 'outgoing' and c.next is null and c.later is null
      and c.last_message_timestamp > extract(epoch from p_now - interval '30 days')
      -- For an agent's plan the agent must have written last. If a person has written since, only that person decides.
      and (f.agent_id is null or c.last_message_author = 'agent')
      -- The lead must have been silent for two days, and no plan may have begun in this silence.
      and not exists (
        select from public.whatsapp_messages m
        where m.contact_id = c.id and m.type = 'incoming' and m."timestamp" > extract(epoch from p_now - interval '2 days'))
      and not exists (
        select from portal.lead_plans p
        where p.contact_id = c.id and (p.state <> 'ended' or p.started_at > greatest(f.since, to_timestamp(coalesce((
          select max(m."timestamp") from public.whatsapp_messages m where m.contact_id = c.id and m.type = 'incoming'), 0)))))
      and portal.plan_hindrance(c.id, p_now) is null
      and (f.agent_id is null or portal.agent_may_try(f.agent_id, c.id, p_now))
    order by c.id, f.started_by, f.agent_id
  )
  select s.id, s.name, s.started_by, s.agent_id, coalesce(s.steps, '[]') from silent s
  -- An agent writes no text of a plan itself, so it begins none unless the published template has a text.
  where s.agent_id is null or jsonb_path_exists(s.steps, '$[*] ? (@.kind == "message" && @.text != "")')
  order by s.id limit p_limit
$$;
comment on function portal.silent_leads(timestamptz, integer) is
  'Leads whose plan begins by itself now, at most p_limit: of a source with that rule, or of an agent that follows up. We wrote last (for an agent''s plan: the agent), within 30 days. The lead has sent nothing for two days, has no open action or text, and no plan was begun in this silence. steps: the template of the lead''s development, else of the agency, else []. Server only.';

create function portal.begin_plan(
  p_lead bigint, p_started_by text, p_agent integer, p_steps jsonb, p_now timestamptz
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  plan portal.lead_plans;
begin
  select c.* into lead from public.whatsapp_contacts c where c.id = p_lead for no key update skip locked;
  -- Anything may have happened since portal.silent_leads found the lead.
  if lead.id is null or lead.last_message_type is distinct from 'outgoing' or lead.next is not null or lead.later is not null
    or exists (
      select from portal.lead_plans p
      where p.contact_id = p_lead and (p.state <> 'ended' or p.started_at > to_timestamp(lead.last_message_timestamp)))
    or portal.plan_hindrance(p_lead, to_timestamp(lead.last_message_timestamp)) is not null
    or p_agent is not null and not portal.agent_may_try(p_agent, p_lead, p_now) then
    return false;
  end if;
  perform portal.check_plan_steps(p_steps);
  insert into portal.lead_plans (contact_id, started_by, agent_id, seen_at)
  values (p_lead, p_started_by, p_agent, to_timestamp(lead.last_message_timestamp)) returning * into plan;
  perform portal.put_plan_steps(plan, p_steps, null, p_now);
  return true;
end $$;
comment on function portal.begin_plan(bigint, text, integer, jsonb, timestamptz) is
  'Begins the plan of a lead that portal.silent_leads found, with steps as plan_start takes them. Returns false if the lead may have no plan any more, or somebody is changing it. Server only.';
