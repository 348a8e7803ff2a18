// GoTrue's endpoints beyond successful calls: closed ones, unknown ones, and bodies of every kind.
import fc from 'fast-check'
import { SignJWT, type JWTPayload } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import { addBroker, claimsOf, emailOf, JWT_SECRET, openAuth, type TestAuth } from '#tests/support/auth.ts'
import { openBase } from '#tests/support/database.ts'
import { byTier, isDeepRun } from '#tests/support/runner/tier.ts'

let portal: TestAuth
const base = await openBase()
await addBroker(base.db, 'camila')
await addBroker(base.db, 'novato', null)
beforeEach(async () => {
  await base.db.query('delete from portal.throttle')
  portal = openAuth(base.db)
})

const client = async () => {
  const made = portal.client()
  await made.signInWithPassword({ email: emailOf('camila'), password: 'senha-certa' })
  return made
}

test('everything else in auth-js is closed, with a Portuguese message', async () => {
  const signedIn = await client()
  const email = emailOf('camila')
  const refusals = await Promise.all([
    signedIn.signUp({ email: 'x@corretor.local', password: 'senha-nova' }),
    signedIn.signInAnonymously(),
    signedIn.signInWithOtp({ email }),
    signedIn.verifyOtp({ email, token: '123456', type: 'email' }),
    signedIn.resend({ type: 'signup', email }),
    signedIn.signInWithSSO({ domain: 'example.com' }),
    signedIn.resetPasswordForEmail(email),
    signedIn.reauthenticate(),
    signedIn.signInWithIdToken({ provider: 'google', token: 'x' }),
    signedIn.linkIdentity({ provider: 'google' }),
    signedIn.signInWithPassword({ phone: '+5511955500142', password: 'senha-certa' }),
    signedIn.mfa.enroll({ factorType: 'totp' }),
    signedIn.mfa.challenge({ factorId: 'f' }),
    signedIn.mfa.unenroll({ factorId: 'f' }),
  ])
  expect(refusals.map(({ error }) => [error?.status, error?.code])).toEqual([
    [422, 'signup_disabled'],
    [422, 'signup_disabled'],
    [422, 'otp_disabled'],
    [422, 'otp_disabled'],
    [422, 'otp_disabled'],
    [422, 'saml_provider_disabled'],
    [422, 'email_provider_disabled'],
    [422, 'email_provider_disabled'],
    [422, 'provider_disabled'],
    [404, 'manual_linking_disabled'],
    [422, 'phone_provider_disabled'],
    [422, 'mfa_totp_enroll_not_enabled'],
    [422, 'mfa_totp_verify_not_enabled'],
    [404, 'mfa_factor_not_found'],
  ])
  for (const { error } of refusals) expect(error?.message).toMatch(/fechad|não envia e-mails/)
  expect((await signedIn.getUser()).error).toBeNull()
})

test.each([
  ['POST', '/auth/v1/token', 400],
  ['POST', '/auth/v1/token?grant_type=authorization_code', 400],
  ['POST', '/auth/v1/token?grant_type=pkce', 422],
  ['POST', '/auth/v1/token?grant_type=id_token', 422],
  ['GET', '/auth/v1/token?grant_type=password', 405],
  ['DELETE', '/auth/v1/user', 405],
  ['GET', '/auth/v1/logout', 405],
  ['GET', '/auth/v1/authorize?provider=google', 422],
  ['GET', '/auth/v1/verify?token=x', 422],
  ['DELETE', '/auth/v1/user/identities/1', 404],
  ['POST', '/auth/v1/factors', 401],
  ['POST', '/auth/v1/factors/f/verify', 401],
  ['DELETE', '/auth/v1/factors/f', 401],
  ['GET', '/auth/v1', 404],
  ['GET', '/auth/v1/', 404],
  ['GET', '/auth/v1/admin/users', 404],
  ['POST', '/auth/v1/nada', 404],
])('%s %s answers %i in GoTrue’s form', async (method, path, status) => {
  const answer = await portal.request(path, { method, ...(method === 'POST' ? { body: '{}' } : {}) })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.json()).toEqual({
    code: status,
    error_code: expect.any(String),
    msg: expect.any(String),
  })
})

test.each([
  '/auth/v1/token?grant_type=password',
  '/auth/v1/token?grant_type=refresh_token',
  '/api/login/lookup',
])('broken and over-long bodies are refused: %s', async (path) => {
  const send = async (body: BodyInit) => portal.request(path, { method: 'POST', body })
  for (const body of ['', '{', '{"email":}', 'email=camila', '\0', '['.repeat(9000)])
    expect((await send(body)).status, body.slice(0, 20)).toBe(400)
  const long = await send(
    JSON.stringify({ username: 'camila', email: 'x'.repeat(17_000), refresh_token: 'x' }),
  )
  expect(long.status).toBe(413)
  expect(await long.json()).toMatchObject(
    path.startsWith('/api')
      ? { error: { code: 'request.too-large', message: 'O pedido é grande demais.' } }
      : { code: 413, error_code: 'validation_failed', msg: 'O pedido é grande demais.' },
  )
})

test('sign-out requires a known scope', async () => {
  const signedIn = await client()
  const token = (await signedIn.getSession()).data.session?.access_token ?? ''
  const answer = await portal.request('/auth/v1/logout?scope=all', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.status).toBe(400)
  expect((await signedIn.getUser()).error).toBeNull()
})

test.runIf(isDeepRun)('no body causes more than a refusal, and none changes anything', async () => {
  const session = (await (await client()).getSession()).data.session
  const routes = [
    ['POST', '/auth/v1/token?grant_type=password'],
    ['POST', '/auth/v1/token?grant_type=refresh_token'],
    ['PUT', '/auth/v1/user'],
    ['POST', '/api/login/lookup'],
    ['POST', '/api/login/first-access'],
    ['POST', '/auth/v1/signup'],
  ] as const
  const key = fc.constantFrom(
    'email',
    'phone',
    'password',
    'refresh_token',
    'username',
    'invite',
    'data',
    '__proto__',
  )
  // Five characters are too short for a password, so none of these is accepted.
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.constantFrom(
      'camila',
      'novato',
      '\0',
      '\ud800',
      "'; drop table portal.accounts; --",
      emailOf('camila'),
    ),
  )
  const value = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }))
  const body = fc.oneof(
    fc
      .dictionary(key, value)
      .map((fields) => JSON.stringify({ ...fields, ...('password' in fields ? { password: 'cinco' } : {}) })),
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 200 }),
  )
  const accountsBefore = await snapshot()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...routes), body, fc.ipV4(), async ([method, path], sent, from) => {
      const headers = { authorization: `Bearer ${session?.access_token}` }
      const answer = await portal.request(path, { method, body: sent, headers }, from)
      // Only the lookup has an answer for every name.
      expect(answer.status).toBeGreaterThanOrEqual(path === '/api/login/lookup' ? 200 : 400)
      expect(answer.status).toBeLessThan(500)
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    }),
    { numRuns: byTier(40, 300) },
  )
  expect(await snapshot()).toEqual(accountsBefore)
})

test('no bearer token causes more than a refusal', async () => {
  const session = (await (await client()).getSession()).data.session
  const [head = '', payload = '', signature = ''] = session?.access_token.split('.') ?? []
  const part = fc.oneof(
    fc.constantFrom(head, payload, signature, ''),
    fc.base64String({ maxLength: 40 }),
    fc.jsonValue({ maxDepth: 1 }).map((json) => Buffer.from(JSON.stringify(json)).toString('base64url')),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
      const token = parts.join('.')
      fc.pre(token !== session?.access_token)
      const answer = await portal.request('/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })
      expect([401, 403]).toContain(answer.status)
    }),
    { numRuns: byTier(30, 200) },
  )
})

test('the caller: nobody, a signed-in person, or an invalid token', async () => {
  const session = (await (await client()).getSession()).data.session
  const ask = (headers: Record<string, string>) =>
    portal.auth.principalOf(new Request('http://portal.test/rest/v1/', { headers }))
  const anon = { role: 'anon', claims: { role: 'anon' } }
  expect(await ask({})).toEqual(anon)
  expect(await ask({ apikey: 'portal' })).toEqual(anon)
  expect(await ask({ apikey: 'sb_publishable_x', authorization: 'Bearer sb_publishable_x' })).toEqual(anon)
  expect(await ask({ authorization: 'Basic Y2FtaWxh' })).toEqual(anon)
  const token = session?.access_token ?? ''
  for (const scheme of ['Bearer', 'bearer', 'BEARER'])
    expect(await ask({ apikey: 'portal', authorization: `${scheme} ${token}` })).toEqual({
      role: 'authenticated',
      claims: claimsOf(token),
    })
  for (const wrong of ['', 'x', 'x.y.z', `${token}x`])
    await expect(ask({ apikey: 'portal', authorization: `Bearer ${wrong}` })).rejects.toMatchObject({
      kind: 'invalid',
    })
  portal.clock.advance(3600_000)
  await expect(ask({ authorization: `Bearer ${token}` })).rejects.toMatchObject({ kind: 'expired' })
})

test('the old publishable key, a token with only the role anon, is nobody', async () => {
  const ask = async (claims: JWTPayload, secret = JWT_SECRET) => {
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(new TextEncoder().encode(secret))
    return portal.auth.principalOf(
      new Request('http://portal.test/rest/v1/', {
        headers: { apikey: token, authorization: `Bearer ${token}` },
      }),
    )
  }
  const nowSeconds = Math.floor(portal.clock.now() / 1000)
  const key = { iss: 'supabase', ref: 'projeto', role: 'anon', iat: nowSeconds, exp: nowSeconds + 3600 }
  expect(await ask(key)).toEqual({ role: 'anon', claims: { role: 'anon' } })
  for (const [claims, secret] of [
    [{ ...key, role: 'service_role' }],
    [{ ...key, role: 'authenticated' }],
    [{ ...key, role: 'postgres' }],
    [{ ...key, sub: '00000000-0000-4000-8000-000000000001' }],
    [{ ...key, exp: nowSeconds }],
    [key, 'another secret, thirty-two characters or more'],
  ] as const)
    await expect(ask(claims, secret)).rejects.toMatchObject({ name: 'TokenError' })
})

const snapshot = async () =>
  (
    await base.db.query(
      'select id, username, password_hash, first_access_until::text from portal.accounts order by id',
    )
  ).rows
