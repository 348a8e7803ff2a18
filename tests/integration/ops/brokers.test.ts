// 'Gerenciar Corretores' through the whole portal: added with an instance and a link, reset, removed, and the cleanup
// after gateway failures.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { onBehalf } from '#server/db/as-user.ts'
import { createLinkStore } from '#server/whatsapp/connection/connection-store.ts'
import { takeLock } from '#server/whatsapp/webhook/apply.ts'
import { makeWebhookSecret } from '#server/whatsapp/webhook/secret.ts'
import { openAuth } from '#tests/support/auth.ts'
import { onPostgres } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { turns } from '#tests/support/gateway.ts'
import {
  makeBroker,
  makeCampaign,
  makeContact,
  makeMessage,
  signInAdmin,
  untilLockAwaited,
} from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'

const { db, portal, asAdmin, close } = await openOffice()
afterAll(close)
const ask = asAdmin.call

const STEP_MS = 20
const TURNS = 20

/**
 * Advances the clocks of portal and gateway slowly while the promise is pending, so that a busy machine is no hanging
 * gateway.
 */
async function drive<T>(promise: Promise<T>): Promise<T> {
  const wait = { isOpen: true }
  const end = () => (wait.isOpen = false)
  promise.then(end, end)
  const passing = portal.through(promise)
  while (wait.isOpen) {
    for (let turn = 0; turn < TURNS && wait.isOpen; turn++) await turns()
    portal.clock.advance(STEP_MS)
  }
  return passing
}

const add = (username: string, operationId: string = randomUUID()) =>
  drive(ask('/api/brokers', { operationId, username }))
const remove = (instanceName: string, heir: string | null = null, operationId: string = randomUUID()) =>
  ask(`/api/brokers/${instanceName}/remove`, { operationId, heir })
const rowsOf = async (sql: string, values: string[] = []) => (await db.query(sql, values)).rows
const orphanedInstances = () => rowsOf('select "instanceName" from portal.leftover_instances')
const errorOf = ({ body }: { body: Record<string, unknown> }) => body['error']

const LOOKS = 20
const TRIED_AGAIN_MS = 60_000

async function untilNothingIsLeft() {
  const poll = async () => {
    for (let left = LOOKS; left > 0 && (await orphanedInstances()).length > 0; left--) await turns()
  }
  await drive(poll())
  while ((await orphanedInstances()).length > 0) {
    portal.clock.advance(TRIED_AGAIN_MS)
    await drive(poll())
  }
}

/** A broker with a password and a session, and another who could take the leads. */
async function makeSignedIn() {
  const broker = await makeBroker(db)
  await portal.setPassword(broker.username)
  return { ...broker, ...(await portal.enter(`${broker.username}@corretor.local`)) }
}

const firstAccess = (username: string, invite?: string) =>
  openAuth(db, { firstAccess: 'invite', clock: portal.clock }).post('/api/login/first-access', {
    username,
    password: 'segredo-novo',
    ...(invite === undefined ? {} : { invite }),
  })

test('a broker is added with an instance, its webhook and a link that gives the first access once', async () => {
  const { status, body } = await add('marina')
  expect([status, body['instanceName']]).toEqual([200, 'corretor_marina'])
  expect(
    await rowsOf(
      `select "instanceId" is not null as made, password_hash from brokers where "instanceName" = $1`,
      ['corretor_marina'],
    ),
  ).toEqual([{ made: true, password_hash: null }])
  expect(await orphanedInstances()).toEqual([])

  const { body: listed } = await ask('/api/brokers')
  expect(listed).toContainEqual(
    expect.objectContaining({ instanceName: 'corretor_marina', state: 'close', hasPassword: false }),
  )
  expect((await firstAccess('marina')).status).toBe(403)
  expect((await firstAccess('marina', 'x'.repeat(43))).status).toBe(403)
  expect((await firstAccess('marina', String(body['invite']))).status).toBe(200)
  expect((await firstAccess('marina', String(body['invite']))).status).toBe(409)
})

test("the gateway's reports about the new instance reach the portal", async () => {
  await add('vera')
  const offer = await drive(ask('/api/instance/connect?instanceName=corretor_vera', {}))
  expect(offer.body).toMatchObject({ kind: 'code' })
  portal.control.scan({ instance: 'corretor_vera', number: '5511955550199' })
  const opened = async () => {
    for (;;) {
      const { body } = await ask('/api/instance?fresh=1&instanceName=corretor_vera')
      if (body['state'] === 'open') return
    }
  }
  await drive(opened())
  expect((await ask('/api/brokers')).body).toContainEqual(
    expect.objectContaining({ instanceName: 'corretor_vera', state: 'open', number: '5511955550199' }),
  )
})

test('a repeated operation adds once, at once or later, and returns the same link', async () => {
  const operationId = randomUUID()
  const asked = { operationId, username: 'duplo' }
  const [first, second] = await drive(Promise.all([ask('/api/brokers', asked), ask('/api/brokers', asked)]))
  const third = await add('duplo', operationId)
  expect([first.status, second.body, third.body]).toEqual([200, first.body, first.body])
  expect((await add('duplo')).status).toBe(409)
  expect(errorOf(await add('duplo'))).toMatchObject({ message: 'Já existe um corretor com este nome' })
})

test('two operations with one name at once add one broker', async () => {
  const [one, two] = await drive(
    Promise.all([
      ask('/api/brokers', { operationId: randomUUID(), username: 'corrida' }),
      ask('/api/brokers', { operationId: randomUUID(), username: 'corrida' }),
    ]),
  )
  expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(await orphanedInstances()).toEqual([])
})

test('a name locked by another portal is awaited; one whose portal ended becomes free', async () => {
  await db.query(
    `insert into portal.name_turns values ('corretor_parada', gen_random_uuid(), now() + interval '1 hour')`,
  )
  const adding = add('parada')
  for (let left = LOOKS; left > 0; left--) {
    expect(await rowsOf(`select from brokers where "instanceName" = 'corretor_parada'`)).toEqual([])
    await turns()
  }
  await db.query(`update portal.name_turns set held_until = now() - interval '1 second'`)
  expect((await adding).status).toBe(200)
  expect(await rowsOf(`select from portal.name_turns where "instanceName" = 'corretor_parada'`)).toEqual([])
})

test('leads are counted one by one if the function fails, with equal results', async () => {
  const broker = await makeBroker(db)
  for (let made = 0; made < 3; made++) await makeContact(db, broker.instanceName)
  expect((await ask('/api/brokers/totals')).body).toContainEqual({
    instanceName: broker.instanceName,
    leads: 3,
  })
  expect((await ask('/rest/v1/rpc/get_total_contatos_por_corretor', {})).body).toContainEqual({
    broker_name: broker.instanceName,
    total_contatos: 3,
  })
})

test('an invalid name is refused', async () => {
  for (const username of ['', 'Ana', 'ana2', 'ana maria', 'a'.repeat(61)]) {
    const answer = await ask('/api/brokers', { operationId: randomUUID(), username })
    expect([answer.status, errorOf(answer)]).toEqual([
      422,
      {
        code: 'request.invalid',
        message: 'Use apenas letras minúsculas, sem espaços ou caracteres especiais',
      },
    ])
  }
})

test("another system's instance with that name at the gateway is neither used nor removed", async () => {
  const broker = await makeBroker(db, { instanceName: 'corretor_alheia' })
  await drive(ask('/api/instance/connect?instanceName=corretor_alheia', {}))
  // The row is deleted without the portal, so the instance counts as another system's.
  await db.query('delete from brokers where id = $1', [broker.id])
  for (let time = 0; time < 2; time++)
    expect(errorOf(await add('alheia'))).toEqual({
      code: 'gateway.name-taken',
      message: 'Erro ao criar instância: este nome já está em uso no serviço de WhatsApp',
    })
  expect(await orphanedInstances()).toEqual([])
})

test('an instance without its id is removed', async () => {
  portal.control.nextCall({ call: 'create', effect: 'no-id' })
  const answer = await add('semid')
  expect([answer.status, errorOf(answer)]).toEqual([
    502,
    { code: 'gateway.failed', message: 'Erro ao criar instância: ID não retornado' },
  ])
  expect(await rowsOf(`select from brokers where "instanceName" = 'corretor_semid'`)).toEqual([])
  expect((await add('semid')).status).toBe(200)
})

test('a failed removal is reported, and repeated by the next attempt', async () => {
  portal.control.nextCall({ call: 'create', effect: 'no-id' })
  portal.control.nextCall({ call: 'delete', effect: 'closed-500' })
  const answer = await add('teimosa')
  expect(errorOf(answer)).toMatchObject({
    message: expect.stringMatching(
      /^Erro ao criar instância: ID não retornado\. A conexão "corretor_teimosa"/,
    ),
  })
  expect(await orphanedInstances()).toEqual([{ instanceName: 'corretor_teimosa' }])
  expect((await add('teimosa')).status).toBe(200)
  expect(await orphanedInstances()).toEqual([])
})

test("while its orphaned instance cannot be removed, the name does not count as another system's", async () => {
  portal.control.nextCall({ call: 'create', effect: 'no-id' })
  portal.control.nextCall({ call: 'delete', effect: 'closed-500', times: 3 })
  await add('insistente')
  const answer = await add('insistente')
  expect([answer.status, errorOf(answer)]).toMatchObject([
    502,
    { message: expect.stringMatching(/^Erro ao criar instância: a anterior .+"corretor_insistente"/) },
  ])
  expect(await orphanedInstances()).toEqual([{ instanceName: 'corretor_insistente' }])
  expect((await add('insistente')).status).toBe(200)
  expect(await orphanedInstances()).toEqual([])
})

test('refused webhook or settings after creation do not stop it', async () => {
  portal.control.nextCall({ call: 'webhook', effect: 'refused-400' })
  expect((await add('recusada')).status).toBe(200)
  portal.control.nextCall({ call: 'settings', effect: 'closed-500' })
  expect((await add('fechada')).status).toBe(200)
})

test('a portal of the release before, which names no gateway, adds brokers after the upgrade', async () => {
  const claims = await signInAdmin(db)
  const { hash } = makeWebhookSecret()
  const values = [randomUUID(), 'corretor_antiga', 'um', hash, Buffer.alloc(32, 1), '2999-01-01T00:00:00Z']
  await onBehalf(db, claims, (query) => query('select portal.add_broker($1, $2, $3, $4, $5, $6)', values))
  const { rows } = await db.query(
    `select gateway from portal.webhook_secrets where "instanceName" = 'corretor_antiga'`,
  )
  expect(rows).toEqual([{ gateway: 'evolution' }])
})

test('with the gateway down nobody is added', async () => {
  portal.control.down({ on: true })
  const answer = await add('ausente')
  portal.control.down({ on: false })
  expect([answer.status, errorOf(answer)]).toMatchObject([502, { code: 'gateway.unreachable' }])
  expect(await rowsOf(`select from brokers where "instanceName" = 'corretor_ausente'`)).toEqual([])
})

test('a reset deletes password, sessions, stream and calendar, and its link gives the first access', async () => {
  const broker = await makeSignedIn()
  const stream = await broker.events()
  await stream.until(({ kind }) => kind === 'gap')
  const operationId = randomUUID()
  const asked = { p_broker_name: broker.instanceName }
  const secret: unknown = (await broker.call('/rest/v1/rpc/calendar_renew', asked)).body
  const calendar = async () => (await portal.request(`/api/calendar/${String(secret)}.ics`)).status
  expect(await calendar()).toBe(200)
  const reset = () => ask(`/api/brokers/${broker.instanceName}/reset`, { operationId })
  const { body } = await reset()
  expect((await reset()).body).toEqual(body)
  await expect(stream.until(({ kind }) => kind === 'gap')).rejects.toThrow('the events ended')
  expect((await broker.call('/rest/v1/whatsapp_contacts?select=id')).status).toBe(401)
  expect(await calendar()).toBe(404)
  expect((await firstAccess(broker.username, String(body['invite']))).status).toBe(200)
  // A late repeat of the operation does not delete the new password.
  await reset()
  expect((await firstAccess(broker.username, String(body['invite']))).status).toBe(409)
})

test('a removed broker loses everything at once, and the leads go to the administrator', async () => {
  const broker = await makeSignedIn()
  const lead = await makeContact(db, broker.instanceName)
  await makeMessage(db, lead.id, { instanceName: broker.instanceName })
  await makeCampaign(db, broker.id, { status: 'running' })
  const stream = await broker.events()
  await stream.until(({ kind }) => kind === 'gap')
  const operationId = randomUUID()

  const answer = await remove(broker.instanceName, null, operationId)
  expect([answer.status, answer.body]).toEqual([200, { leads: 1 }])
  await expect(stream.until(({ kind }) => kind === 'gap')).rejects.toThrow('the events ended')
  for (const path of ['/rest/v1/whatsapp_contacts?select=id', '/api/instance', '/api/events'])
    expect((await broker.call(path)).status).toBe(401)
  expect(
    await rowsOf('select "instanceName", status from whatsapp_contacts where id = $1', [String(lead.id)]),
  ).toEqual([{ instanceName: null, status: 'new' }])
  expect(await rowsOf('select from whatsapp_messages where contact_id = $1', [String(lead.id)])).toHaveLength(
    1,
  )
  expect(await rowsOf('select from remarketing_campaigns where broker_id = $1', [broker.id])).toEqual([])
  expect(await rowsOf('select from portal.accounts where id = $1', [broker.id])).toEqual([])
  expect((await remove(broker.instanceName, null, operationId)).body).toEqual({ leads: 1 })
  expect((await remove(broker.instanceName)).status).toBe(404)
  await untilNothingIsLeft()
})

/** Even though the portals poll the links at that moment. */
const isOpen = (instanceName: string) =>
  db.query(
    `insert into portal.instance_states ("instanceName", state) values ($1, 'open')
     on conflict ("instanceName") do update set state = excluded.state`,
    [instanceName],
  )

onPostgres.test('a removal and what the phone reports at that moment go one after the other', async () => {
  const { instanceName } = await makeBroker(db)
  await isOpen(instanceName)
  const { removing } = await db.transaction(async (query) => {
    await takeLock(query)
    await query(`update portal.instance_states set state = 'close' where "instanceName" = $1`, [instanceName])
    const begun = remove(instanceName)
    await untilLockAwaited(db)
    await makeContact({ ...db, query }, instanceName)
    return { removing: begun }
  })
  expect((await removing).body).toEqual({ leads: 1 })
  await untilNothingIsLeft()
})

onPostgres.test(
  'what an open link tells of its broker waits for what the phone reports of it at that moment',
  async () => {
    const { instanceName } = await makeBroker(db)
    await isOpen(instanceName)
    const names = { instanceName, instanceId: randomUUID(), profileName: 'Ana', profilePicUrl: null }
    const { saving } = await db.transaction(async (query) => {
      await takeLock(query)
      const begun = createLinkStore(db).saveOpen(
        { ...names, state: 'open', ownerJid: null, number: null },
        '5511955550177',
      )
      await untilLockAwaited(db)
      for (const table of ['portal.instance_states', 'public.brokers'])
        await query(`select from ${table} where "instanceName" = $1 for update nowait`, [instanceName])
      return { saving: begun }
    })
    expect(await saving).toBe(false)
    const { rows } = await db.query('select broker_number from brokers where "instanceName" = $1', [
      instanceName,
    ])
    expect(rows).toEqual([{ broker_number: '5511955550177' }])
  },
)

test('transferred leads keep their history and appear on the other board live', async () => {
  const leaving = await makeBroker(db)
  const heir = await makeSignedIn()
  const lead = await makeContact(db, leaving.instanceName, { status: 'conversa', notes: 'Quer varanda' })
  await makeMessage(db, lead.id, { instanceName: leaving.instanceName, body: 'Bom dia' })
  // Both brokers have this person: one contact stays, with both sets of messages.
  const shared = await makeContact(db, leaving.instanceName, { number: '5511977770001' })
  const theirs = await makeContact(db, heir.instanceName, { number: '11977770001' })
  for (const contact of [shared, theirs]) await makeMessage(db, contact.id)
  await db.query(`insert into portal.identities ("instanceName", jid, person_id) values ($1, '77@lid', $2)`, [
    leaving.instanceName,
    String(lead.person_id),
  ])
  const stream = await heir.events()
  await stream.until(({ kind }) => kind === 'gap')

  expect((await remove(leaving.instanceName, heir.instanceName)).body).toEqual({ leads: 2 })
  await stream.until((event) => event.kind === 'board' && event.instanceName === heir.instanceName)
  await stream.close()
  const { body } = await heir.call('/rest/v1/rpc/sync_board', { p_instance: heir.instanceName })
  const leads = body['leads'] as { id: number; status: string; notes: string | null }[]
  expect(leads.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([lead.id, theirs.id])
  expect(leads.find(({ id }) => id === lead.id)).toMatchObject({ status: 'conversa', notes: 'Quer varanda' })
  expect(
    await rowsOf('select from whatsapp_messages where contact_id = $1', [String(theirs.id)]),
  ).toHaveLength(2)
  expect(await rowsOf(`select "instanceName" from portal.identities where jid = '77@lid'`)).toEqual([
    { instanceName: heir.instanceName },
  ])
  await untilNothingIsLeft()
})

test('leads cannot be transferred to a missing broker: nothing changes', async () => {
  const broker = await makeBroker(db)
  for (const heir of [broker.instanceName, 'corretor_ninguem']) {
    const answer = await remove(broker.instanceName, heir)
    expect([answer.status, errorOf(answer)]).toEqual([
      422,
      { code: 'broker.no-heir', message: 'Escolha outro corretor para ficar com os leads.' },
    ])
  }
  expect(await rowsOf('select from brokers where id = $1', [broker.id])).toHaveLength(1)
})

test("a removal continues despite the gateway's refusal, and is completed later", async () => {
  await add('presa')
  portal.control.nextCall({ call: 'logout', effect: 'closed-500' })
  portal.control.nextCall({ call: 'delete', effect: 'closed-500' })
  expect((await remove('corretor_presa')).status).toBe(200)
  expect(await orphanedInstances()).toEqual([{ instanceName: 'corretor_presa' }])
  await eventually(async () =>
    expect(
      await rowsOf(`select from portal.name_turns where "instanceName" = 'corretor_presa'`),
    ).toHaveLength(1),
  )
  // The name is free at once: adding it first removes the orphaned instance.
  expect((await add('presa')).status).toBe(200)

  portal.control.nextCall({ call: 'delete', effect: 'closed-500', times: 2 })
  await remove('corretor_presa')
  await db.query(`update portal.leftover_instances set noted_at = now() - interval '1 hour'`)
  await untilNothingIsLeft()
  expect((await add('presa')).status).toBe(200)
})

test('neither a broker nor a stranger has access to any of it', async () => {
  const broker = await makeSignedIn()
  const other = await makeBroker(db)
  const body = { operationId: randomUUID(), username: 'intrusa', heir: null }
  const calls: [string, unknown?][] = [
    ['/api/brokers'],
    ['/api/brokers/totals'],
    ['/api/brokers', body],
    [`/api/brokers/${other.instanceName}/reset`, body],
    [`/api/brokers/${broker.instanceName}/reset`, body],
    [`/api/brokers/${other.instanceName}/remove`, body],
    [`/api/brokers/${broker.instanceName}/remove`, body],
  ]
  for (const [path, given] of calls) {
    expect((await broker.call(path, given)).status, path).toBe(403)
    const init =
      given === undefined
        ? {}
        : { method: 'POST', body: JSON.stringify(given), headers: { 'content-type': 'application/json' } }
    expect((await portal.request(path, init)).status, path).toBe(401)
  }
  expect(await rowsOf('select from brokers where id in ($1, $2)', [broker.id, other.id])).toHaveLength(2)
})
