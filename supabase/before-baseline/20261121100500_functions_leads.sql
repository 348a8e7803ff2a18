-- Leads of brokers: their list, their counts, and moving one to another stage (SPEC.md 7.1, PRODUCT.md 4.4).

create function portal.is_service() returns boolean
language sql stable set search_path = '' as $$
  select current_setting('role', true) = 'service_role'
$$;
comment on function portal.is_service() is 'Whether the portal''s own key is asking, which is above the row rules; true inside a definer''s function, too.';

create function portal.require_member() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  if account is null and not portal.is_service() then
    raise exception 'Sua sessão terminou. Entre de novo.' using errcode = 'PT401';
  end if;
  return account;
end $$;
comment on function portal.require_member() is 'The account that is asking, null for service_role; else a refusal that answers 401, so that the app signs in anew and keeps what it has to send.';

create function public.get_leads_by_brokers(p_brokers text[] default null)
returns table (
  broker_name text,
  nome_lead text,
  number_lead text,
  last_interaction timestamptz,
  kanban_lead text,
  profile_pic_url text,
  created_at timestamptz,
  contact_id bigint
)
language sql stable set search_path = '' as $$
  select c."instanceName", c.name, c.number, to_timestamp(c.last_message_timestamp), c.status, c.profile_pic_url,
    c.created_at, c.id
  from public.whatsapp_contacts c
  where c."instanceName" is not null
    and (coalesce(cardinality(p_brokers), 0) = 0 or c."instanceName" = any (p_brokers))
  order by c.last_message_timestamp desc nulls last, c.id desc
$$;
comment on function public.get_leads_by_brokers(text[]) is
  'Leads of these brokers (instance names; none named = all), the last talked to first; of them those that the caller may see. For the CRM (SPEC.md 2.12, 7.1). last_interaction is the time of the newest message, null without one; contact_id names the lead to atualizar_status_lead.';

create function public.get_total_contatos_por_corretor()
returns table (broker_name text, total_contatos bigint)
language sql stable set search_path = '' as $$
  select b."instanceName", count(c.id)
  from public.brokers b left join public.whatsapp_contacts c on c."instanceName" = b."instanceName"
  group by b."instanceName"
  order by b."instanceName"
$$;
comment on function public.get_total_contatos_por_corretor() is
  'How many leads each broker has, zeros included; a broker sees the own line. For ''Gerenciar Corretores'' and the diagnostics page (SPEC.md 2.5, 7.1).';

create function portal.find_lead(p_board text, p_contact_id bigint, p_number text) returns bigint
language plpgsql stable set search_path = '' as $$
declare
  found_id bigint;
begin
  select c.id into found_id
  from public.whatsapp_contacts c
  where c.id = p_contact_id and (c."instanceName" = p_board or p_board is null);
  if found_id is null and p_board is not null then
    select c.id into found_id
    from public.whatsapp_contacts c
    where c."instanceName" = p_board and c.person_id = coalesce(
      (select p.id from portal.people p where p.number_key = portal.number_key(p_number)),
      (select i.person_id from portal.identities i where i."instanceName" = p_board and i.jid = p_number));
  end if;
  return found_id;
end $$;
comment on function portal.find_lead(text, bigint, text) is
  'A lead of a board (null: of any) by its id, or, where that is gone after a merge, by any form of its number on that board; null when there is none.';

create function portal.move_lead(p_board text, p_contact_id bigint, p_to_status text, p_expected_status text) returns text
language plpgsql volatile set search_path = '' as $$
declare
  from_status text;
begin
  if p_contact_id is null then return 'unknown_lead'; end if;
  -- The stage first, then the lead: in this order a stage that is being removed is waited for, never against.
  perform from public.kanban_stages s where s.slug = p_to_status for key share;
  if not found then return 'unknown_stage'; end if;
  select c.status into from_status
  from public.whatsapp_contacts c
  where c.id = p_contact_id and (c."instanceName" = p_board or p_board is null)
  for no key update;
  if not found then return 'unknown_lead'; end if;
  if from_status = p_to_status then return 'already'; end if;
  if from_status <> p_expected_status then return 'conflict'; end if;
  update public.whatsapp_contacts set status = p_to_status where id = p_contact_id;
  return 'moved';
end $$;
comment on function portal.move_lead(text, bigint, text, text) is
  'Compare and set on the stage only, of a lead that is still on the board; answers the code of what came of it.';

create function portal.move_answer(p_code text, p_contact_id bigint) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  stage_name text;
  current_status text;
  changed_by text;
  changed_at timestamptz;
begin
  if p_code <> 'unknown_lead' then
    select s.name, c.status, h.changed_by, h.changed_at into stage_name, current_status, changed_by, changed_at
    from public.whatsapp_contacts c
    join public.kanban_stages s on s.slug = c.status
    left join portal.stage_history h on h.contact_id = c.id
    where c.id = p_contact_id
    order by h.id desc limit 1;
  end if;
  return jsonb_build_object(
    'success', p_code in ('moved', 'already'),
    'code', p_code,
    'message', case p_code
      when 'moved' then format('Lead movido para "%s".', stage_name)
      when 'already' then format('O lead já está em "%s".', stage_name)
      when 'conflict' then format('O lead já foi movido para "%s" por %s.', stage_name, changed_by)
      when 'unknown_stage' then 'Este estágio não existe mais.'
      else 'Lead não encontrado.'
    end,
    'stage_name', stage_name,
    'current_status', current_status,
    'changed_by', changed_by,
    'changed_at', changed_at
  );
end $$;
comment on function portal.move_answer(text, bigint) is
  'The answer of a move (PRODUCT.md 4.4): its code and text, where the lead is now, and who put it there when.';

create function public.atualizar_status_lead(
  p_number_lead text default null,
  p_broker_name text default null,
  p_novo_status text default null,
  p_operation_id uuid default null,
  p_expected_status text default null,
  p_moved_at timestamptz default null,
  p_contact_id bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  is_above_boards boolean := account is null or portal.is_admin();
  asked_board text := case
    when p_broker_name like 'corretor\_%' then p_broker_name
    else 'corretor_' || nullif(lower(btrim(p_broker_name)), '')
  end;
  board text := case when is_above_boards then asked_board else portal.my_instance() end;
  lead bigint;
  code text;
  answer jsonb;
begin
  if p_operation_id is not null and account is not null then
    -- A repeat that comes while the first is under way waits here for its result.
    perform pg_advisory_xact_lock(hashtextextended(account::text || p_operation_id::text, 0));
    select o.result into answer from portal.applied_operations o
    where o.account_id = account and o.operation_id = p_operation_id;
    if found then return answer; end if;
  end if;
  if is_above_boards or coalesce(asked_board = board, true) then
    lead := portal.find_lead(board, p_contact_id, p_number_lead);
  end if;
  perform set_config('portal.operation_id', coalesce(p_operation_id::text, ''), true),
    set_config('portal.moved_at', case when p_moved_at < now() then p_moved_at::text else '' end, true);
  code := portal.move_lead(board, lead, p_novo_status, p_expected_status);
  perform set_config('portal.operation_id', '', true), set_config('portal.moved_at', '', true);
  answer := portal.move_answer(code, lead);
  if p_operation_id is not null and account is not null then
    insert into portal.applied_operations (account_id, operation_id, kind, result)
    values (account, p_operation_id, 'lead.move', answer);
  end if;
  return answer;
end $$;
comment on function public.atualizar_status_lead(text, text, text, uuid, text, timestamptz, bigint) is
  'Moves a lead to the stage with slug p_novo_status (SPEC.md 4, 7.1; PRODUCT.md 4.4). A broker moves the own leads, an administrator all. The lead is p_contact_id, else p_number_lead (any form of the number) on the board of p_broker_name (instance name or username). p_expected_status: the stage the caller saw; another one is a conflict, and nothing changes. p_moved_at: when it was done on the device, shown only. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, message, stage_name, code, current_status, changed_by, changed_at}, code moved, already, conflict, unknown_stage or unknown_lead; another''s lead is an unknown one. 401 once the session has ended.';

grant execute on function
  public.get_leads_by_brokers(text[]),
  public.get_total_contatos_por_corretor(),
  public.atualizar_status_lead(text, text, text, uuid, text, timestamptz, bigint)
  to authenticated, service_role;
