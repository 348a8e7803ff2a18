-- A page of a broker's leads by id went through everybody's until it had enough of them.

create index contacts_broker_id on public.whatsapp_contacts ("instanceName", id);
comment on index public.contacts_broker_id is 'Serves the leads of a broker by their id, page by page, without those of others.';
