-- The audit log (Auditoria). Triggers and functions write it in the transaction of the change; administrators read it;
-- nobody changes it. Of leads it has only counts and ids, and of an exported or erased person the last two digits of
-- the number, because nobody can erase an entry.

create table portal.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid,
  actor text,
  actor_role text not null check (actor_role in ('admin', 'broker', 'gerente', 'service', 'system', 'stranger')),
  action text not null check (action ~ '^[a-z-]+\.[a-z-]+$'),
  subject text check (length(subject) <= 200),
  details jsonb not null default '{}'
);
comment on table portal.audit_log is
  'Who did what, and when; append only. The actor is stored by name, because the entry outlives the account. It never contains texts, tokens, or a lead''s name or number.';
comment on column portal.audit_log.actor_role is
  'system: the portal itself; service: a machine with a service key; stranger: somebody who was not signed in.';
comment on column portal.audit_log.action is 'What was done, as noun.verb: a code of src/domain/audit.ts.';
comment on column portal.audit_log.subject is
  'What it was done to: a username, or the name of a stage, an agent or a rotation.';
create index audit_by_actor on portal.audit_log (actor_id, id desc);
comment on index portal.audit_by_actor is 'Serves listing the entries of one actor, and all actors.';
create index audit_by_time on portal.audit_log (at);
comment on index portal.audit_by_time is 'Serves listing the entries of a period.';
alter table portal.audit_log enable row level security;

create function portal.keep_audit() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- A day less than the shortest KEEP_AUDIT_DAYS, so that clocks may differ a little.
  if tg_op = 'DELETE' and old.at < now() - interval '364 days' then return old; end if;
  raise exception 'A auditoria não pode ser alterada nem apagada.' using errcode = '42501';
end $$;
comment on function portal.keep_audit() is
  'Trigger: refuses to change an entry of the audit log, and to delete one within its first year.';
create trigger keep_audit before update or delete on portal.audit_log
  for each row execute function portal.keep_audit();
create trigger keep_audit_whole before truncate on portal.audit_log
  for each statement execute function portal.keep_audit();

create function portal.audit(
  p_action text, p_subject text default null, p_details jsonb default '{}', p_actor uuid default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  asking portal.accounts;
  service text := portal.service_name();
begin
  select * into asking from portal.accounts a where a.id = coalesce(p_actor, portal.account_id());
  insert into portal.audit_log (actor_id, actor, actor_role, action, subject, details)
  values (
    asking.id, coalesce(asking.username, service),
    coalesce(asking.role,
      case when service is not null or current_setting('role') = 'service_role' then 'service' else 'system' end),
    p_action, left(p_subject, 200), p_details);
end $$;
comment on function portal.audit(text, text, jsonb, uuid) is
  'Adds an entry to the audit log. Its actor is p_actor, else the caller, else the system. Server and triggers only.';

create function portal.audit_refusal(p_role text, p_username text, p_reason text) returns void
language sql volatile security definer set search_path = '' as $$
  -- Only names of existing accounts are stored, because any other typed name may be a password.
  insert into portal.audit_log (actor_role, action, subject, details)
  select 'stranger', 'sign-in.refused', a.username, jsonb_build_object('role', a.role, 'reason', p_reason)
  from portal.accounts a
  where (a.role = p_role or p_role = 'admin' and a.role = 'gerente') and a.username = p_username
$$;
comment on function portal.audit_refusal(text, text, text) is
  'Records a refused sign-in to an existing account, and nothing for an unknown name. A gerente signs in on the administrators'' page. Server only.';

-- If one transaction does the same thing many times, the log gets one entry with the count.
create table portal.audit_notes (
  id bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  action text not null,
  details jsonb not null,
  wakes boolean not null
);
comment on table portal.audit_notes is
  'Actions of a running transaction, which are counted when it commits. Otherwise the table is empty.';
comment on column portal.audit_notes.wakes is
  'True for the first row of a transaction. Its deferred trigger writes the entries at commit.';
create index audit_notes_transaction on portal.audit_notes (transaction_id);
comment on index portal.audit_notes_transaction is 'Serves counting the actions of a transaction at its commit.';
alter table portal.audit_notes enable row level security;

create function portal.audit_counted(p_action text, p_details jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.audit_notes (action, details, wakes)
  values (p_action, p_details,
    not exists (select from portal.audit_notes n where n.transaction_id = pg_current_xact_id()))
$$;
comment on function portal.audit_counted(text, jsonb) is
  'Records an action that this transaction may repeat. At commit, equal ones become one entry with the count. Triggers only.';

create function portal.sum_up_audit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.audit(summed.action, null, summed.details || jsonb_build_object('count', summed.count))
  from (
    select n.action, n.details, count(*) as count, min(n.id) as first from portal.audit_notes n
    where n.transaction_id = new.transaction_id
    group by n.action, n.details order by first
  ) summed;
  delete from portal.audit_notes n where n.transaction_id = new.transaction_id;
  return null;
end $$;
comment on function portal.sum_up_audit() is
  'Deferred trigger: at commit, writes one entry for each repeated action.';
create constraint trigger sum_up_audit after insert on portal.audit_notes
  deferrable initially deferred for each row when (new.wakes) execute function portal.sum_up_audit();

-- Triggers on the tables whose changes are audited.
create function portal.audit_broker() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.audit('broker.added', portal.username_of(new."instanceName"));
  elsif tg_op = 'DELETE' then
    perform portal.audit('broker.removed', portal.username_of(old."instanceName"));
  else
    perform portal.audit('broker.reset', portal.username_of(new."instanceName"));
  end if;
  return null;
end $$;
comment on function portal.audit_broker() is 'Trigger: a broker was added, reset or removed.';
create trigger audit_broker after insert or delete on public.brokers
  for each row execute function portal.audit_broker();
create trigger audit_broker_reset after update of password_hash on public.brokers
  for each row when (new.password_hash is null) execute function portal.audit_broker();

create function portal.audit_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.audit('admin.added', new.username);
  elsif tg_op = 'DELETE' then
    perform portal.audit('admin.removed', old.username);
  elsif new.password_hash is null then
    if new.role = 'admin' then
      perform portal.audit('admin.reset', new.username,
        case when portal.account_id() is null then '{"place": "server"}'::jsonb else '{}' end);
    end if;
  else
    perform portal.audit(case when old.password_hash is null then 'password.set' else 'password.changed' end,
      new.username, '{}', coalesce(portal.account_id(), new.id));
  end if;
  return null;
end $$;
comment on function portal.audit_account() is
  'Trigger: an administrator was added, reset or removed, or somebody''s password was set or changed. A reset is audited even if there was no password. Without a signed-in caller the operator did it on the server''s machine.';
create trigger audit_admin_added after insert on portal.accounts
  for each row when (new.role = 'admin') execute function portal.audit_account();
create trigger audit_admin_removed after delete on portal.accounts
  for each row when (old.role = 'admin') execute function portal.audit_account();
create trigger audit_password after update of password_hash, invite_hash on portal.accounts
  for each row when (old.password_hash is distinct from new.password_hash
    or new.role = 'admin' and new.password_hash is null and new.invite_hash is distinct from old.invite_hash)
  execute function portal.audit_account();

create function portal.audit_hand_over() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('portal.roleta', true) = 'on' then return null; end if;
  perform portal.audit_counted('leads.handed-over', jsonb_build_object(
    'from', portal.username_of(old."instanceName"), 'to', portal.username_of(new."instanceName")));
  return null;
end $$;
comment on function portal.audit_hand_over() is
  'Trigger: leads changed their owner; one entry for each pair of owners. Changes by rotations are left out, because rotations have a log of their own.';
create trigger audit_hand_over after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName") execute function portal.audit_hand_over();

create function portal.audit_stage() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.audit('stage.added', new.name);
  elsif tg_op = 'DELETE' then
    perform portal.audit('stage.removed', old.name);
  else
    if old.name <> new.name then
      perform portal.audit('stage.renamed', old.name, jsonb_build_object('to', new.name));
    end if;
    if old.kind <> new.kind then
      perform portal.audit('stage.kind-changed', new.name, jsonb_build_object('from', old.kind, 'to', new.kind));
    end if;
    if old.order_index <> new.order_index then perform portal.audit_counted('stages.reordered', '{}'); end if;
  end if;
  return null;
end $$;
comment on function portal.audit_stage() is
  'Trigger: a stage was added, removed, renamed, moved or given another kind.';
create trigger audit_stage after insert or update or delete on public.kanban_stages
  for each row execute function portal.audit_stage();

create function portal.audit_agent() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  fields jsonb;
begin
  if tg_op = 'INSERT' then
    perform portal.audit('agent.added', new.nome_agente);
  elsif tg_op = 'DELETE' then
    perform portal.audit('agent.removed', old.nome_agente);
  else
    select jsonb_agg(after.key order by after.key) into fields
    from jsonb_each(to_jsonb(new)) after join jsonb_each(to_jsonb(old)) before using (key)
    where after.value is distinct from before.value and after.key not in ('updated_at', 'paused_at', 'paused_by');
    if to_jsonb(old) ->> 'paused_at' is distinct from to_jsonb(new) ->> 'paused_at' then
      perform portal.audit(
        case when to_jsonb(new) ->> 'paused_at' is null then 'agent.resumed' else 'agent.paused' end, new.nome_agente);
    end if;
    if fields is not null and coalesce(current_setting('portal.publishing', true), '') <> 'on' then
      perform portal.audit('agent.changed', old.nome_agente, jsonb_build_object('fields', fields)
        -- A text that was saved outside the editor was not tested.
        || case when exists (select from jsonb_array_elements_text(fields) as field where field ~ '_(atendimento|agendamento)$')
          then '{"untested": true}' else '{}'::jsonb end);
    end if;
  end if;
  return null;
end $$;
comment on function portal.audit_agent() is
  'Trigger: an agent was added, removed, paused, resumed or changed. The entry names the changed fields, never their text, and says whether texts were published without tests.';
create trigger audit_agent after insert or update or delete on public.prompts_agents
  for each row execute function portal.audit_agent();

create function portal.audit_roleta() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.audit('roleta.added', new.empreendimento);
  elsif tg_op = 'DELETE' then
    perform portal.audit('roleta.removed', old.empreendimento);
  else
    if old.empreendimento <> new.empreendimento then
      perform portal.audit('roleta.renamed', old.empreendimento, jsonb_build_object('to', new.empreendimento));
    end if;
    if old.ativa <> new.ativa then
      perform portal.audit('roleta.switched', new.empreendimento, jsonb_build_object('on', new.ativa));
    end if;
  end if;
  return null;
end $$;
comment on function portal.audit_roleta() is 'Trigger: a rotation was added, removed, renamed, switched on or off.';
create trigger audit_roleta after insert or update or delete on public.roletas
  for each row execute function portal.audit_roleta();

create function portal.audit_setting() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A new version may insert settings itself; these were not set by a person.
  if tg_op = 'UPDATE' or portal.account_id() is not null then perform portal.audit('settings.changed', new.key); end if;
  return null;
end $$;
comment on function portal.audit_setting() is
  'Trigger: a setting was changed. The entry has its name, never its value.';
create trigger audit_setting_added after insert on portal.settings
  for each row execute function portal.audit_setting();
create trigger audit_setting_changed after update on portal.settings
  for each row when (old.value is distinct from new.value) execute function portal.audit_setting();

create function portal.audit_opt_out() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.audit('opt-out.undone', null, jsonb_build_object('person', new.id));
  return null;
end $$;
comment on function portal.audit_opt_out() is 'Trigger: the opt-out of a person was ended.';
create trigger audit_opt_out after update of opted_out_at on portal.people
  for each row when (old.opted_out_at is not null and new.opted_out_at is null) execute function portal.audit_opt_out();

-- Reading the audit log.
create function portal.audit_page(
  p_actor uuid, p_role text, p_actions text[], p_from date, p_to date, p_before bigint, p_limit integer
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', entry.id, 'atMs', floor(extract(epoch from entry.at) * 1000)::bigint, 'actor', entry.actor,
      'actorRole', entry.actor_role, 'action', entry.action, 'subject', entry.subject, 'details', entry.details)
      order by entry.id desc), '[]')
    from (
      select * from portal.audit_log l
      where (p_before is null or l.id < p_before)
        and (p_actor is null or l.actor_id = p_actor)
        and (p_role is null or l.actor_role = p_role)
        and (p_actions is null or l.action = any (p_actions))
        and (p_from is null or l.at >= p_from::timestamp at time zone portal.time_zone())
        and (p_to is null or l.at < (p_to + 1)::timestamp at time zone portal.time_zone())
      order by l.id desc limit p_limit
    ) entry
  );
end $$;
comment on function portal.audit_page(uuid, text, text[], date, date, bigint, integer) is
  'Entries of the audit log before p_before, newest first: of one actor or role, of some actions, between two days of the portal''s time zone. Administrators, through the server only.';

create function portal.audit_actors() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    -- Jumps in the index from one actor to the next, so it takes equally long for a long log.
    with recursive met as (
      (select l.actor_id, l.actor, l.actor_role from portal.audit_log l
       where l.actor_id is not null order by l.actor_id, l.id desc limit 1)
      union all
      select next.* from met cross join lateral (
        select l.actor_id, l.actor, l.actor_role from portal.audit_log l
        where l.actor_id > met.actor_id order by l.actor_id, l.id desc limit 1
      ) next
    )
    select coalesce(jsonb_agg(jsonb_build_object('id', met.actor_id, 'name', met.actor, 'role', met.actor_role)
      order by met.actor_role, met.actor), '[]')
    from met
  );
end $$;
comment on function portal.audit_actors() is
  'All actors of the audit log, deleted ones included. Administrators, through the server only.';

create function public.note_export(p_what text, p_rows integer) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  perform portal.audit('export.done', p_what, jsonb_build_object('count', p_rows));
end $$;
comment on function public.note_export(text, integer) is
  'Records an export in the audit log: what, and how many rows. Every screen that exports calls it; administrators only.';
grant execute on function public.note_export(text, integer) to authenticated, service_role;

-- Audits campaigns that were planned, steered or ended, changes of their pace, and service tokens that were issued or
-- revoked.
create function portal.audit_campaign() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  before text := case when tg_op = 'UPDATE' then old.status end;
  deed text := case
    when tg_op = 'INSERT' and new.status = 'scheduled' then 'campaign.planned'
    when new.status = 'running' and before = 'paused' then 'campaign.resumed'
    when tg_op = 'INSERT' and new.status <> 'running' then null
    else case new.status
      when 'running' then 'campaign.started'
      when 'paused' then 'campaign.paused'
      when 'stopped' then 'campaign.stopped'
      when 'completed' then 'campaign.completed'
      when 'error' then 'campaign.failed'
    end
  end;
begin
  -- Only a pause or resume by a signed-in person is audited. The portal itself pauses a campaign when nothing can be
  -- sent, or when WhatsApp seems to restrict the number.
  if deed is null or (portal.account_id() is null and deed in ('campaign.paused', 'campaign.resumed')) then return null; end if;
  perform portal.audit(deed, (select portal.username_of(b."instanceName") from public.brokers b where b.id = new.broker_id),
    jsonb_build_object('campaign', new.id));
  return null;
end $$;
comment on function portal.audit_campaign() is
  'Trigger: a person planned, started, paused, resumed or stopped a campaign, or it ended.';
create trigger audit_campaign_added after insert on public.remarketing_campaigns
  for each row execute function portal.audit_campaign();
create trigger audit_campaign_changed after update of status on public.remarketing_campaigns
  for each row when (old.status <> new.status) execute function portal.audit_campaign();

create function portal.audit_campaign_rules() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.audit('settings.changed', changed.key, jsonb_build_object('from', changed.before, 'to', changed.after))
  from (
    select after.key, before.value as before, after.value as after
    from jsonb_each(to_jsonb(new)) after join jsonb_each(to_jsonb(old)) before using (key)
    where after.value is distinct from before.value
  ) changed;
  return null;
end $$;
comment on function portal.audit_campaign_rules() is
  'Trigger: hours, caps or days of rest of campaigns were changed. The entry has the old and the new values.';
create trigger audit_campaign_rules after update on public.campaign_settings
  for each row execute function portal.audit_campaign_rules();

create function portal.audit_service_token() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.audit(case when tg_op = 'INSERT' then 'service-token.made' else 'service-token.revoked' end,
    new.name, jsonb_build_object('grants', to_jsonb(new.grants)));
  return null;
end $$;
comment on function portal.audit_service_token() is 'Trigger: a service token was issued or revoked.';
create trigger audit_service_token_made after insert on portal.service_tokens
  for each row execute function portal.audit_service_token();
create trigger audit_service_token_revoked after update of revoked_at on portal.service_tokens
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function portal.audit_service_token();


-- The audit entry of a rotation says what was changed.

create function portal.roleta_changes(before jsonb, after jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  with
    olds as (select s.value ->> 'instanceName' as name, s.value as rules, s.ordinality as place
      from jsonb_array_elements(before -> 'seats') with ordinality s),
    news as (select s.value ->> 'instanceName' as name, s.value as rules, s.ordinality as place
      from jsonb_array_elements(after -> 'seats') with ordinality s),
    stayed as (select n.name, o.rules <> n.rules as is_ruled,
        row_number() over (order by o.place) <> row_number() over (order by n.place) as is_moved
      from olds o join news n using (name))
  select jsonb_build_object(
    'settings', (select coalesce(jsonb_agg(n.key order by n.key), '[]') from jsonb_each(after -> 'settings') n
      where n.value is distinct from before -> 'settings' -> n.key),
    'added', (select coalesce(jsonb_agg(n.name order by n.place), '[]') from news n where n.name not in (select o.name from olds o)),
    'removed', (select coalesce(jsonb_agg(o.name order by o.place), '[]') from olds o where o.name not in (select n.name from news n)),
    'ruled', (select coalesce(jsonb_agg(s.name order by s.name), '[]') from stayed s where s.is_ruled),
    'isReordered', coalesce((select bool_or(s.is_moved) from stayed s), false))
$$;
comment on function portal.roleta_changes(jsonb, jsonb) is
  'The differences between two states of a rotation in the form of portal.roleta_details: settings by name; brokers who joined, left or got other rules, by instance name; whether the order changed. Server only.';
