-- A turn can end in silence.
alter table portal.agent_turns drop constraint agent_turns_state_check,
  add constraint agent_turns_state_check
  check (state in ('waiting', 'thinking', 'proposed', 'sent', 'silent', 'stale', 'refused', 'failed'));
