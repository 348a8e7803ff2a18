-- The person behind a number: every form of it seen, and one contact per broker (PRODUCT.md 4.2, EVOLUTION.md 4).

create function portal.number_key(number text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  with
    digits as (select regexp_replace(split_part(split_part(number, '@', 1), ':', 1), '[^0-9]', '', 'g') as d),
    -- A Brazilian number written without its country code has 10 or 11 digits, the first two a valid area code.
    full_form as (select case when length(d) in (10, 11) and d ~ '^[1-9][1-9]' then '55' || d else d end as d from digits)
  select case
    when d ~ '^55[1-9][1-9]9[6-9][0-9]{7}$' then substr(d, 1, 4) || substr(d, 6)
    when d ~ '^521[0-9]{10}$' then '52' || substr(d, 4)
    when d ~ '^549[0-9]{10}$' then '54' || substr(d, 4)
    else nullif(d, '')
  end
  from full_form
$$;
comment on function portal.number_key(text) is
  'One text for all forms of one number or jid, for matching only: Brazilian mobiles without the ninth digit, Mexican and Argentine ones without theirs; null without digits.';
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
