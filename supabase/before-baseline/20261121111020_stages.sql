-- Stages added, named, ordered and removed by administrators, each in one transaction and one after the other (SPEC.md 2.11, 4, 5, 9).

create or replace function portal.note_stages() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.note_changes(array_agg(s."instanceName"), array_agg(0::bigint), false)
  from portal.board_sequences s having count(*) > 0;
  perform portal.tell(jsonb_build_object('kind', 'stages'));
  return null;
end $$;
comment on function portal.note_stages() is 'Trigger: a changed column is a change of every board, told to whoever manages them, too.';

create function portal.stage_answer(p_code text, p_more jsonb default '{}') returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'success', p_code in ('done', 'already'),
    'code', p_code,
    'message', case p_code
      when 'blank' then 'Escreva o nome do estágio.'
      when 'long' then 'O nome pode ter até 60 caracteres.'
      when 'taken' then 'Já existe um estágio com este nome.'
      when 'unknown_stage' then 'Este estágio não existe mais.'
      when 'default' then 'Este é o estágio dos novos contatos: ele fica, e fica aberto.'
    end) || p_more
$$;
comment on function portal.stage_answer(text, jsonb) is 'The answer to a change of stages: what came of it, and why nothing did.';

create function portal.begin_stages(p_operation_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  -- Whoever changes stages is alone with them; moving leads goes on meanwhile.
  if answer is null then lock table public.kanban_stages in share row exclusive mode; end if;
  return answer;
end $$;
comment on function portal.begin_stages(uuid) is
  'The stored answer of a change of stages that was done already, else null, with all other writers of stages waiting. Administrators. Server only.';

create function portal.renumber_stages() returns void
language sql volatile security definer set search_path = '' as $$
  update public.kanban_stages s set order_index = n.place
  from (select o.id, row_number() over (order by o.order_index, o.id) as place from public.kanban_stages o) n
  where n.id = s.id and s.order_index <> n.place
$$;
comment on function portal.renumber_stages() is 'Numbers the stages from 1 in their order. Server only.';

create function portal.stage_name_fault(p_name text, p_id integer) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when btrim(coalesce(p_name, '')) = '' then 'blank'
    when length(btrim(p_name)) > 60 then 'long'
    when exists (
      select from public.kanban_stages s
      where lower(btrim(s.name)) = lower(btrim(p_name)) and s.id is distinct from p_id) then 'taken'
  end
$$;
comment on function portal.stage_name_fault(text, integer) is
  'Why a stage (null: a new one) cannot have a name; null where it can. Server only.';

create function public.add_stage(
  p_name text, p_slug text, p_kind text default 'open', p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_stages(p_operation_id);
  code text;
  free_slug text := p_slug;
  tried integer := 1;
begin
  if answer is not null then return answer; end if;
  code := portal.stage_name_fault(p_name, null);
  if code is null then
    -- Two names may have one slug.
    while exists (select from public.kanban_stages s where s.slug = free_slug) loop
      tried := tried + 1;
      free_slug := left(p_slug, 55) || '_' || tried;
    end loop;
    perform portal.renumber_stages();
    insert into public.kanban_stages (name, slug, kind, order_index)
    select btrim(p_name), free_slug, p_kind, count(*) + 1 from public.kanban_stages;
    code := 'done';
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'stage.add',
    portal.stage_answer(code, jsonb_build_object('slug', case when code = 'done' then free_slug end)));
end $$;
comment on function public.add_stage(text, text, text, uuid) is
  'A new stage behind all others (SPEC.md 5, 9): its order is the count plus 1, its slug p_slug, or that with a number where it is taken. p_kind: open, won or lost. Administrators. p_operation_id: a repeat by the same account gets the stored answer. Answers {success, code, message, slug}, code done, blank, long or taken.';

create function public.save_stage(
  p_id integer, p_name text default null, p_kind text default null, p_operation_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_stages(p_operation_id);
  standing public.kanban_stages;
  code text := 'done';
begin
  if answer is not null then return answer; end if;
  select * into standing from public.kanban_stages s where s.id = p_id;
  if not found then code := 'unknown_stage';
  elsif p_name is not null and portal.stage_name_fault(p_name, p_id) is not null then
    code := portal.stage_name_fault(p_name, p_id);
  elsif standing.slug = 'new' and p_kind <> 'open' then code := 'default';
  elsif (standing.name, standing.kind) = (coalesce(btrim(p_name), standing.name), coalesce(p_kind, standing.kind)) then
    code := 'already';
  else
    update public.kanban_stages s
    set name = coalesce(btrim(p_name), s.name), kind = coalesce(p_kind, s.kind)
    where s.id = p_id;
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'stage.save', portal.stage_answer(code));
end $$;
comment on function public.save_stage(integer, text, text, uuid) is
  'Gives a stage another name or kind (null: the one it has); its slug stays. The stage with slug new is always open. Administrators. p_operation_id as in add_stage. Answers {success, code, message}, code done, already, blank, long, taken, default or unknown_stage.';

create function public.move_stage(p_id integer, p_step integer, p_operation_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_stages(p_operation_id);
  code text := 'done';
begin
  if answer is not null then return answer; end if;
  perform from public.kanban_stages s where s.id = p_id;
  if not found then code := 'unknown_stage';
  else
    perform portal.renumber_stages();
    update public.kanban_stages s set order_index = n.place
    from (
      -- Half a place beyond where the step leads, so that it stands behind who stood there.
      select o.id, row_number() over (
        order by o.order_index + case when o.id = p_id then p_step + sign(p_step) / 2.0 else 0 end) as place
      from public.kanban_stages o
    ) n
    where n.id = s.id and s.order_index <> n.place;
    if not found then code := 'already'; end if;
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'stage.move', portal.stage_answer(code));
end $$;
comment on function public.move_stage(integer, integer, uuid) is
  'Moves a stage so many places up (negative) or down from where it stands by now, at most to the end, and numbers all from 1 (SPEC.md 4): what two administrators do at once adds up. Administrators. p_operation_id as in add_stage. Answers {success, code, message}, code done, already (at the end) or unknown_stage.';

create function public.remove_stage(p_id integer, p_operation_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb := portal.begin_stages(p_operation_id);
  going text;
  leads bigint := 0;
  code text := 'done';
begin
  if answer is not null then return answer; end if;
  -- Locked, so that nobody is moved in while its leads are counted.
  select s.slug into going from public.kanban_stages s where s.id = p_id for update;
  if not found then code := 'already';
  elsif going = 'new' then code := 'default';
  else
    select count(*) into leads from public.whatsapp_contacts c where c.status = going;
    perform set_config('portal.operation_id', coalesce(p_operation_id::text, ''), true);
    -- Its trigger moves the leads first.
    delete from public.kanban_stages s where s.id = p_id;
    perform set_config('portal.operation_id', '', true);
    perform portal.renumber_stages();
  end if;
  return portal.end_operation(portal.account_id(), p_operation_id, 'stage.remove',
    portal.stage_answer(code, jsonb_build_object('leads', leads)));
end $$;
comment on function public.remove_stage(integer, uuid) is
  'Moves the leads of a stage to the one with slug new, removes the stage and numbers the others from 1, all or nothing (SPEC.md 4). Administrators. p_operation_id as in add_stage. Answers {success, code, message, leads (how many moved)}, code done, already (it is gone) or default (the one with slug new stays).';

grant execute on function
  public.add_stage(text, text, text, uuid),
  public.save_stage(integer, text, text, uuid),
  public.move_stage(integer, integer, uuid),
  public.remove_stage(integer, uuid)
  to authenticated, service_role;
