-- What costs much is counted too, by account (server/http/rate-limit.ts; PRODUCT.md 3): files that fill the disk, files that take
-- the whole base along, errands that keep the gateway busy. The numbers are far above what a hurried person does.

insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('upload', 120, 5, 60, 5),   -- files sent or planned: the pictures of a whole development at once, then one in five seconds
  ('export', 10, 10, 60, 60),  -- files taken along: one a minute after the first ten
  ('errand', 30, 5, 60, 10);   -- codes, restarts and cuts of a WhatsApp link
