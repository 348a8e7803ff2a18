-- Reports cover any days, so the cost of summaries is kept by day. What is stored of a month stands on its first day.
-- with: function portal.has_price, function portal.month_of, function portal.note_summary
alter table portal.summary_costs add column if not exists is_unpriced boolean not null default false;
alter table portal.summary_costs add column if not exists day smallint not null default 1 check (day between 1 and 31);
alter table portal.summary_costs drop constraint summary_costs_pkey;
alter table portal.summary_costs add primary key (month, day, model);
