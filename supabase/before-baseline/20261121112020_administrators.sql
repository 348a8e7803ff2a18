-- Administrators added, reset and removed by one another (PRODUCT.md 3, FIRST_ACCESS). A refusal has the HTTP status in its errcode
-- and its code in the hint.

create function portal.admin_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', a.id, 'username', a.username, 'hasPassword', a.password_hash is not null,
      'hasSecondStep', portal.has_second_step(a.id),
      'seenAt', (select max(s.refreshed_at) from portal.sessions s where s.account_id = a.id))
      order by a.username), '[]')
    from portal.accounts a where a.role = 'admin'
  );
end $$;
comment on function portal.admin_list() is 'All administrators. Administrators, by the server only.';

create function portal.add_admin(p_operation_id uuid, p_username text, p_invite_hash bytea, p_invite_until timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  insert into portal.accounts (role, username, invite_hash, invite_expires_at)
  values ('admin', p_username, p_invite_hash, p_invite_until)
  on conflict (role, username) do nothing;
  if not found then
    raise exception 'Já existe um administrador com este nome' using errcode = 'PT409', hint = 'admin.taken';
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'admin.add', jsonb_build_object('username', p_username));
end $$;
comment on function portal.add_admin(uuid, text, bytea, timestamptz) is
  'A new administrator, invited to set the first password; once an operation. 409 where the name is taken. Administrators, by the server only.';

create function portal.reset_admin(p_operation_id uuid, p_admin uuid, p_invite_hash bytea, p_invite_until timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  wanted portal.accounts;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.hold_admins();
  select * into wanted from portal.accounts a where a.id = p_admin and a.role = 'admin';
  if wanted.id is null then
    raise exception 'Administrador não encontrado' using errcode = 'PT404', hint = 'admin.unknown';
  elsif wanted.id = portal.account_id() then
    raise exception 'Troque a sua própria senha em Conta.' using errcode = 'PT422', hint = 'admin.self';
  end if;
  update portal.accounts a
  set password_hash = null, invite_hash = p_invite_hash, invite_expires_at = p_invite_until where a.id = p_admin;
  delete from portal.factors f where f.account_id = p_admin;
  delete from portal.recovery_codes c where c.account_id = p_admin;
  delete from portal.sessions s where s.account_id = p_admin;
  return portal.end_operation(portal.account_id(), p_operation_id, 'admin.reset',
    jsonb_build_object('username', wanted.username));
end $$;
comment on function portal.reset_admin(uuid, uuid, bytea, timestamptz) is
  'Takes another administrator''s password, second step and sessions away and invites to a new first access; once an operation. Administrators, by the server only.';

create function portal.remove_admin(p_operation_id uuid, p_admin uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  wanted portal.accounts;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  perform portal.hold_admins();
  select * into wanted from portal.accounts a where a.id = p_admin and a.role = 'admin';
  if wanted.id is null then
    raise exception 'Administrador não encontrado' using errcode = 'PT404', hint = 'admin.unknown';
  elsif wanted.id = portal.account_id() then
    raise exception 'Peça a outro administrador para remover você.' using errcode = 'PT422', hint = 'admin.self';
  end if;
  -- Who asks can sign in and stays: the last administrator is never removed.
  delete from portal.accounts a where a.id = p_admin;
  return portal.end_operation(portal.account_id(), p_operation_id, 'admin.remove',
    jsonb_build_object('username', wanted.username));
end $$;
comment on function portal.remove_admin(uuid, uuid) is
  'Removes another administrator, whose access ends at once; never oneself, and so never the last one; once an operation. Administrators, by the server only.';

create function portal.hold_admins() returns void
language plpgsql volatile set search_path = '' as $$
begin
  -- In one order: two who remove each other at once come one after the other, and the second is no administrator any more.
  perform from portal.accounts a where a.role = 'admin' order by a.id for update;
  perform portal.require_admin();
end $$;
comment on function portal.hold_admins() is 'Holds all administrators'' accounts until the end of the transaction, and asks again whether the asker is one.';
