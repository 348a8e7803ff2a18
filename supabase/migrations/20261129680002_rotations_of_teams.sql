-- A rotation may belong to a team, whose gerente keeps its seats and rules. None does after the upgrade.
-- with: function portal.led_teams
alter table public.roletas add column team_id uuid;
alter table public.roletas add constraint roletas_team_id_fkey foreign key (team_id) references portal.teams on delete set null;
create index roletas_team on public.roletas (team_id);
