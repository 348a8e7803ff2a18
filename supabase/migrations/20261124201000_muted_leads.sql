-- A broker silences what a lead writes.

create table portal.muted_leads (
  contact_id bigint primary key references public.whatsapp_contacts on delete cascade,
  "instanceName" text not null references public.brokers ("instanceName") on update cascade on delete cascade,
  since timestamptz not null default now()
);
comment on table portal.muted_leads is
  'Leads whose messages raise no push: for the broker who said so, and for no other owner after a hand-over. By functions.';
create index muted_leads_broker on portal.muted_leads ("instanceName");
comment on index portal.muted_leads_broker is 'Serves the removal of a broker.';
alter table portal.muted_leads enable row level security;

create or replace function portal.push_message() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.push(c."instanceName", 'message', 'lead-' || c.id, c.id, interval '1 second')
  from public.whatsapp_contacts c
  where c.id = new.contact_id and c."instanceName" is not null and not exists (
    select from portal.muted_leads m where m.contact_id = c.id and m."instanceName" = c."instanceName");
  return null;
end $$;

create function public.lead_mute(
  p_contact_id bigint, p_is_muted boolean default null, p_number_lead text default null, p_broker_name text default null
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  lead bigint := portal.asked_lead(portal.require_member(), p_broker_name, p_contact_id, p_number_lead);
  owner text := (select c."instanceName" from public.whatsapp_contacts c where c.id = lead);
begin
  if owner is null then return null; end if;
  if p_is_muted then
    insert into portal.muted_leads (contact_id, "instanceName") values (lead, owner)
    on conflict (contact_id) do update set "instanceName" = excluded."instanceName", since = now();
    -- What has not gone out yet does not go any more.
    delete from portal.push_queue q where q.kind = 'message' and q.subject = lead and q.claimed_by is null;
  elsif not p_is_muted then
    delete from portal.muted_leads m where m.contact_id = lead;
  end if;
  return exists (select from portal.muted_leads m where m.contact_id = lead and m."instanceName" = owner);
end $$;
comment on function public.lead_mute(bigint, boolean, text, text) is
  'Silences what a lead writes for its broker, or lets it be heard again; null only asks. Answers whether it is silent; null for anyone else''s lead and for one without a broker. A broker for the own leads, an administrator for all. The lead is p_contact_id, else p_number_lead on the board of p_broker_name. 401 once the session has ended.';
revoke execute on function public.lead_mute(bigint, boolean, text, text) from public, anon;
grant execute on function public.lead_mute(bigint, boolean, text, text) to authenticated, service_role;
