-- Each stage has a colour of its own: a new one takes one that no other has. What stood keeps the colour that screens gave it.

alter table public.kanban_stages add column hue text
  constraint kanban_stages_hue check (hue in (
    'new', 'contacted', 'qualified', 'closed', 'conversa', 'negociacao', 'arquivado', 'remarketing-sent', 'default'));
comment on column public.kanban_stages.hue is
  'Which of the nine soft colours it is shown in; a new stage takes one that no other has, as long as there is one.';

-- As screens picked one so far: those that the design names, and of the rest each by the sum over its slug.
do $$
declare
  stage record;
  letter text;
  hash bigint;
begin
  for stage in select s.id, s.slug from public.kanban_stages s loop
    hash := 0;
    foreach letter in array regexp_split_to_array(stage.slug, '') loop
      hash := (hash * 31 + ascii(letter)) % 4294967296;
    end loop;
    update public.kanban_stages s
    set hue = case stage.slug
      when 'new' then 'new'
      when 'contacted' then 'contacted'
      when 'qualified' then 'qualified'
      when 'closed' then 'closed'
      when 'fechado' then 'closed'
      when 'conversa' then 'conversa'
      when 'negociacao' then 'negociacao'
      when 'arquivado' then 'arquivado'
      when 'remarketing_sent' then 'remarketing-sent'
      else (array['new', 'contacted', 'qualified', 'negociacao', 'closed', 'remarketing-sent'])[hash % 6 + 1]
    end
    where s.id = stage.id;
  end loop;
end $$;
alter table public.kanban_stages alter column hue set not null;

create function portal.free_hue() returns text
language sql stable security definer set search_path = '' as $$
  -- Last the two greens that stand next to Conversa's and to each other.
  select h.hue
  from unnest(array['contacted', 'remarketing-sent', 'default', 'new', 'negociacao', 'closed', 'arquivado', 'qualified',
    'conversa']) with ordinality h (hue, place)
  order by (select count(*) from public.kanban_stages s where s.hue = h.hue), h.place
  limit 1
$$;
comment on function portal.free_hue() is
  'The colour for a new stage: one that no stage has, else one that the fewest have. Server only.';

create or replace function portal.guard_stage() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  met public.kanban_stages;
begin
  if tg_op = 'DELETE' then
    if old.slug = 'new' then
      raise exception 'O estágio "%" não pode ser excluído.', old.name using errcode = '42501';
    end if;
    -- Whoever was moved in since the screen emptied the stage; the row's lock keeps others out.
    update public.whatsapp_contacts set status = 'new' where status = old.slug;
    return old;
  end if;
  select * into met from public.kanban_stages s where s.id = new.id;
  if found then
    -- An upsert of {id, order_index} inserts first: what it leaves out comes from the row it will meet.
    new.name := coalesce(new.name, met.name);
    new.slug := coalesce(new.slug, met.slug);
    new.hue := coalesce(new.hue, met.hue);
  elsif exists (select from public.kanban_stages s where s.order_index = new.order_index) then
    -- A count plus one is taken where an earlier removal was not renumbered.
    new.order_index := (select max(s.order_index) + 1 from public.kanban_stages s);
  end if;
  new.hue := coalesce(new.hue, portal.free_hue());
  return new;
end $$;
comment on function portal.guard_stage() is
  'Trigger: fills a renumbering upsert, puts a new stage last when its place is taken and gives it a free colour, empties a stage before it goes, keeps the one with slug new.';

create or replace function public.sync_board(p_instance text, p_cursor text default null) returns json
language plpgsql stable security definer set search_path = '' as $$
declare
  board portal.board_sequences;
  since bigint;
  changed bigint[];
  removed bigint[] := '{}';
begin
  if portal.require_member() is not null and not portal.is_admin() and p_instance is distinct from portal.my_instance() then
    raise exception 'Este quadro é de outro corretor.' using errcode = '42501';
  end if;
  if p_instance = '' then
    board.epoch := 'whole';
    board.value := 0;
  else
    select * into board from portal.board_sequences s where s."instanceName" = p_instance;
    if not found then
      raise exception 'Corretor não encontrado.' using errcode = 'PT404';
    end if;
    -- A cursor of another board, or of a database that went back in time, starts anew.
    if p_cursor ~ ('^' || board.epoch || '\.[0-9]{1,18}$') then
      since := split_part(p_cursor, '.', 2)::bigint;
      if since > board.value then since := null; end if;
    end if;
  end if;
  if since < board.value then
    select coalesce(array_agg(h.contact_id) filter (where not h.removed), '{}'),
      coalesce(array_agg(h.contact_id) filter (where h.removed), '{}')
    into changed, removed
    from portal.board_changes h
    where h."instanceName" = p_instance and h.seq > since;
  end if;
  return json_build_object(
    'cursor', board.epoch || '.' || board.value,
    'reset', since is null,
    'leads', case when since = board.value then '[]' else portal.board_leads(p_instance, changed) end,
    'removed', removed,
    'stages', (
      select json_agg(stage)
      from (select s.id, s.name, s.slug, s.order_index, s.kind, s.hue from public.kanban_stages s order by s.order_index) stage
    )
  );
end $$;
comment on function public.sync_board(text, text) is
  'The board of an instance as one snapshot: {cursor, reset, leads, removed, stages}. p_cursor is the one of the last answer: then leads has what is new or changed since, removed the ids that left the board by hand-over or deletion; with null, or a cursor that is not this board''s or of a later time, reset is true and leads is the whole board. stages is always complete: {id, name, slug, order_index, kind, hue}. Lead: {id, name, number, notes, status (slug), unread_count, created_at, updated_at (whole seconds), last_message: {body (300 characters at most), timestamp (epoch seconds), type, kind, delivery} or null, remarketing_sent_at, opted_out, profile_pic_url, broker_number, instanceName}. A broker reads the own board, an administrator any, and with '''' the leads that belong to no broker, always whole: else 42501; 401 once the session has ended, 404 for an unknown broker.';
