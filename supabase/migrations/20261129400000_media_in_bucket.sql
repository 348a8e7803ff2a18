-- with: table portal.media_puts
-- Media may lie in a bucket. Rows that came while it was away wait to be brought there.
alter table portal.media add column is_waiting boolean not null default false;
create index media_waiting on portal.media (put_at) where is_waiting;
