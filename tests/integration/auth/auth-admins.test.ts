// Administrators manage each other: added by a one-time link, reset, removed, never the last one; the own password.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { listAdmins, resetAdmin } from '#server/auth/accounts/reset-admin.ts'
import { addAdmin, addBroker, openAuth, type TestAuth } from '#tests/support/auth.ts'
import { onPostgres, openBase } from '#tests/support/database.ts'
import { tokenOf, turnOn } from '#tests/support/factors.ts'
import { untilLockAwaited } from '#tests/support/make.ts'

let portal: TestAuth
let chief: string
let chiefId: string
let broker: string
const base = await openBase()
await addBroker(base.db, 'camila')
beforeEach(async () => {
  await base.db.exec(`delete from portal.accounts where role = 'admin'; delete from portal.throttle`)
  portal = openAuth(base.db)
  chiefId = await addAdmin(base.db, 'chefe', 'senha-certa')
  chief = await enter('chefe@admin.local')
  broker = await enter('camila@corretor.local')
})

async function clientOf(email: string, password = 'senha-certa') {
  const client = portal.client()
  const { error } = await client.signInWithPassword({ email, password })
  if (error) throw error
  return client
}
const enter = async (email: string, password?: string) => tokenOf(await clientOf(email, password))

async function ask(token: string | null, path: string, body?: unknown) {
  const answer = await portal.request(path, {
    method: body === undefined ? 'GET' : 'POST',
    ...(token === null ? {} : { headers: { authorization: `Bearer ${token}` } }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  // These addresses always answer JSON.
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const operation = () => ({ operationId: randomUUID() })
const add = (username: string, more = operation(), token = chief) =>
  ask(token, '/api/admins', { ...more, username })
const list = async (token = chief) =>
  (await ask(token, '/api/admins')).body as unknown as { id: string; username: string }[]
const firstAccess = (username: string, password: string, invite: unknown) =>
  ask(null, '/api/login/first-access', { role: 'admin', username, password, invite })

test('one is added, sets the first password with the link, once, and signs in', async () => {
  const { status, body } = await add('vera')
  expect(status).toBe(200)
  expect(body).toEqual({ username: 'vera', invite: expect.stringMatching(/^[\w-]{43}$/) })
  expect(await list()).toMatchObject([
    { username: 'chefe', hasPassword: true, hasSecondStep: false, seenAt: expect.any(String) },
    { username: 'vera', hasPassword: false, seenAt: null },
  ])
  // FIRST_ACCESS=open applies to brokers: an administrator always needs the link.
  for (const invite of [null, 'x'.repeat(43)])
    expect((await firstAccess('vera', 'senha-da-vera', invite)).body).toMatchObject({
      error: { code: 'first-access.closed' },
    })
  expect((await firstAccess('vera', 'senha-da-vera', body['invite'])).status).toBe(200)
  expect((await firstAccess('vera', 'outra-senha', body['invite'])).status).toBe(403)
  const vera = await enter('vera@admin.local', 'senha-da-vera')
  expect(await list(vera)).toHaveLength(2)
})

test('a stranger cannot learn which administrators exist', async () => {
  await add('vera')
  const [known, invited, unknown] = [
    await firstAccess('chefe', 'senha-nova', 'x'),
    await firstAccess('vera', 'senha-nova', 'x'),
    await firstAccess('ninguem', 'senha-nova', 'x'),
  ]
  expect(invited).toEqual(known)
  expect(unknown).toEqual(known)
})

test('the link expires after seven days, and a new one replaces it', async () => {
  const { body } = await add('vera')
  portal.clock.advance(7 * 86_400_000)
  expect((await firstAccess('vera', 'senha-da-vera', body['invite'])).status).toBe(403)
  chief = await enter('chefe@admin.local')
  const [, vera] = await list()
  const again = await ask(chief, `/api/admins/${vera?.id}/reset`, operation())
  expect(again.body).toEqual({ username: 'vera', invite: expect.any(String) })
  expect((await firstAccess('vera', 'senha-da-vera', again.body['invite'])).status).toBe(200)
})

test('repeating an operation adds one administrator, with the valid link', async () => {
  const same = operation()
  const answers = await Promise.all([add('vera', same), add('vera', same)])
  expect(answers[0]).toEqual(answers[1])
  expect(await list()).toHaveLength(2)
  expect((await add('vera')).body).toMatchObject({
    error: { code: 'admin.taken', message: 'Já existe um administrador com este nome' },
  })
  expect((await firstAccess('vera', 'senha-da-vera', answers[0].body['invite'])).status).toBe(200)
})

test('a reset deletes password, second factor and sessions; nobody resets or removes oneself', async () => {
  const id = await addAdmin(base.db, 'vera', 'senha-certa')
  const client = await clientOf('vera@admin.local')
  await turnOn(portal, client)
  const before = await tokenOf(client)
  const { body } = await ask(chief, `/api/admins/${id}/reset`, operation())
  expect((await ask(before, '/api/admins')).status).toBe(401)
  await expect(enter('vera@admin.local')).rejects.toThrow('Credenciais inválidas')
  await firstAccess('vera', 'senha-nova-dela', body['invite'])
  expect(await list(await enter('vera@admin.local', 'senha-nova-dela'))).toHaveLength(2)
  for (const deed of ['reset', 'remove'])
    expect((await ask(chief, `/api/admins/${chiefId}/${deed}`, operation())).body).toMatchObject({
      error: { code: 'admin.self' },
    })
})

test('a removed one loses access at once, and a repeat is no error', async () => {
  const id = await addAdmin(base.db, 'vera', 'senha-certa')
  const vera = await enter('vera@admin.local')
  const same = operation()
  expect((await ask(chief, `/api/admins/${id}/remove`, same)).status).toBe(200)
  expect((await ask(vera, '/api/admins')).status).toBe(401)
  expect((await ask(chief, `/api/admins/${id}/remove`, same)).status).toBe(200)
  for (const gone of [id, randomUUID(), 'nada'])
    expect((await ask(chief, `/api/admins/${gone}/remove`, operation())).body).toMatchObject({
      error: { code: 'admin.unknown' },
    })
})

test('two who remove each other at once: one stays', async () => {
  const id = await addAdmin(base.db, 'vera', 'senha-certa')
  const vera = await enter('vera@admin.local')
  const outcomes = await Promise.all([
    ask(chief, `/api/admins/${id}/remove`, operation()),
    ask(vera, `/api/admins/${chiefId}/remove`, operation()),
  ])
  expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1)
  const { rows } = await base.db.query(`select from portal.accounts where role = 'admin'`)
  expect(rows).toHaveLength(1)
})

// Only a native Postgres has two transactions at once.
onPostgres.test.each([
  ['reset', 'remove'],
  ['remove', 'reset'],
  ['reset', 'reset'],
])('of two at once, %s and %s of each other, the second is refused', async (first, second) => {
  const id = await addAdmin(base.db, 'vera', 'senha-certa')
  const vera = await enter('vera@admin.local')
  const outcomes = await base.db.transaction(async (query) => {
    await query(`select from portal.accounts where role = 'admin' for update`)
    const one = ask(chief, `/api/admins/${id}/${first}`, operation())
    await untilLockAwaited(base.db, 1)
    const other = ask(vera, `/api/admins/${chiefId}/${second}`, operation())
    await untilLockAwaited(base.db, 2)
    return { one, other }
  })
  expect([(await outcomes.one).status, (await outcomes.other).status]).toEqual([200, 401])
  expect(await list()).not.toHaveLength(0)
})

test("the operator resets one's access on the machine, with an audit log entry each time", async () => {
  const client = await clientOf('chefe@admin.local')
  await turnOn(portal, client)
  expect(await listAdmins(base.db)).toEqual([{ username: 'chefe', hasPassword: true, hasSecondStep: true }])
  const reset = () => resetAdmin({ db: base.db, clock: portal.clock }, 'chefe')
  const lost = await reset()
  const { invite } = await reset()
  expect((await ask(await tokenOf(client), '/api/admins')).status).toBe(401)
  expect(await listAdmins(base.db)).toEqual([{ username: 'chefe', hasPassword: false, hasSecondStep: false }])
  expect((await firstAccess('chefe', 'senha-nova-dela', lost.invite)).status).toBe(403)
  expect((await firstAccess('chefe', 'senha-nova-dela', invite)).status).toBe(200)
  await enter('chefe@admin.local', 'senha-nova-dela')
  const { rows } = await base.db.query(
    `select actor_role, subject, details from portal.audit_log where action = 'admin.reset' order by id desc limit 2`,
  )
  const line = { actor_role: 'system', subject: 'chefe', details: { place: 'server' } }
  expect(rows).toEqual([line, line])

  for (const name of ['vera', 'camila'])
    await expect(resetAdmin({ db: base.db, clock: portal.clock }, name)).rejects.toThrow(
      `Nenhum administrador se chama ${name}. Há: chefe.`,
    )
  // A broker with that name keeps the password.
  await enter('camila@corretor.local')
})

describe('callers without the right', () => {
  const calls: (readonly [string, unknown])[] = [
    ['/api/admins', undefined],
    ['/api/admins', { ...operation(), username: 'intruso' }],
    [`/api/admins/${randomUUID()}/reset`, operation()],
    [`/api/admins/${randomUUID()}/remove`, operation()],
    ['/api/account/second-step', undefined],
    ['/api/account/recovery-codes', operation()],
  ]
  test.each(calls)('is refused: %s', async (path, body) => {
    expect((await ask(broker, path, body)).body).toMatchObject({
      error: {
        code: 'access.denied',
        message: path.startsWith('/api/admins')
          ? 'Somente um administrador pode fazer isto.'
          : 'Somente um administrador ou um gerente pode fazer isto.',
      },
    })
    expect((await ask(null, path, body)).status).toBe(401)
    expect(await list()).toHaveLength(1)
  })
})

test.each([
  ['/api/admins', { ...operation(), username: 'Vera Lúcia' }],
  ['/api/admins', { username: 'vera' }],
  ['/api/admins', 'nada'],
  ['/api/account/recovery-codes', {}],
])('an incomplete body changes nothing: %s %j', async (path, body) => {
  expect((await ask(chief, path, body)).status).toBe(400)
  expect(await list()).toHaveLength(1)
})

test('changing the own password requires the old one; other sessions end', async () => {
  const elsewhere = chief
  const client = await clientOf('chefe@admin.local')
  for (const change of [{ password: 'senha-nova' }, { password: 'senha-nova', current_password: 'errada' }])
    expect((await client.updateUser(change)).error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
    })
  expect(
    (await client.updateUser({ password: 'senha-nova', current_password: 'senha-certa' })).error,
  ).toBeNull()
  expect((await ask(elsewhere, '/api/admins')).status).toBe(401)
  expect(await list(await tokenOf(client))).toHaveLength(1)
  await expect(enter('chefe@admin.local')).rejects.toThrow('Credenciais inválidas')
})
