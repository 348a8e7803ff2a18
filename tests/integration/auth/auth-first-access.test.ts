// A broker's first access: the lookup, the first password while it is open or by invitation; the first administrator.
import { beforeEach, expect, test } from 'vitest'
import { bcryptPasswords } from '#server/auth/accounts/passwords.ts'
import { addBroker, emailOf, openAuth, type TestAuth } from '#tests/support/auth.ts'
import { openBase } from '#tests/support/database.ts'

const DAY_MS = 86_400_000
const INVITE = 'convite-de-uma-vez-so'

let portal: TestAuth
let username: string
let count = 0
const base = await openBase()
beforeEach(async () => {
  await base.db.query('delete from portal.throttle')
  portal = openAuth(base.db)
  username = `novato${String.fromCharCode(97 + (count += 1))}`
  await addBroker(base.db, username, null)
})

const lookup = (name: unknown) => portal.post('/api/login/lookup', { username: name })
const firstAccess = (body: Record<string, unknown>, at: TestAuth = portal) =>
  at.post('/api/login/first-access', { username, password: 'minha-senha', ...body })
const signIn = (password = 'minha-senha') =>
  portal.client().signInWithPassword({ email: emailOf(username), password })
const reset = () =>
  base.db.query('update public.brokers set password_hash = null where "instanceName" = $1', [
    `corretor_${username}`,
  ])
const invite = (lifetime: string) =>
  base.db.query(
    `update portal.accounts set invite_hash = sha256(convert_to($2, 'UTF8')), invite_expires_at = now() + $3::interval
    where username = $1`,
    [username, INVITE, lifetime],
  )

test('the lookup says whether a broker exists and has a password', async () => {
  expect((await lookup(username)).body).toEqual({ exists: true, hasPassword: false })
  await firstAccess({})
  expect((await lookup(`  ${username.toUpperCase()} `)).body).toEqual({ exists: true, hasPassword: true })
  for (const unknown of ['ninguem', '', 'não existe', `${username}\0`, 'x'.repeat(5000)])
    expect((await lookup(unknown)).body).toEqual({ exists: false, hasPassword: false })
})

test('the lookup knows only brokers', async () => {
  await portal.auth.ensureFirstAdmin('chefe', 'senha-do-chefe')
  expect((await lookup('chefe')).body).toEqual({ exists: false, hasPassword: false })
})

test('a first password is set once and signs in', async () => {
  expect(await firstAccess({})).toMatchObject({ status: 200, body: {} })
  expect((await signIn()).error).toBeNull()
  const { rows } = await base.db.query(
    `select a.password_hash like '$2a$10$%' as is_bcrypt, b.password_hash as marker
    from portal.accounts a join public.brokers b on b.id = a.id where a.username = $1`,
    [username],
  )
  expect(rows).toEqual([{ is_bcrypt: true, marker: 'definida' }])
  expect(await firstAccess({ password: 'outra-senha' })).toMatchObject({
    status: 409,
    body: { error: { code: 'first-access.done' } },
  })
  expect((await signIn('outra-senha')).error?.code).toBe('invalid_credentials')
})

test('of two simultaneous first passwords one counts', async () => {
  const answers = await Promise.all([
    firstAccess({ password: 'senha-um' }),
    firstAccess({ password: 'senha-dois' }),
  ])
  const winner = answers.findIndex(({ status }) => status === 200)
  expect([403, 409]).toContain(answers[1 - winner]?.status)
  expect((await signIn(winner === 0 ? 'senha-um' : 'senha-dois')).error).toBeNull()
})

test('the open period ends after a day, and a reset reopens it, even without a password', async () => {
  portal.clock.advance(DAY_MS + 60_000)
  expect(await firstAccess({})).toMatchObject({
    status: 403,
    body: {
      error: {
        code: 'first-access.closed',
        message:
          'O primeiro acesso está fechado. Peça ao administrador um convite ou para redefinir a sua senha.',
      },
    },
  })
  await base.db.query(
    `update portal.accounts set first_access_until = now() - interval '1 second' where username = $1`,
    [username],
  )
  const today = openAuth(base.db)
  expect((await firstAccess({}, today)).status).toBe(403)
  await reset()
  expect((await firstAccess({}, today)).status).toBe(200)
})

test('a reset deletes the password and reopens the first access', async () => {
  await firstAccess({})
  await reset()
  expect((await signIn()).error?.code).toBe('invalid_credentials')
  expect((await lookup(username)).body).toEqual({ exists: true, hasPassword: false })
  expect((await firstAccess({ password: 'senha-nova' })).status).toBe(200)
  expect((await signIn('senha-nova')).error).toBeNull()
})

test('by invitation: only its code works, once', async () => {
  const strict = openAuth(base.db, { firstAccess: 'invite' })
  expect((await firstAccess({}, strict)).status).toBe(403)
  expect((await firstAccess({ invite: INVITE }, strict)).status).toBe(403)
  await invite('1 hour')
  expect(await firstAccess({ invite: 'outro' }, strict)).toMatchObject({
    status: 403,
    body: { error: { message: 'Este convite não vale mais. Peça outro ao administrador.' } },
  })
  expect((await firstAccess({ invite: INVITE }, strict)).status).toBe(200)
  const { rows } = await base.db.query(
    'select invite_hash, invite_expires_at from portal.accounts where username = $1',
    [username],
  )
  expect(rows).toEqual([{ invite_hash: null, invite_expires_at: null }])
})

test('an invitation expires, and a reset revokes it', async () => {
  const strict = openAuth(base.db, { firstAccess: 'invite' })
  await invite('1 hour')
  strict.clock.advance(3600_000 + 60_000)
  expect((await firstAccess({ invite: INVITE }, strict)).status).toBe(403)
  await invite('1 day')
  await reset()
  expect((await firstAccess({ invite: INVITE }, strict)).status).toBe(403)
})

test('an invitation works after the open period, too', async () => {
  portal.clock.advance(2 * DAY_MS)
  await invite('7 days')
  expect((await firstAccess({ invite: INVITE })).status).toBe(200)
})

test.each([
  [{ password: 'cinco' }, 422, 'password.too-short', 'A senha precisa de pelo menos 6 caracteres.'],
  [
    { password: 'x'.repeat(73) },
    422,
    'password.too-long',
    'A senha é longa demais: use até 72 caracteres (acentos e emojis contam mais de um).',
  ],
  [
    { password: 'senha\0nova' },
    422,
    'password.bad-character',
    'A senha tem um caractere que não pode ser usado.',
  ],
  [{ username: 'ninguem' }, 404, 'login.unknown-user', 'Corretor não encontrado'],
  [{ username: 7 }, 400, 'request.invalid', 'Informe o usuário e a nova senha.'],
  [{ password: null }, 400, 'request.invalid', 'Informe o usuário e a nova senha.'],
  [{ invite: {} }, 400, 'request.invalid', 'Informe o usuário e a nova senha.'],
])('a first password is refused and changes nothing: %j', async (body, status, ...[code, message]) => {
  expect(await firstAccess(body)).toMatchObject({ status, body: { error: { code, message } } })
  expect((await lookup(username)).body).toEqual({ exists: true, hasPassword: false })
})

test('guessing invitations is throttled, and computes no hash', async () => {
  let hashes = 0
  const passwords = {
    ...bcryptPasswords,
    hash: (password: string) => {
      hashes += 1
      return bcryptPasswords.hash(password)
    },
  }
  const strict = openAuth(base.db, { firstAccess: 'invite', passwords })
  for (let n = 0; n < 5; n += 1)
    expect((await firstAccess({ invite: `código ${n}` }, strict)).status).toBe(403)
  const refused = await firstAccess({ invite: 'código' }, strict)
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'login.throttled' } } })
  expect(refused.headers.get('retry-after')).toBe('30')
  expect(hashes).toBe(0)
})

test('the first administrator is created once, with a generated password shown once', async () => {
  await base.db.query(`delete from portal.accounts where role = 'admin'`)
  const two = openAuth(base.db)
  const made = await Promise.all([portal.auth.ensureFirstAdmin('admin'), two.auth.ensureFirstAdmin('admin')])
  const reported = made.filter((admin) => admin !== null)
  expect(reported).toHaveLength(1)
  expect(reported[0]?.password).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/)
  const { error } = await portal
    .client()
    .signInWithPassword({ email: 'admin@admin.local', password: reported[0]?.password ?? '' })
  expect(error).toBeNull()
  expect(await portal.auth.ensureFirstAdmin('outro', 'outra-senha')).toBeNull()
  expect(portal.lines.join('\n')).not.toContain(reported[0]?.password)
})

test('a configured password of the first administrator is used, and not shown', async () => {
  await base.db.query(`delete from portal.accounts where role = 'admin'`)
  await expect(portal.auth.ensureFirstAdmin('chefe', 'x'.repeat(80))).rejects.toMatchObject({
    code: 'password.too-long',
  })
  expect(await portal.auth.ensureFirstAdmin('chefe', 'senha-do-chefe')).toBeNull()
  const { error } = await portal
    .client()
    .signInWithPassword({ email: 'chefe@admin.local', password: 'senha-do-chefe' })
  expect(error).toBeNull()
})
