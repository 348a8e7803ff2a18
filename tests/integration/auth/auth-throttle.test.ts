// Limits of sign-in attempts: strict for a pair of account and address, mild for an account, a budget for an address.
import { beforeEach, expect, test } from 'vitest'
import { bcryptPasswords } from '#server/auth/accounts/passwords.ts'
import { addBroker, emailOf, openAuth, type TestAuth } from '#tests/support/auth.ts'
import { openBase } from '#tests/support/database.ts'
import { byTier } from '#tests/support/runner/tier.ts'

let portal: TestAuth
let checks = 0
const passwords = {
  ...bcryptPasswords,
  verify: async (given: string) => {
    checks += 1
    return given === 'senha-certa'
  },
}
const base = await openBase()
await addBroker(base.db, 'camila')
await addBroker(base.db, 'rafael')
beforeEach(async () => {
  await base.db.query('delete from portal.throttle')
  checks = 0
  portal = openAuth(base.db, { passwords })
})

type Attempt = { username: string; password: string; from: string; at?: TestAuth }

const attempt = async ({ username, password, from, at = portal }: Attempt) => {
  const answer = await at.post(
    '/auth/v1/token?grant_type=password',
    { email: emailOf(username), password },
    from,
  )
  return { ...answer, waitSeconds: Number(answer.headers.get('retry-after')) }
}
const fail = (username: string, from: string, at: TestAuth = portal) =>
  attempt({ username, password: 'senha-errada', from, at })
const enter = (username: string, from: string) => attempt({ username, password: 'senha-certa', from })
const isLetIn = async (username: string, from: string) => (await enter(username, from)).status === 200

const MONTH_MS = 31 * 86_400_000
const HOME = '203.0.113.1'
const THIEF = '198.51.100.9'
const bots = (howMany: number) => Array.from({ length: howMany }, (_, n) => `192.0.2.${n + 1}`)
const SOME = byTier(15, 60)

test('five wrong passwords from one address are free, the sixth waits and is not checked', async () => {
  for (let n = 0; n < 5; n += 1) expect((await fail('camila', THIEF)).status).toBe(400)
  const sixth = await enter('camila', THIEF)
  expect(sixth).toMatchObject({
    status: 429,
    waitSeconds: 30,
    body: {
      code: 429,
      error_code: 'over_request_rate_limit',
      msg: 'Muitas tentativas. Tente de novo em 30 segundos.',
    },
  })
  expect(checks).toBe(5)
})

test('the wait doubles up to five minutes, and attempts during it do not lengthen it', async () => {
  for (let n = 0; n < 5; n += 1) await fail('camila', THIEF)
  const waits = []
  for (let n = 0; n < 6; n += 1) {
    const { waitSeconds } = await fail('camila', THIEF)
    waits.push(waitSeconds)
    portal.clock.advance(waitSeconds * 1000 - 1)
    expect((await fail('camila', THIEF)).status).toBe(429)
    portal.clock.advance(1)
    expect((await fail('camila', THIEF)).status).toBe(400)
  }
  expect(waits).toEqual([30, 60, 120, 240, 300, 300])
})

test('a right password resets the pair', async () => {
  for (let n = 0; n < 4; n += 1) await fail('camila', HOME)
  expect(await isLetIn('camila', HOME)).toBe(true)
  for (let n = 0; n < 5; n += 1) expect((await fail('camila', HOME)).status).toBe(400)
  expect((await fail('camila', HOME)).status).toBe(429)
})

test("after the correction of a clock that was a month ahead, nobody waits longer than the wait's length", async () => {
  portal.clock.advance(MONTH_MS)
  for (let n = 0; n < 5; n += 1) await fail('camila', HOME)
  portal.clock.advance(-MONTH_MS)
  const refused = await enter('camila', HOME)
  expect([refused.status, refused.waitSeconds]).toEqual([429, 30])
  portal.clock.advance(refused.waitSeconds * 1000)
  expect(await isLetIn('camila', HOME)).toBe(true)
})

test('the count survives a restart and is shared by several portals', async () => {
  const second = openAuth(base.db, { passwords, clock: portal.clock })
  for (let n = 0; n < 5; n += 1) await fail('camila', THIEF, n % 2 === 0 ? portal : second)
  expect((await fail('camila', THIEF, second)).status).toBe(429)
  expect((await fail('camila', THIEF, openAuth(base.db, { clock: portal.clock }))).status).toBe(429)
})

test('simultaneous guesses are counted one by one', async () => {
  const second = openAuth(base.db, { passwords, clock: portal.clock })
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => fail('camila', THIEF, n % 2 === 0 ? portal : second)),
  )
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
  expect(checks).toBe(5)
})

test('an attacker does not lock the owner out elsewhere, nor others at the same address', async () => {
  for (let n = 0; n < 20; n += 1) await fail('camila', THIEF)
  expect(await isLetIn('camila', HOME)).toBe(true)
  expect(await isLetIn('rafael', THIEF)).toBe(true)
})

test('an attacker with many addresses delays the owner at a new address fifteen seconds at most', async () => {
  for (const bot of bots(SOME)) for (let n = 0; n < 5; n += 1) await fail('camila', bot)
  const refused = await enter('camila', HOME)
  expect(refused.status).toBe(429)
  expect(refused.waitSeconds).toBeLessThanOrEqual(15)
  portal.clock.advance(15_000)
  expect(await isLetIn('camila', HOME)).toBe(true)
})

test('where the owner signed in before, not even that', async () => {
  expect(await isLetIn('camila', HOME)).toBe(true)
  for (const bot of bots(SOME)) for (let n = 0; n < 5; n += 1) await fail('camila', bot)
  expect((await fail('camila', THIEF)).status).toBe(429)
  expect(await isLetIn('camila', HOME)).toBe(true)
})

test('a botnet gets few guesses at one account, however many addresses it has', async () => {
  let polls = 0
  for (let round = 0; round < 3; round += 1)
    for (const bot of bots(byTier(50, 250))) polls += (await fail('camila', bot)).status === 400 ? 1 : 0
  expect(polls).toBeLessThanOrEqual(21)
})

test('an office of brokers behind one address signs in; a list of names from it is stopped', async () => {
  for (let n = 0; n < 100; n += 1) expect(await isLetIn(n % 2 === 0 ? 'camila' : 'rafael', HOME)).toBe(true)
  const statuses = []
  for (let n = 0; n < 70; n += 1)
    statuses.push((await fail(`nome${'abcdefghij'.charAt(n % 10)}${n}`, HOME)).status)
  expect(statuses.filter((status) => status === 400)).toHaveLength(60)
  expect(statuses.at(-1)).toBe(429)
})

test('unknown names are throttled like known ones', async () => {
  const statuses = async (username: string) => {
    const seen = []
    for (let n = 0; n < 7; n += 1) seen.push((await fail(username, THIEF)).status)
    return seen
  }
  expect(await statuses('ninguem')).toEqual(await statuses('camila'))
})

test('one IPv6 network is one address', async () => {
  for (let n = 0; n < 5; n += 1) await fail('camila', `2001:db8:1:2::${n}`)
  expect((await fail('camila', '2001:db8:1:2:ffff::1')).status).toBe(429)
  expect((await fail('camila', '2001:db8:1:3::1')).status).toBe(400)
})

test('a proxy names the client only behind PUBLIC_URL, from a private peer, in its last entry', async () => {
  const proxied = openAuth(base.db, { passwords, clock: portal.clock, hasPublicUrl: true })
  const failAs = async (at: TestAuth, peer: string, forwarded: string) =>
    (
      await at.request(
        '/auth/v1/token?grant_type=password',
        {
          method: 'POST',
          headers: { 'x-forwarded-for': forwarded },
          body: JSON.stringify({ email: emailOf('camila'), password: 'x' }),
        },
        peer,
      )
    ).status
  for (let n = 0; n < 5; n += 1) await failAs(proxied, '127.0.0.1', `10.9.9.${n}, 198.51.100.1`)
  expect(await failAs(proxied, '10.0.0.2', 'made up, 198.51.100.1')).toBe(429)
  expect(await failAs(proxied, '127.0.0.1', '198.51.100.2')).toBe(400)
  // From a public peer, or without a proxy, the header is the client's own.
  for (let n = 0; n < 5; n += 1) await failAs(proxied, '198.51.100.3', `203.0.113.${n}`)
  expect(await failAs(proxied, '198.51.100.3', '203.0.113.99')).toBe(429)
  for (let n = 0; n < 5; n += 1) await failAs(portal, '127.0.0.1', `203.0.113.${n}`)
  expect(await failAs(portal, '127.0.0.1', '203.0.113.99')).toBe(429)
})

test('username lookups are throttled by address', async () => {
  const lookup = (from: string) => portal.post('/api/login/lookup', { username: 'camila' }, from)
  for (let n = 0; n < 30; n += 1) expect((await lookup(THIEF)).status).toBe(200)
  const refused = await lookup(THIEF)
  expect(refused).toMatchObject({
    status: 429,
    body: { error: { code: 'login.throttled', message: 'Muitas tentativas. Tente de novo em 2 segundos.' } },
  })
  expect(refused.headers.get('retry-after')).toBe('2')
  expect((await lookup(HOME)).status).toBe(200)
  portal.clock.advance(600_000)
  expect((await lookup(THIEF)).status).toBe(200)
})

test('attempts are stored as hashes, and deleted by maintenance', async () => {
  const stop = portal.auth.maintenance()
  for (let n = 0; n < 5; n += 1) await fail('camila', THIEF)
  await isLetIn('rafael', HOME)
  const { rows } = await base.db.query(`select encode(key, 'escape') || kind as line from portal.throttle`)
  expect(rows).toHaveLength(6)
  for (const { line } of rows) expect(line).not.toMatch(/camila|rafael|203\.0|198\.51/)
  portal.clock.advance(5 * 1800_000)
  const stored = async () =>
    (await base.db.query('select kind, trusted_until is not null as is_trusted from portal.throttle')).rows
  await expect.poll(stored, { interval: 10 }).toEqual([{ kind: 'pair', is_trusted: true }])
  expect((await fail('camila', THIEF)).status).toBe(400)
  stop()
})
