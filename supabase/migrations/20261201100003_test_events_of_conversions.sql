-- A code under which Meta lists conversions as tests.
alter table portal.conversion_targets add column if not exists test_code text not null default ''
  constraint conversion_targets_test_code check (test_code ~ '^[A-Za-z0-9_-]{0,40}$');
