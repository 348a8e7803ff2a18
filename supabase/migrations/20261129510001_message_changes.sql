-- A message holds the edit or deletion that a person asked for until WhatsApp has it.
-- with: function portal.apply_edit, function portal.apply_revoke, function portal.due_queues
alter table public.whatsapp_messages add column change jsonb;
create index messages_changing on public.whatsapp_messages ("instanceName", id) where change ->> 'state' = 'queued';
