-- The person behind a number: every form of it seen, and one contact per broker (PRODUCT.md 4.2, EVOLUTION.md 4).

create function portal.number_key(number text) returns text
language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  written text := split_part(split_part(number, '@', 1), ':', 1);
  domain text := split_part(number, '@', 2);
  digits text := ltrim(regexp_replace(written, '[^0-9]', '', 'g'), '0');
begin
  -- Digits of a hidden id (lid) or of a group are no number.
  if domain not in ('', 's.whatsapp.net', 'c.us') then return null; end if;
  -- A jid, or what begins with +, names its country. Else it is Brazilian when it has a valid area code and the length of
  -- a mobile or a landline.
  if domain = '' and ltrim(written) not like '+%'
    and digits ~ '^(1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(9[0-9]{8}|[2-9][0-9]{7})$' then
    digits := '55' || digits;
  end if;
  return '+' || case
    when digits ~ '^55[1-9][1-9]9[6-9][0-9]{7}$' then substr(digits, 1, 4) || substr(digits, 6)
    when digits ~ '^521[0-9]{10}$' then '52' || substr(digits, 4)
    when digits ~ '^549[0-9]{10}$' then '54' || substr(digits, 4)
    else nullif(digits, '')
  end;
end $$;
comment on function portal.number_key(text) is
  'One text for all forms of one number or jid, for matching only: + and the country''s digits, Brazilian mobiles without the ninth digit, Mexican and Argentine ones without theirs; null without a number (EVOLUTION.md 4.1).';
grant execute on function portal.number_key(text) to authenticated, service_role;

create table portal.people (
  id bigint generated always as identity primary key,
  number_key text unique check (number_key = portal.number_key(number_key)),
  opted_out_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table portal.people is 'Persons across all instances: linked for opt-out, intake and de-duplication only, never shown to another broker.';
comment on column portal.people.number_key is 'portal.number_key of the person''s number; null while only a hidden identity (lid) is known.';
comment on column portal.people.opted_out_at is 'When the person asked for no more campaigns, from any broker.';
create index people_opted_out on portal.people (id) where opted_out_at is not null;
comment on index portal.people_opted_out is 'Serves marking on a board who asked to be left alone.';

create table portal.identities (
  jid text not null check (jid ~ '^[^@]+@[a-z.]+$'),
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  person_id bigint not null references portal.people on delete cascade,
  first_seen_at timestamptz not null default now(),
  primary key ("instanceName", jid)
);
comment on table portal.identities is 'Every address under which an instance saw a person: number forms and hidden ids (lid).';
create index identities_person on portal.identities (person_id);
comment on index portal.identities_person is 'Serves all addresses of a person, for reading history back and for merging.';

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
comment on function portal.person_of(text) is 'The person of any form of a number, made when unknown; a new nameless person without one. Server only.';

alter table portal.people enable row level security;
alter table portal.identities enable row level security;
