-- Brokers added, reset and removed by an administrator (SPEC.md 2.5, 5, 8; PRODUCT.md 3, 4.1, 4.2). A refusal has the HTTP
-- status in its errcode and its code in the hint.

create table portal.leftover_instances (
  "instanceName" text primary key,
  noted_at timestamptz not null default now()
);
comment on table portal.leftover_instances is
  'Instances of ours at the gateway that no broker has any more: of a removed broker, or of one that could not be added. The portal removes them there as soon as it can.';
alter table portal.leftover_instances enable row level security;

create function portal.tell_brokers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell(jsonb_build_object('kind', 'brokers', 'instanceName', coalesce(new."instanceName", old."instanceName")));
  return null;
end $$;
comment on function portal.tell_brokers() is 'Trigger: a broker was added, changed or removed, or lost access.';
create trigger tell_brokers after insert or update or delete on public.brokers
  for each row execute function portal.tell_brokers();

create function portal.hand_over(p_leads bigint[], p_to text) returns integer
language plpgsql volatile security definer set search_path = '' as $$
declare
  moving bigint[];
  met record;
begin
  select array_agg(locked.id) into moving
  from (
    select c.id from public.whatsapp_contacts c
    where c.id = any (p_leads) and c."instanceName" is distinct from p_to
    order by c.id for update
  ) locked;
  if moving is null then return 0; end if;
  -- What the person is called elsewhere is needed to write to her from there.
  insert into portal.identities ("instanceName", jid, person_id)
  select distinct on (i.jid) p_to, i.jid, i.person_id
  from public.whatsapp_contacts c
  join portal.identities i on i.person_id = c.person_id and i."instanceName" = c."instanceName"
  where c.id = any (moving)
  order by i.jid, i.first_seen_at desc
  on conflict do nothing;
  -- Whom the new owner has already stays one contact, with the history of both.
  for met in
    select theirs.id as kept, c.id as gone
    from public.whatsapp_contacts c
    join public.whatsapp_contacts theirs on theirs.person_id = c.person_id and theirs."instanceName" = p_to
    where c.id = any (moving) order by c.id
  loop
    perform portal.merge_contacts(met.kept, met.gone);
  end loop;
  update public.whatsapp_contacts set "instanceName" = p_to where id = any (moving);
  return cardinality(moving);
end $$;
comment on function portal.hand_over(bigint[], text) is
  'Gives leads to a broker, with their history; a person whom that broker has already becomes one contact (PRODUCT.md 4.2). Answers how many changed their owner. Server only.';

create function portal.add_broker(
  p_operation_id uuid, p_instance text, p_instance_id text, p_secret_hash bytea, p_invite_hash bytea, p_invite_until timestamptz
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  broker uuid;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  insert into public.brokers ("instanceName", "instanceId") values (p_instance, p_instance_id)
  on conflict ("instanceName") do nothing returning id into broker;
  if broker is null then
    raise exception 'Já existe um corretor com este nome' using errcode = 'PT409', hint = 'broker.taken';
  end if;
  update portal.accounts set invite_hash = p_invite_hash, invite_expires_at = p_invite_until where broker_id = broker;
  insert into portal.webhook_secrets ("instanceName", hash) values (p_instance, p_secret_hash);
  delete from portal.leftover_instances where "instanceName" = p_instance;
  return portal.end_operation(portal.account_id(), p_operation_id, 'broker.add', jsonb_build_object('instanceName', p_instance));
end $$;
comment on function portal.add_broker(uuid, text, text, bytea, bytea, timestamptz) is
  'A new broker with an account whose first access is open and invited, and the secret of the webhook that the gateway was told; once an operation. 409 where the name is taken. Administrators, by the server only.';

create function portal.reset_broker(p_operation_id uuid, p_instance text, p_invite_hash bytea, p_invite_until timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  -- Its trigger clears the real password, ends the sessions and opens the first access.
  update public.brokers set password_hash = null where "instanceName" = p_instance;
  if not found then
    raise exception 'Corretor não encontrado' using errcode = 'PT404', hint = 'broker.unknown';
  end if;
  update portal.accounts a set invite_hash = p_invite_hash, invite_expires_at = p_invite_until
  from public.brokers b where b.id = a.broker_id and b."instanceName" = p_instance;
  return portal.end_operation(portal.account_id(), p_operation_id, 'broker.reset', jsonb_build_object('instanceName', p_instance));
end $$;
comment on function portal.reset_broker(uuid, text, bytea, timestamptz) is
  'Takes a broker''s password and sessions away and invites to a new first access; once an operation. Administrators, by the server only.';

create function portal.remove_broker(p_operation_id uuid, p_instance text, p_heir text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  answer jsonb;
  leads bigint[];
begin
  perform portal.require_admin();
  answer := portal.begin_operation(portal.account_id(), p_operation_id);
  if answer is not null then return answer; end if;
  -- Both in one order, so that two removals never wait for each other.
  perform from public.brokers b where b."instanceName" in (p_instance, p_heir) order by b."instanceName" for update;
  if not exists (select from public.brokers b where b."instanceName" = p_instance) then
    raise exception 'Corretor não encontrado' using errcode = 'PT404', hint = 'broker.unknown';
  elsif p_heir = p_instance
    or (p_heir is not null and not exists (select from public.brokers b where b."instanceName" = p_heir)) then
    raise exception 'Escolha outro corretor para ficar com os leads.' using errcode = 'PT422', hint = 'broker.no-heir';
  end if;
  leads := array(select c.id from public.whatsapp_contacts c where c."instanceName" = p_instance order by c.id);
  if p_heir is not null then perform portal.hand_over(leads, p_heir); end if;
  -- Noted with the change itself: whatever happens now, the instance does not stay at the gateway unseen.
  insert into portal.leftover_instances ("instanceName") values (p_instance) on conflict do nothing;
  delete from public.brokers where "instanceName" = p_instance;
  return portal.end_operation(portal.account_id(), p_operation_id, 'broker.remove',
    jsonb_build_object('instanceName', p_instance, 'leads', cardinality(leads), 'heir', p_heir));
end $$;
comment on function portal.remove_broker(uuid, text, text) is
  'Removes a broker: account, sessions, campaigns and seats go, the leads go to the heir or, with null, stay with the administrator; once an operation. Administrators, by the server only.';

create function portal.broker_list() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  return (
    select coalesce(jsonb_agg(row_to_json(listed) order by listed."instanceName"), '[]')
    from (
      select b.id, b."instanceName", b.broker_number as number, b.created_at as "createdAt",
        b.password_hash is not null as "hasPassword", coalesce(s.state, 'close') as state, s.dead_at as "deadAt",
        s.changed_at as "changedAt", s.profile_pic_url as "pictureUrl",
        (select max(seen.refreshed_at) from portal.sessions seen where seen.account_id = b.id) as "seenAt",
        (select count(*) from public.remarketing_campaigns c where c.broker_id = b.id) as campaigns,
        (select count(*) from public.roleta_corretores r where r."instanceName" = b."instanceName") as seats
      from public.brokers b left join portal.instance_states s using ("instanceName")
    ) listed
  );
end $$;
comment on function portal.broker_list() is
  'All brokers with what ''Gerenciar Corretores'' shows of each; campaigns and seats are what removing one takes along. Administrators, by the server only.';
