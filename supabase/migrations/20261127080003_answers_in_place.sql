-- What a lead writes while an answer is on its way to the phone is heard: it stands after that answer, whenever the phone sent it.
create or replace function portal.turn_lines(p_contact_id bigint, p_up_to bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('by', case line.type when 'incoming' then 'lead' else line.author end,
    'kind', line.kind, 'text', left(coalesce(heard.body, line.body), 2000)) order by line.said_at, line.id), '[]')
  from (
    -- An answer follows what its turn had read: what the lead wrote while it was on its way to the phone is not answered by it.
    select m.*, least(m."timestamp", (
      select max(r."timestamp") from portal.agent_turns t
      join public.whatsapp_messages r on r.contact_id = t.contact_id and r.id <= t.base_message
      where t.contact_id = m.contact_id and t.message_id = m.id)) as said_at
    from public.whatsapp_messages m
    where m.contact_id = p_contact_id and m.id <= p_up_to and m.deleted_at is null and m.delivery is distinct from 'failed'
    order by m."timestamp" desc, m.id desc limit 30
  ) line
  left join portal.transcripts heard on heard.message_id = line.id
$$;
comment on function portal.turn_lines(bigint, bigint) is
  'The last thirty lines of a conversation up to a message, the oldest first and an answer of the agent before what its turn had not read: [{by (lead, human, agent, campaign), kind, text (of a voice message what was heard in it)}]. Server only.';
