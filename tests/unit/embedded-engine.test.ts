// An embedded engine that hangs, dies or is confused is ended and reopened; a test thread does so on request.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SqlError } from '#server/db/database.ts'
import { openPglite, type PgliteDatabase } from '#server/db/pglite/pglite.ts'
import { createLog } from '#server/log.ts'
import { fromSqlError } from '#server/rest/sql-errors.ts'
import { manualClock, type ManualClock } from '#tests/support/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import { createLatch } from '#tests/support/latch.ts'

const LIMITS = { statementMs: 60_000, maintenanceMs: 600_000 }
const ENGINE = new URL('../support/fragile-engine.mjs', import.meta.url)

let folder: string
let db: PgliteDatabase
let clock: ManualClock
let logged: string[]

beforeEach(async () => {
  clock = manualClock()
  logged = []
  folder = await mkdtemp(path.join(tmpdir(), 'portal-engine-'))
  const log = createLog('info', (line) => logged.push(line))
  db = await openPglite({ dataDir: folder, limits: LIMITS, log, clock, thread: ENGINE })
})
afterEach(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
const stored = async () => (await db.query<{ kept: number }>('look')).rows[0]?.kept
const endings = () => logged.filter((line) => line.includes('database.ended')).length

test('a hanging statement fails at its limit, and later ones are answered', async () => {
  const gap = createLatch()
  const heard: string[] = []
  await db.listen('news', (payload) => heard.push(payload), gap.open)
  await db.query('keep one')
  const begun = createLatch()
  const hung = faultOf(
    db.transaction(
      (query) => {
        begun.open()
        return query('hang')
      },
      { limitMs: 15_000 },
    ),
  )
  const behind = [db.query('keep two'), stored()]
  await begun.opened
  await eventually(() => expect(clock.nextDueInMs()).toBe(15_000))
  clock.advance(15_000)
  expect(await hung).toMatchObject({ code: '57P02' })
  expect((await Promise.all(behind))[1]).toBe(2)
  await gap.opened
  await db.query('tell')
  expect(heard).toEqual(['told'])
  expect(endings()).toBe(1)
})

test('a dead thread is replaced before the next request', async () => {
  const gap = createLatch()
  await db.listen('news', () => undefined, gap.open)
  expect(await faultOf(db.query('die'))).toMatchObject({ code: '57P02' })
  await gap.opened
  expect(await stored()).toBe(0)
})

test('a confused engine answers 57P03 once and works with the next statement', async () => {
  await db.query('keep one')
  expect(await faultOf(db.transaction((query) => query('lose the way')))).toMatchObject({ code: '57P03' })
  expect(await stored()).toBe(1)
  expect(await faultOf(db.query('lose the way'))).toMatchObject({ code: '57P03' })
  clock.advance(1_000)
  expect(await stored()).toBe(1)
  expect(endings()).toBe(2)
})

test('a refusal and a reported full disk end nothing', async () => {
  expect(await faultOf(db.query('refuse'))).toMatchObject({ code: '22012' })
  expect(await faultOf(db.query('no room'))).toMatchObject({ code: '53100' })
  expect(await faultOf(db.transaction(() => Promise.reject(new Error('changed my mind'))))).toMatchObject({
    message: 'changed my mind',
  })
  expect(endings()).toBe(0)
})

test("an engine that fails to open is retried once a second, and requests get 'try again' until then", async () => {
  await writeFile(path.join(folder, 'full'), '')
  expect(await faultOf(db.query('die'))).toMatchObject({ code: '57P02' })
  await eventually(() => expect(logged.join()).toContain('database.reopen-failed'))
  expect(await faultOf(stored())).toMatchObject({ code: '57P03' })
  await rm(path.join(folder, 'full'))
  expect(await faultOf(stored())).toMatchObject({ code: '57P03' })
  clock.advance(1_000)
  expect(await stored()).toBe(0)
})

test('a clock that is set back blocks nothing', async () => {
  clock.advance(3_600_000)
  await faultOf(db.query('die'))
  await stored()
  clock.advance(-3_600_000)
  await faultOf(db.query('die'))
  expect(await stored()).toBe(0)
})

test('closing takes at most ten seconds', async () => {
  const hung = faultOf(db.query('hang'))
  const behind = faultOf(db.query('keep one'))
  await eventually(() => expect(clock.nextDueInMs()).toBe(LIMITS.statementMs))
  const closed = db.close()
  await eventually(() => expect(clock.nextDueInMs()).toBe(10_000))
  clock.advance(10_000)
  await closed
  expect([await hung, await behind]).toMatchObject([{ code: '57P02' }, { code: '57P03' }])
})

test('an account whose statements ended the engine three times is paused: its board and other accounts continue', async () => {
  const ask = (sql: string, account: string, isOpen = true) =>
    faultOf(db.transaction((query) => query(sql), { limitMs: 15_000, asker: { account, isOpen } }))
  const hang = async (account: string) => {
    const hung = ask('hang', account)
    await eventually(() => expect(clock.nextDueInMs()).toBe(15_000))
    clock.advance(15_000)
    return hung
  }
  for (let time = 0; time < 3; time++) {
    expect(await hang('a')).toMatchObject({ code: '57P02' })
    expect(await ask('keep one', 'b')).toBeNull()
    clock.advance(60_000)
  }
  const refused = await ask('hang', 'a')
  expect(refused).toMatchObject({ code: 'PT429', hint: 'database.held-back' })
  if (refused instanceof SqlError)
    expect(fromSqlError(refused, false)).toMatchObject({
      status: 429,
      message:
        'Suas consultas ocuparam o banco de dados por tempo demais. Espere 7 min e peça menos de cada vez.',
      headers: { 'retry-after': '390' },
    })
  expect(endings()).toBe(3)
  expect(await ask('keep two', 'a', false)).toBeNull()
  expect(await ask('keep three', 'b')).toBeNull()

  // A place is free when the first of them is ten minutes old, and the next statement takes it at once.
  clock.advance(390_000)
  expect(await ask('keep four', 'a')).toBeNull()
  expect(await hang('a')).toMatchObject({ code: '57P02' })
  clock.advance(1_000)
  expect(await ask('keep five', 'a')).toMatchObject({ code: 'PT429' })
  expect(endings()).toBe(4)
})

test('an account with many slow statements is paused in the same way', async () => {
  const ask = (account: string, isOpen = true, takesMs = 0) =>
    faultOf(
      db.transaction(
        async (query) => {
          await query('keep one')
          clock.advance(takesMs)
        },
        { limitMs: 60_000, asker: { account, isOpen } },
      ),
    )
  // Statements below the limit are never counted.
  for (let time = 0; time < 60; time++) expect(await ask('a', true, 1_900)).toBeNull()
  for (let time = 0; time < 5; time++) expect(await ask('a', true, 10_000)).toBeNull()
  expect(await ask('a')).toMatchObject({ code: 'PT429', hint: 'database.held-back' })
  expect([await ask('a', false), await ask('b')]).toEqual([null, null])
  // A board that is slow on a slow machine does not count.
  for (let time = 0; time < 9; time++) expect(await ask('d', false, 10_000)).toBeNull()
  // After a clock correction a duration counts at most as the longest possible one.
  expect(await ask('c', true, 1_800_000)).toBeNull()
  expect(await ask('c')).toBeNull()
  expect(endings()).toBe(0)
})
