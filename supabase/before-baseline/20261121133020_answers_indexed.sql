-- What a lead carries is reckoned anew at every line (PRODUCT.md 4.3, 4.7).
-- Without an answer the whole conversation was read for one, at every message of the lead.
create index messages_answers on public.whatsapp_messages (contact_id, "timestamp", id)
  where type = 'outgoing' and author = 'human';
comment on index public.messages_answers is
  'Serves the first response. Not by delivery, which changes with every receipt.';
