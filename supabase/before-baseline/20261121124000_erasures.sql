-- What is left of a person whose data were erased: that the number is never written to by campaigns, that nothing of before comes
-- back, and which files are still to go (PRODUCT.md 4.1, 4.5; LGPD art. 18).

create table portal.erasures (
  hash bytea primary key,
  erased_at timestamptz not null default now()
);
comment on table portal.erasures is
  'Numbers, hidden ids and late message ids of erased persons, as keyed hashes: what the gateway still holds of them is not taken in again.';
create index erasures_age on portal.erasures (erased_at);
comment on index portal.erasures_age is 'Serves the question whether anybody was erased since a message was written.';
alter table portal.erasures enable row level security;

create table portal.media_removals (
  media_id text primary key check (media_id ~ '^[0-9a-f]{64}$'),
  noted_at timestamptz not null default now()
);
comment on table portal.media_removals is
  'Files that lost a message for good: each is removed once nothing refers to it any more. Written with the deed, emptied by the portal.';
alter table portal.media_removals enable row level security;

alter table portal.media add column put_at timestamptz not null default now();
comment on column portal.media.put_at is 'When these bytes were last put: who did so is about to refer to them.';

create index messages_media on public.whatsapp_messages ((content ->> 'mediaId')) where content ->> 'mediaId' is not null;
comment on index public.messages_media is 'Serves the question whether a file is still of use.';

create function portal.media_is_used(p_media text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.whatsapp_messages m where m.content ->> 'mediaId' = p_media)
    or exists (select from public.remarketing_campaigns c where c.media ->> 'mediaId' = p_media)
    or exists (select from portal.webhook_inbox i where strpos(i.body, 'stored:' || p_media) > 0)
$$;
comment on function portal.media_is_used(text) is 'Whether a message, a campaign or a delivery that waits refers to a file. Server only.';

-- A person who is gone is still one in the counts of a campaign, and nobody can say who.
alter table public.campaign_recipients
  alter column person_id drop not null,
  add column erased_delivery text check (erased_delivery in ('sent', 'delivered', 'read', 'failed', 'unknown')),
  add column erased_answer text check (erased_answer in ('answered', 'opted-out'));
comment on column public.campaign_recipients.erased_delivery is 'How far the line came, of a person whose data were erased with it.';
comment on column public.campaign_recipients.erased_answer is 'What came back within 72 hours, of a person whose data were erased.';

-- Planned into the query that asks.
create function portal.answers_campaign(p_contact bigint, p_accepted_at timestamptz) returns boolean
language sql stable as $$
  select exists (
    select from public.whatsapp_messages a
    where a.contact_id = p_contact and a.type = 'incoming'
      -- Whole seconds, as messages have them: only so does the index serve.
      and a."timestamp" between ceil(extract(epoch from p_accepted_at))::bigint
        and floor(extract(epoch from p_accepted_at + interval '72 hours'))::bigint)
$$;
comment on function portal.answers_campaign(bigint, timestamptz) is
  'Whether a contact wrote within 72 hours of a campaign''s line that was taken then. Server only.';

-- Who wrote as a hidden id only and comes back has not forgotten the wish to be left alone either.
create function portal.keep_hidden_opt_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update portal.people p set opted_out_at = o.opted_out_at
  from portal.opt_outs o
  where p.id = new.person_id and p.opted_out_at is null and o.number_hash = portal.opt_out_hash(new.jid);
  return null;
end $$;
comment on function portal.keep_hidden_opt_out() is 'Trigger: a hidden id that belonged to an erased person is sent no campaign.';
create trigger keep_hidden_opt_out after insert on portal.identities
  for each row when (new.jid like '%@lid') execute function portal.keep_hidden_opt_out();

create function portal.was_erased(event jsonb) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  newest timestamptz := (select max(e.erased_at) from portal.erasures e);
  address text;
  of_person timestamptz;
begin
  if newest is null then return false; end if;
  if event ->> 'event' = 'message' then
    -- What is written after the last erasure is nobody's past.
    if (event ->> 'sentAtSeconds')::bigint > extract(epoch from newest) then return false; end if;
    for address in select jsonb_array_elements_text(event #> '{chat,jids}') loop
      select e.erased_at into of_person from portal.erasures e
      where e.hash = portal.opt_out_hash(coalesce(portal.number_key(address), address));
      if (event ->> 'sentAtSeconds')::bigint <= extract(epoch from of_person) then return true; end if;
    end loop;
  elsif event ->> 'event' = 'name' then
    return exists (select from portal.erasures e
      where e.hash = portal.opt_out_hash(coalesce(portal.number_key(event ->> 'jid'), event ->> 'jid')));
  elsif event ->> 'event' = 'edit' and exists (
    select from portal.erasures e
    where e.hash = portal.opt_out_hash(coalesce(portal.number_key(event ->> 'jid'), event ->> 'jid'))
      and e.erased_at >= portal.from_ms(event ->> 'atMs')) then
    return true;
  end if;
  return exists (select from portal.erasures e where e.hash = portal.opt_out_hash(event ->> 'messageId'));
end $$;
comment on function portal.was_erased(jsonb) is
  'Whether an event is of the past of an erased person: a message not newer than the erasure, or what belongs to one of its messages; a name, for as long as nobody is known there. Server only.';

create or replace function portal.apply_event(instance text, event jsonb) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  is_applied boolean := true;
begin
  case event ->> 'event'
    when 'message' then
      if portal.was_erased(event) then
        insert into portal.media_removals (media_id)
        select event #>> '{content,mediaId}' where event #>> '{content,mediaId}' is not null on conflict do nothing;
        return null;
      end if;
      return portal.apply_message(instance, event);
    when 'link' then return portal.apply_link(instance, event);
    when 'qr' then perform portal.apply_qr(instance, event);
    when 'ack' then is_applied := portal.apply_ack(instance, event);
    when 'edit' then is_applied := portal.apply_edit(instance, event);
    when 'revoke' then is_applied := portal.apply_revoke(instance, event);
    when 'reaction' then is_applied := portal.apply_reaction(instance, event);
    when 'name' then is_applied := portal.apply_name(instance, event);
  end case;
  if not is_applied and not portal.was_erased(event) then perform portal.keep_waiting(instance, event); end if;
  return null;
end $$;

-- Stored answers say whose words they repeat, so that they go with the lead. Those of before are forgotten early: told again, the
-- same words change nothing.

delete from portal.applied_operations where kind in ('lead.note', 'lead.rename');

create or replace function public.save_lead_notes(
  p_contact_id bigint, p_notes text, p_base_notes text default null, p_operation_id uuid default null,
  p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  wanted text := nullif(btrim(p_notes, E' \t\r\n'), '');
  standing text;
  lead bigint;
  code text := 'saved';
begin
  if answer is not null then return answer - 'contact_id'; end if;
  if length(wanted) > 10000 then
    raise exception 'A nota pode ter até 10.000 caracteres.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  select c.notes into standing from public.whatsapp_contacts c where c.id = lead for no key update;
  if not found then code := 'unknown_lead';
  elsif standing is not distinct from wanted then code := 'already';
  elsif coalesce(btrim(standing, E' \t\r\n'), '') <> btrim(p_base_notes, E' \t\r\n') then code := 'conflict';
  else
    update public.whatsapp_contacts set notes = wanted where id = lead;
    standing := wanted;
  end if;
  return portal.end_operation(account, p_operation_id, 'lead.note',
    portal.words_answer(code, 'A nota mudou', standing) || jsonb_build_object('contact_id', lead)) - 'contact_id';
end $$;

create or replace function public.rename_lead(
  p_contact_id bigint, p_name text, p_base_name text default null, p_operation_id uuid default null,
  p_number_lead text default null, p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  wanted text := nullif(btrim(regexp_replace(p_name, '\s+', ' ', 'g')), '');
  standing text;
  lead bigint;
  code text := 'saved';
begin
  if answer is not null then return answer - 'contact_id'; end if;
  if length(wanted) > 200 then
    raise exception 'O nome pode ter até 200 caracteres.' using errcode = 'PT422';
  end if;
  lead := portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead);
  select c.name into standing from public.whatsapp_contacts c where c.id = lead for no key update;
  if not found then code := 'unknown_lead';
  elsif standing is not distinct from wanted then code := 'already';
  elsif coalesce(btrim(standing), '') <> btrim(p_base_name) then code := 'conflict';
  else
    update public.whatsapp_contacts set name = wanted where id = lead;
    standing := wanted;
  end if;
  return portal.end_operation(account, p_operation_id, 'lead.rename',
    portal.words_answer(code, 'O nome mudou', standing) || jsonb_build_object('contact_id', lead)) - 'contact_id';
end $$;
