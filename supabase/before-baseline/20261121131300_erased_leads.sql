-- What a device still holds for an erased person goes from there, too, and is never sent to her under a later contact (PRODUCT.md 4.4; LGPD art. 18).

create or replace function portal.remember_erasure(s portal.subject) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.erasures (hash)
  select portal.opt_out_hash(word)
  from (
    select unnest((s).keys) as word
    union select jid from unnest((s).addresses) as jid where jid like '%@lid'
    -- WhatsApp lets a message be edited for a quarter of an hour; a link that was down tells of it later.
    union select m.message_id from public.whatsapp_messages m
    where m.contact_id = any ((s).contacts) and m.created_at > now() - interval '3 days' and m.message_id is not null
    union select 'intake ' || i.external_id from portal.lead_intakes i
    where i.contact_id = any ((s).contacts) and i.external_id is not null
    -- By which devices know her, those of before a merge too.
    union select 'lead ' || id from unnest((s).contacts || (s).former_contacts) as id
  ) words
  on conflict (hash) do update set erased_at = excluded.erased_at;
  insert into portal.opt_outs (number_hash, opted_out_at)
  select portal.opt_out_hash(word), now()
  from (select unnest((s).keys) as word union select jid from unnest((s).addresses) as jid where jid like '%@lid') words
  on conflict do nothing
$$;

create function portal.lead_was_erased(p_contact bigint) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from portal.erasures e where e.hash = portal.opt_out_hash('lead ' || p_contact))
$$;
comment on function portal.lead_was_erased(bigint) is 'Whether a contact went with all that was held about its person. Server only.';

create or replace function portal.find_lead(p_board text, p_contact_id bigint, p_number text) returns bigint
language plpgsql stable set search_path = '' as $$
declare
  found_id bigint;
begin
  select c.id into found_id
  from public.whatsapp_contacts c
  where c.id = p_contact_id and (c."instanceName" = p_board or p_board is null);
  -- Who was erased and came back is another: what was done before is not done to her.
  if found_id is null and p_board is not null and not portal.lead_was_erased(p_contact_id) then
    select c.id into found_id
    from public.whatsapp_contacts c
    where c."instanceName" = p_board and c.person_id = coalesce(
      (select p.id from portal.people p where p.number_key = portal.number_key(p_number)),
      (select i.person_id from portal.identities i where i."instanceName" = p_board and i.jid = p_number));
  end if;
  return found_id;
end $$;
comment on function portal.find_lead(text, bigint, text) is
  'A lead of a board (null: of any) by its id, or, where that is gone after a merge, by any form of its number on that board; null when there is none, or when the id''s person was erased.';

create function public.erased_leads(p_contacts bigint[]) returns bigint[]
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_member();
  if cardinality(p_contacts) > 1000 then
    raise exception 'Até 1.000 leads de cada vez.' using errcode = 'PT422';
  end if;
  return (
    select coalesce(array_agg(id order by id), '{}') from unnest(p_contacts) as id where portal.lead_was_erased(id));
end $$;
comment on function public.erased_leads(bigint[]) is
  'Which of these leads were erased with their person: what a device still holds for them is to go. Of up to 1,000; an id alone tells nobody who it was. Everyone who is signed in.';
revoke execute on function public.erased_leads(bigint[]) from public;
grant execute on function public.erased_leads(bigint[]) to authenticated, service_role;
