-- A visit that is finished before its hour was not held, and no figure counts it as such.

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
      -- A visit before its hour was not held: it is off.
      update portal.actions
      set finished_at = now(), outcome = case when kind = 'visit' and due_at > now() then 'removed' else p_outcome end
      where id = action;
      code := 'saved';
    end if;
  end if;
  return portal.end_operation(account, p_operation_id, 'action.finish', portal.action_answer(code, action));
end $$;
comment on function public.action_finish(bigint, text, bigint, uuid, timestamptz, uuid, text, text) is
  'Finishes an open action of a lead with p_outcome done or removed (as if it had never been set: who waited before waits again); already where somebody finished it before, also from another device. A visit whose hour is still to come is removed by done, too. not_needed names no action: what the lead wrote up to p_seen_at needs no answer. Who may, how lead and action are named, p_operation_id and the answer are those of action_save. 422 for another outcome.';
