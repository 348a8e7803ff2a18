// Signing in through auth-js: the result of a right password, the error of a wrong one, and equal cost of both.
import { expect, test } from 'vitest'
import { bcryptPasswords } from '#server/auth/accounts/passwords.ts'
import { asUser, type Claims } from '#server/db/as-user.ts'
import { addAdmin, addBroker, claimsOf, emailOf, openAuth } from '#tests/support/auth.ts'
import { openBase } from '#tests/support/database.ts'

const base = await openBase()
const camilaId = await addBroker(base.db, 'camila')
await addBroker(base.db, 'novato', null)
const adminId = await addAdmin(base.db, 'admin', 'senha-do-admin')

test('a broker signs in and gets a token with the own identity, for one hour', async () => {
  const portal = openAuth(base.db)
  const client = portal.client()
  const { data, error } = await client.signInWithPassword({
    email: emailOf('camila'),
    password: 'senha-certa',
  })
  expect(error).toBeNull()
  const nowSeconds = Math.floor(portal.clock.now() / 1000)
  expect(claimsOf(data.session?.access_token ?? '')).toEqual({
    role: 'authenticated',
    sub: camilaId,
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    iss: 'portal-do-corretor',
    aud: 'authenticated',
    iat: nowSeconds,
    exp: nowSeconds + 3600,
    email: 'camila@corretor.local',
    phone: '',
    app_metadata: {
      provider: 'email',
      providers: ['email'],
      portal_role: 'broker',
      username: 'camila',
      instance_name: 'corretor_camila',
      instance_id: 'instance-of-camila',
    },
    user_metadata: {},
    is_anonymous: false,
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: nowSeconds }],
  })
  expect(data.session).toMatchObject({
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: nowSeconds + 3600,
  })
  const { data: read } = await client.getUser()
  expect(read.user).toEqual(data.user)
  expect(read.user).toMatchObject({ id: camilaId, email: 'camila@corretor.local', role: 'authenticated' })
  const email = 'camila@corretor.local'
  const times = { created_at: read.user?.created_at, last_sign_in_at: read.user?.last_sign_in_at }
  expect((await client.getUserIdentities()).data?.identities).toEqual([
    {
      identity_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      id: camilaId,
      user_id: camilaId,
      identity_data: { email, email_verified: true, phone_verified: false, sub: camilaId },
      provider: 'email',
      updated_at: read.user?.updated_at,
      email,
      ...times,
    },
  ])
  expect((await client.getClaims()).data?.claims.sub).toBe(camilaId)
  expect((await client.mfa.listFactors()).data?.all).toEqual([])
})

test('an administrator signs in at the own domain only', async () => {
  const client = openAuth(base.db).client()
  const { data } = await client.signInWithPassword({ email: 'Admin@ADMIN.local', password: 'senha-do-admin' })
  expect(data.user).toMatchObject({
    id: adminId,
    app_metadata: { portal_role: 'admin', instance_name: null },
  })
  const wrongDoor = await client.signInWithPassword({ email: emailOf('admin'), password: 'senha-do-admin' })
  expect(wrongDoor.error?.code).toBe('invalid_credentials')
})

test('a session reaches the own row by row rules, and claims without a session reach nothing', async () => {
  const { data } = await openAuth(base.db)
    .client()
    .signInWithPassword({ email: emailOf('camila'), password: 'senha-certa' })
  const claims = claimsOf(data.session?.access_token ?? '')
  const seen = (given: Claims) =>
    asUser(base.db, given, async (query) => {
      return (await query('select id from public.brokers')).rows.map((row) => row['id'])
    })
  expect(await seen(claims)).toEqual([camilaId])
  expect(await seen({ ...claims, session_id: crypto.randomUUID() })).toEqual([])
  expect(await seen({ ...claims, sub: adminId })).toEqual([])
})

test.each([
  ['a wrong password', 'camila@corretor.local', 'senha-errada'],
  ['an unknown broker', 'ninguem@corretor.local', 'senha-certa'],
  ['a broker without a password', 'novato@corretor.local', 'senha-certa'],
  ['a broker at the administrators’ door', 'camila@admin.local', 'senha-certa'],
  ['an e-mail of the world', 'camila@example.com', 'senha-certa'],
  ['no e-mail at all', "x' or 1=1 --", 'senha-certa'],
  ['a NUL byte', 'camila\0@corretor.local', 'senha-certa\0'],
  ['a password beyond what bcrypt reads', 'camila@corretor.local', 'x'.repeat(5000)],
])('%s: one answer, one hash verified', async (_, email, password) => {
  let checks = 0
  const passwords = {
    ...bcryptPasswords,
    verify: (given: string, hash: string) => {
      checks += 1
      expect(hash).toMatch(/^\$2a\$\d\d\$.{53}$/)
      return bcryptPasswords.verify(given, hash)
    },
  }
  const { error } = await openAuth(base.db, { passwords })
    .client('198.51.100.7')
    .signInWithPassword({ email, password })
  expect(error).toMatchObject({ status: 400, code: 'invalid_credentials', message: 'Credenciais inválidas' })
  expect(checks).toBe(1)
})

test.each([
  [{}],
  [{ email: 'camila@corretor.local' }],
  [{ password: 'senha-certa' }],
  [{ email: '', password: 'senha-certa' }],
  [{ email: 'camila@corretor.local', password: '' }],
  [{ email: 7, password: 'senha-certa' }],
  [{ email: ['camila@corretor.local'], password: 'senha-certa' }],
  [[]],
  [null],
  ['texto'],
])('credentials %j are invalid', async (body) => {
  const answer = await openAuth(base.db).post('/auth/v1/token?grant_type=password', body)
  expect(answer).toMatchObject({
    status: 400,
    body: {
      code: 400,
      error_code: 'validation_failed',
      msg: 'You must provide either an email or phone number and a password',
    },
  })
})

test('a stored token is a hash, and no log line contains a secret', async () => {
  const portal = openAuth(base.db)
  const { data } = await portal
    .client()
    .signInWithPassword({ email: emailOf('camila'), password: 'senha-certa' })
  const refreshToken = data.session?.refresh_token ?? ''
  const { rows } = await base.db.query(
    `select encode(token_hash, 'hex') as hash from portal.refresh_tokens where session_id = $1`,
    [String(claimsOf(data.session?.access_token ?? '')['session_id'])],
  )
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(refreshToken))
  expect(rows).toEqual([{ hash: Buffer.from(digest).toString('hex') }])
  expect(portal.lines.join('\n')).toContain('sign-in.done')
  for (const secret of [refreshToken, data.session?.access_token ?? '', 'senha-certa'])
    expect(portal.lines.join('\n')).not.toContain(secret)
})

test('a password reset between check and session creation prevents it', async () => {
  await addBroker(base.db, 'lucas')
  const passwords = {
    ...bcryptPasswords,
    verify: async (given: string, hash: string) => {
      const isRight = await bcryptPasswords.verify(given, hash)
      await base.db.query(
        `update public.brokers set password_hash = null where "instanceName" = 'corretor_lucas'`,
      )
      return isRight
    },
  }
  const { error } = await openAuth(base.db, { passwords })
    .client()
    .signInWithPassword({ email: emailOf('lucas'), password: 'senha-certa' })
  expect(error?.code).toBe('invalid_credentials')
})
