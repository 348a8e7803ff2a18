-- The keyed hash of who asks to be left alone by Postgres' own sha256: pgcrypto's, on a busy embedded database, may find no cipher (PRODUCT.md 4.5).

create or replace function portal.opt_out_hash(number_key text) returns bytea
language sql stable strict security definer set search_path = '' as $$
  -- RFC 2104 with a key of 64 bytes, a whole block, as portal.settings holds it.
  select sha256(pads.outer_pad || sha256(pads.inner_pad || convert_to(number_key, 'UTF8')))
  from portal.settings s
  cross join lateral (
    select
      string_agg(set_byte('\x00', 0, get_byte(k, at) # 54), ''::bytea order by at) as inner_pad,
      string_agg(set_byte('\x00', 0, get_byte(k, at) # 92), ''::bytea order by at) as outer_pad
    from convert_to(s.value #>> '{}', 'UTF8') as k, generate_series(0, 63) as at
  ) pads
  where s.key = 'opt_out_key'
$$;
