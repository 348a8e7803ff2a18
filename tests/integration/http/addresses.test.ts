// Every address of the portal for everyone who may not use it: refused with a message and security headers, without a
// change. The addresses come from the mounted routes, so a new one without an entry in tests/support/addresses.ts
// fails.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, CLOSED, ADDRESSES, type AddressEntry } from '#tests/support/addresses.ts'
import { openAddresses, type AddressesScenario } from '#tests/support/addresses-scenario.ts'
import { OTHER_MARK, OWN_MARK, type Side } from '#tests/support/schema/rules-scenario.ts'

let portal: AddressesScenario
beforeAll(async () => {
  portal = await openAddresses()
})
afterAll(() => portal.close())

const HALF = 'a first step without the second'
const entries = Object.entries(ADDRESSES)

/** A request of an entry about one side's data. */
function ask([name, entry]: [string, AddressEntry], side: Side, token?: string) {
  const { scenario } = portal
  const body = entry.body?.(side, scenario)
  return portal.knock({
    method: name.split(' ')[0] ?? '',
    address: addressOf(name, entry, { side, scenario }),
    token,
    body: body === undefined ? null : JSON.stringify(body),
  })
}

/**
 * Expects a refusal with one of these statuses, in the endpoint's form, with a message for a person and no data of
 * others.
 */
async function expectRefused(name: string, answer: Response, { who, by }: { who: string; by: number[] }) {
  expect([who, by.includes(answer.status) ? 'refused' : answer.status]).toEqual([who, 'refused'])
  const text = await answer.text()
  const words = { message: expect.stringMatching(/^[A-ZÀ-Ú].+\.?$/) }
  expect([who, JSON.parse(text)]).toEqual([
    who,
    name.includes('/auth/v1/')
      ? expect.objectContaining({ msg: words.message })
      : name.includes('/api/v1/')
        ? expect.objectContaining({ detail: words.message, title: expect.any(String) })
        : { error: expect.objectContaining(words) },
  ])
  expect(text).not.toContain(OTHER_MARK)
}

let stored: Record<string, string>
const resum = async () => void (stored = await portal.sum())

test('every mounted address has an entry, and every entry an address', () => {
  const mounted = portal.portal.portal.routes.map(
    ({ method, path }) => `${method} ${path.replace(/\{(?:[^{}]|\{[^{}]*\})*\}/g, '')}`,
  )
  const answering = [...new Set(mounted)].filter((name) => !name.startsWith('ALL '))
  expect(answering.toSorted()).toEqual(Object.keys(ADDRESSES).toSorted())
  // Routes for all methods come before others or close an endpoint.
  const wires = mounted.filter((name) => name.startsWith('ALL ') && !/\/(token|user|logout)$/.test(name))
  expect(wires).toEqual(expect.arrayContaining(CLOSED))
})

describe('callers without a session', () => {
  beforeAll(resum)

  const closed = entries.filter(([, entry]) => entry.for !== 'anyone')
  test.each(closed)('%s', async (name, entry) => {
    // Each address is tried by some strangers; over all addresses every stranger gets many turns.
    const at = entries.findIndex(([each]) => each === name)
    const strangers = Object.entries(portal.strangers).filter(
      ([who], index) => who === 'nobody' || who === HALF || index % 4 === at % 4,
    )
    const by = entry.for === 'secret' ? [401, 403, 404, 409, 429] : [401, 403]
    for (const [who, token] of strangers) {
      if (entry.for === 'half' && who === HALF) continue
      if (entry.for === 'service' && who === 'a service') continue
      await expectRefused(name, await ask([name, entry], portal.scenario.other, token), { who, by })
    }
  })

  test('changed nothing', async () => expect(await portal.sum()).toEqual(stored))
})

describe('callers with another role', () => {
  beforeAll(resum)
  const refused = (filter: (entry: AddressEntry) => boolean) => entries.filter(([, entry]) => filter(entry))

  test.each(refused((entry) => entry.for === 'admin'))('%s is not for brokers', async (name, entry) => {
    for (const side of [portal.scenario.own, portal.scenario.other]) {
      const answer = await ask([name, entry], side, portal.tokens.broker)
      await expectRefused(name, answer, { who: 'broker', by: [403] })
    }
  })

  test.each(refused((entry) => entry.for === 'admin' && entry.isManaged !== true))(
    '%s is not for gerentes, not even of the team',
    async (name, entry) => {
      for (const who of ['gerente', 'leader', 'rival'] as const) {
        const answer = await ask([name, entry], portal.scenario.own, portal.tokens[who])
        await expectRefused(name, answer, { who, by: [403] })
      }
    },
  )

  test.each(refused((entry) => entry.for === 'broker'))(
    '%s is not for administrators and gerentes',
    async (name, entry) => {
      for (const who of ['admin', 'gerente', 'rival'] as const) {
        const answer = await ask([name, entry], portal.scenario.own, portal.tokens[who])
        await expectRefused(name, answer, { who, by: [403] })
      }
    },
  )

  test.each(refused((entry) => entry.for === 'service'))('%s is not for people', async (name, entry) => {
    for (const who of ['broker', 'admin', 'gerente', 'leader'] as const) {
      const answer = await ask([name, entry], portal.scenario.own, portal.tokens[who])
      await expectRefused(name, answer, { who, by: [403] })
    }
  })

  test.each(refused((entry) => entry.isOwned === true))(
    '%s is not for another broker’s data',
    async (name, entry) => {
      const answer = await ask([name, entry], portal.scenario.other, portal.tokens.broker)
      await expectRefused(name, answer, { who: 'broker', by: [403, 404, 409] })
    },
  )

  test.each(refused((entry) => entry.isOwned === true))(
    '%s is not for the data of another team',
    async (name, entry) => {
      const { scenario, tokens } = portal
      for (const [who, side] of [
        ['gerente', scenario.other],
        ['leader', scenario.other],
        ['rival', scenario.own],
      ] as const) {
        const answer = await ask([name, entry], side, tokens[who])
        await expectRefused(name, answer, { who, by: [403, 404, 409] })
      }
    },
  )

  test.each(refused((entry) => entry.isManaged === true).filter(([name]) => name.startsWith('GET ')))(
    '%s shows a gerente the own team alone',
    async (name, entry) => {
      const { scenario, tokens } = portal
      const seen = await (await ask([name, entry], scenario.own, tokens.gerente)).text()
      expect(seen).not.toContain(OTHER_MARK)
      const foreign = await (await ask([name, entry], scenario.own, tokens.rival)).text()
      for (const mark of [OWN_MARK, OTHER_MARK]) expect(foreign).not.toContain(mark)
    },
  )

  test('changed nothing', async () => expect(await portal.sum()).toEqual(stored))
})

const CHUNK_BYTES = 64 * 1024

/** A body without a length that exceeds every limit, and how much of it was read. */
function endless(mostBytes: number) {
  const taken = { bytes: 0 }
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (taken.bytes > mostBytes) return controller.close()
        taken.bytes += CHUNK_BYTES
        controller.enqueue(new Uint8Array(CHUNK_BYTES).fill(32))
      },
    },
    { highWaterMark: 0 },
  )
  return { body, taken }
}

describe('an endless body', () => {
  test.each(entries.filter(([name]) => !name.startsWith('GET ')))('%s', async (name, entry) => {
    const { scenario, tokens } = portal
    const limitBytes = entry.limitBytes ?? 0
    const people =
      entry.for === 'admin' ? { admin: tokens.admin } : { broker: tokens.broker, nobody: undefined }
    for (const [who, token] of Object.entries(people)) {
      const { body, taken } = endless(2 * limitBytes + 4 * CHUNK_BYTES)
      const method = name.split(' ')[0] ?? ''
      const address = addressOf(name, entry, { side: scenario.own, scenario })
      const answer = await portal.knock({ method, address, token, body })
      expect(answer.status).toBeLessThan(500)
      // A route without a body works all the same.
      if (entry.body) expect([who, answer.status >= 400]).toEqual([who, true])
      expect(taken.bytes).toBeLessThanOrEqual(limitBytes === 0 ? 0 : limitBytes + 2 * CHUNK_BYTES)
    }
  })
})

test('pages of other origins are refused, with or without a preflight', async () => {
  const origin = { origin: 'https://outra.example', 'access-control-request-method': 'POST' }
  for (const [name, entry] of entries) {
    const address = addressOf(name, entry, { side: portal.scenario.own, scenario: portal.scenario })
    const answer = await portal.knock({ method: 'OPTIONS', address }, origin)
    expect([name, answer.status >= 400]).toEqual([name, true])
    expect([...answer.headers.keys()].filter((each) => each.startsWith('access-control'))).toEqual([])
  }
})

test.each([
  ['POST /api/messages/media', 120],
  ['POST /api/instance/acknowledge', 30],
])('%s is counted by account: after %i it waits, and others do not', async (name, free) => {
  const { scenario, tokens } = portal
  const entry = ADDRESSES[name]!
  const isLate = async (token: string) => (await ask([name, entry], scenario.own, token)).status === 429
  await portal.db.query('delete from portal.throttle')
  for (let count = 0; count < free; count++) expect(await isLate(tokens.broker)).toBe(false)
  const late = await ask([name, entry], scenario.own, tokens.broker)
  expect([late.status, late.headers.get('retry-after'), await late.json()]).toEqual([
    429,
    '5',
    { error: { code: 'request.too-often', message: 'Muitas tentativas. Tente de novo em 5 segundos.' } },
  ])
  expect(await isLate(tokens.admin)).toBe(false)
  portal.portal.clock.advance(5_000)
  expect(await isLate(tokens.broker)).toBe(false)
})
