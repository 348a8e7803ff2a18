-- A new source of leads is code alone: the server knows which kinds there are.
alter table portal.intake_keys drop constraint intake_keys_kind_check;
alter table portal.intake_keys add constraint intake_keys_kind_check check (kind ~ '^[a-z]{2,20}$');
