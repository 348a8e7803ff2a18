// Every periodic job of a portal: the processor time of one run with 0, 1,000 and 10,000 resting rows of its kind.
import { readFile } from 'node:fs/promises'
import { systemClock, type Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { inRoot } from '#server/ops/cli/root.mjs'
import { workersOf } from '#server/worker.ts'
import { seedLeads } from '#tests/support/bulk.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { makeBroker } from '#tests/support/make.ts'
import { openWhatsapp } from '#tests/support/whatsapp.ts'
import { withPool, type Engine } from './engines.ts'
import { median, type Measure } from './measure.ts'
import { RESTING_ROWS } from './resting-rows.ts'

const COUNTS = [0, 1_000, 10_000]
const ROWS_AT_ONCE = 1_000
const RUNS = 5
const CONNECTIONS = 4
/** Enough for the few jobs that are no workers, and whose end is not known. */
const PAUSE_MS = 30
const MAX_RUN_MS = 60_000
/** How much more processor time a run may need with the rows than without. */
const MORE_MS = 20

export async function measureJobs(engine: Engine): Promise<Measure[]> {
  const costs = new Map<string, number[]>()
  await withPool(engine, CONNECTIONS, async (db) => {
    await migrate(db, inRoot('supabase'))
    const broker = await makeBroker(db)
    let rows = 0
    for (const count of COUNTS) {
      // Rows are added while no portal runs, because a running one would process them.
      for (; rows < count; rows += ROWS_AT_ONCE) {
        await addRows(db, broker, rows / ROWS_AT_ONCE)
      }
      const { clock, jobs } = recordingClock()
      const office = await openWhatsapp(db, { clock })
      try {
        // All workers run once at the start.
        await settled(clock)
        for (const job of jobs) {
          const [name, spentMs] = await measureJob(db, clock, job)
          costs.set(name, [...(costs.get(name) ?? []), spentMs])
        }
      } finally {
        await office.close()
      }
    }
  })
  return [...costs].flatMap(([name, [none = 0, ...times]]) =>
    times.map((value, at) => ({
      name: `${engine.name}: ${name} over ${(COUNTS[at + 1] ?? 0).toLocaleString('en')} rows`,
      value,
      unit: 'ms' as const,
      floor: none,
      points: MORE_MS,
    })),
  )
}

type Job = { file: string; everyMs: number; run: () => void }

/** A clock that calls nothing back by itself, and the jobs that asked to be called at intervals. */
function recordingClock(): { clock: Clock; jobs: Set<Job> } {
  const jobs = new Set<Job>()
  const clock: Clock = {
    ...systemClock,
    every: (everyMs, run) => {
      const job = { file: callerOf(new Error().stack ?? ''), everyMs, run }
      jobs.add(job)
      return () => jobs.delete(job)
    },
  }
  return { clock, jobs }
}

/** The file in `server` that started the job, past the module of all workers. */
const callerOf = (stack: string): string =>
  stack
    .split('\n')
    .map((line) => /\/server\/(\S+)\.ts:/.exec(line)?.[1])
    .find((file) => file !== undefined && file !== 'worker') ?? 'unknown'

/** The job's name, and the median processor time of a run. */
async function measureJob(db: Database, clock: Clock, job: Job): Promise<[string, number]> {
  let name = job.file
  const times: number[] = []
  for (let time = 0; time < RUNS; time++) {
    const beforeMs = await spentMs(db)
    job.run()
    name = runningIn(clock)[0]?.name ?? name
    await settled(clock)
    times.push((await spentMs(db)) - beforeMs)
  }
  return [`${name}, each ${job.everyMs / 1_000} s,`, median(times)]
}

/** Resolves once no worker is running. Rejects with the names of those that still run after a minute. */
async function settled(clock: Clock): Promise<void> {
  const beganAtMs = performance.now()
  do await wait(PAUSE_MS)
  while (runningIn(clock).length > 0 && performance.now() - beganAtMs < MAX_RUN_MS)
  const still = runningIn(clock).map(({ name }) => name)
  if (still.length > 0) throw new Error(`still running after a minute: ${still.join(', ')}`)
}

const runningIn = (clock: Clock) => workersOf(clock).filter(({ runningSinceMs }) => runningSinceMs !== null)

/** In milliseconds: of the server's processes for this database, or of this process with the embedded engine. */
async function spentMs(db: Database): Promise<number> {
  if (db.engine === 'pglite') return (process.cpuUsage().user + process.cpuUsage().system) / 1_000
  const { rows } = await db.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  )
  const spent = rows.map(async ({ pid }) => {
    const stat = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0')
    return Number(stat.split(' ')[0]) / 1e6
  })
  return (await Promise.all(spent)).reduce((sum, each) => sum + each, 0)
}

async function addRows(
  db: Database,
  broker: { instanceName: string; id: string },
  seed: number,
): Promise<void> {
  await seedLeads(db, { instanceName: broker.instanceName, count: ROWS_AT_ONCE, seed })
  await db.transaction(async (query) => {
    const values = [ROWS_AT_ONCE, broker.instanceName, broker.id]
    for (const sql of RESTING_ROWS) {
      const used = [1, 2, 3].filter((at) => sql.includes(`$${at}`))
      const own = used.reduce((text, name, at) => text.replaceAll(`$${name}`, `$${at + 1}`), sql)
      await query(
        own,
        used.map((name) => values[name - 1] ?? null),
      )
    }
  })
  await db.exec('analyze')
}
