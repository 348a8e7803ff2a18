-- A number written with +55 and without its area code is told so, as one without the country's code is.
create or replace function portal.phone_fault(p_written text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select case
    when p_written like '%@%' or k.key is null then 'number'
    when k.key ~ '^\+55(1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])(9[0-9]{8}|[2-9][0-9]{7})$' then null
    when ltrim(p_written) not like '+%' then case when length(k.key) in (9, 10) then 'area' else 'number' end
    when k.key like '+55%' then case when length(k.key) in (11, 12) then 'area' else 'number' end
    when length(k.key) not between 9 and 16 then 'number'
  end
  from (select portal.number_key(p_written) as key) k
$$;
comment on function portal.phone_fault(text) is
  'Why a number that somebody typed cannot be taken: area (eight or nine digits without an area code, after +55 as well) or number (no Brazilian number, and not written with + and its country''s code); null where it can. The same rule as phoneFault of src/domain/phone/phone.ts.';
