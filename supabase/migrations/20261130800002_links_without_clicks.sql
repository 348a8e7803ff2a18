-- The lead's public row, which gerentes read, loses the click ids in links of advertisements; undoing a merge brings none back.
-- with: function portal.plain_text, function portal.has_click, function portal.bare_link, function portal.learn_of_contact
update public.whatsapp_contacts c set ad = c.ad || jsonb_build_object('link', portal.bare_link(c.id, c.ad ->> 'link'))
where c.ad ->> 'link' is distinct from portal.bare_link(c.id, c.ad ->> 'link');
update portal.contact_merges m set kept_before = jsonb_set(m.kept_before, '{ad}',
  (m.kept_before -> 'ad') - 'clickId' || jsonb_build_object('link', portal.bare_link(m.kept_contact_id, m.kept_before #>> '{ad,link}')))
where jsonb_typeof(m.kept_before -> 'ad') = 'object';
update portal.contact_merges m set kept_after = jsonb_set(m.kept_after, '{ad}',
  (m.kept_after -> 'ad') - 'clickId' || jsonb_build_object('link', portal.bare_link(m.kept_contact_id, m.kept_after #>> '{ad,link}')))
where jsonb_typeof(m.kept_after -> 'ad') = 'object';
update portal.contact_merges m set gone_before = jsonb_set(m.gone_before, '{ad}',
  (m.gone_before -> 'ad') - 'clickId' || jsonb_build_object('link', portal.bare_link(m.kept_contact_id, m.gone_before #>> '{ad,link}')))
where jsonb_typeof(m.gone_before -> 'ad') = 'object';
