-- Leads that are the administrator's go to a rotation when the administrator says so: one that is switched on or newly made
-- offers to take those it is for, and hands them out as it does any other (PRODUCT.md 4.2).

drop trigger take_inbox on public.roletas;
drop function portal.take_inbox();

alter table portal.roleta_events drop constraint roleta_events_kind_check;
alter table portal.roleta_events add constraint roleta_events_kind_check check (kind in ('received', 'offered', 'given',
  'accepted', 'passed', 'expired', 'unanswered', 'answered', 'pooled', 'claimed', 'waiting', 'inbox', 'theirs', 'closed', 'sent'));

create function portal.inbox_cases() returns table (id bigint, roleta_id integer)
language sql stable security definer set search_path = '' as $$
  select k.id, r.id
  from portal.roleta_cases k
  join public.whatsapp_contacts w on w.id = k.contact_id
  left join public.brokers b on b."instanceName" = w."instanceName"
  join lateral (
    select coalesce((select own.id from public.roletas own where own.id = k.roleta_id and own.ativa),
      portal.roleta_of(k.development)) as id
  ) r on r.id is not null
  where k.state = 'inbox' and (w."instanceName" is null or b.central_since is not null)
    and not exists (
      select from portal.roleta_cases other
      where other.contact_id = k.contact_id and other.id <> k.id
        and (other.state in ('waiting', 'offered', 'watched', 'pool') or other.state = 'inbox' and other.id > k.id))
    and exists (
      select from public.roletas seated join public.roleta_corretores s on s."roletaName" = seated.empreendimento
      where seated.id = r.id and s.ativo)
$$;
comment on function portal.inbox_cases() is
  'Cases that are the administrator''s, without a broker, and the active rotation with an active seat that could take each: its own, else that of its development. Server only.';

create function portal.inbox_leads() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', c.roleta_id, 'leads', c.leads) order by c.roleta_id), '[]')
    from (select k.roleta_id, count(*) as leads from portal.inbox_cases() k group by k.roleta_id) c
  );
end $$;
comment on function portal.inbox_leads() is
  'How many leads of the administrator each rotation could take, those that could take none left out. Administrators, by the server only.';

create function portal.send_inbox(p_roleta integer, p_operation_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  sent portal.roleta_cases;
  leads integer := 0;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  if not exists (select from public.roletas r where r.id = p_roleta) then
    raise exception 'Roleta não encontrada' using errcode = 'PT404', hint = 'roleta.unknown';
  end if;
  for sent in
    update portal.roleta_cases k set state = 'waiting', roleta_id = p_roleta, since = p_now, next_at = p_now
    from portal.inbox_cases() found
    where k.id = found.id and found.roleta_id = p_roleta and k.state = 'inbox'
    returning k.*
  loop
    perform portal.add_roleta_event(sent, 'sent', null, p_now);
    leads := leads + 1;
  end loop;
  if leads > 0 then
    perform portal.audit('roleta.inbox-sent', (select r.empreendimento from public.roletas r where r.id = p_roleta),
      jsonb_build_object('count', leads));
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'roleta.inbox', jsonb_build_object('leads', leads));
end $$;
comment on function portal.send_inbox(integer, uuid, timestamptz) is
  'Puts the leads of the administrator that a rotation could take on their way through it, the first come first, decided like any other; once an operation: {leads}. 404 for an unknown rotation. Administrators, by the server only.';
