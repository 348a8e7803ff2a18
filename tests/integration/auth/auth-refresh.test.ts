// Refresh tokens rotate; a lost response and two simultaneous tabs are tolerated, any older reuse ends the session.
import { beforeEach, expect, test } from 'vitest'
import { addBroker, claimsOf, emailOf, openAuth, type TestAuth } from '#tests/support/auth.ts'
import { manualClock } from '#tests/support/clock.ts'
import { openBase } from '#tests/support/database.ts'

const DAY_MS = 86_400_000

let portal: TestAuth
const base = await openBase()
await addBroker(base.db, 'camila')
beforeEach(() => {
  portal = openAuth(base.db)
})

type Session = { access_token: string; refresh_token: string; error_code?: string }

async function signIn(): Promise<Session> {
  const { data } = await portal
    .client()
    .signInWithPassword({ email: emailOf('camila'), password: 'senha-certa' })
  if (!data.session) throw new Error('no session')
  return data.session
}

async function exchange(refreshToken: string, at: TestAuth = portal) {
  const { status, body } = await at.post('/auth/v1/token?grant_type=refresh_token', {
    refresh_token: refreshToken,
  })
  // Two forms of answers, distinguished by status.
  return { status, ...(body as Session) }
}

const isAlive = async ({ access_token }: Session) =>
  (await portal.request('/auth/v1/user', { headers: { authorization: `Bearer ${access_token}` } })).status ===
  200

test('auth-js refreshes: a new pair of tokens in the same session', async () => {
  const client = portal.client()
  const first = await client.signInWithPassword({ email: emailOf('camila'), password: 'senha-certa' })
  portal.clock.advance(1000)
  const second = await client.refreshSession()
  expect(second.error).toBeNull()
  expect(second.data.session?.refresh_token).not.toBe(first.data.session?.refresh_token)
  expect(second.data.session?.access_token).not.toBe(first.data.session?.access_token)
  const sessionOf = (session: { access_token: string } | null) =>
    claimsOf(session?.access_token ?? '')['session_id']
  expect(sessionOf(second.data.session)).toBe(sessionOf(first.data.session))
  expect((await client.getUser()).data.user?.email).toBe(emailOf('camila'))
})

test('after a lost response: the parent of an unused token is accepted again, weeks later too', async () => {
  const { refresh_token: parent } = await signIn()
  const lost = await exchange(parent)
  portal.clock.advance(29 * DAY_MS)
  const again = await exchange(parent)
  expect(again.status).toBe(200)
  expect(again.refresh_token).toBe(lost.refresh_token)
  portal.clock.advance(29 * DAY_MS)
  expect((await exchange(again.refresh_token)).status).toBe(200)
})

test('two tabs refresh at once, also in two processes, and both continue', async () => {
  const { refresh_token: shared } = await signIn()
  const other = openAuth(base.db, { clock: portal.clock })
  const answers = await Promise.all([
    exchange(shared),
    exchange(shared, other),
    exchange(shared),
    exchange(shared, other),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(1)
  for (const answer of answers) expect((await exchange(answer.refresh_token)).status).toBe(200)
})

test('an older token ends the session at once', async () => {
  const first = await signIn()
  const second = await exchange(first.refresh_token)
  const third = await exchange(second.refresh_token)
  expect(await isAlive(third)).toBe(true)
  // second was used, so first is older than the newest token's parent.
  const fourth = await exchange(third.refresh_token)
  const theft = await exchange(first.refresh_token)
  expect(theft).toMatchObject({ status: 400, error_code: 'refresh_token_already_used' })
  expect(await exchange(fourth.refresh_token)).toMatchObject({
    status: 400,
    error_code: 'refresh_token_not_found',
  })
  for (const session of [first, second, third, fourth]) expect(await isAlive(session)).toBe(false)
})

test('the grandparent of the newest token counts as older', async () => {
  const first = await signIn()
  const second = await exchange(first.refresh_token)
  await exchange(second.refresh_token)
  expect((await exchange(first.refresh_token)).error_code).toBe('refresh_token_already_used')
})

test('an older token and the newest at once: the session ends, in either order', async () => {
  const first = await signIn()
  const second = await exchange(first.refresh_token)
  const third = await exchange(second.refresh_token)
  const [theft] = await Promise.all([exchange(first.refresh_token), exchange(third.refresh_token)])
  expect(theft.error_code).toBe('refresh_token_already_used')
  expect(await isAlive(third)).toBe(false)
})

test('reuse in one session does not affect other sessions', async () => {
  const [stolen, other] = [await signIn(), await signIn()]
  const second = await exchange(stolen.refresh_token)
  await exchange(second.refresh_token)
  await exchange(stolen.refresh_token)
  expect(await isAlive(stolen)).toBe(false)
  expect(await isAlive(other)).toBe(true)
})

test('a token expires after thirty days without use, and each use restarts them', async () => {
  const first = await signIn()
  portal.clock.advance(30 * DAY_MS - 1000)
  const second = await exchange(first.refresh_token)
  expect(second.status).toBe(200)
  portal.clock.advance(30 * DAY_MS)
  expect(await exchange(second.refresh_token)).toMatchObject({ status: 400, error_code: 'session_expired' })
  expect(await exchange(second.refresh_token)).toMatchObject({
    status: 400,
    error_code: 'refresh_token_not_found',
  })
})

test('auth-js drops a session whose refresh is refused once its access token has expired', async () => {
  const client = openAuth(base.db, { clock: manualClock(Date.now() - 2 * 3600_000) }).client()
  await client.signInWithPassword({ email: emailOf('camila'), password: 'senha-certa' })
  await base.db.query('delete from portal.sessions')
  const { error } = await client.refreshSession()
  expect(error?.code).toBe('refresh_token_not_found')
  expect((await client.getSession()).data.session).toBeNull()
})

test('an access token is no refresh token, and one of another portal is unknown', async () => {
  const session = await signIn()
  for (const token of [session.access_token, 'x', '', `${session.refresh_token}x`])
    expect(await exchange(token)).toMatchObject({ status: 400, error_code: 'refresh_token_not_found' })
  expect(await isAlive(session)).toBe(true)
})

test('an access token expires after an hour, while the refresh token stays valid', async () => {
  const session = await signIn()
  portal.clock.advance(3600_000)
  const late = await portal.request('/auth/v1/user', {
    headers: { authorization: `Bearer ${session.access_token}` },
  })
  expect(late.status).toBe(403)
  expect(await late.json()).toMatchObject({ error_code: 'bad_jwt' })
  expect(await isAlive(await exchange(session.refresh_token))).toBe(true)
})

test('maintenance deletes only expired ones', async () => {
  await base.db.query('delete from portal.sessions')
  const stop = portal.auth.maintenance()
  const idle = await signIn()
  const busy = await signIn()
  let newest = busy
  for (let day = 0; day < 40; day += 1) {
    portal.clock.advance(DAY_MS)
    newest = await exchange(newest.refresh_token)
  }
  // Maintenance runs in parallel with requests.
  const tokens = async () => (await base.db.query('select from portal.refresh_tokens')).rowCount
  await expect.poll(tokens, { interval: 10 }).toBeLessThanOrEqual(32)
  expect((await base.db.query('select from portal.sessions')).rowCount).toBe(1)
  expect((await exchange(idle.refresh_token)).error_code).toBe('refresh_token_not_found')
  newest = await exchange(newest.refresh_token)
  expect(await isAlive(newest)).toBe(true)
  stop()
})
