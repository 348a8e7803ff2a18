-- What was written to an erased person's number until the erasure was done stays away, also when it waited for its turn (LGPD art. 18).

create or replace function portal.remember_erasure(s portal.subject) returns void
language sql volatile security definer set search_path = '' as $$
  -- When it is done, not when it was asked for: what came in while it waited for its turn goes, too, and must not come back.
  insert into portal.erasures (hash, erased_at)
  select portal.opt_out_hash(word), clock_timestamp()
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
