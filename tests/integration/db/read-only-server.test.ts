// A Postgres that takes no writes for a while, like an old leader or one with a full disk: 503 with Retry-After, never
// 405.
import { afterAll, beforeAll, expect } from 'vitest'
import { openPostgres } from '#server/db/postgres/postgres.ts'
import type { Database } from '#server/db/database.ts'
import { inTurn } from '#tests/support/balancer.ts'
import { onPostgres, openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { makeAdmin, makeBroker, makeContact } from '#tests/support/make.ts'
import { upsert } from '#tests/support/deliveries.ts'
import { openWhatsapp, PASSWORD, type Calls, type TestWhatsapp } from '#tests/support/whatsapp.ts'
import { mintWebhookSecret } from '#server/whatsapp/webhook/secret.ts'

onPostgres.describe('a server that is read-only', () => {
  let base: TestDatabase
  let db: Database
  let portal: TestWhatsapp
  let calls: Calls
  let move: () => Promise<Response>
  let webhook: string
  let username: string

  beforeAll(async () => {
    base = await openTestDatabase('migrated')
    const broker = await makeBroker(base.db)
    username = broker.username
    const { id, number } = await makeContact(base.db, broker.instanceName)
    await makeAdmin(base.db, 'chefe')
    webhook = `/webhook/${broker.instanceName}/${await mintWebhookSecret(base.db.query, broker.instanceName)}`
    db = openPostgres({ url: base.url ?? '', maxConnections: 5, onError: () => undefined })
    portal = await openWhatsapp(db, { isStill: true })
    await portal.setPassword(username)
    calls = await portal.enter(`${username}@corretor.local`)
    const stages = inTurn(['conversa', 'new'])
    move = () =>
      calls.request('/rest/v1/rpc/atualizar_status_lead', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          p_contact_id: id,
          p_number_lead: number,
          p_broker_name: broker.instanceName,
          p_novo_status: stages(),
        }),
      })
  })
  afterAll(async () => {
    await portal.close()
    await db.close()
    await base.close()
  })

  const signIn = () =>
    portal.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${username}@corretor.local`, password: PASSWORD }),
    })
  const deliver = () =>
    portal.request(webhook, { method: 'POST', body: JSON.stringify(upsert({ id: 'X1' })) })

  /** Postgres applies it to connections that begin later. */
  async function setReadOnly(value: 'on' | 'off') {
    const { rows } = await base.db.query<{ name: string }>('select current_database() as name')
    await base.db.exec(`alter database ${rows[0]?.name} set default_transaction_read_only = ${value}`)
  }
  const cutPortal = () =>
    base.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and application_name = 'portal-do-corretor'`,
    )

  onPostgres.test(
    'moves, sign-in and deliveries get 503; reading goes on; writing works again without a restart',
    async () => {
      expect((await move()).status).toBe(200)
      await setReadOnly('on')
      await cutPortal()
      await eventually(async () =>
        expect((await calls.request('/rest/v1/brokers?select=id', {})).status).toBe(200),
      )

      for (const ask of [move, signIn, deliver]) {
        const answer = await ask()
        expect([answer.status, Number(answer.headers.get('retry-after'))]).toEqual([503, expect.any(Number)])
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect((await calls.request('/rest/v1/whatsapp_contacts?select=id', {})).status).toBe(200)
      const health = await portal.request('/api/health')
      expect([health.status, await health.json()]).toMatchObject([
        503,
        { status: 'degraded', database: 'ok', faults: ['read-only'] },
      ])
      const told = await (await signIn()).json()
      expect(told).toMatchObject({ msg: 'O banco de dados não respondeu. Tente de novo em instantes.' })

      await setReadOnly('off')
      await eventually(async () => expect((await move()).status).toBe(200))
      await eventually(async () => expect((await signIn()).status).toBe(200))
    },
  )

  onPostgres.test(
    'a read-only transaction that writes fails with 25006 and keeps its connection',
    async () => {
      const insert = `insert into portal.settings (key, value) values ('x', '1')`
      const backend = 'select pg_backend_pid() as pid'
      const one = openPostgres({ url: base.url ?? '', maxConnections: 1, onError: () => undefined })
      const { rows: before } = await one.query(backend)
      await expect(
        one.transaction(async (query) => {
          await query('set transaction read only')
          await query(insert)
        }),
      ).rejects.toMatchObject({ code: '25006' })
      expect((await one.query(backend)).rows).toEqual(before)
      await one.close()
    },
  )
})
