-- Brokers react to messages.

create or replace function portal.due_queues() returns setof text
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.lose_claims();
  return query
    select c."instanceName"
    from portal.outgoing o
    join public.whatsapp_messages m on m.id = o.message_id
    join public.whatsapp_contacts c on c.id = m.contact_id
    left join portal.send_queues q on q."instanceName" = c."instanceName"
    where o.claimed_at is null and (q.held_until is null or q.held_until <= clock_timestamp())
    union
    select m."instanceName"
    from portal.outgoing_reactions r
    join public.whatsapp_messages m on m.id = r.message_id
    left join portal.send_queues q on q."instanceName" = m."instanceName"
    where q.held_until is null or q.held_until <= clock_timestamp();
end $$;
comment on function portal.due_queues() is 'Instances with lines or reactions that can be sent now. Server only.';

create table portal.outgoing_reactions (
  message_id bigint primary key references public.whatsapp_messages on delete cascade,
  place bigint generated always as identity,
  emoji text not null,
  before jsonb,
  queued_at timestamptz not null default clock_timestamp()
);
comment on table portal.outgoing_reactions is
  'Reactions that are still to be sent, by the number whose message it is. A row goes with its settling.';
comment on column portal.outgoing_reactions.place is 'The order of sending; another reaction to the same message goes last.';
comment on column portal.outgoing_reactions.emoji is 'Empty: the reaction is taken back.';
comment on column portal.outgoing_reactions.before is 'What stands there again if the gateway refuses it; null: none.';
alter table portal.outgoing_reactions enable row level security;

create function public.message_react(
  p_contact_id bigint, p_message_id bigint, p_emoji text,
  p_operation_id uuid default null, p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead bigint;
  target public.whatsapp_messages;
  turn bigint;
  code text := 'already';
begin
  if answer is not null then return answer; end if;
  if p_emoji is null or length(p_emoji) > 16 or p_emoji ~ '[ -~]' then
    raise exception 'Escolha uma reação.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  if not portal.lock_lead(lead) then
    code := 'unknown_lead';
  else
    -- The message before its place in the queue, as the one who sends does, so that they never wait for each other.
    select m.* into target
    from public.whatsapp_messages m join public.whatsapp_contacts c on c.id = m.contact_id and c."instanceName" = m."instanceName"
    where m.id = p_message_id and m.contact_id = lead and m.message_id is not null and m.deleted_at is null
    for update of m;
    if not found then
      code := 'gone';
    elsif coalesce(target.reactions #>> '{me,emoji}', '') <> p_emoji then
      insert into portal.outgoing_reactions (message_id, emoji, before) values (target.id, p_emoji, target.reactions -> 'me')
      on conflict (message_id) do update set emoji = excluded.emoji, place = default
      returning place into turn;
      update public.whatsapp_messages
      set reactions = reactions || jsonb_build_object('me', jsonb_build_object(
        'emoji', p_emoji, 'id', 'portal-' || turn,
        'at', greatest(extract(epoch from now())::bigint, (target.reactions #>> '{me,at}')::bigint)))
      where id = target.id;
      code := 'saved';
    end if;
  end if;
  return portal.end_operation(account, p_operation_id, 'message.react', jsonb_build_object(
    'success', code in ('saved', 'already'), 'code', code,
    'message', case code
      when 'unknown_lead' then 'Lead não encontrado.'
      when 'gone' then 'Não dá mais para reagir a esta mensagem.'
    end));
end $$;
comment on function public.message_react(bigint, bigint, text, uuid, text, text) is
  'Reacts to a message of an own lead, or with an empty emoji takes the reaction back, once an operation: {success, code (saved, already, unknown_lead, gone: deleted, not sent yet, or of a number that is not the owner''s), message}. PT422 where it is no emoji. Brokers and administrators.';
revoke execute on function public.message_react(bigint, bigint, text, uuid, text, text) from public, anon;
grant execute on function public.message_react(bigint, bigint, text, uuid, text, text) to authenticated, service_role;

create function portal.claim_reaction(instance text, claimer uuid, lease_seconds integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  queue portal.send_queues;
  answer jsonb;
begin
  select jsonb_build_object('id', r.message_id, 'turn', r.place, 'emoji', r.emoji, 'messageId', m.message_id,
    'isOwn', m.type = 'outgoing', 'jid', coalesce(m."remoteJid", portal.number_to_send(portal.address_of(m.contact_id, instance))))
  into answer
  from portal.outgoing_reactions r join public.whatsapp_messages m on m.id = r.message_id
  where m."instanceName" = instance and m.message_id is not null
  order by r.place limit 1;
  if not found then return null; end if;
  insert into portal.send_queues ("instanceName") select "instanceName" from public.brokers where "instanceName" = instance
  on conflict do nothing;
  select * into queue from portal.send_queues where "instanceName" = instance for update;
  if not found or queue.held_until > clock_timestamp() then return null; end if;
  if queue.holder <> claimer and queue.leased_until > clock_timestamp() then return null; end if;
  update portal.send_queues set holder = claimer, leased_until = clock_timestamp() + make_interval(secs => lease_seconds)
  where "instanceName" = instance;
  return answer;
end $$;
comment on function portal.claim_reaction(text, uuid, integer) is
  'The next reaction of an instance for the portal that sends it, {id, turn, emoji, messageId, isOwn, jid}; null while another portal sends, while the queue is held, and when there is none. Server only.';

create function portal.settle_reaction(message bigint, turn bigint, sent_emoji text, gateway_id text, sent_at_seconds bigint, is_refused boolean)
returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  mine constant text := 'portal-' || turn;
  sent portal.outgoing_reactions;
begin
  perform from public.whatsapp_messages m where m.id = message for update;
  delete from portal.outgoing_reactions r where r.message_id = message and r.place = turn returning * into sent;
  if sent.message_id is null then
    -- Another one came meanwhile: should that be refused, this one stands.
    update portal.outgoing_reactions r
    set before = jsonb_build_object('emoji', sent_emoji, 'at', sent_at_seconds, 'id', gateway_id)
    where r.message_id = message and gateway_id is not null;
    return;
  end if;
  update public.whatsapp_messages m
  set reactions = case
    when not is_refused then m.reactions || jsonb_build_object('me',
      (m.reactions -> 'me') || jsonb_strip_nulls(jsonb_build_object('id', gateway_id, 'at', sent_at_seconds)))
    when sent.before is null then m.reactions - 'me'
    else m.reactions || jsonb_build_object('me', sent.before)
  end
  -- What the phone reported since is newer.
  where m.id = message and m.reactions #>> '{me,id}' = mine;
  update portal.send_queues q set held_times = 0 where q.held_times > 0 and gateway_id is not null
    and q."instanceName" = (select m."instanceName" from public.whatsapp_messages m where m.id = message);
end $$;
comment on function portal.settle_reaction(bigint, bigint, text, text, bigint, boolean) is
  'The end of a reaction: taken under the gateway''s id, of unknown end (no id; it stays as it is shown), or refused: what stood there before stands again. Server only.';

create function portal.hold_reactions(instance text, most_seconds integer) returns void
language sql volatile security definer set search_path = '' as $$
  update portal.send_queues
  set leased_until = null, held_times = held_times + 1,
    held_until = clock_timestamp() + make_interval(secs => least(most_seconds, 5 * 2 ^ least(held_times, 10)))
  where "instanceName" = instance
$$;
comment on function portal.hold_reactions(text, integer) is
  'Nothing can be sent for an instance now: its reactions wait with its lines, each time twice as long up to a limit. Server only.';
