-- Leads that an administrator hands to another broker, and whose they were before (SPEC.md 2.12; PRODUCT.md 4.2).

create table portal.owner_history (
  id bigint generated always as identity primary key,
  contact_id bigint not null references public.whatsapp_contacts on delete cascade,
  from_instance text,
  to_instance text,
  account_id uuid,
  changed_by text not null,
  operation_id uuid,
  changed_at timestamptz not null default now()
);
comment on table portal.owner_history is 'Every change of a lead''s owner, append only (PRODUCT.md 4.2).';
comment on column portal.owner_history.from_instance is 'Instance name of the owner before, who may be gone since; null: it was the administrator''s.';
comment on column portal.owner_history.to_instance is 'Instance name of the new owner; null: the broker was removed, and it became the administrator''s.';
comment on column portal.owner_history.changed_by is 'Username of who handed it over, or ''portal''.';
create index owner_history_contact on portal.owner_history (contact_id, id desc);
comment on index portal.owner_history_contact is 'Serves the owners of a lead, the last one first.';
alter table portal.owner_history enable row level security;

create function portal.add_owner(p_contact bigint, p_from text, p_to text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into portal.owner_history (contact_id, from_instance, to_instance, account_id, changed_by, operation_id)
  values (p_contact, p_from, p_to, portal.account_id(), portal.actor(),
    nullif(current_setting('portal.operation_id', true), '')::uuid)
$$;
comment on function portal.add_owner(bigint, text, text) is 'Appends to the history of a lead''s owners who changes it now. Server only.';

create function portal.record_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.add_owner(new.id, old."instanceName", new."instanceName");
  return null;
end $$;
comment on function portal.record_owner() is 'Trigger: appends a lead''s new owner to its history.';
create trigger record_owner after update of "instanceName" on public.whatsapp_contacts
  for each row when (old."instanceName" is distinct from new."instanceName")
  execute function portal.record_owner();

create function portal.record_merged_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  owner text := new.kept_before ->> 'instanceName';
begin
  update portal.owner_history set contact_id = new.kept_contact_id where contact_id = new.gone_contact_id;
  if new."instanceName" is distinct from owner then
    perform portal.add_owner(new.kept_contact_id, new."instanceName", owner);
  end if;
  return null;
end $$;
comment on function portal.record_merged_owner() is 'Trigger: a lead that becomes one with another takes the history of its owners along.';
create trigger record_merged_owner after insert on portal.contact_merges
  for each row execute function portal.record_merged_owner();

create function public.transferir_leads(
  p_contact_ids bigint[],
  p_broker_name text,
  p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
  asked bigint[] := array(select distinct a.id from unnest(p_contact_ids) as a (id));
  answer jsonb;
  given jsonb;
  found_count integer;
  moved integer;
  kept integer;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(account, p_operation_id);
  if answer is not null then return answer; end if;
  if cardinality(asked) > 2000 then
    raise exception 'Passe no máximo 2.000 leads por vez.' using errcode = 'PT422';
  end if;
  -- Brokers before leads and in one order, as a removal takes them: whoever is just being removed is waited for.
  perform from public.brokers b
  where b."instanceName" = p_broker_name
    or b."instanceName" in (select c."instanceName" from public.whatsapp_contacts c where c.id = any (asked))
  order by b."instanceName" for key share;
  if not exists (select from public.brokers b where b."instanceName" = p_broker_name) then
    return portal.end_operation(account, p_operation_id, 'lead.hand-over', jsonb_build_object(
      'success', false, 'code', 'unknown_broker', 'message', 'Este corretor não existe mais.',
      'moved', 0, 'merged', 0, 'unknown', 0, 'leads', '[]'::jsonb));
  end if;
  perform from public.whatsapp_contacts c where c.id = any (asked) order by c.id for update;
  get diagnostics found_count = row_count;
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'from', c."instanceName") order by c.id), '[]') into given
  from public.whatsapp_contacts c
  where c.id = any (asked) and c."instanceName" is distinct from p_broker_name;
  perform set_config('portal.operation_id', coalesce(p_operation_id::text, ''), true);
  moved := portal.hand_over(asked, p_broker_name);
  perform set_config('portal.operation_id', '', true);
  select count(*) into kept from public.whatsapp_contacts c where c.id = any (asked);
  return portal.end_operation(account, p_operation_id, 'lead.hand-over', jsonb_build_object(
    'success', true, 'code', 'moved', 'message', null,
    'moved', moved, 'merged', found_count - kept, 'unknown', cardinality(asked) - found_count, 'leads', given));
end $$;
comment on function public.transferir_leads(bigint[], text, uuid) is
  'Hands leads to a broker (instance name), with their conversations, notes and history (SPEC.md 2.12; PRODUCT.md 4.2): what the persons write to the old number joins them there, replies go out from the new owner''s instance, and a person whom the new owner has already becomes one lead. Administrators. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, moved, merged, unknown, leads: [{id, from}]}, code moved or unknown_broker; moved counts those whose owner changed, merged those of them that became one with a lead of the new owner, unknown those that are no more; leads names the owner before of each that moved. 401 once the session has ended; 422 for more than 2,000.';

create function public.get_lead_owners(p_contact_id bigint)
returns table (changed_at timestamptz, changed_by text, from_broker text, to_broker text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return query
    select h.changed_at, h.changed_by, h.from_instance, h.to_instance
    from portal.owner_history h
    where h.contact_id = p_contact_id
    order by h.id desc;
end $$;
comment on function public.get_lead_owners(bigint) is
  'Whose a lead was, the last change first: when, by whom, from and to which broker (instance names, null for the administrator). Administrators.';

grant execute on function
  public.transferir_leads(bigint[], text, uuid),
  public.get_lead_owners(bigint)
  to authenticated, service_role;
