-- Test leads leave the counts, where they were until now.
-- with: function portal.lead_delta
insert into portal.lead_deltas
select
  (c.created_at at time zone portal.time_zone())::date,
  coalesce(c."instanceName", ''),
  coalesce(c.empreendimento, ''),
  c.status,
  c.source,
  coalesce(c.campaign, 'sem campanha'),
  -1,
  -(c.first_response_at - c.first_incoming_at is not null)::integer,
  -((c.first_incoming_at is not null and c.first_response_at is null)
    or (c.left_contact_at is not null and c.first_incoming_at is null and c.first_contacted_at is null))::integer,
  -(c.won_at is not null)::integer,
  -coalesce(extract(epoch from c.first_response_at - c.first_incoming_at), 0)
from public.whatsapp_contacts c
where c.source = 'teste';
