-- What became of campaigns, the lines of erased persons among them: they count, and nobody can say whose they were (PRODUCT.md 4.5, 4.7).

create or replace function portal.campaign_outcomes(p_campaigns bigint[]) returns table (
  campaign_id bigint, delivered bigint, read bigint, answered bigint, opted_out bigint, failed bigint, unknown bigint, waiting bigint
)
language sql stable security definer set search_path = '' as $$
  with reached as (
    select r.campaign_id, coalesce(m.delivery, r.erased_delivery) as delivery, r.state, r.accepted_at, r.contact_id, r.erased_answer,
      coalesce(p.opted_out_at between r.accepted_at and r.accepted_at + interval '72 hours', false) as has_opted_out
    from public.campaign_recipients r
    left join public.whatsapp_messages m on m.id = r.message_id
    left join portal.people p on p.id = r.person_id and p.opted_out_at is not null
    where r.campaign_id = any (p_campaigns)
  )
  select r.campaign_id,
    count(*) filter (where r.delivery in ('delivered', 'read')),
    count(*) filter (where r.delivery = 'read'),
    -- Nobody answers, nor asks to be left alone, before it came.
    count(*) filter (where r.erased_answer = 'answered'
      or r.accepted_at is not null and not r.has_opted_out and portal.answers_campaign(r.contact_id, r.accepted_at)),
    count(*) filter (where r.has_opted_out or r.erased_answer = 'opted-out'),
    count(*) filter (where r.state = 'failed'),
    count(*) filter (where r.state = 'unknown'),
    count(*) filter (where r.state in ('pending', 'sending'))
  from reached r
  group by 1
$$;
