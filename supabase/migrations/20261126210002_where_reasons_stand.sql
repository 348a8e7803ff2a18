-- The comment names the file where the codes stand now, on databases from before the baseline too.
comment on column public.whatsapp_messages.delivery_reason is
  'Why an outgoing line still waits, failed, or has an unknown end; a code of src/domain/message/outgoing.ts. Null once it was taken.';
