-- What comes in together is counted against its key's limit once, and a number's hash is made of eight words instead of 64 bytes.

create or replace function portal.opt_out_hash(number_key text) returns bytea
language plpgsql stable strict security definer set search_path = '' as $$
declare
  hash bytea;
begin
  -- RFC 2104 with a key of 64 bytes, a whole block, as portal.settings holds it: its two pads, eight bytes at a time.
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

drop function portal.keep_intake(bytea, jsonb, timestamptz, timestamptz);

create function portal.keep_intakes(p_arrivals jsonb) returns setof jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  arrival record;
  k portal.intake_keys;
  counted uuid;
  recent record;
  kept bigint;
begin
  for arrival in
    select decode(a.value ->> 'hash', 'hex') as hash, a.value -> 'raw' as raw,
      (a.value ->> 'now')::timestamptz as now, (a.value ->> 'nextAt')::timestamptz as next_at
    from jsonb_array_elements(p_arrivals) with ordinality as a
    order by a.ordinality
  loop
    select * into k from portal.intake_keys i
    where (i.hash = arrival.hash or i.former_hash = arrival.hash and i.former_until > arrival.now) and i.revoked_at is null;
    if not found then
      return next null;
      continue;
    end if;
    if k.off_at is not null then
      return next '{"isOff": true}';
      continue;
    end if;
    -- Once for those of one key that follow each other.
    if counted is distinct from k.id then
      counted := k.id;
      -- Up to now: what a clock that ran ahead wrote holds nobody up.
      select count(*) as leads, min(at) as first_at into recent from (
        select i.received_at as at from portal.lead_intakes i
        where i.key_id = k.id and i.received_at > arrival.now - interval '1 minute' and i.received_at <= arrival.now
        union all
        select r.received_at from portal.intake_raw r
        where r.key_id = k.id and r.received_at > arrival.now - interval '1 minute' and r.received_at <= arrival.now
      ) minute;
    end if;
    if recent.leads >= k.per_minute then
      return next jsonb_build_object('waitSeconds',
        greatest(1, ceil(extract(epoch from recent.first_at + interval '1 minute' - arrival.now))));
      continue;
    end if;
    insert into portal.intake_raw (key_id, content_type, repeat_key, body, next_at, received_at)
    values (k.id, arrival.raw ->> 'contentType', arrival.raw ->> 'repeatKey', arrival.raw ->> 'body', arrival.next_at, arrival.now)
    returning id into kept;
    recent.leads := recent.leads + 1;
    recent.first_at := coalesce(recent.first_at, arrival.now);
    return next jsonb_build_object('id', kept, 'keyId', k.id, 'kind', k.kind, 'settings', k.settings, 'waitSeconds', 0);
  end loop;
end $$;
comment on function portal.keep_intakes(jsonb) is
  'Stores what came in with keys before anything of it is read, an array of {hash: the key''s in hex, raw: {contentType, repeatKey, body}, now, nextAt}. Answers each in its order: {id, keyId, kind, settings, waitSeconds}; null for a key that is unknown or revoked; only {isOff} for one that is switched off, and only {waitSeconds} where the key brought in too many this minute, those before it counted. Server only.';
