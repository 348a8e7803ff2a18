-- The API for machines: what a service token may read and write by /api/v1, its rate limits, and idempotent writes.

create table portal.machine_usage (
  token_id uuid not null references portal.service_tokens on delete cascade,
  kind text not null check (kind in ('read', 'write')),
  window_at timestamptz not null,
  requests integer not null check (requests >= 0),
  primary key (token_id, kind)
);
comment on table portal.machine_usage is
  'How many requests each token has made in the minute since window_at, so that one machine does not slow down the others. Server only.';
alter table portal.machine_usage enable row level security;

create table portal.machine_writes (
  token_id uuid not null references portal.service_tokens on delete cascade,
  key text not null check (length(key) between 1 and 255),
  fingerprint bytea not null,
  answer jsonb not null,
  at timestamptz not null default now(),
  primary key (token_id, key)
);
comment on table portal.machine_writes is
  'Answers to a token''s writes, stored together with the write. A retry with the same Idempotency-Key gets the same answer. Server only.';
comment on column portal.machine_writes.fingerprint is
  'SHA-256 of method, path and body. Another request with the same key is refused.';
comment on column portal.machine_writes.answer is
  'The answer {status, body}. It has ids and states, never names, numbers or texts.';
create index machine_writes_at on portal.machine_writes (at);
comment on index portal.machine_writes_at is 'Serves deleting old rows.';
alter table portal.machine_writes enable row level security;

create function portal.begin_machine_request(p_grant text, p_kind text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant uuid := (auth.jwt() ->> 'session_id')::uuid;
  most constant integer := case p_kind when 'write' then 60 else 240 end;
  used portal.machine_usage;
begin
  if portal.service_name() is null then
    raise exception 'Esta chave não vale mais. Peça outra ao administrador.' using errcode = 'PT401', hint = 'token.refused';
  elsif not portal.has_grant(p_grant) then
    raise exception 'Esta chave não tem a permissão %.', p_grant using errcode = 'PT403', hint = 'token.no-grant';
  end if;
  insert into portal.machine_usage as u (token_id, kind, window_at, requests) values (token, p_kind, p_now, 1)
  on conflict (token_id, kind) do update set
    -- A window in the future was written while a clock ran ahead; it counts as over.
    window_at = case when u.window_at between p_now - interval '1 minute' and p_now then u.window_at else p_now end,
    requests = case when u.window_at between p_now - interval '1 minute' and p_now then least(u.requests, most) + 1 else 1 end
  returning * into used;
  update portal.service_tokens t set used_at = p_now
  where t.id = token and coalesce(t.used_at <= p_now - interval '1 minute', true);
  return jsonb_build_object(
    'limit', most,
    'remaining', greatest(0, most - used.requests),
    'resetSeconds', greatest(1, ceil(extract(epoch from used.window_at + interval '1 minute' - p_now))),
    'isRefused', used.requests > most);
end $$;
comment on function portal.begin_machine_request(text, text, timestamptz) is
  'Counts a request of the calling token, which needs that grant: {limit, remaining, resetSeconds, isRefused}. p_kind read allows 240 a minute, write 60. 401 without a service token, 403 without the grant. Server only.';

create function portal.begin_machine_write(p_key text, p_fingerprint bytea) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant uuid := (auth.jwt() ->> 'session_id')::uuid;
  known portal.machine_writes;
begin
  -- Makes two writes with one key wait for each other, so that the second gets the answer of the first.
  perform pg_advisory_xact_lock(hashtextextended('machine ' || token || ' ' || p_key, 0));
  select w.* into known from portal.machine_writes w where w.token_id = token and w.key = p_key;
  if known.fingerprint <> p_fingerprint then
    raise exception 'Esta Idempotency-Key já foi usada com outro pedido.' using errcode = 'PT422', hint = 'idempotency.reused';
  end if;
  return known.answer;
end $$;
comment on function portal.begin_machine_write(text, bytea) is
  'The answer that a write of the calling token stored under that key. Null: the write is new. 422 if the key belongs to another request. Server only.';

create function portal.end_machine_write(p_key text, p_fingerprint bytea, p_answer jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.machine_writes (token_id, key, fingerprint, answer)
  values ((auth.jwt() ->> 'session_id')::uuid, p_key, p_fingerprint, p_answer)
$$;
comment on function portal.end_machine_write(text, bytea, jsonb) is
  'Stores the answer of a write in its transaction. Server only.';

create function portal.forget_machine_writes(p_before timestamptz, p_most integer) returns bigint
language sql volatile set search_path = '' as $$
  with gone as (
    delete from portal.machine_writes where (token_id, key) in (
      select w.token_id, w.key from portal.machine_writes w where w.at < p_before order by w.at limit p_most)
    returning 1
  )
  select count(*) from gone
$$;
comment on function portal.forget_machine_writes(timestamptz, integer) is
  'Deletes the oldest answers from before p_before, at most p_most; returns how many. Server only.';


-- Reads. Lists are ordered by id and begin after p_after; events go backwards from p_before. Callers ask for one row
-- more than a page has.

create function portal.machine_lead(c public.whatsapp_contacts) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('id', c.id, 'name', c.name, 'phone', c.number, 'email', c.email, 'stage', c.status,
    'instanceName', c."instanceName", 'development', c.empreendimento, 'interests', coalesce(to_jsonb(c.interests), '[]'), 'source', c.source, 'campaign', c.campaign,
    'tags', c.tags, 'valueCents', c.value_cents, 'lossReason', c.loss_reason,
    'isOptedOut', exists (select from portal.people p where p.id = c.person_id and p.opted_out_at is not null),
    'waitingSince', c.waiting_since, 'wonAt', c.won_at, 'createdAt', c.created_at, 'updatedAt', c.updated_at,
    'notes', c.notes,
    'intakes', (
      select coalesce(jsonb_agg(jsonb_build_object('externalId', i.external_id, 'source', i.source, 'campaign', i.campaign,
        'development', i.development, 'listing', i.listing, 'message', i.message, 'receivedAt', i.received_at) order by i.id desc), '[]')
      from (select n.* from portal.lead_intakes n where n.contact_id = c.id order by n.id desc limit 20) i))
$$;
comment on function portal.machine_lead(public.whatsapp_contacts) is
  'A lead in the form of the API, with its 20 newest arrivals. Server only.';

create function portal.machine_lead_ids(p_filter jsonb) returns bigint[]
language plpgsql stable set search_path = '' as $$
declare
  key constant text := portal.number_key(p_filter ->> 'phone');
  wanted bigint[];
begin
  if p_filter ? 'phone' then
    wanted := array(
      select c.id from portal.people p join public.whatsapp_contacts c on c.person_id = p.id where p.number_key = key
      union
      select n.contact_id from portal.contact_numbers n where n.number_key = key);
  end if;
  if p_filter ? 'externalId' then
    wanted := array(
      select distinct i.contact_id from portal.lead_intakes i
      where i.external_id = p_filter ->> 'externalId' and (wanted is null or i.contact_id = any (wanted)));
  end if;
  return wanted;
end $$;
comment on function portal.machine_lead_ids(jsonb) is
  'The leads of {phone} (a canonical number, also a further one of the lead) or {externalId} (of any arrival), or of both. Server only.';

create function portal.machine_leads(p_after bigint, p_most integer, p_filter jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted bigint[];
  first_id bigint := p_after + 1;
  last_id bigint := 9223372036854775807;
begin
  perform portal.require_grant('leads:read');
  if p_filter ?| array['phone', 'externalId'] then
    wanted := portal.machine_lead_ids(p_filter);
    -- No index serves a list that may be null, so the lowest and highest id limit what is read.
    select greatest(first_id, min(w.id)), coalesce(max(w.id), 0) into first_id, last_id from unnest(wanted) as w (id);
  end if;
  return (
    select coalesce(jsonb_agg(portal.machine_lead(c) order by c.id), '[]') from (
      select l.* from public.whatsapp_contacts l
      where l.id between first_id and last_id
        and (wanted is null or l.id = any (wanted))
        and (p_filter ->> 'stage' is null or l.status = p_filter ->> 'stage')
        and (p_filter ->> 'instanceName' is null or l."instanceName" = p_filter ->> 'instanceName')
        and (p_filter ->> 'updatedFrom' is null or l.updated_at >= (p_filter ->> 'updatedFrom')::timestamptz)
      order by l.id limit p_most) c);
end $$;
comment on function portal.machine_leads(bigint, integer, jsonb) is
  'Leads after an id, filtered by {stage, instanceName, updatedFrom, phone, externalId} if given. Needs leads:read. Server only.';

create function portal.machine_lead_of(p_lead bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
begin
  perform portal.require_grant('leads:read');
  select c.* into lead from public.whatsapp_contacts c where c.id = p_lead;
  if not found then
    raise exception 'Este lead não existe.' using errcode = 'PT404', hint = 'lead.unknown';
  end if;
  return portal.machine_lead(lead);
end $$;
comment on function portal.machine_lead_of(bigint) is
  'One lead; 404 for an unknown one. Needs leads:read. Server only.';

create function portal.machine_message(m public.whatsapp_messages) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('id', m.id, 'leadId', m.contact_id, 'instanceName', m."instanceName", 'direction', m.type,
    'author', case m.type when 'incoming' then 'lead' else m.author end, 'kind', m.kind,
    'text', case when m.deleted_at is null then m.body else '' end, 'isDeleted', m.deleted_at is not null,
    'delivery', m.delivery, 'sentAt', to_timestamp(m."timestamp"))
$$;
comment on function portal.machine_message(public.whatsapp_messages) is
  'A message in the form of the API. Server only.';

create function portal.machine_messages(p_after bigint, p_most integer, p_filter jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_grant('messages:read');
  return (
    select coalesce(jsonb_agg(portal.machine_message(m) order by m.id), '[]') from (
      select l.* from public.whatsapp_messages l
      where l.id > p_after and l.contact_id = (p_filter ->> 'leadId')::bigint and l.type <> 'note' order by l.id limit p_most) m);
end $$;
comment on function portal.machine_messages(bigint, integer, jsonb) is
  'Messages of the lead {leadId} after an id. Needs messages:read. Server only.';

create function portal.machine_message_of(p_message bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  message public.whatsapp_messages;
begin
  perform portal.require_grant('messages:read');
  select m.* into message from public.whatsapp_messages m where m.id = p_message and m.type <> 'note';
  if not found then
    raise exception 'Esta mensagem não existe.' using errcode = 'PT404', hint = 'message.unknown';
  end if;
  return portal.machine_message(message);
end $$;
comment on function portal.machine_message_of(bigint) is
  'One message; 404 for an unknown one. Needs messages:read. Server only.';

create function portal.machine_brokers() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_grant('brokers:read');
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'username', portal.username_of(b."instanceName"),
      'instanceName', b."instanceName", 'isCentral', b.central_since is not null,
      'isConnected', coalesce(s.state = 'open' and s.dead_at is null, false),
      'pausedUntil', b.paused_until) order by b."instanceName"), '[]')
    from public.brokers b left join portal.instance_states s using ("instanceName"));
end $$;
comment on function portal.machine_brokers() is 'All brokers, and whether their WhatsApp is connected. Needs brokers:read. Server only.';

create function portal.machine_rotations() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_grant('rotations:read');
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'development', r.empreendimento, 'isActive', r.ativa,
      'seats', (
        select coalesce(jsonb_agg(jsonb_build_object('instanceName', s."instanceName", 'isActive', s.ativo, 'weight', s.weight,
          'dailyCap', s.daily_cap, 'leads', s.leads_recebidos) order by s.ordem), '[]')
        from public.roleta_corretores s where s."roletaName" = r.empreendimento)) order by r.id), '[]')
    from public.roletas r);
end $$;
comment on function portal.machine_rotations() is 'All rotations with their seats in order. Needs rotations:read. Server only.';

create function portal.machine_events(p_before bigint, p_most integer, p_filter jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_grant('events:read');
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'messageId', e.message_id, 'webhookId', e.hook_id, 'type', e.type,
      'data', e.data, 'happenedAt', e.happened_at, 'state', e.state, 'tries', e.tries, 'status', e.status) order by e.id desc), '[]')
    from (
      select o.* from portal.event_out o
      where o.id < p_before
        and (p_filter ->> 'webhookId' is null or o.hook_id = (p_filter ->> 'webhookId')::uuid)
        and (p_filter ->> 'type' is null or o.type = p_filter ->> 'type')
      order by o.id desc limit p_most) e);
end $$;
comment on function portal.machine_events(bigint, integer, jsonb) is
  'Events for webhooks in any state (waiting, delivered, skipped), the newest first, before an id, filtered by {webhookId, type} if given. Needs events:read. Server only.';


-- Writes.

-- A token that sends leads appears in the list of sources, where an administrator sees it and may switch it off.
create function portal.machine_take_lead(p_lead jsonb, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  token constant uuid := (auth.jwt() ->> 'session_id')::uuid;
  taken jsonb;
begin
  perform portal.require_grant('leads:write');
  insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
  -- The hash is random, so no delivery to the address of sources can use this key.
  values (token, 'form', left('API: ' || portal.service_name(), 80), sha256(uuid_send(gen_random_uuid())), 60, 'portal', p_now)
  on conflict (id) do nothing;
  perform from portal.intake_keys k where k.id = token and k.off_at is null and k.revoked_at is null;
  if not found then
    raise exception 'Esta fonte foi desligada em Captação.' using errcode = 'PT403', hint = 'source.off';
  end if;
  taken := portal.take_lead(token, p_lead, p_now);
  return jsonb_build_object('id', (taken ->> 'contactId')::bigint, 'isRepeat', (taken ->> 'isRepeat')::boolean);
end $$;
comment on function portal.machine_take_lead(jsonb, timestamptz) is
  'Creates or finds a lead as portal.take_lead does, with the token as its source: {id, isRepeat}, id null for a repeated delivery of an erased person. 403 if the source is switched off. Needs leads:write. Server only.';

create function portal.machine_move_lead(p_lead bigint, p_stage text, p_expected text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  code text;
begin
  perform portal.require_grant('leads:write');
  code := portal.move_lead(null, p_lead, p_stage, p_expected);
  case code
    when 'unknown_lead' then
      raise exception 'Este lead não existe.' using errcode = 'PT404', hint = 'lead.unknown';
    when 'unknown_stage' then
      raise exception 'Este estágio não existe.' using errcode = 'PT422', hint = 'stage.unknown';
    when 'conflict' then
      raise exception 'O lead já está em outro estágio.' using errcode = 'PT409', hint = 'lead.moved';
    else
      return jsonb_build_object('id', p_lead, 'stage', p_stage, 'isMoved', code = 'moved');
  end case;
end $$;
comment on function portal.machine_move_lead(bigint, text, text) is
  'Moves a lead to a stage, only from the expected stage if given: {id, stage, isMoved}; 404 unknown lead, 422 unknown stage, 409 another stage than expected. Needs leads:write. Server only.';

create function portal.machine_note_lead(p_lead bigint, p_notes text, p_expected text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  written record;
begin
  perform portal.require_grant('leads:write');
  written := portal.write_notes(p_lead, p_notes, p_expected);
  if written.code = 'unknown_lead' then
    raise exception 'Este lead não existe.' using errcode = 'PT404', hint = 'lead.unknown';
  elsif written.code = 'conflict' then
    raise exception 'As notas já são outras. Leia o lead de novo.' using errcode = 'PT409', hint = 'lead.notes-changed';
  end if;
  return (
    select jsonb_build_object('id', c.id, 'stage', c.status, 'isMoved', false, 'isNoted', written.code = 'saved')
    from public.whatsapp_contacts c where c.id = p_lead);
end $$;
comment on function portal.machine_note_lead(bigint, text, text) is
  'Writes the notes of a lead, only over the expected ones if given ('''': over none): {id, stage, isMoved, isNoted}; 404 unknown lead, 409 other notes than expected. Needs leads:write. Server only.';

create function portal.machine_send(p_lead bigint, p_text text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  most constant integer := 20;
  lead public.whatsapp_contacts;
  message bigint;
begin
  perform portal.require_grant('messages:send');
  select c.* into lead from public.whatsapp_contacts c where c.id = p_lead for no key update;
  if not found then
    raise exception 'Este lead não existe.' using errcode = 'PT404', hint = 'lead.unknown';
  elsif lead."instanceName" is null then
    raise exception 'Este lead está sem corretor.' using errcode = 'PT409', hint = 'lead.no-owner';
  end if;
  perform portal.require_address(lead.id, lead."instanceName");
  if exists (select from portal.people p where p.id = lead.person_id and p.opted_out_at is not null) then
    raise exception 'Esta pessoa pediu para não receber mensagens.' using errcode = 'PT409', hint = 'lead.opted-out';
  elsif (
    select count(*) from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id join public.whatsapp_contacts c on c.id = m.contact_id
    where c."instanceName" = lead."instanceName" and m.author = 'agent') >= most then
    -- The broker uses the same queue, and a person's message must not wait behind a machine's.
    raise exception 'Já há % mensagens automáticas na fila deste WhatsApp. Tente mais tarde.', most
      using errcode = 'PT409', hint = 'message.queue-full';
  end if;
  perform portal.begin_conversation(lead.id);
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery)
  select lead.id, lead."instanceName", s.owner_jid, split_part(split_part(s.owner_jid, '@', 1), ':', 1), p_text,
    floor(extract(epoch from now()))::bigint, 'outgoing', 'text', 'agent', 'queued'
  from (select) one left join portal.instance_states s on s."instanceName" = lead."instanceName"
  returning id into message;
  insert into portal.outgoing (message_id) values (message);
  return jsonb_build_object('id', message, 'leadId', lead.id, 'instanceName', lead."instanceName", 'delivery', 'queued');
end $$;
comment on function portal.machine_send(bigint, text) is
  'Queues an automatic text to a lead from its owner''s WhatsApp: {id, leadId, instanceName, delivery}. It counts as no person''s answer; leads who opted out get none; the daily limit of first texts applies; at most 20 wait in a queue. 404, 409. Needs messages:send. Server only.';
