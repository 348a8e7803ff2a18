-- A broker gets a push when a colleague accepts or declines a passed lead, and passes are counted.
alter table portal.push_queue drop constraint push_queue_kind_check, add constraint push_queue_kind_check
  check (kind in ('lead', 'assigned', 'message', 'link', 'campaign', 'digest', 'handover', 'offer',
    'lost', 'webhook', 'unsent', 'risk', 'visit', 'outcome', 'machine', 'asked', 'try', 'feed', 'accepted', 'declined'));
insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('pass', 100, 30, 300, 60) on conflict do nothing;
