-- Whoever asks for a draft while it is being written for somebody else is told to ask again.

create or replace function portal.begin_suggestion(p_contact_id bigint, p_claimer uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead bigint := portal.lead_to_write(null, p_contact_id, null);
  agent integer := portal.agent_for(lead);
  newest public.whatsapp_messages;
  turn portal.agent_turns;
  is_own boolean := false;
begin
  perform portal.end_lost_turns(p_now);
  select m.* into newest from public.whatsapp_messages m where m.contact_id = lead
  order by m."timestamp" desc, m.id desc limit 1;
  if newest.type is distinct from 'incoming' or newest.deleted_at is not null or agent is null
    or portal.turn_silence(agent, lead, p_now) is not null
    -- It is answered already, or is about to be: no second draft is paid for.
    or exists (
      select from portal.agent_turns t
      where t.contact_id = lead and t.kind = 'answer'
        and (t.state in ('waiting', 'thinking') or t.state = 'sent' and t.base_message >= newest.id)) then
    return '{"turn": null, "suggestion": null, "isBeingWritten": false}';
  end if;
  select * into turn from portal.agent_turns t
  where t.contact_id = lead and t.base_message = newest.id and t.kind = 'suggestion' and t.agent_id = agent for update;
  if turn.id is null then
    insert into portal.agent_turns
      (kind, agent_id, contact_id, state, base_message, began_at, due_at, claimed_by, leased_until, prompt_version)
    values ('suggestion', agent, lead, 'thinking', newest.id, p_now, p_now, p_claimer, p_now + interval '90 seconds',
      (select max(v.id) from public.prompt_versions v where v.agent_id = agent))
    on conflict do nothing returning * into turn;
    is_own := turn.id is not null;
  elsif turn.state = 'failed' and turn.ended_at < p_now - interval '1 minute' then
    -- It may go better now; what the first try cost stays.
    update portal.agent_turns t set state = 'thinking', reason = null, ended_at = null, claimed_by = p_claimer,
      leased_until = p_now + interval '90 seconds'
    where t.id = turn.id returning * into turn;
    is_own := true;
  end if;
  return jsonb_build_object(
    'turn', case when is_own then portal.turn_material(turn, p_now) end,
    'suggestion', portal.suggestion_view(turn),
    -- Without a row somebody else began it in this very moment.
    'isBeingWritten', not is_own and coalesce(turn.state, 'thinking') = 'thinking');
end $$;
comment on function portal.begin_suggestion(bigint, uuid, timestamptz) is
  'A draft for the newest message of a lead of the asking person''s: {turn, suggestion, isBeingWritten}. turn is what the model is told, for whoever asked first; suggestion what it wrote before; isBeingWritten: somebody else asked first, ask again. Nothing of all that where the newest message is ours, the agent answers it by itself, is off or paused, the person opted out, the month''s limit is reached, or the draft was refused or put away. 401, 404 and 409 are those of portal.lead_to_write. By the server only.';
