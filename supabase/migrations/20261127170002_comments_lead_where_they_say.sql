-- Two comments: where the same rule stands in the app, and the word that a retry is looked for by.

comment on function portal.phone_fault(text) is
  'Why a number that somebody typed cannot be taken: area (eight or nine digits without an area code, after +55 as well) or number (no Brazilian number, and not written with + and its country''s code); null where it can. The same rule as phoneFault of src/domain/lead/adding.ts.';
comment on function portal.settle_event(bigint, uuid, timestamptz, integer, text, integer) is
  'What became of a try: delivered; later (a retry after a minute, twice as long each time, a day at most); failures (20 in a row: its address is paused) or gone (410: off); lost (no longer the claimer''s). Server only.';
