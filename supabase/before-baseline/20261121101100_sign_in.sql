-- The four sign-in functions of SPEC.md 7.1, for the portal and administrators (PRODUCT.md 4.1), and what they share
-- with the portal's own sign-in: one hash, one throttle, one way to set a first password.

create function portal.idle_password_hash() returns text
language sql immutable parallel safe set search_path = '' as $$
  select '$2a$10$6xVCSBBX5.83EOho3OBh6ecGvlXbBARoBszQ5L4hWsmjQYlwNYg6i'
$$;
comment on function portal.idle_password_hash() is
  'A hash of nobody''s password, checked where there is no account, so that a refusal takes as long as any other.';

create function portal.may_check_passwords() returns boolean
language sql stable set search_path = '' as $$
  -- current_user is the owner within a security definer function; the setting still names the role that asked.
  select coalesce(nullif(current_setting('role'), 'none'), session_user::text) in (current_user, 'service_role')
    or portal.is_admin()
$$;
comment on function portal.may_check_passwords() is
  'Whether the portal''s own role, service_role or an administrator''s session is asking. For the functions below.';

create function portal.matches_password(attempt text, password_hash text) returns boolean
language plpgsql stable set search_path = '' as $$
declare
  given text := normalize(coalesce(attempt, ''), nfc);
  made text := extensions.crypt(given, coalesce(password_hash, portal.idle_password_hash()));
begin
  -- bcrypt reads 72 bytes only: a longer password would match by its beginning.
  return password_hash is not null and octet_length(given) <= 72 and made = password_hash;
end $$;
comment on function portal.matches_password(text, text) is
  'Whether a password belongs to a bcrypt hash; without a hash false, after the same work.';

create function portal.try_password(wanted_role text, wanted_username text, attempt text) returns uuid
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
  'The account of a username and password, or null; counted in the throttle. Raises 42501 for anyone who may not ask, PT429 after too many attempts.';

create function portal.username_of(instance text) returns text
language sql immutable set search_path = '' as $$
  select case when starts_with(instance, 'corretor_') then substr(instance, length('corretor_') + 1) else instance end
$$;
comment on function portal.username_of(text) is 'A broker''s username out of the instance name; a bare username is taken as it is.';

create function portal.first_access_holds(account portal.accounts, is_open boolean, invite bytea, moment timestamptz)
returns boolean
language sql immutable set search_path = '' as $$
  select account.password_hash is null and coalesce(
    (is_open and account.first_access_until > moment)
      or (account.invite_hash = invite and account.invite_expires_at > moment), false)
$$;
comment on function portal.first_access_holds(portal.accounts, boolean, bytea, timestamptz) is
  'Whether a first password may be set: there is none, and the open time runs where that counts, or the one-time invite (its SHA-256) holds.';

create function portal.set_first_password(
  account uuid, new_hash text, is_open boolean, invite bytea, moment timestamptz
) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  -- The broker's row first, as a reset takes them: the two never wait for each other.
  perform from public.brokers b where b.id = account for no key update;
  update portal.accounts a
  set password_hash = new_hash, first_access_until = null, invite_hash = null, invite_expires_at = null
  where a.id = account and portal.first_access_holds(a, is_open, invite, moment);
  return found;
end $$;
comment on function portal.set_first_password(uuid, text, boolean, bytea, timestamptz) is
  'Sets a broker''s first password where portal.first_access_holds; false where not. An invite is used up by it.';

create function public.authenticate_admin(username_attempt text, password_attempt text)
returns table (id uuid, username text, authenticated boolean)
language plpgsql volatile security definer set search_path = '' as $$
begin
  id := portal.try_password('admin', username_attempt, password_attempt);
  username := username_attempt;
  authenticated := id is not null;
  return next;
end $$;
comment on function public.authenticate_admin(text, text) is
  'Checks an administrator''s password (SPEC.md 7.1): one row, id null and authenticated false when it is wrong. Run by the portal and administrators; browsers sign in through /auth/v1.';

create function public.authenticate_broker(broker_instance text, password_attempt text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  return portal.try_password('broker', portal.username_of(broker_instance), password_attempt) is not null;
end $$;
comment on function public.authenticate_broker(text, text) is
  'Whether the password is that broker''s (SPEC.md 7.1). Run by the portal and administrators; browsers sign in through /auth/v1.';

create function public.check_broker_has_password(broker_instance text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if not portal.may_check_passwords() then
    raise exception 'Só um administrador pode conferir senhas.' using errcode = '42501';
  end if;
  return exists (
    select from portal.accounts
    where role = 'broker' and username = portal.username_of(broker_instance) and password_hash is not null);
end $$;
comment on function public.check_broker_has_password(text) is
  'Whether the broker has set a password (SPEC.md 7.1); false for an unknown one. Run by the portal and administrators; browsers ask /api/login/lookup.';

create function public.set_broker_password(broker_instance text, new_password text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  given text := normalize(coalesce(new_password, ''), nfc);
  account uuid;
begin
  if not portal.may_check_passwords() then
    raise exception 'Só um administrador pode definir senhas.' using errcode = '42501';
  end if;
  if length(given) < 6 or octet_length(given) > 72 then
    raise exception 'A senha precisa ter de 6 a 72 caracteres.' using errcode = '22023';
  end if;
  select a.id into account from portal.accounts a
  where a.role = 'broker' and a.username = portal.username_of(broker_instance);
  if account is null then
    raise exception 'Corretor não encontrado' using errcode = 'PT404';
  end if;
  if not portal.set_first_password(
    account, extensions.crypt(given, extensions.gen_salt('bf', 10)), true, null, clock_timestamp()) then
    raise exception 'Erro ao definir a senha' using errcode = 'P0001',
      hint = 'O corretor já tem senha ou o prazo do primeiro acesso acabou. Redefina a senha do corretor.';
  end if;
  return true;
end $$;
comment on function public.set_broker_password(text, text) is
  'Sets a broker''s first password while first access is open (SPEC.md 7.1, PRODUCT.md 3); raises a Portuguese message otherwise. Run by the portal and administrators; browsers use /api/login/first-access.';

grant execute on function
  public.authenticate_admin(text, text),
  public.authenticate_broker(text, text),
  public.check_broker_has_password(text),
  public.set_broker_password(text, text)
to authenticated, service_role;
