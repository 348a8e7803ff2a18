-- First steps of a new agency: an administrator sets the address of the WhatsApp service, and a page shows the progress
-- up to the first answered lead.

-- Each kind of gateway has its own row in portal.settings. Evolution was once the only kind, so its key is still just
-- 'gateway'.
create function portal.gateway_setting(p_kind text) returns text
language sql immutable set search_path = '' as $$
  select case p_kind when 'evolution' then 'gateway' else 'gateway.' || p_kind end
$$;
comment on function portal.gateway_setting(text) is 'The key of the row in portal.settings that has the address of this kind of gateway. Server only.';

create function portal.set_gateway(p_kind text, p_url text, p_sealed text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  if p_url is null or p_url !~ '^https?://[^/@[:space:]]+(/[^@[:space:]]*)?$' or length(p_url) > 300
    or coalesce(p_sealed, '') = '' or coalesce(p_kind, '') !~ '^[a-z]{1,20}$' or p_kind = 'new' then
    raise exception 'Informe o endereço começando com https:// e a chave.' using errcode = 'PT422', hint = 'gateway.invalid';
  end if;
  insert into portal.settings (key, value)
  values (portal.gateway_setting(p_kind), jsonb_build_object('url', p_url, 'sealed', p_sealed))
  on conflict (key) do update set value = excluded.value;
  perform portal.audit('gateway.changed', substring(p_url from '^https?://([^/]+)'));
end $$;
comment on function portal.set_gateway(text, text, text) is
  'Sets the address of a kind of gateway, and its API key, which the server has encrypted. Every portal process then reconnects. 422 for an invalid address. Administrators; 401 and 403 for anybody else.';

create function portal.set_new_gateway(p_kind text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  if coalesce(p_kind, '') !~ '^[a-z]{1,20}$' then
    raise exception 'Escolha o serviço de WhatsApp.' using errcode = 'PT422', hint = 'gateway.invalid';
  end if;
  insert into portal.settings (key, value) values ('gateway.new', to_jsonb(p_kind))
  on conflict (key) do update set value = excluded.value;
  perform portal.audit('gateway.chosen', p_kind);
end $$;
comment on function portal.set_new_gateway(text) is
  'Chooses the kind of gateway on which new instances are made. Existing instances stay on theirs. Administrators; 401 and 403 for anybody else.';

create function portal.stored_gateways() returns table (kind text, value jsonb)
language sql stable set search_path = '' as $$
  select case s.key when 'gateway' then 'evolution' when 'gateway.new' then '' else substr(s.key, 9) end, s.value
  from portal.settings s where s.key = 'gateway' or s.key like 'gateway.%' order by s.key
$$;
comment on function portal.stored_gateways() is
  'The address and the encrypted API key of each kind of gateway. The row with an empty kind names the kind on which new instances are made. Server only.';

create function portal.instance_gateways() returns table ("instanceName" text, kind text, target text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
  select s."instanceName", s.gateway, m.gateway
  from portal.webhook_secrets s left join portal.instance_moves m using ("instanceName") order by 1;
end $$;
comment on function portal.instance_gateways() is
  'The kind of gateway on which each instance runs, and the one to which it is moving (null: to none). Administrators only.';

create function portal.first_hour() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return jsonb_build_object(
    'brokers', (select count(*) from public.brokers),
    -- Chooses the broker who has come closest to a first answer: one with a linked WhatsApp before one with a password,
    -- else the oldest.
    'broker', (
      select jsonb_build_object(
        'instanceName', b."instanceName",
        'hasPassword', a.password_hash is not null,
        'isLinked', coalesce(s.state = 'open', false),
        'isTold', exists (
          select from portal.push_devices d join portal.sessions o on o.id = d.session_id
          where o.account_id = a.id and d.removed_at is null))
      from public.brokers b
      join portal.accounts a on a.id = b.id
      left join portal.instance_states s on s."instanceName" = b."instanceName"
      order by s.state = 'open' desc nulls last, a.password_hash is not null desc, b.created_at, b.id
      limit 1),
    -- True: an instance is linked or being linked for 15 seconds, but the gateway has never reported anything.
    'isUnheard', exists (
        select from portal.instance_states s
        where s.state in ('connecting', 'open') and s.changed_at < now() - interval '15 seconds')
      and not exists (
        select from portal.instance_states s where s.state_at is not null or s.qr_received_at is not null),
    'sources', (select count(*) from portal.intake_keys k where k.revoked_at is null and k.off_at is null)
      + (select count(*) from public.brokers b where b.central_since is not null),
    'lead', coalesce(
      (select portal.first_lead(row(c.*)::portal.clocks) from portal.every_clock c where c.answered_at is not null limit 1),
      (select jsonb_build_object('name', 'Lead de teste', 'seconds', s.value -> 'seconds', 'isOwned', true)
       from portal.settings s where s.key = 'test_lead' and s.value ? 'seconds'),
      (select portal.first_lead(row(c.*)::portal.clocks) from portal.every_clock c limit 1)),
    'test', (
      select jsonb_build_object('instanceName', c."instanceName") from public.whatsapp_contacts c
      where c.id = (select (s.value ->> 'contactId')::bigint from portal.settings s where s.key = 'test_lead')));
end $$;
comment on function portal.first_hour() is
  'Progress of a new agency: the number of brokers; the broker who has come furthest (password set, WhatsApp linked, a device with push); whether a link exists of which the gateway never reported anything (it cannot reach the portal); the number of sources that bring leads, central numbers included; one lead that was not added by hand or imported, preferably an answered one (a removed test lead counts); and the owner of the test lead. A part that does not exist is null. Administrators; 401 and 403 for anybody else.';

create function portal.first_lead(p_lead portal.clocks) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'name', coalesce(nullif(p_lead.name, ''), p_lead.number),
    'seconds', extract(epoch from p_lead.answered_at - p_lead.received_at)::integer,
    'isOwned', p_lead.broker_name is not null)
$$;
comment on function portal.first_lead(portal.clocks) is
  'A lead in the form that portal.first_hour returns: the seconds until its answer (null: none yet), and whether it has an owner. Only for portal.first_hour.';


-- The test lead: an administrator's own number on the board of one broker, by which both see how an answer arrives. It
-- is a lead like any other, with the source 'teste', until an administrator removes it.

create function public.send_test_lead(p_number text, p_broker_name text, p_operation_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  lead bigint;
begin
  perform portal.require_admin();
  if exists (
    select from portal.own_addresses o where o."instanceName" = p_broker_name and o.address = portal.number_key(p_number)) then
    raise exception 'Este é o WhatsApp do próprio corretor. Use outro número.' using errcode = 'PT422', hint = 'test-lead.own';
  end if;
  answer := public.lead_add('Lead de teste', p_number, null, 'teste', 'Lead de teste do administrador: responda para ele ver a resposta chegar.',
    coalesce(p_broker_name, '-'), p_operation_id);
  lead := (answer ->> 'contact_id')::bigint;
  if answer ->> 'code' <> 'saved' or exists (select from portal.lead_intakes i where i.contact_id = lead) then
    return answer;
  end if;
  insert into portal.lead_intakes (contact_id, name, number, source, message, received_at)
  select c.id, c.name, c.number, c.source, 'Quero saber mais.', now() from public.whatsapp_contacts c where c.id = lead;
  insert into portal.settings (key, value) values ('test_lead', jsonb_build_object('contactId', lead))
  on conflict (key) do update set value = excluded.value;
  perform portal.push(p_broker_name, 'assigned', 'lead-' || lead, lead, interval '1 second');
  return answer;
end $$;
comment on function public.send_test_lead(text, text, uuid) is
  'Puts a test lead with this number on a broker''s board (instance name): it waits for an answer from now on, with a push. Answers as lead_add: saved, already, conflict or unknown_broker; a retry of the operation gets the stored answer. 422 for a number that cannot be called, or the broker''s own. Administrators; 401 and 403 for anybody else.';
grant execute on function public.send_test_lead(text, text, uuid) to authenticated, service_role;

create function public.remove_test_lead() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead bigint;
  took integer;
begin
  perform portal.require_admin();
  select (s.value ->> 'contactId')::bigint into lead from portal.settings s where s.key = 'test_lead' for update;
  perform from public.whatsapp_contacts c where c.id = lead for update;
  if not found then return jsonb_build_object('removed', false); end if;
  select extract(epoch from c.answered_at - c.received_at)::integer into took from portal.every_clock c where c.id = lead;
  perform portal.drop_contact(lead);
  -- If the test lead was answered, the first hour stays completed after its deletion.
  update portal.settings s set value = jsonb_strip_nulls(jsonb_build_object('seconds', took)) where s.key = 'test_lead';
  return jsonb_build_object('removed', true);
end $$;
comment on function public.remove_test_lead() is
  'Deletes the lead of send_test_lead with its conversation; {removed}: false if there is none any more. How fast it was answered stays for portal.first_hour. Administrators; 401 and 403 for anybody else.';
grant execute on function public.remove_test_lead() to authenticated, service_role;
