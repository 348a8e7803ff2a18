// Connections that fall silent: their statements end, new connections are used at once, and long statements go on.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import type { Database } from '#server/db/database.ts'
import { hearNews, onPostgres, openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'
import { openSilentWay, type SilentWay } from '#tests/support/silent-way.ts'

const LIMITS = {
  connectMs: 2_000,
  answerMs: 1_000,
  silentMs: 200,
  marginMs: 200,
  statementMs: 600,
  closeMs: 100,
  beatMs: 200,
  deafMs: 300,
}
/** Enough for a busy machine. Without the limits a statement waits for 15 minutes. */
const SOON_MS = 10_000

onPostgres.describe('a network that falls silent', () => {
  let base: TestDatabase
  let way: SilentWay
  let db: Database
  const open = (limits = {}, maxConnections = 4) =>
    openPostgres({
      url: way.url,
      maxConnections,
      onError: () => undefined,
      limits: { ...LIMITS, ...limits },
    })

  beforeAll(async () => {
    base = await openTestDatabase()
    await base.db.exec('create table notes (id int)')
  })
  beforeEach(async () => {
    way = await openSilentWay(base.url ?? '')
    db = open()
    return async () => {
      way.deafen(false)
      await db.close()
      await way.close()
    }
  })
  afterAll(() => base.close())

  const lost = expect.objectContaining({ code: '08006' })
  const fail = (asked: Promise<unknown>) => asked.catch((error: unknown) => error)
  const busy = (times: number) =>
    Promise.all(Array.from({ length: times }, () => db.query('select pg_sleep(0.01)')))

  onPostgres.test(
    'a firewall forgot the connections: statements on them fail, the next statement is answered',
    async () => {
      await busy(4)
      way.silence()
      const beganAtMs = performance.now()
      const asked = [
        db.query('select 1'),
        db.query('select $1::int', [1]),
        db.batch([{ sql: 'insert into notes values (1)' }]),
        db.transaction((query) => query('insert into notes values (2)')),
      ]
      expect(await Promise.all(asked.map(fail))).toEqual([lost, lost, lost, lost])
      expect(performance.now() - beganAtMs).toBeLessThan(SOON_MS)
      expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    },
  )

  onPostgres.test('idle connections of the same age are not used again', async () => {
    await busy(4)
    way.silence()
    expect(await fail(db.query('select 1'))).toEqual(lost)
    const before = way.opened()
    expect(
      (await Promise.all([1, 2, 3, 4].map((one) => db.query('select $1::int as one', [one])))).length,
    ).toBe(4)
    expect(way.opened()).toBeGreaterThan(before)
  })

  onPostgres.test.runIf(isDeepRun)(
    'a server without power: statements fail soon, and are answered once it is back',
    async () => {
      await busy(2)
      way.silence()
      way.deafen(true)
      for (let time = 0; time < 3; time++) expect(await fail(db.query('select 1'))).toEqual(lost)
      way.deafen(false)
      expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    },
  )

  onPostgres.test('a transaction that was open on a silent connection gives its locks back', async () => {
    await base.db.exec('insert into notes values (7)')
    const update = 'update notes set id = id where id = 7'
    const broken = db.transaction(async (query) => {
      await query(update)
      way.silence()
      await query('select 1')
    })
    expect(await fail(broken)).toEqual(lost)
    await eventually(() => db.query(update))
  })

  onPostgres.test.runIf(isDeepRun)(
    'those who wait for each other on silent connections end soon, all of them',
    async () => {
      const silentMs = 2_000
      // Half of the connections may hold open transactions.
      const patient = open({ silentMs, statementMs: 60_000, answerMs: SOON_MS }, 8)
      await base.db.exec('insert into notes values (8)')
      let updated = 0
      let isSilent: () => void = () => undefined
      const silence = new Promise<void>((resolve) => (isSilent = resolve))
      const broken = [1, 2, 3, 4].map(() =>
        fail(
          patient.transaction(async (query) => {
            await query('update notes set id = id where id = 8')
            updated++
            await silence
            await query('select 1')
          }),
        ),
      )
      await eventually(async () => {
        const { rowCount } = await base.db.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        expect([updated, rowCount]).toEqual([1, 3])
      })
      way.silence()
      isSilent()
      const beganAtMs = performance.now()
      expect(await Promise.all(broken)).toEqual([lost, lost, lost, lost])
      // One after the other, each with a silence of its own, takes five times as long.
      expect(performance.now() - beganAtMs).toBeLessThan(4 * silentMs)
      await patient.close()
    },
  )

  onPostgres.test.runIf(isDeepRun)(
    'a long statement is not cut as silent, and is cancelled at its limit',
    async () => {
      const patient = open({ statementMs: 30_000, answerMs: SOON_MS })
      expect((await patient.query('select 1 as one, pg_sleep(1.2)::text')).rows).toMatchObject([{ one: 1 }])
      const other = await patient.transaction((query) => query('select 2 as two, pg_sleep(1.2)::text'), {
        limitMs: Number.POSITIVE_INFINITY,
      })
      expect(other.rows).toMatchObject([{ two: 2 }])
      await patient.close()
      const strict = open({ marginMs: 1_500, answerMs: SOON_MS })
      expect(await fail(strict.query('select pg_sleep(30)'))).toMatchObject({ code: '57014' })
      await strict.close()
    },
  )

  onPostgres.test('notifications arrive again, and the gap is reported', async () => {
    const news = await hearNews(db)
    way.silence()
    await eventually(async () => {
      await base.db.query(`select pg_notify('news', 'again')`)
      expect(news.heard).toContain('again')
    })
    // A notification may arrive together with the answer to LISTEN, before the gap is reported.
    await eventually(() => expect(news.gaps).toBeGreaterThan(0))
  })

  onPostgres.test('an attempt to listen that a proxy holds does not hold up the next one', async () => {
    const patient = open({ connectMs: 60_000 })
    let gaps = 0
    await patient.listen(
      'news',
      () => undefined,
      () => gaps++,
    )
    const before = way.opened()
    way.silence()
    way.deafen(true)
    await eventually(() => expect(way.opened()).toBeGreaterThan(before))
    way.deafen(false)
    await eventually(() => expect(gaps).toBe(1))
    await patient.close()
  })

  onPostgres.test('closing ends in its bounds while one statement sleeps and one is silent', async () => {
    const patient = open({ statementMs: 60_000, silentMs: 60_000 })
    const asked = [1, 2].map((seconds) => fail(patient.query(`select pg_sleep(6${seconds})`)))
    await eventually(async () => {
      const { rowCount } = await base.db.query(
        `select from pg_stat_activity where state = 'active' and query like 'select pg_sleep(6%'`,
      )
      expect(rowCount).toBe(2)
    })
    way.silence(1)
    const beganAtMs = performance.now()
    await patient.close()
    expect(performance.now() - beganAtMs).toBeLessThan(SOON_MS)
    expect(await Promise.all(asked)).toEqual([lost, expect.objectContaining({ code: '57014' })])
  })
})
