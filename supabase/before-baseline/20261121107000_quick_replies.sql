-- Quick replies of the composer: a broker's own ones, and the shared ones that administrators keep (DESIGN-SYSTEM 11; PRODUCT.md 4.1).

create table public.quick_replies (
  id uuid primary key default gen_random_uuid(),
  broker_id uuid references public.brokers on delete cascade,
  title text not null check (title = btrim(title) and length(title) between 1 and 60),
  body text not null check (body ~ '\S' and length(body) <= 4000),
  order_index integer not null default 1 check (order_index >= 1),
  created_at timestamptz not null default now()
);
comment on table public.quick_replies is
  'Texts that fill the box of a conversation. A broker reads and writes the own ones and reads the shared; an administrator writes the shared.';
comment on column public.quick_replies.broker_id is 'Whose; null: shared by everyone.';
comment on column public.quick_replies.body is '{nome} stands for the lead''s first name.';
create unique index quick_replies_title on public.quick_replies (broker_id, lower(title)) nulls not distinct;
comment on index public.quick_replies_title is 'A title is there once among a broker''s own, and once among the shared; serves reading them by owner.';

alter table public.quick_replies enable row level security;
create policy quick_replies_read on public.quick_replies for select to authenticated
  using (broker_id = (select portal.account_id()) or (broker_id is null and (select portal.is_member())));
comment on policy quick_replies_read on public.quick_replies is 'Everyone signed in sees the shared ones, a broker the own ones too; nobody another''s, an administrator neither.';
create policy quick_replies_write on public.quick_replies for all to authenticated
  using (broker_id = (select portal.account_id()) or (broker_id is null and (select portal.is_admin())))
  with check (broker_id = (select portal.account_id()) or (broker_id is null and (select portal.is_admin())));
comment on policy quick_replies_write on public.quick_replies is 'A broker writes the own ones, an administrator the shared.';
grant select, delete on public.quick_replies to authenticated;
grant insert (id, broker_id, title, body, order_index), update (title, body, order_index) on public.quick_replies to authenticated;
grant all on public.quick_replies to service_role;

create function public.save_quick_reply(p_id uuid, p_title text, p_body text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  -- An administrator's are everyone's.
  owner uuid := case when portal.is_admin() then null else portal.account_id() end;
begin
  insert into public.quick_replies (id, broker_id, title, body, order_index)
  select p_id, owner, btrim(p_title), p_body, coalesce(max(r.order_index), 0) + 1
  from public.quick_replies r
  where r.broker_id is not distinct from owner
  on conflict (id) do update set title = excluded.title, body = excluded.body;
  return jsonb_build_object('success', true, 'message', null);
exception
  when unique_violation then
    return jsonb_build_object('success', false, 'message', 'Já existe uma resposta com este título.');
  when check_violation then
    return jsonb_build_object('success', false, 'message', 'Escreva um título de até 60 letras e um texto de até 4.000.');
end $$;
comment on function public.save_quick_reply(uuid, text, text) is
  'Adds a quick reply at the end, or changes the one of that id: a broker''s own, an administrator''s shared. Called by the composer''s sheet; runs as the asker, so that the row rules decide. The id is made by the client: a repeat changes nothing. Answers {success, message}.';

create function public.remove_quick_reply(p_id uuid) returns boolean
language sql volatile set search_path = '' as $$
  with gone as (delete from public.quick_replies where id = p_id returning id)
  select exists (select from gone)
$$;
comment on function public.remove_quick_reply(uuid) is
  'Removes a quick reply and answers whether there was one; runs as the asker, so that nobody removes another''s. A repeat answers false.';

create function public.order_quick_replies(p_ids uuid[]) returns integer
language sql volatile set search_path = '' as $$
  with placed as (
    update public.quick_replies q set order_index = wanted.place
    from unnest(p_ids) with ordinality wanted (id, place)
    where q.id = wanted.id
    returning q.id
  )
  select count(*)::integer from placed
$$;
comment on function public.order_quick_replies(uuid[]) is
  'Puts quick replies in the order of their ids and answers how many were placed; runs as the asker, who places only what may be written.';

revoke execute on function public.save_quick_reply(uuid, text, text), public.remove_quick_reply(uuid), public.order_quick_replies(uuid[]) from public;
grant execute on function public.save_quick_reply(uuid, text, text), public.remove_quick_reply(uuid), public.order_quick_replies(uuid[])
  to authenticated, service_role;

-- What every agency begins with (DESIGN-SYSTEM 11); an administrator rewords or removes them.
insert into public.quick_replies (title, body, order_index) values
  ('Agendar visita', 'Oi, {nome}! Qual dia e horário ficam bons para você visitar?', 1),
  ('Enviar tabela', 'Oi, {nome}! Vou te enviar a tabela de preços atualizada.', 2),
  ('Enviar localização', 'Oi, {nome}! Vou te mandar a localização do estande.', 3);
