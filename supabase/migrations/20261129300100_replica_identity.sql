-- Logical replication refuses to delete from a table without a key or a replica identity.
alter table portal.lead_deltas replica identity full;
