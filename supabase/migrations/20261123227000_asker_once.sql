-- Who is asking is looked up once a transaction; a move that nothing stands against is one statement.

set check_function_bodies = off;

-- Who is asking. Claims alone open nothing: the session and the account must still be there. They are looked up at the first question
-- of a transaction and stand in its settings until it ends; whoever could write those settings could take any role as well.
create or replace function portal.look_up_asker(claims text) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  session uuid := claims::jsonb ->> 'session_id';
  account uuid := claims::jsonb ->> 'sub';
  met record;
begin
  select a.id, a.role, a.username, b."instanceName" into met
  from portal.sessions s
  join portal.accounts a on a.id = s.account_id
  left join public.brokers b on b.id = a.id
  where s.id = session and s.account_id = account and s.expires_at > now()
    and (s.second_step_at is not null
      or not exists (select from portal.factors f where f.account_id = account and f.verified_at is not null));
  perform set_config('portal.account', coalesce(met.id::text, ''), true),
    set_config('portal.role', coalesce(met.role, ''), true),
    set_config('portal.username', coalesce(met.username, ''), true),
    set_config('portal.instance', coalesce(met."instanceName", ''), true),
    -- Whom nobody was found for is looked for again: the session may come with this very transaction.
    set_config('portal.asker', case when met.id is null then '' else claims end, true);
end $$;
comment on function portal.look_up_asker(text) is
  'Finds the account of a living session that owes no second step, and keeps it for the rest of the transaction; for portal.account_id.';

create or replace function portal.account_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  -- As auth.jwt reads them.
  claims text := coalesce(nullif(current_setting('request.jwt.claim', true), ''), current_setting('request.jwt.claims', true), '');
begin
  if claims = '' then return null; end if;
  if claims is distinct from current_setting('portal.asker', true) then perform portal.look_up_asker(claims); end if;
  return nullif(current_setting('portal.account', true), '');
end $$;
comment on function portal.account_id() is
  'The signed-in account of this request, or null, also while its session still owes the second step; for row rules.';

create or replace function portal.is_admin() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return portal.account_id() is not null and current_setting('portal.role') = 'admin';
end $$;
comment on function portal.is_admin() is 'Whether an administrator is asking; for row rules.';

create or replace function portal.my_instance() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.account_id() is null then return null; end if;
  return nullif(current_setting('portal.instance'), '');
end $$;
comment on function portal.my_instance() is 'Instance name of the broker who is asking, or null; for row rules.';

create or replace function portal.actor() returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  if portal.account_id() is null then return 'portal'; end if;
  return current_setting('portal.username');
end $$;
comment on function portal.actor() is 'Username of who is asking, ''portal'' for the server itself.';

-- A lead that is moved while its stage is marked as won, or no longer, counts as what the stage is in the end.
create or replace function portal.move_lead(p_board text, p_contact_id bigint, p_to_status text, p_expected_status text) returns text
language plpgsql volatile set search_path = '' as $$
declare
  from_status text;
begin
  if p_contact_id is null then return 'unknown_lead'; end if;
  -- The stage first, then the lead: in this order a stage that is being removed or marked is waited for, never against.
  perform from public.kanban_stages s where s.slug = p_to_status for share;
  if not found then return 'unknown_stage'; end if;
  -- Mostly nothing stands against it.
  update public.whatsapp_contacts c set status = p_to_status
  where c.id = p_contact_id and (c."instanceName" = p_board or p_board is null)
    and c.status <> p_to_status and (c.status = p_expected_status or p_expected_status is null);
  if found then return 'moved'; end if;
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
comment on function portal.move_lead(text, bigint, text, text) is
  'Compare and set on the stage only, of a lead that is still on the board; answers the code of what came of it.';

create or replace function portal.emit_moved() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  told jsonb;
begin
  if not exists (select from portal.hooks) then return null; end if;
  told := jsonb_build_object('leadId', new.contact_id, 'from', new.from_status, 'to', new.to_status);
  perform portal.emit('lead.moved', new.contact_id, told);
  perform portal.emit('lead.' || s.kind, new.contact_id, told)
  from public.kanban_stages s where s.slug = new.to_status and s.kind in ('won', 'lost');
  return null;
end $$;
comment on function portal.emit_moved() is 'Trigger: a lead moved, maybe to where it is won or lost.';

reset check_function_bodies;
