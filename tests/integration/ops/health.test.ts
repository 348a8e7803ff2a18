// /api/health: four public fields, details for administrators only; /metrics with its token.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createMeters } from '#server/http/metrics/meters.ts'
import { createMetrics } from '#server/http/metrics/metrics.ts'
import type { Portal } from '#server/portal.ts'
import { makeCampaign, makeContact, makeMessage, makeRecipient } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const TOKEN = 'a-token-of-a-prometheus-server'

const { db, portal, ana, close } = await openOffice({ env: { METRICS_TOKEN: TOKEN } })
afterAll(close)

const PUBLIC = { status: 'ok', database: 'ok', gateway: expect.any(String), version: '0.0.0' }

test.each([
  ['nobody', undefined],
  ['a token that is none', 'Bearer abc'],
  ['a session that never was', `Bearer ${randomUUID()}.${randomUUID()}.x`],
])('%s sees whether it is well, and nothing else', async (_, authorization) => {
  const answer = await portal.request('/api/health', authorization ? { headers: { authorization } } : {})
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual(PUBLIC)
})

test('a broker sees no more', async () => {
  const { call } = await portal.enter(`${ana.username}@corretor.local`)
  expect((await call('/api/health')).body).toEqual(PUBLIC)
})

test('an administrator sees queues, campaigns, versions and the delay of events', async () => {
  const { call } = await portal.enter('chefe@admin.local')
  const campaign = await makeCampaign(db, ana.id, { status: 'scheduled', total_contacts: 1 })
  const contact = await makeContact(db, ana.instanceName)
  await makeRecipient(db, campaign.id, contact)
  const { body } = await portal.through(call('/api/health'))
  expect(body).toEqual({
    ...PUBLIC,
    gateways: [{ title: 'Evolution API', health: expect.any(String) }],
    webhook: { waiting: 0, setAside: 0, oldestSeconds: null, unknownKinds: [] },
    webhooks: { waiting: 0, stopped: 0 },
    links: { open: 0, dead: 0 },
    sending: { queued: 0, oldestSeconds: null, instances: [] },
    campaigns: { running: 0, paused: 0, scheduled: 1, waiting: 1 },
    intake: { waiting: 0, unread: 0 },
    model: null,
    push: { waiting: 0, oldestSeconds: null, devices: 0 },
    backup: null,
    workers: expect.any(Array),
    damagedTables: [],
    keeps: { backups: 7, rawDays: 30, auditDays: 1825 },
    versions: {
      node: process.versions.node,
      database: expect.stringMatching(/PostgreSQL \d+/),
      schema: expect.stringMatching(/^\d{14}$/),
      gateway: expect.stringMatching(/^\d+\.\d+/),
    },
    upSeconds: expect.any(Number),
  })
})

test('an administrator without the second factor sees only the public fields', async () => {
  const { call } = await portal.enter('chefe@admin.local')
  await db.query(
    `insert into portal.factors (account_id, friendly_name, secret, verified_at, created_at)
    select id, 'Celular', '\\x00', now(), now() from portal.accounts where username = 'chefe'`,
  )
  expect((await call('/api/health')).body).toEqual(PUBLIC)
})

type Scraped = ReadonlyMap<string, number>

/** Reads every portal separately, like Prometheus. */
const scrapeAll = () => Promise.all(portal.portals.map(scrape))
/** The sum of a value that each portal counts itself. */
const total = (all: readonly Scraped[], name: string) =>
  all.reduce((sum, each) => sum + (each.get(name) ?? 0), 0)

/** The values by name and labels; throws for a value that Prometheus would refuse. */
async function scrape({ fetch }: Portal): Promise<Scraped> {
  const answer = await fetch(
    new Request('http://portal.test/metrics', { headers: { authorization: `Bearer ${TOKEN}` } }),
    {},
  )
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  const lines = (await answer.text()).split('\n').filter((text) => text !== '' && !text.startsWith('#'))
  return new Map(
    lines.map((text) => {
      const [, name = '', value = ''] = /^([a-z0-9_]+(?:\{.*\})?) (\S+)$/.exec(text) ?? []
      expect(value, text).toMatch(/^(-?\d[\d.e+-]*|\+Inf|Nan)$/)
      return [name, Number(value)]
    }),
  )
}

test.each([
  ['no token', {}],
  ['another token', { authorization: `Bearer ${TOKEN}x` }],
  ['another scheme', { authorization: `Basic ${TOKEN}` }],
])('metrics are closed to %s', async (_, headers) => {
  const answer = await portal.request('/metrics', { headers })
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  expect(await answer.text()).not.toContain('portal_')
})

test("metrics have requests by pattern, gateway events, queues, links and the process; no person's name", async () => {
  const before = await scrapeAll()
  const contact = await makeContact(db, ana.instanceName)
  await db.query(
    `insert into portal.instance_states ("instanceName", state) values ($1, 'open')
    on conflict ("instanceName") do update set state = 'open'`,
    [ana.instanceName],
  )
  const queued = await makeMessage(db, contact.id, { type: 'outgoing', delivery: 'queued' })
  await db.query(
    `insert into portal.outgoing (message_id, queued_at) values ($1, now() - interval '1 hour')`,
    [queued.id],
  )
  const listening = await portal.enter(`${ana.username}@corretor.local`)
  const events = await listening.events()
  await portal.request('/api/messages/99?number=5511987654321')
  await portal.request('/webhook/corretor_zeca/segredo', { method: 'POST', body: '{}' })
  const now = await scrapeAll()
  await events.close()

  const answered = 'portal_http_request_seconds_count'
  expect(
    total(now, `${answered}{method="POST",route="/webhook/:instance/:secret/:event?",status="401"}`),
  ).toBe(1)
  expect(total(now, 'portal_live_listeners')).toBe(1)
  for (const [index, each] of now.entries()) {
    expect(each.get('portal_send_queue_lines{state="waiting"}')).toBe(
      (before[index]?.get('portal_send_queue_lines{state="waiting"}') ?? NaN) + 1,
    )
    expect(each.get('portal_send_queue_oldest_seconds')).toBeGreaterThanOrEqual(3_600)
    expect(each.get('portal_instances{state="open"}')).toBe(1)
    expect(each.get('portal_database_up')).toBe(1)
    expect(each.get('portal_webhook_waiting')).toBe(0)
    expect(each.get('portal_database_seconds_count{kind="query"}')).toBeGreaterThan(0)
    expect(each.get('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0)
    expect(each.get('process_resident_memory_bytes')).toBeGreaterThan(0)
  }
  const names = now.flatMap((each) => [...each.keys()]).join('\n')
  expect(names).toContain('portal_build_info{version="0.0.0"')
  expect(names).not.toMatch(/corretor_zeca|segredo|5511987654321/)
  expect(names).not.toContain(ana.username)
})

test("with the database down metrics contain the process's own values, and nothing old", async () => {
  const away = { ...db, query: () => Promise.reject(new Error('away')) }
  const routes = createMetrics(
    { ...portal.parts, db: away },
    { version: '0.0.0', counted: createMeters({ isRead: false }).registry, listeners: () => 3 },
  )
  const answer = await routes.request('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } })
  const text = await answer.text()
  expect(text).toMatch(/^portal_database_up 0$/m)
  expect(text).toMatch(/^portal_live_listeners 3$/m)
  expect(text).not.toContain('portal_send_queue')
})
