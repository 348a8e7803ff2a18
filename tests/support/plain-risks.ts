// The warning rules applied to every waiting lead: tests and `npm run bench -- sweep` compare portal.warn_risks with
// it.

/** The index that such a query needs. */
export const PLAIN_WARN_RISKS = `
create index contacts_unanswered on public.whatsapp_contacts (least(left_contact_at, first_incoming_at))
  where first_response_at is null and (left_contact_at is not null or first_incoming_at is not null);

create function portal.plain_warn_risks(p_now timestamptz) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  risk record;
  warned integer := 0;
begin
  for risk in
    with due as (
      select k.id, k.broker_name, l.level, portal.target_at(t.rotation_id, k.received_at, l.level * t.seconds) as at
      from public.whatsapp_contacts c
      join portal.clocks k on k.id = c.id
      join public.kanban_stages s on s.slug = c.status and s.kind = 'open'
      join portal.people p on p.id = c.person_id and p.opted_out_at is null
      cross join lateral portal.lead_target(c.id) t
      cross join (values (1), (2)) as l (level)
      where c.waiting_since is not null and c.first_response_at is null and (c.left_contact_at is not null or c.first_incoming_at is not null)
        and least(c.left_contact_at, c.first_incoming_at) between p_now - interval '2 days' and p_now
        and k.answered_at is null
        and not exists (select from portal.risk_warnings w where w.contact_id = c.id and w.level = l.level)
        -- An agent has taken it up: its own limits call a person.
        and not exists (select from public.whatsapp_messages m where m.contact_id = c.id and m.author = 'agent')
    ), noted as (
      insert into portal.risk_warnings (contact_id, level, warned_at)
      select d.id, d.level, p_now from due d where d.at <= p_now order by d.id, d.level
      on conflict do nothing
      returning contact_id, level
    )
    -- What became due long ago, while nobody looked, is seen under 'Agora', and rings nowhere.
    select d.* from noted n join due d on d.id = n.contact_id and d.level = n.level
    where d.at > p_now - interval '2 hours' order by d.id, d.level
  loop
    warned := warned + 1;
    if risk.level = 1 then
      perform portal.push(risk.broker_name, 'risk', 'risk-' || risk.id, risk.id, interval '0');
    else
      perform portal.push_administrators('risk', 'risk-' || risk.id, risk.id);
    end if;
  end loop;
  return warned;
end $$;
`
