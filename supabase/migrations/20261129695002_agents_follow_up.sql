-- An agent may write again to leads that do not answer it, if an administrator switches it on.
alter table portal.agent_settings add column follows_up boolean not null default false;
