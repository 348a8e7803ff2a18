-- Leads as files: imports and exports.


-- An import is stored row by row, applied in small batches, and can be undone within a day. It sends no message and
-- causes no push. Only a lead without a number gets a case, in the administrator's inbox. Webhooks announce the import
-- once, at its end.

create table portal.imports (
  id uuid primary key,
  file_name text not null check (btrim(file_name) <> '' and length(file_name) <= 200),
  destination text not null check (destination in ('broker', 'rotation', 'inbox')),
  "instanceName" text references public.brokers ("instanceName") on update cascade on delete set null,
  roleta_id integer references public.roletas on delete set null,
  development text check (length(development) <= 120),
  source text not null check (length(source) between 1 and 60),
  state text not null default 'receiving' check (state in ('receiving', 'running', 'finished', 'stopped', 'undoing', 'undone')),
  reason text check (reason in ('person', 'no-owner')),
  total integer not null check (total between 1 and 50000),
  received integer not null default 0,
  added integer not null default 0,
  known integer not null default 0,
  refused integer not null default 0,
  undone integer not null default 0,
  left_in integer not null default 0,
  made_by uuid not null,
  created_by text not null default portal.actor(),
  created_at timestamptz not null default now(),
  turn_at timestamptz,
  ended_at timestamptz,
  sheets jsonb not null default '[]'
);
comment on table portal.imports is
  'Lists of leads that administrators imported from a file, with their progress. Administrators, through the portal.';
comment on column portal.imports.id is
  'The operation that began the import. If it comes again, it returns the same import.';
comment on column portal.imports.destination is
  'Who gets leads whose row names no broker. broker: "instanceName". rotation: its active seats by weight, without offers. inbox: the administrator, who also gets every lead without a number.';
comment on column portal.imports.development is 'The development of rows that name none.';
comment on column portal.imports.state is
  'receiving (rows are still being uploaded), running, finished, stopped (see reason; imported leads stay), undoing, undone.';
comment on column portal.imports.reason is
  'Why it stopped: person (somebody stopped it), or no-owner (the broker was removed, or the rotation has no active seat). Null: it did not.';
comment on column portal.imports.total is 'Rows of the file that are not empty.';
comment on column portal.imports.known is
  'Rows of people who were leads already, or who are in the file more than once.';
comment on column portal.imports.left_in is
  'Leads that undoing the import left on the board, because somebody wrote to, moved or edited them.';
comment on column portal.imports.sheets is
  'The imported sheets of the file: [{name, titles}], for the file of refused rows.';
comment on column portal.imports.turn_at is
  'When its last batch ran. Of two imports the one that has waited longer gets the next batch.';
comment on column portal.imports.ended_at is
  'When its last row was applied, or it stopped. The import can be undone for a day after that.';
create index imports_broker on portal.imports ("instanceName");
comment on index portal.imports_broker is 'Serves renaming and removing a broker.';
create index imports_rotation on portal.imports (roleta_id);
comment on index portal.imports_rotation is 'Serves the removal of a rotation.';
alter table portal.imports enable row level security;

create table portal.import_rows (
  id bigint generated always as identity primary key,
  import_id uuid not null references portal.imports on delete cascade,
  place integer not null check (place between 1 and 1000000),
  data jsonb,
  fault text check (fault in ('no-contact', 'half-phone', 'bad-phone', 'cut-phone', 'service-phone', 'titles', 'test', 'erased', 'bad-value', 'bad-arrival',
    'bad-last-contact', 'unknown-broker', 'unknown-stage')),
  outcome text not null check (outcome in ('waiting', 'added', 'known', 'refused')),
  person_id bigint,
  contact_id bigint,
  filled text[],
  taken_at timestamptz,
  unique (import_id, place)
);
comment on table portal.import_rows is
  'Rows of imports. The content of a row is deleted once it is applied. That of a refused row is kept as long as raw bodies, for the file of refused rows. Server only.';
comment on column portal.import_rows.place is 'The line in the file. Lines of further sheets continue the count.';
comment on column portal.import_rows.data is
  'Of a waiting row: name, number and numbers (further ones) as portal.shown_number returns them, key (portal.number_key of number), email, source, campaign, development, note, stage (a name), boardStage (a slug), broker (an instance name), valueCents, tags, arrivedAt, lastContactAt. Of a refused row: the file''s values by field, and raw: {sheet, line, cells}.';
comment on column portal.import_rows.filled is
  'The columns of a known lead that were empty and that this row filled. Undoing the import empties them again.';
comment on column portal.import_rows.taken_at is
  'The time of the transaction in which the row changed its lead. Undoing the import skips leads that changed later.';
create index import_rows_waiting on portal.import_rows (import_id, (data ->> 'key' is null), place) where outcome = 'waiting';
comment on index portal.import_rows_waiting is
  'Serves finding the next batch: rows with a number come before rows with only an e-mail.';
create index import_rows_contact on portal.import_rows (import_id, contact_id) where contact_id is not null;
comment on index portal.import_rows_contact is 'Serves undoing an import lead by lead.';
create index import_rows_kept on portal.import_rows (import_id, place) where outcome = 'refused';
comment on index portal.import_rows_kept is 'Serves making the file of refused rows, and deleting their content.';
alter table portal.import_rows enable row level security;

create function portal.import_answer(p_import portal.imports) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', p_import.id, 'fileName', p_import.file_name, 'destination', p_import.destination,
    'instanceName', p_import."instanceName",
    'rotation', (select r.empreendimento from public.roletas r where r.id = p_import.roleta_id),
    'state', p_import.state, 'reason', p_import.reason, 'total', p_import.total, 'received', p_import.received,
    'added', p_import.added, 'known', p_import.known, 'refused', p_import.refused,
    'undone', p_import.undone, 'leftIn', p_import.left_in,
    'createdBy', p_import.created_by, 'createdAt', p_import.created_at, 'endedAt', p_import.ended_at)
$$;
comment on function portal.import_answer(portal.imports) is
  'An import in the form that administrators read. Server only.';

create function portal.imports_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(portal.import_answer(i) order by i.created_at desc, i.id), '[]')
    from (select * from portal.imports order by created_at desc, id limit 20) i
  );
end $$;
comment on function portal.imports_list() is
  'The last 20 imports, the newest first. Administrators, through the server only.';

create function portal.count_known_people(p_keys text[], p_emails text[]) returns integer
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
      select count(*) from (select distinct unnest(p_keys)) as k (key)
      where exists (
        select from portal.people p join public.whatsapp_contacts c on c.person_id = p.id where p.number_key = k.key)
    ) + (
      select count(*) from (select distinct unnest(p_emails)) as e (email)
      where exists (select from public.whatsapp_contacts c where c.email = e.email)
    );
end $$;
comment on function portal.count_known_people(text[], text[]) is
  'How many of these number keys, and e-mails of rows without a number, belong to somebody who is a lead already. An import adds no lead for them. Administrators, through the server only.';

create function portal.import_to_change(p_id uuid) returns portal.imports
language plpgsql volatile security definer set search_path = '' as $$
declare
  one portal.imports;
begin
  perform portal.require_admin();
  select * into one from portal.imports i where i.id = p_id for update;
  if not found then
    raise exception 'Esta importação já não está aqui.' using errcode = 'PT404', hint = 'import.unknown';
  end if;
  return one;
end $$;
comment on function portal.import_to_change(uuid) is
  'An import, locked for the transaction. 404 for an unknown one. Administrators, through the server only.';

create function portal.begin_import(p_id uuid, p_import jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  one portal.imports;
begin
  perform portal.require_admin();
  select * into one from portal.imports i where i.id = p_id;
  if found then return portal.import_answer(one); end if;
  if (select count(*) from portal.imports i where i.state in ('receiving', 'running', 'undoing')) >= 5 then
    raise exception 'Já há 5 importações em andamento. Espere uma terminar.' using errcode = 'PT409', hint = 'import.too-many';
  end if;
  if p_import ->> 'destination' = 'broker'
    and not exists (select from public.brokers b where b."instanceName" = p_import ->> 'instanceName') then
    raise exception 'Este corretor não existe mais.' using errcode = 'PT422', hint = 'import.no-owner';
  elsif p_import ->> 'destination' = 'rotation' and portal.import_owners((p_import ->> 'roletaId')::integer) = '{}' then
    raise exception 'Esta roleta não tem corretor ativo.' using errcode = 'PT422', hint = 'import.no-owner';
  end if;
  insert into portal.imports (id, file_name, destination, "instanceName", roleta_id, development, source, total, made_by, sheets)
  values (p_id, p_import ->> 'fileName', p_import ->> 'destination',
    case when p_import ->> 'destination' = 'broker' then p_import ->> 'instanceName' end,
    case when p_import ->> 'destination' = 'rotation' then (p_import ->> 'roletaId')::integer end,
    portal.known_development(p_import ->> 'development'), p_import ->> 'source', (p_import ->> 'total')::integer, portal.account_id(),
    coalesce(p_import -> 'sheets', '[]'))
  on conflict (id) do nothing;
  select * into one from portal.imports i where i.id = p_id;
  return portal.import_answer(one);
end $$;
comment on function portal.begin_import(uuid, jsonb) is
  'Begins an import: {fileName, total, destination, instanceName, roletaId, development, source, sheets}; a repeated id returns the existing one. Returns the same as portal.import_answer. 409 while 5 are active, 422 for a broker or rotation that cannot take leads. Administrators, through the server only.';

create function portal.import_owners(p_roleta integer) returns text[]
language sql stable security definer set search_path = '' as $$
  select coalesce(array_agg(s."instanceName" order by (slot - 0.5) / s.weight, s.ordem), '{}')
  from public.roletas r
  join public.roleta_corretores s on s."roletaName" = r.empreendimento and s.ativo
  join public.brokers b on b."instanceName" = s."instanceName" and b.central_since is null
  cross join lateral generate_series(1, s.weight) as slot
  where r.id = p_roleta
$$;
comment on function portal.import_owners(integer) is
  'The order in which an import gives leads to the active seats of a rotation: by weight, spread evenly. Credits do not change, so the next real lead goes to the same broker as without the import. Server only.';

create function portal.add_import_rows(p_id uuid, p_rows jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  one portal.imports := portal.import_to_change(p_id);
begin
  if one.state <> 'receiving' then return portal.import_answer(one); end if;
  with told as (
    insert into portal.import_rows (import_id, place, data, fault, outcome)
    select p_id, (r ->> 'place')::integer, r -> 'data', r ->> 'fault',
      case when r ->> 'fault' is null then 'waiting' else 'refused' end
    from jsonb_array_elements(p_rows) r
    on conflict (import_id, place) do nothing
    returning fault
  )
  update portal.imports i
  set received = i.received + t.rows, refused = i.refused + t.refused,
    state = case when i.received + t.rows >= i.total then 'running' else i.state end
  from (select count(*) as rows, count(t.fault) as refused from told t) t
  where i.id = p_id
  returning i.* into one;
  if one.received > one.total then
    raise exception 'São mais linhas do que foi dito.' using errcode = 'PT422', hint = 'import.too-many-rows';
  end if;
  if one.state = 'running' then
    perform portal.audit('import.started', coalesce(one."instanceName",
        (select r.empreendimento from public.roletas r where r.id = one.roleta_id)),
      jsonb_build_object('count', one.total, 'destination', one.destination));
  end if;
  return portal.import_answer(one);
end $$;
comment on function portal.add_import_rows(uuid, jsonb) is
  'Adds rows to an import: [{place, data, fault}]; repeated rows are ignored. The last row starts it. Returns the same as portal.import_answer. 404 for an unknown import, 422 for more rows than announced. Administrators, through the server only.';

create function portal.stop_import(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  one portal.imports := portal.import_to_change(p_id);
begin
  if one.state = 'receiving' then
    delete from portal.imports i where i.id = p_id;
    one.state := 'stopped';
  elsif one.state = 'running' then
    one := portal.end_import(one, 'stopped', 'person');
  end if;
  return portal.import_answer(one);
end $$;
comment on function portal.stop_import(uuid) is
  'Stops a running import: imported leads stay, waiting rows are deleted. An import whose rows were not all uploaded is deleted. Returns the same as portal.import_answer. 404 for an unknown one. Administrators, through the server only.';

create function portal.undo_import(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  one portal.imports := portal.import_to_change(p_id);
begin
  if one.state in ('finished', 'stopped') then
    if one.ended_at <= now() - interval '24 hours' then
      raise exception 'Só dá para desfazer nas primeiras 24 horas.' using errcode = 'PT409', hint = 'import.too-late';
    end if;
    update portal.imports i set state = 'undoing' where i.id = p_id returning * into one;
    perform portal.audit('import.undone', coalesce(one."instanceName",
        (select r.empreendimento from public.roletas r where r.id = one.roleta_id)),
      jsonb_build_object('count', one.added));
  end if;
  return portal.import_answer(one);
end $$;
comment on function portal.undo_import(uuid) is
  'Begins to undo an import, within 24 hours of its end. In batches it deletes the leads that it added, unless somebody has written to, moved or edited them since. Returns the same as portal.import_answer. 404 for an unknown one, 409 when it is too late. Administrators, through the server only.';

create function portal.refused_rows(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  one portal.imports := portal.import_to_change(p_id);
  found_rows jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('place', r.place, 'fault', r.fault, 'data', r.data) order by r.place), '[]') into found_rows
  from portal.import_rows r where r.import_id = one.id and r.outcome = 'refused';
  perform public.note_export('import-refused', jsonb_array_length(found_rows));
  return jsonb_build_object('sheets', one.sheets, 'rows', found_rows);
end $$;
comment on function portal.refused_rows(uuid) is
  'The refused rows of an import with their reasons: {sheets (of the file), rows: [{place, fault, data}]}, data null after its deletion; audited as an export. 404 for an unknown import. Administrators, through the server only.';


-- A worker of the portal runs an import. Each batch is one transaction, so after a crash the next worker continues with
-- the next batch.

create function portal.end_import(p_import portal.imports, p_state text, p_reason text default null) returns portal.imports
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from portal.import_rows r where r.import_id = p_import.id and r.outcome = 'waiting';
  update portal.imports i set state = p_state, reason = p_reason, ended_at = now() where i.id = p_import.id returning * into p_import;
  perform portal.emit('import.finished', null, jsonb_build_object('importId', p_import.id, 'state', p_state,
    'added', p_import.added, 'known', p_import.known, 'refused', p_import.refused));
  return p_import;
end $$;
comment on function portal.end_import(portal.imports, text, text) is
  'Ends an import as finished or stopped, publishes one event for other systems, and deletes waiting rows. Server only.';

create function portal.import_people(p_rows bigint[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  lone text[];
begin
  -- Locks the numbers in a fixed order. Somebody who adds one of them by hand or by a form then comes before or after
  -- this batch.
  perform pg_advisory_xact_lock(hashtextextended('lead.add ' || k.key, 0))
  from (select distinct r.data ->> 'key' as key from portal.import_rows r where r.id = any (p_rows) and r.data ->> 'key' is not null
    order by 1) k;
  insert into portal.people (number_key)
  select distinct r.data ->> 'key' from portal.import_rows r where r.id = any (p_rows) and r.data ->> 'key' is not null
  order by 1 on conflict (number_key) do nothing;
  update portal.import_rows r set person_id = p.id
  from portal.people p where r.id = any (p_rows) and p.number_key = r.data ->> 'key';
  lone := array(select distinct r.data ->> 'email' from portal.import_rows r
    where r.id = any (p_rows) and r.data ->> 'key' is null order by 1);
  if lone <> '{}' then
    -- Materialized, so that portal.person_by_email runs once for each e-mail, because it may create a person.
    with found as materialized (select e.email, portal.person_by_email(e.email) as person_id from unnest(lone) as e (email))
    update portal.import_rows r set person_id = found.person_id
    from found
    where r.id = any (p_rows) and r.data ->> 'key' is null and r.data ->> 'email' = found.email;
  end if;
  perform portal.part_improbable(p_rows);
  perform from portal.people p
  where p.id in (select r.person_id from portal.import_rows r where r.id = any (p_rows))
  order by p.id for no key update;
end $$;
comment on function portal.import_people(bigint[]) is
  'Finds or creates the persons of these rows, and locks them for the transaction. Server only.';

create function portal.joined_notes(p_notes text, p_more text[]) returns text
language sql immutable security definer set search_path = '' as $$
  select left(string_agg(n.note, E'\n' order by n.at), 10000)
  from (
    select distinct on (btrim(t.note)) t.note, t.at
    from unnest(array_prepend(p_notes, p_more)) with ordinality as t (note, at)
    where btrim(t.note) <> '' order by btrim(t.note), t.at
  ) n
$$;
comment on function portal.joined_notes(text, text[]) is
  'Notes joined line by line, without repeats. Null without any. Server only.';

create function portal.part_improbable(p_rows bigint[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  wanted record;
  person bigint;
begin
  for wanted in
    select r.data ->> 'key' as key, r.data ->> 'email' as email, min(r.data ->> 'number') as number, min(r.place) as place
    from portal.import_rows r
    where r.id = any (p_rows) and r.data ->> 'email' is not null and portal.is_improbable(r.data ->> 'key')
    group by 1, 2 order by 1, 4
  loop
    person := portal.person_of_arrival(wanted.number, wanted.email);
    -- An earlier row of this batch has the same number with another e-mail.
    if exists (
      select from portal.import_rows r
      where r.id = any (p_rows) and r.person_id = person and r.data ->> 'email' <> wanted.email and r.place < wanted.place) then
      person := portal.person_of(null);
    end if;
    update portal.import_rows r set person_id = person
    where r.id = any (p_rows) and r.data ->> 'key' = wanted.key and r.data ->> 'email' = wanted.email;
  end loop;
end $$;
comment on function portal.part_improbable(bigint[]) is
  'Finds rows whose number looks made up, and gives each e-mail among them a person of its own. Server only.';

create function portal.fill_known(p_rows bigint[]) returns void
language sql volatile security definer set search_path = '' as $$
  with told as (
    select r.contact_id, min(r.id) as row_id, min(r.import_id::text)::uuid as import_id,
      (array_agg(r.data ->> 'name' order by r.place) filter (where r.data ->> 'name' is not null))[1] as name,
      (array_agg(r.data ->> 'name' order by length(r.data ->> 'name') desc, r.place) filter (where r.data ->> 'name' is not null))[1] as longest,
      (array_agg(r.data ->> 'email' order by r.place) filter (where r.data ->> 'email' is not null))[1] as email,
      array_agg('Outro e-mail: ' || (r.data ->> 'email') order by r.place) filter (where r.data ->> 'email' is not null) as emails,
      (array_agg(r.data ->> 'development' order by r.place) filter (where r.data ->> 'development' is not null))[1] as development,
      (array_agg(r.data ->> 'campaign' order by r.place) filter (where r.data ->> 'campaign' is not null))[1] as campaign,
      (array_agg(r.data ->> 'note' order by r.place) filter (where r.data ->> 'note' is not null))[1] as note,
      array_agg(r.data ->> 'note' order by r.place) filter (where r.data ->> 'note' is not null) as notes,
      (array_agg((r.data ->> 'valueCents')::bigint order by r.place) filter (where r.data ->> 'valueCents' is not null))[1] as value_cents,
      (array_agg(r.data -> 'tags' order by r.place) filter (where r.data -> 'tags' <> '[]'))[1] as tags
    from portal.import_rows r where r.id = any (p_rows) and r.outcome = 'known'
    group by r.contact_id
  ), standing as (
    select t.*, exists (
        select from portal.import_rows a where a.import_id = t.import_id and a.contact_id = t.contact_id and a.outcome = 'added') as is_own
    from told t
  ), filling as (
    select s.*, case when s.is_own then '{}'::text[] else array_remove(array[
      case when c.name is null and s.name is not null then 'name' end,
      case when c.email is null and s.email is not null then 'email' end,
      case when c.empreendimento is null and s.development is not null then 'empreendimento' end,
      case when c.campaign is null and s.campaign is not null then 'campaign' end,
      case when c.value_cents is null and s.value_cents is not null then 'value_cents' end,
      case when c.tags = '{}' and s.tags is not null then 'tags' end,
      case when coalesce(btrim(c.notes), '') = '' and s.note is not null then 'notes' end], null) end as filled
    from standing s join public.whatsapp_contacts c on c.id = s.contact_id
  ), changed as (
    update public.whatsapp_contacts c
    set name = case when f.is_own and length(f.longest) > coalesce(length(c.name), 0) then f.longest else coalesce(c.name, f.name) end,
      email = coalesce(c.email, f.email),
      empreendimento = coalesce(c.empreendimento, portal.known_development(f.development)),
      campaign = coalesce(c.campaign, f.campaign),
      value_cents = coalesce(c.value_cents, f.value_cents),
      tags = case when c.tags = '{}' and f.tags is not null then array(select jsonb_array_elements_text(f.tags)) else c.tags end,
      notes = case
        when f.is_own then portal.joined_notes(c.notes,
          coalesce(f.notes, '{}') || array_remove(coalesce(f.emails, '{}'), 'Outro e-mail: ' || coalesce(c.email, f.email)))
        when 'notes' = any (f.filled) then f.note else c.notes end
    from filling f where c.id = f.contact_id and (f.is_own or cardinality(f.filled) > 0)
    returning f.row_id, f.filled
  )
  update portal.import_rows r set filled = changed.filled, taken_at = now() from changed where r.id = changed.row_id
$$;
comment on function portal.fill_known(bigint[]) is
  'Fills the empty columns of known leads from these rows and records which. Leads that this import added get the longer name and all notes. Server only.';

-- Over 80 lines: the steps of one batch in order.
create function portal.take_import_rows(p_import portal.imports, p_most integer) returns portal.imports
language plpgsql volatile security definer set search_path = '' as $$
declare
  owners text[] := case p_import.destination
    when 'broker' then array_remove(array[p_import."instanceName"], null)
    when 'rotation' then portal.import_owners(p_import.roleta_id)
    else array[null::text] end;
  taking bigint[];
  fresh bigint[];
  made record;
begin
  if owners = '{}' then return portal.end_import(p_import, 'stopped', 'no-owner'); end if;
  -- Without statistics about the new rows Postgres would read all of them for each batch.
  if p_import.turn_at is null then analyze portal.import_rows; end if;
  -- Waits if another transaction removes a broker at the same time.
  perform from public.brokers b where b."instanceName" = any (owners) order by b."instanceName" for key share;
  -- Rows with only an e-mail come last, in batches of their own. Another row may have the same e-mail with a number,
  -- and its person is a lead by then. Ordering by the expression of import_rows_waiting lets Postgres read that index;
  -- a condition such as `(...) = false` would not.
  taking := array(
    with next as materialized (
      select r.id, r.data ->> 'key' is null as is_lone from portal.import_rows r
      where r.import_id = p_import.id and r.outcome = 'waiting' order by (r.data ->> 'key' is null), r.place limit p_most
    )
    select n.id from next n where n.is_lone = (select bool_and(o.is_lone) from next o));
  if taking = '{}' then return portal.end_import(p_import, 'finished'); end if;
  perform portal.import_people(taking);
  -- Looks up the lead of each person by itself. An import makes the table of leads grow faster than Postgres renews
  -- its statistics, and by the old ones a join would read all leads.
  with people as materialized (select distinct r.person_id from portal.import_rows r where r.id = any (taking))
  update portal.import_rows r set contact_id = k.id, outcome = 'known'
  from people p cross join lateral (
    select c.id
    from public.whatsapp_contacts c left join public.brokers b using ("instanceName")
    where c.person_id = p.person_id
    -- Chooses the lead as for an arrival, but prefers one of the import's destination.
    order by (p_import.destination = 'broker' and c."instanceName" is not distinct from p_import."instanceName") desc,
      c."instanceName" is null, b.central_since is not null, c.last_message_timestamp desc nulls last, c.id limit 1
  ) k
  where r.id = any (taking) and r.person_id = p.person_id;
  -- From here on rows are found by id, because a search for waiting rows would read their whole index. Rows of an
  -- erased person are refused: an import must not make that person a lead again (LGPD art. 18).
  if exists (select from portal.erasures) then
    update portal.import_rows r set outcome = 'refused', fault = 'erased', data = null
    where r.id = any (taking) and r.contact_id is null and exists (
      select from portal.erasures e
      where e.hash in (portal.opt_out_hash(r.data ->> 'key'), portal.opt_out_hash('email ' || lower(r.data ->> 'email'))));
  end if;
  perform set_config('portal.quiet', 'on', true), set_config('portal.importing', 'on', true);
  fresh := array(
    select distinct on (r.person_id) r.id
    from portal.import_rows r where r.id = any (taking) and r.contact_id is null and r.fault is null order by r.person_id, r.place);
  with told as materialized (
    select r.person_id, r.place, r.data, row_number() over (order by r.place) - 1 + p_import.added as turn
    from portal.import_rows r where r.id = any (fresh)
  ), called as materialized (
    select n.name, portal.known_development(n.name) as known
    from (select distinct t.data ->> 'development' as name from told t where t.data ->> 'development' is not null) n
  ), stages as materialized (
    select n.name, (
        select k.slug from public.kanban_stages k
        where k.kind = 'open' and portal.development_key(k.name) = portal.development_key(n.name) order by k.order_index limit 1) as slug
    from (select distinct t.data ->> 'stage' as name from told t where t.data ->> 'stage' is not null) n
  ), made as (
    insert into public.whatsapp_contacts ("instanceName", person_id, name, number, email, source, campaign, empreendimento, notes,
      status, tags, value_cents, created_at, won_at)
    select
      -- Nobody can write to a lead without a number, so the administrator finds the number out first.
      case when d.data ->> 'number' is not null then coalesce(
        (select b."instanceName" from public.brokers b where b."instanceName" = d.data ->> 'broker' and b.central_since is null),
        owners[1 + (d.turn % cardinality(owners))::integer]) end,
      d.person_id, d.data ->> 'name', '+' || ltrim(d.data ->> 'number', '+'), d.data ->> 'email', coalesce(d.data ->> 'source', p_import.source),
      d.data ->> 'campaign', coalesce(c.known, p_import.development,
        (select r.empreendimento from public.roletas r where r.id = p_import.roleta_id)), d.data ->> 'note',
      -- A stage that the portal has is used. Another one becomes a tag with its name.
      coalesce(k.slug, s.slug, 'new'),
      (array(select jsonb_array_elements_text(d.data -> 'tags'))
        || case when k.slug is null and s.slug is null and s.name is not null then array[btrim(left(s.name, 24))] else '{}' end)[:12],
      (d.data ->> 'valueCents')::bigint, coalesce((d.data ->> 'arrivedAt')::timestamptz, now()),
      -- A lead that was won in another system was not won today.
      case when k.kind = 'won' then coalesce((d.data ->> 'lastContactAt')::timestamptz, (d.data ->> 'arrivedAt')::timestamptz) end
    from told d left join called c on c.name = d.data ->> 'development' left join stages s on s.name = d.data ->> 'stage'
      left join public.kanban_stages k on k.slug = d.data ->> 'boardStage'
    order by d.place
    returning id, person_id
  )
  update portal.import_rows r
  set contact_id = m.id, outcome = case when r.id = any (fresh) then 'added' else 'known' end,
    taken_at = case when r.id = any (fresh) then now() end, data = case when r.id = any (fresh) and coalesce(r.data -> 'numbers', '[]') = '[]' then null else r.data end
  from made m
  where r.id = any (taking) and r.contact_id is null and r.fault is null and r.person_id = m.person_id;
  if exists (select from portal.import_rows r where r.id = any (taking) and r.outcome = 'known') then perform portal.fill_known(taking); end if;
  perform portal.add_numbers(r.contact_id, array(select jsonb_array_elements_text(r.data -> 'numbers')), p_import.id)
  -- `offset 0` is needed: with old statistics Postgres would read the index of all rows that have a lead.
  from (select * from portal.import_rows r where r.id = any (taking) offset 0) r
  where r.contact_id is not null and jsonb_array_length(r.data -> 'numbers') > 0;
  perform portal.open_old_case(c.id, c.empreendimento, c.source, now())
  from (select * from portal.import_rows r where r.id = any (taking) offset 0) r join public.whatsapp_contacts c on c.id = r.contact_id
  where r.outcome = 'added' and c.number is null;
  perform set_config('portal.quiet', '', true), set_config('portal.importing', '', true);
  select count(*) filter (where r.outcome = 'added') as added, count(*) filter (where r.outcome = 'known') as known,
    count(*) filter (where r.outcome = 'refused') as refused into made
  from portal.import_rows r where r.id = any (taking);
  if made.refused > 0 then
    delete from portal.people p
    where p.id in (select r.person_id from portal.import_rows r where r.id = any (taking) and r.fault is not null)
      and not exists (select from public.whatsapp_contacts c where c.person_id = p.id)
      and not exists (select from portal.identities i where i.person_id = p.id);
  end if;
  update portal.import_rows r set data = null where r.id = any (taking) and r.data is not null;
  update portal.imports i
  set added = i.added + made.added, known = i.known + made.known, refused = i.refused + made.refused, turn_at = clock_timestamp()
  where i.id = p_import.id returning * into p_import;
  return p_import;
end $$;
comment on function portal.take_import_rows(portal.imports, integer) is
  'Applies the next rows of an import. A known person stays with the current owner, and only empty columns are filled. Other people become leads of the broker that their row names, else of the destination; without a number, of the administrator. Ends the import when no row is left, or the destination has no broker any more. Server only.';

create function portal.take_back_rows(p_import portal.imports, p_most integer) returns portal.imports
language plpgsql volatile security definer set search_path = '' as $$
declare
  leads bigint[] := array(
    select distinct r.contact_id from portal.import_rows r
    where r.import_id = p_import.id and r.contact_id is not null order by 1 limit p_most);
  own bigint[];
  untouched bigint[];
  persons bigint[];
  gone integer;
begin
  if leads = '{}' then
    update portal.imports i set state = 'undone' where i.id = p_import.id returning * into p_import;
    return p_import;
  end if;
  perform from public.whatsapp_contacts c where c.id = any (leads) order by c.id for update;
  own := array(select r.contact_id from portal.import_rows r
    where r.import_id = p_import.id and r.contact_id = any (leads) and r.outcome = 'added');
  -- Finds the leads that nobody has changed since. A change of a lead sets updated_at; other changes add rows to the
  -- tables that refer to it.
  untouched := array(
    select c.id from public.whatsapp_contacts c
    where c.id = any (leads)
      and c.updated_at = (select max(r.taken_at) from portal.import_rows r where r.import_id = p_import.id and r.contact_id = c.id)
      and not exists (select from public.whatsapp_messages m where m.contact_id = c.id and c.id = any (own))
      and not exists (select from portal.actions a where a.contact_id = c.id and c.id = any (own))
      and not exists (select from portal.lead_intakes i where i.contact_id = c.id and c.id = any (own))
      and not exists (select from public.campaign_recipients q where q.contact_id = c.id and c.id = any (own)));
  update public.whatsapp_contacts c
  set name = case when 'name' = any (f.columns) then null else c.name end,
    email = case when 'email' = any (f.columns) then null else c.email end,
    empreendimento = case when 'empreendimento' = any (f.columns) then null else c.empreendimento end,
    campaign = case when 'campaign' = any (f.columns) then null else c.campaign end,
    value_cents = case when 'value_cents' = any (f.columns) then null else c.value_cents end,
    tags = case when 'tags' = any (f.columns) then '{}' else c.tags end,
    notes = case when 'notes' = any (f.columns) then null else c.notes end
  from (
    select r.contact_id, array_agg(distinct word) as columns
    from portal.import_rows r cross join lateral unnest(r.filled) as word
    where r.import_id = p_import.id and r.contact_id = any (untouched) group by r.contact_id
  ) f
  where c.id = f.contact_id and c.id <> all (own);
  delete from portal.contact_numbers n where n.contact_id = any (leads) and n.import_id = p_import.id;
  delete from public.whatsapp_contacts c where c.id = any (untouched) and c.id = any (own);
  get diagnostics gone = row_count;
  persons := array(select r.person_id from portal.import_rows r
    where r.import_id = p_import.id and r.contact_id = any (untouched) and r.outcome = 'added');
  -- Deletes persons who exist only because of the import. An opt-out survives as a hash.
  delete from portal.people p
  where p.id = any (persons)
    and not exists (select from public.whatsapp_contacts c where c.person_id = p.id)
    and not exists (select from portal.identities i where i.person_id = p.id)
    and not exists (select from portal.contact_merges m where p.id in (m.kept_person_id, m.gone_person_id))
    and not exists (select from public.campaign_recipients q where q.person_id = p.id);
  update portal.import_rows r set contact_id = null, person_id = null
  where r.import_id = p_import.id and r.contact_id = any (leads);
  update portal.imports i
  set undone = i.undone + gone, left_in = i.left_in + cardinality(own) - gone, turn_at = clock_timestamp()
  where i.id = p_import.id returning * into p_import;
  return p_import;
end $$;
comment on function portal.take_back_rows(portal.imports, integer) is
  'Undoes the next rows of an import. Leads that it added are deleted with their persons, unless somebody has written to, moved or edited them. Columns that it filled are emptied, unless they have changed since. Server only.';

create function portal.import_step(p_most integer) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  one portal.imports;
begin
  -- Over all portals only one batch runs at a time, so that two imports never add two leads of one person.
  if not pg_try_advisory_xact_lock(hashtextextended('portal.imports', 0)) then return null; end if;
  select * into one from portal.imports i
  where i.state in ('running', 'undoing') order by i.turn_at nulls first, i.created_at limit 1 for update skip locked;
  if not found then return null; end if;
  one := case one.state when 'running' then portal.take_import_rows(one, p_most) else portal.take_back_rows(one, p_most) end;
  return jsonb_build_object('id', one.id, 'state', one.state, 'added', one.added, 'known', one.known, 'refused', one.refused,
    'undone', one.undone);
end $$;
comment on function portal.import_step(integer) is
  'Runs the next batch of the import that has waited longest: {id, state, added, known, refused, undone}. Null if there is none, or another portal runs a batch. Server only.';

create function portal.forget_imports(p_before timestamptz, p_most integer) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  forgotten bigint;
begin
  -- Deletes imports whose upload was not completed within a day.
  delete from portal.imports i where i.state = 'receiving' and i.created_at < now() - interval '1 day';
  update portal.import_rows r set data = null
  where r.id in (
    select old.id from portal.import_rows old join portal.imports i on i.id = old.import_id
    where old.outcome = 'refused' and old.data is not null and i.created_at < p_before
    order by old.id limit p_most);
  get diagnostics forgotten = row_count;
  return forgotten;
end $$;
comment on function portal.forget_imports(timestamptz, integer) is
  'Deletes the content of refused rows of imports from before p_before, at most p_most rows, and imports whose upload was not complete after a day. Returns the number of rows. Server only.';

-- Exports of leads, by the filters of the dashboard and the CRM.

create function portal.leads_to_export(p_filter jsonb) returns setof public.whatsapp_contacts
language sql stable security definer set search_path = '' as $$
  select c.*
  from portal.period((p_filter ->> 'from')::timestamp, (p_filter ->> 'to')::timestamp + interval '86399 seconds') p
  cross join lateral (
    select array(select jsonb_array_elements_text(coalesce(p_filter -> 'brokers', '[]'))) as brokers,
      array(select jsonb_array_elements_text(coalesce(p_filter -> 'developments', '[]'))) as developments
  ) f
  join public.whatsapp_contacts c on c.created_at >= p.starts_at and c.created_at < p.ends_at
    and (f.brokers = '{}' or coalesce(c."instanceName", '') = any (f.brokers))
    and (f.developments = '{}' or c.empreendimento = any (f.developments))
$$;
comment on function portal.leads_to_export(jsonb) is
  'The leads of a filter: brokers (instance names, '''' for leads without a broker) and developments, empty lists mean all; from and to are days of the portal''s time zone, a missing one is open. Server only.';

create function portal.begin_export(p_filter jsonb, p_most integer) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  found_count integer;
begin
  perform portal.require_admin();
  select count(*) into found_count from portal.leads_to_export(p_filter);
  if found_count > p_most then
    raise exception 'São mais de % leads. Escolha um período menor.', replace(to_char(p_most, 'FM999,999'), ',', '.')
      using errcode = 'PT422', hint = 'export.too-long';
  end if;
  perform public.note_export('leads', found_count);
  return found_count;
end $$;
comment on function portal.begin_export(jsonb, integer) is
  'The number of leads in the file of a filter. The export is audited here. 422 beyond p_most. Administrators, through the server only.';

create function portal.export_page(p_filter jsonb, p_after bigint, p_limit integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'number', c.number, 'email', c.email,
      'broker', c."instanceName", 'stage', k.name, 'source', c.source, 'campaign', c.campaign, 'development', c.empreendimento,
      'tags', c.tags, 'valueCents', c.value_cents, 'lossReason', c.loss_reason, 'notes', c.notes,
      'createdAt', c.created_at, 'firstIncomingAt', c.first_incoming_at,
      'firstResponseAt', least(c.first_response_at, c.first_contacted_at),
      'lastMessageAt', to_timestamp(c.last_message_timestamp), 'optedOut', o.opted_out_at is not null) order by c.id), '[]')
    from (select * from portal.leads_to_export(p_filter) l where l.id > p_after order by l.id limit p_limit) c
    join portal.people o on o.id = c.person_id
    left join public.kanban_stages k on k.slug = c.status
  );
end $$;
comment on function portal.export_page(jsonb, bigint, integer) is
  'The leads of a filter by id after p_after, at most p_limit, in the form of the export file. Administrators, through the server only.';
