// Who receives which live event, and when the stream ends.
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { readEvent, type PortalEvent } from '#domain/events.ts'
import type { Clock } from '#server/clock.ts'
import { createErrorHandler } from '#server/http/errors.ts'
import { createEvents } from '#server/live/event-stream.ts'
import type { Listener } from '#server/live/streams.ts'
import { silentLog } from '#tests/support/gateway.ts'
import { table } from '#tests/support/table.ts'

table('payload %s is parsed as %o', readEvent, [
  ['{"kind":"board","instanceName":"corretor_a"}', { kind: 'board', instanceName: 'corretor_a' }],
  [
    '{"kind":"conversation","instanceName":"corretor_a","contactId":7,"x":1}',
    { kind: 'conversation', instanceName: 'corretor_a', contactId: 7 },
  ],
  ['{"kind":"gap"}', { kind: 'gap' }],
  ['{"kind":"away"}', { kind: 'away' }],
  ['{"kind":"stages"}', { kind: 'stages' }],
  ['{"kind":"rotations"}', { kind: 'rotations' }],
  ['{"kind":"board","instanceName":""}', { kind: 'board', instanceName: '' }],
  ['{"kind":"campaign","instanceName":"corretor_a"}', { kind: 'campaign', instanceName: 'corretor_a' }],
  ['{"kind":"conversation","instanceName":"corretor_a"}', null],
  ['{"kind":"board"}', null],
  ['{"kind":"teams","accounts":["a"]}', { kind: 'teams', accounts: ['a'] }],
  ['{"kind":"teams"}', null],
  ['{"kind":"other","instanceName":"a"}', null],
  ['[]', null],
  ['no json', null],
])

/** An event bus and a heartbeat that the test triggers. */
function stage(first: Listener | null) {
  let listener = first
  const hearers = new Set<(event: PortalEvent) => void>()
  const beats = new Set<() => void>()
  const at = { nowMs: 0, isDatabaseAway: false }
  const clock: Clock = {
    now: () => at.nowMs,
    sleep: () => Promise.resolve(),
    every: (_everyMs, run) => {
      beats.add(run)
      return () => beats.delete(run)
    },
    randomBetween: (min) => min,
  }
  const bus = {
    subscribe: (onEvent: (event: PortalEvent) => void) => {
      hearers.add(onEvent)
      return () => hearers.delete(onEvent)
    },
    stop: () => Promise.resolve(),
  }
  const asked: string[][] = []
  const events = createEvents({
    bus,
    clock,
    identify: () => Promise.resolve(listener),
    living: (sessionIds) => {
      asked.push(sessionIds)
      if (at.isDatabaseAway) return Promise.reject(new Error('away'))
      return Promise.resolve(new Set(listener ? sessionIds : []))
    },
  })
  const data = new Hono().use(events.stampHeard).get('/api/instance', (context) => context.text(''))
  return {
    events: new Hono().onError(createErrorHandler(silentLog)).route('/', events.routes),
    /** As in a data response. */
    moment: async () => (await data.request('/api/instance')).headers.get('x-portal-heard') ?? '',
    stop: events.stop,
    count: events.count,
    asked,
    become: (next: Listener) => (listener = next),
    tell: (event: PortalEvent) => hearers.forEach((hear) => hear(event)),
    beat: () => beats.forEach((run) => run()),
    endSession: () => (listener = null),
    at,
    hearers,
    beats,
  }
}

/** Answers of the database that are there have been read. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

const broker: Listener = {
  accountId: 'a',
  sessionId: 'session of a',
  isAdmin: false,
  instanceNames: ['corretor_a'],
  expiresAtMs: 1_000,
}

test('a stranger receives nothing', async () => {
  const { events, count } = stage(null)
  expect((await events.request('/events')).status).toBe(401)
  expect(count()).toBe(0)
})

test('a broker receives events of the own instance, an administrator all; each is first told to read again', async () => {
  for (const [listener, heard] of [
    [broker, ['gap', 'board corretor_a']],
    [{ ...broker, isAdmin: true }, ['gap', 'board corretor_b', 'stages', 'board corretor_a']],
  ] as const) {
    const { events, tell, at, beat } = stage(listener)
    const response = await events.request('/events')
    tell({ kind: 'board', instanceName: 'corretor_b' })
    tell({ kind: 'stages' })
    tell({ kind: 'board', instanceName: 'corretor_a' })
    at.nowMs = listener.expiresAtMs
    beat()
    const lines = (await response.text()).split('\n\n').filter(Boolean)
    expect(lines.map((line) => readEvent(line.replace('data: ', '')))).toEqual(
      heard.map((words) => {
        const [kind, instanceName] = words.split(' ')
        return instanceName ? { kind, instanceName } : { kind }
      }),
    )
  }
})

test('a gerente receives events of the team; a change of it ends the stream, those of others do not', async () => {
  const { events, tell, count } = stage({ ...broker, instanceNames: ['corretor_a', 'corretor_b'] })
  const response = await events.request('/events')
  for (const name of ['a', 'b', 'c']) tell({ kind: 'board', instanceName: `corretor_${name}` })
  tell({ kind: 'teams', accounts: ['another'] })
  expect(count()).toBe(1)
  tell({ kind: 'teams', accounts: [broker.accountId] })
  expect(count()).toBe(0)
  const lines = (await response.text()).split('\n\n').filter((line) => line.startsWith('data: '))
  expect(lines.map((line) => line.replace('data: ', ''))).toEqual([
    '{"kind":"gap"}',
    '{"kind":"board","instanceName":"corretor_a"}',
    '{"kind":"board","instanceName":"corretor_b"}',
  ])
})

test('a stream with the position of an earlier read reports whether anything may have changed since', async () => {
  const firstWord = async (since: string, listener: Listener = broker) => {
    become(listener)
    const line = await events.request(`/events?since=${since}`)
    const read = await line.body?.getReader().read()
    return readEvent(new TextDecoder().decode(read?.value).trim().replace('data: ', ''))?.kind
  }
  const { events, tell, become, moment } = stage(broker)
  const first = await moment()
  expect(await firstWord(first)).toBe('still')
  tell({ kind: 'board', instanceName: 'corretor_b' })
  const later = await moment()
  expect(later).not.toBe(first)
  // Another broker's.
  expect([await firstWord(first), await firstWord(`${first},${later}`)]).toEqual(['still', 'still'])
  const admin = { ...broker, isAdmin: true }
  expect([await firstWord(first, admin), await firstWord(later, admin)]).toEqual(['gap', 'still'])
  tell({ kind: 'offers', instanceName: 'corretor_a' })
  // The earliest of several reads counts, and an unknown position counts as none.
  const last = await moment()
  expect(await firstWord(last)).toBe('still')
  expect([await firstWord(first), await firstWord(`${last},${first}`)]).toEqual(['gap', 'gap'])
  expect([await firstWord(`${last},of-another`), await firstWord('')]).toEqual(['gap', 'gap'])
  // The portal itself may have missed some.
  tell({ kind: 'gap' })
  expect([await firstWord(last), await firstWord(await moment())]).toEqual(['gap', 'still'])
})

test('an ended session receives nothing after the next heartbeat', async () => {
  const { events, beat, endSession, count } = stage(broker)
  const response = await events.request('/events')
  endSession()
  beat()
  expect(await response.text()).toContain(': vivo')
  expect(count()).toBe(0)
})

test('while the database cannot confirm a session, its stream stays open, says so once and gets no events; then it reads again', async () => {
  const { events, beat, at, tell, endSession, count } = stage(broker)
  const kept = await events.request('/events')
  at.isDatabaseAway = true
  beat()
  await settled()
  tell({ kind: 'board', instanceName: 'corretor_a' })
  expect(count()).toBe(1)
  beat()
  await settled()
  at.isDatabaseAway = false
  beat()
  await settled()
  tell({ kind: 'campaign', instanceName: 'corretor_a' })
  const ended = await events.request('/events')
  at.isDatabaseAway = true
  beat()
  await settled()
  endSession()
  at.isDatabaseAway = false
  tell({ kind: 'gap' })
  await expect.poll(count).toBe(0)
  const kinds = async (response: Response) =>
    (await response.text()).split('\n\n').flatMap((line) => readEvent(line.replace('data: ', ''))?.kind ?? [])
  expect([await kinds(kept), await kinds(ended)]).toEqual([
    ['gap', 'away', 'gap', 'campaign', 'away'],
    ['gap', 'away'],
  ])
})

test("all listeners' sessions are looked up together, each once", async () => {
  const { events, beat, asked, become, tell, endSession, count } = stage(broker)
  const other = { ...broker, accountId: 'b', sessionId: 'session of b', instanceNames: ['corretor_b'] }
  for (const listener of [broker, broker, other, { ...broker, isAdmin: true, sessionId: 'chief' }]) {
    become(listener)
    await events.request('/events')
  }
  beat()
  expect(asked).toEqual([['session of a', 'session of b', 'chief']])
  // Only the changed account is looked up.
  endSession()
  tell({ kind: 'brokers', instanceName: 'corretor_b' })
  expect(asked.at(-1)).toEqual(['session of b'])
  await expect.poll(count).toBe(3)
})

test('a reader that does not read is disconnected', async () => {
  const { events, tell, count } = stage(broker)
  const response = await events.request('/events')
  for (let sent = 0; sent < 2_000; sent++) tell({ kind: 'board', instanceName: 'corretor_a' })
  expect(count()).toBe(0)
  expect((await response.text()).length).toBeLessThan(70_000)
})

test('a closed page leaves the bus', async () => {
  const { events, count } = stage(broker)
  const response = await events.request('/events')
  await response.body?.cancel()
  expect(count()).toBe(0)
})

test('a person has a limited number of streams, and an ended one makes space', async () => {
  const { events, count } = stage(broker)
  const lines = []
  for (let opened = 0; opened < 24; opened++) lines.push(await events.request('/events'))
  const refused = await events.request('/events')
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    '20',
    { error: { code: 'events.too-many', message: 'Há janelas demais abertas com este usuário.' } },
  ])
  expect(count()).toBe(24)
  await lines[0]?.body?.cancel()
  expect((await events.request('/events')).status).toBe(200)
})

test('a stopping portal ends every stream', async () => {
  const { events, stop, hearers, beats } = stage(broker)
  const responses = [await events.request('/events'), await events.request('/events')]
  stop()
  for (const response of responses) expect(await response.text()).toContain('gap')
  expect([hearers.size, beats.size]).toEqual([0, 0])
})
