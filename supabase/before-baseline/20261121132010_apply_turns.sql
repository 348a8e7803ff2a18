-- What the gateway reports of a broker's phone touches leads in its own order. Who gives leads away, or a broker with all of them, waits
-- for the reports that are being applied, and they for it; else each could hold what the other wants (PRODUCT.md 3, 4.2).

create function portal.take_apply_turn() returns void
language sql volatile set search_path = '' as $$
  select pg_advisory_xact_lock(71302211)
$$;
comment on function portal.take_apply_turn() is
  'One portal at a time applies what the gateway reported, until the transaction ends. Taken before a rotation''s turn and before any row. Server only.';

create function portal.wait_for_reports() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.take_apply_turn();
  return null;
end $$;
comment on function portal.wait_for_reports() is 'Trigger: a broker goes, and with it what reports of the phone may be writing to.';
create trigger wait_for_reports before delete on public.brokers
  for each statement execute function portal.wait_for_reports();

create or replace function public.transferir_leads(
  p_contact_ids bigint[],
  p_broker_name text,
  p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
  asked bigint[] := array(select distinct a.id from unnest(p_contact_ids) as a (id));
  answer jsonb;
  given jsonb;
  found_count integer;
  moved integer;
  kept integer;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(account, p_operation_id);
  if answer is not null then return answer; end if;
  if cardinality(asked) > 2000 then
    raise exception 'Passe no máximo 2.000 leads por vez.' using errcode = 'PT422';
  end if;
  perform portal.take_apply_turn();
  perform portal.take_roleta_turn();
  -- Brokers before leads and in one order, as a removal takes them: whoever is just being removed is waited for.
  perform from public.brokers b
  where b."instanceName" = p_broker_name
    or b."instanceName" in (select c."instanceName" from public.whatsapp_contacts c where c.id = any (asked))
  order by b."instanceName" for key share;
  if not exists (select from public.brokers b where b."instanceName" = p_broker_name) then
    return portal.end_operation(account, p_operation_id, 'lead.hand-over', jsonb_build_object(
      'success', false, 'code', 'unknown_broker', 'message', 'Este corretor não existe mais.',
      'moved', 0, 'merged', 0, 'unknown', 0, 'leads', '[]'::jsonb));
  end if;
  perform from public.whatsapp_contacts c where c.id = any (asked) order by c.id for update;
  get diagnostics found_count = row_count;
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'from', c."instanceName") order by c.id), '[]') into given
  from public.whatsapp_contacts c
  where c.id = any (asked) and c."instanceName" is distinct from p_broker_name;
  perform set_config('portal.operation_id', coalesce(p_operation_id::text, ''), true);
  moved := portal.hand_over(asked, p_broker_name);
  perform set_config('portal.operation_id', '', true);
  select count(*) into kept from public.whatsapp_contacts c where c.id = any (asked);
  return portal.end_operation(account, p_operation_id, 'lead.hand-over', jsonb_build_object(
    'success', true, 'code', 'moved', 'message', null,
    'moved', moved, 'merged', found_count - kept, 'unknown', cardinality(asked) - found_count, 'leads', given));
end $$;

create or replace function portal.remove_broker(p_operation_id uuid, p_instance text, p_heir text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  leads bigint[];
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_apply_turn();
  perform portal.take_roleta_turn();
  -- Both in one order, so that two removals never wait for each other.
  perform from public.brokers b where b."instanceName" in (p_instance, p_heir) order by b."instanceName" for update;
  if not exists (select from public.brokers b where b."instanceName" = p_instance) then
    raise exception 'Corretor não encontrado' using errcode = 'PT404', hint = 'broker.unknown';
  elsif p_heir = p_instance
    or (p_heir is not null and not exists (select from public.brokers b where b."instanceName" = p_heir)) then
    raise exception 'Escolha outro corretor para ficar com os leads.' using errcode = 'PT422', hint = 'broker.no-heir';
  end if;
  leads := array(select c.id from public.whatsapp_contacts c where c."instanceName" = p_instance order by c.id);
  if p_heir is not null then perform portal.hand_over(leads, p_heir); end if;
  -- Noted with the change itself: whatever happens now, the instance does not stay at the gateway unseen.
  insert into portal.leftover_instances ("instanceName") values (p_instance) on conflict do nothing;
  delete from public.brokers where "instanceName" = p_instance;
  return portal.end_operation(portal.account_id(), p_operation_id, 'broker.remove',
    jsonb_build_object('instanceName', p_instance, 'leads', cardinality(leads), 'heir', p_heir));
end $$;
