-- Links of sources: a first message to a central instance says by a code where it comes from.

create function portal.key_code(p_key uuid) returns text
language sql immutable parallel safe set search_path = '' as $$
  select 'Q' || upper(left(md5(p_key::text), 6))
$$;
comment on function portal.key_code(uuid) is
  'What stands in the text of a source''s WhatsApp link, so that a first message to a central instance says where it comes from. Server only.';

create or replace function portal.take_central() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  contact public.whatsapp_contacts;
  since timestamptz := (select b.central_since from public.brokers b where b."instanceName" = new."instanceName");
  is_history boolean := coalesce(current_setting('portal.history', true), '') = 'on';
  arrived_at timestamptz := case when is_history then to_timestamp(new."timestamp") else now() end;
  words text[];
  development text;
  origin portal.intake_keys;
begin
  if since is null then return null; end if;
  select * into contact from public.whatsapp_contacts c where c.id = new.contact_id;
  if contact."instanceName" is distinct from new."instanceName" or contact.created_at < since
    or exists (select from portal.lead_intakes i where i.contact_id = contact.id) then
    return null;
  end if;
  words := regexp_split_to_array(upper(new.body), '[^A-Z0-9]+');
  select r.empreendimento into development from public.roletas r
  where r.text_code = any (words) order by array_position(words, r.text_code) limit 1;
  -- By the link of a source: what was printed for it, a board at the building site above all.
  select k.* into origin from portal.intake_keys k
  where k.revoked_at is null and portal.key_code(k.id) = any (words)
  order by array_position(words, portal.key_code(k.id)) limit 1;
  development := coalesce(development, portal.known_development(origin.settings ->> 'development'));
  if development is null then
    select a.empreendimento into development from public.prompts_agents a where a."instanceName" = new."instanceName"
    order by a.id limit 1;
  end if;
  update public.whatsapp_contacts c
  set empreendimento = coalesce(c.empreendimento, development),
    source = case when origin.id is not null and c.source in ('desconhecida', 'whatsapp')
      then coalesce(origin.settings ->> 'source', left(origin.name, 60)) else c.source end,
    campaign = coalesce(c.campaign, origin.settings ->> 'campaign')
  where c.id = contact.id returning * into contact;
  insert into portal.lead_intakes (contact_id, key_id, case_id, name, number, source, campaign, development, message, received_at)
  values (contact.id, origin.id,
    case when is_history then portal.open_old_case(contact.id, development, contact.source, arrived_at)
      -- Its agent speaks with the lead first, and calls a broker itself.
      when portal.answering_agent(contact.id, now()) is not null then null
      else portal.open_case(contact.id, development, contact.source, arrived_at) end,
    contact.name, contact.number, contact.source, contact.campaign, development, new.body, arrived_at);
  return null;
end $$;
comment on function portal.take_central() is
  'Trigger: the first message of somebody new to a central instance is an intake; the development is told by the code of a rotation in its text, else by that of a source, whose it is counted as, else it is the one of the instance''s agent.';

create or replace function portal.intake_key_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'kind', k.kind, 'name', k.name, 'settings', k.settings,
      'code', portal.key_code(k.id), 'perMinute', k.per_minute, 'createdBy', k.created_by, 'createdAt', k.created_at, 'revokedAt', k.revoked_at,
      'offAt', k.off_at, 'testedAt', k.tested_at, 'hasAddress', k.made_in is not null,
      'usedAt', newest.received_at, 'lastName', newest.name, 'gapSeconds', gaps.seconds,
      'leads', (select count(*) from portal.lead_intakes i where i.key_id = k.id),
      'monthLeads', (select count(*) from portal.lead_intakes i where i.key_id = k.id and i.received_at > now() - interval '30 days'),
      'waiting', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is not null)
        + (select count(*) from portal.intake_raw r where r.key_id = k.id and r.next_at is not null),
      'failed', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is null),
      'unread', (select count(*) from portal.intake_raw r where r.key_id = k.id and r.next_at is null)
    ) order by k.revoked_at is not null, k.created_at desc, k.id), '[]')
    from portal.intake_keys k
    left join lateral (
      select i.received_at, i.name from portal.lead_intakes i where i.key_id = k.id order by i.received_at desc, i.id desc limit 1
    ) newest on true
    left join lateral (
      select round(extract(epoch from max(last.at) - min(last.at)) / nullif(count(*) - 1, 0)) as seconds
      from (select i.received_at as at from portal.lead_intakes i where i.key_id = k.id order by i.received_at desc limit 50) last
    ) gaps on true
  );
end $$;
comment on function portal.intake_key_list() is
  'All intake keys without what is secret of them: the code in the text of its link, what each brought in all and in thirty days, when and who the last one was, how long it is between two of its last fifty (gapSeconds); failed are the leads of Meta that could not be read there, unread the bodies of which no lead could be made. Administrators, by the server only.';

comment on column portal.lead_intakes.key_id is 'Null: by a first message to a central instance, where its text has no code of a source.';
