-- Leads taken out as a file.

create function portal.leads_to_export(p_filter jsonb) returns setof public.whatsapp_contacts
language sql stable security definer set search_path = '' as $$
  select c.*
  from portal.period((p_filter ->> 'from')::timestamp, (p_filter ->> 'to')::timestamp + interval '86399 seconds') p
  cross join lateral (
    select array(select jsonb_array_elements_text(coalesce(p_filter -> 'brokers', '[]'))) as brokers,
      array(select jsonb_array_elements_text(coalesce(p_filter -> 'developments', '[]'))) as developments
  ) f
  join public.whatsapp_contacts c on c.created_at >= p.starts_at and c.created_at < p.ends_at
    and (f.brokers = '{}' or coalesce(c."instanceName", '') = any (f.brokers))
    and (f.developments = '{}' or c.empreendimento = any (f.developments))
$$;
comment on function portal.leads_to_export(jsonb) is
  'The leads of a filter: brokers (instance names, '''' for leads of nobody) and developments, none named being all; from and to, days of the portal''s zone, a bound left out is open. Server only.';

create function portal.begin_export(p_filter jsonb, p_most integer) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  found_count integer;
begin
  perform portal.require_admin();
  select count(*) into found_count from portal.leads_to_export(p_filter);
  if found_count > p_most then
    raise exception 'São mais de % leads. Escolha um período menor.', replace(to_char(p_most, 'FM999,999'), ',', '.')
      using errcode = 'PT422', hint = 'export.too-long';
  end if;
  perform public.note_export('leads', found_count);
  return found_count;
end $$;
comment on function portal.begin_export(jsonb, integer) is
  'How many leads a file of this filter has, which is audited as taken out; 422 beyond p_most. Administrators, by the server only.';

create function portal.export_page(p_filter jsonb, p_after bigint, p_limit integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'number', c.number, 'email', c.email,
      'broker', c."instanceName", 'stage', k.name, 'source', c.source, 'campaign', c.campaign, 'development', c.empreendimento,
      'tags', c.tags, 'valueCents', c.value_cents, 'lossReason', c.loss_reason, 'notes', c.notes,
      'createdAt', c.created_at, 'firstIncomingAt', c.first_incoming_at,
      'firstResponseAt', least(c.first_response_at, c.first_contacted_at),
      'lastMessageAt', to_timestamp(c.last_message_timestamp), 'optedOut', o.opted_out_at is not null) order by c.id), '[]')
    from (select * from portal.leads_to_export(p_filter) l where l.id > p_after order by l.id limit p_limit) c
    join portal.people o on o.id = c.person_id
    left join public.kanban_stages k on k.slug = c.status
  );
end $$;
comment on function portal.export_page(jsonb, bigint, integer) is
  'The leads of a filter by their ids after p_after, p_limit at once, as the file of them tells each. Administrators, by the server only.';
