// Twenty ways to break the product: rules, SQL, row rules, outbox, gateway, sign-in and screens.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { inRoot } from '#server/ops/cli/root.mjs'

/** @typedef {{ what: string, file: string, from: string, to: string, expected: string }} Mutation `expected`: the phase that should turn red */

const SCHEMAS = 'supabase/schemas'
/** What a database is made of: the last migration that says the same as a schema file is the one that holds. */
const MIGRATIONS = 'supabase/migrations'

/**
 * The files that a mutation changes, from the checkout's root.
 * @param {Mutation} mutation
 */
export async function placesOf({ file, from }) {
  if (!file.startsWith(SCHEMAS)) return [file]
  const names = (await readdir(inRoot(MIGRATIONS))).toSorted().map((name) => path.join(MIGRATIONS, name))
  const texts = await Promise.all(names.map((name) => readFile(inRoot(name), 'utf8')))
  return [file, ...names.filter((_, at) => texts[at]?.includes(from))]
}

/** @type {readonly Mutation[]} */
export const MUTATIONS = [
  {
    what: 'a number keeps its country code on screen',
    file: 'src/domain/phone/phone.ts',
    from: 'digits.length > 11 ? digits.slice(2) : digits',
    to: 'digits.length > 11 ? digits : digits',
    expected: 'unit',
  },
  {
    what: 'the rotation forgets the daily cap of a seat',
    file: 'src/domain/rotation/rotation.ts',
    from: 'seat.receivedToday >= seat.dailyCap',
    to: 'seat.receivedToday > seat.dailyCap + 99',
    expected: 'unit',
  },
  {
    what: 'the turn goes to the largest credit',
    file: 'src/domain/rotation/rotation.ts',
    from: '(total - one.credit) * other.weight - (total - other.credit) * one.weight',
    to: 'other.credit - one.credit',
    expected: 'unit',
  },
  {
    what: '“quero sair daqui” is no opt-out',
    file: 'src/domain/opt-out.ts',
    from: '`\\\\bsair d(?:aqui|ai)$`,',
    to: '',
    expected: 'unit',
  },
  {
    what: 'a refused write counts as done',
    file: 'src/domain/outbox/settle.ts',
    from: "    case 'conflict':\n    case 'refused':\n      return blocked(entries, entry, verdict)",
    to: "    case 'conflict':\n    case 'refused':\n      return without(entries, entry.seq)",
    expected: 'unit',
  },
  {
    what: 'an old text goes without asking',
    file: 'src/domain/outbox/queue.ts',
    from: 'nowMs - createdAtMs > STALE_MS',
    to: 'nowMs - createdAtMs > STALE_MS * 99',
    expected: 'unit',
  },
  {
    what: 'two commands of one lead go at once',
    file: 'src/domain/outbox/queue.ts',
    from: 'if (!found.has(lane)) found.set(lane, entry)',
    to: 'found.set(`${lane}${entry.seq}`, entry)',
    expected: 'unit',
  },
  {
    what: '“Sair” leaves drafts on the device',
    file: 'src/offline/wipe.ts',
    from: "removeFrom([...CACHES, 'drafts'], [keysOf(owner)])",
    to: 'removeFrom(CACHES, [keysOf(owner)])',
    expected: 'unit',
  },
  {
    what: 'a move overwrites what somebody else moved',
    file: `${SCHEMAS}/05_leads.sql`,
    from: "if from_status <> p_expected_status then return 'conflict'; end if;",
    to: '',
    expected: 'postgres',
  },
  {
    what: 'a campaign writes to a person who opted out meanwhile',
    file: `${SCHEMAS}/10_campaigns.sql`,
    from: "  select case\n    when p.opted_out_at is not null then 'opted-out'\n",
    to: '  select case\n',
    expected: 'postgres',
  },
  {
    what: 'a broker reads the leads of all',
    file: `${SCHEMAS}/04_board.sql`,
    from: 'for select to authenticated\n  using ((select portal.is_admin()) or "instanceName" = (select portal.my_instance()));\ncomment on policy contacts_read',
    to: 'for select to authenticated\n  using (true);\ncomment on policy contacts_read',
    expected: 'postgres',
  },
  {
    what: 'a broker changes the leads of all',
    file: `${SCHEMAS}/04_board.sql`,
    from: 'for update to authenticated\n  using ((select portal.is_admin()) or "instanceName" = (select portal.my_instance()))\n  with check ((select portal.is_admin()) or "instanceName" = (select portal.my_instance()));\ncomment on policy contacts_write',
    to: 'for update to authenticated\n  using (true) with check (true);\ncomment on policy contacts_write',
    expected: 'postgres',
  },
  {
    what: 'a broker adds stages',
    file: `${SCHEMAS}/04_board.sql`,
    from: 'create policy stages_write on public.kanban_stages for all to authenticated\n  using ((select portal.is_admin())) with check ((select portal.is_admin()));',
    to: 'create policy stages_write on public.kanban_stages for all to authenticated\n  using (true) with check (true);',
    expected: 'postgres',
  },
  {
    what: 'the dashboard adds leads up twice',
    file: `${SCHEMAS}/14_dashboard.sql`,
    from: '        leads = r.leads + excluded.leads,',
    to: '        leads = r.leads + 2 * excluded.leads,',
    expected: 'postgres',
  },
  {
    what: 'a webhook takes any secret',
    file: 'server/whatsapp/webhook/secret.ts',
    from: 'hashes.map((hash) => timingSafeEqual(Buffer.from(hash), given))',
    to: 'hashes.map((hash) => timingSafeEqual(Buffer.from(hash), given) || true)',
    expected: 'postgres',
  },
  {
    what: 'what the broker wrote on the phone counts as the lead’s',
    file: 'server/whatsapp/webhook/read-message.ts',
    from: "const fromMe = isTrue(key.fields['fromMe'])",
    to: "const fromMe = isTrue(key.fields['fromMe']) && false",
    expected: 'unit',
  },
  {
    what: 'a stolen refresh token goes on',
    file: 'server/auth/tokens/refresh-exchange.ts',
    from: 'if (held.is_superseded || held.is_over)',
    to: 'if (held.is_over)',
    expected: 'postgres',
  },
  {
    what: 'a move forgets its operation id',
    file: 'src/offline/requests.ts',
    from: 'p_moved_at: new Date(createdAtMs).toISOString(),\n          p_operation_id: id,',
    to: 'p_moved_at: new Date(createdAtMs).toISOString(),\n          p_operation_id: crypto.randomUUID(),',
    expected: 'unit',
  },
  {
    what: 'Alt and an arrow move no card',
    file: 'src/features/board/gestures/board-keys.ts',
    from: 'else if (by && event.altKey) moveBy(target, by)',
    to: 'else if (by && event.altKey && event.metaKey) moveBy(target, by)',
    expected: 'components',
  },
  {
    what: 'a start without a signal finds no page',
    file: 'service-worker/caching.ts',
    from: '  registerRoute(new NavigationRoute(createHandlerBoundToURL(PAGE), { denylist: [WIRES] }))\n',
    to: '',
    expected: 'stories',
  },
]
