// /api/health: four fields for anyone, the insides for an administrator alone (PRODUCT.md 3).
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { openLine, type TestLine } from '#tests/support/line.ts'
import {
  makeAdmin,
  makeBroker,
  makeCampaign,
  makeContact,
  makeRecipient,
  type MadeBroker,
} from '#tests/support/make.ts'

let base: TestDatabase
let line: TestLine
let ana: MadeBroker
beforeAll(async () => {
  base = await openTestDatabase('migrated')
  ana = await makeBroker(base.db)
  await makeAdmin(base.db, 'chefe')
  line = await openLine(base.db)
  for (const username of [ana.username, 'chefe']) await line.setPassword(username)
})
afterAll(async () => {
  await line.close()
  await base.close()
})

const PUBLIC = { status: 'ok', database: 'ok', gateway: expect.any(String), version: '0.0.0' }

test.each([
  ['nobody', undefined],
  ['a token that is none', 'Bearer abc'],
  ['a session that never was', `Bearer ${randomUUID()}.${randomUUID()}.x`],
])('%s sees whether it is well, and nothing else', async (_, authorization) => {
  const answer = await line.request('/api/health', authorization ? { headers: { authorization } } : {})
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual(PUBLIC)
})

test('a broker sees no more', async () => {
  const { call } = await line.enter(`${ana.username}@corretor.local`)
  expect((await call('/api/health')).body).toEqual(PUBLIC)
})

test('an administrator sees queues, campaigns, versions and how late events are', async () => {
  const { call } = await line.enter('chefe@admin.local')
  const campaign = await makeCampaign(base.db, ana.id, { status: 'scheduled', total_contacts: 1 })
  const contact = await makeContact(base.db, ana.instanceName)
  await makeRecipient(base.db, campaign.id, contact)
  const { body } = await line.through(call('/api/health'))
  expect(body).toEqual({
    ...PUBLIC,
    webhook: { waiting: 0, setAside: 0, oldestSeconds: null },
    links: { open: 0, dead: 0 },
    sending: { queued: 0, oldestSeconds: null, instances: [] },
    campaigns: { running: 0, paused: 0, scheduled: 1, waiting: 1 },
    push: { waiting: 0, oldestSeconds: null, devices: 0 },
    versions: {
      node: process.versions.node,
      database: expect.stringMatching(/PostgreSQL \d+/),
      schema: expect.stringMatching(/^\d{14}$/),
      gateway: expect.stringMatching(/^\d+\.\d+/),
    },
    upSeconds: expect.any(Number),
  })
})

test('an administrator who still owes the second step sees what anyone does', async () => {
  const { call } = await line.enter('chefe@admin.local')
  await base.db.query(
    `insert into portal.factors (account_id, friendly_name, secret, verified_at, created_at)
    select id, 'Celular', '\\x00', now(), now() from portal.accounts where username = 'chefe'`,
  )
  expect((await call('/api/health')).body).toEqual(PUBLIC)
})
