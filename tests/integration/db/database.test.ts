// Both engines behind one interface answer, refuse and notify alike (server/db/database.ts).
import { expect, test } from 'vitest'
import { onBehalf } from '#server/db/as-user.ts'
import { SqlError } from '#server/db/database.ts'
import type { PgliteDatabase } from '#server/db/pglite/pglite.ts'
import { onEmbedded, onPostgres, openBase, openTestDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { createLatch } from '#tests/support/latch.ts'
import { untilLockAwaited } from '#tests/support/make.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

const base = await openBase('empty')
await base.db.exec('create table notes (id int8 primary key, body text not null)')

test('values come back in one form on both engines', async () => {
  const { rows } = await base.db.query(
    `select 1::int2 as i2, 2::int4 as i4, 9007199254740991::int8 as i8, 1.5::float8 as f8, 12.340::numeric as n,
       true as b, 'ç'::text as t, '{"a":[1,null]}'::jsonb as j, array['x','y"z'] as a, null::text as nothing,
       '2026-02-28'::date as d, '2026-02-28 23:59:59.123-03'::timestamptz as ts, '\\x00ff'::bytea as by`,
  )
  const { by, ...rest } = rows[0] ?? {}
  expect(rest).toEqual({
    i2: 1,
    i4: 2,
    i8: 9007199254740991,
    f8: 1.5,
    n: '12.340',
    b: true,
    t: 'ç',
    j: { a: [1, null] },
    a: ['x', 'y"z'],
    nothing: null,
    d: '2026-02-28',
    ts: '2026-03-01 02:59:59.123+00',
  })
  expect(by instanceof Uint8Array && [...by]).toEqual([0, 255])
})

test('values are bound as text, arrays and bytes', async () => {
  const { rows } = await base.db.query(
    'select $1::int + 1 as n, $2::text[] as list, $3::bytea as bytes, $4::bool as yes, $5::text as nothing',
    ['41', ['a,b', 'c"d', '\\'], new Uint8Array([1, 2]), true, null],
  )
  expect(rows[0]).toMatchObject({ n: 42, list: ['a,b', 'c"d', '\\'], yes: true, nothing: null })
})

test('an error has its SQLSTATE, constraint and detail', async () => {
  await base.db.query('insert into notes values (1, $1)', ['um'])
  const error: unknown = await base.db
    .query('insert into notes values (1, $1)', ['dois'])
    .catch((e: unknown) => e)
  expect(error).toBeInstanceOf(SqlError)
  expect(error).toMatchObject({
    code: '23505',
    constraint: 'notes_pkey',
    detail: 'Key (id)=(1) already exists.',
  })
})

test('a rejected transaction leaves nothing, and the next one works', async () => {
  await expect(
    base.db.transaction(async (query) => {
      await query('insert into notes values (2, $1)', ['dois'])
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await base.db.transaction((query) => query('insert into notes values (3, $1)', ['três']), {
    rollback: true,
  })
  await expect(
    base.db.transaction(async (query) => {
      await query('insert into notes values (4, $1)', ['quatro'])
      await query('select 1/0')
    }),
  ).rejects.toMatchObject({ code: '22012' })
  expect((await base.db.query('select id from notes order by id')).rows).toEqual([{ id: 1 }])
})

test('statements sent together are one transaction', async () => {
  const insert = (id: number) => ({ sql: 'insert into notes values ($1, $2)', values: [id, 'junto'] })
  const together = await base.db.batch([insert(21), { sql: 'select count(*) as n from notes where id = 21' }])
  expect(together.map(({ rows, rowCount }) => [rows, rowCount])).toEqual([
    [[], 1],
    [[{ n: 1 }], 1],
  ])
  await expect(base.db.batch([insert(22), insert(21), insert(23)])).rejects.toMatchObject({
    code: '23505',
    at: 1,
  })
  const refuse = () => {
    throw new Error('not so')
  }
  await expect(base.db.batch([insert(24)], { check: refuse })).rejects.toThrow('not so')
  await base.db.batch([insert(25)], { rollback: true })
  await base.db.batch([insert(26)], { check: ([answer]) => expect(answer?.rowCount).toBe(1) })
  const { rows } = await base.db.query('select id from notes where id between 21 and 29 order by id')
  expect(rows).toEqual([{ id: 21 }, { id: 26 }])
})

test('settings for statements sent together end with them, even after an error', async () => {
  const set = { sql: `select set_config('application_name', 'agora', true)` }
  const read = { sql: `select current_setting('application_name') = 'agora' as is_set` }
  expect((await base.db.batch([set, read]))[1]?.rows).toEqual([{ is_set: true }])
  await expect(base.db.batch([set, { sql: 'select 1/0' }])).rejects.toMatchObject({ code: '22012', at: 1 })
  await base.db.batch([set], { rollback: true })
  expect((await base.db.query(read.sql)).rows).toEqual([{ is_set: false }])
})

test('an error at the commit rejects, and leaves nothing', async () => {
  await base.db.exec('create table later (id int unique deferrable initially deferred)')
  const insert = { sql: 'insert into later values ($1)', values: [1] }
  await expect(base.db.batch([insert, insert])).rejects.toMatchObject({ code: '23505' })
  expect((await base.db.query('select id from later')).rows).toEqual([])
})

test.runIf(isDeepRun)(
  'statements work after a change of their tables, and after any number of others',
  async () => {
    await base.db.exec('create table growing (id int); insert into growing values (1)')
    const read = async () => (await base.db.query('select * from growing where id = $1', [1])).rows
    for (let time = 0; time < 40; time++) expect(await read()).toEqual([{ id: 1 }])
    await base.db.exec(`alter table growing add column name text not null default 'x'`)
    const answers = await Promise.all(Array.from({ length: 30 }, read))
    expect(answers.flat()).toEqual(Array.from({ length: 30 }, () => ({ id: 1, name: 'x' })))
    for (let time = 0; time < 2; time++)
      for (let each = 0; each < 400; each++)
        expect((await base.db.query(`select $1::int + ${each} as n`, [1])).rows).toEqual([{ n: each + 1 }])
    expect(await read()).toEqual([{ id: 1, name: 'x' }])
    for (let time = 0; time < 3; time++) await read()
    // The column is dropped by plain SQL, without the maintenance interface.
    await base.db.query('alter table growing drop column name')
    expect(await read()).toEqual([{ id: 1 }])
    for (let time = 0; time < 3; time++) await read()
    await base.db.query('alter table growing add column floor int')
    const [together] = await base.db.batch([{ sql: 'select * from growing where id = $1', values: [1] }])
    expect(together?.rows).toEqual([{ id: 1, floor: null }])
  },
)

test('columns are named in each answer, whether or not the server tells them again', async () => {
  const two = { sql: 'select $1::int as n, $2::text as word', values: [1, 'a'] }
  const none = { sql: 'select from generate_series(1, $1)', values: [2] }
  const one = [{ n: 1, word: 'a' }]
  for (let time = 0; time < 4; time++)
    expect((await base.db.batch([two, none, two, two])).map(({ rows }) => rows)).toEqual([
      one,
      [{}, {}],
      one,
      one,
    ])
})

onEmbedded.test('memory that nothing uses is given back between two statements', async () => {
  const { collect } = base.db as PgliteDatabase
  const answers = Promise.all(['before', 'after'].map((word) => base.db.query('select $1 as word', [word])))
  await collect()
  expect((await answers).map(({ rows }) => rows)).toEqual([[{ word: 'before' }], [{ word: 'after' }]])
  expect((await base.db.query('select $1 as word', ['later'])).rows).toEqual([{ word: 'later' }])
})

test.runIf(isDeepRun)('a connection prepares a limited number of statements', async () => {
  const counts = await base.db.transaction(async (query) => {
    for (let time = 0; time < 3; time++)
      for (let each = 0; each < 300; each++) await query(`select $1::int - ${each} as n`, [1])
    return query<{ n: number }>('select count(*) as n from pg_prepared_statements where $1', [true])
  })
  const n = Number(counts.rows[0]?.n)
  expect(n).toBeGreaterThan(100)
  expect(n).toBeLessThanOrEqual(151)
})

test('a statement that always fails leaves nothing prepared', async () => {
  const wrong = 'select $1::int from nowhere_at_all'
  const prepared = await base.db.transaction(async (query) => {
    for (let time = 0; time < 5; time++) {
      await query('savepoint s')
      await expect(query(wrong, [1])).rejects.toMatchObject({ code: '42P01' })
      await query('rollback to savepoint s')
    }
    return query('select from pg_prepared_statements where statement = $1', [wrong])
  })
  expect(prepared.rows).toEqual([])
})

test('role and settings in a transaction end with it', async () => {
  await base.db.transaction((query) => query(`select set_config('portal.probe', 'x', true)`))
  const { rows } = await base.db.query(`select current_setting('portal.probe', true) as probe`)
  expect(rows[0]?.['probe'] ?? '').toBe('')
})

test('simultaneous transactions do not mix', async () => {
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      base.db.transaction(async (query) => {
        await query(`select set_config('portal.probe', $1, true)`, [String(index)])
        return (await query(`select current_setting('portal.probe') as probe`)).rows[0]?.['probe']
      }),
    ),
  )
  expect(results).toEqual(Array.from({ length: 20 }, (_, index) => String(index)))
})

test('a listener gets a notification after the commit, and none after it stopped', async () => {
  const heard: string[] = []
  let wake: () => void = () => undefined
  const next = () => new Promise<void>((resolve) => (wake = resolve))
  const stop = await base.db.listen('portal_test', (payload) => {
    heard.push(payload)
    wake()
  })
  await base.db.transaction((query) => query(`select pg_notify('portal_test', 'lost')`), { rollback: true })
  const first = next()
  await base.db.query(`select pg_notify('portal_test', 'one')`)
  await first
  await stop()
  await base.db.query(`select pg_notify('portal_test', 'two')`)
  await base.db.query('select 1')
  expect(heard).toEqual(['one'])
})

test('channels that are listened to at once give no warning', async () => {
  const warned: string[] = []
  const hear = ({ message }: Error) => warned.push(message)
  process.on('warning', hear)
  const names = ['one', 'two', 'three', 'four', 'five'].map((name) => `portal_test_${name}`)
  const stops = await Promise.all(names.map((name) => base.db.listen(name, () => undefined)))
  await Promise.all(stops.map((stop) => stop()))
  // The process tells a warning one round later.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', hear)
  expect(warned).toEqual([])
})

test('a closed database rejects instead of waiting', async () => {
  const other = await openTestDatabase()
  await other.close()
  await expect(other.db.query('select 1')).rejects.toThrow(Error)
})

onPostgres.test('of two that wait for each other both come to their end', async () => {
  await base.db.query(`insert into notes values (71, ''), (72, '')`)
  let runs = 0
  let held = 0
  const bothHold = createLatch()
  const write = (word: string, [first, second]: [number, number]) =>
    onBehalf(base.db, { role: 'service_role' }, async (query) => {
      const add = (id: number) => query('update notes set body = body || $1 where id = $2', [word, id])
      runs++
      await add(first)
      if (++held === 2) bothHold.open()
      await bothHold.opened
      await add(second)
    })
  await Promise.all([write('a', [71, 72]), write('b', [72, 71])])
  expect(runs).toBeGreaterThan(2)
  const { rows } = await base.db.query<{ body: string }>('select body from notes where id in (71, 72)')
  expect(rows.map(({ body }) => body.split('').toSorted().join(''))).toEqual(['ab', 'ab'])
})

onPostgres.test('one statement comes to its end, too, and several without values', async () => {
  await base.db.query(`insert into notes values (81, ''), (82, '')`)
  await base.db.exec(`create function add_to(word text, first int, second int) returns void language sql
    begin atomic
      update notes set body = body || word where id = first;
      update notes set body = body || word where id = second;
    end`)
  const add = `update notes set body = body || 'c' where id =`
  for (const ask of [
    () => base.db.query(`select add_to('b', 81, 82)`),
    () => base.db.exec(`${add} 81; ${add} 82`),
  ]) {
    let adding: Promise<unknown> | undefined
    // Either of the two may be rolled back.
    await onBehalf(base.db, { role: 'service_role' }, async (query) => {
      await query(`update notes set body = body || 'a' where id = 82`)
      if (!adding) {
        adding = ask()
        adding.catch(() => undefined)
        await untilLockAwaited(base.db)
      }
      await query(`update notes set body = body || 'a' where id = 81`)
    })
    await adding
  }
  const { rows } = await base.db.query<{ body: string }>('select body from notes where id in (81, 82)')
  expect(rows.map(({ body }) => body.split('').toSorted().join(''))).toEqual(['aabc', 'aabc'])
})

onPostgres.test('one account that asks for ten things at once leaves connections to others', async () => {
  const held = createLatch()
  const holding = createLatch()
  const holder = base.db.transaction(async (query) => {
    await query('select pg_advisory_xact_lock(77)')
    holding.open()
    await held.opened
  })
  await holding.opened
  const asker = { account: 'greedy', isOpen: true }
  const heavy = Array.from({ length: 10 }, () =>
    base.db.transaction((query) => query('select pg_advisory_xact_lock(77)'), { asker }),
  )
  const board = await base.db.transaction((query) => query('select 1 as n'), {
    asker: { account: 'patient', isOpen: false },
  })
  expect(board.rows).toEqual([{ n: 1 }])
  expect(base.db.load().waiting).toBe(9)
  held.open()
  await Promise.all([holder, ...heavy])
})

onPostgres.test('what nobody waits for any more is cancelled and gives its place back', async () => {
  const leaving = new AbortController()
  const started = createLatch()
  const asleep = base.db.transaction(
    async (query) => {
      started.open()
      await query('select pg_sleep(600)')
    },
    { asker: { account: 'gone', isOpen: true, signal: leaving.signal } },
  )
  asleep.catch(() => undefined)
  await started.opened
  await eventually(async () => {
    const { rows } = await base.db.query(
      `select from pg_stat_activity where query like '%select pg_sleep(600)'`,
    )
    expect(rows).toHaveLength(1)
  })
  leaving.abort()
  await expect(asleep).rejects.toMatchObject({ code: '57014' })
  expect(base.db.load()).toMatchObject({ busy: 0, waiting: 0 })
})

onPostgres.test('statements sent together are cancelled with nobody waiting, too', async () => {
  const leaving = new AbortController()
  const asleep = base.db.batch([{ sql: 'select 1' }, { sql: 'select pg_sleep(601)' }], {
    asker: { account: 'gone', isOpen: true, signal: leaving.signal },
  })
  asleep.catch(() => undefined)
  await eventually(async () => {
    const { rows } = await base.db.query(`select from pg_stat_activity where query = 'select pg_sleep(601)'`)
    expect(rows).toHaveLength(1)
  })
  leaving.abort()
  await expect(asleep).rejects.toMatchObject({ code: '57014', at: 1 })
  expect(base.db.load()).toMatchObject({ busy: 0, waiting: 0 })
  expect((await base.db.batch([{ sql: 'select 1 as n' }]))[0]?.rows).toEqual([{ n: 1 }])
})

onPostgres.test('a statement ends at its limit', async () => {
  await expect(
    base.db.transaction((query) => query('select pg_sleep(600)'), { limitMs: 50 }),
  ).rejects.toMatchObject({ code: '57014' })
  await expect(
    base.db.batch([{ sql: 'select 1' }, { sql: 'select pg_sleep(600)' }], { limitMs: 50 }),
  ).rejects.toMatchObject({ code: '57014', at: 1 })
  await base.db.batch([{ sql: 'select 1' }], { limitMs: 50 })
  const { rows } = await base.db.query(`select current_setting('statement_timeout') as kept`)
  expect(rows).toEqual([{ kept: '0' }])
})
