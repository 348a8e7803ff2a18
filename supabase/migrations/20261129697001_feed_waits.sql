-- Administrators get a push when a reading of the feed waits, and listings keep what a person edited.
alter table portal.push_queue drop constraint push_queue_kind_check, add constraint push_queue_kind_check
  check (kind in ('lead', 'assigned', 'message', 'link', 'campaign', 'digest', 'handover', 'offer',
    'lost', 'webhook', 'unsent', 'risk', 'visit', 'outcome', 'machine', 'asked', 'try', 'feed'));
alter table public.listings add column if not exists kept jsonb not null default '{}';
