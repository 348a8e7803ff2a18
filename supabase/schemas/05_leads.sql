-- Actions of persons on leads: lists, moves, notes, names, reading, quick replies, hand-overs; and the stages.


-- Leads of brokers: their list, their counts, and moving a lead to another stage.

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
  where portal.require_few(p_brokers) and c."instanceName" is not null
    and (coalesce(cardinality(p_brokers), 0) = 0 or c."instanceName" = any (p_brokers))
  order by c.last_message_timestamp desc nulls last, c.id desc
$$;
comment on function public.get_leads_by_brokers(text[]) is
  'Leads of these brokers (instance names; an empty list means all) that the caller may see, the last contacted first. For the CRM. last_interaction is the time of the newest message, null without one. contact_id identifies the lead for atualizar_status_lead.';
grant execute on function public.get_leads_by_brokers(text[]) to authenticated, service_role;

create function public.get_total_contatos_por_corretor()
returns table (broker_name text, total_contatos bigint)
language sql stable set search_path = '' as $$
  select b."instanceName", count(c.id)
  from public.brokers b left join public.whatsapp_contacts c on c."instanceName" = b."instanceName"
  group by b."instanceName"
  order by b."instanceName"
$$;
comment on function public.get_total_contatos_por_corretor() is
  'How many leads each broker has, zeros included; a broker sees only its own row. For ''Gerenciar Corretores'' and the diagnostics page.';
grant execute on function public.get_total_contatos_por_corretor() to authenticated, service_role;

create function portal.find_lead(p_board text, p_contact_id bigint, p_number text) returns bigint
language plpgsql stable set search_path = '' as $$
declare
  found_id bigint;
begin
  select c.id into found_id
  from public.whatsapp_contacts c
  where c.id = p_contact_id and (c."instanceName" = p_board or p_board is null);
  -- A person who was erased and came back is a new lead, so older operations must not reach it.
  if found_id is null and p_board is not null and not portal.lead_was_erased(p_contact_id) then
    select c.id into found_id
    from public.whatsapp_contacts c
    where c."instanceName" = p_board and c.person_id = coalesce(
      (select p.id from portal.people p where p.number_key = portal.number_key(p_number)),
      (select i.person_id from portal.identities i where i."instanceName" = p_board and i.jid = p_number));
  end if;
  return found_id;
end $$;
comment on function portal.find_lead(text, bigint, text) is
  'A lead of a board (null: of any) by its id. If a merge removed the id, the lead is found by any form of its number on that board. Null if there is none, or the id''s person was erased.';

-- If an administrator changes the stage's kind during the move, the lead counts by the final kind.
create function portal.move_lead(p_board text, p_contact_id bigint, p_to_status text, p_expected_status text) returns text
language plpgsql volatile set search_path = '' as $$
declare
  from_status text;
begin
  if p_contact_id is null then return 'unknown_lead'; end if;
  -- Locks the stage before the lead, as all writers do. A move then waits for the removal or change of a stage without
  -- a deadlock.
  perform from public.kanban_stages s where s.slug = p_to_status for share;
  if not found then return 'unknown_stage'; end if;
  -- This is the usual case: the lead is still in the expected stage.
  update public.whatsapp_contacts c set status = p_to_status
  where c.id = p_contact_id and (c."instanceName" = p_board or p_board is null)
    and c.status <> p_to_status and (c.status = p_expected_status or p_expected_status is null);
  if found then return 'moved'; end if;
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
  'Moves a lead on a board to a stage, if it is still in the expected one; returns the code of the result.';

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
  'The answer to a move: code and text, the lead''s current stage, and who moved it there when.';

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
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  board text;
  code text;
begin
  if answer is not null then return answer; end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if account is not null and not portal.is_admin() then
    select c."instanceName" into board from public.whatsapp_contacts c where c.id = lead;
  end if;
  perform set_config('portal.operation_id', coalesce(p_operation_id::text, ''), true),
    set_config('portal.moved_at', case when p_moved_at < now() then p_moved_at::text else '' end, true);
  code := portal.move_lead(board, lead, p_novo_status, p_expected_status);
  perform set_config('portal.operation_id', '', true), set_config('portal.moved_at', '', true);
  return portal.end_operation(account, p_operation_id, 'lead.move', portal.move_answer(code, lead));
end $$;
comment on function public.atualizar_status_lead(text, text, text, uuid, text, timestamptz, bigint) is
  'Moves a lead to the stage with slug p_novo_status. A broker moves its own leads, a gerente those of the brokers it leads, an administrator all. The lead is p_contact_id, else p_number_lead (any form of the number) on the board of p_broker_name (instance name or username). p_expected_status: the stage that the caller saw; if the lead is in another one, the answer is conflict and nothing changes. p_moved_at: when it was done on the device, for display only. p_operation_id: a retry by the same account gets the stored answer. Returns {success, message, stage_name, code, current_status, changed_by, changed_at}, code moved, already, conflict, unknown_stage or unknown_lead; another broker''s lead is unknown_lead. 401 once the session has ended.';
grant execute on function public.atualizar_status_lead(text, text, text, uuid, text, timestamptz, bigint) to authenticated, service_role;


-- Reading marks the messages up to an instant as read in the database, so every device shows the same unread counts.

create function public.mark_read(p_contact_id bigint, p_up_to bigint) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  still_unread integer;
begin
  -- Locks the lead first, as every writer of a conversation does. Two devices that read at once then wait for each
  -- other instead of failing.
  perform from public.whatsapp_contacts c
  where c.id = p_contact_id and (portal.is_service() or portal.reaches(c."instanceName"))
  for no key update;
  if not found then
    raise exception 'Lead não encontrado.' using errcode = 'PT404';
  end if;
  update public.whatsapp_messages
  set read = true
  where contact_id = p_contact_id and type = 'incoming' and not read and "timestamp" <= p_up_to;
  update public.whatsapp_contacts set marked_unread_at = null, unread_count = 0
  where id = p_contact_id and marked_unread_at is not null;
  select unread_count into still_unread from public.whatsapp_contacts where id = p_contact_id;
  return still_unread;
end $$;
comment on function public.mark_read(bigint, bigint) is
  'Marks the lead''s messages up to an instant (epoch seconds) as read, and removes its mark as unread; returns how many stay unread. The conversation calls it, for the owner, its gerente or an administrator; 404 for any other lead. A repeat changes nothing.';
grant execute on function public.mark_read(bigint, bigint) to authenticated, service_role;

create function public.lead_unread(
  p_contact_id bigint, p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  unread integer;
  code text := 'saved';
begin
  if answer is not null then return answer - 'contact_id'; end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  select c.unread_count into unread from public.whatsapp_contacts c where c.id = lead for no key update;
  if not found then code := 'unknown_lead';
  elsif unread > 0 then code := 'already';
  else
    update public.whatsapp_contacts set marked_unread_at = now(), unread_count = 1 where id = lead;
  end if;
  return portal.end_operation(account, p_operation_id, 'lead.unread',
    portal.words_answer(code, null, null) || jsonb_build_object('contact_id', lead)) - 'contact_id';
end $$;
comment on function public.lead_unread(bigint, uuid, text, text) is
  'Marks a conversation as unread, so that it counts among the unread ones until it is opened (mark_read) or the lead writes. Permissions as in save_lead_notes. The lead''s identification, p_operation_id and the answer are those of save_lead_notes; code saved, already (it has unread messages or the mark) or unknown_lead.';
grant execute on function public.lead_unread(bigint, uuid, text, text) to authenticated, service_role;


-- Notes and name of a lead. A device may retry each write. A write that names the text it replaces never overwrites
-- what another device wrote meanwhile.

create function portal.asked_lead(p_account uuid, p_broker_name text, p_contact_id bigint, p_number text) returns bigint
language plpgsql stable set search_path = '' as $$
declare
  asked_board text := case
    when p_broker_name like 'corretor\_%' then p_broker_name
    else 'corretor_' || nullif(lower(btrim(p_broker_name)), '')
  end;
begin
  if p_account is null or portal.is_admin() then return portal.find_lead(asked_board, p_contact_id, p_number); end if;
  asked_board := coalesce(asked_board, (
    select c."instanceName" from public.whatsapp_contacts c
    where c.id = p_contact_id and c."instanceName" = any (portal.led_instances())), portal.my_instance());
  if not portal.reaches(asked_board) then return null; end if;
  return portal.find_lead(asked_board, p_contact_id, p_number);
end $$;
comment on function portal.asked_lead(uuid, text, bigint, text) is
  'The lead of a client''s write: by id, or by number if a merge removed the id, on the board of an instance name or username; a broker reaches only its own board, a gerente also those it leads. Null when there is none.';

create function portal.lock_asked_lead(p_account uuid, p_broker_name text, p_contact_id bigint, p_number text) returns bigint
language plpgsql volatile set search_path = '' as $$
declare
  lead bigint := portal.asked_lead(p_account, p_broker_name, p_contact_id, p_number);
begin
  return case when portal.lock_lead(lead) then lead end;
end $$;
comment on function portal.lock_asked_lead(uuid, text, bigint, text) is
  'Locks the lead of a client''s write, found as by portal.asked_lead, until the transaction ends. Null when there is none. Server only.';

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
  'The answer to a write of notes or a name: the code of the result, and the current text.';

create function portal.write_notes(p_lead bigint, p_notes text, p_base text, out code text, out standing text)
language plpgsql volatile set search_path = '' as $$
declare
  wanted constant text := nullif(btrim(p_notes, E' \t\r\n'), '');
begin
  if length(wanted) > 10000 then
    raise exception 'A nota pode ter até 10.000 caracteres.' using errcode = 'PT422';
  end if;
  select c.notes into standing from public.whatsapp_contacts c where c.id = p_lead for no key update;
  if not found then code := 'unknown_lead';
  elsif standing is not distinct from wanted then code := 'already';
  elsif coalesce(btrim(standing, E' \t\r\n'), '') <> btrim(p_base, E' \t\r\n') then code := 'conflict';
  else
    update public.whatsapp_contacts set notes = wanted where id = p_lead;
    code := 'saved';
    standing := wanted;
  end if;
end $$;
comment on function portal.write_notes(bigint, text, text) is
  'Writes the notes of a lead, unless the stored ones differ from p_base (null: overwrite). Returns the code saved, already, conflict or unknown_lead, and the notes that are stored now. 422 when too long. Server only.';

create function public.save_lead_notes(
  p_contact_id bigint, p_notes text, p_base_notes text default null, p_operation_id uuid default null,
  p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  written record;
begin
  if answer is not null then return answer - 'contact_id'; end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  written := portal.write_notes(lead, p_notes, p_base_notes);
  return portal.end_operation(account, p_operation_id, 'lead.note',
    portal.words_answer(written.code, 'A nota mudou', written.standing) || jsonb_build_object('contact_id', lead)) - 'contact_id';
end $$;
comment on function public.save_lead_notes(bigint, text, text, uuid, text, text) is
  'Writes the notes of a lead; empty text clears them. A broker writes on its own leads, a gerente on those of the brokers it leads, an administrator on all. p_base_notes: the notes that the writer saw; if others are stored, the answer is conflict and nothing changes (null: overwrite). The lead is p_contact_id, else p_number_lead on the board of p_broker_name. p_operation_id: a retry by the same account gets the stored answer. Returns {success, code, message, current}, code saved, already, conflict or unknown_lead. 401 once the session has ended; 422 when too long.';
grant execute on function public.save_lead_notes(bigint, text, text, uuid, text, text) to authenticated, service_role;

create function public.rename_lead(
  p_contact_id bigint, p_name text, p_base_name text default null, p_operation_id uuid default null,
  p_number_lead text default null, p_broker_name text default null
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
  if answer is not null then return answer - 'contact_id'; end if;
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
    portal.words_answer(code, 'O nome mudou', standing) || jsonb_build_object('contact_id', lead)) - 'contact_id';
end $$;
comment on function public.rename_lead(bigint, text, text, uuid, text, text) is
  'Renames a lead; an empty name removes it. Permissions, p_base_name, the lead''s identification, p_operation_id and the answer are those of save_lead_notes.';
grant execute on function public.rename_lead(bigint, text, text, uuid, text, text) to authenticated, service_role;


-- Further numbers of a lead, and leads whose number is in doubt.

create table portal.contact_numbers (
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  number_key text not null check (number_key = portal.number_key(number_key)),
  number text not null check (length(number) <= 20),
  added_at timestamptz not null default now(),
  import_id uuid,
  primary key (contact_id, number_key)
);
comment on table portal.contact_numbers is
  'Further numbers of a lead, at most ten. They are shown and can be called, but the portal never writes to them.';
comment on column portal.contact_numbers.number is
  'The number as screens show it, in the form of portal.shown_number: digits with 55 for Brazil, + and digits for other countries.';
comment on column portal.contact_numbers.import_id is
  'The import that added the number; undoing the import removes it.';
create index contact_numbers_key on portal.contact_numbers (number_key);
comment on index portal.contact_numbers_key is 'Serves finding all data about the person of a number.';
alter table portal.contact_numbers enable row level security;

create function portal.add_numbers(p_contact bigint, p_numbers text[], p_import uuid default null) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.contact_numbers (contact_id, number_key, number, import_id)
  select p_contact, told.number_key, told.number, p_import
  from (
    select distinct on (portal.number_key(t.number)) portal.number_key(t.number) as number_key, portal.shown_number(t.number) as number, t.at
    from unnest(p_numbers) with ordinality as t (number, at)
    order by portal.number_key(t.number), t.at
  ) told
  where told.number_key is not null
    and told.number_key is distinct from (
      select p.number_key from public.whatsapp_contacts c join portal.people p on p.id = c.person_id where c.id = p_contact)
  order by told.at
  limit greatest(0, 10 - (select count(*) from portal.contact_numbers k where k.contact_id = p_contact))
  on conflict do nothing
$$;
comment on function portal.add_numbers(bigint, text[], uuid) is
  'Stores further numbers of a lead. Skips its main number, invalid numbers and those beyond ten. Server only.';

create table portal.number_doubts (
  contact_id bigint primary key references public.whatsapp_contacts on delete cascade,
  shown text not null,
  numbers text[] not null check (cardinality(numbers) between 1 and 5),
  found_at timestamptz not null default now()
);
comment on table portal.number_doubts is
  'Leads whose number is in doubt. Nothing is sent to them until an administrator decides by decide_number.';
comment on column portal.number_doubts.shown is 'The lead''s number at the time when the doubt arose.';
comment on column portal.number_doubts.numbers is
  'The possible numbers, each with + and its country code, the ones registered at WhatsApp first.';
alter table portal.number_doubts enable row level security;

-- Leads that a person adds by hand, for example at a sales stand or by telephone. Such a lead does not start to wait,
-- and nobody gets a push.

create table portal.lead_additions (
  account_id uuid not null,
  day date not null,
  asked integer not null check (asked > 0),
  primary key (account_id, day)
);
comment on table portal.lead_additions is
  'How many numbers outside its own board each broker tried to add on each day of the portal''s time zone. Refusals count, too, so that no broker can find out by trying which numbers a colleague has.';
alter table portal.lead_additions enable row level security;

create function portal.phone_fault(p_written text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case
    when p_written like '%@%' then 'number'
    when portal.number_digits(p_written) is not null then null
    when (case when d.digits like '55%' and btrim(p_written) like '+%' then substr(d.digits, 3) else d.digits end) ~ '^(9[0-9]{8}|[2-9][0-9]{7})$'
      then 'area'
    else 'number'
  end
  from (select ltrim(regexp_replace(p_written, '[^0-9]', '', 'g'), '0') as digits) d
$$;
comment on function portal.phone_fault(text) is
  'Why a number is refused: ''area'' (a Brazilian number without an area code, also after +55) or ''number''. Null if portal.number_digits can read it. The portal has normalised the input before.';

create function portal.count_addition(p_account uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant integer := 30;
begin
  insert into portal.lead_additions as a (account_id, day, asked)
  values (p_account, (now() at time zone portal.time_zone())::date, 1)
  on conflict (account_id, day) do update set asked = a.asked + 1 where a.asked < most;
  return found;
end $$;
comment on function portal.count_addition(uuid) is
  'Counts one more lead added by this account today; false beyond 30. Server only.';

create function portal.add_answer(p_code text, p_contact bigint, p_owner text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('saved', 'already'),
    'code', p_code,
    'message', case p_code
      when 'conflict' then case
        when p_contact is null then 'Este número é de outra pessoa da equipe. O administrador pode passar o lead.'
        when p_owner is null then 'Este número já está com o administrador.'
        else 'Este número já está com ' || initcap(portal.username_of(p_owner)) || '.' end
      when 'limit' then 'Você já adicionou 30 leads hoje. Continue amanhã.'
      when 'unknown_broker' then 'Este corretor não existe mais.'
    end,
    'contact_id', p_contact,
    'broker_name', p_owner)
$$;
comment on function portal.add_answer(text, bigint, text) is
  'The answer to a lead added by hand: the code of the result, and the lead''s id.';

create function public.lead_add(
  p_name text, p_number text, p_development text default null, p_source text default 'outro', p_note text default null,
  p_broker_name text default null, p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  told text[] := case when p_number ~ '^(\+[0-9]{7,15} )+\+[0-9]{7,15}$' then string_to_array(p_number, ' ') else array[p_number] end;
  own text := told[1];
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  is_broker boolean := account is not null and not portal.is_admin();
  board text := case when not is_broker or coalesce(p_broker_name = any (portal.led_instances()), false)
    then nullif(p_broker_name, '') else portal.my_instance() end;
  wanted text := btrim(regexp_replace(coalesce(p_name, ''), '\s+', ' ', 'g'));
  number_fault text := portal.phone_fault(told[1]);
  known public.whatsapp_contacts;
  code text;
begin
  if answer is not null then return answer; end if;
  if length(wanted) not between 2 and 200 then
    raise exception 'Falta o nome.' using errcode = 'PT422';
  elsif number_fault is not null then
    raise exception '%', case number_fault when 'area' then 'Falta o DDD.' else 'Este número não parece de WhatsApp.' end
      using errcode = 'PT422';
  elsif length(p_note) > 10000 or length(p_development) > 200 or p_source is null or p_source !~ '^[a-z-]{2,40}$' then
    raise exception 'Confira a origem, o empreendimento e a nota.' using errcode = 'PT422';
  end if;
  if board is not null or is_broker then
    -- Waits if another transaction removes the broker at the same time.
    perform from public.brokers b where b."instanceName" = board for key share;
    if not found then
      return portal.end_operation(account, p_operation_id, 'lead.add', portal.add_answer('unknown_broker', null, null));
    end if;
  end if;
  -- Makes concurrent additions of the same number wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('lead.add ' || portal.number_key(own), 0));
  select c.* into known
  from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
  where p.number_key = portal.number_key(own)
  order by c."instanceName" is distinct from board, c.last_message_timestamp desc nulls last, c.id limit 1;
  code := case
    when known.id is not null and known."instanceName" is not distinct from board then 'already'
    when is_broker and not portal.count_addition(account) then 'limit'
    when known.id is not null then 'conflict'
    else 'saved'
  end;
  if is_broker and code in ('limit', 'conflict') then
    perform portal.audit('lead.refused', null, jsonb_build_object('reason', code));
    known := null;
  elsif code = 'saved' then
    perform set_config('portal.quiet', 'on', true);
    insert into public.whatsapp_contacts ("instanceName", person_id, name, number, source, empreendimento, notes)
    values (board, portal.person_of(own), wanted, '+' || portal.number_digits(own), p_source,
      portal.known_development(nullif(btrim(p_development), '')), nullif(btrim(p_note, E' \t\r\n'), ''))
    returning * into known;
    perform portal.add_numbers(known.id, told);
    perform set_config('portal.quiet', '', true);
  end if;
  return portal.end_operation(account, p_operation_id, 'lead.add', portal.add_answer(code, known.id, known."instanceName"));
end $$;
comment on function public.lead_add(text, text, text, text, text, text, uuid) is
  'Adds a lead by hand to the first stage. A broker adds to its own board, a gerente to that of a broker it leads, each at most 30 a day; an administrator to the board of p_broker_name (instance name; null: the administrator''s own). p_number may hold several numbers, each with + and its country code, separated by spaces: the first is the lead''s, the others are stored as further numbers. The lead starts no wait, enters no rotation and causes no push. p_source: a slug such as plantao or indicacao. p_operation_id: a retry by the same account gets the stored answer. Returns {success, code, message, contact_id, broker_name}, code saved; already (contact_id is on that board); conflict (another broker''s lead; only an administrator reads whose); limit; unknown_broker. Refusals are audited without name and number. 401 once the session has ended; 422 without a name or a callable number, or with a text too long.';
grant execute on function public.lead_add(text, text, text, text, text, text, uuid) to authenticated, service_role;


-- Quick replies of the composer: those of each broker, and shared ones that administrators edit.

create table public.quick_replies (
  id uuid primary key default gen_random_uuid(),
  broker_id uuid references public.brokers on delete cascade,
  title text not null check (title = btrim(title) and length(title) between 1 and 60),
  body text not null check (body ~ '\S' and length(body) <= 4000),
  order_index integer not null default 1 check (order_index >= 1),
  created_at timestamptz not null default now(),
  file jsonb,
  constraint quick_replies_caption check (file is null or length(body) <= 1024)
);
comment on table public.quick_replies is
  'Texts that fill the composer, some with a file. A broker reads and writes its own ones and reads the shared ones; an administrator writes the shared ones.';
comment on column public.quick_replies.broker_id is 'The owner; null: shared by everyone.';
comment on column public.quick_replies.body is '{nome} stands for the lead''s first name.';
comment on column public.quick_replies.file is
  'The file that is sent with the text as its caption: kind and content, as in a message. Null: no file. Only the portal writes it.';
create unique index quick_replies_title on public.quick_replies (broker_id, lower(title)) nulls not distinct;
comment on index public.quick_replies_title is
  'A title is unique among a broker''s own replies and among the shared ones; the index also serves reading them by owner.';
alter table public.quick_replies enable row level security;
create policy quick_replies_read on public.quick_replies for select to authenticated
  using (broker_id = (select portal.account_id()) or (broker_id is null and (select portal.is_member())));
comment on policy quick_replies_read on public.quick_replies is
  'Everyone signed in sees the shared ones, a broker also its own. Nobody sees those of another broker, not even an administrator.';
create policy quick_replies_write on public.quick_replies for all to authenticated
  using (broker_id = (select portal.account_id()) or (broker_id is null and (select portal.is_admin())))
  with check (broker_id = (select portal.account_id()) or (broker_id is null and (select portal.is_admin())));
comment on policy quick_replies_write on public.quick_replies is
  'A broker writes its own ones, an administrator the shared ones.';
grant select, delete on public.quick_replies to authenticated;
grant insert (id, broker_id, title, body, order_index), update (title, body, order_index) on public.quick_replies to authenticated;
grant all on public.quick_replies to service_role;
-- Defaults of every agency; an administrator changes or removes them.
insert into public.quick_replies (title, body, order_index) values
  ('Agendar visita', 'Oi, {nome}! Qual dia e horário ficam bons para você visitar?', 1),
  ('Enviar tabela', 'Oi, {nome}! Vou te enviar a tabela de preços atualizada.', 2),
  ('Enviar localização', 'Oi, {nome}! Vou te mandar a localização do estande.', 3);

create function public.save_quick_reply(p_id uuid, p_title text, p_body text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  -- A reply that an administrator saves is shared by all brokers.
  owner uuid := case when portal.is_admin() then null else portal.account_id() end;
  failed text;
begin
  if portal.is_member() and not portal.is_admin() and portal.my_instance() is null then
    raise exception 'Só corretores têm respostas rápidas próprias.' using errcode = '42501';
  end if;
  insert into public.quick_replies (id, broker_id, title, body, order_index)
  select p_id, owner, btrim(p_title), p_body, coalesce(max(r.order_index), 0) + 1
  from public.quick_replies r
  where r.broker_id is not distinct from owner
  on conflict (id) do update set title = excluded.title, body = excluded.body;
  return jsonb_build_object('success', true, 'message', null);
exception
  when unique_violation then
    return jsonb_build_object('success', false, 'message', 'Já existe uma resposta com este título.');
  when check_violation then
    get stacked diagnostics failed = constraint_name;
    return jsonb_build_object('success', false, 'message', case failed
      when 'quick_replies_caption' then 'Com um arquivo, o texto tem até 1.024 letras.'
      else 'Escreva um título de até 60 letras e um texto de até 4.000.' end);
end $$;
comment on function public.save_quick_reply(uuid, text, text) is
  'Adds a quick reply at the end, or changes the one with that id: a broker''s own, an administrator''s shared. The composer''s sheet calls it; it runs as the caller, under row rules. The client makes the id, so a retry changes nothing. Returns {success, message}.';
grant execute on function public.save_quick_reply(uuid, text, text) to authenticated, service_role;

create function public.remove_quick_reply(p_id uuid) returns boolean
language sql volatile set search_path = '' as $$
  with gone as (delete from public.quick_replies where id = p_id returning id)
  select exists (select from gone)
$$;
comment on function public.remove_quick_reply(uuid) is
  'Removes a quick reply; returns whether it existed. It runs as the caller, so that nobody removes another''s. A repeat returns false.';
grant execute on function public.remove_quick_reply(uuid) to authenticated, service_role;

create function public.order_quick_replies(p_ids uuid[]) returns integer
language sql volatile set search_path = '' as $$
  with placed as (
    update public.quick_replies q set order_index = wanted.place
    from unnest(p_ids) with ordinality wanted (id, place)
    where q.id = wanted.id and portal.require_few(p_ids)
    returning q.id
  )
  select count(*)::integer from placed
$$;
comment on function public.order_quick_replies(uuid[]) is
  'Puts quick replies in the order of the ids; returns how many were placed. It runs as the caller and skips replies that the caller may not write.';
grant execute on function public.order_quick_replies(uuid[]) to authenticated, service_role;


-- Administrators and gerentes hand leads to another broker. A history keeps the previous owners.

create table portal.owner_history (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  from_instance text,
  to_instance text,
  account_id uuid,
  changed_by text not null,
  operation_id uuid,
  changed_at timestamptz not null default now()
);
comment on table portal.owner_history is 'Every change of a lead''s owner, append only.';
comment on column portal.owner_history.from_instance is
  'Instance name of the previous owner, who may be deleted by now; null: the administrator.';
comment on column portal.owner_history.to_instance is
  'Instance name of the new owner; null: the broker was removed, and the lead became the administrator''s.';
comment on column portal.owner_history.changed_by is 'Username of who handed it over, or ''portal''.';
create index owner_history_contact on portal.owner_history (contact_id, id desc);
comment on index portal.owner_history_contact is 'Serves listing the owners of a lead, the last one first.';
alter table portal.owner_history enable row level security;

create function portal.add_owner(p_contact bigint, p_from text, p_to text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.owner_history (contact_id, from_instance, to_instance, account_id, changed_by, operation_id)
  values (p_contact, p_from, p_to, portal.account_id(), portal.actor(),
    nullif(current_setting('portal.operation_id', true), '')::uuid)
$$;
comment on function portal.add_owner(bigint, text, text) is
  'Appends to the owner history of a lead; the caller is the one who changed it. Server only.';

create function portal.record_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.add_owner(new.id, old."instanceName", new."instanceName");
  return null;
end $$;
comment on function portal.record_owner() is 'Trigger: appends a lead''s new owner to its owner history.';
create trigger record_owner after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName")
  execute function portal.record_owner();

-- Hand-overs and removals of brokers first take the locks of reports (portal.take_apply_turn) and of rotations, because
-- both lock the same leads.
create function public.transferir_leads(
  p_contact_ids bigint[],
  p_broker_name text,
  p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
  asked bigint[] := array(select distinct a.id from unnest(p_contact_ids) as a (id));
  led text[];
  reached bigint[];
  answer jsonb;
  given jsonb;
  found_count integer;
  moved integer;
  kept integer;
begin
  led := portal.require_manager();
  answer := portal.begin_operation(account, p_operation_id);
  if answer is not null then return answer; end if;
  if not p_broker_name = any (led) then
    raise exception 'Passe só para um corretor da sua equipe.' using errcode = '42501';
  end if;
  if cardinality(asked) > 2000 then
    raise exception 'Passe no máximo 2.000 leads por vez.' using errcode = 'PT422';
  end if;
  perform portal.take_apply_turn();
  perform portal.take_roleta_turn();
  -- Locks brokers before leads, in the same order as a removal, so that it waits for a concurrent removal without a
  -- deadlock.
  perform from public.brokers b
  where b."instanceName" = p_broker_name
    or b."instanceName" in (select c."instanceName" from public.whatsapp_contacts c where c.id = any (asked))
  order by b."instanceName" for key share;
  if not exists (select from public.brokers b where b."instanceName" = p_broker_name) then
    return portal.end_operation(account, p_operation_id, 'lead.hand-over', jsonb_build_object(
      'success', false, 'code', 'unknown_broker', 'message', 'Este corretor não existe mais.',
      'moved', 0, 'merged', 0, 'unknown', 0, 'leads', '[]'::jsonb));
  end if;
  reached := array(
    select c.id from public.whatsapp_contacts c
    where c.id = any (asked) and (led is null or c."instanceName" = any (led)) order by c.id for update);
  found_count := cardinality(reached);
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'from', c."instanceName") order by c.id), '[]') into given
  from public.whatsapp_contacts c
  where c.id = any (reached) and c."instanceName" is distinct from p_broker_name;
  perform set_config('portal.operation_id', coalesce(p_operation_id::text, ''), true);
  moved := portal.hand_over(reached, p_broker_name);
  perform set_config('portal.operation_id', '', true);
  select count(*) into kept from public.whatsapp_contacts c where c.id = any (reached);
  return portal.end_operation(account, p_operation_id, 'lead.hand-over', jsonb_build_object(
    'success', true, 'code', 'moved', 'message', null,
    'moved', moved, 'merged', found_count - kept, 'unknown', cardinality(asked) - found_count, 'leads', given));
end $$;
comment on function public.transferir_leads(bigint[], text, uuid) is
  'Hands leads to a broker (instance name), with conversations, notes and history. Messages that the person still writes to the old number join the lead; replies go out from the new owner''s instance. If the new owner already has the person, the two leads become one. Administrators; a gerente among the brokers it leads, where leads of others are unknown and another receiver is 42501. p_operation_id: a retry by the same account gets the stored answer. Returns {success, code, message, moved, merged, unknown, leads: [{id, from}]}, code moved or unknown_broker. moved counts leads with a new owner, merged those of them that joined an existing lead, unknown ids that no longer exist; leads names the previous owner of each moved lead. 401 once the session has ended; 422 for more than 2,000.';
grant execute on function public.transferir_leads(bigint[], text, uuid) to authenticated, service_role;

create function public.get_lead_owners(p_contact_id bigint)
returns table (changed_at timestamptz, changed_by text, from_broker text, to_broker text)
language plpgsql stable security definer set search_path = '' as $$
declare
  led text[] := portal.require_manager();
begin
  if led is not null and not exists (
    select from public.whatsapp_contacts c where c.id = p_contact_id and c."instanceName" = any (led)) then
    raise exception 'Lead não encontrado.' using errcode = 'PT404';
  end if;
  return query
    select h.changed_at, h.changed_by, h.from_instance, h.to_instance
    from portal.owner_history h
    where h.contact_id = p_contact_id
    order by h.id desc;
end $$;
comment on function public.get_lead_owners(bigint) is
  'Previous owners of a lead, the last change first: when, by whom, from and to which broker (instance names, null for the administrator). Administrators; a gerente for leads of the brokers it leads, others are 404.';
grant execute on function public.get_lead_owners(bigint) to authenticated, service_role;

create function portal.hand_over(p_leads bigint[], p_to text) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  moving bigint[];
  met record;
begin
  select array_agg(locked.id) into moving
  from (
    select c.id from public.whatsapp_contacts c
    where c.id = any (p_leads) and c."instanceName" is distinct from p_to
    order by c.id for update
  ) locked;
  if moving is null then return 0; end if;
  -- The new instance needs the person's other addresses, because it writes to the lead from now on.
  insert into portal.identities ("instanceName", jid, person_id)
  select distinct on (i.jid) p_to, i.jid, i.person_id
  from public.whatsapp_contacts c
  join portal.identities i on i.person_id = c.person_id and i."instanceName" = c."instanceName"
  where c.id = any (moving)
  order by i.jid, i.first_seen_at desc
  on conflict do nothing;
  -- If the new owner already has the person, the two contacts become one, with both histories.
  for met in
    select theirs.id as kept, c.id as gone
    from public.whatsapp_contacts c
    join public.whatsapp_contacts theirs on theirs.person_id = c.person_id and theirs."instanceName" = p_to
    where c.id = any (moving) order by c.id
  loop
    perform portal.merge_contacts(met.kept, met.gone);
  end loop;
  update public.whatsapp_contacts set "instanceName" = p_to where id = any (moving);
  return cardinality(moving);
end $$;
comment on function portal.hand_over(bigint[], text) is
  'Hands leads to a broker, with their history; a lead whose person that broker already has is merged. Returns how many changed their owner. Server only.';


-- Administrators add, rename, reorder and remove stages. Each change is one transaction, and only one runs at a time.

create function portal.stage_answer(p_code text, p_more jsonb default '{}') returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('done', 'already'),
    'code', p_code,
    'message', case p_code
      when 'blank' then 'Escreva o nome do estágio.'
      when 'long' then 'O nome pode ter até 60 caracteres.'
      when 'taken' then 'Já existe um estágio com este nome.'
      when 'unknown_stage' then 'Este estágio não existe mais.'
      when 'default' then 'Este é o estágio dos novos contatos: ele fica, e fica aberto.'
    end) || p_more
$$;
comment on function portal.stage_answer(text, jsonb) is
  'The answer to a change of stages: the code of the result, or why nothing changed.';

create function portal.begin_stages(p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  -- Blocks other changes of stages. Moves of leads continue.
  if answer is null then lock table public.kanban_stages in share row exclusive mode; end if;
  return answer;
end $$;
comment on function portal.begin_stages(uuid) is
  'Begins a change of stages: returns the stored answer of a retry, else null after blocking all other writers of stages. Administrators. Server only.';

create function portal.renumber_stages() returns void
language sql volatile security definer set search_path = '' as $$
  update public.kanban_stages s set order_index = n.place
  from (select o.id, row_number() over (order by o.order_index, o.id) as place from public.kanban_stages o) n
  where n.id = s.id and s.order_index <> n.place
$$;
comment on function portal.renumber_stages() is 'Numbers the stages from 1 in their order. Server only.';

create function portal.stage_name_fault(p_name text, p_id integer) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when btrim(coalesce(p_name, '')) = '' then 'blank'
    when length(btrim(p_name)) > 60 then 'long'
    when exists (
      select from public.kanban_stages s
      where lower(btrim(s.name)) = lower(btrim(p_name)) and s.id is distinct from p_id) then 'taken'
  end
$$;
comment on function portal.stage_name_fault(text, integer) is
  'Why a stage (null: a new one) may not have a name; null if it may. Server only.';

create function public.add_stage(
  p_name text, p_slug text, p_kind text default 'open', p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_stages(p_operation_id);
  code text;
  free_slug text := p_slug;
  tried integer := 1;
begin
  if answer is not null then return answer; end if;
  code := portal.stage_name_fault(p_name, null);
  if code is null then
    -- Two different names can produce the same slug.
    while exists (select from public.kanban_stages s where s.slug = free_slug) loop
      tried := tried + 1;
      free_slug := left(p_slug, 55) || '_' || tried;
    end loop;
    perform portal.renumber_stages();
    insert into public.kanban_stages (name, slug, kind, order_index)
    select btrim(p_name), free_slug, p_kind, count(*) + 1 from public.kanban_stages;
    code := 'done';
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'stage.add',
    portal.stage_answer(code, jsonb_build_object('slug', case when code = 'done' then free_slug end)));
end $$;
comment on function public.add_stage(text, text, text, uuid) is
  'Adds a stage after all others: its order is the count plus 1, its slug p_slug, with a number appended if that is taken. p_kind: open, won or lost. Administrators. p_operation_id: a retry by the same account gets the stored answer. Returns {success, code, message, slug}, code done, blank, long or taken.';
grant execute on function public.add_stage(text, text, text, uuid) to authenticated, service_role;

create function public.save_stage(
  p_id integer, p_name text default null, p_kind text default null, p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_stages(p_operation_id);
  standing public.kanban_stages;
  code text := 'done';
begin
  if answer is not null then return answer; end if;
  select * into standing from public.kanban_stages s where s.id = p_id;
  if not found then code := 'unknown_stage';
  elsif p_name is not null and portal.stage_name_fault(p_name, p_id) is not null then
    code := portal.stage_name_fault(p_name, p_id);
  elsif standing.slug = 'new' and p_kind <> 'open' then code := 'default';
  elsif (standing.name, standing.kind) = (coalesce(btrim(p_name), standing.name), coalesce(p_kind, standing.kind)) then
    code := 'already';
  else
    update public.kanban_stages s
    set name = coalesce(btrim(p_name), s.name), kind = coalesce(p_kind, s.kind)
    where s.id = p_id;
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'stage.save', portal.stage_answer(code));
end $$;
comment on function public.save_stage(integer, text, text, uuid) is
  'Changes the name or kind of a stage (null: unchanged); its slug stays. The stage with slug new is always open. Administrators. p_operation_id as in add_stage. Returns {success, code, message}, code done, already, blank, long, taken, default or unknown_stage.';
grant execute on function public.save_stage(integer, text, text, uuid) to authenticated, service_role;

create function public.move_stage(p_id integer, p_step integer, p_operation_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_stages(p_operation_id);
  code text := 'done';
begin
  if answer is not null then return answer; end if;
  perform from public.kanban_stages s where s.id = p_id;
  if not found then code := 'unknown_stage';
  else
    perform portal.renumber_stages();
    update public.kanban_stages s set order_index = n.place
    from (
      -- Sorts the stage half a place beyond its target, so that it passes the stage that is there.
      select o.id, row_number() over (
        order by o.order_index + case when o.id = p_id then p_step + sign(p_step) / 2.0 else 0 end) as place
      from public.kanban_stages o
    ) n
    where n.id = s.id and s.order_index <> n.place;
    if not found then code := 'already'; end if;
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'stage.move', portal.stage_answer(code));
end $$;
comment on function public.move_stage(integer, integer, uuid) is
  'Moves a stage up (negative) or down by p_step places from its current place, at most to the end, and renumbers all from 1. Concurrent moves of two administrators add up. Administrators. p_operation_id as in add_stage. Returns {success, code, message}, code done, already (at the end) or unknown_stage.';
grant execute on function public.move_stage(integer, integer, uuid) to authenticated, service_role;

create function public.remove_stage(p_id integer, p_operation_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_stages(p_operation_id);
  going text;
  leads bigint := 0;
  code text := 'done';
begin
  if answer is not null then return answer; end if;
  -- Locks the stage, so that no lead is moved in while its leads are counted.
  select s.slug into going from public.kanban_stages s where s.id = p_id for update;
  if not found then code := 'already';
  elsif going = 'new' then code := 'default';
  else
    select count(*) into leads from public.whatsapp_contacts c where c.status = going;
    perform set_config('portal.operation_id', coalesce(p_operation_id::text, ''), true);
    -- The trigger of the stage moves its leads first.
    delete from public.kanban_stages s where s.id = p_id;
    perform set_config('portal.operation_id', '', true);
    perform portal.renumber_stages();
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'stage.remove',
    portal.stage_answer(code, jsonb_build_object('leads', leads)));
end $$;
comment on function public.remove_stage(integer, uuid) is
  'Moves the leads of a stage to the stage with slug new, removes it and renumbers the others from 1, all or nothing. Administrators. p_operation_id as in add_stage. Returns {success, code, message, leads (how many moved)}, code done, already (it was removed before) or default (the stage with slug new cannot be removed).';
grant execute on function public.remove_stage(integer, uuid) to authenticated, service_role;
