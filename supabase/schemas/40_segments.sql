-- Segments: saved questions about leads, the persons who match them, and campaigns to these persons. A random part of
-- the persons can be held out, so that the two groups can be compared.

create table portal.segments (
  id bigint generated always as identity primary key,
  name text not null check (btrim(name) <> '' and length(name) <= 60),
  question jsonb not null,
  changed_by text not null default portal.actor(),
  changed_at timestamptz not null default now()
);
comment on table portal.segments is
  'Questions about leads that administrators saved under a name. Written by segment_save and segment_remove.';
comment on column portal.segments.question is
  'The question in the form of portal.segment_question: only lists, numbers and truth values, never SQL.';
create unique index segments_name on portal.segments (lower(name));
comment on index portal.segments_name is 'Refuses two segments of one name, in whatever case.';
alter table portal.segments enable row level security;

create table portal.segment_sends (
  id bigint generated always as identity primary key,
  name text,
  question jsonb not null,
  percent smallint check (percent between 5 and 20),
  message text not null,
  sent_by text not null default portal.actor(),
  assigned_at timestamptz not null default now()
);
comment on table portal.segment_sends is
  'Campaigns to a segment. Each consists of one campaign for every broker whose leads get it (portal.segment_arms). plan_segment writes it.';
comment on column portal.segment_sends.name is 'The name of the saved segment at that time; null: an unsaved question.';
comment on column portal.segment_sends.percent is
  'How many of a hundred persons were chosen at random to get nothing. Null: nobody, so nothing is compared.';
alter table portal.segment_sends enable row level security;

create table portal.segment_arms (
  send_id bigint not null references portal.segment_sends on delete cascade,
  place integer not null,
  person_id bigint references portal.people on delete set null,
  contact_id bigint,
  arm text not null check (arm in ('campaign', 'holdout')),
  campaign_id bigint references public.remarketing_campaigns on delete set null,
  assigned_at timestamptz not null default now(),
  is_counted boolean not null default true,
  erased jsonb,
  primary key (send_id, place)
);
comment on table portal.segment_arms is
  'The persons of a campaign to a segment, in two arms: those who get it, and the holdout, chosen at random to get nothing. What happens later does not change an arm. If two persons turn out to be one, the row follows the person.';
comment on column portal.segment_arms.contact_id is
  'The lead by which the person was found at that time; it may be merged or removed by now.';
comment on column portal.segment_arms.campaign_id is
  'The campaign of the lead''s broker. Null: the person is in the holdout, or the campaign was removed.';
comment on column portal.segment_arms.is_counted is
  'False: the person and another one in the same campaign turned out to be one, and the other row counts.';
comment on column portal.segment_arms.erased is
  'The result of portal.segment_outcome at the moment when the person''s data were erased or removed: {answered_at, visited_at, won_at, leads, won}. Null: the portal still has the data.';
create unique index segment_arms_person on portal.segment_arms (person_id, send_id);
comment on index portal.segment_arms_person is
  'Allows a person once in a campaign. Serves the check whether a person is held out now, and the removal of a person.';
create index segment_arms_contact on portal.segment_arms (contact_id);
comment on index portal.segment_arms_contact is 'Serves undoing a merge, and the removal of a lead.';
create index segment_arms_campaign on portal.segment_arms (campaign_id);
comment on index portal.segment_arms_campaign is 'Serves the removal of a campaign.';
alter table portal.segment_arms enable row level security;


-- Checks a question, and brings it into one fixed form.

create function portal.segment_list(p_list jsonb, p_kind text) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  if jsonb_typeof(p_list) <> 'array' or jsonb_array_length(p_list) > 100 or exists (
    select from jsonb_array_elements(p_list) as item
    where jsonb_typeof(item) <> p_kind or length(item #>> '{}') not between 1 and 200 or p_kind = 'number' and item #>> '{}' !~ '^\d{1,9}$') then
    raise exception 'Uma condição não pôde ser lida.' using errcode = 'PT422', hint = 'segment.invalid';
  end if;
  return (
    select nullif(coalesce(jsonb_agg(item order by item), '[]'), '[]') from (
      select distinct item from jsonb_array_elements(p_list) as item) items);
end $$;
comment on function portal.segment_list(jsonb, text) is
  'A list of a question, sorted and without repeats; null if it is empty. 422 unless it is a list of at most a hundred texts or whole numbers (p_kind string or number). Server only.';

create function portal.segment_question(p_question jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  asked jsonb := '{}';
  field record;
  low bigint;
  high bigint;
begin
  if jsonb_typeof(p_question) is distinct from 'object' then
    raise exception 'As condições não puderam ser lidas.' using errcode = 'PT422', hint = 'segment.invalid';
  end if;
  for field in select e.key, e.value from jsonb_each(p_question) as e where e.value <> 'null' loop
    case
      when field.key in ('stages', 'sources', 'tags', 'withoutTags', 'contact', 'visit') then
        asked := asked || jsonb_build_object(field.key, portal.segment_list(field.value, 'string'));
      when field.key = 'developments' then
        asked := asked || jsonb_build_object(field.key, portal.segment_list(field.value, 'number'));
      when field.key in ('quietDays', 'minCents', 'maxCents') and field.value #>> '{}' ~ '^\d{1,12}$' then
        asked := asked || jsonb_build_object(field.key, field.value);
      when field.key = 'withoutValue' and jsonb_typeof(field.value) = 'boolean' then
        asked := asked || jsonb_build_object(field.key, field.value);
      else
        raise exception 'Uma condição não pôde ser lida.' using errcode = 'PT422', hint = 'segment.invalid';
    end case;
  end loop;
  asked := jsonb_strip_nulls(asked);
  low := (asked ->> 'minCents')::bigint;
  high := (asked ->> 'maxCents')::bigint;
  if not coalesce(asked -> 'contact', '[]') <@ '["never-contacted", "never-answered"]'
    or not coalesce(asked -> 'visit', '[]') <@ '["held", "missed"]' then
    raise exception 'Uma condição não pôde ser lida.' using errcode = 'PT422', hint = 'segment.invalid';
  elsif (asked ->> 'quietDays')::bigint not between 1 and 3650 then
    raise exception 'Diga de 1 a 3.650 dias sem conversa.' using errcode = 'PT422', hint = 'segment.days';
  elsif low > high then
    raise exception 'O valor mínimo passa do máximo.' using errcode = 'PT422', hint = 'segment.value';
  end if;
  -- Without limits of the value, withoutValue has no meaning.
  return case when low is null and high is null then asked - 'withoutValue' else asked end;
end $$;
comment on function portal.segment_question(jsonb) is
  'A question in one fixed form, so that equal questions are equal texts: {stages, developments (ids), sources, tags, withoutTags, contact (never-contacted, never-answered), visit (held, missed): lists, of which one entry must match, or none for withoutTags; quietDays, minCents, maxCents, withoutValue (leads without a value count, too)}. A missing part excludes nobody. 422 for anything else. Server only.';

create function portal.segment_percent(p_percent integer) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_percent not between 5 and 20 then
    raise exception 'O grupo de comparação tem de 5 a 20%%.' using errcode = 'PT422', hint = 'segment.percent';
  end if;
end $$;
comment on function portal.segment_percent(integer) is
  'Refuses, with 422, a holdout that is not 5 to 20 percent. Null is allowed and means no holdout. Server only.';

create function portal.segment_drawn(p_secret text, p_draw text, p_person text) returns double precision
language sql stable strict as $$
  select ('x' || encode(substr(sha256(convert_to(p_secret || '/arm/' || p_draw || '/' || p_person, 'UTF8')), 1, 4), 'hex'))::bit(32)::bigint / 4294967296.0::double precision
$$;
comment on function portal.segment_drawn(text, text, text) is
  'A number from 0 to below 1 that looks random. One person gets the same number for the same question each time. Server only.';


-- Finds the leads that match a question. Functions that Postgres should inline have no search_path.

create function portal.is_held_back(p_person bigint, p_now timestamptz) returns boolean
language sql stable as $$
  select exists (
    select from portal.segment_arms a
    where a.person_id = p_person and a.arm = 'holdout' and a.is_counted and a.assigned_at > p_now - interval '30 days' and a.assigned_at <= p_now)
$$;
comment on function portal.is_held_back(bigint, timestamptz) is
  'Whether a person is in the holdout of a campaign of the last 30 days. Another campaign to this person would spoil that comparison.';

create function portal.segment_matches(p_question jsonb, p_now timestamptz)
returns table (contact_id bigint, person_id bigint, talked_at timestamptz)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  stages constant text[] := array(select jsonb_array_elements_text(p_question -> 'stages'));
  sources constant text[] := array(select jsonb_array_elements_text(p_question -> 'sources'));
  wanted_tags constant text[] := array(select jsonb_array_elements_text(p_question -> 'tags'));
  without_tags constant text[] := array(select jsonb_array_elements_text(p_question -> 'withoutTags'));
  developments constant integer[] := array(select jsonb_array_elements_text(p_question -> 'developments')::integer);
  names text[];
  quiet_before constant timestamptz := p_now - make_interval(days => (p_question ->> 'quietDays')::integer);
  low constant bigint := (p_question ->> 'minCents')::bigint;
  high constant bigint := (p_question ->> 'maxCents')::bigint;
  has_value constant boolean := low is not null or high is not null;
begin
  if p_question ? 'developments' then
    names := array(
      select t.name from (select distinct c.empreendimento as name from public.whatsapp_contacts c where c.empreendimento is not null) t
      join portal.development_names n on n.key = portal.development_key(t.name) where n.development_id = any (developments));
  end if;
  return query
    select c.id, c.person_id, coalesce(to_timestamp(c.last_message_timestamp), c.created_at)
    from public.whatsapp_contacts c
    where c.source <> 'teste'
      and (not p_question ? 'stages' or c.status = any (stages))
      and (not p_question ? 'sources' or c.source = any (sources))
      and (not p_question ? 'tags' or c.tags && wanted_tags)
      and (not p_question ? 'withoutTags' or not c.tags && without_tags)
      and (not p_question ? 'developments' or c.empreendimento = any (names) or exists (
        select from portal.interests i where i.contact_id = c.id and i.development_id = any (developments)))
      and (quiet_before is null or coalesce(to_timestamp(c.last_message_timestamp), c.created_at) <= quiet_before)
      and (not has_value or c.value_cents between coalesce(low, 0) and coalesce(high, 9223372036854775807)
        or c.value_cents is null and coalesce((p_question ->> 'withoutValue')::boolean, false))
      and (not p_question ? 'contact'
        or p_question -> 'contact' ? 'never-contacted' and not exists (
          select from public.whatsapp_messages m
          where m.contact_id = c.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed')
        or p_question -> 'contact' ? 'never-answered' and c.first_incoming_at is null and exists (
          select from public.whatsapp_messages m where m.contact_id = c.id and m.type = 'outgoing' and m.delivery <> 'failed'))
      and (not p_question ? 'visit' or exists (
        select from portal.actions a
        where a.contact_id = c.id and a.kind = 'visit' and (
          a.outcome = 'done' and p_question -> 'visit' ? 'held' or a.outcome = 'missed' and p_question -> 'visit' ? 'missed')));
end $$;
comment on function portal.segment_matches(jsonb, timestamptz) is
  'The leads that match a question, with the time of the last message in their conversation (of their arrival, if there is none). A lead belongs to a development that it names or is interested in. Test leads never match. Server only.';

create function portal.segment_people(p_question jsonb, p_percent integer, p_now timestamptz)
returns table (contact_id bigint, person_id bigint, broker_id uuid, why text, arm text, talked_at timestamptz)
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  secret constant text := (select s.value #>> '{}' from portal.settings s where s.key = 'opt_out_key');
  rested constant timestamptz := p_now - make_interval(days => (select s.rest_days from public.campaign_settings s where s.id));
  busy constant uuid[] := array(select c.broker_id from public.remarketing_campaigns c where c.status in ('scheduled', 'running', 'paused'));
begin
  return query
    with matched as materialized (
      select m.contact_id, m.person_id, m.talked_at from portal.segment_matches(p_question, p_now) m
    ), reached as materialized (
      select c.person_id from public.whatsapp_contacts c where c.remarketing_sent_at > rested
      union
      select r.person_id from public.campaign_recipients r where r.accepted_at > rested
    ), told as (
      select m.contact_id, m.person_id, b.id as broker_id, m.talked_at, p.number_key, case
        when p.opted_out_at is not null then 'opted-out'
        when m.person_id in (select r.person_id from reached r where r.person_id is not null) then 'recent'
        when portal.is_held_back(m.person_id, p_now) then 'held-out'
        when b.id is null then 'no-broker'
        -- The conditions under which portal.address_of returns null.
        when exists (select from portal.number_doubts d where d.contact_id = m.contact_id)
          or p.number_key is null and not exists (select from portal.identities i where i.person_id = m.person_id) then 'no-number'
        when c.last_message_delivery = 'failed' and exists (
          select from public.whatsapp_messages l where l.id = c.last_message_id and l.delivery_reason = 'not-on-whatsapp') then 'not-on-whatsapp'
        when b.id = any (busy) then 'busy'
      end as why
      from matched m
      join public.whatsapp_contacts c on c.id = m.contact_id
      join portal.people p on p.id = m.person_id
      left join public.brokers b on b."instanceName" = c."instanceName"
    ), best as materialized (
      -- Takes one lead of each person: one that may get the campaign, and of several the one with the latest message.
      select distinct on (t.person_id) t.* from told t
      order by t.person_id, t.why is not null, t.talked_at desc, t.contact_id desc
    ), counted as (
      select count(*) filter (where b.why is null) as eligible from best b
    )
    select b.contact_id, b.person_id, b.broker_id, b.why, case when b.why is null then
      case when n.eligible >= 50
        and portal.segment_drawn(secret, md5(p_question::text), coalesce(b.number_key, 'person ' || b.person_id)) < p_percent / 100.0::double precision
        then 'holdout' else 'campaign' end end, b.talked_at
    from best b cross join counted n;
end $$;
comment on function portal.segment_people(jsonb, integer, timestamptz) is
  'Each person who matches a question, by one lead. why: the reason why a campaign leaves the person out: opted-out, recent (got a campaign within the days of rest, from any broker), held-out (in the holdout of a campaign that is still compared), no-broker, no-number, not-on-whatsapp (the last message failed because of that), busy (the broker''s campaign is not over). Else arm: campaign or holdout. The arm is drawn from the person''s number, the question and the portal''s own key, so that asking again gives the same arm. Without p_percent, or if fewer than 50 persons may get the campaign, nobody is held out. Server only.';


-- Functions for the screen.

create function portal.count_segment(p_question jsonb, p_percent integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  question constant jsonb := portal.segment_question(p_question);
  counts jsonb;
begin
  perform portal.require_admin(), portal.segment_percent(p_percent);
  with people as materialized (
    select p.* from portal.segment_people(question, p_percent, now()) p
  )
  select jsonb_build_object(
    'matching', (select count(*) from people),
    'eligible', (select count(*) from people p where p.why is null),
    'receiving', (select count(*) from people p where p.arm = 'campaign'),
    'heldOut', (select count(*) from people p where p.arm = 'holdout'),
    'leftOut', (
      select coalesce(jsonb_object_agg(w.why, w.n), '{}')
      from (select p.why, count(*) as n from people p where p.why is not null group by 1) w),
    -- All private contacts. Only their broker knows who they are, so nobody else can say whether they match.
    'private', (select count(*) from portal.private_contacts),
    'restDays', (select s.rest_days from public.campaign_settings s where s.id),
    'brokers', (
      select coalesce(jsonb_agg(jsonb_build_object('instanceName', b."instanceName", 'count', n.n,
        'pacing', portal.pacing_of(b."instanceName", now())) order by b."instanceName"), '[]')
      from (select p.broker_id, count(*) as n from people p where p.arm = 'campaign' group by 1) n
      join public.brokers b on b.id = n.broker_id)) into counts;
  if counts -> 'matching' = '0' then
    counts := counts || jsonb_build_object('without', (
      select jsonb_build_object('condition', w.key, 'count', w.n)
      from (
        select k.key, (select count(distinct m.person_id) from portal.segment_matches(question - k.key, now()) m) as n
        from jsonb_object_keys(question) as k (key) where k.key <> 'withoutValue'
      ) w
      where w.n > 0 order by w.n desc, w.key limit 1));
  end if;
  return counts;
end $$;
comment on function portal.count_segment(jsonb, integer) is
  'How many persons match a question, and how they are divided: {matching, eligible, receiving, heldOut, leftOut (persons by reason), private (contacts that brokers marked as private, whatever the question), restDays, brokers: [{instanceName, count, pacing}], without (if nobody matches: {condition, count}, the condition whose removal lets most persons match)}. Administrators; 422 as portal.segment_question and portal.segment_percent.';

create function public.get_segment_leads(p_question jsonb, p_group text, p_percent integer default null, p_skip integer default 0) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  question constant jsonb := portal.segment_question(p_question);
begin
  perform portal.require_admin(), portal.segment_percent(p_percent);
  if p_group not in ('campaign', 'holdout', 'opted-out', 'recent', 'held-out', 'no-broker', 'no-number', 'not-on-whatsapp', 'busy') or p_group is null then
    raise exception 'Esta lista não existe.' using errcode = 'PT422', hint = 'segment.list';
  end if;
  return (
    with people as materialized (
      select p.* from portal.segment_people(question, p_percent, now()) p where p_group in (p.why, p.arm)
    ), page as (
      select p.*, c.name, c.number, c."instanceName", c.status, c.empreendimento
      from people p join public.whatsapp_contacts c on c.id = p.contact_id
      order by p.talked_at desc, p.contact_id desc limit 50 offset greatest(p_skip, 0)
    )
    select jsonb_build_object(
      'count', (select count(*) from people),
      'leads', coalesce(jsonb_agg(jsonb_build_object('id', p.contact_id, 'name', p.name, 'number', p.number, 'broker', p."instanceName",
        'status', p.status, 'development', p.empreendimento, 'talkedAt', p.talked_at) order by p.talked_at desc, p.contact_id desc), '[]'))
    from page p
  );
end $$;
comment on function public.get_segment_leads(jsonb, text, integer, integer) is
  'The persons behind one number of a segment, each by one lead: {count, leads}, 50 after p_skip, the latest conversation first. p_group: campaign (get it), holdout (drawn to get nothing), or a reason of portal.segment_people. p_percent as in the count. Private contacts have no list. Administrators; 401 and 42501 for anybody else; 422 for an unknown group or a wrong question or percentage.';
grant execute on function public.get_segment_leads(jsonb, text, integer, integer) to authenticated, service_role;

create function public.get_segments() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return jsonb_build_object(
    'segments', (
      select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'question', s.question) order by lower(s.name)), '[]')
      from portal.segments s),
    'stages', (
      select coalesce(jsonb_agg(jsonb_build_object('value', k.slug, 'label', k.name) order by k.order_index), '[]') from public.kanban_stages k),
    'developments', (
      select coalesce(jsonb_agg(jsonb_build_object('value', d.id, 'label', d.name) order by lower(d.name)), '[]')
      from public.developments d where d.archived_at is null),
    'sources', (
      select coalesce(jsonb_agg(t.source order by t.n desc, t.source), '[]')
      from (select c.source, count(*) as n from public.whatsapp_contacts c where c.source <> 'teste' group by 1) t),
    'tags', (
      select coalesce(jsonb_agg(t.tag order by t.n desc, t.tag), '[]')
      from (select u.tag, count(*) as n from public.whatsapp_contacts c, unnest(c.tags) as u (tag) group by 1 order by 2 desc, 1 limit 100) t));
end $$;
comment on function public.get_segments() is
  'The saved segments in the order of their names, and the values that conditions can have: {segments: [{id, name, question}], stages, developments: [{value, label}], sources, tags (the 100 most used)}. Administrators; 401 and 42501 for anybody else.';
grant execute on function public.get_segments() to authenticated, service_role;

create function public.segment_save(p_name text, p_question jsonb, p_id bigint default null) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  asked constant jsonb := portal.segment_question(p_question);
  wanted constant text := btrim(p_name);
  saved bigint;
begin
  perform portal.require_admin();
  if coalesce(wanted, '') = '' or length(wanted) > 60 then
    raise exception 'Dê ao segmento um nome de até 60 letras.' using errcode = 'PT422', hint = 'segment.name';
  end if;
  if p_id is null then
    perform pg_advisory_xact_lock(71302240);
    -- The same request came before, and its answer was lost.
    select s.id into saved from portal.segments s where lower(s.name) = lower(wanted) and s.question = asked;
    if found then return saved; end if;
    if (select count(*) from portal.segments) >= 50 then
      raise exception 'Já há 50 segmentos. Exclua um que não usa mais.' using errcode = 'PT422', hint = 'segment.full';
    end if;
    insert into portal.segments (name, question) values (wanted, asked) returning id into saved;
  else
    update portal.segments s set name = wanted, question = asked, changed_by = portal.actor(), changed_at = now()
    where s.id = p_id returning s.id into saved;
    if not found then
      raise exception 'Este segmento não existe mais.' using errcode = 'PT422', hint = 'segment.unknown';
    end if;
  end if;
  return saved;
exception
  when unique_violation then
    raise exception 'Já existe um segmento com este nome.' using errcode = 'PT422', hint = 'segment.taken';
end $$;
comment on function public.segment_save(text, jsonb, bigint) is
  'Saves a question under a name, or changes the segment p_id; returns its id. A repeated request creates no second segment. Administrators; 401 and 42501 for anybody else; 422, with a message for the screen, for a segment that is gone, a name that is taken, no name, beyond 50 segments, and as portal.segment_question.';
grant execute on function public.segment_save(text, jsonb, bigint) to authenticated, service_role;

create function public.segment_remove(p_id bigint) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  delete from portal.segments s where s.id = p_id;
  return found;
end $$;
comment on function public.segment_remove(bigint) is
  'Removes a saved segment; its campaigns stay. False if it was gone. Administrators; 401 and 42501 for anybody else.';
grant execute on function public.segment_remove(bigint) to authenticated, service_role;


-- Planning: in one transaction each person gets an arm, and each broker one campaign.

create function portal.segment_candidates(p_question jsonb, p_percent integer) returns table (contact_id bigint, name text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin(), portal.segment_percent(p_percent);
  return query
    select p.contact_id, c.name
    from portal.segment_people(portal.segment_question(p_question), p_percent, now()) p
    join public.whatsapp_contacts c on c.id = p.contact_id
    where p.why is null order by p.talked_at desc, p.contact_id desc;
end $$;
comment on function portal.segment_candidates(jsonb, integer) is
  'The leads of both arms. The server writes a text for each of them. Administrators; 422 as portal.count_segment. Server only.';

create function portal.planned_segment(p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return portal.begin_operation(portal.require_member(), p_operation_id);
end $$;
comment on function portal.planned_segment(uuid) is
  'The stored answer of portal.plan_segment; null if the operation is new. Administrators. Server only.';

create function portal.plan_segment(p_operation_id uuid, p_send jsonb, p_texts jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  asker uuid := portal.require_member();
  answer jsonb;
  question constant jsonb := portal.segment_question(p_send -> 'question');
  share constant integer := (p_send ->> 'percent')::integer;
  starts_at constant timestamptz := (p_send ->> 'startsAt')::timestamptz;
  send bigint;
begin
  perform portal.require_admin(), portal.segment_percent(share);
  answer := portal.begin_operation(asker, p_operation_id);
  if answer is not null then return answer; end if;
  -- Locks the brokers as portal.plan_campaign does, so that none of them plans a campaign at the same time.
  perform from public.brokers b order by b.id for no key update;
  insert into portal.segment_sends (name, question, percent, message)
  values ((select s.name from portal.segments s where s.id = (p_send ->> 'segmentId')::bigint), question, share, p_send ->> 'message')
  returning id into send;
  insert into portal.segment_arms (send_id, place, person_id, contact_id, arm)
  select send, row_number() over (order by w.place), p.person_id, p.contact_id, p.arm
  from jsonb_array_elements(p_texts) with ordinality as w (item, place)
  join portal.segment_people(question, share, now()) p on p.contact_id = (w.item ->> 'contactId')::bigint and p.why is null;
  if not exists (select from portal.segment_arms a where a.send_id = send and a.arm = 'campaign') then
    raise exception 'Ninguém combina com estas condições e pode receber agora.' using errcode = 'PT422', hint = 'campaign.no-contacts';
  end if;
  with brokers as (
    select b.id, count(*) as n
    from portal.segment_arms a
    join public.whatsapp_contacts c on c.id = a.contact_id
    join public.brokers b on b."instanceName" = c."instanceName"
    where a.send_id = send and a.arm = 'campaign' group by 1
  ), planned as (
    insert into public.remarketing_campaigns (broker_id, kanban_stage, status, message, scheduled_at, marks, media, total_contacts)
    select b.id, (select coalesce('Segmento ' || s.name, 'Segmento') from portal.segment_sends s where s.id = send),
      case when starts_at is null then 'running' else 'scheduled' end, p_send ->> 'message', starts_at,
      (p_send ->> 'marks')::boolean, nullif(p_send -> 'media', 'null'), b.n
    from brokers b order by b.id
    returning id, broker_id
  )
  update portal.segment_arms a set campaign_id = p.id
  from planned p join public.brokers b on b.id = p.broker_id join public.whatsapp_contacts c on c."instanceName" = b."instanceName"
  where a.send_id = send and a.arm = 'campaign' and a.contact_id = c.id;
  insert into public.campaign_recipients (campaign_id, contact_id, person_id, name, body)
  select a.campaign_id, a.contact_id, a.person_id, c.name, w.item ->> 'body'
  from portal.segment_arms a
  join public.whatsapp_contacts c on c.id = a.contact_id
  join jsonb_array_elements(p_texts) as w (item) on (w.item ->> 'contactId')::bigint = a.contact_id
  where a.send_id = send and a.arm = 'campaign' order by a.place;
  return portal.end_operation(asker, p_operation_id, 'segment.start', (
    select jsonb_build_object('id', send, 'receiving', count(*) filter (where a.arm = 'campaign'), 'heldOut', count(*) filter (where a.arm = 'holdout'),
      'campaigns', count(distinct a.campaign_id))
    from portal.segment_arms a where a.send_id = send));
end $$;
comment on function portal.plan_segment(uuid, jsonb, jsonb) is
  'Plans a campaign {question, percent, segmentId, message, startsAt, marks, media} to a segment, with a text for each lead of both arms [{contactId, body}]. Each broker gets one campaign. A person who no longer matches the question is left out. A retry of the operation changes nothing. Returns {id, receiving, heldOut, campaigns}. Administrators; 422 if nobody is left. Server only.';


-- What the persons of both arms did. Everybody in an arm counts, whether the campaign reached the person or not.

create function portal.segment_outcome(p_person bigint, p_assigned_at timestamptz)
returns table (answered_at timestamptz, visited_at timestamptz, won_at timestamptz, leads bigint, won jsonb)
language sql stable security definer set search_path = '' as $$
  select
    -- An opt-out does not count as an answer.
    (select to_timestamp(min(m."timestamp")) from public.whatsapp_contacts c join public.whatsapp_messages m on m.contact_id = c.id
      where c.person_id = p_person and m.type = 'incoming' and m."timestamp" >= ceil(extract(epoch from p_assigned_at))::bigint
        and not exists (
          select from portal.people p where p.id = p_person and p.opted_out_at between p_assigned_at and p_assigned_at + interval '30 days')),
    (select min(a.created_at) from public.whatsapp_contacts c join portal.actions a on a.contact_id = c.id
      where c.person_id = p_person and a.kind = 'visit' and (a.outcome is null or a.outcome in ('done', 'missed')) and a.created_at >= p_assigned_at),
    (select min(c.won_at) from public.whatsapp_contacts c where c.person_id = p_person and c.won_at >= p_assigned_at),
    (select count(*) from public.whatsapp_contacts c where c.person_id = p_person),
    (select coalesce(jsonb_agg(c.won_at order by c.won_at), '[]') from public.whatsapp_contacts c where c.person_id = p_person and c.won_at >= p_assigned_at)
$$;
comment on function portal.segment_outcome(bigint, timestamptz) is
  'What a person did after an instant, in all its leads: the first message (null if the person opted out within 30 days), the first booking of a visit that was not cancelled, and the first sale. Also how many leads the person has, and when each of them was won. Server only.';

create function portal.share_difference(p_a bigint, p_of_a bigint, p_b bigint, p_of_b bigint, out difference double precision, out low double precision, out high double precision)
language sql immutable set search_path = '' as $$
  select s.p1 - s.p2, s.p1 - s.p2 - sqrt((s.p1 - a.low) ^ 2 + (b.high - s.p2) ^ 2), s.p1 - s.p2 + sqrt((a.high - s.p1) ^ 2 + (s.p2 - b.low) ^ 2)
  from (select p_a::double precision / nullif(p_of_a, 0) as p1, p_b::double precision / nullif(p_of_b, 0) as p2) s,
    portal.wilson(p_a, p_of_a) a, portal.wilson(p_b, p_of_b) b
$$;
comment on function portal.share_difference(bigint, bigint, bigint, bigint) is
  'The first share minus the second, with its 95 % interval by Newcombe. Null if one of the shares is of 0 persons. For measures with one yes or no for each person. Server only.';

create function portal.ratio_difference(p_arms text[], p_of bigint[], p_hits bigint[], out difference double precision, out low double precision, out high double precision)
language sql immutable set search_path = '' as $$
  with told as (
    select t.arm, t.n::double precision as n, t.hits::double precision as hits from unnest(p_arms, p_of, p_hits) as t (arm, n, hits)
  ), sums as (
    select t.arm, count(*) as people, sum(t.n) as n, sum(t.hits) / nullif(sum(t.n), 0) as share from told t group by 1
  ), spread as (
    select s.arm, s.share, s.people::double precision / nullif(s.people - 1, 0) * sum((t.hits - s.share * t.n) ^ 2) / s.n ^ 2 as variance
    from sums s join told t on t.arm = s.arm group by s.arm, s.share, s.people, s.n
  )
  select c.share - h.share, c.share - h.share - 1.959963984540054 * sqrt(c.variance + h.variance), c.share - h.share + 1.959963984540054 * sqrt(c.variance + h.variance)
  from spread c, spread h where c.arm = 'campaign' and h.arm = 'holdout'
$$;
comment on function portal.ratio_difference(text[], bigint[], bigint[]) is
  'The share of hits in the arm campaign minus that in the arm holdout, with its 95 % interval. The arrays have one entry for each person: its arm, its leads (p_of) and its hits. The interval counts persons, not leads (ratio estimator of a cluster sample), because leads of one person are alike. Server only.';

-- Persons keep their arm when they are joined, separated, erased or removed.

create function portal.join_arms(p_kept bigint, p_gone bigint) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.segment_arms a set is_counted = false
  where a.person_id = p_gone and exists (
    select from portal.segment_arms k where k.send_id = a.send_id and k.person_id = p_kept);
  update portal.segment_arms a set person_id = p_kept where a.person_id = p_gone and not exists (
    select from portal.segment_arms k where k.send_id = a.send_id and k.person_id = p_kept)
$$;
comment on function portal.join_arms(bigint, bigint) is
  'Called when two persons turned out to be one. The person then counts once, in the kept person''s arm if both have one. Server only.';

create function portal.follow_arms() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.kept_person_id = new.gone_person_id then return null; end if;
  if new.undone_at is not null then
    update portal.segment_arms a set is_counted = true where a.person_id = new.gone_person_id;
    update portal.segment_arms a set person_id = new.gone_person_id
    where a.person_id = new.kept_person_id and a.contact_id = new.gone_contact_id;
  elsif not exists (
    select from public.whatsapp_contacts c where c.person_id = new.gone_person_id and c.id <> new.gone_contact_id) then
    perform portal.join_arms(new.kept_person_id, new.gone_person_id);
  end if;
  return null;
end $$;
comment on function portal.follow_arms() is
  'Trigger on portal.contact_merges: when the last lead of a person is merged, its arms go to the kept lead''s person. They go back when the merge is undone.';
create trigger follow_arms after insert or update of undone_at on portal.contact_merges
  for each row execute function portal.follow_arms();

create function portal.free_arms(p_people bigint[], p_contacts bigint[]) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.segment_arms a
  set person_id = null, contact_id = null, erased = jsonb_build_object('answered_at', o.answered_at, 'visited_at', o.visited_at,
    'won_at', o.won_at, 'leads', o.leads, 'won', o.won)
  from portal.segment_arms before
  cross join lateral portal.segment_outcome(before.person_id, before.assigned_at) o
  where (before.person_id = any (p_people) or before.contact_id = any (p_contacts)) and before.erased is null
    and a.send_id = before.send_id and a.place = before.place
$$;
comment on function portal.free_arms(bigint[], bigint[]) is
  'Makes the rows of erased persons and removed leads anonymous. What the persons did until then still counts. Server only.';



create function portal.segment_told(p_send bigint, p_days integer)
returns table (arm text, contact_id bigint, answered boolean, visits boolean, won boolean, leads bigint, sales bigint)
language sql stable security definer set search_path = '' as $$
  select a.arm, case when a.erased is null then (
      select c.id from public.whatsapp_contacts c where c.person_id = a.person_id
      order by c.id = a.contact_id desc, c.last_message_timestamp desc nulls last, c.id limit 1) end,
    coalesce(o.answered_at < u.at, false), coalesce(o.visited_at < u.at, false), coalesce(o.won_at < u.at, false), greatest(o.leads, 1),
    (select count(*) from jsonb_array_elements_text(o.won) as w (at) where w.at::timestamptz < u.at)
  from portal.segment_arms a
  cross join lateral (select a.assigned_at + make_interval(days => p_days) as at) u
  cross join lateral (
    select e.* from jsonb_to_record(a.erased) as e (answered_at timestamptz, visited_at timestamptz, won_at timestamptz, leads bigint, won jsonb)
    where a.erased is not null
    union all
    select s.* from portal.segment_outcome(a.person_id, a.assigned_at) s where a.erased is null
  ) o
  where a.send_id = p_send and a.is_counted
$$;
comment on function portal.segment_told(bigint, integer) is
  'The persons in the arms of a campaign to a segment, one row for each: the arm, one of its leads (null: removed), and what the person did within p_days. Server only.';

create function portal.segment_measures(p_send bigint, p_days integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  with told as materialized (
    select t.* from portal.segment_told(p_send, p_days) t
  ), sums as (
    select count(*) filter (where t.arm = 'campaign') as campaign, count(*) filter (where t.arm = 'holdout') as holdout, max(t.leads) as most,
      coalesce(sum(t.leads) filter (where t.arm = 'campaign'), 0)::bigint as campaign_leads,
      coalesce(sum(t.leads) filter (where t.arm = 'holdout'), 0)::bigint as holdout_leads,
      array_agg(t.arm) as arms, array_agg(t.leads) as leads, array_agg(t.sales) as sales
    from told t
  ), hits as (
    select m.place, m.measure,
      coalesce(sum(case m.place when 1 then t.answered::integer when 2 then t.visits::integer when 3 then t.won::integer else t.sales end)
        filter (where t.arm = 'campaign'), 0)::bigint as campaign,
      coalesce(sum(case m.place when 1 then t.answered::integer when 2 then t.visits::integer when 3 then t.won::integer else t.sales end)
        filter (where t.arm = 'holdout'), 0)::bigint as holdout
    from told t cross join (values (1, 'answered'), (2, 'visits'), (3, 'won'), (4, 'sales')) as m (place, measure) group by 1, 2
  ), lines as (
    select h.*, s.campaign as of_campaign, s.holdout as of_holdout, least(s.campaign, s.holdout) as fewest, d.*
    from hits h cross join sums s cross join lateral portal.share_difference(h.campaign, s.campaign, h.holdout, s.holdout) d
    where h.place < 4
    union all
    -- This line appears only if a person has several leads; otherwise it would repeat the line before.
    select h.*, s.campaign_leads, s.holdout_leads, least(s.campaign, s.holdout), d.*
    from hits h cross join sums s cross join lateral portal.ratio_difference(s.arms, s.leads, s.sales) d
    where h.place = 4 and s.most > 1
  )
  select coalesce(jsonb_agg(jsonb_build_object('measure', l.measure,
      'campaign', jsonb_build_array(l.campaign, l.of_campaign), 'holdout', jsonb_build_array(l.holdout, l.of_holdout))
    || case when l.fewest < 30 then '{}' else jsonb_build_object(
      'rates', jsonb_build_array(portal.rate(l.campaign, l.of_campaign), portal.rate(l.holdout, l.of_holdout)),
      'difference', round((100 * l.difference)::numeric, 1),
      'range', jsonb_build_array(round((100 * l.low)::numeric, 1), round((100 * l.high)::numeric, 1))) end
    || case when l.fewest < 30 or p_days < 30 then '{}' else jsonb_build_object(
      'verdict', case when l.low > 0 then 'more' when l.high < 0 then 'less' else 'open' end) end
    order by l.place), '[]')
  from lines l
$$;
comment on function portal.segment_measures(bigint, integer) is
  'What both arms did within p_days: answered, visits (booked) and won, each as [persons, of persons]. If a person has several leads, also sales as [leads, of leads]. With 30 persons in each arm also rates, the difference in percentage points and its 95 % interval. A verdict (more, less, open) is given only for 30 days, because judging several times finds effects that do not exist. Server only.';

create function portal.segment_days(p_assigned_at timestamptz, p_now timestamptz) returns integer
language sql immutable set search_path = '' as $$
  select case when p_now >= p_assigned_at + interval '720 hours' then 30 when p_now >= p_assigned_at + interval '336 hours' then 14 end
$$;
comment on function portal.segment_days(timestamptz, timestamptz) is
  'For how many days a comparison can be shown: 14, later 30. Null: it is too early. Server only.';

create function public.get_segment_sends(p_skip integer default 0) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    with page as (
      select s.* from portal.segment_sends s order by s.id desc limit 20 offset greatest(p_skip, 0)
    ), arms as (
      select a.send_id, count(*) filter (where a.arm = 'campaign') as receiving, count(*) filter (where a.arm = 'holdout') as held_out,
        array_agg(distinct a.campaign_id) filter (where a.campaign_id is not null) as campaigns
      from portal.segment_arms a where a.send_id in (select p.id from page p) and a.is_counted group by 1
    )
    select jsonb_build_object(
      'count', (select count(*) from portal.segment_sends),
      'sends', coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'message', p.message, 'by', p.sent_by,
        'assignedAt', p.assigned_at, 'shownAt', p.assigned_at + interval '336 hours', 'judgedAt', p.assigned_at + interval '720 hours',
        'receiving', coalesce(a.receiving, 0), 'heldOut', coalesce(a.held_out, 0), 'days', portal.segment_days(p.assigned_at, now()),
        'sent', (select coalesce(sum(c.processed_contacts), 0) from public.remarketing_campaigns c where c.id = any (a.campaigns)),
        'isOver', not exists (
          select from public.remarketing_campaigns c where c.id = any (a.campaigns) and c.status in ('scheduled', 'running', 'paused')))
        order by p.id desc), '[]'))
    from page p left join arms a on a.send_id = p.id
  );
end $$;
comment on function public.get_segment_sends(integer) is
  'Campaigns to segments, the newest first: {count, sends}, 20 after p_skip, each {id, name, message, by, assignedAt, shownAt, judgedAt, receiving, heldOut, days (portal.segment_days), sent, isOver}. Administrators; 401 and 42501 for anybody else.';
grant execute on function public.get_segment_sends(integer) to authenticated, service_role;

create function public.get_segment_result(p_send bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  send portal.segment_sends;
  days integer;
begin
  perform portal.require_admin();
  select s.* into send from portal.segment_sends s where s.id = p_send;
  if not found then
    raise exception 'Esta campanha não existe mais.' using errcode = 'PT404', hint = 'segment.unknown';
  end if;
  days := portal.segment_days(send.assigned_at, now());
  return jsonb_build_object('days', days, 'measures', case when days is null then '[]' else portal.segment_measures(p_send, days) end);
end $$;
comment on function public.get_segment_result(bigint) is
  'What a campaign to a segment achieved compared with its holdout: {days (portal.segment_days), measures (portal.segment_measures within these days)}. Before 14 days there are no measures. Administrators; 401 and 42501 for anybody else; 404 for an unknown campaign.';
grant execute on function public.get_segment_result(bigint) to authenticated, service_role;

create function public.get_segment_result_leads(p_send bigint, p_measure text, p_arm text, p_skip integer default 0) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  days integer;
begin
  perform portal.require_admin();
  select portal.segment_days(s.assigned_at, now()) into days from portal.segment_sends s where s.id = p_send;
  if days is null or p_arm not in ('campaign', 'holdout') or p_measure not in ('assigned', 'answered', 'visits', 'won', 'sales')
    or p_arm is null or p_measure is null then
    raise exception 'Esta lista não existe.' using errcode = 'PT422', hint = 'segment.list';
  end if;
  return (
    with told as materialized (
      select t.contact_id from portal.segment_told(p_send, days) t
      where t.arm = p_arm and case p_measure when 'answered' then t.answered when 'visits' then t.visits when 'won' then t.won
        when 'sales' then t.sales > 0 else true end
    ), page as (
      select c.* from told t join public.whatsapp_contacts c on c.id = t.contact_id
      order by c.last_message_timestamp desc nulls last, c.id desc limit 50 offset greatest(p_skip, 0)
    )
    select jsonb_build_object(
      'count', (select count(*) from told t where t.contact_id is not null), 'gone', (select count(*) from told t where t.contact_id is null),
      'leads', coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'number', p.number, 'broker', p."instanceName",
        'status', p.status, 'development', p.empreendimento,
        'talkedAt', coalesce(to_timestamp(p.last_message_timestamp), p.created_at)) order by p.last_message_timestamp desc nulls last, p.id desc), '[]'))
    from page p
  );
end $$;
comment on function public.get_segment_result_leads(bigint, text, text, integer) is
  'The persons behind a number of get_segment_result, each by one lead: {count, gone (removed or erased since; they count but cannot be shown), leads}, 50 after p_skip. p_measure: assigned, answered, visits, won, sales; p_arm: campaign or holdout. Administrators; 401 and 42501 for anybody else; 422 for an unknown list, and before 14 days.';
grant execute on function public.get_segment_result_leads(bigint, text, text, integer) to authenticated, service_role;
