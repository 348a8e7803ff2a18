-- What became of campaigns, read by index alone however many there were (PRODUCT.md 4.3, 4.5).

create or replace function portal.campaign_outcomes(p_campaigns bigint[]) returns table (
  campaign_id bigint, delivered bigint, read bigint, answered bigint, opted_out bigint, failed bigint, unknown bigint, waiting bigint
)
language sql stable security definer set search_path = '' as $$
  with reached as (
    select r.campaign_id, m.delivery, r.state, r.accepted_at, r.contact_id,
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
    count(*) filter (where r.accepted_at is not null and not r.has_opted_out and exists (
      select from public.whatsapp_messages a
      where a.contact_id = r.contact_id and a.type = 'incoming'
        -- Whole seconds, as messages have them: only so does the index serve.
        and a."timestamp" between ceil(extract(epoch from r.accepted_at))::bigint
          and floor(extract(epoch from r.accepted_at + interval '72 hours'))::bigint
    )),
    count(*) filter (where r.has_opted_out),
    count(*) filter (where r.state = 'failed'),
    count(*) filter (where r.state = 'unknown'),
    count(*) filter (where r.state in ('pending', 'sending'))
  from reached r
  group by 1
$$;
