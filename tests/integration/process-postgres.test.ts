// The same start over a real Postgres, named by DATABASE_URL alone: no superuser, killed and started again, two at once,
// and the server gone (issue 2, PRODUCT.md 3).
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '#server/db/postgres.ts'
import { findPostgres, startPostgres, type RunningPostgres } from '#tests/support/native-postgres.mjs'
import { ADMIN_PASSWORD, call, signIn, startPortal, type RunningPortal } from '#tests/support/portal.ts'

type Health = { status: string; database: string }

const programs = await findPostgres()

describe.runIf(programs)('the built portal on a Postgres server', () => {
  let dataDir: string
  let postgres: RunningPostgres
  let databaseUrl: string
  const portals: RunningPortal[] = []
  const start = async (folder: string) => {
    const portal = await startPortal(path.join(dataDir, folder), { DATABASE_URL: databaseUrl })
    portals.push(portal)
    return portal
  }
  const signInAdmin = ({ origin }: RunningPortal) => signIn(origin, 'admin@admin.local', ADMIN_PASSWORD)

  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'portal-data-'))
    postgres = await startPostgres(programs ?? '')
    const admin = openPostgres({ url: postgres.url, maxConnections: 1, onError: () => undefined })
    await admin.query(`create role owner login createrole password 'owner'`)
    await admin.query('create database portal owner owner')
    await admin.close()
    const address = new URL(postgres.url)
    Object.assign(address, { username: 'owner', password: 'owner', pathname: '/portal' })
    databaseUrl = address.href
  })
  afterAll(async () => {
    await Promise.all(portals.map((portal) => portal.process.kill('SIGKILL')))
    await postgres?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  test('starts, keeps no database of its own, and what it was told survives kill -9', async () => {
    const first = await start('one')
    const { status } = await call(`${first.origin}/rest/v1/brokers`, {
      token: await signInAdmin(first),
      body: { instanceName: 'corretor_camila' },
    })
    expect(status).toBe(201)
    await first.process.kill('SIGKILL')
    expect(await readdir(path.join(dataDir, 'one'))).not.toContain('database')

    const again = await start('one')
    const { body } = await call(`${again.origin}/rest/v1/brokers?select=instanceName`, {
      token: await signInAdmin(again),
    })
    expect(body).toEqual([{ instanceName: 'corretor_camila' }])
    expect(await again.process.kill('SIGTERM')).toMatchObject({ code: 0 })
  })

  test('two portals may start on one database at once', async () => {
    const both = await Promise.all([start('left'), start('right')])
    for (const { origin } of both)
      expect(await call<Health>(`${origin}/api/health`)).toMatchObject({
        status: 200,
        body: { database: 'ok' },
      })
  })

  test('when the server is gone it says so and goes on answering', async () => {
    const portal = await start('alone')
    await postgres.stop()
    expect(await call<Health>(`${portal.origin}/api/health`)).toMatchObject({
      status: 503,
      body: { status: 'degraded', database: 'down' },
    })
    expect(await portal.process.kill('SIGTERM')).toMatchObject({ code: 0 })
  })
})
