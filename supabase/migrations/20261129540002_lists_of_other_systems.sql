-- Rows of lists are refused for bad values, and by the choices for brokers and stages.
alter table portal.import_rows drop constraint import_rows_fault_check;
alter table portal.import_rows add constraint import_rows_fault_check check (fault in (
  'no-contact', 'half-phone', 'bad-phone', 'cut-phone', 'service-phone', 'titles', 'test', 'erased', 'bad-value', 'bad-arrival',
  'bad-last-contact', 'unknown-broker', 'unknown-stage'));
