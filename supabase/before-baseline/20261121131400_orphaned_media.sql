-- Files that lost their last row otherwise than by an erasure, or never had one, go like those of an erased person (PRODUCT.md 3).

-- A campaign keeps its attachment as messages do, with its kind beside it.
create or replace function portal.media_is_used(p_media text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.whatsapp_messages m where m.content ->> 'mediaId' = p_media)
    or exists (select from public.remarketing_campaigns c where c.media #>> '{content,mediaId}' = p_media)
    or exists (select from portal.webhook_inbox i where strpos(i.body, 'stored:' || p_media) > 0)
$$;

create function portal.note_orphaned_media(p_ids text[]) returns integer
language sql volatile security definer set search_path = '' as $$
  with noted as (
    insert into portal.media_removals (media_id)
    select asked.media from unnest(p_ids) as asked (media)
    where not portal.media_is_used(asked.media)
      and not exists (select from portal.webhook_aside a where strpos(a.body, 'stored:' || asked.media) > 0)
      and not exists (select from portal.waiting_events w where strpos(w.waited::text, asked.media) > 0)
    on conflict do nothing
    returning 1
  )
  select count(*)::integer from noted
$$;
comment on function portal.note_orphaned_media(text[]) is
  'Notes those files for removal that no row names, not even a delivery that was set aside; how many. Asked of old files alone: a new one may be about to be named. Server only.';
