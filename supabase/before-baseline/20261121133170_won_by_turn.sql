-- A lead that is moved while its stage is marked as won, or no longer, counts as what the stage is in the end (PRODUCT.md 4.7).

create or replace function portal.move_lead(p_board text, p_contact_id bigint, p_to_status text, p_expected_status text) returns text
language plpgsql volatile set search_path = '' as $$
declare
  from_status text;
begin
  if p_contact_id is null then return 'unknown_lead'; end if;
  -- The stage first, then the lead: in this order a stage that is being removed or marked is waited for, never against.
  perform from public.kanban_stages s where s.slug = p_to_status for share;
  if not found then return 'unknown_stage'; end if;
  select c.status into from_status
  from public.whatsapp_contacts c
  where c.id = p_contact_id and (c."instanceName" = p_board or p_board is null)
  for no key update;
  if not found then return 'unknown_lead'; end if;
  if from_status = p_to_status then return 'already'; end if;
  if from_status <> p_expected_status then return 'conflict'; end if;
  update public.whatsapp_contacts set status = p_to_status where id = p_contact_id;
  return 'moved';
end $$;

create or replace function portal.recount_won() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- After the wait a snapshot that has where those who were just moved went.
  perform from public.whatsapp_contacts c
  where exists (select from portal.stage_history h where h.contact_id = c.id and h.to_status = new.slug)
  order by c.id for no key update;
  update public.whatsapp_contacts c
  set won_at = (
    select min(h.changed_at)
    from portal.stage_history h join public.kanban_stages s on s.slug = h.to_status and s.kind = 'won'
    where h.contact_id = c.id
  )
  where exists (select from portal.stage_history h where h.contact_id = c.id and h.to_status = new.slug);
  return null;
end $$;
