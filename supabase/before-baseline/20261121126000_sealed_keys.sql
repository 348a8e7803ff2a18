-- What is secret of a key of Meta lies sealed: a copy of the database signs and reads nothing at Meta (PRODUCT.md 4.1).
-- Rows of before are sealed by the portal at its next start: only it has the key.

comment on column portal.intake_keys.secrets is
  'Of Meta: appSecret, verifyToken and pageToken as {sealed}, AES-256-GCM under a key made from JWT_SECRET. Never shown.';
alter table portal.intake_keys add constraint intake_keys_sealed check (secrets = '{}' or secrets ? 'sealed') not valid;
