-- Messages are found by the beginnings of their words. The index needs the functions before it.
create function portal.plain_words(p_text text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  -- Every character is named, because a database may know letters of a to z only. Unicode promises that what normalize
  -- answers never changes, so an index may rest on it. unaccent promises no such thing.
  select btrim(regexp_replace(lower(regexp_replace(normalize(left(p_text, 20000), NFKD), '[\u0300-\u036f]+', '', 'g')),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u2bff\u3000-\u303f\ufe00-\ufe0f\U0001f000-\U0001faff]+', ' ', 'g'))
$$;
create function portal.message_terms(p_body text, p_at bigint) returns tsvector
language plpgsql immutable strict parallel safe set search_path = '' as $$
begin
  return array_to_tsvector(array(
    select left(w.word, 60) from unnest(string_to_array(portal.plain_words(p_body), ' ')) as w (word) where w.word <> ''
    union select '#' || p_at / 2592000));
end $$;
create index messages_words on public.whatsapp_messages using gin (portal.message_terms(body, "timestamp"))
  with (fastupdate = off) where body <> '' and type <> 'note';
