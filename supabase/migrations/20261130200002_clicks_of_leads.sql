-- Click ids of advertisements leave the lead's public row, which gerentes read, and the fields of forms are copied.
-- with: table portal.lead_clicks, function portal.click_kind, function portal.keep_clicks, function portal.keep_form_clicks
-- with: trigger keep_form_clicks on portal.lead_intakes, function portal.learn_of_contact
insert into portal.lead_clicks (contact_id, kind, value, at)
select c.id, 'ctwa_clid', c.ad ->> 'clickId', c.created_at from public.whatsapp_contacts c where c.ad ->> 'clickId' ~ '^[A-Za-z0-9_.~-]+$' and length(c.ad ->> 'clickId') <= 500
on conflict do nothing;
insert into portal.lead_clicks (contact_id, kind, value, at)
select distinct on (i.contact_id, f.kind, f.value) i.contact_id, f.kind, f.value, i.received_at
from portal.lead_intakes i cross join lateral (
  select case lower(btrim(e.key)) when 'gcl_id' then 'gclid' else lower(btrim(e.key)) end as kind, btrim(e.value) as value
  from jsonb_each_text(i.fields) e
) f
where f.kind in ('ctwa_clid', 'fbclid', 'gclid', 'gbraid', 'wbraid', 'msclkid', 'ttclid') and f.value ~ '^[A-Za-z0-9_.~-]+$' and length(f.value) <= 500
order by i.contact_id, f.kind, f.value, i.received_at
on conflict do nothing;
insert into portal.lead_clicks (contact_id, kind, value, at)
select i.contact_id, 'lead_id', i.external_id, i.received_at
from portal.lead_intakes i join portal.intake_keys k on k.id = i.key_id
where k.kind = 'meta' and i.external_id ~ '^[0-9]{1,40}$'
on conflict do nothing;
update public.whatsapp_contacts set ad = ad - 'clickId' where ad ? 'clickId';
