-- Who writes to a broker's own number is that broker's; a rotation that is switched on takes its waiting leads; the
-- administrator sees all leads without a broker; and a rotation's own steps stand in the leads' history only (PRODUCT.md 4.1, 4.2).

create function portal.end_watch() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  kept portal.roleta_cases;
begin
  update portal.roleta_cases k set state = 'done', next_at = null, since = now()
  where k.contact_id = new.contact_id and k.state = 'watched' and k.holder = new."instanceName"
  returning * into kept;
  if found then perform portal.add_roleta_event(kept, 'theirs', kept.holder, now()); end if;
  return null;
end $$;
comment on function portal.end_watch() is
  'Trigger: a lead that writes to its owner''s own number stays there, answered in time or not.';
create trigger end_watch after insert on public.whatsapp_messages
  for each row when (new.type = 'incoming') execute function portal.end_watch();

create function portal.take_inbox() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.roleta_cases k set state = 'waiting', roleta_id = new.id, since = now(), next_at = now()
  from public.whatsapp_contacts w left join public.brokers b using ("instanceName")
  where k.state = 'inbox' and w.id = k.contact_id and (w."instanceName" is null or b.central_since is not null)
    and coalesce(k.roleta_id, portal.roleta_of(k.development)) = new.id
    and not exists (
      select from portal.roleta_cases other
      where other.contact_id = k.contact_id and other.id <> k.id
        and (other.state in ('waiting', 'offered', 'watched', 'pool') or other.state = 'inbox' and other.id > k.id));
  return null;
end $$;
comment on function portal.take_inbox() is
  'Trigger: a rotation is switched on; the leads that came in for it meanwhile and have no broker are on their way.';
create trigger take_inbox after update of ativa on public.roletas
  for each row when (new.ativa and not old.ativa) execute function portal.take_inbox();

create or replace function portal.open_cases() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'contactId', c.contact_id, 'name', w.name, 'number', w.number,
      'development', c.development, 'roletaId', c.roleta_id, 'state', c.state, 'holder', c.holder,
      'arrivedAt', c.arrived_at, 'since', c.since, 'nextAt', c.next_at, 'hops', cardinality(c.tried)) order by c.arrived_at, c.id), '[]')
    from portal.roleta_cases c
    join public.whatsapp_contacts w on w.id = c.contact_id
    left join public.brokers b on b."instanceName" = w."instanceName"
    where c.state in ('waiting', 'offered', 'pool')
      or c.state = 'inbox' and (w."instanceName" is null or b.central_since is not null)
  );
end $$;

create or replace function portal.audit_hand_over() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('portal.roleta', true) = 'on' then return null; end if;
  perform portal.audit_counted('leads.handed-over', jsonb_build_object(
    'from', portal.username_of(old."instanceName"), 'to', portal.username_of(new."instanceName")));
  return null;
end $$;
comment on function portal.audit_hand_over() is
  'Trigger: a lead changed its owner, and not by a rotation, which keeps a log of its own; a line for all of one owner to another.';
