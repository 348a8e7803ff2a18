-- Each instance and each stored delivery knows the kind of its gateway. All that exist are of the first kind.
alter table portal.webhook_secrets add column if not exists gateway text not null default 'evolution',
  add column if not exists previous_gateway text;
alter table portal.webhook_inbox add column if not exists gateway text not null default 'evolution';
