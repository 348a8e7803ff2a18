-- The second step of an administrator's sign-in: codes of an authenticator app, and recovery codes for a lost one (SPEC.md 7.4,
-- BACKEND.md 7; PRODUCT.md 4.1). A session that still owes it opens nothing.

create table portal.factors (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references portal.accounts on delete cascade,
  friendly_name text not null check (length(friendly_name) <= 60),
  secret bytea not null,
  verified_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null,
  unique (account_id, friendly_name)
);
comment on table portal.factors is 'Authenticator apps of administrators; one counts once it was verified.';
comment on column portal.factors.secret is 'Encrypted by the portal with a key of its own (AES-256-GCM).';
comment on column portal.factors.last_step is 'The half minute of the newest code taken; it and what lies before are never taken again.';

create table portal.factor_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references portal.factors on delete cascade,
  session_id uuid not null references portal.sessions on delete cascade,
  expires_at timestamptz not null,
  unique (factor_id, session_id)
);
comment on table portal.factor_challenges is 'Questions for a code that a session has open, one a factor.';
create index factor_challenges_session on portal.factor_challenges (session_id);
comment on index portal.factor_challenges_session is 'Serves the end of a session.';

create table portal.recovery_codes (
  account_id uuid not null references portal.accounts on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);
comment on table portal.recovery_codes is 'SHA-256 of the codes that stand in for a lost authenticator app, each once.';

alter table portal.factors enable row level security;
alter table portal.factor_challenges enable row level security;
alter table portal.recovery_codes enable row level security;

alter table portal.sessions add column second_step_at timestamptz;
comment on column portal.sessions.second_step_at is 'When the second step was taken in it; null where none was.';

insert into portal.throttle_rules (kind, free_attempts, first_wait_seconds, longest_wait_seconds, forgets_one_in_seconds) values
  ('code', 5, 30, 900, 1800);    -- codes of one account from anywhere: whoever guesses them knows the password already

create function portal.has_second_step(account uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (select from portal.factors f where f.account_id = account and f.verified_at is not null)
$$;
comment on function portal.has_second_step(uuid) is 'Whether an account''s password alone does not open it.';

create or replace function portal.account_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  claims jsonb := auth.jwt();
  session uuid := claims ->> 'session_id';
  account uuid := claims ->> 'sub';
begin
  perform from portal.sessions s
  where s.id = session and s.account_id = account and s.expires_at > now()
    and (s.second_step_at is not null
      or not exists (select from portal.factors f where f.account_id = account and f.verified_at is not null));
  return case when found then account end;
end $$;
comment on function portal.account_id() is
  'The signed-in account of this request, or null, also while its session still owes the second step; for row rules.';

create function portal.renew_recovery_codes(p_operation_id uuid, p_hashes bytea[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  perform portal.require_admin();
  if account is null or portal.begin_operation(account, p_operation_id) is not null then return; end if;
  perform from portal.accounts a where a.id = account for no key update;
  if not portal.has_second_step(account) then
    raise exception 'Ative primeiro a verificação em duas etapas.' using errcode = 'PT409', hint = 'second-step.off';
  end if;
  delete from portal.recovery_codes c where c.account_id = account;
  insert into portal.recovery_codes (account_id, code_hash) select account, made from unnest(p_hashes) made;
  perform portal.audit('recovery-codes.made');
  perform portal.end_operation(account, p_operation_id, 'recovery-codes.make', '{}');
end $$;
comment on function portal.renew_recovery_codes(uuid, bytea[]) is
  'Puts new recovery codes in the place of all earlier ones of the asking administrator; once an operation. 409 without a second step. By the server only.';

create function portal.my_second_step() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := portal.account_id();
begin
  perform portal.require_admin();
  return jsonb_build_object(
    'isOn', portal.has_second_step(account),
    'codesLeft', (select count(*) from portal.recovery_codes c where c.account_id = account and c.used_at is null));
end $$;
comment on function portal.my_second_step() is
  'Whether the asking administrator signs in with a second step, and how many recovery codes are left. By the server only.';
