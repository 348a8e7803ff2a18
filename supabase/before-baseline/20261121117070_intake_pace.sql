-- Leads of one key do not wait for each other: what came in is counted from what was taken in, nothing is written on the key.
-- And a decision holds the broker who loses a lead as well (PRODUCT.md 3, 4.2).

create index lead_intakes_key on portal.lead_intakes (key_id, received_at);
comment on index portal.lead_intakes_key is 'Serves how many leads a key brought in this minute, and when the last one.';

create function portal.intake_key(p_hash bytea, p_id uuid, p_now timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', k.id, 'kind', k.kind, 'settings', k.settings, 'secrets', k.secrets,
    'waitSeconds', case when recent.leads >= k.per_minute
      then greatest(1, ceil(extract(epoch from recent.first_at + interval '1 minute' - p_now))) else 0 end)
  from portal.intake_keys k
  cross join lateral (
    select count(*) as leads, min(i.received_at) as first_at from portal.lead_intakes i
    where i.key_id = k.id and i.received_at > p_now - interval '1 minute'
  ) recent
  where (k.hash = p_hash or k.id = p_id) and k.revoked_at is null
$$;
comment on function portal.intake_key(bytea, uuid, timestamptz) is
  'The key of a delivery, by its hash or, of Meta, which signs, by its id, and how long to wait where it brought in too many leads this minute. Null for an unknown or revoked one. Server only.';

drop function portal.use_intake_key(bytea, uuid, timestamptz);
alter table portal.intake_keys drop column minute_at, drop column minute_count, drop column used_at;

create or replace function portal.intake_key_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'kind', k.kind, 'name', k.name, 'settings', k.settings,
      'perMinute', k.per_minute, 'createdBy', k.created_by, 'createdAt', k.created_at, 'usedAt', (select max(i.received_at) from portal.lead_intakes i where i.key_id = k.id),
      'revokedAt', k.revoked_at,
      'leads', (select count(*) from portal.lead_intakes i where i.key_id = k.id),
      'waiting', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is not null),
      'failed', (select count(*) from portal.meta_inbox m where m.key_id = k.id and m.next_at is null)
    ) order by k.revoked_at is not null, k.created_at desc), '[]')
    from portal.intake_keys k
  );
end $$;

create or replace function portal.settle_case(p_case bigint, p_now timestamptz, p_step jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  c portal.roleta_cases;
  wanted text := p_step ->> 'kind';
  picked text := p_step ->> 'to';
  roleta integer := (p_step ->> 'roletaId')::integer;
  logged jsonb := nullif(p_step -> 'decision', 'null');
  minutes integer;
begin
  -- In the order of a removal, which holds the broker before the leads; whoever loses the lead too.
  perform from public.brokers b
  where b."instanceName" in (picked, (select k.holder from portal.roleta_cases k where k.id = p_case))
  order by b."instanceName" for key share;
  if picked is not null and not exists (select from public.brokers b where b."instanceName" = picked) then
    raise exception 'The broker of a decision is gone.' using errcode = '40001';
  end if;
  if p_step ->> 'ended' = 'unanswered' then
    -- What the lead writes to the old owner's number still joins it.
    update public.whatsapp_contacts w set "instanceName" = null
    from portal.roleta_cases k where k.id = p_case and w.id = k.contact_id;
  end if;
  select * into strict c from portal.roleta_cases k where k.id = p_case;
  if p_step ->> 'ended' is not null then
    perform portal.add_roleta_event(c, p_step ->> 'ended', c.holder, p_now);
  end if;
  update public.roleta_corretores s set credit = (given.credit)::integer
  from jsonb_each_text(coalesce(p_step -> 'credits', '{}')) as given ("instanceName", credit), public.roletas r
  where r.id = roleta and s."roletaName" = r.empreendimento and s."instanceName" = given."instanceName"
    and s.credit <> (given.credit)::integer;
  select r.accept_minutes into minutes from public.roletas r where r.id = roleta;
  -- Nobody being there is said once, not at every look.
  if not (wanted = 'waiting' and c.state = 'waiting' and c.holder is null and coalesce((
    select e.kind = 'waiting' and e.decision -> 'verdicts' = logged -> 'verdicts'
    from portal.roleta_events e where e.case_id = p_case order by e.id desc limit 1), false))
    and wanted not in ('given', 'theirs', 'answered') then
    c.roleta_id := roleta;
    perform portal.add_roleta_event(c, wanted, picked, p_now, logged);
  end if;
  update portal.roleta_cases k
  set
    roleta_id = coalesce(roleta, k.roleta_id),
    state = case wanted when 'offered' then 'offered' when 'pooled' then 'pool' when 'inbox' then 'inbox'
      when 'answered' then 'done' else 'waiting' end,
    holder = case when wanted = 'answered' then k.holder else picked end,
    tried = case when wanted = 'offered' then k.tried || picked else k.tried end,
    since = case when wanted = 'waiting' and k.state = 'waiting' then k.since else p_now end,
    next_at = case wanted when 'offered' then p_now + make_interval(mins => minutes)
      when 'waiting' then p_now + interval '1 minute' end
  where k.id = p_case returning * into c;
  if wanted in ('given', 'theirs') then perform portal.give_lead(p_case, picked, wanted, p_now, logged); end if;
  perform set_config('portal.roleta', '', true);
  perform portal.tell_case(c);
end $$;
