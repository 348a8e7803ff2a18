-- Teams: whose leads a gerente sees and hands over. A gerente has an account of its own, or is a broker who also leads.

create table portal.teams (
  id uuid primary key default gen_random_uuid(),
  name text not null check (name = btrim(name) and length(name) between 1 and 40),
  created_at timestamptz not null default now()
);
comment on table portal.teams is
  'Teams of brokers. While there is none, only administrators see leads of more than one broker.';
create unique index teams_name on portal.teams (lower(name));
comment on index portal.teams_name is 'Forbids two teams whose names differ only in case.';
alter table portal.teams enable row level security;

create table portal.team_members (
  broker_id uuid primary key references public.brokers on delete cascade,
  team_id uuid not null references portal.teams on delete cascade,
  since timestamptz not null default now()
);
comment on table portal.team_members is 'The team of each broker, at most one. A broker without a row is in no team.';
create index team_members_team on portal.team_members (team_id);
comment on index portal.team_members_team is 'Serves the brokers of a team.';
alter table portal.team_members enable row level security;

create table portal.team_managers (
  account_id uuid not null references portal.accounts on delete cascade,
  team_id uuid not null references portal.teams on delete cascade,
  since timestamptz not null default now(),
  primary key (account_id, team_id)
);
comment on table portal.team_managers is
  'Who leads a team. An account with the role gerente may lead any number of teams, a broker only its own.';
create index team_managers_team on portal.team_managers (team_id);
comment on index portal.team_managers_team is 'Serves the gerentes of a team.';
alter table portal.team_managers enable row level security;

alter table public.roletas add constraint roletas_team_id_fkey
  foreign key (team_id) references portal.teams on delete set null;
create index roletas_team on public.roletas (team_id);
comment on index public.roletas_team is 'Serves the rotations of a team.';

create function portal.led_brokers() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.require_manager() is null then
    return query select b.id from public.brokers b;
  else
    return query
      select distinct m.broker_id from portal.team_managers g join portal.team_members m using (team_id)
      where g.account_id = portal.account_id();
  end if;
end $$;
comment on function portal.led_brokers() is
  'Ids of the brokers whose leads and figures the caller may see: all for an administrator, those of its teams for a gerente. Others are refused as by portal.require_manager. Server only.';


-- When teams change, gerentes see other leads. A live event makes the portal end the event streams of these accounts;
-- the app opens them again.

create function portal.publish_team_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  accounts uuid[];
begin
  if tg_table_name = 'team_managers' then
    accounts := array[coalesce(new.account_id, old.account_id)];
  else
    accounts := array(
      select distinct g.account_id from portal.team_managers g where g.team_id in (old.team_id, new.team_id) order by 1);
  end if;
  perform portal.publish(jsonb_build_object('kind', 'teams', 'accounts', accounts));
  return null;
end $$;
comment on function portal.publish_team_change() is
  'Trigger: publishes which accounts see other leads from now on, because a broker or a gerente joined or left a team.';
create trigger publish_member after insert or update or delete on portal.team_members
  for each row execute function portal.publish_team_change();
create trigger publish_manager after insert or delete on portal.team_managers
  for each row execute function portal.publish_team_change();


-- Administrators change teams, each change in one transaction. A refusal has the HTTP status in its errcode and its
-- code in the hint.

create function portal.team_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    with listed as materialized (
      select b.id, m.team_id, jsonb_build_object('id', b.id, 'instanceName', b."instanceName",
        'isLinked', coalesce(s.state = 'open', false),
        'leads', (select count(*) from public.whatsapp_contacts c where c."instanceName" = b."instanceName")) as shown,
        b."instanceName" as name
      from public.brokers b
      left join portal.team_members m on m.broker_id = b.id
      left join portal.instance_states s using ("instanceName")
      -- Leaves out central numbers, which belong to no broker, unless one was put in a team.
      where m.team_id is not null or b.central_since is null
    ), managing as materialized (
      select a.id, g.team_id, g.since, jsonb_build_object('id', a.id, 'username', a.username,
        'isBroker', a.role = 'broker', 'hasPassword', a.password_hash is not null) as shown
      from portal.accounts a left join portal.team_managers g on g.account_id = a.id
      where a.role = 'gerente' or g.team_id is not null
    )
    select jsonb_build_object(
      'teams', (
        select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name,
          'managers', (select coalesce(jsonb_agg(l.shown order by l.since, l.id), '[]') from managing l where l.team_id = t.id),
          'brokers', (select coalesce(jsonb_agg(b.shown order by b.name), '[]') from listed b where b.team_id = t.id))
          order by t.created_at, t.id), '[]')
        from portal.teams t),
      'others', (select coalesce(jsonb_agg(b.shown order by b.name), '[]') from listed b where b.team_id is null),
      'managers', (
        select coalesce(jsonb_agg(distinct l.shown), '[]') from managing l where not (l.shown ->> 'isBroker')::boolean)));
end $$;
comment on function portal.team_list() is
  'Teams as the screen ''Equipes'' shows them: {teams: [{id, name, managers, brokers}], others (brokers without a team), managers (all accounts with the role gerente)}. A broker is {id, instanceName, isLinked, leads}, a gerente {id, username, isBroker, hasPassword}. For administrators, through the server only.';

create function portal.begin_team(p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  -- Makes changes of teams wait for each other. Otherwise a broker who moves could become a gerente of the team it has
  -- just left.
  if answer is null then perform pg_advisory_xact_lock(hashtextextended('portal.teams', 0)); end if;
  return answer;
end $$;
comment on function portal.begin_team(uuid) is
  'Begins a change of teams. Returns the stored answer of a retry; else null, once no other change is running. Administrators. Server only.';

create function portal.require_team(p_team uuid) returns portal.teams
language plpgsql stable security definer set search_path = '' as $$
declare
  team portal.teams;
begin
  select * into team from portal.teams t where t.id = p_team;
  if not found then
    raise exception 'Esta equipe não existe mais.' using errcode = 'PT404', hint = 'team.unknown';
  end if;
  return team;
end $$;
comment on function portal.require_team(uuid) is 'A team; 404 for an unknown one. Server only.';

create function portal.team_name(p_name text, p_team uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted constant text := btrim(regexp_replace(coalesce(p_name, ''), '\s+', ' ', 'g'));
begin
  if length(wanted) not between 1 and 40 then
    raise exception 'Escreva um nome de até 40 letras.' using errcode = 'PT422', hint = 'team.name';
  elsif lower(wanted) = 'sem equipe'
    or exists (select from portal.teams t where lower(t.name) = lower(wanted) and t.id is distinct from p_team) then
    raise exception 'Já existe uma equipe com este nome.' using errcode = 'PT409', hint = 'team.taken';
  end if;
  return wanted;
end $$;
comment on function portal.team_name(text, uuid) is
  'The wanted name of a team without needless spaces; p_team null: of a new team. 422 without a name or for a long one, 409 if another team has the name, or it is ''Sem equipe''. Server only.';

create function portal.add_team(p_operation_id uuid, p_name text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_team(p_operation_id);
  team portal.teams;
begin
  if answer is not null then return answer; end if;
  insert into portal.teams (name) values (portal.team_name(p_name, null)) returning * into team;
  perform portal.audit('team.added', team.name);
  return portal.end_operation(portal.account_id(), p_operation_id, 'team.add',
    jsonb_build_object('id', team.id, 'name', team.name));
end $$;
comment on function portal.add_team(uuid, text) is
  'Adds a team without brokers; a retry changes nothing. Returns {id, name}. 409 if the name is taken, 422 without one. For administrators, through the server only.';

create function portal.rename_team(p_operation_id uuid, p_team uuid, p_name text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_team(p_operation_id);
  team portal.teams;
  wanted text;
begin
  if answer is not null then return answer; end if;
  team := portal.require_team(p_team);
  wanted := portal.team_name(p_name, p_team);
  if wanted <> team.name then
    update portal.teams t set name = wanted where t.id = p_team;
    perform portal.audit('team.renamed', team.name, jsonb_build_object('to', wanted));
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'team.rename',
    jsonb_build_object('id', p_team, 'name', wanted));
end $$;
comment on function portal.rename_team(uuid, uuid, text) is
  'Renames a team; a retry changes nothing. Returns {id, name}. 404 for an unknown team, 409 if the name is taken, 422 without one. For administrators, through the server only.';

create function portal.remove_team(p_operation_id uuid, p_team uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_team(p_operation_id);
  team portal.teams;
  brokers integer;
begin
  if answer is not null then return answer; end if;
  team := portal.require_team(p_team);
  delete from portal.team_members m where m.team_id = p_team;
  get diagnostics brokers = row_count;
  delete from portal.teams t where t.id = p_team;
  perform portal.audit('team.removed', team.name, jsonb_build_object('count', brokers));
  return portal.end_operation(portal.account_id(), p_operation_id, 'team.remove',
    jsonb_build_object('name', team.name, 'brokers', brokers));
end $$;
comment on function portal.remove_team(uuid, uuid) is
  'Removes a team. Its brokers keep their leads and are in no team, its gerentes no longer lead it, and its rotations have no team. A retry changes nothing. Returns {name, brokers}. 404 for an unknown team. For administrators, through the server only.';

create function portal.move_broker(p_operation_id uuid, p_broker uuid, p_team uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_team(p_operation_id);
  broker public.brokers;
  before portal.teams;
  team portal.teams;
begin
  if answer is not null then return answer; end if;
  select * into broker from public.brokers b where b.id = p_broker for key share;
  if not found then
    raise exception 'Corretor não encontrado' using errcode = 'PT404', hint = 'broker.unknown';
  end if;
  if p_team is not null then team := portal.require_team(p_team); end if;
  select t.* into before from portal.team_members m join portal.teams t on t.id = m.team_id where m.broker_id = p_broker;
  if before.id is distinct from p_team then
    perform portal.put_in_team(broker, before, team);
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'team.move', jsonb_build_object(
    'instanceName', broker."instanceName", 'from', before.id, 'to', p_team));
end $$;
comment on function portal.move_broker(uuid, uuid, uuid) is
  'Moves a broker with all leads to another team (null: to none). If the broker led the former team, it no longer does. A retry changes nothing. Returns {instanceName, from, to}. 404 for an unknown broker or team. For administrators, through the server only.';

create function portal.put_in_team(p_broker public.brokers, p_from portal.teams, p_to portal.teams) returns void
language plpgsql volatile set search_path = '' as $$
begin
  delete from portal.team_managers g where g.account_id = p_broker.id and g.team_id is distinct from p_to.id;
  if p_to.id is null then
    delete from portal.team_members m where m.broker_id = p_broker.id;
  else
    insert into portal.team_members (broker_id, team_id) values (p_broker.id, p_to.id)
    on conflict (broker_id) do update set team_id = excluded.team_id, since = now();
  end if;
  perform portal.audit('team.moved', portal.username_of(p_broker."instanceName"),
    jsonb_build_object('from', p_from.name, 'to', p_to.name));
end $$;
comment on function portal.put_in_team(public.brokers, portal.teams, portal.teams) is
  'Moves a broker from one team (null: none) to another (null: none), with an entry in the audit log. Server only.';

create function portal.change_manager(p_operation_id uuid, p_team uuid, p_from uuid, p_to uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_team(p_operation_id);
  team portal.teams;
  wanted portal.accounts;
  gone text;
begin
  if answer is not null then return answer; end if;
  team := portal.require_team(p_team);
  if p_to is not null then
    select * into wanted from portal.accounts a where a.id = p_to and a.role in ('gerente', 'broker') for key share;
    if not found then
      raise exception 'Esta pessoa não existe mais.' using errcode = 'PT404', hint = 'manager.unknown';
    end if;
  end if;
  if p_from is distinct from p_to then
    delete from portal.team_managers g using portal.accounts a
    where g.team_id = p_team and g.account_id = p_from and a.id = g.account_id returning a.username into gone;
    if gone is not null then
      perform portal.audit('team.manager-removed', team.name, jsonb_build_object('manager', gone));
    end if;
  end if;
  if p_to is not null then perform portal.make_manager(team, wanted); end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'team.manager',
    jsonb_build_object('id', p_team, 'from', p_from, 'to', p_to));
end $$;
comment on function portal.change_manager(uuid, uuid, uuid, uuid) is
  'Changes who leads a team. p_from no longer leads it (null: nobody leaves), p_to leads it from now on (null: nobody comes). p_to is a broker, who joins the team, or an account with the role gerente. A retry changes nothing. Returns {id, from, to}. 404 for an unknown team or person. For administrators, through the server only.';

create function portal.make_manager(p_team portal.teams, p_account portal.accounts) returns void
language plpgsql volatile set search_path = '' as $$
declare
  broker public.brokers;
  before portal.teams;
begin
  if p_account.broker_id is not null then
    select * into broker from public.brokers b where b.id = p_account.broker_id;
    select t.* into before from portal.team_members m join portal.teams t on t.id = m.team_id where m.broker_id = broker.id;
    if before.id is distinct from p_team.id then perform portal.put_in_team(broker, before, p_team); end if;
  end if;
  insert into portal.team_managers (account_id, team_id) values (p_account.id, p_team.id) on conflict do nothing;
  if found then
    perform portal.audit('team.manager-added', p_team.name, jsonb_build_object('manager', p_account.username));
  end if;
end $$;
comment on function portal.make_manager(portal.teams, portal.accounts) is
  'Makes an account lead a team. A broker joins the team, too. Server only.';


-- Accounts of gerentes who are no brokers. No gerente has an administrator's name, because both sign in on the same
-- page.

create function portal.add_manager(
  p_operation_id uuid, p_username text, p_team uuid, p_invite_hash bytea, p_invite_until timestamptz
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_team(p_operation_id);
  team portal.teams;
  made portal.accounts;
begin
  if answer is not null then return answer; end if;
  team := portal.require_team(p_team);
  insert into portal.accounts (role, username, invite_hash, invite_expires_at)
  values ('gerente', p_username, p_invite_hash, p_invite_until)
  on conflict do nothing returning * into made;
  if made.id is null then
    raise exception 'Já existe um gerente ou administrador com este nome' using errcode = 'PT409', hint = 'manager.taken';
  end if;
  perform portal.audit('manager.added', p_username);
  perform portal.make_manager(team, made);
  return portal.end_operation(portal.account_id(), p_operation_id, 'manager.add',
    jsonb_build_object('id', made.id, 'username', p_username));
end $$;
comment on function portal.add_manager(uuid, text, uuid, bytea, timestamptz) is
  'Adds an account with the role gerente that leads a team, invited to set the first password; a retry changes nothing. Returns {id, username}. 404 for an unknown team, 409 if a gerente or an administrator has the name. For administrators, through the server only.';

create function portal.manager_to_change(p_manager uuid) returns portal.accounts
language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted portal.accounts;
begin
  select * into wanted from portal.accounts a where a.id = p_manager and a.role = 'gerente' for update;
  if not found then
    raise exception 'Gerente não encontrado' using errcode = 'PT404', hint = 'manager.unknown';
  end if;
  return wanted;
end $$;
comment on function portal.manager_to_change(uuid) is 'An account with the role gerente, locked; 404 for any other. Server only.';

create function portal.reset_manager(p_operation_id uuid, p_manager uuid, p_invite_hash bytea, p_invite_until timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_team(p_operation_id);
  wanted portal.accounts;
begin
  if answer is not null then return answer; end if;
  wanted := portal.manager_to_change(p_manager);
  perform portal.reopen_admin(p_manager, p_invite_hash, p_invite_until);
  perform portal.audit('manager.reset', wanted.username);
  return portal.end_operation(portal.account_id(), p_operation_id, 'manager.reset',
    jsonb_build_object('username', wanted.username));
end $$;
comment on function portal.reset_manager(uuid, uuid, bytea, timestamptz) is
  'Clears a gerente''s password, second step and sessions, and issues a new invite; a retry changes nothing. 404 for an unknown gerente. For administrators, through the server only.';

create function portal.remove_manager(p_operation_id uuid, p_manager uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_team(p_operation_id);
  wanted portal.accounts;
begin
  if answer is not null then return answer; end if;
  wanted := portal.manager_to_change(p_manager);
  delete from portal.accounts a where a.id = p_manager;
  perform portal.audit('manager.removed', wanted.username);
  return portal.end_operation(portal.account_id(), p_operation_id, 'manager.remove',
    jsonb_build_object('username', wanted.username));
end $$;
comment on function portal.remove_manager(uuid, uuid) is
  'Removes an account with the role gerente and ends its access at once; a retry changes nothing. 404 for an unknown gerente. For administrators, through the server only.';


-- A broker passes a lead to a colleague of the same team, who accepts or declines. Until then the lead stays with the
-- first broker.

create table portal.lead_passes (
  contact_id bigint primary key references public.whatsapp_contacts on delete cascade,
  from_instance text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  to_instance text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  state text not null default 'open' check (state in ('open', 'accepted', 'declined')),
  offered_at timestamptz not null default now(),
  answered_at timestamptz
);
comment on table portal.lead_passes is
  'Leads that their broker has offered to a colleague: one row for each lead, for its last offer. An offer that the broker withdraws is deleted.';
comment on column portal.lead_passes.state is 'open (the colleague has not answered), accepted or declined.';
create index lead_passes_from on portal.lead_passes (from_instance);
comment on index portal.lead_passes_from is 'Serves finding what a broker has passed, and the removal of a broker.';
create index lead_passes_to on portal.lead_passes (to_instance);
comment on index portal.lead_passes_to is
  'Serves finding what waits for a broker''s answer, and the removal of a broker.';
alter table portal.lead_passes enable row level security;
-- Each pass sends a push to a colleague's phone.
insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('pass', 100, 30, 300, 60); -- leads that one account passes: all leads of a holiday at once, then one a minute

create function portal.publish_pass() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.publish(jsonb_build_object('kind', 'offers', 'instanceName', told.name))
  from (
    select coalesce(new.from_instance, old.from_instance) as name union select coalesce(new.to_instance, old.to_instance)
    union select old.to_instance where old.to_instance is not null) told;
  return null;
end $$;
comment on function portal.publish_pass() is
  'Trigger: tells both brokers by a live event that a lead was passed, or that the pass was answered or withdrawn.';
create trigger publish_pass after insert or update or delete on portal.lead_passes
  for each row execute function portal.publish_pass();

create function portal.drop_pass() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from portal.lead_passes p where p.contact_id = new.id and p.state = 'open';
  return null;
end $$;
comment on function portal.drop_pass() is 'Trigger: when a lead gets another owner, an open pass of it ends.';
create trigger drop_pass after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName") execute function portal.drop_pass();

create function portal.are_colleagues(p_one text, p_other text) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_one <> p_other and exists (
    select from public.brokers a
    join portal.team_members m on m.broker_id = a.id
    join portal.team_members n on n.team_id = m.team_id
    join public.brokers b on b.id = n.broker_id
    where a."instanceName" = p_one and b."instanceName" = p_other and b.central_since is null)
$$;
comment on function portal.are_colleagues(text, text) is
  'Whether two brokers are in the same team, and the second is no central number. Server only.';

create function portal.pass_answer(p_code text) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('saved', 'already'),
    'code', p_code,
    'message', case p_code
      when 'unknown_lead' then 'Lead não encontrado.'
      when 'no_colleague' then 'Vocês não estão mais na mesma equipe.'
      when 'over' then 'Este lead já não está esperando por você.'
    end,
    'current', null)
$$;
comment on function portal.pass_answer(text) is
  'The answer to lead_pass and lead_take: the code of the result, and why nothing changed. Server only.';

create function portal.require_own_board() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_member();
  if portal.my_instance() is null then
    raise exception 'Só corretores passam leads a colegas.' using errcode = '42501';
  end if;
  return portal.my_instance();
end $$;
comment on function portal.require_own_board() is
  'Instance name of the calling broker; 42501 for anybody else, 401 once the session has ended. Server only.';

create function public.lead_pass(
  p_contact_id bigint, p_to_broker text, p_operation_id uuid default null, p_number_lead text default null,
  p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.require_member();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  lead public.whatsapp_contacts;
  waiting text;
  wait_seconds integer;
  code text := 'saved';
begin
  if answer is not null then return answer; end if;
  select c.* into lead from public.whatsapp_contacts c
  where c.id = portal.asked_lead(account, p_broker_name, p_contact_id, p_number_lead) for no key update;
  select p.to_instance into waiting from portal.lead_passes p where p.contact_id = lead.id and p.state = 'open';
  if lead.id is null then code := 'unknown_lead';
  elsif p_to_broker is null then
    delete from portal.lead_passes p where p.contact_id = lead.id;
    if not found then code := 'already'; end if;
  elsif waiting = p_to_broker then code := 'already';
  elsif not coalesce(portal.are_colleagues(lead."instanceName", p_to_broker), false) then code := 'no_colleague';
  else
    wait_seconds := portal.charge_attempt(array['pass'], array[coalesce(account::text, 'portal')], now());
    if wait_seconds > 0 then
      raise exception 'Muitos leads passados em pouco tempo. Tente de novo em alguns minutos.' using errcode = 'PT429', hint = 'pass.many';
    end if;
    insert into portal.lead_passes (contact_id, from_instance, to_instance)
    values (lead.id, lead."instanceName", p_to_broker)
    on conflict (contact_id) do update set from_instance = excluded.from_instance, to_instance = excluded.to_instance,
      state = 'open', offered_at = now(), answered_at = null;
    perform portal.push(p_to_broker, 'handover', 'pass-' || lead.id, null, interval '0');
  end if;
  return portal.end_operation(account, p_operation_id, 'lead.pass', portal.pass_answer(code));
end $$;
comment on function public.lead_pass(bigint, text, uuid, text, text) is
  'Offers a lead to a colleague of its broker''s team (instance name), who gets a push and accepts or declines. p_to_broker null withdraws the offer, answered or not. Until the answer the lead stays where it is. Permissions, the lead''s identification and p_operation_id are those of save_lead_notes. Returns {success, code, message, current}, code saved, already, unknown_lead or no_colleague. 429 beyond a hundred passes at once, then beyond one a minute. 401 once the session has ended.';
grant execute on function public.lead_pass(bigint, text, uuid, text, text) to authenticated, service_role;

create function public.lead_take(
  p_contact_id bigint, p_accepts boolean, p_operation_id uuid default null, p_number_lead text default null,
  p_broker_name text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  mine text := portal.require_own_board();
  account uuid := portal.account_id();
  answer jsonb := portal.begin_operation(account, p_operation_id);
  pass portal.lead_passes;
  code text := 'saved';
begin
  if answer is not null then return answer; end if;
  -- Takes the locks in the order of every hand-over.
  perform portal.take_apply_turn();
  perform portal.take_roleta_turn();
  perform from public.brokers b
  where b."instanceName" = mine
    or b."instanceName" = (select p.from_instance from portal.lead_passes p where p.contact_id = p_contact_id)
  order by b."instanceName" for key share;
  perform from public.whatsapp_contacts c where c.id = p_contact_id for update;
  select p.* into pass from portal.lead_passes p where p.contact_id = p_contact_id and p.to_instance = mine for update;
  if pass.state = (case when p_accepts then 'accepted' else 'declined' end) then code := 'already';
  elsif pass.state is distinct from 'open' then code := 'over';
  elsif not p_accepts then
    update portal.lead_passes p set state = 'declined', answered_at = now() where p.contact_id = p_contact_id;
    perform portal.push(pass.from_instance, 'declined', 'pass-' || p_contact_id, p_contact_id, interval '0');
  elsif not portal.are_colleagues(pass.from_instance, mine) then
    delete from portal.lead_passes p where p.contact_id = p_contact_id;
    code := 'no_colleague';
  else
    -- Written before the lead moves, because the move ends an open pass.
    update portal.lead_passes p set state = 'accepted', answered_at = now() where p.contact_id = p_contact_id;
    perform set_config('portal.operation_id', coalesce(p_operation_id::text, ''), true);
    perform portal.hand_over(array[p_contact_id], mine);
    perform set_config('portal.operation_id', '', true);
    perform portal.push(pass.from_instance, 'accepted', 'pass-' || p_contact_id, p_contact_id, interval '0');
  end if;
  return portal.end_operation(account, p_operation_id, 'lead.take', portal.pass_answer(code));
end $$;
comment on function public.lead_take(bigint, boolean, uuid, text, text) is
  'The calling broker accepts a lead that a colleague passes, or declines it. An accepted lead moves to the broker''s board with its history. The colleague gets a push either way. p_number_lead and p_broker_name are ignored. p_operation_id: a retry by the same account gets the stored answer. Returns {success, code, message, current}, code saved, already, over (it was withdrawn, answered or given to somebody else) or no_colleague (one of the two left the team). Brokers only: 42501 for anybody else; 401 once the session has ended.';
grant execute on function public.lead_take(bigint, boolean, uuid, text, text) to authenticated, service_role;

create function public.get_lead_passes() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  mine text := portal.require_own_board();
begin
  return jsonb_build_object(
    'colleagues', (
      select coalesce(jsonb_agg(b."instanceName" order by b."instanceName"), '[]')
      from public.brokers b where portal.are_colleagues(mine, b."instanceName")),
    'incoming', (
      select coalesce(jsonb_agg(jsonb_build_object('contact_id', p.contact_id, 'first_name', portal.first_name(c.name),
        'development', c.empreendimento, 'from', p.from_instance, 'at', floor(extract(epoch from p.offered_at))::bigint)
        order by p.offered_at, p.contact_id), '[]')
      from portal.lead_passes p join public.whatsapp_contacts c on c.id = p.contact_id
      where p.to_instance = mine and p.state = 'open'),
    'outgoing', (
      select coalesce(jsonb_agg(jsonb_build_object('contact_id', p.contact_id, 'to', p.to_instance, 'state', p.state)
        order by p.contact_id), '[]')
      from portal.lead_passes p where p.from_instance = mine and p.state in ('open', 'declined')));
end $$;
comment on function public.get_lead_passes() is
  'Leads that the calling broker passes, and leads that are passed to it: {colleagues (instance names of its team), incoming [{contact_id, first_name, development, from, at (epoch seconds)}], outgoing [{contact_id, to, state (open, or declined until the broker withdraws it)}]}. Of an incoming lead the broker sees only first name and development. Brokers only: 42501 for anybody else; 401 once the session has ended.';
grant execute on function public.get_lead_passes() to authenticated, service_role;
