-- A broker may type a code for the link to which the instance moves. A new table of moves has the column already.
alter table portal.instance_moves add column if not exists pairing_number text;
