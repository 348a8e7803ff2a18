-- Times without an end, as the wire may bring them, are taken as the nearest that there is.

create function portal.seen_until(p_seen_at timestamptz) returns timestamptz
language sql stable set search_path = '' as $$
  select greatest('epoch', least(coalesce(p_seen_at, now()), now()))
$$;
comment on function portal.seen_until(timestamptz) is
  'Up to when a device says that it has seen what a lead wrote, null: now; never later than now, nor before any message. Server only.';

create or replace function public.action_save(
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
  if p_due_at is null or p_due_at not between now() - interval '1 year' and now() + interval '2 years' then
    raise exception 'Escolha um dia nos próximos dois anos.' using errcode = 'PT422';
  end if;
  if length(btrim(p_note)) > 200 then
    raise exception 'A anotação do próximo passo pode ter até 200 caracteres.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if not portal.lock_lead(lead) then
    return portal.end_operation(account, p_operation_id, 'action.save', portal.action_answer('unknown_lead'));
  end if;
  -- Finished elsewhere meanwhile, it is still to be done by whoever sets it anew.
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

create or replace function public.action_finish(
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
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if not portal.lock_lead(lead) then
    code := 'unknown_lead';
  elsif p_outcome = 'not_needed' then
    insert into portal.actions (contact_id, kind, due_at, seen_at, account_id, operation_id, finished_at, outcome)
    values (lead, 'none', now(), portal.seen_until(p_seen_at), account, p_operation_id, now(), 'not_needed')
    returning id into action;
    code := 'saved';
  else
    action := portal.open_action(lead, p_action_id, account, p_action_operation);
    if action is not null then
      update portal.actions set finished_at = now(), outcome = p_outcome where id = action;
      code := 'saved';
    end if;
  end if;
  return portal.end_operation(account, p_operation_id, 'action.finish', portal.action_answer(code, action));
end $$;

create or replace function public.visit_save(
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
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if not portal.lock_lead(lead) then
    return portal.end_operation(account, p_operation_id, 'visit.save', portal.visit_answer('unknown_lead'));
  end if;
  answer := portal.put_visit(lead, p_starts_at, coalesce(btrim(p_place), ''), seen,
    portal.open_action(lead, p_action_id, account, p_action_operation), account, p_operation_id);
  if answer ->> 'code' = 'saved' then
    if btrim(p_confirm_text) <> '' then
      perform portal.put_text(lead, btrim(p_confirm_text), now(), false, seen, (answer ->> 'action_id')::bigint, null, null);
    end if;
    if btrim(p_remind_text) <> '' and p_remind_at > now() then
      perform portal.put_text(lead, btrim(p_remind_text), p_remind_at, false, seen, (answer ->> 'action_id')::bigint, null, null);
    end if;
  end if;
  return portal.end_operation(account, p_operation_id, 'visit.save', answer);
end $$;

create or replace function public.message_schedule(
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
    before := portal.put_text(lead, words, p_due_at, coalesce(p_unless_answered, true), portal.seen_until(p_seen_at), null,
      account, p_operation_id);
  else
    update portal.scheduled_messages s
    set body = words, due_at = coalesce(p_due_at, now()), at_once = p_due_at is null,
      unless_answered = coalesce(p_unless_answered, true) and p_due_at is not null, seen_at = greatest(s.seen_at, portal.seen_until(p_seen_at)),
      state = case when p_due_at < now() - interval '2 hours' then 'asking' else 'waiting' end,
      reason = case when p_due_at < now() - interval '2 hours' then 'late' end, changed_at = now()
    where s.id = before;
    update portal.scheduled_messages s set state = 'answered', reason = null where s.id = before and portal.was_answered(s);
  end if;
  return portal.end_operation(account, p_operation_id, 'message.schedule', portal.scheduled_answer('saved', before));
end $$;
