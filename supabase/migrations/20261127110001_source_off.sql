-- A source that is switched off says so to who sends.

create or replace function portal.keep_intake(p_hash bytea, p_raw jsonb, p_now timestamptz, p_next_at timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys;
  recent record;
  kept bigint;
begin
  select * into k from portal.intake_keys i
  where (i.hash = p_hash or i.former_hash = p_hash and i.former_until > p_now) and i.revoked_at is null;
  if not found then return null; end if;
  if k.off_at is not null then return '{"isOff": true}'; end if;
  -- Up to now: what a clock that ran ahead wrote holds nobody up.
  select count(*) as leads, min(at) as first_at into recent from (
    select i.received_at as at from portal.lead_intakes i
    where i.key_id = k.id and i.received_at > p_now - interval '1 minute' and i.received_at <= p_now
    union all
    select r.received_at from portal.intake_raw r
    where r.key_id = k.id and r.received_at > p_now - interval '1 minute' and r.received_at <= p_now
  ) minute;
  if recent.leads >= k.per_minute then
    return jsonb_build_object('waitSeconds',
      greatest(1, ceil(extract(epoch from recent.first_at + interval '1 minute' - p_now))));
  end if;
  insert into portal.intake_raw (key_id, content_type, repeat_key, body, next_at, received_at)
  values (k.id, p_raw ->> 'contentType', p_raw ->> 'repeatKey', p_raw ->> 'body', p_next_at, p_now)
  returning id into kept;
  return jsonb_build_object('id', kept, 'keyId', k.id, 'kind', k.kind, 'settings', k.settings, 'waitSeconds', 0);
end $$;
comment on function portal.keep_intake(bytea, jsonb, timestamptz, timestamptz) is
  'Stores what came in with a key before anything of it is read: {id, keyId, kind, settings, waitSeconds}; null for a key that is unknown or revoked; only {isOff} for one that is switched off, and only {waitSeconds} where the key brought in too many this minute. Server only.';
