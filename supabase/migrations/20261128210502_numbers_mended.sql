-- Numbers of other countries were stored without their plus and then read as Brazilian ones. What is certain is mended, the rest
-- is listed for the administrator, and nothing is sent there until somebody has decided.

-- They kept what portal.number_key answered before.
reindex index public.agent_chat_number;
alter table portal.people drop constraint people_number_key_check;
alter table portal.people add constraint people_number_key_check check (number_key = portal.number_key(number_key));

create temporary table told on commit drop as
select c.id, c.person_id, c."instanceName", c.number, p.number_key as key, d.digits,
  portal.number_key(c.number) as read_plain, portal.number_key('+' || d.digits) as read_abroad
from public.whatsapp_contacts c
join portal.people p on p.id = c.person_id
cross join lateral (select ltrim(regexp_replace(c.number, '[^0-9]', '', 'g'), '0') as digits) d
where c.number is not null and d.digits <> '';

-- Addresses that WhatsApp answered to a number that had been dialled wrong, and who wrote from there.
create temporary table strangers on commit drop as
select i."instanceName", i.jid, i.person_id, portal.number_key(i.jid) as key, exists (
    select from public.whatsapp_contacts c join public.whatsapp_messages m on m.contact_id = c.id
    where c.person_id = i.person_id and m.type = 'incoming' and m."remoteJid" = i.jid) as wrote
from portal.identities i join portal.people p on p.id = i.person_id
where i.jid not like '%@lid' and portal.number_key(i.jid) <> p.number_key;

insert into portal.number_doubts (contact_id, shown, numbers)
select t.id, t.number, array(
  select '+' || portal.number_of_key(k.key) from unnest(t.keys) with ordinality as k (key, n)
  where k.key is not null group by k.key order by min(k.n) limit 5)
from (
  -- The conversation is with somebody whose number is not the lead's.
  select t.id, t.number, array(
    select s.key from strangers s where s.person_id = t.person_id and s.wrote order by s.key limit 4) || t.key as keys
  from told t
  where exists (select from strangers s where s.person_id = t.person_id and s.wrote)
  union all
  -- A form told it with + or 00 and its country, or it stands for an e-mail's lead; it may be of either country. No number of the
  -- United States looks like one with area code 11 to 19.
  select t.id, t.number, array[t.read_plain, t.read_abroad]
  from told t
  where t.read_plain = t.key and length(t.digits) in (10, 11) and t.digits !~ '^(1|55)' and t.number !~ '^\+'
    and exists (
      select from portal.lead_intakes i
      where i.contact_id = t.id and (i.number = t.number or i.number is null and i.email is not null))
    and not exists (select from strangers s where s.person_id = t.person_id and s.wrote)
  union all
  -- Shown is neither the person's number nor anything that could be read as it, and WhatsApp knows nobody under that one.
  select t.id, t.number, array[t.key, coalesce(t.read_plain, case when length(t.digits) between 8 and 15 then t.read_abroad end)]
  from told t
  where t.key is not null and t.key is distinct from t.read_plain and t.key is distinct from t.read_abroad
    and coalesce(t.read_plain, t.read_abroad) is not null
    and not exists (select from portal.identities i where i.person_id = t.person_id and portal.number_key(i.jid) = t.key)
    and not exists (select from strangers s where s.person_id = t.person_id and s.wrote)
) t;

-- The person's key is that of the number that was typed or reported: where only the plus is missing it is put there, and where
-- WhatsApp knows the person by the key that is what is shown.
update public.whatsapp_contacts c
set number = portal.shown_number('+' || case when t.key = t.read_abroad then t.digits else portal.number_of_key(t.key) end)
from told t
where c.id = t.id and t.key is not null and t.key is distinct from t.read_plain
  and (length(t.digits) >= 10 or t.key is distinct from t.read_abroad)
  and c.number is distinct from portal.shown_number('+' || case when t.key = t.read_abroad then t.digits else portal.number_of_key(t.key) end)
  and not exists (select from portal.number_doubts d where d.contact_id = c.id)
  and (t.key = t.read_abroad or coalesce(t.read_plain, t.read_abroad) is not null);

-- A person without a key, of whom one number is shown that nobody else has.
update portal.people p set number_key = t.key
from (
  select t.person_id, min(coalesce(t.read_plain, t.read_abroad)) as key from told t
  where t.key is null and (t.read_plain is not null or t.number like '+%')
  group by t.person_id having count(distinct coalesce(t.read_plain, t.read_abroad)) = 1
) t
where p.id = t.person_id
  and (select count(*) from told o where o.key is null and coalesce(o.read_plain, o.read_abroad) = t.key and o.person_id <> t.person_id) = 0
  and not exists (select from portal.people o where o.number_key = t.key);

-- Who did not write is a stranger, to whom the next message from there belongs.
delete from portal.identities i using strangers s
where not s.wrote and i."instanceName" = s."instanceName" and i.jid = s.jid and i.person_id = s.person_id;
