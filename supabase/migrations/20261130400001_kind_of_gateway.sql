-- Each instance and each stored delivery knows the kind of its gateway. All that exist are of the first kind.
alter table portal.webhook_secrets add column if not exists gateway text not null default 'evolution',
  add column if not exists previous_gateway text;
alter table portal.webhook_inbox add column if not exists gateway text not null default 'evolution';
alter table portal.leftover_instances add column if not exists gateway text;
-- Both take the kind of gateway now.
-- with: function portal.add_broker, function portal.set_gateway
drop function if exists portal.add_broker(uuid, text, text, bytea, bytea, timestamptz);
drop function if exists portal.set_gateway(text, text);
