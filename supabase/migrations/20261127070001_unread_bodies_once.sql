-- What a sender repeats is one body to be read, however often it comes: Postmark and Mailgun send again whatever was not answered with 200.

create function portal.is_unread_twin(raw portal.intake_raw) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from portal.intake_raw r
    where r.key_id = raw.key_id and r.next_at is null and r.id <> raw.id and r.body = raw.body and r.content_type = raw.content_type)
$$;
comment on function portal.is_unread_twin(portal.intake_raw) is
  'Whether the same body of the same key waits for a person already: services of inbound mail send again whatever was not answered with 200. Server only.';

create or replace function portal.take_raw(p_id bigint, p_leads jsonb, p_fault text, p_now timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  raw portal.intake_raw;
  lead jsonb;
  taken jsonb;
  answer jsonb;
begin
  select * into raw from portal.intake_raw r where r.id = p_id for update;
  -- Whoever was faster made the leads.
  if not found then return null; end if;
  for lead in select * from jsonb_array_elements(p_leads) loop
    taken := portal.take_lead(raw.key_id, lead, p_now);
    answer := case when answer is null or (answer -> 'isRepeat')::boolean then taken else answer end;
  end loop;
  if p_fault is null or portal.is_unread_twin(raw) then
    delete from portal.intake_raw r where r.id = p_id;
  else
    update portal.intake_raw r set next_at = null, fault = p_fault where r.id = p_id;
  end if;
  return answer;
end $$;
comment on function portal.take_raw(bigint, jsonb, text, timestamptz) is
  'Makes the leads of a stored body and lets the body go, all or nothing: as portal.take_lead of the first that is new. With p_fault, why not all of it could be read, the body stays for a person. Null where another portal was faster. Server only.';

create or replace function portal.set_raw_unread(p_id bigint, p_fault text, p_most integer) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  raw portal.intake_raw;
begin
  select * into raw from portal.intake_raw r where r.id = p_id for update;
  if not found then return false; end if;
  -- One after the other for a key, so that the bound holds.
  perform from portal.intake_keys k where k.id = raw.key_id for no key update;
  if portal.is_unread_twin(raw) then
    delete from portal.intake_raw r where r.id = p_id;
    return true;
  end if;
  if (select count(*) from portal.intake_raw r where r.key_id = raw.key_id and r.next_at is null) >= p_most then
    delete from portal.intake_raw r where r.id = p_id;
    return false;
  end if;
  update portal.intake_raw r set next_at = null, fault = p_fault where r.id = p_id;
  return true;
end $$;
comment on function portal.set_raw_unread(bigint, text, integer) is
  'Keeps a body that no lead can be made of, for a person to look at, once however often its sender repeats it. False, and it is gone, where its key has p_most of them already. Server only.';
