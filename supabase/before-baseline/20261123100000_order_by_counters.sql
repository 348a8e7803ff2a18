-- What decides which of two things came later is a counter, for a clock says the same time twice: to the millisecond in the
-- embedded engine, to the second in what WhatsApp tells.

-- What is known of a link: by its number a look at it sees that something was told meanwhile.
create sequence portal.link_changes as bigint;
alter table portal.instance_states
  add column change_number bigint not null default nextval('portal.link_changes');
alter sequence portal.link_changes owned by portal.instance_states.change_number;
revoke all on sequence portal.link_changes from anon, authenticated, service_role;
comment on column portal.instance_states.change_number is
  'Another one each time the state is told, be it the same again: who asked before and finds another number has older news.';

create function portal.number_link_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.change_number := nextval('portal.link_changes');
  return new;
end $$;
comment on function portal.number_link_change() is 'Trigger on portal.instance_states: a number for each state told.';
revoke execute on function portal.number_link_change() from public, anon, authenticated, service_role;
create trigger number_link_change before update of state on portal.instance_states
  for each row execute function portal.number_link_change();

-- An answer of the very second in which a lead was given counts only when it was written after.
alter table portal.roleta_cases add column since_message bigint not null default 0;
comment on column portal.roleta_cases.since_message is
  'The newest message of the lead when its broker''s time to answer began: of the second of since, what came after it counts.';

create function portal.note_since_message() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.since_message := coalesce((
    -- Found by the conversation's index, and not by looking for the lead among the newest of all messages.
    select max(own.id) from (
      select m.id from public.whatsapp_messages m where m.contact_id = new.contact_id offset 0) own), 0);
  return new;
end $$;
comment on function portal.note_since_message() is
  'Trigger on portal.roleta_cases: which message was the newest when a broker''s time to answer began.';
revoke execute on function portal.note_since_message() from public, anon, authenticated, service_role;
create trigger note_since_message before update of since on portal.roleta_cases
  for each row when (new.state = 'watched') execute function portal.note_since_message();

create or replace function portal.case_to_decide(p_case bigint, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c portal.roleta_cases;
  r public.roletas;
  theirs text;
  ended text;
begin
  perform portal.take_roleta_turn();
  perform set_config('portal.roleta', 'on', true);
  select * into c from portal.roleta_cases k where k.id = p_case and (k.next_at <= p_now or k.state = 'pool');
  if not found then return null; end if;
  if c.state = 'watched' then
    ended := case when exists (
      select from public.whatsapp_messages m
      where m.contact_id = c.contact_id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
        and m."timestamp" >= floor(extract(epoch from c.since))
        and (m."timestamp" > floor(extract(epoch from c.since)) or m.id > c.since_message)
    ) then 'answered' else 'unanswered' end;
  elsif c.state = 'offered' then
    ended := 'expired';
  end if;
  if ended is distinct from 'unanswered' then theirs := portal.keeper_of(c.contact_id); end if;
  -- Out of the bolsão by itself it goes to nobody else.
  if c.state = 'pool' and theirs is null then return null; end if;
  if c.roleta_id is null then c.roleta_id := portal.roleta_of(c.development); end if;
  select * into r from public.roletas k where k.id = c.roleta_id and k.ativa;
  if ended = 'unanswered' and r.id is null then
    -- A rotation that is switched off takes nothing away.
    ended := null;
    theirs := portal.keeper_of(c.contact_id);
  end if;
  return jsonb_build_object(
    'id', c.id, 'contactId', c.contact_id, 'state', c.state, 'nextAt', c.next_at,
    'ended', ended, 'holder', c.holder, 'theirs', theirs, 'hops', cardinality(c.tried),
    'moment', portal.moment_of(p_now),
    'roleta', case when r.id is not null then jsonb_build_object(
      'id', r.id, 'needsAcceptance', r.needs_acceptance, 'maxHops', r.max_hops,
      'seats', portal.roleta_seats(r.id, c.tried, p_now)) end);
end $$;

-- The first answer comes after the first message of the lead, also within one second.
create or replace function portal.carry(contacts bigint[]) returns void
language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
begin
  -- One order for all writers, and after the wait a snapshot that has what the one before wrote.
  perform from public.whatsapp_contacts c where c.id = any (contacts) order by c.id for no key update;
  update public.whatsapp_contacts c
  set
    last_message_id = newest.id,
    last_message_body = newest.body,
    last_message_timestamp = newest."timestamp",
    last_message_type = newest.type,
    last_message_kind = newest.kind,
    last_message_delivery = newest.delivery,
    unread_count = unread.count,
    first_incoming_at = to_timestamp(incoming."timestamp"),
    first_response_at = to_timestamp(response."timestamp")
  from unnest(contacts) as touched (id)
  left join lateral (
    select m.id, left(m.body, 300) as body, m."timestamp", m.type, m.kind, m.delivery
    from public.whatsapp_messages m where m.contact_id = touched.id
    order by m."timestamp" desc, m.id desc limit 1
  ) newest on true
  cross join lateral (
    select count(*)::integer from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'incoming' and not m.read
  ) unread (count)
  left join lateral (
    select m."timestamp", m.id from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'incoming'
    order by m."timestamp", m.id limit 1
  ) incoming on true
  left join lateral (
    select m."timestamp" from public.whatsapp_messages m
    where m.contact_id = touched.id and m.type = 'outgoing' and m.author = 'human' and m.delivery <> 'failed'
      and m."timestamp" >= incoming."timestamp" and (m."timestamp" > incoming."timestamp" or m.id > incoming.id)
    order by m."timestamp", m.id limit 1
  ) response on true
  where c.id = touched.id
    and (c.last_message_id, c.last_message_body, c.last_message_timestamp, c.last_message_type, c.last_message_kind,
        c.last_message_delivery, c.unread_count, c.first_incoming_at, c.first_response_at)
      is distinct from (newest.id, newest.body, newest."timestamp", newest.type, newest.kind,
        newest.delivery, unread.count, to_timestamp(incoming."timestamp"), to_timestamp(response."timestamp"));
end $$;

-- Who got a lead last stands last in the log.
create or replace view portal.distributed_leads with (security_invoker = true) as
select
  e.case_id as id,
  c.name as nome_lead,
  c.number as number_lead,
  e.at as created_at,
  coalesce(r.empreendimento, k.development, '') as empreendimento,
  e."instanceName" as broker_name,
  e.id as event_id
from portal.roleta_events e
join portal.roleta_cases k on k.id = e.case_id
join public.whatsapp_contacts c on c.id = k.contact_id
left join public.roletas r on r.id = k.roleta_id
where e.kind in ('given', 'accepted', 'claimed');

create or replace function public.get_distributed_leads(
  p_data_inicio timestamp default null,
  p_data_fim timestamp default null
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  span record := portal.period(p_data_inicio, p_data_fim);
begin
  if not (portal.is_admin() or portal.is_service()) then
    return json_build_object('total', 0, 'leads', json_build_array());
  end if;
  return (
    with leads as materialized (
      select distinct on (d.id) d.id, d.nome_lead, d.number_lead, d.created_at, d.empreendimento, d.broker_name
      from portal.distributed_leads d
      where d.created_at >= span.starts_at and d.created_at < span.ends_at
      order by d.id, d.event_id desc
    )
    select json_build_object(
      'total', (select count(*) from leads),
      'leads', (select coalesce(json_agg(x), '[]') from (
        select * from leads l order by l.created_at desc, l.id desc limit 2000) x)
    )
  );
end $$;
