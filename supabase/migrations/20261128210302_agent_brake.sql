-- An agent stops towards one person after so many answers, and pauses where an automatic reply seems to write.
alter table portal.agent_settings
  add column most_in_ten_minutes integer not null default 6 check (most_in_ten_minutes between 1 and 60),
  add column most_a_day integer not null default 20 check (most_a_day between 1 and 500);
alter table portal.agent_pauses drop constraint agent_pauses_reason_check,
  add constraint agent_pauses_reason_check check (reason in ('person', 'portal', 'phone', 'automatic'));
alter table portal.push_queue drop constraint push_queue_kind_check,
  add constraint push_queue_kind_check
  check (kind in ('lead', 'assigned', 'message', 'link', 'campaign', 'digest', 'handover', 'offer',
    'lost', 'webhook', 'unsent', 'risk', 'visit', 'outcome', 'machine', 'asked'));
