-- Deadlines of leads that wait are computed once; the leads that wait now get their rows.
-- with: table portal.answer_deadlines, table portal.deadline_changes
-- with: function portal.note_deadline, trigger note_new_deadline on public.whatsapp_contacts, trigger note_deadline on public.whatsapp_contacts
-- with: function portal.note_deadline_case, trigger note_deadline_case on portal.roleta_cases
-- with: function portal.warn_risks
insert into portal.answer_deadlines (contact_id, received_at, look_at)
select c.id, w.received_at, w.received_at
from public.whatsapp_contacts c, lateral (select least(c.left_contact_at, c.first_incoming_at)) as w (received_at)
where c.first_response_at is null and w.received_at >= now() - interval '2 days'
  and (c.left_contact_at <= coalesce(c.first_incoming_at, 'infinity') and c.first_contacted_at is not null) is not true;
drop index public.contacts_unanswered;
