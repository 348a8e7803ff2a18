-- The brand of the agency: its name, colour and icons, which everybody sees even before signing in. They are rows of
-- portal.settings. The portal puts them into the page, the manifest and the service worker.

create function portal.is_icon(p_base64 text, p_side integer) returns boolean
language plpgsql immutable set search_path = '' as $$
declare
  png bytea;
  side bytea := decode(lpad(to_hex(p_side), 8, '0'), 'hex');
begin
  if p_base64 is null or length(p_base64) > 450000 or length(p_base64) % 4 <> 0 or p_base64 !~ '^[A-Za-z0-9+/]+={0,2}$' then
    return false;
  end if;
  png := decode(p_base64, 'base64');
  return length(png) > 45
    and substring(png from 1 for 8) = '\x89504e470d0a1a0a'
    and substring(png from 13 for 4) = '\x49484452'
    and substring(png from 17 for 8) = side || side
    and substring(png from length(png) - 11) = '\x0000000049454e44ae426082';
end $$;
comment on function portal.is_icon(text, integer) is
  'Whether a base64 text is a complete PNG (signature, header, end), square with sides of p_side pixels, at most 330 kB. For public.set_brand.';

create function public.set_brand(p_name text, p_color text, p_icons jsonb default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  agency text := nullif(btrim(regexp_replace(coalesce(p_name, ''), '\s+', ' ', 'g')), '');
  color text := nullif(lower(btrim(coalesce(p_color, ''))), '');
  logo jsonb;
begin
  perform portal.require_admin();
  if length(agency) > 30 or agency ~ '[[:cntrl:]<>]' then
    raise exception 'Use um nome de até 30 letras, sem os sinais < e >.' using errcode = 'PT422', hint = 'brand.name';
  end if;
  if color !~ '^#[0-9a-f]{6}$' then
    raise exception 'Escolha uma cor como #005a68.' using errcode = 'PT422', hint = 'brand.color';
  end if;
  if p_icons <> '{}' then
    if jsonb_typeof(p_icons) <> 'object' or not (p_icons ?& array['192', '512', 'maskable-512', 'apple-touch-icon'])
      or (select count(*) from jsonb_object_keys(p_icons)) <> 4
      or not portal.is_icon(p_icons ->> '192', 192) or not portal.is_icon(p_icons ->> '512', 512)
      or not portal.is_icon(p_icons ->> 'maskable-512', 512) or not portal.is_icon(p_icons ->> 'apple-touch-icon', 180) then
      raise exception 'O logotipo não pôde ser usado. Escolha uma imagem mais simples, em PNG.'
        using errcode = 'PT422', hint = 'brand.logo';
    end if;
    logo := jsonb_build_object('version', left(encode(sha256(convert_to(p_icons::text, 'utf8')), 'hex'), 12), 'icons', p_icons);
  end if;
  -- A removed value is stored as null, so that its removal is audited like any change.
  insert into portal.settings as s (key, value)
  select n.key, coalesce(n.value, 'null')
  from (values ('agency_name', to_jsonb(agency)), ('agency_color', to_jsonb(color)), ('agency_logo', logo)) as n (key, value)
  where (n.key <> 'agency_logo' or p_icons is not null)
    and (n.value is not null or exists (select from portal.settings o where o.key = n.key))
  order by n.key
  on conflict (key) do update set value = excluded.value where s.value <> excluded.value;
  return jsonb_build_object('name', agency, 'color', color);
end $$;
comment on function public.set_brand(text, text, jsonb) is
  'Sets the agency''s brand: a name of 30 characters at most, a colour as #rrggbb, icons as base64 PNG by name (192, 512, maskable-512, apple-touch-icon). An empty value removes it; null icons keep the current ones, {} removes them. 422 otherwise. Administrators; 401 and 403 for anybody else.';
grant execute on function public.set_brand(text, text, jsonb) to authenticated, service_role;
