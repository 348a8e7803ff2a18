-- A message that may have left although a proxy said that its gateway is gone.
-- with: function portal.claim_message, function portal.due_queues

alter table portal.send_queues
  add column doubted_message bigint references public.whatsapp_messages on delete set null;
create index send_queues_doubted on portal.send_queues (doubted_message);
