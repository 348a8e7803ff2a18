// What health finds wrong: a database that takes no writes, damaged tables, a full disk, late backups, workers that
// fail.
import { describe, expect, test } from 'vitest'
import { SqlError, type Answered, type Database, type Row } from '#server/db/database.ts'
import { createVitals } from '#server/ops/health/vitals.ts'
import { createTableReader } from '#server/ops/health/tables.ts'
import { createWorker } from '#server/worker.ts'
import { manualClock } from '#tests/support/clock.ts'
import { silentLog } from '#tests/support/gateway.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const BACKUP = { lastAtMs: null, sizeBytes: null, count: 0, isFailing: false }

function stage({ folder = null, backup = {} }: { folder?: string | null; backup?: object } = {}) {
  const clock = manualClock(0)
  let onWrite = (): Promise<unknown> => Promise.resolve()
  let onRead = (): Promise<unknown> => Promise.resolve()
  let writes = 0
  const query = async (sql: string) => {
    if (sql.startsWith('insert')) {
      writes++
      await onWrite()
    }
    if (sql.startsWith('select count')) await onRead()
    const rows: Row[] = sql.includes('pg_relation_size') ? [{ name: 'notes', pages: 300 }] : []
    return { rows, rowCount: rows.length } as Answered<never>
  }
  const vitals = createVitals({
    db: { query } as Pick<Database, 'query'> as Database,
    clock,
    log: silentLog,
    storage: {},
    folder,
    backup: () => Promise.resolve({ ...BACKUP, ...backup }),
  })
  return {
    clock,
    vitals,
    writes: () => writes,
    failWrites: (error: Error) => (onWrite = () => Promise.reject(error)),
    hangWrites: () => (onWrite = () => new Promise(() => undefined)),
    failReads: (error: Error) => (onRead = () => Promise.reject(error)),
    mend: () => (onRead = onWrite = () => Promise.resolve()),
  }
}
const sqlError = (code: string, message = 'm') => new SqlError({ code, message })

test('a healthy portal has no faults, and is written at most once a second', async () => {
  const { vitals, writes, clock } = stage()
  for (let times = 0; times < 5; times++)
    expect(await vitals.faults()).toEqual({ words: [], isDatabaseAway: false, takesWrites: true })
  expect(writes()).toBe(1)
  clock.advance(1_000)
  await Promise.all([vitals.faults(), vitals.faults()])
  expect(writes()).toBe(2)
})

test.each([
  ['25006', 'read-only', false],
  ['53100', 'disk-full', false],
  ['57P03', 'database-down', true],
  ['08006', 'database-down', true],
])('a write that fails with %s is told as %s', async (code, word, isDatabaseAway) => {
  const { vitals, failWrites, mend, clock } = stage()
  failWrites(sqlError(code))
  expect(await vitals.faults()).toEqual({ words: [word], isDatabaseAway, takesWrites: false })
  mend()
  clock.advance(1_000)
  expect(await vitals.faults()).toMatchObject({ words: [], takesWrites: true })
})

test('a connection that was cut for its silence, and a write without an answer, are told as silence', async () => {
  const cut = stage()
  cut.failWrites(sqlError('08006', 'Connection terminated unexpectedly'))
  expect(await cut.vitals.faults()).toMatchObject({ words: ['database-silent'], isDatabaseAway: true })
  const hung = stage()
  hung.hangWrites()
  const asked = hung.vitals.faults()
  await Promise.resolve()
  hung.clock.advance(10_000)
  expect(await asked).toMatchObject({ words: ['database-silent'], isDatabaseAway: true })
})

test('a damaged table is named until the same pages can be read again', async () => {
  const { vitals, failReads, mend, clock } = stage()
  const stop = vitals.start()
  failReads(sqlError('XX001', 'invalid page in block 3'))
  const readOn = async () => {
    clock.advance(MINUTE_MS)
    for (let turns = 0; turns < 20; turns++) await Promise.resolve()
  }
  await readOn()
  expect(vitals.damagedTables()).toEqual(['notes'])
  expect(await vitals.faults()).toEqual({
    words: ['table-damaged'],
    isDatabaseAway: false,
    takesWrites: true,
  })
  mend()
  await readOn()
  expect(vitals.damagedTables()).toEqual([])
  await stop()
})

test('the largest tables are read in turn, a stretch at a time, and listed again if one was dropped', async () => {
  const tables = [
    { name: 'notes', pages: 300 },
    { name: 'leads', pages: 20 },
  ]
  const asked: string[] = []
  const query = async (sql: string) => {
    const [, name, from] = /from (\w+) where ctid >= '\((\d+)/.exec(sql) ?? []
    asked.push(name === undefined ? 'list' : `${name} ${from}`)
    if (name !== undefined && !tables.some((table) => table.name === name)) throw sqlError('42P01')
    return { rows: [...tables], rowCount: tables.length } as unknown as Answered<never>
  }
  const reader = createTableReader({ query } as Pick<Database, 'query'> as Database, () => undefined)
  for (let turns = 0; turns < 4; turns++) await reader.readOn()
  expect(asked.splice(0)).toEqual(['list', 'notes 0', 'leads 0', 'notes 256', 'leads 16'])
  tables.shift()
  await expect(reader.readOn()).rejects.toMatchObject({ code: '42P01' })
  await reader.readOn()
  expect(asked).toEqual(['notes 212', 'list', 'leads 12'])
})

test.each([
  [{ isFailing: true }, ['backup-failing']],
  [{ lastAtMs: 0 }, ['backup-late']],
  [{ lastAtMs: 2 * DAY_MS }, []],
  [{}, []],
])('the backups %o are told as %o', async (backup, words) => {
  const { vitals, clock } = stage({ backup })
  clock.advance(2 * DAY_MS + MINUTE_MS)
  expect((await vitals.faults()).words).toEqual(words)
})

test('a folder that is gone has no room to tell of', async () => {
  const { vitals } = stage({ folder: '/nowhere' })
  expect((await vitals.faults()).words).toEqual([])
})

describe('workers', () => {
  const begin = (clock: ReturnType<typeof manualClock>, poll: () => Promise<boolean>) =>
    createWorker({ name: 'push', clock, everyMs: MINUTE_MS, poll, onFailed: () => undefined })

  test('one that fails for more than five minutes is told, until it works again', async () => {
    const { vitals, clock } = stage()
    let fails = true
    const worker = begin(clock, () => (fails ? Promise.reject(new Error('no')) : Promise.resolve(false)))
    const stop = worker.start()
    for (let minute = 0; minute <= 6; minute++) {
      await worker.settled()
      clock.advance(MINUTE_MS)
    }
    await worker.settled()
    expect(vitals.workers()).toContainEqual({ name: 'push', state: 'failing', seconds: 420 })
    expect((await vitals.faults()).words).toEqual(['worker-failing'])
    fails = false
    clock.advance(MINUTE_MS)
    await worker.settled()
    expect(vitals.workers()).toContainEqual({ name: 'push', state: 'ok', seconds: null })
    await stop()
  })

  test('one whose step does not end within an hour is told', async () => {
    const { vitals, clock } = stage()
    begin(clock, () => new Promise(() => undefined)).start()
    clock.advance(61 * MINUTE_MS)
    expect(vitals.workers()).toContainEqual({ name: 'push', state: 'stuck', seconds: 3_660 })
  })
})
