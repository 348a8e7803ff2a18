// The job that warns about unanswered leads: the processor time of one run while 10,000 leads wait, compared with a
// direct query of all.
import { readFile } from 'node:fs/promises'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { inRoot } from '#server/ops/cli/root.mjs'
import { makeBroker } from '#tests/support/make.ts'
import { PLAIN_WARN_RISKS } from '#tests/support/plain-risks.ts'
import type { Engine } from './engines.ts'
import { median, type Measure } from './measure.ts'

const WAITING = 10_000
const RUNS = 5
/** An idle run must be this many times faster than the direct query, and on the embedded engine within this time. */
const TIMES_FASTER = 200
const EMBEDDED_LIMIT_MS = 20

export async function measureSweep(engine: Engine): Promise<Measure[]> {
  const measures: Measure[] = []
  await engine.withDatabase(async (db) => {
    await migrate(db, inRoot('supabase'))
    const meter = createMeter(db)
    measures.push(...(await measureRisks(db, meter, engine.name)))
  })
  return measures
}

type Meter = (work: () => Promise<unknown>) => Promise<number>

/** Measures processor time: of the connection's server process, or of this process with the embedded engine. */
function createMeter(db: Database): Meter {
  const spentMs = async () => {
    if (db.engine === 'pglite') return (process.cpuUsage().user + process.cpuUsage().system) / 1_000
    const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
    const stat = await readFile(`/proc/${rows[0]?.pid}/schedstat`, 'utf8')
    return Number(stat.split(' ')[0]) / 1e6
  }
  return async (work) => {
    const before = await spentMs()
    await work()
    return (await spentMs()) - before
  }
}

async function measureRisks(db: Database, meter: Meter, engine: string): Promise<Measure[]> {
  await db.exec(PLAIN_WARN_RISKS)
  const broker = await makeBroker(db)
  const nowMs = Date.now()
  await db.query(
    `insert into public.whatsapp_contacts ("instanceName", number, name, left_contact_at)
     select $1, '5511' || (960000000 + n), 'Lead ' || n, to_timestamp($2 / 1000.0) - n * interval '1 millisecond'
     from generate_series(1, $3::integer) n`,
    [broker.instanceName, nowMs, WAITING],
  )
  await db.exec('delete from portal.push_queue; delete from portal.lead_deltas; analyze')
  const now = new Date(nowMs + 1_000).toISOString()
  const sweep = () => db.query('select portal.warn_risks($1)', [now])
  const isLeft = async () =>
    (await db.query<{ is: boolean }>('select portal.has_risks($1) as is', [now])).rows[0]?.is
  const first: number[] = []
  do first.push(await meter(sweep))
  while (await isLeft())
  const idleMs =
    (await meter(async () => {
      for (let run = 0; run < RUNS; run++) await sweep()
    })) / RUNS
  const plainMs = await meter(() => db.query('select portal.plain_warn_risks($1)', [now]))
  await db.exec('drop function portal.plain_warn_risks; drop index public.contacts_unanswered')
  const named = (what: string) => `${engine}: ${WAITING.toLocaleString('en')} leads wait, ${what}`
  return [
    { name: named('the plain reading of all'), value: plainMs, unit: 'ms' },
    {
      name: named('a sweep'),
      value: idleMs,
      unit: 'ms',
      limit:
        engine === 'PGlite' ? Math.min(plainMs / TIMES_FASTER, EMBEDDED_LIMIT_MS) : plainMs / TIMES_FASTER,
    },
    {
      name: named('half of the sweeps that compute deadlines'),
      value: median(first),
      unit: 'ms',
      ...(engine === 'PGlite' && { limit: EMBEDDED_LIMIT_MS }),
    },
    { name: named('the first of them, which also makes the plans'), value: first[0] ?? 0, unit: 'ms' },
    { name: named('sweeps until all are computed'), value: first.length, unit: '' },
  ]
}
