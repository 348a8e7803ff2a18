-- An answer with a link or a number that nobody gave the agent is tried once more, then a broker is called, as one with a price is.

create or replace function portal.end_turn(p_turn bigint, p_now timestamptz, p_state text, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  turn portal.agent_turns;
  refused integer;
begin
  update portal.agent_turns t
  set state = p_state, reason = p_reason, ended_at = p_now, leased_until = null, claimed_by = null
  where t.id = p_turn returning * into turn;
  if p_reason = 'newer' then
    perform portal.plan_answer(turn.contact_id, p_now)
    where not exists (select from portal.agent_turns t where t.contact_id = turn.contact_id and t.state = 'waiting');
  elsif p_state = 'failed' or p_reason in ('off', 'paused', 'budget', 'too-many-steps') then
    perform portal.hand_over_turn(turn, p_now);
  elsif p_state = 'refused' and p_reason in ('price', 'promise', 'address', 'leak', 'empty', 'too-long', 'repeated') then
    select count(*) into refused from portal.agent_turns t
    where t.contact_id = turn.contact_id and t.kind = 'answer' and t.state = 'refused'
      and t.id > coalesce((
        select max(s.id) from portal.agent_turns s
        where s.contact_id = turn.contact_id and s.kind = 'answer' and s.state = 'sent'), 0);
    -- Once more, with other words perhaps; after that a person.
    if refused >= 2 or not portal.plan_answer(turn.contact_id, p_now) then
      perform portal.hand_over_turn(turn, p_now);
    end if;
  end if;
end $$;
