-- Functions, triggers, variables and comments are named by the field's words: what tells open screens publishes, what is sent is a
-- message, how a lead came and went is its history. Names that are spoken outside stay. supabase/schemas has every text as it is now.

-- A text in other words: each rule where the name it belongs to matches, one after the other.
create function pg_temp.reworded(p_name text, p_text text) returns text
language plpgsql as $reworded$
declare
  rule record;
begin
  for rule in
    select * from (values
      ('', '\mtell_out_', 'write_event_'),
      ('', '\mtell_on\M', 'notify_channel'),
      ('', '\mtell_shorter_conversation\M', 'publish_message_removal'),
      ('', '\mtell_(agent|broker|rotation|pause|seat)s\M', 'publish_\1_change'),
      ('', '\mtell_(campaign|case|conversation|link)\M', 'publish_\1_change'),
      ('', '\mportal\.tell\(', 'portal.publish('),
      ('', '\mportal\.tells\M', 'portal.client_notifies'),
      ('notify_channel', '''portal\.tell''', '''portal.notify'''),
      ('', '\mcourse_of\M', 'history_of'),
      ('', '\m(my_)?lead_course\M', '\1lead_history'),
      ('', '\m(note_campaign|stored|keep|claim)_line\M', '\1_message'),
      ('', '\mwithdraw_line\M', 'withdraw_campaign_message'),
      ('', '\mline_(hindrance|to_change)\M', 'message_\1'),
      ('', '\mturn_lines\M', 'turn_messages'),
      -- Rows of a table, a WhatsApp, a file: a line is each of them.
      ('', '\mline ((in|of) get_clocks|a broker:)', 'row \1'),
      ('', '\mthe own line\M', 'the own row'),
      ('get_clocks', '\m(b\.|as )line\M', '\1figures'),
      ('', '(roker''+s) line(\.| or several| it is)', '\1 WhatsApp\2'),
      ('', '\mA line to WhatsApp\M', 'A link to WhatsApp'),
      ('audit', '\ma line\M', 'an entry'),
      ('audit', '\mline\M', 'entry'),
      ('audit', '\mlines\M', 'entries'),
      ('audit', '\mLines\M', 'Entries'),
      ('queue_message', '\mp_line\M', 'p_message'),
      ('', '\mp_line\M', 'p_message_id'),
      ('', '\m(next_)?line\M(?! of the file)', '\1message'),
      ('', '\mLine(s?)\M', 'Message\1'),
      ('', '\m([Cc]hat|its|all|thirty|and) lines\M', '\1 messages'),
      ('', '\mlines (that|or reactions|without)\M', 'messages \1'),
      ('steer_campaign|answer_offer|settle_recipient', '\mp_wish\M', 'p_intent'),
      ('emit_moved|follow_visit', '\mtold\M', 'payload'),
      ('erase_person', '\mtold\M', 'open_case'),
      ('replay_events', '\mtold\M', 'notified'),
      ('warn_risks', '\mtold(?= integer| :=|;| \+)', 'warned')
    ) as rules (place, old, new)
  loop
    if p_name ~ rule.place then p_text := regexp_replace(p_text, rule.old, rule.new, 'g'); end if;
  end loop;
  return p_text;
end $reworded$;

do $$
declare
  one record;
begin
  for one in
    select t.tgname as old, pg_temp.reworded('', t.tgname) as new, t.tgrelid::regclass as place
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where p.pronamespace = 'portal'::regnamespace and t.tgname ~ '^tell_|_line$' order by 3, 1
  loop
    execute format('alter trigger %I on %s rename to %I', one.old, one.place, one.new);
  end loop;

  for one in
    select p.oid::regprocedure as old, pg_temp.reworded('', p.proname) as new
    from pg_proc p where p.pronamespace = 'portal'::regnamespace and p.proname <> pg_temp.reworded('', p.proname)
  loop
    execute format('alter function %s rename to %I', one.old, one.new);
  end loop;
  alter function portal.tell(jsonb) rename to publish;

  for one in
    select f.name, f.comment, f.old, pg_temp.reworded(f.name, f.old) as new,
      pg_temp.reworded(f.name, f.arguments) <> f.arguments as has_other_arguments
    from (
      select p.oid::regprocedure::text as name, obj_description(p.oid, 'pg_proc') as comment, pg_get_functiondef(p.oid) as old,
        pg_get_function_arguments(p.oid) as arguments
      from pg_proc p
      where p.prokind = 'f' and (p.pronamespace = 'portal'::regnamespace or p.oid = 'public.get_clocks()'::regprocedure)
    ) f
  loop
    continue when one.new = one.old;
    -- A parameter gets another name with another function only.
    if one.has_other_arguments then execute format('drop function %s', one.name); end if;
    execute one.new;
    if one.has_other_arguments then execute format('comment on function %s is %L', one.name, one.comment); end if;
  end loop;

  for one in
    select named.type, named.identity, d.description as old, pg_temp.reworded(named.identity, d.description) as new
    from pg_description d cross join pg_identify_object(d.classoid, d.objoid, d.objsubid) named
    where d.classoid in ('pg_proc'::regclass, 'pg_class'::regclass)
      and (named.schema = 'portal' or named.identity ~ '^public\.(\w*_leads|get_|whatsapp_|campaign_|recipients_|messages_|contacts_)')
  loop
    continue when one.new = one.old;
    execute format('comment on %s %s is %L', replace(one.type, 'table column', 'column'), one.identity, one.new);
  end loop;
end $$;

drop function pg_temp.reworded(text, text);
