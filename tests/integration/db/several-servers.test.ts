// Several servers in one address: the portal finds the one that takes writes, keeps it, and leaves it when it becomes a
// standby.
import { afterAll, beforeAll, expect } from 'vitest'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import type { Database } from '#server/db/database.ts'
import { hearNews, onPostgres } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePort } from '#tests/support/free-port.mjs'
import { openSilentWay } from '#tests/support/silent-way.ts'
import { findPostgres, startPostgres, type RunningPostgres } from '#tests/support/runner/native-postgres.mjs'

const LIMITS = { connectMs: 3_000, answerMs: 2_000, beatMs: 200, deafMs: 500 }

onPostgres.describe('a list of servers', () => {
  let servers: RunningPostgres[]
  let portOf: (at: number) => string
  let closedPort: number

  beforeAll(async () => {
    const folder = (await findPostgres()) ?? ''
    servers = await Promise.all([startPostgres(folder), startPostgres(folder)])
    for (const server of servers)
      await as(server, async (db) => {
        await db.exec(`create role portal login password 'a,b'`)
        await db.query('create database portal owner portal')
      })
    portOf = (at) => new URL(servers[at]?.url ?? '').port
    closedPort = await freePort()
    for (const at of [0, 1]) await asPortal(portOf(at), (db) => db.exec('create table notes (id int)'))
  })
  afterAll(() => Promise.all(servers.map((server) => server.stop())))

  const open = (hosts: string, asked = '', limits = {}) =>
    openPostgres({
      url: `postgres://portal:a%2Cb@${hosts}/portal${asked}`,
      maxConnections: 3,
      onError: () => undefined,
      limits: { ...LIMITS, ...limits },
    })
  async function asPortal(port: string, run: (db: Database) => Promise<unknown>) {
    const db = open(`127.0.0.1:${port}`)
    await run(db).finally(() => void db.close())
  }
  async function as({ url }: RunningPostgres, run: (db: Database) => Promise<unknown>) {
    const db = openPostgres({ url, maxConnections: 1, onError: () => undefined })
    await run(db).finally(() => void db.close())
  }
  async function takesWrites(at: number, does: boolean) {
    await as(servers[at]!, async (db) => {
      await db.query(`alter system set default_transaction_read_only = ${does ? 'off' : 'on'}`)
      await db.query('select pg_reload_conf()')
    })
    await eventually(() =>
      asPortal(portOf(at), async (db) => {
        const { rows } = await db.query<{ is: boolean }>(
          `select current_setting('transaction_read_only')::boolean as "is"`,
        )
        expect(rows[0]?.is).toBe(!does)
      }),
    )
  }
  const portIn = async (db: Database) =>
    String((await db.query<{ port: number }>('select inet_server_port() as port')).rows[0]?.port)
  const all = () => `127.0.0.1:${closedPort},127.0.0.1:${portOf(0)},127.0.0.1:${portOf(1)}`

  onPostgres.test(
    'the writer is found behind a closed port and a reader, and kept until a switch-over',
    async () => {
      await takesWrites(0, false)
      const db = open(all())
      const news = await hearNews(db)
      expect(await Promise.all([1, 2, 3].map(() => portIn(db)))).toEqual(Array(3).fill(portOf(1)))
      await db.query('insert into notes values (1)')

      await takesWrites(0, true)
      await takesWrites(1, false)
      const answers: unknown[] = []
      await eventually(async () => {
        await db.query('insert into notes values (2)').catch((error: unknown) => {
          answers.push(error)
          throw error
        })
      })
      // One statement failed; the other connections to the old writer were not used again.
      expect(answers).toEqual([expect.objectContaining({ code: '25006' })])
      expect(await Promise.all([1, 2, 3].map(() => portIn(db)))).toEqual(Array(3).fill(portOf(0)))
      await eventually(async () => {
        await db.query(`select pg_notify('news', 'there')`)
        expect(news.heard).toContain('there')
      })
      await eventually(() => expect(news.gaps).toBe(1))
      await db.close()
    },
  )

  onPostgres.test(
    'without a writer statements fail with 25006, unless the address asks for any server',
    async () => {
      await takesWrites(0, false)
      await takesWrites(1, false)
      const strict = open(all(), '?target_session_attrs=read-write')
      await expect(strict.query('select 1')).rejects.toMatchObject({ code: '25006' })
      await strict.close()
      for (const asked of ['any', 'primary']) {
        const lax = open(all(), `?target_session_attrs=${asked}`)
        expect(await portIn(lax)).toBe(portOf(0))
        await lax.close()
      }
      await takesWrites(1, true)
      const one = open(`127.0.0.1:${portOf(1)}`, '?target_session_attrs=read-write')
      await one.query('insert into notes values (3)')
      await one.close()
    },
  )

  onPostgres.test(
    'a leader without power does not hold up the listener: the next server is asked soon',
    async () => {
      await takesWrites(0, true)
      await takesWrites(1, true)
      const way = await openSilentWay(`postgres://127.0.0.1:${portOf(0)}`)
      const db = open(`127.0.0.1:${new URL(way.url).port},127.0.0.1:${portOf(1)}`, '', { connectMs: 60_000 })
      let gaps = 0
      await db.listen(
        'news',
        () => undefined,
        () => gaps++,
      )
      way.silence()
      way.deafen(true)
      await eventually(() => expect(gaps).toBe(1))
      // The pool goes there, too, without waiting for the first server.
      expect(await portIn(db)).toBe(portOf(1))
      await db.close()
      await way.close()
    },
  )

  onPostgres.test('a server that stops is left for the next one', async () => {
    await takesWrites(0, true)
    await takesWrites(1, true)
    const db = open(`127.0.0.1:${portOf(0)},127.0.0.1:${portOf(1)}`)
    const news = await hearNews(db)
    expect(await portIn(db)).toBe(portOf(0))
    await servers[0]!.restart(async () => {
      expect(await eventually(() => portIn(db))).toBe(portOf(1))
      await eventually(async () => {
        await db.query(`select pg_notify('news', 'there')`)
        expect(news.heard).toContain('there')
      })
    })
    expect(await portIn(db)).toBe(portOf(1))
    await eventually(() => expect(news.gaps).toBe(1))
    await db.close()
  })
})
