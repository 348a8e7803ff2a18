-- with: function portal.carry_plans
-- Who was won or lost before still waited; those who wrote since go on waiting.

select portal.carry_plans(array_agg(c.id))
from public.whatsapp_contacts c join public.kanban_stages s on s.slug = c.status and s.kind <> 'open'
where c.waiting_since is not null;
