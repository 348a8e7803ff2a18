-- What leads cost: money spent by origin, campaign and month, and the cost of each lead, answer, visit and sale. Also
-- the conversions that the portal reports to Meta.

create table portal.ad_spend (
  origin text not null constraint ad_spend_origin check (origin = lower(btrim(origin)) and length(origin) between 1 and 60),
  month date not null constraint ad_spend_month check (extract(day from month) = 1 and month between '2000-01-01' and '2100-01-01'),
  currency text not null constraint ad_spend_currency check (currency ~ '^[A-Z]{3}$'),
  name_key text not null,
  campaign_id text not null default '' constraint ad_spend_id check (campaign_id ~ '^[0-9]{0,40}$'),
  campaign text not null constraint ad_spend_campaign check (length(campaign) <= 200),
  cents bigint not null constraint ad_spend_cents check (cents between 0 and 100000000000),
  how text not null constraint ad_spend_how check (how in ('typed', 'file')),
  changed_by text not null default portal.actor(),
  changed_at timestamptz not null default now(),
  primary key (origin, month, currency, name_key, campaign_id),
  constraint ad_spend_whole check ((name_key = '') = (campaign = '') and (name_key <> '' or campaign_id = ''))
);
comment on table portal.ad_spend is
  'Money spent on advertisements. No row means that nobody has entered it; 0 means that nothing was spent. set_spend and import_spend write it.';
comment on column portal.ad_spend.origin is 'Where the money was spent, as portal.origin_of names it.';
comment on column portal.ad_spend.name_key is
  'portal.campaign_key of the campaign. Empty: the row is for the whole origin, and no campaign of it has a row for this month.';
comment on column portal.ad_spend.campaign_id is
  'The number that the ad network gives the campaign; empty if nobody entered it. Two campaigns with one name are two rows, and reports add them up.';
comment on column portal.ad_spend.cents is
  'The amount in cents of its currency. Amounts in another currency than BRL are never added to those in BRL.';
comment on column portal.ad_spend.how is 'How it was entered: typed (on the screen) or file (by an import).';
create index ad_spend_campaigns on portal.ad_spend (origin, campaign_id) where campaign_id <> '';
comment on index portal.ad_spend_campaigns is
  'Serves finding the campaign of leads that name it by its number, as Google''s forms do.';
alter table portal.ad_spend enable row level security;

create function portal.origin_of(p_source text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case
    when s.name in ('facebook', 'instagram', 'meta', 'meta ads', 'facebook ads', 'instagram ads', 'messenger') then 'meta'
    when s.name in ('google', 'google ads', 'googleads', 'adwords', 'youtube') then 'google'
    when s.name in ('olx', 'zap', 'zap imóveis', 'zap imoveis', 'zapimoveis', 'vivareal', 'viva real', 'grupo olx', 'grupozap', 'canal pro') then 'olx'
    else s.name end
  from (select lower(btrim(p_source)) as name) s
$$;
comment on function portal.origin_of(text) is
  'Which ad network is paid for a source of leads: meta for Facebook and Instagram, google, olx for the portals of Grupo OLX. Any other source is its own origin, in lower case. Server only.';

create function portal.campaign_key(p_name text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select btrim(regexp_replace(portal.fold(coalesce(p_name, '')), '\s+', ' ', 'g'))
$$;
comment on function portal.campaign_key(text) is
  'The key by which campaigns are compared: the name without differences of case, accents and spaces. Empty without a name. Server only.';

create function portal.cost_per(p_cents bigint, p_count bigint) returns bigint
language sql immutable parallel safe set search_path = '' as $$ select round(p_cents::numeric / nullif(p_count, 0))::bigint $$;
comment on function portal.cost_per(bigint, bigint) is
  'Cents divided by a number of leads. Null if that is 0; screens then show a dash. Server only.';

create function portal.origin_leads(p_month date, p_now timestamptz)
returns table (
  contact_id bigint, owner text, at timestamptz, origin text, campaign text, name text, is_answered boolean, is_visited boolean, is_sold boolean
)
language sql stable security definer set search_path = '' as $$
  with received as materialized (
    select distinct on (r.contact_id) r.contact_id, r.at, r.is_answered
    from portal.period(p_month::timestamp, (p_month + interval '1 month')::timestamp - interval '1 second') s
    cross join lateral portal.result_spans('all', null, s.starts_at, s.ends_at, p_now) r
    order by r.contact_id, r.at
  )
  select r.contact_id, c."instanceName", r.at, portal.origin_of(c.source), coalesce(n.name_key, portal.campaign_key(c.campaign)),
    coalesce(n.campaign, btrim(regexp_replace(c.campaign, '\s+', ' ', 'g')), ''), r.is_answered,
    exists (
      select from portal.actions a
      where a.contact_id = c.id and a.kind = 'visit' and a.outcome = 'done' and a.due_at >= r.at and a.due_at <= p_now),
    coalesce(c.won_at >= r.at and c.won_at <= p_now, false)
  from received r
  join public.whatsapp_contacts c on c.id = r.contact_id
  left join lateral (
    select s.name_key, s.campaign from portal.ad_spend s
    where s.campaign_id = btrim(c.campaign) and s.campaign_id <> '' and s.origin = portal.origin_of(c.source)
    order by s.month desc, s.name_key limit 1
  ) n on true
  where c.source <> 'teste'
$$;
comment on function portal.origin_leads(date, timestamptz) is
  'The leads that the agency received in a month (portal.result_spans), each once: its present owner, its origin and its campaign (portal.campaign_key). If a row of portal.ad_spend has the campaign''s number, its name is used. Also whether a person answered the lead, and whether by p_now it came to a visit or was sold. Server only.';

create function portal.spend_of(p_month date, p_currency text)
returns table (origin text, campaign text, name text, cents bigint)
language sql stable security definer set search_path = '' as $$
  select s.origin, s.name_key, min(s.campaign), sum(s.cents)::bigint from portal.ad_spend s
  where s.month = p_month and s.currency = p_currency group by s.origin, s.name_key
$$;
comment on function portal.spend_of(date, text) is
  'What each campaign cost in a month, in one currency. An empty campaign stands for the whole origin. Server only.';

create function portal.origin_figures(p_month date, p_currency text, p_brokers text[], p_now timestamptz)
returns table (origin text, campaign text, name text, figures jsonb)
language sql stable security definer set search_path = '' as $$
  with spend as materialized (
    select * from portal.spend_of(p_month, p_currency)
  ), leads as materialized (
    select l.*, p_brokers is null or l.owner is not null and l.owner = any (p_brokers) as is_ours,
      exists (select from spend s where s.origin = l.origin and s.campaign in ('', l.campaign)) as is_paid,
      exists (
        select from portal.ad_spend s
        where s.month = p_month and s.origin = l.origin and s.name_key in ('', l.campaign)) as is_told
    from portal.origin_leads(p_month, p_now) l
  ), shares as (
    select s.origin, s.campaign, s.name, case when p_brokers is null then s.cents
      else coalesce(round(s.cents::numeric * l.ours / nullif(l.everybody, 0)), 0)::bigint end as cents
    from spend s
    cross join lateral (
      select count(*) as everybody, count(*) filter (where l.is_ours) as ours from leads l
      where l.origin = s.origin and s.campaign in ('', l.campaign)) l
  ), counted as (
    select grouping(l.origin) = 1 as is_all, grouping(l.campaign) = 1 as is_whole, l.origin, l.campaign, min(l.name) as name,
      count(*) as leads, count(*) filter (where l.is_answered) as answered, count(*) filter (where l.is_visited) as visits,
      count(*) filter (where l.is_sold) as sales, count(*) filter (where not l.is_told) as untold,
      count(*) filter (where l.is_paid) as paid_leads, count(*) filter (where l.is_paid and l.is_answered) as paid_answered,
      count(*) filter (where l.is_paid and l.is_visited) as paid_visits, count(*) filter (where l.is_paid and l.is_sold) as paid_sales
    from leads l where l.is_ours group by grouping sets ((l.origin, l.campaign), (l.origin), ())
  ), spent as (
    select grouping(s.origin) = 1 as is_all, grouping(s.campaign) = 1 as is_whole, s.origin, s.campaign, min(s.name) as name,
      sum(s.cents)::bigint as cents, bool_or(s.campaign = '') as has_whole
    from shares s group by grouping sets ((s.origin, s.campaign), (s.origin), ())
    -- The amount of a whole origin is not listed as a campaign.
    having not (grouping(s.campaign) = 0 and s.campaign = '')
  )
  select coalesce(c.origin, s.origin), case when coalesce(c.is_whole, s.is_whole) then null else coalesce(c.campaign, s.campaign) end,
    case when not coalesce(c.is_whole, s.is_whole) then coalesce(s.name, c.name) end, jsonb_build_object(
      'leads', coalesce(c.leads, 0), 'answered', coalesce(c.answered, 0), 'visits', coalesce(c.visits, 0), 'sales', coalesce(c.sales, 0),
      'untold', coalesce(c.untold, 0), 'paidLeads', coalesce(c.paid_leads, 0),
      'paidAnswered', coalesce(c.paid_answered, 0), 'paidVisits', coalesce(c.paid_visits, 0), 'paidSales', coalesce(c.paid_sales, 0), 'cents', s.cents, 'isWhole', coalesce(s.has_whole, false),
      'perLead', portal.cost_per(s.cents, c.paid_leads), 'perAnswer', portal.cost_per(s.cents, c.paid_answered),
      'perVisit', portal.cost_per(s.cents, c.paid_visits), 'perSale', portal.cost_per(s.cents, c.paid_sales))
  from counted c
  full join spent s on (s.is_all, s.is_whole, coalesce(s.origin, ''), coalesce(s.campaign, ''))
    = (c.is_all, c.is_whole, coalesce(c.origin, ''), coalesce(c.campaign, ''))
  -- A gerente may not read which campaigns bring leads to other teams.
  where p_brokers is null or c.leads > 0 or s.is_all
$$;
comment on function portal.origin_figures(date, text, text[], timestamptz) is
  'Counts and costs of a month, in one currency: for each campaign (empty: leads without one), each origin (campaign null), and the total (both null). figures: leads, answered, visits, sales (portal.origin_leads); untold (leads whose campaign has no amount in any currency); cents (null: nobody entered it); paidLeads, paidAnswered, paidVisits, paidSales (those of the leads for which the money was spent); isWhole (one amount was entered for the whole origin); perLead, perAnswer, perVisit, perSale (cents divided by the paid counts; null if that is 0). p_brokers: only leads that these brokers have now, the part of the money that their paid leads make up, and no origin or campaign without such a lead. Server only.';

create function portal.origin_brokers(p_month date, p_team uuid) returns text[]
language plpgsql stable security definer set search_path = '' as $$
declare
  led text[] := portal.require_manager();
begin
  if p_month is null or extract(day from p_month) <> 1 or p_month not between '2000-01-01' and '2100-01-01' then
    raise exception 'Escolha um mês.' using errcode = 'PT422', hint = 'origins.month';
  end if;
  if p_team is null then return led; end if;
  return array(
    select b."instanceName" from portal.team_members m join public.brokers b on b.id = m.broker_id
    where m.team_id = p_team and (led is null or b."instanceName" = any (led)));
end $$;
comment on function portal.origin_brokers(date, uuid) is
  'Checks that the caller may see costs (401 and 42501 as portal.require_manager). Returns the brokers whose leads count, null for all; for a gerente only brokers that it leads. 422 unless p_month is the first day of a month. Server only.';

create function public.get_origins(p_month date, p_team uuid default null) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  brokers constant text[] := portal.origin_brokers(p_month, p_team);
  led constant text[] := portal.require_manager();
begin
  return (
    with now_figures as materialized (
      select * from portal.origin_figures(p_month, 'BRL', brokers, now())
    ), before_total as (
      select f.figures from portal.origin_figures((p_month - interval '1 month')::date, 'BRL', brokers, now()) f
      where f.origin is null and f.campaign is null
    ), origins as (
      select f.origin, f.figures,
        (select coalesce(jsonb_agg(jsonb_build_object('campaign', c.campaign, 'name', c.name) || c.figures
          order by (c.figures ->> 'leads')::integer desc, c.name), '[]')
         from now_figures c where c.origin = f.origin and c.campaign is not null) as campaigns
      from now_figures f where f.origin is not null and f.campaign is null
    ), foreign_lines as (
      select s.currency, f.origin, f.campaign, f.name, f.figures
      from (select distinct a.currency from portal.ad_spend a where a.month = p_month and a.currency <> 'BRL') s
      cross join lateral portal.origin_figures(p_month, s.currency, brokers, now()) f
      where f.origin is not null and f.figures ->> 'cents' is not null
        and (f.campaign is not null or (f.figures ->> 'isWhole')::boolean)
    )
    select jsonb_build_object(
      'at', now(), 'month', to_char(p_month, 'YYYY-MM'), 'isAdmin', led is null,
      'teamNames', (
        select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by lower(t.name)), '[]') from portal.teams t
        where led is null or exists (
          select from portal.team_members m join public.brokers b on b.id = m.broker_id where m.team_id = t.id and b."instanceName" = any (led))),
      'total', (select f.figures from now_figures f where f.origin is null and f.campaign is null),
      'before', (select b.figures from before_total b),
      'origins', (
        select coalesce(jsonb_agg(jsonb_build_object('origin', o.origin, 'campaigns', o.campaigns) || o.figures
          order by (o.figures ->> 'cents')::bigint desc nulls last, (o.figures ->> 'leads')::integer desc, o.origin), '[]')
        from origins o),
      'others', (
        select coalesce(jsonb_agg(jsonb_build_object('currency', l.currency, 'origin', l.origin, 'campaign', l.campaign, 'name', l.name)
          || l.figures order by l.currency, l.origin, l.name), '[]')
        from foreign_lines l)));
end $$;
comment on function public.get_origins(date, uuid) is
  'Costs by origin of the month that begins on p_month, with the totals of the month before: {at, month, isAdmin, teamNames, total, before, origins: [{origin, campaigns: [{campaign, name, …}], …}], others: spend in other currencies, by campaign}, figures as portal.origin_figures answers them. An origin without leads and spend is missing. With p_team, only the leads that the team''s brokers have now count, and their part of the spend. Administrators; a gerente gets only the brokers it leads, the total included; 401 and 42501 for anybody else. 422 unless p_month is the first day of a month.';
grant execute on function public.get_origins(date, uuid) to authenticated, service_role;

create function public.get_origin_leads(
  p_figure text, p_month date, p_origin text default null, p_campaign text default null, p_team uuid default null, p_is_paid boolean default false, p_skip integer default 0
) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  brokers constant text[] := portal.origin_brokers(p_month, p_team);
begin
  if p_figure is null or p_figure not in ('leads', 'answered', 'visits', 'sales', 'untold') then
    raise exception 'Esta lista não existe.' using errcode = 'PT422', hint = 'figure.unknown';
  end if;
  return (
    with counted as materialized (
      select l.* from portal.origin_leads(p_month, now()) l
      where (brokers is null or l.owner = any (brokers)) and (p_origin is null or l.origin = p_origin)
        and (p_campaign is null or l.campaign = p_campaign)
        and (not p_is_paid or exists (
          select from portal.ad_spend s
          where s.month = p_month and s.currency = 'BRL' and s.origin = l.origin and s.name_key in ('', l.campaign)))
        and case p_figure when 'leads' then true when 'answered' then l.is_answered when 'visits' then l.is_visited when 'sales' then l.is_sold
          else not exists (
            select from portal.ad_spend s
            where s.month = p_month and s.origin = l.origin and s.name_key in ('', l.campaign)) end
    ), page as (
      select l.*, c.name as lead_name, c.number, c.source, c.empreendimento, c.status, c.value_cents
      from counted l join public.whatsapp_contacts c on c.id = l.contact_id
      order by l.at desc, l.contact_id desc limit 50 offset greatest(p_skip, 0)
    )
    select jsonb_build_object(
      'count', (select count(*) from counted),
      'leads', coalesce(jsonb_agg(jsonb_build_object('id', p.contact_id, 'name', p.lead_name, 'number', p.number, 'broker', p.owner,
        'source', p.source, 'campaign', p.name, 'development', p.empreendimento, 'status', p.status, 'at', p.at,
        'cents', case when p.is_sold then p.value_cents end) order by p.at desc, p.contact_id desc), '[]'))
    from page p);
end $$;
comment on function public.get_origin_leads(text, date, text, text, uuid, boolean, integer) is
  'The leads that a figure of get_origins counts, of one origin and campaign (empty: without one) or of all (null): {count, leads}, 50 after p_skip, the newest first; cents is the value of a sold one. p_figure: leads, answered, visits, sales, untold (without spend); 422 for any other. p_is_paid: only leads that spend in reais is for. Filters and refusals as in get_origins.';
grant execute on function public.get_origin_leads(text, date, text, text, uuid, boolean, integer) to authenticated, service_role;


-- Functions that write what was spent. Changes of one origin wait for each other.

create function portal.put_spend(
  p_origin text, p_campaign text, p_campaign_id text, p_month date, p_currency text, p_cents bigint, p_how text, out refusal text, out replaced integer
)
language plpgsql volatile security definer set search_path = '' as $$
declare
  name constant text := btrim(regexp_replace(coalesce(p_campaign, ''), '\s+', ' ', 'g'));
  key constant text := portal.campaign_key(p_campaign);
  number constant text := case when key = '' then '' else coalesce(p_campaign_id, '') end;
begin
  replaced := 0;
  perform pg_advisory_xact_lock(hashtextextended('portal.ad_spend ' || p_origin, 0));
  if p_cents is not null and exists (
    select from portal.ad_spend s
    where s.origin = p_origin and s.month = p_month and (s.name_key = '') <> (key = '')) then
    refusal := case when key = '' then 'campaigns' else 'whole' end;
    return;
  end if;
  delete from portal.ad_spend s
  where s.origin = p_origin and s.month = p_month and s.currency = p_currency
    and (s.campaign_id = number and number <> '' or s.name_key = key and '' in (s.campaign_id, number));
  get diagnostics replaced = row_count;
  if p_cents is null then return; end if;
  if not exists (select from portal.ad_spend offset 19999) then
    insert into portal.ad_spend (origin, month, currency, name_key, campaign_id, campaign, cents, how)
    values (p_origin, p_month, p_currency, key, number, name, p_cents, p_how);
  else
    refusal := 'full';
  end if;
end $$;
comment on function portal.put_spend(text, text, text, date, text, bigint, text) is
  'Stores what a campaign (empty: the whole origin) cost in a month and currency, in place of the stored amount. p_cents null deletes it. Two campaigns are the same by their number, or by their name if one of them has no number. Returns how many rows it replaced, or a refusal: campaigns (the month has amounts by campaign), whole (it has one amount for the whole origin), full (20,000 rows are stored). Server only.';

create function portal.refuse_spend(p_refusal text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_refusal = 'campaigns' then
    raise exception 'Este mês já tem gasto por campanha. Mude o de cada campanha.' using errcode = 'PT422', hint = 'spend.campaigns';
  elsif p_refusal = 'whole' then
    raise exception 'Este mês já tem um gasto único para a origem. Tire-o antes de informar por campanha.' using errcode = 'PT422', hint = 'spend.whole';
  elsif p_refusal = 'full' then
    raise exception 'Já há gastos demais guardados. Tire os de meses antigos.' using errcode = 'PT422', hint = 'spend.full';
  end if;
end $$;
comment on function portal.refuse_spend(text) is 'Raises a refusal of portal.put_spend as a 422; null does nothing. Server only.';

create function public.set_spend(p_origin text, p_campaign text, p_month date, p_cents bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  origin constant text := portal.origin_of(p_origin);
  done record;
begin
  perform portal.require_admin();
  perform portal.origin_brokers(p_month, null);
  if origin is null or length(origin) not between 1 and 60 or length(p_campaign) > 200 then
    raise exception 'Escolha a origem e a campanha.' using errcode = 'PT422', hint = 'spend.campaign';
  end if;
  if p_cents not between 0 and 100000000000 then
    raise exception 'Escreva um valor de R$ 0 a R$ 1 bilhão.' using errcode = 'PT422', hint = 'spend.cents';
  end if;
  done := portal.put_spend(origin, p_campaign, null, p_month, 'BRL', p_cents, 'typed');
  perform portal.refuse_spend(done.refusal);
  perform portal.audit('spend.set', concat_ws(' · ', origin, nullif(btrim(p_campaign), '')),
    jsonb_build_object('month', to_char(p_month, 'YYYY-MM'), 'cents', p_cents));
  return jsonb_build_object('cents', p_cents);
end $$;
comment on function public.set_spend(text, text, date, bigint) is
  'Sets what was spent in reais on an origin''s campaign (null or empty: on the whole origin) in a month, in cents; null removes it. Returns {cents}. 422 for a wrong month, name or amount, or if the month would then have spend for the whole origin and by campaign at once. Administrators; 401 and 403 for anybody else.';
grant execute on function public.set_spend(text, text, date, bigint) to authenticated, service_role;

create function public.import_spend(p_lines jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  line record;
  done record;
  saved integer := 0;
  replaced integer := 0;
  refused jsonb := '[]';
begin
  perform portal.require_admin();
  if jsonb_typeof(p_lines) is distinct from 'array' or jsonb_array_length(p_lines) not between 1 and 2000 then
    raise exception 'Importe de 1 a 2.000 campanhas de cada vez.' using errcode = 'PT422', hint = 'spend.lines';
  end if;
  -- Takes the lines in the order of their origins, so that two imports cannot deadlock.
  for line in
    select l.place, portal.origin_of(l.row ->> 'origin') as origin, l.row ->> 'campaign' as campaign, l.row ->> 'campaignId' as number,
      l.row ->> 'month' as month, l.row ->> 'currency' as currency, l.row ->> 'cents' as cents
    from jsonb_array_elements(p_lines) with ordinality as l (row, place) order by 2, 1
  loop
    if length(coalesce(line.origin, '')) not between 1 and 60 or length(line.campaign) > 200 or coalesce(line.number, '') !~ '^[0-9]{0,40}$'
      or line.month is null or line.month !~ '^20[0-9]{2}-(0[1-9]|1[0-2])$' or line.currency is null or line.currency !~ '^[A-Z]{3}$'
      or line.cents is null or line.cents !~ '^[0-9]{1,12}$' or line.cents::bigint > 100000000000 then
      refused := refused || jsonb_build_object('place', line.place - 1, 'reason', 'invalid');
      continue;
    end if;
    done := portal.put_spend(line.origin, line.campaign, line.number, (line.month || '-01')::date, line.currency, line.cents::bigint, 'file');
    if done.refusal is null then
      saved := saved + 1;
      replaced := replaced + done.replaced;
    else
      refused := refused || jsonb_build_object('place', line.place - 1, 'reason', done.refusal);
    end if;
  end loop;
  if saved > 0 then perform portal.audit('spend.imported', null, jsonb_build_object('count', saved)); end if;
  return jsonb_build_object('saved', saved, 'replaced', replaced, 'refused', (
    select coalesce(jsonb_agg(r.value order by (r.value ->> 'place')::integer), '[]') from jsonb_array_elements(refused) r));
end $$;
comment on function public.import_spend(jsonb) is
  'Stores spend from a file: [{origin, campaign (empty: the whole origin), campaignId, month (YYYY-MM), currency, cents}], 2,000 at most. Each line replaces the stored amount of its campaign, month and currency, so that importing a file twice changes nothing. Returns {saved, replaced, refused: [{place, reason}]}, reasons as portal.put_spend has them, or invalid. 422 without lines or for too many. Administrators; 401 and 403 for anybody else.';
grant execute on function public.import_spend(jsonb) to authenticated, service_role;

create function public.get_spend_months(p_origin text, p_campaign text, p_month date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  perform portal.origin_brokers(p_month, null);
  return (
    select jsonb_agg(jsonb_build_object('month', to_char(m.month, 'YYYY-MM'), 'cents', s.cents, 'how', s.how, 'by', s.changed_by, 'at', s.changed_at)
      order by m.month desc)
    from (select (p_month - make_interval(months => n))::date as month from generate_series(0, 2) n) m
    left join lateral (
      select sum(a.cents)::bigint as cents, (array_agg(a.how order by a.changed_at desc))[1] as how,
        (array_agg(a.changed_by order by a.changed_at desc))[1] as changed_by, max(a.changed_at) as changed_at
      from portal.ad_spend a
      where a.origin = portal.origin_of(p_origin) and a.name_key = portal.campaign_key(p_campaign) and a.month = m.month and a.currency = 'BRL'
    ) s on true);
end $$;
comment on function public.get_spend_months(text, text, date) is
  'What an origin''s campaign (empty: the whole origin) cost in reais in p_month and the two months before: [{month, cents (null: not entered), how (typed, file), by, at}], newest first. Administrators; 401 and 403 for anybody else.';
grant execute on function public.get_spend_months(text, text, date) to authenticated, service_role;


-- Click ids of advertisements, by which an ad network recognises its click. Administrators and the lead's own broker
-- may read them.

create table portal.lead_clicks (
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  kind text not null constraint lead_clicks_kind check (kind in ('ctwa_clid', 'fbclid', 'gclid', 'gbraid', 'wbraid', 'msclkid', 'ttclid', 'lead_id')),
  value text not null constraint lead_clicks_value check (octet_length(value) between 1 and 500),
  at timestamptz not null,
  primary key (contact_id, kind, value)
);
comment on table portal.lead_clicks is
  'Click ids of the advertisements that brought a lead, unchanged. Forms and messages add none to a lead that has 20. lead_id is Meta''s id of a sent form, and is stored even then.';
comment on column portal.lead_clicks.at is 'When the form or message with the click id came in.';
create index lead_clicks_at on portal.lead_clicks (at desc, contact_id);
comment on index portal.lead_clicks_at is 'Serves the clicks of a month.';
alter table portal.lead_clicks enable row level security;

create function portal.click_kind(p_field text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case when f.name = 'gcl_id' then 'gclid' when f.name in ('ctwa_clid', 'fbclid', 'gclid', 'gbraid', 'wbraid', 'msclkid', 'ttclid') then f.name end
  from (select lower(btrim(p_field)) as name) f
$$;
comment on function portal.click_kind(text) is 'The kind of click id that a form''s field of this name holds; null for any other field. Server only.';

create function portal.keep_clicks(p_contact bigint, p_fields jsonb, p_at timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.lead_clicks (contact_id, kind, value, at)
  select p_contact, portal.click_kind(f.key), btrim(f.value), p_at from jsonb_each_text(p_fields) f
  where portal.click_kind(f.key) is not null and btrim(f.value) ~ '^[A-Za-z0-9_.~-]+$' and length(btrim(f.value)) <= 500
    and not exists (select from portal.lead_clicks k where k.contact_id = p_contact offset 19)
  on conflict do nothing
$$;
comment on function portal.keep_clicks(bigint, jsonb, timestamptz) is
  'Stores the click ids among a form''s fields. A value of more than 500 characters, or with others than letters, digits and -._~, is skipped, because strangers may send anything. Server only.';

create function portal.keep_form_clicks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.fields <> '{}' then perform portal.keep_clicks(new.contact_id, new.fields, new.received_at); end if;
  if new.external_id ~ '^[0-9]{1,40}$' and exists (select from portal.intake_keys k where k.id = new.key_id and k.kind = 'meta') then
    insert into portal.lead_clicks (contact_id, kind, value, at) values (new.contact_id, 'lead_id', new.external_id, new.received_at)
    on conflict do nothing;
  end if;
  return null;
end $$;
comment on function portal.keep_form_clicks() is 'Trigger: stores the click ids among a form''s fields. Of a form from Meta, also Meta''s id of it.';
create trigger keep_form_clicks after insert on portal.lead_intakes
  for each row execute function portal.keep_form_clicks();

create function portal.move_clicks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.lead_clicks (contact_id, kind, value, at)
  select new.kept_contact_id, k.kind, k.value, k.at from portal.lead_clicks k where k.contact_id = new.gone_contact_id
  on conflict do nothing;
  return null;
end $$;
comment on function portal.move_clicks() is 'Trigger: the kept lead of a merge gets the click ids of both.';
create trigger move_clicks after insert on portal.contact_merges
  for each row execute function portal.move_clicks();

create function portal.sees_clicks(p_instance text) returns boolean
language sql stable security definer set search_path = '' as $$ select coalesce(portal.is_admin() or p_instance = portal.my_instance(), false) $$;
comment on function portal.sees_clicks(text) is
  'Whether the caller may read the click ids of a lead of this instance: an administrator, or its own broker, but no gerente. Server only.';

create function portal.plain_text(p_text text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  read text := p_text;
begin
  -- A URL inside another URL is percent-encoded twice.
  for n in 1 .. 5 loop
    exit when read !~* '(%|\\u00)[2-7][0-9a-f]';
    read := (
      select string_agg(case when c.part[1] is null then c.part[2] else chr(('x' || right(c.part[1], 2))::bit(8)::integer) end, '' order by c.n)
      from regexp_matches(read, '((?:%|\\u00)[2-7][0-9a-f])|([^%\\]+|[%\\])', 'gi') with ordinality as c (part, n));
  end loop;
  return read;
end $$;
comment on function portal.plain_text(text) is
  'A text in which encoded ASCII characters (%67, \u0067) are decoded, even if they were encoded up to five times. Server only.';

create function portal.has_click(p_contact bigint, p_text text) returns boolean
language sql stable security definer set search_path = '' as $$
  select t.text ~* concat_ws('|', '(fb|g|d|tt|tw|y|ctwa_?)clid', 'msclkid', 'click_?id', '[gw]braid', 'gcl_|gcl(aw|gb|dc|ag|gs)',
    '(?<![a-z0-9])fb[cp](?![a-z0-9])', 'fb\.[0-9]+\.[0-9]+\.', 'gcl\.[0-9]+\.',
    -- Matches characters that are still encoded after portal.plain_text has decoded five times.
    '(%|\\u00)[2-7][0-9a-f]')
    or exists (
      select from portal.lead_clicks k
      where k.contact_id = p_contact and (t.text = k.value or length(k.value) >= 8 and position(k.value in t.text) > 0))
  from (select portal.plain_text(p_text) as text) t
$$;
comment on function portal.has_click(bigint, text) is
  'Whether a text has the name of a click id or of a cookie with one, the form of such a cookie''s value, or a stored click id of this lead. A text that stays encoded counts, too. A stored id of fewer than 8 characters must be the whole text, because a stranger may have sent "3" as one. Server only.';

create function portal.bare_link(p_contact bigint, p_link text) returns text
language sql stable security definer set search_path = '' as $$
  select case when not portal.has_click(p_contact, p_link) then p_link when not portal.has_click(p_contact, l.bare) then l.bare end
  from (select regexp_replace(p_link, '[?#].*$', '') as bare) l
$$;
comment on function portal.bare_link(bigint, text) is
  'A link without click ids: unchanged if it has none, else without its query. Null if its path has one, too. Server only.';

create function portal.click_shape() returns text
language sql immutable parallel safe set search_path = '' as $$
  select '^(?:(?:Cj0KCQ|CjwKCA|C[a-z][A-Za-z0-9]KCAj|EAIaIQ|Iw(?:AR|Y2xjaw|ZXh0bg)|PA(?:Y2xjaw|ZXh0bg)|0AAAA|E\.C\.P\.)[\w.~-]{14,}|(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])A[RQf][\w-]{38,}|[0-9a-f]{32})$'
$$;
comment on function portal.click_shape() is
  'The form of a whole text that is a click id of Google, Meta, TikTok or Microsoft by its beginning and length. Server only.';

create function portal.bare_campaign(p_name text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case when btrim(b.name) !~ portal.click_shape() then nullif(b.name, '') end
  from (
    select '(%(?:25)*(?:3f|26|23)|[?&#;|]|(?<![a-z]))' as gap,
      '_?(?:(?:fb|g|d|tt|tw|y|ctwa_?)clid|msclkid|click_?id|[gw]braid|gcl_?(?:id|aw|gb|dc|ag|gs)|fb[cp])\s*(?:=|:|%(?:25)*3d)\s*(?:(?!%(?:25)*(?:26|23))[^\s&#;|])*' as id) p
  cross join lateral (
    select regexp_replace(regexp_replace(regexp_replace(p_name,
      p.gap || p.id || '(?:&|%(?:25)*26)', '\1', 'gi'), '[\s|]*' || p.gap || p.id, '', 'gi'), '[\s|]*(?:fb\.[0-9]+|gcl)\.[0-9]+\.[^\s&#;|]*', '', 'gi') as name) b
$$;
comment on function portal.bare_campaign(text) is
  'The name of a campaign without the click ids in it, as in the address of an ad that somebody took for its name. Null if nothing else is left, or if the name itself has the form of a click id. Server only.';

create function portal.campaign_of(p_contact bigint, p_name text) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  name text := portal.bare_campaign(p_name);
  click text;
begin
  -- Strangers may send any word as a click id, so only long values with a digit are removed. Meta's id of a form stays,
  -- because a campaign may be named by such a number.
  for click in
    select k.value from portal.lead_clicks k
    where k.contact_id = p_contact and k.kind <> 'lead_id' and length(k.value) >= 20 and k.value ~ '[0-9]' and position(k.value in name) > 0
  loop
    name := nullif(btrim(replace(name, click, ''), ' |'), '');
  end loop;
  return name;
end $$;
comment on function portal.campaign_of(bigint, text) is
  'portal.bare_campaign without the stored click ids of this lead either. One of fewer than 20 characters or without a digit stays, because a stranger may have sent a word of the name as one. Null if nothing else is left. Server only.';

create function portal.drop_campaign_clicks() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.campaign := portal.campaign_of(new.id, new.campaign);
  return new;
end $$;
comment on function portal.drop_campaign_clicks() is
  'Trigger: the campaign in a lead''s public row has no click id, because gerentes read it.';
create trigger drop_campaign_clicks before insert or update of campaign on public.whatsapp_contacts
  for each row when (new.campaign ~* 'clid|clkid|click_?id|braid|gcl|fb[cp]|fb\.[0-9]|[\w.~-]{18}') execute function portal.drop_campaign_clicks();

create function portal.drop_click_of_campaign() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.whatsapp_contacts c set campaign = portal.campaign_of(c.id, c.campaign)
  where c.id = new.contact_id and c.campaign is distinct from portal.campaign_of(c.id, c.campaign);
  return null;
end $$;
comment on function portal.drop_click_of_campaign() is
  'Trigger: a click id that comes after the lead''s campaign leaves the campaign, too.';
create trigger drop_click_of_campaign after insert on portal.lead_clicks
  for each row execute function portal.drop_click_of_campaign();

create function portal.ad_of(p_contact bigint, p_instance text, p_ad jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  select p_ad || jsonb_build_object('clickId', case when portal.sees_clicks(p_instance) then (
    select k.value from portal.lead_clicks k where k.contact_id = p_contact and k.kind = 'ctwa_clid' order by k.at, k.value limit 1) end)
$$;
comment on function portal.ad_of(bigint, text, jsonb) is
  'A lead''s advertisement with its click id, which is null for a caller who may not read it. Null without an advertisement. Server only.';

create function portal.shown_fields(p_contact bigint, p_fields jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  select case when portal.sees_clicks((select c."instanceName" from public.whatsapp_contacts c where c.id = p_contact)) then p_fields else (
    select coalesce(jsonb_object_agg(f.key, f.value), '{}') from jsonb_each(p_fields) f
    where not portal.has_click(p_contact, f.value #>> '{}') and not portal.has_click(p_contact, f.key)) end
$$;
comment on function portal.shown_fields(bigint, jsonb) is
  'A form''s fields. A caller who may not read this lead''s click ids gets no field in which portal.has_click finds one. Server only.';

create function public.get_click_codes(p_month date, p_skip integer default 0) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  span record;
begin
  perform portal.require_admin();
  perform portal.origin_brokers(p_month, null);
  span := portal.period(p_month::timestamp, (p_month + interval '1 month')::timestamp - interval '1 second');
  return (
    with clicks as materialized (
      select k.* from portal.lead_clicks k where k.at >= span.starts_at and k.at < span.ends_at and k.kind <> 'lead_id'
    ), page as (
      select k.*, c.name, c.number, c.source, c.campaign from clicks k join public.whatsapp_contacts c on c.id = k.contact_id
      where c.source <> 'teste' order by k.at desc, k.contact_id desc, k.kind, k.value limit 500 offset greatest(p_skip, 0)
    )
    select jsonb_build_object(
      'count', (select count(*) from clicks k join public.whatsapp_contacts c on c.id = k.contact_id where c.source <> 'teste'),
      'clicks', coalesce(jsonb_agg(jsonb_build_object('id', p.contact_id, 'name', p.name, 'number', p.number, 'source', p.source,
        'campaign', p.campaign, 'kind', p.kind, 'value', p.value, 'at', p.at) order by p.at desc, p.contact_id desc, p.kind, p.value), '[]'))
    from page p);
end $$;
comment on function public.get_click_codes(date, integer) is
  'The click ids that came in the month that begins on p_month: {count, clicks: [{id (of the lead), name, number, source, campaign, kind, value, at}]}, 500 after p_skip, the newest first. 422 unless p_month is the first day of a month. Administrators; 401 and 403 for anybody else.';
grant execute on function public.get_click_codes(date, integer) to authenticated, service_role;


-- Conversions: the portal reports a lead's steps (qualified, visit held, sold) to Meta once an administrator turns a
-- target on. Rows hold ids and times; the portal hashes a person's data when it sends them.

create table portal.conversion_targets (
  target text primary key constraint conversion_targets_target check (target in ('messaging', 'crm')),
  state text not null default 'off' constraint conversion_targets_state check (state in ('off', 'on', 'stopped')),
  fault text,
  dataset text not null default '' constraint conversion_targets_dataset check (dataset ~ '^[0-9]{0,40}$'),
  waba text not null default '' constraint conversion_targets_waba check (waba ~ '^[0-9]{0,40}$'),
  names jsonb not null default '{}',
  stage text references public.kanban_stages (slug) on update cascade on delete set null,
  token text,
  token_tail text,
  changed_by text not null default portal.actor(),
  changed_at timestamptz not null default now(),
  test_code text not null default '' constraint conversion_targets_test_code check (test_code ~ '^[A-Za-z0-9_-]{0,40}$'),
  constraint conversion_targets_complete check (state = 'off' or dataset <> '' and token is not null and (target = 'crm' or waba <> ''))
);
comment on table portal.conversion_targets is
  'The two kinds of events that Meta accepts. messaging: for leads whose click on a WhatsApp ad is known, if the agency has a WhatsApp Business Account (WABA). crm: for all other leads, and for every lead while messaging is off or has no name for the step. A target without a row is off.';
comment on column portal.conversion_targets.state is 'off; on; stopped: Meta refused the token or a permission. While it is stopped, steps are kept and wait.';
comment on column portal.conversion_targets.fault is 'The error with which Meta refused, in Meta''s words. Null: the target is not stopped.';
comment on column portal.conversion_targets.names is 'Meta''s name for each step (qualified, visit, sale); a step without a name is not reported.';
comment on column portal.conversion_targets.stage is 'A lead counts as qualified once it reaches this open stage or a later one. Null: only a sold lead counts.';
comment on column portal.conversion_targets.token is 'Meta''s access token, encrypted by the portal. token_tail has its last characters, which the screen shows.';
comment on column portal.conversion_targets.test_code is
  'A code that the portal sends with each event, so that Meta lists the event as a test; Meta counts it all the same. Empty: no code.';
create index conversion_targets_stage on portal.conversion_targets (stage);
comment on index portal.conversion_targets_stage is 'Serves the removal of a stage.';
alter table portal.conversion_targets enable row level security;

create table portal.conversions (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  step text not null constraint conversions_step check (step in ('qualified', 'visit', 'sale')),
  target text not null references portal.conversion_targets,
  event_id text not null unique,
  name text not null,
  happened_at timestamptz not null,
  value_cents bigint,
  state text not null default 'waiting' constraint conversions_state check (state in ('waiting', 'sent', 'refused', 'late', 'unsure')),
  due_at timestamptz not null default now(),
  tries integer not null default 0,
  claimed_by uuid,
  leased_until timestamptz,
  status integer,
  code integer,
  subcode integer,
  fault text constraint conversions_fault check (length(fault) <= 500),
  trace text constraint conversions_trace check (length(trace) <= 100),
  tried_at timestamptz,
  decided_by text,
  unique (contact_id, step, target),
  constraint conversions_claim check ((claimed_by is null) = (leased_until is null))
);
comment on table portal.conversions is
  'One row for each lead and step. It is written in the transaction that changes the lead, and deleted with the lead. Server only.';
comment on column portal.conversions.event_id is 'The id of the lead at that time, and the step. Every attempt sends the same one.';
comment on column portal.conversions.happened_at is 'When the lead took the step, in whole seconds. A retry sends the same time, and Meta refuses events older than seven days.';
comment on column portal.conversions.state is
  'waiting; sent; refused (by Meta, for good); late (older than seven days when its turn came, so it was not sent); unsure (it may have been sent, but no answer was read: an administrator decides, because Meta would count a second one).';
comment on column portal.conversions.fault is 'Meta''s message, a code of server/conversions/meta.ts, or lost (the lease expired before an answer was stored).';
comment on column portal.conversions.trace is 'Meta''s fbtrace_id.';
create index conversions_due on portal.conversions (due_at, id) where state = 'waiting';
comment on index portal.conversions_due is 'Serves the search for due events.';
create index conversions_leased on portal.conversions (leased_until) where leased_until is not null;
comment on index portal.conversions_leased is 'Serves the search for expired leases, whose process crashed.';
create index conversions_target on portal.conversions (target, id desc);
comment on index portal.conversions_target is 'Serves the counts by target.';
alter table portal.conversions enable row level security;

create function portal.may_convert(p_contact bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
    where c.id = p_contact and c.source <> 'teste' and p.opted_out_at is null
      and not exists (
        select from portal.private_contacts v
        where portal.opt_out_hash(p.number_key) = any (v.form_hashes) or exists (
          select from portal.identities i
          where i.person_id = p.id and portal.opt_out_hash(portal.address_key(i.jid)) = any (v.form_hashes))))
$$;
comment on function portal.may_convert(bigint) is
  'Whether the portal may send data of a lead to an ad network: not if the person opted out or is private to a broker, nor of a test lead. Server only.';

create function portal.note_conversion(p_contact bigint, p_step text, p_at timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Skips steps during an import, and while the undoing of a merge or of a private mark restores rows. They happened
  -- long ago, or were reported before.
  if not exists (select from portal.conversion_targets t where t.state <> 'off')
    or 'on' in (coalesce(current_setting('portal.importing', true), ''), coalesce(current_setting('portal.restoring', true), ''))
    or exists (select from portal.conversions o where o.contact_id = p_contact and o.step = p_step)
    or not portal.may_convert(p_contact) then
    return;
  end if;
  insert into portal.conversions (contact_id, step, target, event_id, name, happened_at, value_cents)
  select p_contact, p_step, t.target, p_contact || '-' || p_step, t.names ->> p_step, date_trunc('second', p_at), c.value_cents
  from portal.conversion_targets t join public.whatsapp_contacts c on c.id = p_contact
  where t.state <> 'off' and coalesce(t.names ->> p_step, '') <> '' and (t.target = 'crm' or exists (
    select from portal.lead_clicks k where k.contact_id = p_contact and k.kind = 'ctwa_clid'))
  order by t.target desc limit 1
  on conflict do nothing;
  if found then perform portal.notify_channel('conversions', ''); end if;
end $$;
comment on function portal.note_conversion(bigint, text, timestamptz) is
  'Queues a lead''s step, once, for one target that is not off and has a name for the step: messaging if the lead has a ctwa_clid, else crm. Server only.';

create function portal.convert_moved() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  reached public.kanban_stages;
begin
  if not exists (select from portal.conversion_targets t where t.state <> 'off') then return null; end if;
  select * into reached from public.kanban_stages s where s.slug = new.to_status;
  if reached.kind = 'won' or reached.kind = 'open' and exists (
    select from portal.conversion_targets t join public.kanban_stages s on s.slug = t.stage
    where t.state <> 'off' and s.kind = 'open' and reached.order_index >= s.order_index) then
    perform portal.note_conversion(new.contact_id, 'qualified', new.changed_at);
  end if;
  if reached.kind = 'won' then perform portal.note_conversion(new.contact_id, 'sale', new.changed_at); end if;
  return null;
end $$;
comment on function portal.convert_moved() is 'Trigger: queues the steps qualified and sale when a lead reaches such a stage.';
create trigger write_conversion_moved after insert on portal.stage_history
  for each row when (new.from_status is not null) execute function portal.convert_moved();

create function portal.convert_visit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_conversion(new.contact_id, 'visit', least(new.due_at, now()));
  return null;
end $$;
comment on function portal.convert_visit() is 'Trigger: queues the step visit when a visit is marked as done.';
create trigger write_conversion_visit after update of outcome on portal.actions
  for each row when (new.kind = 'visit' and new.outcome = 'done' and old.outcome is distinct from 'done')
  execute function portal.convert_visit();

create function portal.move_conversions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.conversions o set contact_id = new.kept_contact_id
  where o.contact_id = new.gone_contact_id and not exists (
    select from portal.conversions k where k.contact_id = new.kept_contact_id and k.step = o.step);
  return null;
end $$;
comment on function portal.move_conversions() is 'Trigger: the kept lead of a merge gets the other lead''s conversions of steps that it lacks, so that no step is reported twice.';
create trigger move_conversions after insert on portal.contact_merges
  for each row execute function portal.move_conversions();

create function portal.claim_conversions(p_claimer uuid, p_now timestamptz, p_lease_seconds integer, p_most integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  claimed jsonb;
begin
  -- The process that sent these events crashed, or could not store Meta's answer.
  update portal.conversions o set state = 'unsure', fault = 'lost', claimed_by = null, leased_until = null
  where o.leased_until <= p_now and o.state = 'waiting';
  delete from portal.conversions o
  where o.state = 'waiting' and o.due_at <= p_now and o.leased_until is null and not portal.may_convert(o.contact_id);
  update portal.conversions o set state = 'late'
  where o.state = 'waiting' and o.due_at <= p_now and o.leased_until is null and o.happened_at < p_now - interval '168 hours';
  with due as (
    select o.id from portal.conversions o join portal.conversion_targets t using (target)
    where o.state = 'waiting' and o.due_at <= p_now and o.leased_until is null and t.state = 'on'
    order by o.due_at, o.id limit p_most for update of o skip locked
  ), mine as (
    update portal.conversions o
    set claimed_by = p_claimer, leased_until = p_now + make_interval(secs => p_lease_seconds), tried_at = p_now, tries = o.tries + 1
    from due where o.id = due.id
    returning o.*
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'leadId', m.contact_id, 'target', m.target, 'eventId', m.event_id, 'name', m.name,
    'atSeconds', extract(epoch from m.happened_at)::bigint, 'cents', coalesce(m.value_cents, c.value_cents), 'dataset', t.dataset, 'waba', t.waba, 'token', t.token, 'testCode', t.test_code,
    'person', jsonb_build_object('name', c.name, 'number', coalesce(p.number_key, c.number), 'shown', c.number, 'email', c.email,
      'jids', (
        select coalesce(jsonb_agg(distinct i.jid), '[]') from portal.identities i where i.person_id = p.id and i.jid like '%@s.whatsapp.net'),
      'clicks', (
        select coalesce(jsonb_agg(jsonb_build_object('kind', k.kind, 'value', k.value, 'atMs', floor(extract(epoch from k.at) * 1000)::bigint)
          order by k.at, k.kind, k.value), '[]')
        from portal.lead_clicks k where k.contact_id = c.id))) order by m.id), '[]')
  into claimed
  from mine m join portal.conversion_targets t using (target)
  join public.whatsapp_contacts c on c.id = m.contact_id join portal.people p on p.id = c.person_id;
  return claimed;
end $$;
comment on function portal.claim_conversions(uuid, timestamptz, integer, integer) is
  'Claims due events, and returns them with the personal data that the portal hashes. Events whose lease expired become unsure, events older than seven days late. Events of persons who have opted out or become private are deleted. Server only.';

create function portal.settle_conversion(
  p_id bigint, p_claimer uuid, p_now timestamptz, p_became text, p_status integer, p_fault text, p_code integer, p_subcode integer, p_trace text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  sent portal.conversions;
begin
  update portal.conversions o set
    claimed_by = null, leased_until = null, status = p_status, fault = left(p_fault, 500), code = p_code, subcode = p_subcode, trace = left(p_trace, 100),
    state = case p_became when 'again' then 'waiting' when 'stop' then 'waiting' else p_became end,
    due_at = case p_became when 'again' then p_now + least(interval '6 hours', interval '1 minute' * power(2, least(o.tries - 1, 9))) else o.due_at end
  where o.id = p_id and o.claimed_by = p_claimer and o.state = 'waiting'
  returning * into sent;
  if sent.id is null then return 'lost'; end if;
  if p_became = 'stop' then
    update portal.conversion_targets t set state = 'stopped', fault = left(p_fault, 500) where t.target = sent.target and t.state = 'on';
    if found then
      perform portal.audit('conversion.stopped', sent.target);
      perform portal.push_administrators('webhook', 'conversions', null);
    end if;
  end if;
  return p_became;
end $$;
comment on function portal.settle_conversion(bigint, uuid, timestamptz, text, integer, text, integer, integer, text) is
  'Stores the result of an attempt: sent, refused, unsure; again (retried after a minute, then twice as long each time, six hours at most); stop (the event waits, and its target is stopped until an administrator acts). Returns the result, or lost if the claim has ended. Server only.';

create function public.get_conversion_targets() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select jsonb_agg(jsonb_build_object('target', d.target, 'state', coalesce(t.state, 'off'), 'fault', t.fault, 'dataset', coalesce(t.dataset, ''),
      'waba', coalesce(t.waba, ''), 'names', coalesce(t.names, d.names), 'stage', t.stage, 'tokenTail', t.token_tail,
      'testCode', coalesce(t.test_code, ''),
      'counts', (
        select coalesce(jsonb_object_agg(n.state, n.count), '{}')
        from (select o.state, count(*) as count from portal.conversions o where o.target = d.target group by o.state) n)) order by d.target desc)
    from (values
      ('messaging', '{"qualified": "QualifiedLead", "visit": "", "sale": "Purchase"}'::jsonb),
      ('crm', '{"qualified": "Lead qualificado", "visit": "Visita feita", "sale": "Venda"}')) as d (target, names)
    left join portal.conversion_targets t using (target));
end $$;
comment on function public.get_conversion_targets() is
  'The targets at Meta: [{target (messaging, crm), state (off, on, stopped), fault, dataset, waba, names: {qualified, visit, sale}, stage, tokenTail, testCode, counts: rows by state}]. Administrators; 401 and 403 for anybody else.';
grant execute on function public.get_conversion_targets() to authenticated, service_role;

create function public.set_conversion_target(p_target text, p_is_on boolean, p_dataset text, p_waba text, p_names jsonb, p_stage text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  known portal.conversion_targets;
begin
  perform portal.require_admin();
  if p_target is null or p_target not in ('messaging', 'crm') or p_is_on is null
    or coalesce(btrim(p_dataset), '') !~ '^[0-9]{0,40}$' or coalesce(btrim(p_waba), '') !~ '^[0-9]{0,40}$' then
    raise exception 'Os ids da Meta têm só números.' using errcode = 'PT422', hint = 'conversion.ids';
  end if;
  if jsonb_typeof(p_names) is distinct from 'object' or exists (
    select from jsonb_each(p_names) n where n.key not in ('qualified', 'visit', 'sale') or jsonb_typeof(n.value) <> 'string'
      or length(n.value #>> '{}') > 50 or n.value #>> '{}' ~ '[[:cntrl:]]') then
    raise exception 'Use nomes de até 50 letras.' using errcode = 'PT422', hint = 'conversion.names';
  end if;
  if p_stage is not null and not exists (select from public.kanban_stages s where s.slug = p_stage and s.kind = 'open') then
    raise exception 'Escolha um estágio aberto.' using errcode = 'PT422', hint = 'conversion.stage';
  end if;
  insert into portal.conversion_targets (target) values (p_target) on conflict do nothing;
  select * into known from portal.conversion_targets t where t.target = p_target for update;
  if p_is_on and (known.token is null or coalesce(btrim(p_dataset), '') = '' or p_target = 'messaging' and coalesce(btrim(p_waba), '') = '') then
    raise exception 'Para ligar, informe o conjunto de dados, o token%.', case p_target when 'messaging' then ' e a conta do WhatsApp (WABA)' else '' end
      using errcode = 'PT422', hint = 'conversion.incomplete';
  end if;
  update portal.conversion_targets t set
    state = case when p_is_on then 'on' else 'off' end, fault = null, dataset = coalesce(btrim(p_dataset), ''), waba = coalesce(btrim(p_waba), ''),
    names = (select coalesce(jsonb_object_agg(n.key, btrim(n.value)), '{}') from jsonb_each_text(p_names) n), stage = p_stage,
    changed_by = portal.actor(), changed_at = now()
  where t.target = p_target;
  if p_is_on then
    perform portal.audit('conversion.on', p_target);
    perform portal.notify_channel('conversions', '');
  else
    perform portal.audit('conversion.off', p_target);
  end if;
  return jsonb_build_object('state', case when p_is_on then 'on' else 'off' end);
end $$;
comment on function public.set_conversion_target(text, boolean, text, text, jsonb, text) is
  'Turns a target at Meta (messaging, crm) on or off, and stores its dataset, WABA, event names ({qualified, visit, sale}, empty: not reported) and the stage from which on a lead is qualified. While it is off, no step is queued or sent; queued steps go on waiting. Returns {state}. 422 for wrong values, and for turning on a target that lacks an id or the token. Administrators; 401 and 403 for anybody else.';
grant execute on function public.set_conversion_target(text, boolean, text, text, jsonb, text) to authenticated, service_role;

create function public.set_conversion_test(p_target text, p_code text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  code constant text := coalesce(btrim(p_code), '');
begin
  perform portal.require_admin();
  if p_target is null or p_target not in ('messaging', 'crm') or code !~ '^[A-Za-z0-9_-]{0,40}$' then
    raise exception 'Copie o código como a Meta o mostra em Testar eventos, por exemplo TEST12345.' using errcode = 'PT422', hint = 'conversion.test';
  end if;
  insert into portal.conversion_targets (target) values (p_target) on conflict do nothing;
  update portal.conversion_targets t set test_code = code where t.target = p_target and t.test_code <> code;
  if found then perform portal.audit('conversion.test-set', p_target, jsonb_build_object('code', code)); end if;
  return jsonb_build_object('testCode', code);
end $$;
comment on function public.set_conversion_test(text, text) is
  'Sets the code with which Meta lists a target''s events as tests; null or empty removes it. Meta counts events with a code, too. Returns {testCode}. 422 for anything but 40 letters, digits, - and _ at most. Administrators; 401 and 403 for anybody else.';
grant execute on function public.set_conversion_test(text, text) to authenticated, service_role;

create function portal.set_conversion_token(p_target text, p_encrypted text, p_tail text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  insert into portal.conversion_targets (target, token, token_tail) values (p_target, p_encrypted, p_tail)
  on conflict (target) do update set token = excluded.token, token_tail = excluded.token_tail;
  perform portal.audit('conversion.token-set', p_target);
end $$;
comment on function portal.set_conversion_token(text, text, text) is
  'Stores an encrypted token. A stopped target stays stopped until it is turned on. Administrators, through the server only.';

create function public.get_conversions(p_state text default null, p_before bigint default null) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'leadId', o.contact_id, 'leadName', o.lead_name, 'leadNumber', o.lead_number,
      'broker', o.broker, 'step', o.step, 'target', o.target, 'name', o.name, 'happenedAt', o.happened_at, 'cents', o.value_cents, 'state', o.state,
      'dueAt', o.due_at, 'tries', o.tries, 'status', o.status, 'code', o.code, 'subcode', o.subcode, 'fault', o.fault, 'trace', o.trace,
      'triedAt', o.tried_at, 'decidedBy', o.decided_by) order by o.id desc), '[]')
    from (
      select n.*, c.name as lead_name, c.number as lead_number, c."instanceName" as broker
      from portal.conversions n join public.whatsapp_contacts c on c.id = n.contact_id
      where (p_state is null or n.state = p_state) and n.id < coalesce(p_before, 9223372036854775807)
      order by n.id desc limit 50
    ) o);
end $$;
comment on function public.get_conversions(text, bigint) is
  'Steps queued for Meta or sent, 50 at most, the newest first; only those older than the id p_before and in p_state, if given: [{id, leadId, leadName, leadNumber, broker, step, target, name, happenedAt, cents, state, dueAt, tries, status, code, subcode, fault, trace, triedAt, decidedBy}]. Administrators; 401 and 403 for anybody else.';
grant execute on function public.get_conversions(text, bigint) to authenticated, service_role;

create function public.decide_conversion(p_id bigint, p_decision text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  decided portal.conversions;
begin
  perform portal.require_admin();
  if p_decision is null or p_decision not in ('again', 'sent') then
    raise exception 'Escolha enviar de novo, ou considerar enviada.' using errcode = 'PT422', hint = 'conversion.decision';
  end if;
  update portal.conversions o set
    state = case p_decision when 'again' then 'waiting' else 'sent' end, due_at = now(), tries = 0, decided_by = portal.actor(),
    -- Takes the event's present name, because Meta may have refused the step for its name.
    name = case o.state when 'refused' then coalesce((
      select nullif(t.names ->> o.step, '') from portal.conversion_targets t where t.target = o.target), o.name) else o.name end
  where o.id = p_id and (o.state = 'unsure' or o.state = 'refused' and p_decision = 'again')
  returning * into decided;
  if decided.id is null then
    raise exception 'Esta conversão não espera por uma decisão.' using errcode = 'PT422', hint = 'conversion.decided';
  end if;
  perform portal.audit('conversion.decided', decided.event_id, jsonb_build_object('decision', p_decision));
  if p_decision = 'again' then perform portal.notify_channel('conversions', ''); end if;
  return jsonb_build_object('state', decided.state);
end $$;
comment on function public.decide_conversion(bigint, text) is
  'Stores a decision about an unsure or a refused step. again: it is sent once more as the same event, a refused one under the present name of its step. sent: Meta has it; only for an unsure one. Returns {state}. 422 for any other step or decision. Administrators; 401 and 403 for anybody else.';
grant execute on function public.decide_conversion(bigint, text) to authenticated, service_role;

create function public.replay_conversions(p_state text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  oldest constant timestamptz := now() - interval '168 hours';
  again integer;
begin
  perform portal.require_admin();
  if p_state is null or p_state not in ('refused', 'unsure') then
    raise exception 'Só as recusadas e as sem certeza vão de novo.' using errcode = 'PT422', hint = 'conversion.state';
  end if;
  with chosen as (
    select o.id from portal.conversions o where o.state = p_state and o.happened_at >= oldest order by o.id limit 500 for update
  )
  update portal.conversions o set state = 'waiting', due_at = now(), tries = 0, decided_by = portal.actor(),
    -- Takes the event's present name, because Meta may have refused the step for its name.
    name = case p_state when 'refused' then coalesce((
      select nullif(t.names ->> o.step, '') from portal.conversion_targets t where t.target = o.target), o.name) else o.name end
  from chosen c where c.id = o.id;
  get diagnostics again = row_count;
  if again > 0 then
    perform portal.audit('conversion.replayed', p_state, jsonb_build_object('count', again));
    perform portal.notify_channel('conversions', '');
  end if;
  return (
    select jsonb_build_object('again', again, 'left', count(*) filter (where o.happened_at >= oldest),
      'late', count(*) filter (where o.happened_at < oldest))
    from portal.conversions o where o.state = p_state);
end $$;
comment on function public.replay_conversions(text) is
  'Sends all refused or all unsure steps once more, the oldest 500 of the last seven days, as decide_conversion does with one. Returns {again (how many), left (how many another call can send), late (older than seven days, which Meta no longer accepts)}. 422 for another state. Administrators; 401 and 403 for anybody else.';
grant execute on function public.replay_conversions(text) to authenticated, service_role;
