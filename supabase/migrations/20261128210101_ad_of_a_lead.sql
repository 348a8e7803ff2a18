-- By which advertisement a lead came to WhatsApp.
alter table public.whatsapp_contacts add column ad jsonb;
