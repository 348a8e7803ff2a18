-- Developments that an upgrade made before their trigger was there have their names, so that texts mean them.
insert into portal.development_names (key, development_id)
select distinct on (portal.development_key(d.name)) portal.development_key(d.name), d.id
from public.developments d where portal.development_key(d.name) is not null
order by portal.development_key(d.name), d.id
on conflict (key) do nothing;
