// Sign-out, changing and resetting a password, removing a broker: access ends at once, everywhere.
import { beforeEach, expect, test } from 'vitest'
import { asUser } from '#server/db/as-user.ts'
import { addAdmin, addBroker, claimsOf, emailOf, openAuth, type TestAuth } from '#tests/support/auth.ts'
import { openBase } from '#tests/support/database.ts'
import { byTier } from '#tests/support/runner/tier.ts'

let portal: TestAuth
let username: string
let count = 0
const letter = (place: number) => String.fromCharCode(97 + Math.floor(place))

const base = await openBase()
beforeEach(async () => {
  portal = openAuth(base.db)
  count += 1
  username = `corretor${letter(count / 26)}${letter(count % 26)}`
  await addBroker(base.db, username)
})

async function signIn(password = 'senha-certa') {
  const client = portal.client()
  const { data, error } = await client.signInWithPassword({ email: emailOf(username), password })
  if (error) throw error
  return { client, token: data.session?.access_token ?? '', refreshToken: data.session?.refresh_token ?? '' }
}
type Device = Awaited<ReturnType<typeof signIn>>

/** What this device can still reach: its user, its row by row rules, a new token. */
async function reach({ token, refreshToken }: Device) {
  const user = await portal.request('/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })
  const rows = await asUser(base.db, claimsOf(token), async (query) => {
    return (await query('select from public.brokers')).rowCount
  })
  const refresh = await portal.post('/auth/v1/token?grant_type=refresh_token', {
    refresh_token: refreshToken,
  })
  return { user: user.status, rows, refresh: refresh.status }
}
const ALIVE = { user: 200, rows: 1, refresh: 200 }
const OVER = { user: 403, rows: 0, refresh: 400 }

test.each([
  ['global', [OVER, OVER]],
  ['local', [OVER, ALIVE]],
  ['others', [ALIVE, OVER]],
] as const)('sign-out with scope %s', async (scope, [here, elsewhere]) => {
  const [first, second] = [await signIn(), await signIn()]
  expect((await first.client.signOut({ scope })).error).toBeNull()
  expect(await reach(first)).toEqual(here)
  expect(await reach(second)).toEqual(elsewhere)
})

test('signing out of one account leaves every other account signed in', async () => {
  const mine = await signIn()
  username = `${username}outro`
  await addBroker(base.db, username)
  const other = await signIn()
  await mine.client.signOut({ scope: 'global' })
  expect(await reach(other)).toEqual(ALIVE)
})

test('simultaneous sign-out on two devices', async () => {
  const devices = [await signIn(), await signIn(), await signIn()]
  await Promise.all(devices.map(({ client }) => client.signOut({ scope: 'global' })))
  for (const device of devices) expect(await reach(device)).toEqual(OVER)
})

test('an ended session is reported with the code that auth-js understands', async () => {
  const device = await signIn()
  await base.db.query('delete from portal.sessions')
  const { error } = await device.client.getUser()
  expect(error?.name).toBe('AuthSessionMissingError')
  expect((await device.client.getSession()).data.session).toBeNull()
})

test('a new password ends the other sessions and is the only one that works', async () => {
  const [here, elsewhere] = [await signIn(), await signIn()]
  const { data, error } = await here.client.updateUser({
    current_password: 'senha-certa',
    password: 'outra-senha-ção',
  })
  expect(error).toBeNull()
  expect(data.user?.email).toBe(emailOf(username))
  expect(await reach(here)).toEqual(ALIVE)
  expect(await reach(elsewhere)).toEqual(OVER)
  await expect(signIn()).rejects.toMatchObject({ code: 'invalid_credentials' })
  // The other Unicode form of ç and ã is the same password.
  expect(await reach(await signIn('outra-senha-ção'.normalize('NFD')))).toEqual(ALIVE)
})

const CHANGE = JSON.stringify({ current_password: 'senha-certa', password: 'senha-nova' })

test.each([
  ['too short', { password: 'cinco' }, 422, 'weak_password'],
  ['longer than bcrypt reads', { password: 'ção'.repeat(25) }, 422, 'weak_password'],
  ['with a NUL byte', { password: 'senha\0nova' }, 422, 'weak_password'],
  ['the same', { current_password: 'senha-certa', password: 'senha-certa' }, 422, 'same_password'],
  ['no current password', { password: 'senha-nova' }, 400, 'invalid_credentials'],
  ['an empty one', { current_password: '', password: 'senha-nova' }, 400, 'invalid_credentials'],
  ['another e-mail', { email: 'x@corretor.local' }, 400, 'validation_failed'],
  [
    'another e-mail beside a password',
    { email: 'x@corretor.local', password: 'senha-nova' },
    400,
    'validation_failed',
  ],
  ['own data', { data: { portal_role: 'admin' } }, 400, 'validation_failed'],
  ['own data beside a password', { data: {}, password: 'senha-nova' }, 400, 'validation_failed'],
  [
    'a wrong current password',
    { current_password: 'errada', password: 'senha-nova' },
    400,
    'invalid_credentials',
  ],
])('a change is refused and changes nothing: %s', async (_, change, ...[status, code]) => {
  const [here, elsewhere] = [await signIn(), await signIn()]
  const { error } = await here.client.updateUser(change)
  expect(error).toMatchObject({ status, code })
  expect(await reach(here)).toEqual(ALIVE)
  expect(await reach(elsewhere)).toEqual(ALIVE)
  expect(await reach(await signIn())).toEqual(ALIVE)
})

test('an unlocked phone gets few guesses at the current password, also through changes', async () => {
  const device = await signIn()
  const guess = (current_password?: string) =>
    device.client.updateUser({ ...(current_password && { current_password }), password: 'senha-nova' })
  const guesses = ['primeira', undefined, 'terceira', 'quarta', undefined]
  for (const current of guesses) expect((await guess(current)).error?.status).toBe(400)
  expect((await guess('senha-certa')).error).toMatchObject({
    status: 429,
    code: 'over_request_rate_limit',
  })
  expect(await reach(device)).toEqual(ALIVE)
  portal.clock.advance(30_000)
  expect((await guess('senha-certa')).error).toBeNull()
})

test('of two simultaneous changes one counts, and the other device is signed out', async () => {
  const [first, second] = [await signIn(), await signIn()]
  const outcomes = await Promise.all([
    first.client.updateUser({ current_password: 'senha-certa', password: 'senha-um' }),
    second.client.updateUser({ current_password: 'senha-certa', password: 'senha-dois' }),
  ])
  const winner = outcomes.findIndex(({ error }) => error === null)
  expect(outcomes.filter(({ error }) => error === null)).toHaveLength(1)
  // Depending on the order, its password was wrong or its session gone.
  expect(['AuthSessionMissingError', 'AuthApiError']).toContain(outcomes[1 - winner]?.error?.name)
  expect(await reach(await signIn(winner === 0 ? 'senha-um' : 'senha-dois'))).toEqual(ALIVE)
})

test('a reset by the administrator ends every session and the password', async () => {
  const device = await signIn()
  const admin = await signInAdmin()
  await asUser(base.db, admin, (query) =>
    query('update public.brokers set password_hash = null where "instanceName" = $1', [
      `corretor_${username}`,
    ]),
  )
  expect(await reach(device)).toEqual(OVER)
  await expect(signIn()).rejects.toMatchObject({ code: 'invalid_credentials' })
})

test('removing the broker ends every session and the account', async () => {
  const device = await signIn()
  const admin = await signInAdmin()
  await asUser(base.db, admin, (query) =>
    query('delete from public.brokers where "instanceName" = $1', [`corretor_${username}`]),
  )
  expect(await reach(device)).toEqual(OVER)
  await expect(signIn()).rejects.toMatchObject({ code: 'invalid_credentials' })
})

async function signInAdmin() {
  const name = `${username}.chefe`
  await addAdmin(base.db, name, 'senha-do-admin')
  const { data } = await portal.client().signInWithPassword({
    email: `${name}@admin.local`,
    password: 'senha-do-admin',
  })
  return claimsOf(data.session?.access_token ?? '')
}

test.each([
  ['no token', {}, 401, 'no_authorization'],
  ['another scheme', { authorization: 'Basic Y2FtaWxhOnNlbmhh' }, 401, 'no_authorization'],
  ['an empty token', { authorization: 'Bearer ' }, 401, 'no_authorization'],
  ['no token at all', { authorization: 'Bearer x' }, 403, 'bad_jwt'],
])('%s gives no access', async (_, headers: Record<string, string>, ...[status, code]) => {
  for (const [method, path] of [
    ['GET', '/auth/v1/user'],
    ['PUT', '/auth/v1/user'],
    ['POST', '/auth/v1/logout'],
  ] as const) {
    const answer = await portal.request(path, { method, headers })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ code: status, error_code: code })
  }
})

test('everything at once on one account: only refusals, and in the end the reset counts', async () => {
  const admin = await signInAdmin()
  const asAdmin = async (sql: string) => {
    const values = [`corretor_${username}`]
    await asUser(base.db, admin, (query) => query(sql, values))
    return { status: 200 }
  }
  const reset = 'update public.brokers set password_hash = null where "instanceName" = $1'
  const firstAccess = () => portal.post('/api/login/first-access', { username, password: 'senha-certa' })

  for (let round = 0; round < byTier(2, 6); round += 1) {
    await base.db.query('delete from portal.throttle')
    const device = await signIn()
    const headers = { authorization: `Bearer ${device.token}` }
    const credentials = { email: emailOf(username), password: 'senha-certa' }
    const answers = await Promise.all([
      portal.request('/auth/v1/user', { method: 'PUT', headers, body: CHANGE }),
      asAdmin(reset),
      firstAccess(),
      portal.post('/auth/v1/token?grant_type=refresh_token', { refresh_token: device.refreshToken }),
      portal.post('/auth/v1/token?grant_type=password', credentials),
      portal.request('/auth/v1/logout?scope=others', { method: 'POST', headers }),
      asAdmin(`update public.brokers set status = 'ativo' where "instanceName" = $1`),
    ])
    expect(Math.max(...answers.map(({ status }) => status))).toBeLessThan(500)
    await asAdmin(reset)
    expect((await reach(device)).user).toBe(403)
    expect((await firstAccess()).status).toBe(200)
  }

  const [removal] = await Promise.allSettled([
    asAdmin('delete from public.brokers where "instanceName" = $1'),
    signIn(),
    firstAccess(),
  ])
  expect(removal.status).toBe('fulfilled')
  await expect(signIn()).rejects.toMatchObject({ code: 'invalid_credentials' })
})
