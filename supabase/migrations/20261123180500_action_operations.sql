-- A device knows its own action again by how its operation begins, before it has heard the id.

comment on column public.whatsapp_contacts.next is
  'The open actions of portal.actions, the one due first in front: [{id, op (how its operation begins), kind, due (epoch seconds), note}]; null without one.';

create or replace function portal.carry_actions() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched bigint[];
  quieted bigint[];
begin
  if tg_op = 'INSERT' then
    select array_agg(distinct n.contact_id) into touched from new_rows n;
  else
    select array_agg(distinct t.id) into touched
    from (select o.contact_id as id from old_rows o union select n.contact_id from new_rows n) t;
  end if;
  if touched is null then return null; end if;
  -- In the order of all who write leads; after the wait a snapshot that has what the one before wrote.
  perform from public.whatsapp_contacts c where c.id = any (touched) order by c.id for no key update;
  with carried as (
    select t.id,
      max(a.seen_at) filter (where a.outcome is distinct from 'removed') as quiet_at,
      jsonb_agg(jsonb_build_object('id', a.id, 'op', left(a.operation_id::text, 8), 'kind', a.kind,
        'due', floor(extract(epoch from a.due_at))::bigint, 'note', a.note)
        order by a.due_at, a.id) filter (where a.finished_at is null) as next
    from unnest(touched) as t (id) left join portal.actions a on a.contact_id = t.id
    group by t.id
  ), written as (
    update public.whatsapp_contacts c set quiet_at = carried.quiet_at, next = carried.next
    from carried, public.whatsapp_contacts before
    where c.id = carried.id and before.id = c.id
      and (c.quiet_at, c.next) is distinct from (carried.quiet_at, carried.next)
    returning c.id, before.quiet_at is distinct from c.quiet_at as is_quieted
  )
  select array_agg(w.id) into quieted from written w where w.is_quieted;
  if quieted is not null then perform portal.carry(quieted); end if;
  return null;
end $$;
comment on function portal.carry_actions() is
  'Trigger: a lead carries its open actions, and what was seen when they were set no longer waits.';

update public.whatsapp_contacts c
set next = (
  select jsonb_agg(jsonb_build_object('id', a.id, 'op', left(a.operation_id::text, 8), 'kind', a.kind,
    'due', floor(extract(epoch from a.due_at))::bigint, 'note', a.note) order by a.due_at, a.id)
  from portal.actions a where a.contact_id = c.id and a.finished_at is null)
where c.next is not null;
