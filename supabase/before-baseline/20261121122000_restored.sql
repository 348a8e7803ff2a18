-- A database that went back in time: what it would do a second time, and who would not notice (PRODUCT.md 4.4, 4.8; issue 11).

create function portal.settle_restored(p_made_at timestamptz) returns table (campaigns bigint, lines bigint)
language plpgsql volatile set search_path = '' as $$
begin
  -- Ended, removed or taken sessions would live again.
  delete from portal.sessions;
  -- What waited then may have gone out since.
  with stopped as (
    delete from portal.outgoing returning message_id
  ), noted as (
    update public.whatsapp_messages m set delivery = 'unknown', delivery_reason = 'interrupted'
    from stopped where m.id = stopped.message_id and m.message_id is null
    returning m.id
  )
  select count(*) into lines from noted;
  with paused as (
    update public.remarketing_campaigns c
    set status = 'paused', pause_reason = 'person', wait_reason = null
    where c.status in ('scheduled', 'running') or c.status = 'paused' and c.pause_reason <> 'person'
    returning c.id
  )
  select count(*) into campaigns from paused;
  delete from portal.push_queue;
  -- Every screen reads its whole board again.
  update portal.board_sequences s set epoch = left(replace(gen_random_uuid()::text, '-', ''), 12);
  perform portal.audit('backup.restored', null, jsonb_build_object('madeAt', p_made_at));
  return next;
end $$;
comment on function portal.settle_restored(timestamptz) is
  'After a backup was put back: all sessions end, lines that waited get an unknown end, campaigns wait for a person, boards are read anew. Answers how many campaigns and lines. Operator only.';
revoke all on function portal.settle_restored(timestamptz) from public, anon, authenticated, service_role;
