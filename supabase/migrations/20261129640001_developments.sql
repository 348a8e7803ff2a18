-- Developments become records. Each rotation and each agent has one; texts of leads and sources mean it by their spelling.
-- with: table public.developments, table public.development_media, table public.development_plans, table public.development_units
-- with: table portal.development_names, table portal.development_prices
-- with: function portal.keep_development_name, trigger keep_development_name on public.developments
-- with: function portal.fold, function portal.development_key, function portal.development_of, function portal.known_development, function portal.media_is_used
insert into public.developments (name)
select distinct on (portal.development_key(n.name)) btrim(left(btrim(n.name), 120))
from (
  select r.empreendimento as name, 1 as rank, r.id from public.roletas r
  union all select a.empreendimento, 2, a.id from public.prompts_agents a where btrim(a.empreendimento) <> ''
) n
where portal.development_key(n.name) is not null
order by portal.development_key(n.name), n.rank, n.id;
