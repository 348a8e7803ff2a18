-- Counts of leads by day and month, kept exact by what every write notes (PRODUCT.md 5): a dashboard over a million leads
-- reads some thousand rows. Writers only append what changed, so that none waits for another; a fold adds it up later,
-- and a reader adds what is not folded yet.

create table portal.lead_rollup (
  level smallint not null check (level between 0 and 2),
  grain text not null check (grain in ('day', 'month')),
  instance text not null,
  development text not null,
  start date not null,
  dimension text not null check (dimension in ('total', 'status', 'source', 'campaign', 'weekday')),
  value text not null,
  leads bigint not null,
  answered bigint not null,
  unanswered bigint not null,
  won bigint not null,
  response_seconds numeric not null,
  primary key (level, grain, instance, development, start, dimension, value)
);
comment on table portal.lead_rollup is 'Leads by the local day or month they came in. Read by portal.count_leads only, together with portal.lead_deltas.';
comment on column portal.lead_rollup.level is '0 all leads, 1 by broker, 2 by development; the other of the two is empty then.';
comment on column portal.lead_rollup.instance is 'The owner''s instance name, empty for nobody''s.';
comment on column portal.lead_rollup.dimension is 'What value is one of; weekday (0 = Sunday) of months only, a day has but one.';
create index lead_rollup_empty on portal.lead_rollup (level) where leads = 0;
comment on index portal.lead_rollup_empty is 'Serves removing what nothing is left of.';

create table portal.lead_deltas (
  day date not null,
  instance text not null,
  development text not null,
  status text not null,
  source text not null,
  campaign text not null,
  leads integer not null,
  answered integer not null,
  unanswered integer not null,
  won integer not null,
  response_seconds numeric not null
);
comment on table portal.lead_deltas is 'What writes changed of the counts and no fold has added up yet; minus for what a lead was before.';

alter table portal.lead_rollup enable row level security;
alter table portal.lead_deltas enable row level security;

-- No search_path of its own, every name being qualified: only so is it planned as part of the statement that asks.
create function portal.lead_delta(lead public.whatsapp_contacts, sign integer, zone text) returns setof portal.lead_deltas
language sql stable as $$
  select
    (lead.created_at at time zone zone)::date,
    coalesce(lead."instanceName", ''),
    coalesce(lead.empreendimento, ''),
    lead.status,
    lead.source,
    coalesce(lead.campaign, 'sem campanha'),
    sign,
    sign * (lead.first_response_at - lead.first_incoming_at is not null)::integer,
    sign * (lead.first_incoming_at is not null and lead.first_response_at is null)::integer,
    sign * (lead.won_at is not null)::integer,
    sign * coalesce(extract(epoch from lead.first_response_at - lead.first_incoming_at), 0)
$$;
comment on function portal.lead_delta(public.whatsapp_contacts, integer, text) is
  'What one lead counts for, times sign; by the definitions of the view portal.leads.';

create function portal.note_lead_counts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into portal.lead_deltas
    select d.* from (select portal.time_zone()) as here (zone), new_rows n, portal.lead_delta(n, 1, here.zone) d;
  elsif tg_op = 'DELETE' then
    insert into portal.lead_deltas
    select d.* from (select portal.time_zone()) as here (zone), old_rows o, portal.lead_delta(o, -1, here.zone) d;
  else
    insert into portal.lead_deltas
    select d.*
    from (select portal.time_zone()) as here (zone),
      old_rows o
      -- A message changes none of these, and comes most often.
      join new_rows n on n.id = o.id
        and (n."instanceName", n.empreendimento, n.status, n.source, n.campaign, n.created_at,
          n.first_incoming_at, n.first_response_at, n.won_at)
        is distinct from (o."instanceName", o.empreendimento, o.status, o.source, o.campaign, o.created_at,
          o.first_incoming_at, o.first_response_at, o.won_at),
      lateral (
        select * from portal.lead_delta(o, -1, here.zone)
        union all
        select * from portal.lead_delta(n, 1, here.zone)
      ) d;
  end if;
  return null;
end $$;
comment on function portal.note_lead_counts() is 'Trigger: notes what a write changed of the counts of leads; appends only.';
create trigger note_new_lead_counts after insert on public.whatsapp_contacts
  referencing new table as new_rows for each statement execute function portal.note_lead_counts();
create trigger note_changed_lead_counts after update on public.whatsapp_contacts
  referencing old table as old_rows new table as new_rows for each statement execute function portal.note_lead_counts();
create trigger note_removed_lead_counts after delete on public.whatsapp_contacts
  referencing old table as old_rows for each statement execute function portal.note_lead_counts();

create function portal.fold_lead_deltas() returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  folded bigint;
begin
  -- One at a time; a second portal leaves it to the first.
  if not pg_try_advisory_xact_lock(hashtextextended('portal.lead_rollup', 0)) then return 0; end if;
  with
    noted as (delete from portal.lead_deltas returning *),
    spread as (
      select l.level, g.grain, l.instance, l.development, g.start, x.dimension, x.value,
        sum(n.leads) as leads, sum(n.answered) as answered, sum(n.unanswered) as unanswered, sum(n.won) as won,
        sum(n.response_seconds) as response_seconds
      from noted n
      cross join lateral (values (0, '', ''), (1, n.instance, ''), (2, '', n.development)) as l (level, instance, development)
      cross join lateral (values ('day', n.day), ('month', date_trunc('month', n.day)::date)) as g (grain, start)
      cross join lateral (values
        ('total', ''), ('status', n.status), ('source', n.source), ('campaign', n.campaign),
        ('weekday', extract(dow from n.day)::text)) as x (dimension, value)
      where g.grain = 'month' or x.dimension <> 'weekday'
      group by 1, 2, 3, 4, 5, 6, 7
    ),
    added as (
      insert into portal.lead_rollup as r
      select * from spread
      on conflict (level, grain, instance, development, start, dimension, value) do update
      set
        leads = r.leads + excluded.leads,
        answered = r.answered + excluded.answered,
        unanswered = r.unanswered + excluded.unanswered,
        won = r.won + excluded.won,
        response_seconds = r.response_seconds + excluded.response_seconds
    )
  select count(*) into folded from noted;
  delete from portal.lead_rollup where leads = 0;
  return folded;
end $$;
comment on function portal.fold_lead_deltas() is
  'Adds up what writes noted since the last time and answers how many notes those were. Called by the portal every minute; figures are the same before and after.';

create function portal.rebuild_lead_rollup() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Nobody may count by the old zone meanwhile.
  lock table public.whatsapp_contacts in share row exclusive mode;
  perform pg_advisory_xact_lock(hashtextextended('portal.lead_rollup', 0));
  delete from portal.lead_deltas;
  delete from portal.lead_rollup;
  insert into portal.lead_deltas
  select d.* from (select portal.time_zone()) as here (zone), public.whatsapp_contacts c, portal.lead_delta(c, 1, here.zone) d;
  perform portal.fold_lead_deltas();
  return null;
end $$;
comment on function portal.rebuild_lead_rollup() is 'Trigger: another time zone gives every lead another day, so all is counted anew.';
create trigger rebuild_lead_rollup after update of value on portal.settings
  for each row when (new.key = 'time_zone' and old.value is distinct from new.value)
  execute function portal.rebuild_lead_rollup();

-- What is there already.
insert into portal.lead_deltas
select d.* from (select portal.time_zone()) as here (zone), public.whatsapp_contacts c, portal.lead_delta(c, 1, here.zone) d;

create index contacts_broker_period on public.whatsapp_contacts ("instanceName", empreendimento, created_at);
comment on index public.contacts_broker_period is 'Serves the dashboard of some brokers and some developments at once, which no roll-up has.';
