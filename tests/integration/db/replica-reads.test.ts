// Which requests a portal with a read replica asks of it: reports, exports, long lists and reads of the API; never
// boards, sign-in or moves. The replica here is the same database over connections of its own, which counts.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import type { Database } from '#server/db/database.ts'
import { onPostgres, openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { makeAdmin, makeBroker, makeContact, type MadeBroker } from '#tests/support/make.ts'
import { openWhatsapp, type Calls, type TestWhatsapp } from '#tests/support/whatsapp.ts'

onPostgres.describe('a portal with a read replica', () => {
  let base: TestDatabase
  let replica: Database
  let asked = 0
  let portal: TestWhatsapp
  let admin: Calls
  let broker: MadeBroker
  let lead: { id: number; number: string | null }

  beforeAll(async () => {
    base = await openTestDatabase('migrated')
    broker = await makeBroker(base.db)
    lead = await makeContact(base.db, broker.instanceName)
    await makeAdmin(base.db, 'chefe')
    const real = openPostgres({ url: base.url ?? '', maxConnections: 3, onError: () => undefined })
    replica = {
      ...real,
      transaction: (run, options) => (asked++, real.transaction(run, options)),
      batch: (statements, options) => (asked++, real.batch(statements, options)),
    }
    portal = await openWhatsapp(base.db, {
      replica,
      env: { DATABASE_REPLICA_URL: base.url ?? '', DATABASE_URL: base.url ?? '' },
    })
    for (const username of ['chefe', broker.username]) await portal.setPassword(username)
    admin = await portal.enter('chefe@admin.local')
    await eventually(async () => {
      await overview()
      expect(asked).toBeGreaterThan(0)
    })
  })
  beforeEach(() => {
    asked = 0
  })
  afterAll(async () => {
    await portal.close()
    await replica.close()
    await base.close()
  })

  const rpc = (calls: Calls, name: string, body: object) =>
    calls.request(`/rest/v1/rpc/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const overview = () => rpc(admin, 'get_total_contatos_por_corretor', {})

  onPostgres.test('reports and long lists are read there', async () => {
    expect((await overview()).status).toBe(200)
    expect((await admin.request('/rest/v1/brokers?select=id&limit=500', {})).status).toBe(200)
    expect(asked).toBe(2)
  })

  onPostgres.test('an export is read there', async () => {
    const file = await admin.request('/api/exports/leads', { method: 'POST', body: '{}' })
    expect([file.status, (await file.text()).split('\n').length]).toEqual([200, 3])
    expect(asked).toBe(1)
  })

  onPostgres.test('reads of the API are read there', async () => {
    const made = await admin.call('/api/service-tokens', {
      operationId: randomUUID(),
      name: 'Make',
      grants: ['leads:read'],
      expiresAt: new Date(portal.clock.now() + 864e5).toISOString(),
    })
    expect(made.status).toBe(201)
    const headers = { authorization: `Bearer ${String(made.body['token'])}` }
    const leads = await portal.request('/api/v1/leads', { headers })
    expect(await leads.json()).toMatchObject({ data: [{ id: lead.id }] })
    expect(asked).toBe(1)
  })

  onPostgres.test('boards, sign-in, moves and short lists are not', async () => {
    const calls = await portal.enter(`${broker.username}@corretor.local`)
    const moved = await rpc(calls, 'atualizar_status_lead', {
      p_contact_id: lead.id,
      p_number_lead: lead.number,
      p_broker_name: broker.instanceName,
      p_novo_status: 'conversa',
    })
    const board = await rpc(calls, 'sync_board', { p_instance: broker.instanceName })
    const list = await calls.request('/rest/v1/whatsapp_contacts?select=id&limit=1000', {})
    const short = await admin.request('/rest/v1/brokers?select=id&limit=50', {})
    expect([moved, board, list, short].map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(asked).toBe(0)
  })

  onPostgres.test('a session that ended is refused by the primary, which hears of it first', async () => {
    const calls = await portal.enter('chefe@admin.local')
    expect((await rpc(calls, 'get_total_contatos_por_corretor', {})).status).toBe(200)
    await base.db.query(`delete from portal.sessions where id <> $1`, [randomUUID()])
    asked = 0
    expect((await rpc(calls, 'get_total_contatos_por_corretor', {})).status).toBe(401)
    expect(asked).toBe(0)
    admin = await portal.enter('chefe@admin.local')
  })

  onPostgres.test('what the replica cannot answer yet comes from the primary', async () => {
    const { batch } = replica
    // Simulates a replica that does not know the session yet.
    replica.batch = (statements, options) => batch([{ sql: 'select 1 / 0' }, ...statements.slice(1)], options)
    expect((await overview()).status).toBe(200)
    expect(asked).toBe(1)
    replica.batch = batch
  })
})
