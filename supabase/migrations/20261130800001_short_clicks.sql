-- A click id is short, so that the index of the table can hold every one that a stranger sends.
-- with: function portal.keep_clicks
delete from portal.lead_clicks where value !~ '^[A-Za-z0-9_.~-]+$' or length(value) > 500;
alter table portal.lead_clicks drop constraint lead_clicks_value,
  add constraint lead_clicks_value check (octet_length(value) between 1 and 500);
