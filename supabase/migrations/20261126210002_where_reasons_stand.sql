-- Comments name the files where codes and rules stand now.
comment on column public.whatsapp_messages.delivery_reason is
  'Why an outgoing line still waits, failed, or has an unknown end; a code of src/domain/message/outgoing.ts. Null once it was taken.';

comment on column portal.agent_turns.reason is 'Why it ended so; a code of src/domain/agent/turn.ts.';

comment on function portal.phone_fault(text) is
  'Why a number that somebody typed cannot be taken: area (eight or nine digits without an area code) or number (no Brazilian number, and not written with + and its country''s code); null where it can. The same rule as phoneFault of src/domain/phone/phone.ts.';
