-- A chat is forgotten under every form of its number. A number that was typed without its country reached the search as a
-- jid, which names its country, and a mobile whose eight digits begin with 0 to 5 lost its ninth digit on the way: neither
-- was ever found.

create or replace function portal.addresses_of(p_remotejid text) returns text[]
language sql stable security definer set search_path = '' as $$
  with named as (
    -- As it is, and as Brazilians write it: without the country.
    select p_remotejid as jid
    union
    select substr(portal.number_key(split_part(p_remotejid, '@', 1)), 2) || '@s.whatsapp.net'
    where p_remotejid like '%@s.whatsapp.net'
  ),
  forms as (
    select unnest(array[
      jid,
      regexp_replace(jid, '^(55\d\d)9([6-9]\d{7}@s\.whatsapp\.net)$', '\1\2'),
      regexp_replace(jid, '^(55\d\d)([016-9]\d{7}@s\.whatsapp\.net)$', '\19\2')
    ]) as jid
    from named
    union
    select i.jid from portal.identities i where i.person_id in (select portal.person_named(n.jid) from named n)
  )
  select array_agg(jid order by jid) from forms where jid is not null
$$;
comment on function portal.addresses_of(text) is
  'Every address under which a person may be remembered elsewhere: the jid with and without the ninth digit and the country, and all that were seen here. Server only.';

create or replace function public.deletar_chat_history_por_empreendimento(p_empreendimento_id integer, p_remotejid text)
returns setof integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  as_jid text := portal.number_key(p_remotejid);
  as_typed text := portal.number_key(split_part(split_part(p_remotejid, '@', 1), ':', 1));
  deleted integer;
begin
  perform portal.require_grant('memory');
  if as_jid is null then
    raise exception 'Por favor, informe um número de telefone válido.' using errcode = '22023';
  end if;
  delete from public.agent_chat_messages m
  where m.agent_id = p_empreendimento_id
    and (portal.number_key(m.remotejid) = any (array[as_jid, as_typed]) or m.remotejid = any (portal.addresses_of(p_remotejid)));
  get diagnostics deleted = row_count;
  -- The rule of the original client drops the ninth digit of every mobile. Eight digits that begin with 2 to 5 are a
  -- landline as well, which has the first right to them; with 0 or 1 they are none.
  if deleted = 0 and as_typed ~ '^\+55\d\d[0-5]\d{7}$' then
    delete from public.agent_chat_messages m
    where m.agent_id = p_empreendimento_id
      and portal.number_key(m.remotejid) = regexp_replace(as_typed, '^(\+55\d\d)', '\19');
    get diagnostics deleted = row_count;
  end if;
  return next deleted;
end $$;
comment on function public.deletar_chat_history_por_empreendimento(integer, text) is
  'Makes the agent p_empreendimento_id (prompts_agents.id, one agent a development) forget a person: every message under any form of the number, with or without country and ninth digit, or under a known hidden id. Answers one row, how many were deleted. 22023 without a number, 42501 for whoever is neither an administrator nor a service with memory.';
