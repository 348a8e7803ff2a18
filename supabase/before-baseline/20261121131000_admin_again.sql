-- An administrator gets in again: reset by another one, or from the server's own machine where there is no other (PRODUCT.md 3).

create function portal.reopen_admin(p_admin uuid, p_invite_hash bytea, p_invite_until timestamptz) returns void
language plpgsql volatile set search_path = '' as $$
begin
  update portal.accounts a
  set password_hash = null, invite_hash = p_invite_hash, invite_expires_at = p_invite_until where a.id = p_admin;
  delete from portal.factors f where f.account_id = p_admin;
  delete from portal.recovery_codes c where c.account_id = p_admin;
  delete from portal.sessions s where s.account_id = p_admin;
end $$;
comment on function portal.reopen_admin(uuid, bytea, timestamptz) is
  'Takes an administrator''s password, second step and sessions away and invites to a new first access. Called where it was asked whether that may be: portal.reset_admin, and the operator''s command. Server only.';

create or replace function portal.reset_admin(p_operation_id uuid, p_admin uuid, p_invite_hash bytea, p_invite_until timestamptz)
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
  perform portal.reopen_admin(p_admin, p_invite_hash, p_invite_until);
  return portal.end_operation(portal.account_id(), p_operation_id, 'admin.reset',
    jsonb_build_object('username', wanted.username));
end $$;

create or replace function portal.audit_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform portal.audit('admin.added', new.username);
  elsif tg_op = 'DELETE' then
    perform portal.audit('admin.removed', old.username);
  elsif new.password_hash is null then
    if new.role = 'admin' then
      perform portal.audit('admin.reset', new.username,
        case when portal.account_id() is null then '{"place": "server"}'::jsonb else '{}' end);
    end if;
  else
    perform portal.audit(case when old.password_hash is null then 'password.set' else 'password.changed' end,
      new.username, '{}', coalesce(portal.account_id(), new.id));
  end if;
  return null;
end $$;
comment on function portal.audit_account() is
  'Trigger: an administrator was added, reset (also while there was no password yet; from the server''s machine where nobody is signed in) or removed; a password was set or changed, by its owner where nobody else is asking.';
drop trigger audit_password on portal.accounts;
create trigger audit_password after update of password_hash, invite_hash on portal.accounts
  for each row when (old.password_hash is distinct from new.password_hash
    or new.role = 'admin' and new.password_hash is null and new.invite_hash is distinct from old.invite_hash)
  execute function portal.audit_account();
