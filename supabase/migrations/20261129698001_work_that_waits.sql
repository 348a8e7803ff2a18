-- Finding the next push or event takes the same time however many others wait.
create index push_queue_due on portal.push_queue (due_at) where claimed_by is null;
create index push_queue_claimed on portal.push_queue (claimed_until) where claimed_until is not null;
create index push_queue_queued on portal.push_queue (queued_at);
drop index portal.event_out_due;
create index event_out_due on portal.event_out (hook_id, due_at, id) where state = 'waiting';
create index event_out_leased on portal.event_out (leased_until) where leased_until is not null;
