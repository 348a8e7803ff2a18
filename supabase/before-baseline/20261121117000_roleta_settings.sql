-- How a rotation hands out: weights, shifts, caps, acceptance; who pauses; which instances are central (SPEC.md 2.15; PRODUCT.md 4.2).

create function portal.are_shifts(p_shifts jsonb) returns boolean
language sql immutable set search_path = '' as $$
  select jsonb_typeof(p_shifts) = 'array' and jsonb_array_length(p_shifts) between 1 and 50 and not exists (
    select from jsonb_array_elements(p_shifts) as s (shift)
    where not coalesce(
      jsonb_typeof(shift -> 'days') = 'array' and jsonb_array_length(shift -> 'days') between 1 and 7
        and not exists (select from jsonb_array_elements_text(shift -> 'days') as d (day) where d.day !~ '^[1-7]$')
        and (shift ->> 'from') ~ '^[0-9]{1,4}$' and (shift ->> 'to') ~ '^[0-9]{1,4}$'
        and (shift ->> 'from')::integer between 0 and 1439 and (shift ->> 'to')::integer between 1 and 1440
        and shift ->> 'from' <> shift ->> 'to', false))
$$;
comment on function portal.are_shifts(jsonb) is
  'Whether it is a list of shifts: days 1 (Monday) to 7, from and to in minutes of the day; one that ends before it begins goes on into the next day.';
grant execute on function portal.are_shifts(jsonb) to authenticated, service_role;

alter table public.roletas
  add column needs_acceptance boolean not null default false,
  add column accept_minutes smallint not null default 5 check (accept_minutes between 1 and 1440),
  add column answer_minutes smallint check (answer_minutes between 1 and 10080),
  add column max_hops smallint not null default 3 check (max_hops between 1 and 50),
  add column text_code text unique check (text_code ~ '^[A-Z0-9]{2,20}$');
comment on column public.roletas.needs_acceptance is 'Whether a broker has to accept a lead before it is theirs.';
comment on column public.roletas.accept_minutes is 'How long an offer stands.';
comment on column public.roletas.answer_minutes is 'Within how long the new owner has to write to the lead, else it goes on; null: it stays.';
comment on column public.roletas.max_hops is 'To how many brokers a lead goes before every broker of the rotation may take it (bolsão).';
comment on column public.roletas.text_code is 'Stands in the text of this development''s WhatsApp links, so that a central instance knows what a first message is about.';

alter table public.roleta_corretores
  add column weight smallint not null default 1 check (weight between 1 and 100),
  add column shifts jsonb check (portal.are_shifts(shifts)),
  add column daily_cap smallint check (daily_cap between 1 and 1000),
  add column credit integer not null default 0;
comment on column public.roleta_corretores.weight is 'Leads this seat gets beside the others'': twice the weight, twice the leads.';
comment on column public.roleta_corretores.shifts is 'Plantão: when the seat gets leads, as portal.are_shifts takes it, in the portal''s zone; null: at any time.';
comment on column public.roleta_corretores.daily_cap is 'The most leads of a day; null: no limit.';
comment on column public.roleta_corretores.credit is 'What the rotation owes this seat, in weights; written by the decision (src/domain/rotation/rotation.ts).';

alter table public.brokers
  add column paused_until timestamptz,
  add column central_since timestamptz;
comment on column public.brokers.paused_until is 'Until when the broker gets no leads from any rotation; infinity: until resumed.';
comment on column public.brokers.central_since is
  'Since when this is no broker''s own number but a central one: whoever writes to it first after that is a new lead for a rotation.';

create function portal.development_key(p_development text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select nullif(regexp_replace(
    translate(lower(p_development), 'áàâãäéèêëíìîïóòôõöúùûüçñ', 'aaaaaeeeeiiiiooooouuuucn'), '[^a-z0-9]+', '', 'g'), '')
$$;
comment on function portal.development_key(text) is 'A development''s name for comparing only: without case, accents and what is between the letters.';

create function portal.require_broker() returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  instance text;
begin
  perform portal.require_member();
  instance := portal.my_instance();
  if instance is null then
    raise exception 'Somente um corretor pode fazer isto.' using errcode = 'PT403', hint = 'access.denied';
  end if;
  return instance;
end $$;
comment on function portal.require_broker() is 'Instance name of the broker who asks; refuses everybody else. Server only.';

create function portal.pause_leads(p_until timestamptz) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.brokers b set paused_until = p_until where b."instanceName" = portal.require_broker();
  return jsonb_build_object('pausedUntil', p_until);
end $$;
comment on function portal.pause_leads(timestamptz) is
  'The broker who asks gets no leads from rotations until then; null: again from now on. Brokers, by the server only.';

create function portal.set_central(p_instance text, p_is_central boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform portal.require_admin();
  if p_is_central and exists (select from public.roleta_corretores s where s."instanceName" = p_instance) then
    raise exception 'Tire este corretor das roletas antes de usar o número como central.'
      using errcode = 'PT409', hint = 'central.seated';
  end if;
  update public.brokers b set central_since = case when p_is_central then coalesce(b.central_since, now()) end
  where b."instanceName" = p_instance;
  if not found then
    raise exception 'Corretor não encontrado' using errcode = 'PT404', hint = 'broker.unknown';
  end if;
  perform portal.audit('central.switched', portal.username_of(p_instance), jsonb_build_object('on', p_is_central));
  return jsonb_build_object('instanceName', p_instance, 'isCentral', p_is_central);
end $$;
comment on function portal.set_central(text, boolean) is
  'Makes an instance central, so that first messages to it are leads for a rotation, or a broker''s own again. Administrators, by the server only.';
