-- Of a lead that is to be given out, whose it is meanwhile, so that a screen can lead to its conversation (PRODUCT.md 4.2).

create or replace function portal.open_cases() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'contactId', c.contact_id, 'name', w.name, 'number', w.number,
      'development', c.development, 'roletaId', c.roleta_id, 'state', c.state, 'holder', c.holder, 'owner', w."instanceName",
      'arrivedAt', c.arrived_at, 'since', c.since, 'nextAt', c.next_at, 'hops', cardinality(c.tried)) order by c.arrived_at, c.id), '[]')
    from portal.roleta_cases c
    join public.whatsapp_contacts w on w.id = c.contact_id
    left join public.brokers b on b."instanceName" = w."instanceName"
    where c.state in ('waiting', 'offered', 'pool')
      or c.state = 'inbox' and (w."instanceName" is null or b.central_since is not null)
  );
end $$;
