-- Next actions of a broker for a lead: set, postponed, finished. A device first stores each change itself; the
-- functions here apply the change once.

create table portal.actions (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  kind text not null check (kind in ('call', 'message', 'visit', 'task', 'none')),
  due_at timestamptz not null,
  note text not null default '' check (length(note) <= 200),
  seen_at timestamptz not null,
  account_id uuid,
  operation_id uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  outcome text check (outcome in ('done', 'removed', 'not_needed', 'missed')),
  plan_id bigint,
  reminded_for timestamptz,
  check ((finished_at is null) = (outcome is null))
);
comment on table portal.actions is
  'Next actions of leads, including finished ones. They stay with the lead after a hand-over or merge. action_save, action_finish and action_snooze write them; devices read them as a column of the lead.';
comment on column portal.actions.kind is
  'call, message, visit, task or none. none is finished at once: a person read the messages and says that no answer is needed.';
comment on column portal.actions.seen_at is
  'Up to when the person who set the action had seen the lead''s messages. Later ones still wait for an answer.';
comment on column portal.actions.operation_id is
  'The operation that set the action. The device refers to it until it knows the action''s id.';
comment on column portal.actions.outcome is
  'done, removed (counts as never set), not_needed, or missed (a visit to which the lead did not come). Null while the action is open.';
comment on column portal.actions.plan_id is 'The plan of next tries whose step it is; null for any other action.';
comment on column portal.actions.reminded_for is
  'The due time for which the broker got a push already; a changed due time gets another push. Null: none yet. Only for steps of plans.';
create unique index actions_operation on portal.actions (account_id, operation_id);
comment on index portal.actions_operation is 'Serves finding an action by its operation.';
create index actions_contact on portal.actions (contact_id, due_at, id);
comment on index portal.actions_contact is
  'Serves the columns that a lead shows of its actions, and the removal of the lead.';
alter table portal.actions enable row level security;

-- Postgres uses one generic plan for all calls, as for portal.carry. Planning took 4 of the 5 ms of a call.
create function portal.carry_plans(p_contacts bigint[]) returns void
language plpgsql volatile security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  quieted bigint[];
begin
  if p_contacts is null then return; end if;
  -- Locks leads in the order of their ids, as all writers do. The next statement then sees what the previous writer
  -- committed.
  perform from public.whatsapp_contacts c where c.id = any (p_contacts) order by c.id for no key update;
  with carried as (
    select t.id, greatest(planned.quiet_at, written.quiet_at, closed.quiet_at) as quiet_at, planned.next, written.later, finished.done
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
    cross join lateral (
      select max(coalesce(h.moved_at, h.changed_at)) as quiet_at
      from public.whatsapp_contacts o
      join public.kanban_stages s on s.slug = o.status and s.kind <> 'open'
      join portal.stage_history h on h.contact_id = o.id and h.to_status = o.status
      where o.id = t.id
    ) closed
    cross join lateral (
      select jsonb_agg(d.one order by d.at, d.kind, d.id) as done
      from (
        select f.id, f.kind, f.at, jsonb_build_object('id', f.id, 'kind', f.kind, 'due', floor(extract(epoch from f.due_at))::bigint,
          'at', f.at, 'note', f.note) || case when f.is_missed then '{"missed": true}'::jsonb else '{}' end as one
        from (
          select a.id, a.kind, a.due_at, floor(extract(epoch from a.finished_at))::bigint as at, a.note, a.outcome = 'missed' as is_missed
          from portal.actions a where a.contact_id = t.id and a.outcome in ('done', 'missed')
          union all
          -- Leaves out texts that a person sent at once, and a visit's confirmation and reminder.
          select s.id, 'text', s.due_at, floor(extract(epoch from s.changed_at))::bigint, '', false
          from portal.scheduled_messages s where s.contact_id = t.id and s.state = 'queued' and not s.at_once and s.action_id is null
        ) f
        where f.at >= portal.day_began() order by f.at desc, f.kind, f.id desc limit 20
      ) d
    ) finished
  ), changed as (
    update public.whatsapp_contacts c set quiet_at = carried.quiet_at, next = carried.next, later = carried.later, done = carried.done
    from carried, public.whatsapp_contacts before
    where c.id = carried.id and before.id = c.id
      and (c.quiet_at, c.next, c.later, c.done) is distinct from (carried.quiet_at, carried.next, carried.later, carried.done)
    returning c.id, before.quiet_at is distinct from c.quiet_at as is_quieted
  )
  select array_agg(w.id) into quieted from changed w where w.is_quieted;
  if quieted is not null then perform portal.carry(quieted); end if;
end $$;
comment on function portal.carry_plans(bigint[]) is
  'Writes on each lead its open actions and scheduled texts, and what was done of them today. Also writes up to when its messages need no answer: the person who set an action or text had seen them, or the lead then moved to a stage of won or lost leads. Server only.';

create function portal.carry_actions() returns trigger
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
  'Trigger: copies a lead''s open actions to the lead. Messages that the person had seen when setting the action stop waiting for an answer.';
create trigger carry_new_actions after insert on portal.actions
  referencing new table as new_rows for each statement execute function portal.carry_actions();
create trigger carry_changed_actions after update on portal.actions
  referencing old table as old_rows new table as new_rows for each statement execute function portal.carry_actions();

create function portal.list_merged_actions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.action_ids := array(select a.id from portal.actions a where a.contact_id = new.gone_contact_id);
  new.scheduled_ids := array(select s.id from portal.scheduled_messages s where s.contact_id = new.gone_contact_id);
  return new;
end $$;
comment on function portal.list_merged_actions() is
  'Trigger: notes in the record of a merge which actions and scheduled texts belonged to the deleted contact.';
create trigger list_merged_actions before insert on portal.contact_merges
  for each row execute function portal.list_merged_actions();

create function portal.move_actions() returns trigger
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
  'Trigger: moves actions and scheduled texts of a merged lead to the kept one, and back when the merge is undone.';
create trigger move_actions after insert or update of undone_at on portal.contact_merges
  for each row execute function portal.move_actions();

create function portal.action_answer(p_code text, p_action bigint default null) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('saved', 'already'),
    'code', p_code,
    'message', case p_code when 'unknown_lead' then 'Lead não encontrado.' end,
    'action_id', p_action)
$$;
comment on function portal.action_answer(text, bigint) is
  'The answer to setting, postponing or finishing an action: the code saved, already or unknown_lead, and the action''s id.';

create function portal.lock_lead(p_lead bigint) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  perform from public.whatsapp_contacts c where c.id = p_lead for no key update;
  return found;
end $$;
comment on function portal.lock_lead(bigint) is
  'Locks a lead for this transaction; returns whether it exists. Server only.';

create function portal.open_action(p_lead bigint, p_action bigint, p_account uuid, p_action_operation uuid) returns bigint
language sql stable set search_path = '' as $$
  select a.id from portal.actions a
  where a.contact_id = p_lead and a.finished_at is null
    and (a.id = p_action or (a.account_id = p_account and a.operation_id = p_action_operation))
  order by a.id limit 1
$$;
comment on function portal.open_action(bigint, bigint, uuid, uuid) is
  'An open action of a lead, by its id or by the operation with which this account set it. Null if it is finished or unknown. Server only.';

create function portal.seen_until(p_seen_at timestamptz) returns timestamptz
language sql stable set search_path = '' as $$
  select greatest('epoch', least(coalesce(p_seen_at, now()), now()))
$$;
comment on function portal.seen_until(timestamptz) is
  'Up to when a device has shown a lead''s messages. Null counts as now; a later time is cut to now, and never before any message. Server only.';

create function portal.require_due(p_due_at timestamptz) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_due_at is null or p_due_at not between now() - interval '1 year' and now() + interval '2 years' then
    raise exception 'Escolha um dia nos próximos dois anos.' using errcode = 'PT422';
  end if;
end $$;
comment on function portal.require_due(timestamptz) is
  'Refuses, with 422, a next action without a day, or on a day more than a year ago or two years ahead. Server only.';

create function portal.require_free_step(p_lead bigint) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if (select count(*) from portal.actions a where a.contact_id = p_lead and a.finished_at is null) >= 50 then
    raise exception 'Este lead já tem 50 próximos passos. Conclua um deles antes.' using errcode = 'PT422', hint = 'action.many';
  end if;
end $$;
comment on function portal.require_free_step(bigint) is
  'Refuses, with 422, another open action for a lead that has 50 already, because its card sends them all to every device. The caller has locked the lead. Server only.';

create function public.action_save(
  p_contact_id bigint, p_kind text, p_due_at timestamptz, p_note text default '', p_seen_at timestamptz default null,
  p_action_id bigint default null, p_action_operation uuid default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  action bigint;
begin
  if answer is not null then return answer; end if;
  if p_kind is null or p_kind not in ('call', 'message', 'visit', 'task') then
    raise exception 'Escolha ligar, mensagem, visita ou tarefa.' using errcode = 'PT422';
  end if;
  perform portal.require_due(p_due_at);
  if length(btrim(p_note)) > 200 then
    raise exception 'A anotação do próximo passo pode ter até 200 caracteres.' using errcode = 'PT422';
  end if;
  lead := portal.lock_asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if lead is null then
    return portal.end_operation(account, p_operation_id, 'action.save', portal.action_answer('unknown_lead'));
  end if;
  -- If the action was finished elsewhere meanwhile, this write sets a new one.
  action := portal.open_action(lead, p_action_id, account, p_action_operation);
  if action is null then
    perform portal.require_free_step(lead);
    insert into portal.actions (contact_id, kind, due_at, note, seen_at, account_id, operation_id)
    values (lead, p_kind, p_due_at, coalesce(btrim(p_note), ''), portal.seen_until(p_seen_at), account, p_operation_id)
    returning id into action;
  else
    update portal.actions
    set kind = p_kind, due_at = p_due_at, note = coalesce(btrim(p_note), ''),
      seen_at = greatest(seen_at, portal.seen_until(p_seen_at))
    where id = action;
  end if;
  return portal.end_operation(account, p_operation_id, 'action.save', portal.action_answer('saved', action));
end $$;
comment on function public.action_save(bigint, text, timestamptz, text, timestamptz, bigint, uuid, uuid, text, text) is
  'Sets the next action for a lead: p_kind call, message, visit or task, at p_due_at. p_seen_at: up to when the caller had seen the lead''s messages (null: now); later ones still wait. p_action_id, or p_action_operation while only the operation is known: the open action to replace; if it was finished meanwhile it stays so, and a new one is created. A broker for its own leads, a gerente for those of the brokers it leads, an administrator for all. The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a retry by the same account gets the stored answer. Returns {success, code, message, action_id}, code saved or unknown_lead. 401 once the session has ended; 422 for another kind, a day out of range, a note of more than 200 characters or a lead with 50 open ones.';
grant execute on function public.action_save(bigint, text, timestamptz, text, timestamptz, bigint, uuid, uuid, text, text) to authenticated, service_role;

create function public.action_finish(
  p_contact_id bigint, p_outcome text, p_action_id bigint default null, p_action_operation uuid default null,
  p_seen_at timestamptz default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  action bigint;
  code text := 'already';
begin
  if answer is not null then return answer; end if;
  if p_outcome is null or p_outcome not in ('done', 'removed', 'not_needed') then
    raise exception 'Diga como terminou.' using errcode = 'PT422';
  end if;
  lead := portal.lock_asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if lead is null then
    code := 'unknown_lead';
  elsif p_outcome = 'not_needed' then
    insert into portal.actions (contact_id, kind, due_at, seen_at, account_id, operation_id, finished_at, outcome)
    values (lead, 'none', now(), portal.seen_until(p_seen_at), account, p_operation_id, now(), 'not_needed')
    returning id into action;
    code := 'saved';
  else
    action := portal.open_action(lead, p_action_id, account, p_action_operation);
    if action is not null then
      -- A visit that is finished before its hour did not take place, so it is cancelled.
      update portal.actions
      set finished_at = now(), outcome = case when kind = 'visit' and due_at > now() then 'removed' else p_outcome end
      where id = action;
      code := 'saved';
    end if;
  end if;
  return portal.end_operation(account, p_operation_id, 'action.finish', portal.action_answer(code, action));
end $$;
comment on function public.action_finish(bigint, text, bigint, uuid, timestamptz, uuid, text, text) is
  'Finishes an open action of a lead with p_outcome done or removed (as if never set: a lead that waited before waits again); already if somebody finished it before. For a visit in the future done means removed. not_needed takes no action: the lead''s messages up to p_seen_at need no answer. Permissions, identification of lead and action, p_operation_id and the answer are those of action_save. 422 for another outcome.';
grant execute on function public.action_finish(bigint, text, bigint, uuid, timestamptz, uuid, text, text) to authenticated, service_role;

create function public.action_snooze(
  p_contact_id bigint, p_due_at timestamptz, p_action_id bigint default null, p_action_operation uuid default null,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  action bigint;
  code text := 'already';
begin
  if answer is not null then return answer; end if;
  perform portal.require_due(p_due_at);
  lead := portal.lock_asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if lead is null then
    code := 'unknown_lead';
  else
    action := portal.open_action(lead, p_action_id, account, p_action_operation);
    if action is not null then
      update portal.actions set due_at = p_due_at where id = action;
      code := 'saved';
    end if;
  end if;
  return portal.end_operation(account, p_operation_id, 'action.snooze', portal.action_answer(code, action));
end $$;
comment on function public.action_snooze(bigint, timestamptz, bigint, uuid, uuid, text, text) is
  'Postpones an open action of a lead to p_due_at; already, without a change, if it was finished before. Permissions, identification of lead and action, p_operation_id and the answer are those of action_save. 422 for a day out of range.';
grant execute on function public.action_snooze(bigint, timestamptz, bigint, uuid, uuid, text, text) to authenticated, service_role;
