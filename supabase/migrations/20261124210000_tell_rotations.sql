-- An administrator who looks at a rotation sees at once what another one saved.

create function portal.tell_rotations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform portal.tell('{"kind": "rotations"}');
  return null;
end $$;
comment on function portal.tell_rotations() is
  'Trigger: a rotation or a seat was added, changed or removed; told to administrators. What each lead counts on a seat is no change of it.';
create trigger tell_rotations after insert or update or delete on public.roletas
  for each statement execute function portal.tell_rotations();
create trigger tell_seats
  after insert or delete or update of "roletaName", "instanceName", ordem, ativo, weight, shifts, daily_cap on public.roleta_corretores
  for each row execute function portal.tell_rotations();
