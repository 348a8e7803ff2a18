-- Imports know the sheets of their file, more reasons refuse a row, and rows with a number are taken before those with an e-mail alone.
alter table portal.imports add column sheets jsonb not null default '[]';
alter table portal.import_rows drop constraint import_rows_fault_check,
  add constraint import_rows_fault_check
  check (fault in ('no-contact', 'half-phone', 'bad-phone', 'cut-phone', 'service-phone', 'titles', 'test', 'erased'));
drop index portal.import_rows_waiting;
create index import_rows_waiting on portal.import_rows (import_id, (data ->> 'key' is null), place) where outcome = 'waiting';
