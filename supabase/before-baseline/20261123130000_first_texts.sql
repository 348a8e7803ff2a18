-- First texts to a number that never wrote: what a WhatsApp account is blocked for. One daily limit a chip, whether the text is
-- written by hand, by the API or by the wire; never to somebody who asked to be left alone or whose data were erased.

create table portal.first_text_days (
  number text not null,
  day date not null,
  sent integer not null check (sent > 0),
  primary key (number, day)
);
comment on table portal.first_text_days is
  'How many conversations each phone number of ours began on each day of the portal''s zone: the daily limit of first texts.';
comment on column portal.first_text_days.number is 'As portal.phone_of tells it.';
alter table portal.first_text_days enable row level security;

create function portal.first_texts_a_day() returns integer
language sql stable security definer set search_path = '' as $$
  select coalesce((select (s.value #>> '{}')::integer from portal.settings s where s.key = 'first_texts_a_day'), 50)
$$;
comment on function portal.first_texts_a_day() is
  'How many conversations a chip may begin in a day: the setting first_texts_a_day, else 50. Server only.';

create function portal.begin_conversation(p_lead bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  chip text;
  most integer := portal.first_texts_a_day();
begin
  if exists (
    select from public.whatsapp_messages m
    where m.contact_id = p_lead and (m.type = 'incoming' or m.delivery <> 'failed')) then
    return;
  end if;
  select portal.phone_of(c."instanceName") into chip from public.whatsapp_contacts c where c.id = p_lead;
  if exists (
    select from public.whatsapp_contacts c join portal.people p on p.id = c.person_id
    where c.id = p_lead and p.opted_out_at is not null) then
    raise exception 'Esta pessoa pediu para não receber mensagens. Só responda se ela escrever.'
      using errcode = 'PT409', hint = 'lead.opted-out';
  end if;
  insert into portal.first_text_days as d (number, day, sent)
  select chip, (now() at time zone portal.time_zone())::date, 1 where most > 0
  on conflict (number, day) do update set sent = d.sent + 1 where d.sent < most;
  if not found then
    raise exception 'Este WhatsApp já começou % conversas hoje com quem nunca escreveu. Para não ser bloqueado, continue amanhã ou espere a pessoa escrever.', most
      using errcode = 'PT409', hint = 'message.first-texts';
  end if;
end $$;
comment on function portal.begin_conversation(bigint) is
  'Counts the first text to a lead who never wrote, under the daily limit of the owner''s chip; nothing where there is a conversation already. 409 beyond the limit, and for who opted out. Server only.';

create or replace function portal.queue_message(p_lead jsonb, p_operation_id uuid, p_line jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.stored_line(p_operation_id);
  lead bigint;
  sender_jid text;
  line bigint;
begin
  if answer is not null then return answer; end if;
  lead := portal.lead_to_write(p_lead ->> 'brokerName', (p_lead ->> 'contactId')::bigint, p_lead ->> 'number');
  perform portal.begin_conversation(lead);
  select s.owner_jid into sender_jid
  from public.whatsapp_contacts c join portal.instance_states s using ("instanceName") where c.id = lead;
  insert into public.whatsapp_messages
    (contact_id, "instanceName", "from", from_number, body, "timestamp", type, kind, author, delivery, content, quoted,
     operation_id, written_at)
  select
    lead, c."instanceName", sender_jid, split_part(split_part(sender_jid, '@', 1), ':', 1), p_line ->> 'body',
    extract(epoch from now())::bigint, 'outgoing', p_line ->> 'kind', 'human', 'queued',
    nullif(p_line -> 'content', 'null'), portal.quote_of(lead, (p_line ->> 'quotedMessageId')::bigint),
    p_operation_id,
    case when (p_line ->> 'writtenAt')::timestamptz < now() - interval '1 minute' then (p_line ->> 'writtenAt')::timestamptz end
  from public.whatsapp_contacts c where c.id = lead
  returning id into line;
  return portal.keep_line(p_operation_id, line);
end $$;
