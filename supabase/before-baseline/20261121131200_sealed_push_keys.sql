-- The key that signs pushes lies sealed, as Meta's secrets do: a copy of the database tells nobody anything (PWA.md 4).

alter table portal.push_keys add column is_sealed boolean not null default false;
comment on column portal.push_keys.is_sealed is 'False for what an older portal kept in the clear: the next start seals it.';
comment on column portal.push_keys.private_key is
  'Sealed under the portal''s own secret, which is not in the database. One that cannot be opened stays: devices are bound to its pair.';
