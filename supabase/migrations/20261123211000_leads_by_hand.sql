-- Leads added by hand.

create table portal.lead_additions (
  account_id uuid not null,
  day date not null,
  asked integer not null check (asked > 0),
  primary key (account_id, day)
);
comment on table portal.lead_additions is
  'How many numbers that were not the own ones each broker asked to add on each day of the portal''s zone: the daily limit of leads by hand, refusals counted, so that nobody learns of many numbers whether a colleague has them.';
alter table portal.lead_additions enable row level security;

create function portal.phone_fault(p_written text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case
    when p_written like '%@%' or k.key is null then 'number'
    when k.key ~ '^\+55(1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(9[0-9]{8}|[2-9][0-9]{7})$' then null
    when ltrim(p_written) not like '+%' then case when length(k.key) in (9, 10) then 'area' else 'number' end
    when k.key like '+55%' or length(k.key) not between 9 and 16 then 'number'
  end
  from (select portal.number_key(p_written) as key) k
$$;
comment on function portal.phone_fault(text) is
  'Why a number that somebody typed cannot be taken: area (eight or nine digits without an area code) or number (no Brazilian number, and not written with + and its country''s code); null where it can. The same rule as phoneFault of src/domain/phone.ts.';

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
comment on function portal.count_addition(uuid) is 'Counts one more lead by hand of this account today; false beyond 30. Server only.';

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
comment on function portal.add_answer(text, bigint, text) is 'The answer to a lead added by hand: what came of it, and which lead it is.';

create function public.lead_add(
  p_name text, p_number text, p_development text default null, p_source text default 'outro', p_note text default null,
  p_broker_name text default null, p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  is_broker boolean := account is not null and not portal.is_admin();
  board text := case when is_broker then portal.my_instance() else nullif(p_broker_name, '') end;
  wanted text := btrim(regexp_replace(coalesce(p_name, ''), '\s+', ' ', 'g'));
  number_fault text := portal.phone_fault(p_number);
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
  if board is not null then
    -- Whoever is just being removed is waited for.
    perform from public.brokers b where b."instanceName" = board for key share;
    if not found then
      return portal.end_operation(account, p_operation_id, 'lead.add', portal.add_answer('unknown_broker', null, null));
    end if;
  end if;
  -- Two who add one person at once go one after the other.
  perform pg_advisory_xact_lock(hashtextextended('lead.add ' || portal.number_key(p_number), 0));
  select c.* into known
  from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
  where p.number_key = portal.number_key(p_number)
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
    values (board, portal.person_of(p_number), wanted, portal.number_to_send(p_number), p_source,
      portal.known_development(nullif(btrim(p_development), '')), nullif(btrim(p_note, E' \t\r\n'), ''))
    returning * into known;
    perform set_config('portal.quiet', '', true);
  end if;
  return portal.end_operation(account, p_operation_id, 'lead.add', portal.add_answer(code, known.id, known."instanceName"));
end $$;
comment on function public.lead_add(text, text, text, text, text, text, uuid) is
  'Adds a lead by hand, in the first stage: of a broker on the own board, at most 30 a day; of an administrator on that of p_broker_name (instance name; null: the administrator''s own). It waits for nobody, is offered to nobody and pushes nothing. p_source: a slug such as plantao or indicacao. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, contact_id, broker_name}, code saved; already (it stands on that board: which one is in contact_id); conflict (somebody else''s: an administrator reads whose, a broker does not); limit; unknown_broker. Refusals are audited without name and number. 401 once the session has ended; 422 without a name or a number that can be called, or with a text too long.';
grant execute on function public.lead_add(text, text, text, text, text, text, uuid) to authenticated, service_role;

create or replace function portal.push_lead() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(current_setting('portal.quiet', true), '') = 'on' then return null; end if;
  perform portal.push(
    new."instanceName", case when tg_op = 'INSERT' then 'lead' else 'assigned' end, 'lead-' || new.id, new.id, interval '1 second');
  return null;
end $$;
comment on function portal.push_lead() is
  'Trigger: a broker got a lead, a new one or one that was somebody else''s; nothing of leads added by hand or imported (portal.quiet).';
