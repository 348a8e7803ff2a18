-- The health page's probe asks with an empty name and password; it held back the administrator's own checks of a password.

create or replace function portal.try_password(wanted_role text, wanted_username text, attempt text) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  account portal.accounts;
  subject text := wanted_role || ':' || coalesce(wanted_username, '');
  -- Calls by way of the data service have no address of their own: each caller counts as one.
  caller text := 'rpc ' || coalesce(portal.account_id()::text, current_setting('role'));
  moment timestamptz := clock_timestamp();
  wait_seconds integer;
begin
  if not portal.may_check_passwords() then
    raise exception 'Só um administrador pode conferir senhas.' using errcode = '42501';
  end if;
  -- No account has an empty name or password, so neither is a guess: a health probe asks with both, again and again.
  if coalesce(wanted_username, '') = '' or coalesce(attempt, '') = '' then return null; end if;
  wait_seconds := portal.charge_sign_in(subject, caller, moment);
  if wait_seconds > 0 then
    raise exception 'Muitas tentativas. Tente de novo em % segundos.', wait_seconds using errcode = 'PT429';
  end if;
  select * into account from portal.accounts where role = wanted_role and username = wanted_username;
  if not portal.matches_password(attempt, account.password_hash) then return null; end if;
  perform portal.forgive_sign_in(subject, caller, moment);
  return account.id;
end $$;
comment on function portal.try_password(text, text, text) is
  'The account of a username and password, or null; counted in the throttle unless one of them is empty. Raises 42501 for anyone who may not ask, PT429 after too many attempts.';
