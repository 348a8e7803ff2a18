// A client that disconnects cancels its reads up to the database; its writes are finished.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { openServer, SOCKET_LIMITS } from '#server/http/sockets.ts'
import { systemClock } from '#server/clock.ts'
import { MAX_OPEN_MS } from '#server/db/as-user.ts'
import { createLog } from '#server/log.ts'
import { eventually } from '#tests/support/eventually.ts'
import { createLatch } from '#tests/support/latch.ts'
import { makeContact, untilLockAwaited } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'
import { PASSWORD } from '#tests/support/whatsapp.ts'

const logged: string[] = []
const { db, portal, ana, close } = await openOffice({
  isStill: true,
  log: createLog('warn', (written) => logged.push(written)),
})
const server = openServer({
  fetch: (request) => portal.portal.fetch(request, {}),
  clock: systemClock,
  limits: SOCKET_LIMITS,
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(async () => {
  server.close()
  await close()
})

async function signIn(): Promise<string> {
  const answer = await fetch(`${origin}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${ana.username}@corretor.local`, password: PASSWORD }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

const awaited = async () =>
  (
    await db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).rows.length

/** Sends a request while the contacts are locked, and disconnects as soon as the database waits for the lock. */
async function hangUpOn(path: string, init: RequestInit, afterwards: () => Promise<void>) {
  const authorization = `Bearer ${await signIn()}`
  // Each portal reads its catalogue first, which would wait for the lock, too.
  for (let portal = 0; portal < 2; portal++)
    expect((await fetch(`${origin}/rest/v1/brokers?select=id`, { headers: { authorization } })).status).toBe(
      200,
    )
  const [locked, enough] = [createLatch(), createLatch()]
  const holder = db.transaction(async (query) => {
    await query('lock table public.whatsapp_contacts in access exclusive mode')
    locked.open()
    await enough.opened
  })
  await locked.opened
  const leaving = new AbortController()
  const asked = fetch(`${origin}${path}`, {
    ...init,
    headers: { authorization, 'content-type': 'application/json' },
    signal: leaving.signal,
  }).catch((error: unknown) => error)
  await untilLockAwaited(db)
  leaving.abort()
  expect(await asked).toMatchObject({ name: 'AbortError' })
  try {
    await afterwards()
  } finally {
    enough.open()
    await holder
  }
}

test('a read is cancelled in the database, and is no fault', async () => {
  await hangUpOn('/rest/v1/whatsapp_contacts?select=id', {}, async () => {
    const leftAtMs = Date.now()
    await eventually(async () => {
      expect(await awaited()).toBe(0)
      expect(db.load().busy).toBe(1)
    })
    // Without the cancellation it would end by itself only at its time limit.
    expect(Date.now() - leftAtMs).toBeLessThan(MAX_OPEN_MS / 2)
  })
  expect(logged).toEqual([])
})

test('a write is completed', async () => {
  const { id } = await makeContact(db, ana.instanceName)
  const change = { method: 'PATCH', body: JSON.stringify({ notes: 'Ligou e desligou' }) }
  await hangUpOn(`/rest/v1/whatsapp_contacts?id=eq.${id}`, change, async () => {
    expect(await awaited()).toBe(1)
  })
  await eventually(async () => {
    const { rows } = await db.query('select notes from public.whatsapp_contacts where id = $1', [id])
    expect(rows).toEqual([{ notes: 'Ligou e desligou' }])
  })
})
