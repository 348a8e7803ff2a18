// Rows of every kind that a periodic job reads, none of which is due: what waits is due tomorrow, the rest is done.

/** $1: how many leads were added last; $2, $3: their broker's instance and id. Each statement adds $1 rows. */
export const RESTING_ROWS: readonly string[] = [
  `create temporary table if not exists latest (contact_id bigint, person_id bigint, at bigint)`,
  `truncate latest`,
  `insert into portal.send_queues ("instanceName", held_until) values ($2, now() + interval '1 day') on conflict do nothing`,
  `insert into latest
   select id, person_id, row_number() over (order by id)
   from (select id, person_id from public.whatsapp_contacts order by id desc limit $1) newest`,
  `insert into portal.roleta_cases (contact_id, state, holder, arrived_at, since, next_at)
   select contact_id, 'watched', $2, now(), now(), now() + interval '1 day' from latest`,
  `with made as (
     insert into portal.actions (contact_id, kind, due_at, seen_at)
     select contact_id, 'visit', now() + interval '2 days', now() from latest returning id)
   insert into portal.visits (action_id, remind_at, remind_kind)
   select id, now() + interval '1 day', 'day' from made`,
  `insert into portal.scheduled_messages (contact_id, body, due_at, unless_answered, seen_at)
   select contact_id, 'Bom dia!', now() + interval '1 day', false, now() from latest`,
  `with told as (
     insert into public.whatsapp_messages (contact_id, message_id, "instanceName", body, timestamp, type, delivery)
     select contact_id, 'REST' || contact_id, $2, 'Oi', extract(epoch from now())::bigint, 'outgoing', 'queued'
     from latest returning id)
   insert into portal.outgoing (message_id) select id from told`,
  `with campaign as (
     insert into public.remarketing_campaigns (broker_id, kanban_stage, message, status, total_contacts)
     select $3, 'new', 'Olá!', 'stopped', count(*) from latest returning id)
   insert into public.campaign_recipients (campaign_id, contact_id, person_id, body)
   select campaign.id, contact_id, person_id, 'Olá!' from latest, campaign`,
  `insert into portal.agent_names (agent_id, name) values (1, 'Lia') on conflict do nothing`,
  `insert into portal.agent_turns (kind, agent_id, contact_id, state, began_at, due_at)
   select 'answer', 1, contact_id, 'waiting', now(), now() + interval '1 day' from latest`,
  `with key as (
     insert into portal.intake_keys (id, kind, name, hash, per_minute, created_by, created_at)
     select gen_random_uuid(), 'site', 'Site', sha256(random()::text::bytea), 60, 'bench', now() returning id),
   raw as (
     insert into portal.intake_raw (key_id, content_type, body, attempts, next_at, received_at)
     select key.id, 'application/json', '{}', 1, now() + interval '1 day', now() from latest, key),
   mails as (
     insert into portal.mailboxes (key_id, host, port, username, folder, sealed, is_on, next_at, changed_at)
     select id, 'localhost', 993, 'bench', 'INBOX', '', true, now() + interval '1 day', now() from key returning key_id),
   taken as (
     insert into portal.mailbox_mails (key_id, hash, taken_at) select key_id, at::text, now() from latest, mails)
   insert into portal.meta_inbox (key_id, leadgen_id, value, attempts, next_at, received_at)
   select key.id, at::text, '{}', 1, now() + interval '1 day', now() from latest, key`,
  `with account as (select id from portal.accounts limit 1),
   import as (
     insert into portal.imports (id, file_name, destination, source, state, total, made_by, ended_at)
     select gen_random_uuid(), 'lista.xlsx', 'inbox', 'lista', 'finished', count(*), account.id, now()
     from latest, account group by account.id returning id)
   insert into portal.import_rows (import_id, place, outcome) select import.id, at, 'added' from latest, import`,
  `insert into portal.audit_log (actor_role, action) select 'system', 'lead.moved' from latest`,
  `insert into portal.applied_operations (account_id, operation_id, kind, result)
   select account.id, gen_random_uuid(), 'lead.move', '{}'
   from latest, (select id from portal.accounts limit 1) account`,
  `with token as (
     insert into portal.service_tokens (name, grants, expires_at)
     values ('bench', '{leads:read}', now() + interval '1 year') returning id)
   insert into portal.machine_writes (token_id, key, fingerprint, answer)
   select token.id, at::text, '', '{}' from latest, token`,
  `with hook as (
     insert into portal.hooks (name, url, events, secret, secret_tail, state)
     values ('bench', 'https://example.com/', '{lead.created}', '', '', 'paused') returning id)
   insert into portal.event_out (hook_id, type, contact_id, data, due_at, tries)
   select hook.id, 'lead.created', contact_id, '{}', now() + interval '1 day', 1 from latest, hook`,
  `insert into portal.sessions (account_id, expires_at)
   select account.id, now() + interval '1 month'
   from latest, (select id from portal.accounts limit 1) account`,
  `with device as (
     insert into portal.push_devices (session_id, endpoint, p256dh, auth, name)
     select id, 'https://example.com/' || id, '', '', 'bench'
     from portal.sessions order by created_at desc limit 1 returning id)
   insert into portal.push_queue (device_id, tag, kind, subject, due_at)
   select id, 'lead-' || contact_id, 'message', contact_id, now() + interval '1 day' from latest, device`,
  `insert into portal.waiting_events ("instanceName", target, kind, weight, waited)
   select $2, contact_id::text, 'ack', 1, '{}' from latest`,
  `insert into portal.media_puts (id) select encode(sha256(contact_id::text::bytea), 'hex') from latest`,
]
