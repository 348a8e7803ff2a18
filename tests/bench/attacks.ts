// One broker attacks with reads while another opens the board: the time of the other's board before and during each
// attack.
import { BROKER, fillBoard, OTHER_BROKER } from '#tests/support/board.ts'
import { signIn, startPortal } from '#tests/support/portal.ts'
import type { Engine } from './engines.ts'
import { send, type Call } from './http.ts'
import { median, type Measure, percentile } from './measure.ts'

const LEADS = 5_000
const NOTES = 200
const AT_ONCE = 10
const BOARDS = 200
/** Minimum duration, because an attack that is refused at once would end too early. */
const MIN_MS = 10_000
/** On the embedded engine each board waits for the requests before it. */
const MAX_MS = { Postgres: 1_000, PGlite: 2_000 }

const rest = (path: string) => `/rest/v1/${path}`
const chain = (depth: number, level = 0): string =>
  level === depth
    ? 'id'
    : `id,${level % 2 === 0 ? 'whatsapp_messages' : 'whatsapp_contacts'}(${chain(depth, level + 1)})`

/** By kind of attack; the paths are requested in turn. */
const ATTACKS: Record<string, string[]> = {
  'patterns with back-references': [rest('whatsapp_contacts?select=id&notes=match.^(.%2B)(.%2B)\\2\\1$')],
  'contacts, messages, contacts, messages …': [5, 4, 3].map((depth) =>
    rest(`whatsapp_contacts?select=${chain(depth)}`),
  ),
  'long texts searched': [
    rest('whatsapp_contacts?select=id&notes=wfts(portuguese).ab'),
    rest(`whatsapp_contacts?select=id&notes=ilike.${'%25a%25b'.repeat(240)}c`),
    rest(
      `whatsapp_contacts?select=id&or=(${Array.from({ length: 490 }, (_, at) => `notes.ilike.*${at}*`).join()})`,
    ),
  ],
  'ten heavy reads at once': [
    rest('whatsapp_contacts?select=*,whatsapp_messages(*)&order=notes.desc&limit=1000'),
    rest('whatsapp_contacts?select=id&notes=imatch.(a|aa)%2B(b|a{1,150})*$'),
    rest('whatsapp_contacts?select=*&notes=ilike.*a*b*a*b*c*&order=last_message_body.desc'),
  ],
}

export async function measureAttacks(engine: Engine): Promise<Measure[]> {
  const made = await startPortal(engine.dataDir, engine.env)
  await made.process.kill('SIGTERM')
  await engine.withDatabase(async (db) => {
    await fillBoard(db, LEADS, { hasMessages: true })
    await fillBoard(db, LEADS, { hasMessages: true, broker: OTHER_BROKER })
    await db.query(
      `update public.whatsapp_contacts set notes = repeat('ab', 4950)
       where id in (select id from public.whatsapp_contacts where "instanceName" = $1 order by id limit ${NOTES})`,
      [OTHER_BROKER.instance],
    )
  })
  const { origin, process } = await startPortal(engine.dataDir, engine.env)
  try {
    const victim = { origin, token: await signIn(origin, BROKER.email, BROKER.password) }
    const attacker = { origin, token: await signIn(origin, OTHER_BROKER.email, OTHER_BROKER.password) }
    const measures = [await boards(`${engine.name}: another’s board, nobody attacks`, victim, engine)]
    for (const [name, paths] of Object.entries(ATTACKS)) {
      const attack = begin(attacker, paths)
      measures.push(await boards(`${engine.name}: another’s board, ${name}`, victim, engine))
      console.log(`${engine.name}, ${name}: answers ${await attack.end()}`)
    }
    return measures.flat()
  } finally {
    await process.kill('SIGTERM')
  }
}

type Asker = { origin: string; token: string }

/** Ten clients that repeat requests without a pause; ending it returns how often each status came. */
function begin({ origin, token }: Asker, paths: readonly string[]) {
  const counts = new Map<number, number>()
  const over = new AbortController()
  let next = 0
  const client = async () => {
    while (!over.signal.aborted) {
      const { status } = await send(origin, { path: paths[next++ % paths.length] ?? '', token })
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
  }
  const clients = Array.from({ length: AT_ONCE }, client)
  return {
    end: async () => {
      over.abort()
      await Promise.all(clients)
      return [...counts].map(([status, count]) => `${count} × ${status}`).join(', ')
    },
  }
}

/** Requests whole boards in sequence; a failed one counts as over the limit. */
async function boards(name: string, { origin, token }: Asker, engine: Engine): Promise<Measure[]> {
  const board: Call = {
    path: rest('rpc/sync_board'),
    token,
    body: { p_instance: BROKER.instance, p_cursor: null },
  }
  const times: number[] = []
  let refused = 0
  const startedMs = performance.now()
  while (times.length < BOARDS || performance.now() - startedMs < MIN_MS) {
    const { status, ms } = await send(origin, board)
    if (status !== 200) refused += 1
    times.push(ms)
    // Fewer rounds on the embedded engine, where each waits for the attack.
    if (performance.now() - startedMs > 6 * MIN_MS) break
  }
  const limit = engine.name === 'Postgres' ? MAX_MS.Postgres : MAX_MS.PGlite
  return [
    { name: `${name}, half of them`, value: median(times), unit: 'ms' },
    { name: `${name}, p99`, value: percentile(times, 0.99), unit: 'ms', limit },
    { name: `${name}, refused`, value: refused, unit: '', limit: 0 },
  ]
}
