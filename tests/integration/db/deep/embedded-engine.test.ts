// The embedded engine hangs, breaks or has no space: it is ended and reopened, and nothing acknowledged is lost.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs'
import { mkdtemp, open as openFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { SqlError } from '#server/db/database.ts'
import { ENGINE_MAJOR } from '#server/db/pglite/damage.ts'
import { openPglite, type PgliteDatabase } from '#server/db/pglite/pglite.ts'
import { createLog } from '#server/log.ts'
import { createTableReader, findDamage } from '#server/ops/health/tables.ts'
import { databaseClock, type ManualClock } from '#tests/support/clock.ts'
import { eventually } from '#tests/support/eventually.ts'
import { createLatch } from '#tests/support/latch.ts'

const LIMITS = { statementMs: 60_000, maintenanceMs: 600_000 }
/** Minutes of work, which only the end of the thread stops. */
const ENDLESS = `select count(*) from notes where body ~ '^(.+)(.+)\\2\\1$'`

let folder: string
let db: PgliteDatabase
let clock: ManualClock
let logged: string[]

const open = async () =>
  (db = await openPglite({
    dataDir: path.join(folder, 'database'),
    ...(existsSync(path.join(folder, 'database')) ? {} : { template: inject('emptyTemplate') }),
    limits: LIMITS,
    log: createLog('info', (line) => logged.push(line)),
    clock,
  }))

beforeEach(async () => {
  clock = databaseClock()
  logged = []
  folder = await mkdtemp(path.join(tmpdir(), 'portal-engine-'))
})
afterEach(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

const makeNotes = () =>
  db.exec(`create table notes (id integer primary key, body text);
    insert into notes values (1, repeat('ab', 4950))`)

/** The rejection's error. */
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

/** Waits until the statement is running, then lets only it reach its limit. */
async function reachLimit(ms: number, asked = Promise.resolve()) {
  await asked
  await eventually(() => expect(clock.nextDueInMs()).toBe(ms))
  clock.advance(ms)
}

const count = async () => (await db.query<{ n: number }>('select count(*) as n from notes')).rows[0]?.n

describe('the embedded engine', () => {
  test('an endless statement fails alone: acknowledged writes stay and all others continue', async () => {
    await open()
    await makeNotes()
    const heard: string[] = []
    const gap = createLatch()
    await db.listen('news', (payload) => heard.push(payload), gap.open)
    await db.transaction((query) => query(`insert into notes values (2, 'kept')`), {
      asker: { account: 'b', isOpen: false },
    })

    const begun = createLatch()
    const endless = faultOf(
      db.transaction(
        (query) => {
          begun.open()
          return query(ENDLESS)
        },
        { limitMs: 15_000, asker: { account: 'a', isOpen: true } },
      ),
    )
    const others = [count(), db.query(`insert into notes values (3, 'next')`)]
    await reachLimit(15_000, begun.opened)
    expect(await endless).toMatchObject({
      code: '57P02',
      message: expect.stringContaining('15000 ms') as string,
    })
    expect((await Promise.all(others))[0]).toBe(2)
    await gap.opened
    await db.query(`select pg_notify('news', 'after')`)
    await eventually(() => expect(heard).toEqual(['after']))
    expect(await count()).toBe(3)
    expect(logged.join()).toMatch(/database\.ended.*database\.reopened/s)
  })

  test('a transaction whose engine was ended does not continue in the next one', async () => {
    await open()
    await makeNotes()
    const later: unknown[] = []
    const begun = createLatch()
    const hung = faultOf(
      db.transaction(async (query) => {
        await query(`insert into notes values (2, 'lost')`)
        begun.open()
        later.push(await faultOf(query(ENDLESS)))
        later.push(await faultOf(query(`insert into notes values (3, 'astray')`)))
        throw new Error('given up')
      }),
    )
    await reachLimit(LIMITS.statementMs, begun.opened)
    expect(await hung).toMatchObject({ message: 'given up' })
    expect(later).toMatchObject([{ code: '57P02' }, { code: '57P02' }])
    expect(await count()).toBe(1)
  })

  test('closing takes limited time in any state, and loses nothing', async () => {
    await open()
    await makeNotes()
    const hung = faultOf(db.query(ENDLESS))
    await eventually(() => expect(clock.nextDueInMs()).toBe(LIMITS.statementMs))
    const waiting = faultOf(db.query(`insert into notes values (9, 'refused')`))
    const closed = db.close()
    await reachLimit(10_000)
    await closed
    expect([await hung, await waiting]).toMatchObject([{ code: '57P02' }, { code: '57P03' }])
    await open()
    expect(await count()).toBe(1)
  })

  test('the engine has the major version that folders are checked for', async () => {
    await open()
    const { rows } = await db.query<{ major: number }>(
      `select current_setting('server_version_num')::integer / 10000 as major`,
    )
    expect(rows).toEqual([{ major: ENGINE_MAJOR }])
  })

  test('a damaged page of a table is found while the portal runs, and by the command for backups', async () => {
    await open()
    await makeNotes()
    const { rows } = await db.query<{ file: string }>(`select pg_relation_filepath('notes') as file`)
    await db.close()
    const page = await openFile(path.join(folder, 'database', rows[0]?.file ?? ''), 'r+')
    await page.write(Buffer.alloc(8_192, 0xa7), 0, 8_192, 0)
    await page.close()
    await open()
    const reader = createTableReader(db, () => undefined)
    await reader.readOn()
    expect([reader.damaged(), await findDamage(db)]).toEqual([['notes'], ['notes']])
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test.runIf(mayMount())(
    'a full disk is temporary: 53100 without space, and normal work once there is space',
    async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=90m', 'none', folder])
      try {
        await open()
        await makeNotes()
        // Uncompressed, otherwise it would take almost no space.
        await db.exec('alter table notes alter body set storage external')
        await fill(path.join(folder, 'more'))
        const codes = new Set<unknown>()
        for (let id = 100; id < 140; id++) {
          const error = await faultOf(
            db.query(
              `insert into notes select $1::int * 1000 + n, repeat(md5(n::text), 200) from generate_series(1, 200) n`,
              [String(id)],
            ),
          )
          codes.add(error === null ? null : error instanceof SqlError && error.code.slice(0, 2))
          clock.advance(1_000)
        }
        expect([...codes].filter((code) => code !== null && code !== '53' && code !== '57')).toEqual([])
        expect([...codes].filter((code) => code !== null)).not.toEqual([])
        await rm(path.join(folder, 'more'))
        await eventually(async () => {
          clock.advance(1_000)
          expect(await count()).toBeGreaterThanOrEqual(1)
        })
        await db.query(`insert into notes values (5, 'room again')`)
        expect((await db.query('select body from notes where id in (1, 5)')).rows).toHaveLength(2)
        await db.close()
      } finally {
        execFileSync('umount', ['-l', folder])
      }
    },
  )
})

/** Fills the free space. */
async function fill(file: string) {
  for (let megabytes = 128; megabytes > 0; megabytes = Math.floor(megabytes / 2))
    await writeFile(file, Buffer.alloc(megabytes * 1_000_000), { flag: 'a' }).catch(() => undefined)
}

function mayMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(path.join(tmpdir(), 'portal-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'none', folder], { stdio: 'ignore' })
    execFileSync('umount', ['-l', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmdirSync(folder)
  }
}
