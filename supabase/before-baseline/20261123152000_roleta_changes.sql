-- The audit line of a rotation said that it was changed, not what.

create function portal.roleta_changes(before jsonb, after jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  with
    olds as (select s.value ->> 'instanceName' as name, s.value as rules, s.ordinality as place
      from jsonb_array_elements(before -> 'seats') with ordinality s),
    news as (select s.value ->> 'instanceName' as name, s.value as rules, s.ordinality as place
      from jsonb_array_elements(after -> 'seats') with ordinality s),
    stayed as (select n.name, o.rules <> n.rules as is_ruled,
        row_number() over (order by o.place) <> row_number() over (order by n.place) as is_moved
      from olds o join news n using (name))
  select jsonb_build_object(
    'settings', (select coalesce(jsonb_agg(n.key order by n.key), '[]') from jsonb_each(after -> 'settings') n
      where n.value is distinct from before -> 'settings' -> n.key),
    'added', (select coalesce(jsonb_agg(n.name order by n.place), '[]') from news n where n.name not in (select o.name from olds o)),
    'removed', (select coalesce(jsonb_agg(o.name order by o.place), '[]') from olds o where o.name not in (select n.name from news n)),
    'ruled', (select coalesce(jsonb_agg(s.name order by s.name), '[]') from stayed s where s.is_ruled),
    'isReordered', coalesce((select bool_or(s.is_moved) from stayed s), false))
$$;
comment on function portal.roleta_changes(jsonb, jsonb) is
  'What differs between two states of a rotation as portal.roleta_details tells them: settings by name; who joined, left, or got other rules, by instance name; whether those who stayed stand in another order. Server only.';

create or replace function portal.save_roleta(p_roleta integer, p_version text, p_wanted jsonb, p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  settings jsonb := p_wanted -> 'settings';
  name text := btrim(p_wanted ->> 'name');
  last_place integer;
  before jsonb;
  saved jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  perform from public.roletas r where r.id = p_roleta for update;
  before := portal.roleta_details(p_roleta);
  if (before ->> 'version') <> p_version then
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
  if saved ->> 'version' <> p_version then
    perform portal.audit('roleta.changed', name, portal.roleta_changes(before, saved));
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'roleta.save', saved);
end $$;
