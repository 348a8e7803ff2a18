-- Deliveries of several instances that have few share a transaction.

drop function portal.take_deliveries(text, integer);

create function portal.take_deliveries(p_instances text[], p_most integer)
returns table (id bigint, "instanceName" text, body text, received_at_ms bigint)
language plpgsql volatile set search_path = '' as $$
declare
  taken_turns text[];
  next_ids bigint[];
begin
  -- What is looked for after the turn was waited for is what is there by then.
  if p_instances is null then
    perform portal.take_apply_turn();
    next_ids := array(select i.id from portal.webhook_inbox i order by i.id limit p_most);
  else
    -- Who waits for one turn holds none, so that no two wait for each other.
    perform portal.take_apply_turn_of(p_instances[1]);
    taken_turns := p_instances[1] || array(
      select n.name from unnest(p_instances[2:]) as n (name)
      where pg_try_advisory_xact_lock(71302211, hashtext(n.name)));
    -- Of each something: much of one keeps no other waiting.
    next_ids := array(
      select i.id from unnest(taken_turns) as t (name) cross join lateral (
        select w.id, row_number() over (order by w.id) as n from portal.webhook_inbox w
        where w."instanceName" = t.name order by w.id limit p_most) as i
      order by i.n, i.id limit p_most);
  end if;
  return query
  with taken as (delete from portal.webhook_inbox i where i.id = any (next_ids) returning i.*)
  select t.id, t."instanceName", t.body, (extract(epoch from t.received_at) * 1000)::bigint from taken t
  union all
  select null, n.name, null, null from unnest(p_instances) as n (name) where n.name <> all (taken_turns)
  order by 1;
end $$;
comment on function portal.take_deliveries(text[], integer) is
  'Takes the turns of applying, those of instances or with none named that of all, and then the deliveries that wait longest of each out of the inbox, in order of arrival, for the transaction that applies them. The first instance''s turn is waited for; one whose turn another has is answered as a row without an id. Server only.';
