-- A visit in another place is a moved one: what the lead was to be told of the old place is taken back, calendars read it anew.
drop trigger follow_visit on portal.actions;
create trigger follow_visit after update on portal.actions
  for each row when (old.kind = 'visit' and (
    old.due_at <> new.due_at or old.note <> new.note or old.kind <> new.kind or old.finished_at is distinct from new.finished_at))
  execute function portal.follow_visit();
comment on function portal.follow_visit() is 'Trigger: a visit was moved to another hour or place, is over, or is something else now.';
