-- A conversation as a PDF that proves what was said, the search for messages by their words, and summaries.

-- One lead's conversation as a PDF: its content, read page by page, and its entry in the audit log.

create function portal.proof_head(p_contact bigint, p_most integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  lead public.whatsapp_contacts;
  first record;
  last record;
  total bigint;
begin
  perform portal.require_admin();
  select c.* into lead from public.whatsapp_contacts c where c.id = p_contact;
  if not found then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'lead.unknown';
  end if;
  select count(*) into total from public.whatsapp_messages m where m.contact_id = lead.id;
  if total = 0 then
    raise exception 'Esta conversa ainda não tem mensagens.' using errcode = 'PT404', hint = 'proof.empty';
  end if;
  select m."timestamp" as at, m.id into last from public.whatsapp_messages m
  where m.contact_id = lead.id order by m."timestamp" desc, m.id desc limit 1;
  select m."timestamp" as at, m.id into first from public.whatsapp_messages m
  where m.contact_id = lead.id order by m."timestamp" desc, m.id desc offset least(total, p_most) - 1 limit 1;
  return jsonb_build_object(
    'id', lead.id, 'name', lead.name, 'number', lead.number, 'instanceName', lead."instanceName",
    'agency', (select s.value from portal.settings s where s.key = 'agency_name'),
    'total', total,
    'first', jsonb_build_object('at', first.at, 'id', first.id),
    'last', jsonb_build_object('at', last.at, 'id', last.id));
end $$;
comment on function portal.proof_head(bigint, integer) is
  'What the PDF of a conversation says about its lead, and its first and last message: {id, name, number, instanceName, agency, total, first, last (each {at (epoch seconds), id})}. Of a longer conversation first is the oldest of the newest p_most messages. 404 lead.unknown, and proof.empty for a lead without messages. Administrators, through the server only.';

create function portal.proof_page(p_contact bigint, p_from jsonb, p_last jsonb, p_limit integer) returns setof jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select jsonb_build_object('id', m.id, 'at', m."timestamp", 'type', m.type, 'kind', m.kind, 'author', m.author,
      'delivery', m.delivery, 'reason', m.delivery_reason, 'body', m.body, 'content', m.content, 'quoted', m.quoted,
      'reactions', m.reactions, 'editedAt', m.edited_at, 'deletedAt', m.deleted_at, 'instanceName', m."instanceName",
      'transcript', (select t.body from portal.transcripts t where t.message_id = m.id))
    from public.whatsapp_messages m
    where m.contact_id = p_contact
      and (m."timestamp", m.id) >= ((p_from ->> 'at')::bigint, (p_from ->> 'id')::bigint)
      and (m."timestamp", m.id) <= ((p_last ->> 'at')::bigint, (p_last ->> 'id')::bigint)
    order by m."timestamp", m.id
    limit p_limit;
end $$;
comment on function portal.proof_page(bigint, jsonb, jsonb, integer) is
  'Messages of a conversation for its file, oldest first, from p_from to p_last (each {at, id}, both included). Administrators, through the server only.';

create function portal.note_proof(p_contact bigint, p_messages integer, p_sha256 text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  perform portal.audit('conversation.saved', null, jsonb_build_object('lead', p_contact, 'messages', p_messages,
    'sha256', p_sha256, 'ending', portal.person_ending(portal.subject_of(null, p_contact))));
end $$;
comment on function portal.note_proof(bigint, integer, text) is
  'Records in the audit log that a conversation was saved as a file, with the file''s SHA-256. The portal calls it before it sends the file. Administrators, through the server only.';


-- The search for messages by the beginnings of their words.

create function portal.plain_words(p_text text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  -- Lists separators by code point, because some databases know only the letters a to z. Unicode guarantees that
  -- normalize never changes its result, so an index may store it. unaccent gives no such guarantee.
  select btrim(regexp_replace(lower(regexp_replace(normalize(left(p_text, 20000), NFKD), '[\u0300-\u036f]+', '', 'g')),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u2bff\u3000-\u303f\ufe00-\ufe0f\U0001f000-\U0001faff]+', ' ', 'g'))
$$;
comment on function portal.plain_words(text) is
  'The words of a text with one blank between them, in lower case and without accents; same rule as plainWords in src/domain/message/found.ts. The index messages_words uses it, so a changed rule needs a reindex.';
grant execute on function portal.plain_words(text) to authenticated, service_role;

create function portal.message_terms(p_body text, p_at bigint) returns tsvector
language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  -- Without a subquery, which would take twice the time for each message.
  return array_to_tsvector(array_remove(string_to_array(
    regexp_replace(portal.plain_words(p_body), '([^ ]{60})[^ ]+', '\1', 'g') || ' #' || p_at / 2592000, ' '), ''));
end $$;
comment on function portal.message_terms(text, bigint) is
  'What the index of messages stores of one message: its words, and the 30-day period it is in, by which a search goes back in time. It runs as the role that writes the message.';
grant execute on function portal.message_terms(text, bigint) to authenticated, service_role;

create index messages_words on public.whatsapp_messages using gin (portal.message_terms(body, "timestamp"))
  with (fastupdate = off) where body <> '' and type <> 'note';
comment on index public.messages_words is
  'Serves the search for messages by the beginnings of words within a period. Fastupdate is off, so that no insert has to merge the entries of earlier messages.';

create function portal.search_terms(p_query text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select string_agg('''' || w.word || case when length(w.word) < 3 then '''' else ''':*' end, ' & ' order by length(w.word) desc, w.nth)
  from (
    select left(u.word, 60) as word, u.nth
    from unnest(string_to_array(portal.plain_words(left(p_query, 200)), ' ')) with ordinality as u (word, nth)
    where u.word <> '' order by length(left(u.word, 60)) desc, u.nth limit 6) w
  having max(length(w.word)) >= 3
$$;
comment on function portal.search_terms(text) is
  'A typed search as a tsquery of its six longest words. A word of three letters or more matches words that begin with it. A shorter one matches only whole words, because too many words begin with it. Null without a word of three letters. Same rule as searchWords in src/domain/message/found.ts. Server only.';

-- Searches backwards in periods, each twice as long as the one before. The first period has enough matches of a common
-- word, and a rare word is cheap to search over all time.
create function public.search_messages(p_query text, p_brokers text[] default null, p_before bigint default null) returns jsonb
language plpgsql stable security definer set search_path = '' set enable_seqscan = off as $$
declare
  most constant integer := 30;
  -- After so many matches, other brokers' included, one call reads no further period. They take some hundred
  -- milliseconds.
  most_seen constant integer := 20000;
  account uuid := portal.require_member();
  reached text[] := case when account is not null and not portal.is_admin() then
    array_remove(portal.led_instances() || portal.my_instance(), null) end;
  wanted text[] := array(select b from unnest(coalesce(p_brokers, reached)) as b where reached is null or b = any (reached));
  is_everybody boolean := p_brokers is null and reached is null;
  terms text := portal.search_terms(p_query);
  newest bigint := coalesce(p_before - 1, floor(extract(epoch from now()))::bigint + 86400) / 2592000;
  width bigint := 1;
  asked tsquery;
  seen bigint := 0;
  hits bigint;
  part jsonb;
  found jsonb := '[]';
begin
  perform portal.require_few(p_brokers);
  if terms is null or not is_everybody and wanted = '{}' then return '{"messages": [], "until": null}'; end if;
  while width <= 64 and jsonb_array_length(found) < most and seen < most_seen loop
    asked := terms || ' & (' || (
      select string_agg('''#' || p || '''', ' | ') from generate_series(newest - width + 1, newest) as p) || ')';
    with hit as materialized (
      select m.id, m.contact_id, m."timestamp" from public.whatsapp_messages m
      where portal.message_terms(m.body, m."timestamp") @@ asked and m.body <> '' and m.type <> 'note'
        and (p_before is null or m."timestamp" < p_before)
    ), own as (
      select h.id, c.id as contact_id, c.name, c.number, c."instanceName"
      from hit h join public.whatsapp_contacts c on c.id = h.contact_id
      where is_everybody or coalesce(c."instanceName", '') = any (wanted)
      order by h."timestamp" desc, h.id desc limit most - jsonb_array_length(found)
    )
    select (select count(*) from hit), (
      select jsonb_agg(jsonb_build_object('id', m.id, 'contact_id', o.contact_id, 'name', o.name, 'number', o.number,
        'instanceName', o."instanceName", 'timestamp', m."timestamp", 'type', m.type, 'kind', m.kind, 'body', left(m.body, 1000))
        order by m."timestamp" desc, m.id desc)
      from own o join public.whatsapp_messages m on m.id = o.id)
    into hits, part;
    found := found || coalesce(part, '[]');
    seen := seen + hits;
    newest := newest - width;
    width := width * 2;
  end loop;
  return jsonb_build_object('messages', found, 'until', case
    when jsonb_array_length(found) >= most then (found -> -1 ->> 'timestamp')::bigint + 1
    when width <= 64 then (newest + 1) * 2592000 end);
end $$;
comment on function public.search_messages(text, text[], bigint) is
  'Messages in which the six longest words of p_query (at least one of three letters) begin words, without regard to accents; words of one or two letters are found as whole words: {messages [{id, contact_id, name, number, instanceName, timestamp, type, kind, body (the first 1,000 characters)}], until}, newest first, 30 at most. until: ask again with it as p_before for older ones; null when ten years were searched. A broker among its own leads, a gerente also among those of the brokers it leads, an administrator among all; p_brokers (instance names, '''' for no broker) narrows that. 401 once the session has ended; 422 for a list that is too long.';
grant execute on function public.search_messages(text, text[], bigint) to authenticated, service_role;


-- A summary for the person who takes a lead over. The model writes it after portal.summary_material and before
-- portal.note_summary, and its text is not stored.

create table portal.summary_costs (
  month date not null check (month = date_trunc('month', month)),
  model text not null,
  count integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  is_unpriced boolean not null default false,
  day smallint not null default 1 check (day between 1 and 31),
  primary key (month, day, model)
);
comment on table portal.summary_costs is
  'What summaries of conversations cost, by day of the portal''s time zone and by model. Their texts are not stored.';
comment on column portal.summary_costs.day is
  'The day of the month. Earlier versions stored costs by month only; these are on day 1.';
comment on column portal.summary_costs.cost_micros is
  'Millionths of a real, summed up call by call at the price of that time.';
comment on column portal.summary_costs.is_unpriced is
  'True: some calls were made while the model had no price, so cost_micros leaves them out.';
alter table portal.summary_costs enable row level security;

create function portal.month_of(p_now timestamptz) returns date
language sql stable security definer set search_path = '' as $$
  select date_trunc('month', p_now at time zone portal.time_zone())::date
$$;
comment on function portal.month_of(timestamptz) is 'The first day of the month, in the portal''s time zone. Server only.';

create function portal.summary_material(p_contact bigint, p_now timestamptz) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  lead public.whatsapp_contacts;
  said jsonb;
  month_limit bigint;
  spent bigint;
begin
  select c.* into lead from public.whatsapp_contacts c
  where c.id = p_contact and (account is null or portal.reaches(c."instanceName"));
  if not found then
    raise exception 'Lead não encontrado.' using errcode = 'PT404', hint = 'lead.unknown';
  end if;
  -- The limits of all agents are one budget for the model; without any limit, only the rate of requests is limited.
  select sum(s.month_limit_micros), sum(portal.month_spent(s.agent_id, p_now)) into month_limit, spent
  from portal.agent_settings s where s.month_limit_micros is not null;
  spent := coalesce(spent, 0) + coalesce((
    select sum(c.cost_micros) from portal.summary_costs c where c.month = portal.month_of(p_now)), 0);
  if spent >= month_limit then
    raise exception 'O limite do mês para o modelo foi atingido. O administrador muda o limite em Agentes.'
      using errcode = 'PT409', hint = 'summary.budget';
  end if;
  select jsonb_agg(jsonb_build_object('by', case m.type when 'incoming' then 'lead' else m.author end, 'kind', m.kind,
    'at', to_char(to_timestamp(m."timestamp") at time zone portal.time_zone(), 'DD/MM/YYYY HH24:MI'),
    'text', left(coalesce(t.body, m.body), 600)) order by m."timestamp", m.id) into said
  from (
    select l.* from public.whatsapp_messages l
    where l.contact_id = lead.id and l.type <> 'note' and l.deleted_at is null and l.delivery is distinct from 'failed'
    order by l."timestamp" desc, l.id desc limit 80) m
  left join portal.transcripts t on t.message_id = m.id;
  if said is null then
    raise exception 'Esta conversa ainda não tem mensagens.' using errcode = 'PT409', hint = 'summary.empty';
  end if;
  return jsonb_build_object('name', lead.name, 'development', lead.empreendimento,
    'stage', (select s.name from public.kanban_stages s where s.slug = lead.status),
    'visit', portal.visit_of(lead.id, p_now), 'lines', said);
end $$;
comment on function portal.summary_material(bigint, timestamptz) is
  'What a summary of a conversation is made of: {name, development, stage, visit, lines (the newest 80 messages, oldest first: {by (lead, human, agent, campaign), kind, at, text})}. A broker for its own leads, a gerente for those of the brokers it leads, an administrator for all; 404 for any other lead. 409 summary.budget when the monthly limits of all agents together are spent, and summary.empty. Through the server only.';

create function portal.note_summary(p_model text, p_input bigint, p_output bigint, p_now timestamptz) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.summary_costs as c (month, day, model, count, input_tokens, output_tokens, cost_micros, is_unpriced)
  values (portal.month_of(p_now), extract(day from p_now at time zone portal.time_zone()), p_model, 1, p_input, p_output, portal.cost_of(p_model, p_input, p_output),
    not portal.has_price(p_model))
  on conflict (month, day, model) do update set count = c.count + 1, input_tokens = c.input_tokens + excluded.input_tokens,
    output_tokens = c.output_tokens + excluded.output_tokens, cost_micros = c.cost_micros + excluded.cost_micros,
    is_unpriced = c.is_unpriced or excluded.is_unpriced
$$;
comment on function portal.note_summary(text, bigint, bigint, timestamptz) is
  'Adds the cost of one call of the model for a summary, whatever its result. Server only.';
