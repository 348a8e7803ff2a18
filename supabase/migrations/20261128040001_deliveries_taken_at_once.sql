-- The turn and the deliveries that are applied in it come with one question instead of three.

create function portal.take_deliveries(p_instance text, p_most integer)
returns table (id bigint, "instanceName" text, body text, received_at_ms bigint)
language plpgsql volatile set search_path = '' as $$
declare
  next_ids bigint[];
begin
  -- What is looked for after the turn was waited for is what is there by then.
  if p_instance is null then
    perform portal.take_apply_turn();
    next_ids := array(select i.id from portal.webhook_inbox i order by i.id limit p_most);
  else
    perform portal.take_apply_turn_of(p_instance);
    next_ids := array(
      select i.id from portal.webhook_inbox i where i."instanceName" = p_instance order by i.id limit p_most);
  end if;
  return query
  with taken as (delete from portal.webhook_inbox i where i.id = any (next_ids) returning i.*)
  select t.id, t."instanceName", t.body, (extract(epoch from t.received_at) * 1000)::bigint from taken t order by t.id;
end $$;
comment on function portal.take_deliveries(text, integer) is
  'Takes the turn of applying, an instance''s or with none named that of all, and then the deliveries that wait longest out of the inbox, in order of arrival, for the transaction that applies them. Server only.';
