-- Leads have interests in developments, and what was sent of a development is known.
-- with: table portal.interests, table portal.sent_material
-- with: function portal.interest_names, function portal.keep_interest_names, trigger keep_interest_names on portal.interests
-- with: function portal.note_merged_interests, trigger note_merged_interests on portal.contact_merges
-- with: function portal.move_interests, trigger move_interests on portal.contact_merges
alter table public.whatsapp_contacts add column interests text[];
alter table portal.contact_merges add column gone_interests jsonb;
