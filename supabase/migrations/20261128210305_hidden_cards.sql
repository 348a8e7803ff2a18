-- Before an agent speaks it looks at the cards of its instance that are known by a hidden id alone.
create index contacts_hidden on public.whatsapp_contacts ("instanceName") where number is null;
