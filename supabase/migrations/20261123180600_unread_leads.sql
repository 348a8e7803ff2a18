-- What a source sends and nobody can read is looked at, mended and read again; a key's address can be seen, swapped and switched off.

alter table portal.intake_keys
  add column made_by uuid,
  add column made_in uuid,
  add column former_hash bytea,
  add column former_until timestamptz,
  add column off_at timestamptz,
  add column tested_at timestamptz;
comment on column portal.intake_keys.settings is
  'source, campaign and development where a lead says none; mapping of a foreign payload; origins of a form''s pages; developments by Meta''s form.';
comment on column portal.intake_keys.made_in is
  'The operation, of the account made_by, from which the portal makes the key again to show its address; null of keys of before, whose address is shown once only.';
comment on column portal.intake_keys.former_hash is 'Of the key that this one took the place of: good until former_until.';
comment on column portal.intake_keys.off_at is 'Since when it brings nothing in, until it is switched on again.';
comment on column portal.intake_keys.tested_at is 'When the source was last tried out, by an administrator or by itself; that brings nobody in.';
create index intake_keys_former on portal.intake_keys (former_hash) where former_hash is not null;
comment on index portal.intake_keys_former is 'Serves deliveries that still come with the key of before.';

create or replace function portal.intake_key_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'kind', k.kind, 'name', k.name, 'settings', k.settings,
      'perMinute', k.per_minute, 'createdBy', k.created_by, 'createdAt', k.created_at, 'revokedAt', k.revoked_at,
      'offAt', k.off_at, 'testedAt', k.tested_at, 'hasAddress', k.made_in is not null,
      'usedAt', newest.received_at, 'lastName', newest.name, 'gapSeconds', gaps.seconds,
      'leads', (select count(*) from portal.lead_intakes i where i.key_id = k.id),
      'monthLeads', (select count(*) from portal.lead_intakes i where i.key_id = k.id and i.received_at > now() - interval '30 days'),
      'waiting', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is not null)
        + (select count(*) from portal.intake_raw r where r.key_id = k.id and r.next_at is not null),
      'failed', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is null),
      'unread', (select count(*) from portal.intake_raw r where r.key_id = k.id and r.next_at is null)
    ) order by k.revoked_at is not null, k.created_at desc, k.id), '[]')
    from portal.intake_keys k
    left join lateral (
      select i.received_at, i.name from portal.lead_intakes i where i.key_id = k.id order by i.received_at desc, i.id desc limit 1
    ) newest on true
    left join lateral (
      select round(extract(epoch from max(last.at) - min(last.at)) / nullif(count(*) - 1, 0)) as seconds
      from (select i.received_at as at from portal.lead_intakes i where i.key_id = k.id order by i.received_at desc limit 50) last
    ) gaps on true
  );
end $$;
comment on function portal.intake_key_list() is
  'All intake keys without what is secret of them: what each brought in all and in thirty days, when and who the last one was, how long it is between two of its last fifty (gapSeconds); failed are the leads of Meta that could not be read there, unread the bodies of which no lead could be made. Administrators, by the server only.';

create or replace function portal.add_intake_key(p_operation_id uuid, p_key jsonb, p_hash bytea, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  insert into portal.intake_keys (id, kind, name, hash, settings, secrets, per_minute, created_by, created_at, made_by, made_in)
  values (p_operation_id, p_key ->> 'kind', p_key ->> 'name', p_hash, p_key -> 'settings', p_key -> 'secrets',
    (p_key ->> 'perMinute')::integer, portal.actor(), p_now, portal.account_id(), p_operation_id);
  perform portal.audit('intake-key.made', p_key ->> 'name');
  return portal.end_operation(portal.account_id(), p_operation_id, 'intake-key.add', jsonb_build_object('id', p_operation_id));
end $$;
comment on function portal.add_intake_key(uuid, jsonb, bytea, timestamptz) is
  'A new intake key, {kind, name, settings, secrets, perMinute}, named by its operation; once an operation. Administrators, by the server only.';

create or replace function portal.intake_key(p_hash bytea, p_id uuid, p_now timestamp with time zone) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', k.id, 'kind', k.kind, 'settings', k.settings, 'secrets', k.secrets,
    'waitSeconds', case when recent.leads >= k.per_minute
      then greatest(1, ceil(extract(epoch from recent.first_at + interval '1 minute' - p_now))) else 0 end)
  from portal.intake_keys k
  cross join lateral (
    select count(*) as leads, min(i.received_at) as first_at from portal.lead_intakes i
    where i.key_id = k.id and i.received_at > p_now - interval '1 minute' and i.received_at <= p_now
  ) recent
  where (k.hash = p_hash or k.id = p_id) and k.revoked_at is null and k.off_at is null
$$;
comment on function portal.intake_key(bytea, uuid, timestamptz) is
  'The key of a delivery, by its hash or, of Meta, which signs, by its id, and how long to wait where it brought in too many leads this minute. Null for one that is unknown, revoked or switched off. Server only.';

create or replace function portal.keep_intake(p_hash bytea, p_raw jsonb, p_now timestamptz, p_next_at timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys;
  recent record;
  kept bigint;
begin
  select * into k from portal.intake_keys i
  where (i.hash = p_hash or i.former_hash = p_hash and i.former_until > p_now) and i.revoked_at is null and i.off_at is null;
  if not found then return null; end if;
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
  'Stores what came in with a key before anything of it is read: {id, keyId, kind, settings, waitSeconds}; null for a key that is unknown, revoked or switched off; only {waitSeconds} where the key brought in too many this minute. Server only.';

create function portal.living_key(p_id uuid) returns portal.intake_keys
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys;
begin
  perform portal.require_admin();
  select * into k from portal.intake_keys i where i.id = p_id and i.revoked_at is null for no key update;
  if not found then
    raise exception 'Chave não encontrada.' using errcode = 'PT404', hint = 'intake-key.unknown';
  end if;
  return k;
end $$;
comment on function portal.living_key(uuid) is
  'An intake key that was not revoked, held for whoever changes it; else 404. Administrators, by the server only.';

create function portal.intake_key_origin(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys := portal.living_key(p_id);
begin
  perform portal.audit('intake-key.seen', k.name);
  return jsonb_build_object('kind', k.kind, 'madeBy', k.made_by, 'madeIn', k.made_in, 'hash', encode(k.hash, 'hex'));
end $$;
comment on function portal.intake_key_origin(uuid) is
  'What the portal makes a key from again, to show its address; audited. 404 for an unknown or revoked key. Administrators, by the server only.';

create function portal.change_intake_key(p_id uuid, p_change jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys := portal.living_key(p_id);
  is_on boolean := (p_change ->> 'isOn')::boolean;
begin
  update portal.intake_keys i
  set settings = jsonb_strip_nulls(i.settings || coalesce(p_change -> 'settings', '{}')),
    off_at = case when is_on then null when not is_on then coalesce(i.off_at, p_now) else i.off_at end
  where i.id = p_id;
  if p_change ? 'settings' then perform portal.audit('intake-key.changed', k.name); end if;
  if is_on and k.off_at is not null then perform portal.audit('intake-key.on', k.name); end if;
  if not is_on and k.off_at is null then perform portal.audit('intake-key.off', k.name); end if;
  return jsonb_build_object('id', p_id);
end $$;
comment on function portal.change_intake_key(uuid, jsonb, timestamptz) is
  'Changes what is named of a key: settings (a null lets one go), isOn. Again changes nothing. 404 for an unknown or revoked key. Administrators, by the server only.';

create function portal.swap_intake_key(p_id uuid, p_operation_id uuid, p_hash bytea, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys := portal.living_key(p_id);
begin
  if k.made_in is distinct from p_operation_id then
    update portal.intake_keys i
    set former_hash = i.hash, former_until = p_now + interval '24 hours', hash = p_hash, made_by = portal.account_id(),
      made_in = p_operation_id
    where i.id = p_id;
    perform portal.audit('intake-key.swapped', k.name);
  end if;
  return jsonb_build_object('id', p_id);
end $$;
comment on function portal.swap_intake_key(uuid, uuid, bytea, timestamptz) is
  'Gives a key''s place to a new one; the old one is good for 24 more hours. Once an operation. 404 for an unknown or revoked key. Administrators, by the server only.';

create function portal.pages_of(p_hash bytea, p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(k.settings -> 'origins', '[]') from portal.intake_keys k
  where (k.hash = p_hash or k.former_hash = p_hash and k.former_until > p_now) and k.revoked_at is null and k.off_at is null
$$;
comment on function portal.pages_of(bytea, timestamptz) is
  'The pages whose browsers may send with a key; null for a key that brings nothing in. Server only.';

create function portal.end_test(p_raw bigint, p_now timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  with gone as (delete from portal.intake_raw r where r.id = p_raw returning r.key_id)
  update portal.intake_keys k set tested_at = p_now from gone where k.id = gone.key_id
$$;
comment on function portal.end_test(bigint, timestamptz) is
  'Lets go of a body by which a source tried its connection, and notes that it did. Server only.';

create function portal.note_key_test(p_id uuid, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  k portal.intake_keys := portal.living_key(p_id);
begin
  update portal.intake_keys i set tested_at = p_now where i.id = p_id;
  return jsonb_build_object('kind', k.kind, 'settings', k.settings,
    'roleta', (select r.empreendimento from public.roletas r where r.id = portal.roleta_of(portal.known_development(k.settings ->> 'development'))));
end $$;
comment on function portal.note_key_test(uuid, timestamptz) is
  'What a trial of a key is read by, and the rotation that its leads go to where they name no development; notes when it was. 404 for an unknown or revoked key. Administrators, by the server only.';

create function portal.unread_intakes() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'keyId', r.key_id, 'keyName', k.name, 'kind', k.kind,
      'receivedAt', r.received_at, 'fault', r.fault) order by r.received_at desc, r.id desc), '[]')
    from portal.intake_raw r join portal.intake_keys k on k.id = r.key_id
    where r.next_at is null
  );
end $$;
comment on function portal.unread_intakes() is
  'Bodies of which no lead could be made, the newest first, each with its key and what was missing; at most 200 a key are kept. Administrators, by the server only.';

create function portal.unread_intake(p_id bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  select jsonb_build_object('id', r.id, 'keyId', k.id, 'keyName', k.name, 'kind', k.kind, 'settings', k.settings,
    'receivedAt', r.received_at, 'fault', r.fault, 'contentType', r.content_type, 'repeatKey', r.repeat_key, 'body', r.body)
  into answer
  from portal.intake_raw r join portal.intake_keys k on k.id = r.key_id
  where r.id = p_id and r.next_at is null;
  if not found then
    raise exception 'Esta entrega já não está aqui.' using errcode = 'PT404', hint = 'intake.unknown';
  end if;
  perform portal.audit('intake.seen', answer ->> 'keyName', jsonb_build_object('id', p_id));
  return answer;
end $$;
comment on function portal.unread_intake(bigint) is
  'One body of which no lead could be made, as it was sent, with what is set of its key; audited. 404 where it was read or let go. Administrators, by the server only.';

create function portal.read_again(p_ids bigint[], p_until timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  again jsonb;
begin
  perform portal.require_admin();
  with taken as (
    update portal.intake_raw r set next_at = p_until, attempts = 1
    from portal.intake_keys k where k.id = r.key_id and r.id = any (p_ids) and r.next_at is null
    returning jsonb_build_object('id', r.id, 'kind', k.kind, 'settings', k.settings, 'attempts', r.attempts,
      'contentType', r.content_type, 'repeatKey', r.repeat_key, 'body', r.body) as raw, r.id
  )
  select coalesce(jsonb_agg(t.raw order by t.id), '[]') into again from taken t;
  if jsonb_array_length(again) > 0 then
    perform portal.audit('intake.read-again', null, jsonb_build_object('count', jsonb_array_length(again)));
  end if;
  return again;
end $$;
comment on function portal.read_again(bigint[], timestamptz) is
  'Bodies to be read again, after their key was mended, with what is set of it: whoever asked reads them until p_until, then the portal does. Those that cannot be read come back. Administrators, by the server only.';

create function portal.discard_intakes(p_ids bigint[]) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  gone integer;
begin
  perform portal.require_admin();
  delete from portal.intake_raw r where r.id = any (p_ids) and r.next_at is null;
  get diagnostics gone = row_count;
  if gone > 0 then perform portal.audit('intake.discarded', null, jsonb_build_object('count', gone)); end if;
  return gone;
end $$;
comment on function portal.discard_intakes(bigint[]) is
  'Lets bodies go of which no lead could be made; how many. Administrators, by the server only.';

