-- A lead is found by the id that another system gave its arrival; a new address is off until it answers its first test.
create index lead_intakes_external on portal.lead_intakes (external_id) where external_id is not null;
alter table portal.hooks drop constraint hooks_reason_check;
alter table portal.hooks add constraint hooks_reason_check check (reason in ('failures', 'gone', 'untested'));
