-- Persons: the forms of their numbers, and their opt-outs.


-- A person has one row for all forms of a number, and at most one lead for each broker.

-- SQL reads only canonical numbers, WhatsApp addresses and plain Brazilian forms. The portal knows the numbering plans
-- of all countries (src/domain/phone/read.ts) and normalises every other input before it reaches SQL.
create function portal.number_digits(p_number text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  -- Matches an area code that Anatel uses, then a mobile or a landline. Eight digits that begin with 400 or 3003 to
  -- 3005 do not match, because companies use such numbers without an area code.
  personal constant text := '^(1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(9[0-9]{8}|(?!(400[0-9]|300[3-5])[0-9]{4}$)[2-9][0-9]{7})$';
  written text;
  digits text;
  bare text;
begin
  if position('@' in p_number) > 0 then
    -- Neither a hidden id (LID) nor a group's address contains a phone number, although both consist of digits.
    if split_part(p_number, '@', 2) not in ('s.whatsapp.net', 'c.us') then return null; end if;
    return nullif(ltrim(regexp_replace(split_part(split_part(p_number, '@', 1), ':', 1), '[^0-9]', '', 'g'), '0'), '');
  end if;
  if p_number ~ '^\+[1-9][0-9]{6,14}$' then return substr(p_number, 2); end if;
  -- Removes invisible characters.
  written := regexp_replace(p_number, '[\u00AD\u034F\u061C\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]', '', 'g');
  written := btrim(written, E' \t\r\n\u00A0');
  if written !~ '^\+?[-0-9 ().\t\u00A0]+$' then return null; end if;
  digits := regexp_replace(written, '[^0-9]', '', 'g');
  bare := ltrim(digits, '0');
  if written like '+%' or digits like '00%' or bare !~ personal or (length(bare) = 10 and written !~ '([^0-9][0-9]{4}|[0-9]{8})$') then
    if bare not like '55%' then return null; end if;
    bare := ltrim(substr(bare, 3), '0');
  end if;
  -- After an area code, eight digits are accepted in one run, or with a separator after the fourth. Any other separator
  -- means a mobile number with one digit missing, which is refused.
  if bare !~ personal or (length(bare) = 10 and written !~ '([^0-9][0-9]{4}|[0-9]{8})$') then return null; end if;
  return '55' || bare;
end $$;
comment on function portal.number_digits(text) is
  'The digits with the country code, as dialled from abroad. Reads + and digits, a jid of a phone, and plain Brazilian numbers with an area code; null for anything else. Same rule as dialledDigits of src/domain/phone/number-key.ts.';
grant execute on function portal.number_digits(text) to authenticated, service_role;

create function portal.number_key(number text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  digits text := portal.number_digits(number);
begin
  return '+' || case
    when digits ~ '^55[1-9][1-9]9[6-9][0-9]{7}$' then substr(digits, 1, 4) || substr(digits, 6)
    when digits ~ '^521[0-9]{10}$' then '52' || substr(digits, 4)
    when digits ~ '^549[0-9]{10}$' then '54' || substr(digits, 4)
    else digits
  end;
end $$;
comment on function portal.number_key(text) is
  'One key for all forms of a number or jid, only for comparing: + and the digits, without the extra mobile digit of Brazil (9), Mexico (1) and Argentina (9). Null if portal.number_digits cannot read it.';
grant execute on function portal.number_key(text) to authenticated, service_role;

create function portal.number_of_key(p_key text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(substr(p_key, 2), '^(55[1-9][1-9])([6-9][0-9]{7})$', '\19\2')
$$;
comment on function portal.number_of_key(text) is
  'The digits to dial for a person''s number_key: country code and national number, Brazilian mobiles with their ninth digit. Server only.';

create function portal.shown_number(p_number text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select case when p_number !~ '[+@]' or d.digits is null then p_number when d.digits like '55%' then d.digits else '+' || d.digits end
  from (select portal.number_digits(p_number) as digits) d
$$;
comment on function portal.shown_number(text) is
  'The form that whatsapp_contacts.number stores: digits with 55 for Brazil, + and digits for other countries. Text that is no number is returned unchanged. Server only.';

create table portal.people (
  id bigint generated always as identity primary key,
  number_key text unique check (number_key = portal.number_key(number_key)),
  opted_out_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table portal.people is
  'Persons over all instances. By them the portal finds opt-outs, arrivals and duplicates. No client can read this table.';
comment on column portal.people.number_key is
  'portal.number_key of the person''s number; null while only a hidden id (lid) is known.';
comment on column portal.people.opted_out_at is 'When the person opted out of campaigns; it holds for every broker.';
create index people_opted_out on portal.people (id) where opted_out_at is not null;
comment on index portal.people_opted_out is 'Serves marking opted-out persons on a board.';
create index people_opt_outs on portal.people (opted_out_at desc) where opted_out_at is not null;
comment on index portal.people_opt_outs is 'Serves the list of opt-outs.';
alter table portal.people enable row level security;

create table portal.identities (
  jid text not null check (jid ~ '^[^@]+@[a-z.]+$'),
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  person_id bigint not null references portal.people on delete cascade,
  first_seen_at timestamptz not null default now(),
  primary key ("instanceName", jid)
);
comment on table portal.identities is
  'Every address under which an instance met a person: forms of the number and hidden ids (LID).';
create index identities_person on portal.identities (person_id);
comment on index portal.identities_person is
  'Serves finding all addresses of a person when history is read back or persons are merged.';
alter table portal.identities enable row level security;

create function portal.person_of(number text) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted text := portal.number_key(number);
  found_id bigint;
begin
  if wanted is null then
    insert into portal.people default values returning id into found_id;
    return found_id;
  end if;
  select id into found_id from portal.people where number_key = wanted;
  if found_id is null then
    insert into portal.people (number_key) values (wanted) on conflict (number_key) do nothing returning id into found_id;
    if found_id is null then
      select id into found_id from portal.people where number_key = wanted;
    end if;
  end if;
  return found_id;
end $$;
comment on function portal.person_of(text) is
  'The person of any form of a number. Creates one if it is unknown, and always a new one without a number. Server only.';


-- An opt-out holds for every broker and every form of the number. The opt-out stays when the lead is deleted.

insert into portal.settings (key, value)
values ('opt_out_key', to_jsonb(encode(extensions.gen_random_bytes(32), 'hex')));

create table portal.opt_outs (
  number_hash bytea primary key,
  opted_out_at timestamptz not null
);
comment on table portal.opt_outs is
  'Numbers that opted out of campaigns, as keyed hashes: the opt-out outlives the person''s row without revealing the number.';
alter table portal.opt_outs enable row level security;

-- This uses the sha256 of Postgres. The one of pgcrypto can fail on a busy embedded database, because it finds no
-- cipher.
create function portal.opt_out_hash(number_key text) returns bytea
language plpgsql stable strict security definer set search_path = '' as $$
declare
  hash bytea;
begin
  -- HMAC by RFC 2104. The key in portal.settings has 64 bytes, exactly one block. The two pads are computed eight bytes
  -- at a time.
  select sha256(pads.outer_pad || sha256(pads.inner_pad || convert_to(number_key, 'UTF8'))) into hash
  from (
    select
      string_agg(int8send(word # x'3636363636363636'::bigint), ''::bytea order by at) as inner_pad,
      string_agg(int8send(word # x'5c5c5c5c5c5c5c5c'::bigint), ''::bytea order by at) as outer_pad
    from portal.settings s,
      convert_to(s.value #>> '{}', 'UTF8') as k,
      generate_series(0, 7) as at,
      lateral (select ('x' || encode(substr(k, at * 8 + 1, 8), 'hex'))::bit(64)::bigint as word) words
    where s.key = 'opt_out_key'
  ) pads;
  return hash;
end $$;
comment on function portal.opt_out_hash(text) is 'HMAC of portal.number_key under the portal''s own key. Server only.';

create function portal.keep_new_opt_outs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into portal.opt_outs (number_hash, opted_out_at)
  select portal.opt_out_hash(n.number_key), n.opted_out_at from new_people n
  where n.opted_out_at is not null and n.number_key is not null
  on conflict do nothing;
  if not exists (select from portal.opt_outs) then return null; end if;
  update portal.people p set opted_out_at = o.opted_out_at
  from new_people n join portal.opt_outs o on o.number_hash = portal.opt_out_hash(n.number_key)
  where p.id = n.id and p.opted_out_at is null;
  return null;
end $$;
comment on function portal.keep_new_opt_outs() is
  'Trigger: a new row for a person whose number has opted out gets that opt-out.';
create trigger keep_new_opt_outs after insert on portal.people
  referencing new table as new_people for each statement execute function portal.keep_new_opt_outs();

create function portal.keep_opt_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.opted_out_at is not null then
    insert into portal.opt_outs (number_hash, opted_out_at) values (portal.opt_out_hash(new.number_key), new.opted_out_at)
    on conflict do nothing;
  elsif old.number_key is distinct from new.number_key then
    update portal.people p set opted_out_at = o.opted_out_at
    from portal.opt_outs o where p.id = new.id and o.number_hash = portal.opt_out_hash(new.number_key);
  end if;
  return null;
end $$;
comment on function portal.keep_opt_out() is
  'Trigger: stores an opt-out by number as soon as the person has both an opt-out and a number.';
create trigger keep_opt_out after update of opted_out_at, number_key on portal.people
  for each row when (new.number_key is not null
    and (old.opted_out_at is distinct from new.opted_out_at or old.number_key is distinct from new.number_key))
  execute function portal.keep_opt_out();

create function portal.opt_out(contact bigint, at_seconds bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  sender_jid text;
  message bigint;
begin
  select * into lead from public.whatsapp_contacts where id = contact;
  update portal.people set opted_out_at = to_timestamp(at_seconds) where id = lead.person_id and opted_out_at is null;
  -- The lead gets a confirmation only if this request is the first one, less than a day old, and the lead has a broker.
  -- A history import brings older requests.
  if not found or lead."instanceName" is null or to_timestamp(at_seconds) < now() - interval '1 day' then return; end if;
  select s.owner_jid into sender_jid from portal.instance_states s where s."instanceName" = lead."instanceName";
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, author, delivery)
  values (
    contact, lead."instanceName", sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1),
    'Tudo bem! Você não vai mais receber mensagens de divulgação. Se precisar de algo, é só chamar por aqui.',
    floor(extract(epoch from now()))::bigint, 'outgoing', 'campaign', 'queued')
  returning id into message;
  insert into portal.outgoing (message_id) values (message);
end $$;
comment on function portal.opt_out(bigint, bigint) is
  'Opts the person of a contact out: no broker''s campaign reaches them any more. A first request that is less than a day old gets one short reply. Server only.';

create function public.undo_opt_out(p_contact_id bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  person portal.people;
begin
  perform portal.require_admin();
  select p.* into person from portal.people p join public.whatsapp_contacts c on c.person_id = p.id
  where c.id = p_contact_id for update of p;
  if person.opted_out_at is null then return false; end if;
  delete from portal.opt_outs where number_hash = portal.opt_out_hash(person.number_key);
  update portal.people set opted_out_at = null where id = person.id;
  return true;
end $$;
comment on function public.undo_opt_out(bigint) is
  'Ends the opt-out of a lead''s person, who asked for messages again. The lead''s sheet calls it. Returns false if there was no opt-out to end. Administrators only.';
grant execute on function public.undo_opt_out(bigint) to authenticated, service_role;
