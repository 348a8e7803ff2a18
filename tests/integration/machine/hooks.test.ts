// Addresses that receive events: only public ones, off until their first test, their secrets and past events.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { EventType } from '#domain/machine.ts'
import { createPost } from '#server/events/post.ts'
import { databaseClock } from '#tests/support/clock.ts'
import { makeContact } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const MINUTE = 60_000
const PRIVATE_HOST = '127.0.0.1'
const office = await openOffice({ isStill: true, env: { WEBHOOK_PRIVATE_HOSTS: PRIVATE_HOST } })
const { db, ana, asAdmin } = office
const servers: Server[] = []
afterAll(office.close)
let auditedBefore = 0
beforeEach(async () => {
  await db.exec('delete from portal.hooks')
  const { rows } = await db.query<{ id: number }>('select coalesce(max(id), 0) as id from portal.audit_log')
  auditedBefore = rows[0]!.id
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A server on this machine; returns its address. */
async function listen(answer: RequestListener): Promise<{ url: string; port: number; server: Server }> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/portal`, port, server }
}

/** A receiver that answers every request so; null: never. */
async function receiver(status: number | null, headers: Record<string, string> = {}) {
  const seen: { headers: Record<string, string>; body: string }[] = []
  const listening = await listen((request, response) => {
    // No request arrives twice.
    const one = { headers: request.headers as Record<string, string>, body: '' }
    seen.push(one)
    request.on('data', (part: Buffer) => (one.body += part.toString()))
    request.on('end', () => status !== null && response.writeHead(status, headers).end('x'))
  })
  return { seen, ...listening }
}

async function makeHook(events: EventType[]): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into portal.hooks (name, url, events, secret, secret_tail)
     values ('ERP', 'https://erp.example.com/portal', $1, 'x', 'abcd') returning id`,
    [events],
  )
  return rows[0]!.id
}
const queued = async () => (await db.query('select from portal.event_out')).rows
const hookState = async (id: string) =>
  (await db.query('select state, reason from portal.hooks where id = $1', [id])).rows[0]
/** The actions of this test's administrator in the audit log. */
const audited = async () =>
  (
    await db.query<{ action: string; actor: string | null }>(
      `select action, actor from portal.audit_log where id > $1 and action like 'webhook.%' order by id`,
      [auditedBefore],
    )
  ).rows.map(({ action, actor }) => [action, actor])

const posting = (clock = databaseClock()) => ({ clock, privateHosts: [PRIVATE_HOST], version: '1.2.3' })
const add = async (url: string, events: EventType[]) => {
  const added = await asAdmin.call('/api/webhooks', { name: 'ERP', url, events })
  expect(added.status).toBe(201)
  return added.body as { id: string; secret: string }
}
const sendTest = (id: string) => asAdmin.call(`/api/webhooks/${id}/test`, {})

test('a request says who sends it', async () => {
  const { url, seen } = await receiver(200)
  await createPost(posting())(url, {}, '{}')
  expect(seen[0]?.headers['user-agent']).toBe('PortalDoCorretor-Webhooks/1.2.3')
})

test.each([
  'http://erp.example.com/', 'https://10.0.0.7/', 'https://[::1]/', 'https://localhost/', 'https://169.254.169.254/',
  'https://a:b@erp.example.com/', 'ftp://erp.example.com/', 'x',
])('%s is refused', async (url) => {
  const { body, status } = await asAdmin.call('/api/webhooks', { name: 'ERP', url, events: ['lead.won'] })
  expect([status, body]).toMatchObject([422, { error: { code: 'webhook.address' } }])
}) // prettier-ignore

test('a public name with an internal address is refused at connecting', async () => {
  const { seen, port } = await receiver(200)
  const lookup = ((_: string, __: unknown, callback: (...all: unknown[]) => void) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }])) as never
  const post = createPost({ ...posting(), privateHosts: [], lookup })
  expect(await post(`https://erp.example.com:${port}/`, {}, '{}')).toMatchObject({ fault: 'address' })
  expect(seen).toEqual([])
})

test('a redirect is not followed', async () => {
  const { url: inner, seen } = await receiver(200)
  const { url } = await receiver(302, { location: inner })
  expect(await createPost(posting())(url, {}, '{}')).toMatchObject({
    status: 302,
    fault: 'redirect',
  })
  expect(seen).toEqual([])
})

test('a receiver that never answers is given up after ten seconds', async () => {
  const { url, server } = await receiver(null)
  const clock = databaseClock()
  const asked = new Promise((resolve) => server.once('request', resolve))
  const answer = createPost(posting(clock))(url, {}, '{}')
  await asked
  clock.advance(10_000)
  expect(await answer).toMatchObject({ status: null, fault: 'late' })
})

test('an address is added, tested, replayed, skipped, given a new secret and deleted', async () => {
  const { url, seen } = await receiver(204)
  const { id, secret } = await add(url, ['lead.created'])
  expect(secret).toMatch(/^whsec_/)
  expect(seen).toEqual([])
  const { rows } = await db.query<{ secret: string }>('select secret from portal.hooks')
  expect(rows[0]?.secret).not.toContain(secret.slice(6, 20))
  expect((await sendTest(id)).body).toMatchObject({ status: 204, fault: null })
  expect(seen).toHaveLength(1)

  const lead = await makeContact(db, ana.instanceName, { name: null })
  const [event] = (await asAdmin.call(`/api/webhooks/${id}/events`)).body as unknown as { id: number }[]
  expect(event).toMatchObject({
    leadId: lead.id,
    leadName: null,
    leadNumber: lead.number,
    leadEmail: null,
  })
  const skip = () => asAdmin.call(`/api/webhooks/${id}/events/${event?.id}/skip`, {})
  expect([(await skip()).status, (await skip()).status]).toEqual([200, 409])
  const span = {
    from: new Date(Date.now() - MINUTE).toISOString(),
    to: new Date(Date.now() + MINUTE).toISOString(),
  }
  const replay = (what: object) => asAdmin.call(`/api/webhooks/${id}/replay`, what)
  for (const what of [span, { eventId: event?.id }]) expect((await replay(what)).body).toEqual({ count: 1 })
  for (const wrong of [{ ...span, from: '2026-02-30T00:00:00Z' }, { eventId: 1e300 }])
    expect((await replay(wrong)).status).toBe(422)
  const turned = await asAdmin.call(`/api/webhooks/${id}/secret`, {})
  expect(turned.body['secret']).not.toBe(secret)
  const [hook] = (await asAdmin.call('/api/webhooks')).body as unknown as Record<string, unknown>[]
  expect(hook).toMatchObject({
    state: 'active',
    waiting: 1,
    secretTail: String(turned.body['secret']).slice(-4),
  })
  const removed = await asAdmin.request(`/api/webhooks/${id}`, { method: 'DELETE' })
  expect([removed.status, await queued()]).toEqual([200, []])
  expect(await audited()).toEqual(
    ['added', 'tested', 'skipped', 'replayed', 'replayed', 'secret-changed', 'removed'].map((deed) => [
      `webhook.${deed}`,
      'chefe',
    ]),
  )
})

test('a test is signed like events: by both secrets while the old one is valid', async () => {
  const { url, seen } = await receiver(204)
  const { id, secret } = await add(url, ['lead.created'])
  const turned = String((await asAdmin.call(`/api/webhooks/${id}/secret`, {})).body['secret'])
  /** The secrets with which the newest test is signed. */
  const signedBy = async () => {
    await sendTest(id)
    const { headers, body } = seen.at(-1)!
    return [secret, turned].map((known) => {
      try {
        return new Webhook(known).verify(body, headers) !== undefined
      } catch {
        return false
      }
    })
  }
  expect(await signedBy()).toEqual([true, true])
  await db.query("update portal.hooks set old_secret_until = '2020-01-01' where id = $1", [id])
  expect(await signedBy()).toEqual([false, true])
})

test('an address is off until it answers its first test, signed with the secret that was shown', async () => {
  const shown = { secret: '' }
  const { url } = await listen((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      try {
        // Refuses every request until it was given the secret.
        new Webhook(shown.secret).verify(body, request.headers as Record<string, string>)
        response.writeHead(200).end()
      } catch {
        response.writeHead(401).end()
      }
    })
  })
  const { id, secret } = await add(url, ['lead.created'])
  expect((await sendTest(id)).body).toMatchObject({ status: 401, fault: 'status' })
  const turnOn = await asAdmin.call(`/api/webhooks/${id}/state`, { state: 'active' })
  expect([turnOn.status, turnOn.body]).toMatchObject([409, { error: { code: 'webhook.untested' } }])
  expect(await hookState(id)).toMatchObject({ state: 'off', reason: 'untested' })
  await makeContact(db, ana.instanceName)
  expect(await queued()).toEqual([])
  shown.secret = secret
  expect((await sendTest(id)).body).toMatchObject({ status: 200, fault: null })
  expect(await hookState(id)).toMatchObject({ state: 'active', reason: null })
  await makeContact(db, ana.instanceName)
  expect(await queued()).toHaveLength(1)
})

test('past events of one type are listed page by page', async () => {
  const id = await makeHook(['lead.created', 'lead.moved'])
  const list = async (query: string) =>
    (await asAdmin.call(`/api/webhooks/${id}/events?${query}`)).body as unknown as {
      id: number
      type: string
    }[]
  const lead = await makeContact(db, ana.instanceName)
  await db.query(
    `insert into portal.event_out (hook_id, type, contact_id, data)
     select $1, case when n % 3 = 0 then 'lead.moved' else 'lead.created' end, $2, '{}' from generate_series(1, 90) n`,
    [id, lead.id],
  )
  const first = await list('type=lead.created')
  expect(first).toHaveLength(50)
  const rest = await list(`type=lead.created&before=${first.at(-1)?.id}`)
  // Sixty of the ninety events have this type, and the creation of the lead is one more.
  expect(rest).toHaveLength(11)
  expect(new Set([...first, ...rest].map(({ type }) => type))).toEqual(new Set(['lead.created']))
  expect(await list('type=lead.moved')).toHaveLength(30)
  expect(await list('type=lead.eaten')).toMatchObject({ error: { code: 'request.invalid' } })
})
