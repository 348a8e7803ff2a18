-- An answer is of the words as they stand when it goes out.
alter table portal.agent_turns add column read_mark text;
