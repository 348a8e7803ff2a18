// Imports a list of 50,000 leads while another broker opens a board: the import's time, and the board's time before and
// meanwhile.
import { randomUUID } from 'node:crypto'
import { BROKER, fillBoard, OTHER_BROKER } from '#tests/support/board.ts'
import { ADMIN_PASSWORD, call, signIn, startPortal } from '#tests/support/portal.ts'
import type { Engine } from './engines.ts'
import { rest, send } from './http.ts'
import { median, type Measure, percentile } from './measure.ts'

const LEADS = 5_000
const ROWS = 50_000
const AT_ONCE = 500
const ALONE_MS = 15_000
const POLL_MS = 250
const MAX_MS = { Postgres: 60_000, PGlite: 120_000 }
/** Another broker's board may take this multiple of its quiet p99 meanwhile. */
const SLOWER = 3

export async function measureImport(engine: Engine): Promise<Measure[]> {
  const made = await startPortal(engine.dataDir, engine.env)
  await made.process.kill('SIGTERM')
  await engine.withDatabase(async (db) => {
    await fillBoard(db, LEADS, { hasMessages: true })
    await fillBoard(db, 1, { hasMessages: false, broker: OTHER_BROKER })
  })
  const { origin, process } = await startPortal(engine.dataDir, engine.env)
  try {
    const token = await signIn(origin, BROKER.email, BROKER.password)
    const admin = await signIn(origin, 'admin@admin.local', ADMIN_PASSWORD)
    const alone = await boardsUntil(origin, token, rest(ALONE_MS))
    const startedMs = performance.now()
    let tookMs = NaN
    const brought = bringIn(origin, admin).then((state) => {
      tookMs = performance.now() - startedMs
      return state
    })
    const meanwhile = await boardsUntil(origin, token, brought)
    const { added } = await brought
    const named = (name: string) => `${engine.name}: ${name}`
    const limit = engine.name === 'Postgres' ? MAX_MS.Postgres : MAX_MS.PGlite
    return [
      {
        name: named(`a list of ${ROWS}, from its first row sent to its last taken in`),
        value: tookMs,
        unit: 'ms',
        limit,
      },
      { name: named('of them not leads at the end'), value: ROWS - added, unit: '', limit: 0 },
      ...timesOf(named('another’s board, no import'), alone),
      ...timesOf(named('another’s board, meanwhile'), meanwhile, SLOWER * percentile(alone, 0.99)),
    ]
  } finally {
    await process.kill('SIGTERM')
  }
}

/** With the screen's requests; resolves once the import is finished. */
async function bringIn(origin: string, token: string): Promise<{ added: number }> {
  const id = randomUUID()
  const ask = async (path: string, body?: object) => {
    const answer = await call<Record<string, unknown>>(`${origin}/api/imports${path}`, {
      token,
      ...(body && { body }),
    })
    if (answer.status !== 200)
      throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const destination = { destination: 'broker', instanceName: OTHER_BROKER.instance }
  await ask('', { id, fileName: 'lista.csv', total: ROWS, ...destination })
  for (let from = 0; from < ROWS; from += AT_ONCE)
    await ask(`/${id}/rows`, { rows: Array.from({ length: AT_ONCE }, (_, n) => rowOf(from + n)) })
  for (;;) {
    const { imports } = (await ask('')) as { imports: { id: string; state: string; added: number }[] }
    const one = imports.find((each) => each.id === id)
    if (one?.state === 'finished') return one
    await rest(POLL_MS)
  }
}

const rowOf = (n: number) => [
  n + 2,
  `Sandra Lemos ${n}`,
  `(11) 9${String(60_000_000 + n)}`,
  null,
  `sandra${n}@example.com`,
  n % 3 === 0 ? 'Vista Serrana' : null,
  'Feirão',
]

/** Requests whole boards in sequence until then. */
async function boardsUntil(origin: string, token: string, end: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const over = new AbortController()
  void end.finally(() => over.abort()).catch(() => undefined)
  while (!over.signal.aborted) {
    const { status, ms } = await send(origin, {
      path: '/rest/v1/rpc/sync_board',
      token,
      body: { p_instance: BROKER.instance, p_cursor: null },
    })
    // A failed request counts as over the limit.
    times.push(status === 200 ? ms : Number.POSITIVE_INFINITY)
  }
  return times
}

function timesOf(name: string, times: readonly number[], limit?: number): Measure[] {
  return [
    { name: `${name}, half of them`, value: median(times), unit: 'ms' },
    {
      name: `${name}, p99`,
      value: percentile(times, 0.99),
      unit: 'ms',
      ...(limit !== undefined && { limit }),
    },
  ]
}
