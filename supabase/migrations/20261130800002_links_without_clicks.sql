-- The lead's public row, which gerentes read, loses the click ids in links of advertisements; undoing a merge brings none back.
-- with: function portal.plain_text, function portal.has_click, function portal.bare_link, function portal.learn_of_contact
create function pg_temp.is_clicked(p_link text, p_contact bigint) returns boolean language sql stable as $$
  select coalesce(p_link ~* 'clid|clkid|click_?id|braid|gcl|fb[cp]|fb\.[0-9]|%(25|[67])', false) or exists (
    select from portal.lead_clicks k where k.contact_id = p_contact and position(k.value in p_link) > 0)
$$;
create function pg_temp.bare_ad(p_ad jsonb, p_contact bigint) returns jsonb language sql stable as $$
  select p_ad - 'clickId' || case when pg_temp.is_clicked(p_ad ->> 'link', p_contact)
    then jsonb_build_object('link', case when not pg_temp.is_clicked(l.bare, p_contact) then l.bare end) else '{}' end
  from (select regexp_replace(p_ad ->> 'link', '[?#].*$', '') as bare) l
$$;
update public.whatsapp_contacts c set ad = pg_temp.bare_ad(c.ad, c.id) where c.ad <> pg_temp.bare_ad(c.ad, c.id);
update portal.contact_merges m set
  kept_before = m.kept_before || jsonb_build_object('ad', pg_temp.bare_ad(nullif(m.kept_before -> 'ad', 'null'), m.kept_contact_id)),
  kept_after = m.kept_after || jsonb_build_object('ad', pg_temp.bare_ad(nullif(m.kept_after -> 'ad', 'null'), m.kept_contact_id)),
  gone_before = m.gone_before || jsonb_build_object('ad', pg_temp.bare_ad(nullif(m.gone_before -> 'ad', 'null'), m.kept_contact_id))
where 'object' in (jsonb_typeof(m.kept_before -> 'ad'), jsonb_typeof(m.kept_after -> 'ad'), jsonb_typeof(m.gone_before -> 'ad'));
drop function pg_temp.bare_ad(jsonb, bigint);
drop function pg_temp.is_clicked(text, bigint);
