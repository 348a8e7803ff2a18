-- A rotation read and saved as one (SPEC.md 2.15, 4, 8), and the intake keys (PRODUCT.md 3). Administrators, by the server only.

create function portal.roleta_details(p_roleta integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  details jsonb;
begin
  perform portal.require_admin();
  select jsonb_build_object('id', r.id, 'name', r.empreendimento,
    'settings', jsonb_build_object('needsAcceptance', r.needs_acceptance, 'acceptMinutes', r.accept_minutes,
      'answerMinutes', r.answer_minutes, 'maxHops', r.max_hops, 'textCode', r.text_code),
    'seats', (
      select coalesce(jsonb_agg(jsonb_build_object('instanceName', s."instanceName", 'weight', s.weight, 'shifts', s.shifts,
        'dailyCap', s.daily_cap, 'isActive', s.ativo) order by s.ordem), '[]')
      from public.roleta_corretores s where s."roletaName" = r.empreendimento))
  into details from public.roletas r where r.id = p_roleta;
  if details is null then
    raise exception 'Roleta não encontrada' using errcode = 'PT404', hint = 'roleta.unknown';
  end if;
  return details || jsonb_build_object(
    'version', md5(details::text),
    'isActive', (select r.ativa from public.roletas r where r.id = p_roleta),
    'leadsReceived', (
      select coalesce(jsonb_object_agg(s."instanceName", s.leads_recebidos), '{}') from public.roleta_corretores s
      where s."roletaName" = details ->> 'name'));
end $$;
comment on function portal.roleta_details(integer) is
  'A rotation with its settings and seats in order, and the version that saving it goes by: it changes with whatever can be edited, by whatever way. 404 for an unknown one. Administrators, by the server only.';

create function portal.save_roleta(p_roleta integer, p_version text, p_wanted jsonb, p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  settings jsonb := p_wanted -> 'settings';
  name text := btrim(p_wanted ->> 'name');
  last_place integer;
  saved jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  perform from public.roletas r where r.id = p_roleta for update;
  if (portal.roleta_details(p_roleta) ->> 'version') <> p_version then
    raise exception 'Esta roleta foi alterada por outra pessoa. Abra-a de novo para ver como ficou.'
      using errcode = 'PT409', hint = 'roleta.changed';
  elsif exists (select from public.roletas r where r.empreendimento = name and r.id <> p_roleta) then
    raise exception 'Já existe uma roleta com este nome.' using errcode = 'PT409', hint = 'roleta.taken';
  elsif exists (select from public.roletas r where r.text_code = settings ->> 'textCode' and r.id <> p_roleta) then
    raise exception 'Outra roleta já usa este código.' using errcode = 'PT409', hint = 'roleta.code-taken';
  elsif exists (
    select from jsonb_to_recordset(p_wanted -> 'seats') as w ("instanceName" text)
    where not exists (select from public.brokers b where b."instanceName" = w."instanceName" and b.central_since is null)) then
    raise exception 'Um dos corretores não existe mais. Abra a roleta de novo.' using errcode = 'PT422', hint = 'roleta.no-broker';
  end if;
  update public.roletas r
  set empreendimento = name, needs_acceptance = (settings ->> 'needsAcceptance')::boolean,
    accept_minutes = (settings ->> 'acceptMinutes')::smallint, answer_minutes = (settings ->> 'answerMinutes')::smallint,
    max_hops = (settings ->> 'maxHops')::smallint, text_code = settings ->> 'textCode'
  where r.id = p_roleta;
  delete from public.roleta_corretores s
  where s."roletaName" = name
    and s."instanceName" not in (select w."instanceName" from jsonb_to_recordset(p_wanted -> 'seats') as w ("instanceName" text));
  select coalesce(max(s.ordem), 0) into last_place from public.roleta_corretores s where s."roletaName" = name;
  insert into public.roleta_corretores ("roletaName", "instanceName", ordem)
  select name, w.seat ->> 'instanceName', last_place + row_number() over (order by w.place)
  from jsonb_array_elements(p_wanted -> 'seats') with ordinality as w (seat, place)
  on conflict ("roletaName", "instanceName") do nothing;
  update public.roleta_corretores s
  set ordem = w.place, weight = (w.seat ->> 'weight')::smallint, shifts = nullif(w.seat -> 'shifts', 'null'),
    daily_cap = (w.seat ->> 'dailyCap')::smallint, ativo = (w.seat ->> 'isActive')::boolean
  from jsonb_array_elements(p_wanted -> 'seats') with ordinality as w (seat, place)
  where s."roletaName" = name and s."instanceName" = w.seat ->> 'instanceName';
  saved := portal.roleta_details(p_roleta);
  if saved ->> 'version' <> p_version then perform portal.audit('roleta.changed', name); end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'roleta.save', saved);
end $$;
comment on function portal.save_roleta(integer, text, jsonb, uuid) is
  'Saves a rotation in one transaction and in the order of SPEC.md 4: the name, who is removed, who is added, the order of all, with settings and seats as portal.roleta_details shows them. Once an operation; answers the details. 409 where somebody else changed it since, or the name or code is taken; 404 for an unknown one; 422 for a broker who is gone. Administrators, by the server only.';

create function portal.intake_key_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'kind', k.kind, 'name', k.name, 'settings', k.settings,
      'perMinute', k.per_minute, 'createdBy', k.created_by, 'createdAt', k.created_at, 'usedAt', k.used_at,
      'revokedAt', k.revoked_at,
      'leads', (select count(*) from portal.lead_intakes i where i.key_id = k.id),
      'waiting', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is not null),
      'failed', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is null)
    ) order by k.revoked_at is not null, k.created_at desc), '[]')
    from portal.intake_keys k
  );
end $$;
comment on function portal.intake_key_list() is
  'All intake keys without what is secret of them; failed are the leads of Meta that could not be read there. Administrators, by the server only.';

create function portal.add_intake_key(p_operation_id uuid, p_key jsonb, p_hash bytea, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  insert into portal.intake_keys (id, kind, name, hash, settings, secrets, per_minute, created_by, created_at)
  values (p_operation_id, p_key ->> 'kind', p_key ->> 'name', p_hash, p_key -> 'settings', p_key -> 'secrets',
    (p_key ->> 'perMinute')::integer, portal.actor(), p_now);
  perform portal.audit('intake-key.made', p_key ->> 'name');
  return portal.end_operation(portal.account_id(), p_operation_id, 'intake-key.add', jsonb_build_object('id', p_operation_id));
end $$;
comment on function portal.add_intake_key(uuid, jsonb, bytea, timestamptz) is
  'A new intake key, {kind, name, settings, secrets, perMinute}, named by its operation; once an operation. Administrators, by the server only.';

create function portal.revoke_intake_key(p_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  revoked text;
begin
  perform portal.require_admin();
  if not exists (select from portal.intake_keys k where k.id = p_id) then
    raise exception 'Chave não encontrada.' using errcode = 'PT404', hint = 'intake-key.unknown';
  end if;
  update portal.intake_keys k set revoked_at = p_now, secrets = '{}' where k.id = p_id and k.revoked_at is null
  returning k.name into revoked;
  if found then perform portal.audit('intake-key.revoked', revoked); end if;
  return jsonb_build_object('id', p_id);
end $$;
comment on function portal.revoke_intake_key(uuid, timestamptz) is
  'From now on a key brings nothing in, and what was secret of it is forgotten; again changes nothing. Administrators, by the server only.';
