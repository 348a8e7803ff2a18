-- A lead's way through a rotation, every step of it with its reasons, append only (PRODUCT.md 4.2).

create table portal.roleta_cases (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  roleta_id integer references public.roletas on delete set null,
  development text,
  state text not null default 'waiting'
    check (state in ('waiting', 'offered', 'watched', 'pool', 'inbox', 'done', 'closed')),
  holder text references public.brokers ("instanceName") on update cascade on delete set null,
  tried text[] not null default '{}',
  arrived_at timestamptz not null,
  since timestamptz not null,
  next_at timestamptz
);
comment on table portal.roleta_cases is 'Each lead that came in for distribution. Reached through functions only.';
comment on column portal.roleta_cases.state is
  'waiting (for a decision, or for somebody to be there), offered, watched (has an owner who has not written yet), pool (bolsão), inbox (the administrator''s), done (has its owner), closed (given away by hand).';
comment on column portal.roleta_cases.holder is 'Instance name of the broker it is offered to, or who has it.';
comment on column portal.roleta_cases.tried is 'Who had it offered or given already.';
comment on column portal.roleta_cases.since is 'Since when it is in this state.';
comment on column portal.roleta_cases.next_at is 'When the portal looks at it again; null: not by itself.';
create unique index roleta_cases_open on portal.roleta_cases (contact_id) where state in ('waiting', 'offered', 'watched', 'pool');
comment on index portal.roleta_cases_open is 'A lead is on one way at a time.';
create index roleta_cases_contact on portal.roleta_cases (contact_id, id desc);
comment on index portal.roleta_cases_contact is 'Serves the ways of a lead, and its removal.';
create index roleta_cases_due on portal.roleta_cases (next_at, id) where next_at is not null;
comment on index portal.roleta_cases_due is 'Serves what is to be looked at now.';
create index roleta_cases_holder on portal.roleta_cases (holder, state);
comment on index portal.roleta_cases_holder is 'Serves what is offered to a broker, and the removal of one.';
create index roleta_cases_roleta on portal.roleta_cases (roleta_id, arrived_at);
comment on index portal.roleta_cases_roleta is 'Serves a rotation''s leads of a period, its bolsão and its removal.';

create table portal.roleta_events (
  id bigint generated always as identity primary key,
  case_id bigint not null references portal.roleta_cases on delete cascade,
  roleta_id integer references public.roletas on delete set null,
  kind text not null check (kind in ('received', 'offered', 'given', 'accepted', 'passed', 'expired', 'unanswered', 'answered',
    'pooled', 'claimed', 'waiting', 'inbox', 'theirs', 'closed')),
  "instanceName" text,
  changed_by text not null default portal.actor(),
  decision jsonb,
  at timestamptz not null
);
comment on table portal.roleta_events is 'The steps of each case, append only; beside a decision all it was made from, so that it can be made again.';
comment on column portal.roleta_events."instanceName" is 'The broker it is about, who may be gone since.';
comment on column portal.roleta_events.decision is '{seats, moment, picked, verdicts} as src/domain/rotation/rotation.ts takes and gives them; of what was received its {source}.';
create index roleta_events_case on portal.roleta_events (case_id, id);
comment on index portal.roleta_events_case is 'Serves the steps of a lead in order.';
create index roleta_events_share on portal.roleta_events (roleta_id, at);
comment on index portal.roleta_events_share is 'Serves who got how much of a rotation in a period, today above all.';

alter table portal.roleta_cases enable row level security;
alter table portal.roleta_events enable row level security;

create function portal.keep_events() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'O histórico da roleta não muda.' using errcode = '42501';
end $$;
comment on function portal.keep_events() is 'Trigger: what was decided is never rewritten.';
create trigger keep_events before update on portal.roleta_events
  for each row when (old.decision is distinct from new.decision or old.kind <> new.kind or old.at <> new.at
    or old."instanceName" is distinct from new."instanceName" or old.case_id <> new.case_id)
  execute function portal.keep_events();

create function portal.add_roleta_event(p_case portal.roleta_cases, p_kind text, p_instance text, p_at timestamptz, p_decision jsonb default null)
returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.roleta_events (case_id, roleta_id, kind, "instanceName", decision, at)
  values (p_case.id, p_case.roleta_id, p_kind, p_instance, p_decision, p_at)
$$;
comment on function portal.add_roleta_event(portal.roleta_cases, text, text, timestamptz, jsonb) is 'Appends a step to a case. Server only.';

create function portal.take_roleta_turn() returns void
language sql volatile set search_path = '' as $$
  select pg_advisory_xact_lock(71302212)
$$;
comment on function portal.take_roleta_turn() is
  'One decision at a time over all portals, until the transaction ends. Taken before any row. Server only.';

create function portal.roleta_of(p_development text) returns integer
language sql stable security definer set search_path = '' as $$
  select r.id from public.roletas r
  where portal.development_key(r.empreendimento) = portal.development_key(p_development) and r.ativa
  order by r.created_at, r.id limit 1
$$;
comment on function portal.roleta_of(text) is 'The active rotation of a development, however its name is written; null without one. Server only.';

create function portal.open_case(p_contact bigint, p_development text, p_source text, p_now timestamptz) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  opened portal.roleta_cases;
begin
  select * into opened from portal.roleta_cases c
  where c.contact_id = p_contact and c.state in ('waiting', 'offered', 'watched', 'pool', 'inbox')
  order by c.state = 'inbox', c.id desc limit 1;
  if opened.state = 'inbox' then
    -- There may be a rotation by now, or for what is asked for this time.
    update portal.roleta_cases c
    set state = 'waiting', since = p_now, next_at = p_now, development = coalesce(p_development, c.development),
      roleta_id = portal.roleta_of(coalesce(p_development, c.development))
    where c.id = opened.id returning * into opened;
  elsif opened.id is null then
    insert into portal.roleta_cases (contact_id, roleta_id, development, arrived_at, since, next_at)
    values (p_contact, portal.roleta_of(p_development), p_development, p_now, p_now, p_now)
    returning * into opened;
  end if;
  perform portal.add_roleta_event(opened, 'received', null, p_now, jsonb_build_object('source', p_source));
  return opened.id;
end $$;
comment on function portal.open_case(bigint, text, text, timestamptz) is
  'Puts a lead on its way, or notes that it came in once more where it already is. Whoever calls holds the lead or its person. Server only.';

create function portal.close_case() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  closed portal.roleta_cases;
begin
  if current_setting('portal.roleta', true) = 'on' then return null; end if;
  update portal.roleta_cases c set state = 'closed', next_at = null, since = now(), holder = new."instanceName"
  where c.contact_id = new.id and c.state in ('waiting', 'offered', 'watched', 'pool')
  returning * into closed;
  if found then perform portal.add_roleta_event(closed, 'closed', new."instanceName", now()); end if;
  return null;
end $$;
comment on function portal.close_case() is 'Trigger: a lead that gets another owner by hand leaves its rotation.';
create trigger close_case after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName")
  execute function portal.close_case();

create function portal.move_cases() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  owner text := new.kept_before ->> 'instanceName';
  closed portal.roleta_cases;
begin
  -- By hand a lead that becomes one with a broker's own is that broker's; and two ways become one.
  if current_setting('portal.roleta', true) is distinct from 'on' and (owner is not null or exists (
    select from portal.roleta_cases c
    where c.contact_id = new.kept_contact_id and c.state in ('waiting', 'offered', 'watched', 'pool'))) then
    update portal.roleta_cases c set state = 'closed', next_at = null, since = now(), holder = owner
    where c.contact_id = new.gone_contact_id and c.state in ('waiting', 'offered', 'watched', 'pool')
    returning * into closed;
    if found then perform portal.add_roleta_event(closed, 'closed', owner, now()); end if;
  elsif exists (select from portal.roleta_cases c
    where c.contact_id = new.gone_contact_id and c.state in ('waiting', 'offered', 'watched', 'pool')) then
    update portal.roleta_cases c set state = 'done', next_at = null, since = now()
    where c.contact_id = new.kept_contact_id and c.state in ('waiting', 'offered', 'watched', 'pool');
  end if;
  update portal.roleta_cases set contact_id = new.kept_contact_id where contact_id = new.gone_contact_id;
  return null;
end $$;
comment on function portal.move_cases() is 'Trigger: a lead that becomes one with another takes its ways along.';
create trigger move_cases after insert on portal.contact_merges
  for each row execute function portal.move_cases();
