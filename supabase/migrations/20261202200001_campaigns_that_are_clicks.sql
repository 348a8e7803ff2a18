-- A campaign in the lead's public row that is only a click id is none.
update public.whatsapp_contacts c set campaign = null
where btrim(c.campaign) ~ '^(?:(?:Cj0KCQ|CjwKCA|C[a-z][A-Za-z0-9]KCAj|EAIaIQ|Iw(?:AR|Y2xjaw|ZXh0bg)|PA(?:Y2xjaw|ZXh0bg)|0AAAA|E\.C\.P\.)[\w.~-]{14,}|(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])A[RQf][\w-]{38,}|[0-9a-f]{32})$'
  or exists (
    select from portal.lead_clicks k where k.contact_id = c.id and k.kind <> 'lead_id' and length(k.value) >= 20 and k.value ~ '[0-9]' and k.value = btrim(c.campaign));
