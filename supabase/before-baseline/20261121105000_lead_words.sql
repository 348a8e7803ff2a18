-- What a broker writes on a lead: its notes and its name, each safe to be sent twice and never over what another device
-- wrote meanwhile (SPEC.md 2.9, 7.1; PRODUCT.md 4.4).

create function portal.begin_operation(p_account uuid, p_operation_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if p_account is null or p_operation_id is null then return null; end if;
  -- A repeat that comes while the first is under way waits here for its result.
  perform pg_advisory_xact_lock(hashtextextended(p_account::text || p_operation_id::text, 0));
  return (
    select o.result from portal.applied_operations o
    where o.account_id = p_account and o.operation_id = p_operation_id
  );
end $$;
comment on function portal.begin_operation(uuid, uuid) is
  'The stored answer of a client write that was already done by this account, else null; the same write waits until this transaction ends (PRODUCT.md 4.4).';

create function portal.end_operation(p_account uuid, p_operation_id uuid, p_kind text, p_result jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if p_account is not null and p_operation_id is not null then
    insert into portal.applied_operations (account_id, operation_id, kind, result)
    values (p_account, p_operation_id, p_kind, p_result);
  end if;
  return p_result;
end $$;
comment on function portal.end_operation(uuid, uuid, text, jsonb) is
  'Keeps the answer of a client write beside its change, and answers it.';

create function portal.asked_lead(p_account uuid, p_broker_name text, p_contact_id bigint, p_number text) returns bigint
language plpgsql stable set search_path = '' as $$
declare
  asked_board text := case
    when p_broker_name like 'corretor\_%' then p_broker_name
    else 'corretor_' || nullif(lower(btrim(p_broker_name)), '')
  end;
begin
  if p_account is null or portal.is_admin() then return portal.find_lead(asked_board, p_contact_id, p_number); end if;
  if asked_board <> portal.my_instance() then return null; end if;
  return portal.find_lead(portal.my_instance(), p_contact_id, p_number);
end $$;
comment on function portal.asked_lead(uuid, text, bigint, text) is
  'The lead that a client''s write names: by id, or, where that is gone after a merge, by number, on the board of an instance name or username; for a broker on the own board alone. Null when there is none.';

create or replace function public.atualizar_status_lead(
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
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  board text;
  code text;
begin
  if answer is not null then return answer; end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if account is not null and not portal.is_admin() then board := portal.my_instance(); end if;
  perform set_config('portal.operation_id', coalesce(p_operation_id::text, ''), true),
    set_config('portal.moved_at', case when p_moved_at < now() then p_moved_at::text else '' end, true);
  code := portal.move_lead(board, lead, p_novo_status, p_expected_status);
  perform set_config('portal.operation_id', '', true), set_config('portal.moved_at', '', true);
  return portal.end_operation(account, p_operation_id, 'lead.move', portal.move_answer(code, lead));
end $$;

create function portal.words_answer(p_code text, p_what text, p_current text) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('saved', 'already'),
    'code', p_code,
    'message', case p_code
      when 'unknown_lead' then 'Lead não encontrado.'
      when 'conflict' then format('%s em outro aparelho.', p_what)
    end,
    'current', p_current)
$$;
comment on function portal.words_answer(text, text, text) is
  'The answer to notes or a name that were sent: what came of it, and the words that stand there now.';

create function public.save_lead_notes(
  p_contact_id bigint,
  p_notes text,
  p_base_notes text default null,
  p_operation_id uuid default null,
  p_number_lead text default null,
  p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  wanted text := nullif(btrim(p_notes, E' \t\r\n'), '');
  standing text;
  lead bigint;
  code text := 'saved';
begin
  if answer is not null then return answer; end if;
  if length(wanted) > 10000 then
    raise exception 'A nota pode ter até 10.000 caracteres.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  select c.notes into standing from public.whatsapp_contacts c where c.id = lead for no key update;
  if not found then code := 'unknown_lead';
  elsif standing is not distinct from wanted then code := 'already';
  elsif coalesce(btrim(standing, E' \t\r\n'), '') <> btrim(p_base_notes, E' \t\r\n') then code := 'conflict';
  else
    update public.whatsapp_contacts set notes = wanted where id = lead;
    standing := wanted;
  end if;
  return portal.end_operation(account, p_operation_id, 'lead.note',
    portal.words_answer(code, 'A nota mudou', standing));
end $$;
comment on function public.save_lead_notes(bigint, text, text, uuid, text, text) is
  'Writes the notes of a lead (SPEC.md 2.9, 7.1; PRODUCT.md 4.4): of the own ones for a broker, of all for an administrator; empty ones clear. p_base_notes: what the writer saw; other notes standing there are a conflict, and nothing changes (null: overwrite). The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, current}, code saved, already, conflict or unknown_lead. 401 once the session has ended; 422 when too long.';

create function public.rename_lead(
  p_contact_id bigint,
  p_name text,
  p_base_name text default null,
  p_operation_id uuid default null,
  p_number_lead text default null,
  p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  wanted text := nullif(btrim(regexp_replace(p_name, '\s+', ' ', 'g')), '');
  standing text;
  lead bigint;
  code text := 'saved';
begin
  if answer is not null then return answer; end if;
  if length(wanted) > 200 then
    raise exception 'O nome pode ter até 200 caracteres.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  select c.name into standing from public.whatsapp_contacts c where c.id = lead for no key update;
  if not found then code := 'unknown_lead';
  elsif standing is not distinct from wanted then code := 'already';
  elsif coalesce(btrim(standing), '') <> btrim(p_base_name) then code := 'conflict';
  else
    update public.whatsapp_contacts set name = wanted where id = lead;
    standing := wanted;
  end if;
  return portal.end_operation(account, p_operation_id, 'lead.rename',
    portal.words_answer(code, 'O nome mudou', standing));
end $$;
comment on function public.rename_lead(bigint, text, text, uuid, text, text) is
  'Gives a lead another name (SPEC.md 2.18, 7.1; PRODUCT.md 4.4), an empty one takes it away; who may, p_base_name, the way the lead is named, p_operation_id and the answer are those of save_lead_notes.';

grant execute on function
  public.save_lead_notes(bigint, text, text, uuid, text, text),
  public.rename_lead(bigint, text, text, uuid, text, text)
  to authenticated, service_role;

create index applied_operations_age on portal.applied_operations (applied_at);
comment on index portal.applied_operations_age is 'Serves forgetting old answers.';

create function portal.forget_old_operations() returns bigint
language sql volatile set search_path = '' as $$
  with gone as (delete from portal.applied_operations where applied_at < now() - interval '90 days' returning 1)
  select count(*) from gone
$$;
comment on function portal.forget_old_operations() is
  'Removes stored answers of client writes after 90 days, longer than any phone keeps a write waiting unseen; answers how many. Run by the portal once a day.';
