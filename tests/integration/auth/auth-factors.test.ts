// The second factor of administrators, with the real auth-js: set up, required, removed; what an incomplete session may
// do; guesses, clocks, reused codes.
import { beforeEach, describe, expect, test } from 'vitest'
import { asUser } from '#server/db/as-user.ts'
import { addAdmin, addBroker, claimsOf, emailOf, openAuth, type TestAuth } from '#tests/support/auth.ts'
import { openBase } from '#tests/support/database.ts'
import { codeOf, enroll, nextCode, tokenOf, turnOn } from '#tests/support/factors.ts'

let portal: TestAuth
let username: string
let count = 0
const base = await openBase()
await addBroker(base.db, 'camila')
beforeEach(async () => {
  portal = openAuth(base.db)
  username = `chefe${(count += 1)}`
  await addAdmin(base.db, username, 'senha-certa')
})

const PASSWORD = 'senha-certa'

async function signIn(at: TestAuth = portal) {
  const client = at.client()
  const { data, error } = await client.signInWithPassword({
    email: `${username}@admin.local`,
    password: PASSWORD,
  })
  if (error) throw error
  return { client, token: data.session.access_token, refreshToken: data.session.refresh_token }
}

const call = (path: string, token: string, body?: unknown) =>
  portal.request(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

/** What a token can reach: an administrator's rows, the portal's own addresses. */
async function opens(token: string) {
  const rows = await asUser(base.db, claimsOf(token), async (query) => {
    return (await query('select from public.brokers')).rowCount
  })
  return { rows, api: (await call('/api/admins', token)).status }
}
const EVERYTHING = { rows: 1, api: 200 }
const NOTHING = { rows: 0, api: 401 }

test('from the first code to the last: set up, required at the next sign-in, kept by a refresh, removed', async () => {
  const { client, token } = await signIn()
  expect(claimsOf(token)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] })
  const app = await enroll(client)
  expect(app.uri).toBe(
    `otpauth://totp/Portal%20do%20Corretor:${username}?secret=${app.secret}&issuer=Portal%20do%20Corretor&algorithm=SHA1&digits=6&period=30`,
  )
  expect(app.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/)
  // A second step does not count before it is verified.
  expect((await client.mfa.listFactors()).data).toMatchObject({ totp: [], all: [{ status: 'unverified' }] })
  expect(await opens((await signIn()).token)).toEqual(EVERYTHING)

  const challenge = await client.mfa.challenge({ factorId: app.factorId })
  const challengeId = challenge.data?.id ?? ''
  const wrong = await client.mfa.verify({ factorId: app.factorId, challengeId, code: '000000' })
  expect(wrong.error).toMatchObject({
    status: 422,
    code: 'mfa_verification_failed',
    message: 'Código incorreto.',
  })
  const right = await client.mfa.verify({
    factorId: app.factorId,
    challengeId,
    code: codeOf(app.secret, portal.clock.now()),
  })
  expect(right.error).toBeNull()
  expect(claimsOf(await tokenOf(client))).toMatchObject({
    aal: 'aal2',
    amr: [{ method: 'totp' }, { method: 'password' }],
  })
  expect(await opens(await tokenOf(client))).toEqual(EVERYTHING)
  expect((await client.mfa.listFactors()).data?.totp).toMatchObject([
    { id: app.factorId, friendly_name: 'Celular', factor_type: 'totp', status: 'verified' },
  ])

  const next = await signIn()
  expect((await next.client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  })
  expect(await opens(next.token)).toEqual(NOTHING)
  const taken = await next.client.mfa.challengeAndVerify({
    factorId: app.factorId,
    code: nextCode(portal, app.secret),
  })
  expect(taken.error).toBeNull()
  expect((await next.client.getClaims()).data?.claims).toMatchObject({ aal: 'aal2' })
  expect(await opens(await tokenOf(next.client))).toEqual(EVERYTHING)

  await next.client.refreshSession()
  expect(claimsOf(await tokenOf(next.client))).toMatchObject({ aal: 'aal2' })
  expect(await opens(await tokenOf(next.client))).toEqual(EVERYTHING)

  expect(await next.client.mfa.unenroll({ factorId: app.factorId })).toMatchObject({
    data: { id: app.factorId },
    error: null,
  })
  await next.client.refreshSession()
  expect(claimsOf(await tokenOf(next.client))).toMatchObject({ aal: 'aal1' })
  const plain = await signIn()
  expect(await opens(plain.token)).toEqual(EVERYTHING)
  expect((await plain.client.mfa.listFactors()).data?.all).toEqual([])
  expect((await plain.client.signOut()).error).toBeNull()
})

describe('a session without its second factor', () => {
  let app: Awaited<ReturnType<typeof turnOn>>
  beforeEach(async () => {
    app = await turnOn(portal, (await signIn()).client)
  })

  test('may send the code, read its user, and sign out; nothing else', async () => {
    const { client, token } = await signIn()
    expect(claimsOf(token)).toMatchObject({ app_metadata: { awaits_code: true } })
    expect((await client.getUser()).error).toBeNull()
    expect((await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Outro' })).error).toMatchObject({
      status: 403,
      code: 'insufficient_aal',
    })
    expect((await client.mfa.unenroll({ factorId: app.factorId })).error?.code).toBe('insufficient_aal')
    expect(
      (await client.updateUser({ password: 'senha-nova', current_password: PASSWORD })).error?.code,
    ).toBe('insufficient_aal')
    for (const [path, body] of [
      ['/api/admins', undefined],
      ['/api/account/second-step', undefined],
      ['/api/account/recovery-codes', { operationId: crypto.randomUUID() }],
      ['/api/admins', { operationId: crypto.randomUUID(), username: 'intruso' }],
    ] as const)
      expect((await call(path, token, body)).status).toBe(401)
    expect(await opens(token)).toEqual(NOTHING)
    // A renewed token of such a session has no more access than before.
    await client.refreshSession()
    expect(await opens(await tokenOf(client))).toEqual(NOTHING)
    expect((await client.signOut()).error).toBeNull()
    expect((await call('/auth/v1/user', token)).status).toBe(403)
  })

  test('is replaced after the code: its old tokens are useless, though the person is signed in', async () => {
    const half = await signIn()
    await half.client.mfa.challengeAndVerify({ factorId: app.factorId, code: nextCode(portal, app.secret) })
    expect(await opens(await tokenOf(half.client))).toEqual(EVERYTHING)
    expect(await opens(half.token)).toEqual(NOTHING)
    const refresh = await portal.post('/auth/v1/token?grant_type=refresh_token', {
      refresh_token: half.refreshToken,
    })
    expect(refresh.status).toBe(400)
  })

  test('accepts a code once: not a second time, not an older one, not one used elsewhere', async () => {
    const [first, second] = [await signIn(), await signIn()]
    const code = nextCode(portal, app.secret)
    const verify = (client: typeof first.client, given: string) =>
      client.mfa.challengeAndVerify({ factorId: app.factorId, code: given })
    const outcomes = await Promise.all([verify(first.client, code), verify(second.client, code)])
    expect(outcomes.map(({ error }) => error?.code ?? 'in').toSorted()).toEqual([
      'in',
      'mfa_verification_failed',
    ])
    const late = await signIn()
    expect((await verify(late.client, codeOf(app.secret, portal.clock.now(), -1))).error?.code).toBe(
      'mfa_verification_failed',
    )
    // A phone whose clock is half a minute ahead is accepted all the same.
    expect((await verify(late.client, codeOf(app.secret, portal.clock.now(), 1))).error).toBeNull()
  })

  test('may guess five times, then waits, however the guesses are spread; the right code then still works', async () => {
    const outcomes: unknown[] = []
    for (let guess = 0; guess < 7; guess += 1) {
      const { client } = await signIn()
      const { error } = await client.mfa.challengeAndVerify({ factorId: app.factorId, code: '12345x' })
      outcomes.push(error?.status)
    }
    expect(outcomes).toEqual([422, 422, 422, 422, 422, 429, 429])
    const { client } = await signIn()
    const tooEarly = await client.mfa.challengeAndVerify({
      factorId: app.factorId,
      code: nextCode(portal, app.secret),
    })
    // Thirty seconds have passed, which was the wait.
    expect(tooEarly.error).toBeNull()
    expect(await opens(await tokenOf(client))).toEqual(EVERYTHING)
  })

  test('simultaneous guesses are counted one by one', async () => {
    const { client, token } = await signIn()
    const { data } = await client.mfa.challenge({ factorId: app.factorId })
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        call(`/auth/v1/factors/${app.factorId}/verify`, token, {
          challenge_id: data?.id,
          code: String(index).padStart(6, '9'),
        }),
      ),
    )
    expect(guesses.filter(({ status }) => status === 422)).toHaveLength(5)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  test('a challenge lasts five minutes, and belongs to its session and app', async () => {
    const [mine, other] = [await signIn(), await signIn()]
    const { data } = await mine.client.mfa.challenge({ factorId: app.factorId })
    const challengeId = data?.id ?? ''
    const stolen = await other.client.mfa.verify({
      factorId: app.factorId,
      challengeId,
      code: codeOf(app.secret, portal.clock.now(), 1),
    })
    expect(stolen.error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
    portal.clock.advance(300_000)
    const late = await mine.client.mfa.verify({
      factorId: app.factorId,
      challengeId,
      code: codeOf(app.secret, portal.clock.now()),
    })
    expect(late.error).toMatchObject({ status: 422, code: 'mfa_challenge_expired' })
  })

  test('after the portal’s secret changed no code of the app works, and a recovery code still does', async () => {
    const { client } = await signIn()
    await client.mfa.challengeAndVerify({ factorId: app.factorId, code: nextCode(portal, app.secret) })
    const { codes } = (await (
      await call('/api/account/recovery-codes', await tokenOf(client), { operationId: crypto.randomUUID() })
    ).json()) as { codes: string[] }
    const restarted = openAuth(base.db, {
      clock: portal.clock,
      jwtSecret: 'a new secret, thirty-two characters or more',
    })
    const again = await signIn(restarted)
    const verify = (code: string) => again.client.mfa.challengeAndVerify({ factorId: app.factorId, code })
    expect((await verify(nextCode(portal, app.secret))).error?.code).toBe('mfa_verification_failed')
    expect((await verify(codes[0] ?? '')).error).toBeNull()
  })
})

test('the first app ends every other session of the account, and of no other', async () => {
  const elsewhere = await signIn()
  const before = username
  username = `${username}outra`
  await addAdmin(base.db, username, PASSWORD)
  const someoneElse = await signIn()
  username = before
  const { client } = await signIn()
  await turnOn(portal, client)
  expect((await call('/auth/v1/user', elsewhere.token)).status).toBe(403)
  expect((await call('/auth/v1/user', someoneElse.token)).status).toBe(200)
  expect(await opens(await tokenOf(client))).toEqual(EVERYTHING)
})

test('a second app is one more factor; removing one keeps the other required', async () => {
  const { client } = await signIn()
  const first = await turnOn(portal, client)
  expect((await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' })).error?.code).toBe(
    'mfa_factor_name_conflict',
  )
  const second = await enroll(client, 'Tablet')
  // An unverified one is replaced by the next.
  const third = await enroll(client, 'Notebook')
  expect((await client.mfa.challenge({ factorId: second.factorId })).error?.code).toBe('mfa_factor_not_found')
  await client.mfa.challengeAndVerify({ factorId: third.factorId, code: nextCode(portal, third.secret) })
  expect((await client.mfa.unenroll({ factorId: first.factorId })).error).toBeNull()
  expect(await opens((await signIn()).token)).toEqual(NOTHING)
  expect(await opens(await tokenOf(client))).toEqual(EVERYTHING)
})

test('only authenticator apps, of administrators, each of the own account', async () => {
  const { client } = await signIn()
  const app = await enroll(client)
  expect((await client.mfa.enroll({ factorType: 'phone', phone: '+5511955500142' })).error?.code).toBe(
    'mfa_phone_enroll_not_enabled',
  )
  username = `${username}outra`
  await addAdmin(base.db, username, PASSWORD)
  const stranger = (await signIn()).client
  for (const { error } of [
    await stranger.mfa.challenge({ factorId: app.factorId }),
    await stranger.mfa.verify({ factorId: app.factorId, challengeId: crypto.randomUUID(), code: '123456' }),
    await stranger.mfa.unenroll({ factorId: app.factorId }),
    await stranger.mfa.unenroll({ factorId: 'nada' }),
  ])
    expect(error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
  const broker = portal.client()
  await broker.signInWithPassword({ email: emailOf('camila'), password: PASSWORD })
  for (const { error } of [
    await broker.mfa.enroll({ factorType: 'totp' }),
    await broker.mfa.challenge({ factorId: app.factorId }),
    await broker.mfa.verify({ factorId: app.factorId, challengeId: crypto.randomUUID(), code: '123456' }),
    await broker.mfa.unenroll({ factorId: app.factorId }),
  ])
    expect(error?.message).toBe('A verificação em duas etapas está fechada para corretores.')
  const noone = await portal.request(`/auth/v1/factors/${app.factorId}`, { method: 'DELETE' })
  expect(noone.status).toBe(401)
})

describe('recovery codes', () => {
  const renew = async (token: string, operationId = crypto.randomUUID()) => {
    const answer = await call('/api/account/recovery-codes', token, { operationId })
    return { status: answer.status, codes: ((await answer.json()) as { codes?: string[] }).codes ?? [] }
  }
  const left = async (token: string) => (await call('/api/account/second-step', token)).json()

  test('each works once instead of a code, new ones replace the old, and a repeat returns the same', async () => {
    const { client } = await signIn()
    expect(await renew(await tokenOf(client))).toMatchObject({ status: 409, codes: [] })
    const app = await turnOn(portal, client)
    const operationId = crypto.randomUUID()
    const { codes } = await renew(await tokenOf(client), operationId)
    expect(codes).toHaveLength(10)
    expect((await renew(await tokenOf(client), operationId)).codes).toEqual(codes)
    const { rows } = await base.db.query('select code_hash from portal.recovery_codes')
    expect(JSON.stringify(rows)).not.toContain(codes[0])

    const enter = async (code: string) => {
      const next = await signIn()
      const { error } = await next.client.mfa.challengeAndVerify({ factorId: app.factorId, code })
      return error?.code ?? opens(await tokenOf(next.client))
    }
    const [first = '', second = ''] = codes
    expect(await enter(first.toUpperCase().replaceAll('-', ' '))).toEqual(EVERYTHING)
    expect(await enter(first)).toBe('mfa_verification_failed')
    expect(await left(await tokenOf(client))).toEqual({ isOn: true, codesLeft: 9 })

    const fresh = await renew(await tokenOf(client))
    expect(await enter(second)).toBe('mfa_verification_failed')
    expect(await enter(fresh.codes[3] ?? '')).toEqual(EVERYTHING)

    await client.mfa.unenroll({ factorId: app.factorId })
    expect(await left(await tokenOf(client))).toEqual({ isOn: false, codesLeft: 0 })
  })

  test('used twice at once one works; none sets up an app; those of another account are invalid', async () => {
    const { client } = await signIn()
    const app = await turnOn(portal, client)
    const { codes } = await renew(await tokenOf(client))
    const [one, two] = [await signIn(), await signIn()]
    const outcomes = await Promise.all(
      [one, two].map((device) =>
        device.client.mfa.challengeAndVerify({ factorId: app.factorId, code: codes[0] ?? '' }),
      ),
    )
    expect(outcomes.filter(({ error }) => error === null)).toHaveLength(1)
    const tablet = await enroll(client, 'Tablet')
    const { error } = await client.mfa.challengeAndVerify({ factorId: tablet.factorId, code: codes[1] ?? '' })
    expect(error?.code).toBe('mfa_verification_failed')
    username = `${username}outra`
    await addAdmin(base.db, username, PASSWORD)
    const other = (await signIn()).client
    const theirs = await turnOn(portal, other)
    const half = (await signIn()).client
    expect(
      (await half.mfa.challengeAndVerify({ factorId: theirs.factorId, code: codes[2] ?? '' })).error?.code,
    ).toBe('mfa_verification_failed')
  })
})

test('no secret is ever logged', async () => {
  const { client } = await signIn()
  const app = await turnOn(portal, client)
  const code = nextCode(portal, app.secret)
  await (await signIn()).client.mfa.challengeAndVerify({ factorId: app.factorId, code })
  const log = portal.lines.join('\n')
  expect(log).toContain('factor.verified')
  for (const secret of [app.secret, code]) expect(log).not.toContain(secret)
})
