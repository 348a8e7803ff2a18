-- An agent may answer only people with whom nobody has spoken before.
alter table portal.agent_settings drop constraint agent_settings_mode_check,
  add constraint agent_settings_mode_check check (mode in ('off', 'suggest', 'after_hours', 'new_people', 'answer'));
alter table portal.agent_settings add column new_people_since timestamptz;
