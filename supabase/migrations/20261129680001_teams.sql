-- Teams and the role gerente. After the upgrade nobody is in a team, and no rotation is a team's.
-- with: table portal.teams, table portal.team_members, table portal.team_managers
-- with: function portal.led_instances
alter table portal.accounts drop constraint accounts_role_check;
alter table portal.accounts add constraint accounts_role_check check (role in ('admin', 'broker', 'gerente'));
create unique index accounts_panel on portal.accounts (username) where role in ('admin', 'gerente');
alter table portal.audit_log drop constraint audit_log_actor_role_check;
alter table portal.audit_log add constraint audit_log_actor_role_check
  check (actor_role in ('admin', 'broker', 'gerente', 'service', 'system', 'stranger'));
