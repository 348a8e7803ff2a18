// Maintenance that the embedded engine does not do by itself (server/ops/maintenance.ts).
import { expect, test } from 'vitest'
import { startMaintenance, vacuumChanged } from '#server/ops/maintenance.ts'
import { createLog } from '#server/log.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/db/database.ts'
import { databaseClock } from '#tests/support/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import { openBase } from '#tests/support/database.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const base = await openBase('empty')

test.runIf(isDeepRun)('a table that is changed repeatedly does not keep growing', async () => {
  const { db } = base
  await db.exec(`create table counters (id int primary key, value int, filler text);
    insert into counters select i, 0, repeat('x', 500) from generate_series(1, 500) i`)
  const grow = async () => {
    for (let round = 0; round < 6; round++) await db.query('update counters set value = value + 1')
    await db.query('select pg_stat_force_next_flush()')
    await db.query('select 1')
  }
  const size = async () =>
    (await db.query<{ bytes: number }>(`select pg_relation_size('counters') as bytes`)).rows[0]?.bytes ?? 0
  await grow()
  await vacuumChanged(db)
  const settled = await size()
  for (let day = 0; day < 4; day++) {
    await grow()
    await vacuumChanged(db)
  }
  expect(await size()).toBeLessThanOrEqual(settled * 1.5)
})

test('the timers run, those for files on the embedded engine only, and stop', () => {
  const timers = new Set<number>()
  const clock: Clock = {
    now: () => 0,
    sleep: () => Promise.resolve(),
    every: (everyMs) => {
      timers.add(everyMs)
      return () => timers.delete(everyMs)
    },
    randomBetween: (min) => min,
  }
  const stop = startMaintenance({ db: base.db, clock, log: createLog('error'), longestGapMs: 40_000 })
  expect(timers.size).toBe(base.db.engine === 'pglite' ? 6 : 4)
  // The folding interval keeps unfolded rows few for a dashboard.
  expect(timers).toContain(2_000)
  void stop()
  expect(timers.size).toBe(0)
})

test('a long run does not start a second one in parallel, and continues while there is more', async () => {
  const clock = databaseClock()
  const running: (() => void)[] = []
  let folds = 0
  const db = {
    engine: 'postgres',
    query: async (sql: string) => {
      if (!sql.includes('fold_lead_deltas')) return { rows: [], rowCount: 0 }
      folds += 1
      await new Promise<void>((resolve) => running.push(resolve))
      return { rows: [{ count: folds === 1 ? 1_000 : 0 }], rowCount: 1 }
    },
  } as unknown as Database
  const stop = startMaintenance({ db, clock, log: createLog('error'), longestGapMs: 40_000 })
  for (let round = 0; round < 5; round++) clock.advance(2_000)
  await eventually(() => expect(folds).toBe(1))
  running.shift()?.()
  // A pause as long as the run lets requests go first.
  await eventually(() => {
    clock.advance(1_000)
    expect(folds).toBe(2)
  })
  running.shift()?.()
  await stop()
})
