-- Erasing all that is held about one person in one transaction; the files follow it (PRODUCT.md 4.1, 4.4, 4.5; LGPD art. 18 VI).

create function portal.free_recipients(s portal.subject) returns void
language sql volatile security definer set search_path = '' as $$
  update public.campaign_recipients r
  set name = null, body = '', person_id = null, contact_id = null, message_id = null,
    erased_delivery = nullif(m.delivery, 'queued'),
    erased_answer = case
      when p.opted_out_at between before.accepted_at and before.accepted_at + interval '72 hours' then 'opted-out'
      when portal.answers_campaign(before.contact_id, before.accepted_at) then 'answered'
    end,
    state = case when r.state in ('pending', 'sending') then 'cancelled' else r.state end,
    reason = case when r.state in ('pending', 'sending') then 'erased' else r.reason end
  from public.campaign_recipients before
  join portal.people p on p.id = before.person_id
  left join public.whatsapp_messages m on m.id = before.message_id
  where before.id = r.id and r.person_id = any ((s).people)
$$;
comment on function portal.free_recipients(portal.subject) is
  'A person leaves the lists of campaigns: what became of the line stays and counts, who it was and what it said goes; what was still to be sent is not. Server only.';

create function portal.remember_erasure(s portal.subject) returns void
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
  ) words
  on conflict (hash) do update set erased_at = excluded.erased_at;
  insert into portal.opt_outs (number_hash, opted_out_at)
  select portal.opt_out_hash(word), now()
  from (select unnest((s).keys) as word union select jid from unnest((s).addresses) as jid where jid like '%@lid') words
  on conflict do nothing
$$;
comment on function portal.remember_erasure(portal.subject) is
  'Keeps, as keyed hashes alone, that no campaign goes to the person and that nothing of before is taken in again. Server only.';

create function portal.note_media_of(s portal.subject) returns bigint
language sql volatile security definer set search_path = '' as $$
  with noted as (
    insert into portal.media_removals (media_id)
    select m.content ->> 'mediaId' from public.whatsapp_messages m
    where m.contact_id = any ((s).contacts) and m.content ->> 'mediaId' is not null
    union
    select (regexp_matches(w.body, 'stored:([0-9a-f]{64})', 'g'))[1] from portal.webhook_aside w where w.body ~ (s).pattern
    on conflict (media_id) do update set noted_at = excluded.noted_at
    returning 1
  )
  select count(*) from noted
$$;
comment on function portal.note_media_of(portal.subject) is 'Notes a person''s files for removal; how many. Server only.';

create function portal.erase_person(p_number text, p_contact bigint, p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
  answer jsonb;
  s portal.subject;
  every_contact bigint[];
  told portal.roleta_cases;
  counts jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(account, p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.take_roleta_turn();
  s := portal.subject_of(p_number, p_contact);
  -- Whoever is writing about this person is waited for, and whoever comes after finds nobody.
  perform from portal.people p where p.id = any (s.people) order by p.id for update;
  s := portal.subject_of(p_number, p_contact);
  perform from public.whatsapp_contacts c where c.id = any (s.contacts) order by c.id for update;
  counts := portal.count_person(s);
  if counts ->> 'rows' = '0' then
    raise exception 'O portal não tem dados desta pessoa.' using errcode = 'PT404', hint = 'person.unknown';
  end if;
  perform from portal.outgoing o join public.whatsapp_messages m on m.id = o.message_id
  where m.contact_id = any (s.contacts) for update of o;
  if exists (
    select from portal.outgoing o join public.whatsapp_messages m on m.id = o.message_id
    where m.contact_id = any (s.contacts) and o.claimed_at is not null) then
    raise exception 'Uma mensagem para esta pessoa está sendo enviada agora. Tente de novo em instantes.'
      using errcode = 'PT409', hint = 'person.sending';
  end if;

  every_contact := s.contacts || s.former_contacts;
  for told in select c.* from portal.roleta_cases c
    where c.contact_id = any (s.contacts) and c.state in ('waiting', 'offered', 'watched', 'pool') loop
    perform portal.tell_case(told);
  end loop;
  perform portal.remember_erasure(s);
  counts := counts || jsonb_build_object('files', portal.note_media_of(s));
  perform portal.free_recipients(s);
  delete from portal.push_queue q
  where q.kind in ('lead', 'assigned', 'message') and q.subject = any (every_contact)
    or q.kind = 'offer' and q.subject in (select c.id from portal.roleta_cases c where c.contact_id = any (s.contacts));
  update portal.push_devices d set watched_contact = null, watched_until = null where d.watched_contact = any (every_contact);
  delete from portal.applied_operations o
  where o.kind in ('lead.note', 'lead.rename', 'message.send') and (o.result ->> 'contact_id')::bigint = any (every_contact);
  delete from public.agent_chat_messages a
  where portal.number_key(a.remotejid) = any (s.keys) or a.remotejid = any (s.addresses);
  delete from portal.waiting_events w
  where w.target = any (s.addresses) or w.waited::text ~ s.pattern
    or w.target in (select m.message_id from public.whatsapp_messages m where m.contact_id = any (s.contacts));
  delete from portal.webhook_aside w where w.body ~ s.pattern;
  delete from portal.meta_inbox m
  where m.leadgen_id in (select i.external_id from portal.lead_intakes i where i.contact_id = any (s.contacts));
  delete from portal.contact_merges m
  where m.kept_person_id = any (s.people) or m.gone_person_id = any (s.people)
    or m.kept_contact_id = any (every_contact) or m.gone_contact_id = any (every_contact);
  delete from public.whatsapp_contacts c where c.id = any (s.contacts);
  delete from portal.people p where p.id = any (s.people);

  perform portal.audit('person.erased', null, counts || jsonb_build_object('ending', portal.person_ending(s)));
  return portal.end_operation(account, p_operation_id, 'person.erase', counts);
end $$;
comment on function portal.erase_person(text, bigint, uuid) is
  'Erases all that is held about the person of a number in any form, or of a contact, once an operation: {leads, messages, rows, files}. The files themselves go once nothing refers to them. 404 where nothing is held, 409 while a line is just being sent. Taken in the turn of applying deliveries. Administrators, by the server only.';
