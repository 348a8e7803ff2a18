// The four public sign-in functions: who may run them, their answers, and hashes and counts shared with the portal.
import { beforeEach, expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { Query } from '#server/db/database.ts'
import { addAdmin, addBroker, claimsOf, emailOf, openAuth } from '#tests/support/auth.ts'
import { openBase } from '#tests/support/database.ts'

const base = await openBase()
await addBroker(base.db, 'camila')
const adminId = await addAdmin(base.db, 'admin', 'senha-do-admin')
const portal = openAuth(base.db)
const signIn = async (email: string, password: string) =>
  claimsOf((await portal.client().signInWithPassword({ email, password })).data.session?.access_token ?? '')
const adminClaims = await signIn('admin@admin.local', 'senha-do-admin')
const brokerClaims = await signIn(emailOf('camila'), 'senha-certa')
beforeEach(() => base.db.query('delete from portal.throttle'))

const CALLS = [
  `select * from public.authenticate_admin('admin', 'senha-do-admin')`,
  `select public.authenticate_broker('corretor_camila', 'senha-certa')`,
  `select public.check_broker_has_password('corretor_camila')`,
  `select public.set_broker_password('corretor_camila', 'senha-nova')`,
]
const asAdmin = <T>(run: (query: Query) => Promise<T>) => asUser(base.db, adminClaims, run)
const valueOf = async (query: Query, sql: string) => Object.values((await query(sql)).rows[0] ?? {})[0]

test.each(CALLS)('anon, brokers and forged claims may not run it: %s', async (call) => {
  for (const claims of [
    { role: 'anon' },
    { role: 'authenticated' },
    brokerClaims,
    { ...adminClaims, session_id: crypto.randomUUID() },
    { ...adminClaims, session_id: brokerClaims['session_id'] },
  ] satisfies Claims[])
    await expect(asUser(base.db, claims, (query) => query(call))).rejects.toMatchObject({ code: '42501' })
  expect((await base.db.query('select from portal.throttle')).rowCount).toBe(0)
})

test('the portal itself and service_role may run them', async () => {
  const run = async (query: Query) => [
    (await query(CALLS[0] ?? '')).rows,
    await valueOf(query, CALLS[1] ?? ''),
    await valueOf(query, CALLS[2] ?? ''),
  ]
  const answers = [[{ id: adminId, username: 'admin', authenticated: true }], true, true]
  expect(await base.db.transaction(run)).toEqual(answers)
  expect(await asUser(base.db, { role: 'service_role' }, run)).toEqual(answers)
})

test('an administrator runs them', async () => {
  const answers = await asAdmin(async (query) => [
    (await query(`select * from public.authenticate_admin('admin', 'errada')`)).rows,
    (await query(`select * from public.authenticate_admin('ninguem', 'senha-do-admin')`)).rows,
    await valueOf(query, `select public.authenticate_broker('corretor_camila', 'errada')`),
    await valueOf(query, `select public.authenticate_broker('camila', 'senha-certa')`),
    await valueOf(query, `select public.authenticate_broker(null, null)`),
    await valueOf(query, `select public.authenticate_broker('corretor_ninguem', '')`),
    await valueOf(query, `select public.check_broker_has_password('corretor_ninguem')`),
  ])
  expect(answers).toEqual([
    [{ id: null, username: 'admin', authenticated: false }],
    [{ id: null, username: 'ninguem', authenticated: false }],
    false,
    true,
    false,
    false,
    false,
  ])
})

test('a password set in SQL works at the portal, and one set at the portal in SQL', async () => {
  const portal = openAuth(base.db)
  await addBroker(base.db, 'sql', null)
  await addBroker(base.db, 'wire', null)
  const password = 'coração 💬'
  await asAdmin((query) =>
    query(`select public.set_broker_password('corretor_sql', $1)`, [password.normalize('NFD')]),
  )
  const { error } = await portal.client().signInWithPassword({ email: emailOf('sql'), password })
  expect(error).toBeNull()
  await portal.post('/api/login/first-access', { username: 'wire', password })
  const isRight = await asAdmin((query) =>
    query(`select public.authenticate_broker('corretor_wire', $1) as is_right`, [password.normalize('NFD')]),
  )
  expect(isRight.rows).toEqual([{ is_right: true }])
})

test("a password's first 72 bytes, which bcrypt reads, are not the password", async () => {
  await addBroker(base.db, 'longo', null)
  const longest = 'x'.repeat(72)
  const answers = await asAdmin(async (query) => {
    await query(`select public.set_broker_password('corretor_longo', $1)`, [longest])
    const { rows } = await query(
      `select public.authenticate_broker('corretor_longo', $1) as longest, public.authenticate_broker('corretor_longo', $2) as longer`,
      [longest, `${longest}x`],
    )
    return rows
  })
  expect(answers).toEqual([{ longest: true, longer: false }])
})

test.each([
  ['corretor_camila', 'senha-nova', 'Erro ao definir a senha'],
  ['corretor_ninguem', 'senha-nova', 'Corretor não encontrado'],
  ['corretor_fechado', 'senha-nova', 'Erro ao definir a senha'],
  ['corretor_camila', 'cinco', 'A senha precisa ter de 6 a 72 caracteres.'],
  ['corretor_camila', 'ç'.repeat(37), 'A senha precisa ter de 6 a 72 caracteres.'],
  ['corretor_camila', null, 'A senha precisa ter de 6 a 72 caracteres.'],
])('no password is set for %s with %j', async (instance, password, message) => {
  if (instance === 'corretor_fechado') {
    await addBroker(base.db, 'fechado', null)
    await base.db.query(`update portal.accounts set first_access_until = now() where username = 'fechado'`)
  }
  await expect(
    asAdmin((query) => query('select public.set_broker_password($1, $2)', [instance, password])),
  ).rejects.toThrow(message)
  const { error } = await openAuth(base.db)
    .client()
    .signInWithPassword({ email: emailOf('camila'), password: 'senha-certa' })
  expect(error).toBeNull()
})

test('attempts are counted together with the portal’s, by caller', async () => {
  const guess = () =>
    asAdmin((query) => valueOf(query, `select public.authenticate_broker('corretor_camila', 'errada')`))
  for (let n = 0; n < 5; n += 1) expect(await guess()).toBe(false)
  await expect(guess()).rejects.toMatchObject({
    code: 'PT429',
    message: expect.stringMatching(/^Muitas tentativas\. Tente de novo em \d+ segundos\.$/),
  })
  const { rows } = await base.db.query(
    `select attempts from portal.throttle where key = portal.throttle_key('account', 'broker:camila')`,
  )
  expect(rows[0]?.['attempts']).toBeGreaterThan(4)
  expect(await asUser(base.db, { role: 'service_role' }, (query) => valueOf(query, CALLS[1] ?? ''))).toBe(
    true,
  )
  const { error } = await openAuth(base.db)
    .client()
    .signInWithPassword({ email: emailOf('camila'), password: 'senha-certa' })
  expect(error).toBeNull()
})

test('an empty name or password is no guess: it is refused without a count', async () => {
  const ask = (query: Query) =>
    Promise.all(
      [
        `select authenticated from public.authenticate_admin('', '')`,
        `select authenticated from public.authenticate_admin('admin', '')`,
        `select authenticated from public.authenticate_admin(null, 'senha-do-admin')`,
        `select public.authenticate_broker('corretor_', 'senha-certa')`,
        `select public.authenticate_broker('corretor_camila', null)`,
      ].map((sql) => valueOf(query, sql)),
    )
  for (let n = 0; n < 9; n += 1) expect(await asAdmin(ask)).toEqual([false, false, false, false, false])
  expect((await base.db.query('select from portal.throttle')).rowCount).toBe(0)
  await expect(asUser(base.db, brokerClaims, ask)).rejects.toMatchObject({ code: '42501' })
})

test('no signed-in person can read a real hash', async () => {
  for (const claims of [adminClaims, brokerClaims])
    await expect(
      asUser(base.db, claims, (query) => query('select password_hash from portal.accounts')),
    ).rejects.toMatchObject({ code: '42501' })
  const marker = await asAdmin((query) =>
    valueOf(query, `select password_hash from public.brokers where "instanceName" = 'corretor_camila'`),
  )
  expect(marker).toBe('definida')
})

test('nobody can mark a missing password as set', async () => {
  await addBroker(base.db, 'vazio', null)
  await expect(
    asAdmin((query) =>
      query(`update public.brokers set password_hash = 'definida' where "instanceName" = 'corretor_vazio'`),
    ),
  ).rejects.toMatchObject({ code: '42501' })
})
