// Administrators keep teams and gerentes; a gerente signs in on the administrators' page, sees and hands over the leads
// of the own team, and nothing else.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { auditSentence, type AuditEntry } from '#domain/audit.ts'
import { makeBroker, makeContact, type MadeBroker } from '#tests/support/make.ts'
import { openOffice } from '#tests/support/office.ts'
import { PASSWORD } from '#tests/support/whatsapp.ts'

const { db, portal, ana, bia, asAna, asBia, asAdmin, close } = await openOffice()
afterAll(close)
const caio = await makeBroker(db)
await portal.setPassword(caio.username)
beforeEach(async () => {
  await db.exec(`delete from portal.teams; delete from portal.accounts where role = 'gerente'`)
})

type Team = {
  id: string
  name: string
  managers: { id: string; username: string; isBroker: boolean }[]
  brokers: { instanceName: string; leads: number }[]
}
type List = { teams: Team[]; others: Team['brokers']; managers: Team['managers'] }

const post = (path: string, body: object = {}, operationId: string = randomUUID()) =>
  asAdmin.call(`/api/teams${path}`, { operationId, ...body })
const list = async () => (await asAdmin.call('/api/teams')).body as unknown as List
async function made(name: string, brokers: MadeBroker[] = []) {
  const { status, body } = await post('', { name })
  expect(status).toBe(200)
  for (const { id } of brokers)
    expect((await post(`/brokers/${id}/move`, { team: body['id'] })).status).toBe(200)
  return String(body['id'])
}
const named = (brokers: Team['brokers']) => brokers.map(({ instanceName }) => instanceName)

test('a team is made, named anew and removed; names are one each', async () => {
  const id = await made('  Lago   Sul ')
  expect((await list()).teams).toMatchObject([{ id, name: 'Lago Sul', managers: [], brokers: [] }])
  expect(await post('', { name: 'lago sul' })).toMatchObject({
    status: 409,
    body: { error: { code: 'team.taken', message: 'Já existe uma equipe com este nome.' } },
  })
  for (const name of [' ', 'x'.repeat(41)])
    expect(await post('', { name })).toMatchObject({ status: 422, body: { error: { code: 'team.name' } } })
  expect(await post('', { name: 'Sem equipe' })).toMatchObject({ status: 409 })
  expect(await post(`/${id}/rename`, { name: 'Serra' })).toMatchObject({
    status: 200,
    body: { name: 'Serra' },
  })
  expect(await post(`/${randomUUID()}/rename`, { name: 'Norte' })).toMatchObject({
    status: 404,
    body: { error: { code: 'team.unknown' } },
  })
  const removal = randomUUID()
  for (let times = 0; times < 2; times++)
    expect(await post(`/${id}/remove`, {}, removal)).toMatchObject({
      status: 200,
      body: { name: 'Serra', brokers: 0 },
    })
  expect((await list()).teams).toEqual([])
})

test('a broker is in one team at most; with the team gone, in none', async () => {
  const [lago, serra] = [await made('Lago', [ana, bia]), await made('Serra')]
  await makeContact(db, ana.instanceName)
  expect(await post(`/brokers/${ana.id}/move`, { team: serra })).toMatchObject({
    body: { instanceName: ana.instanceName, from: lago, to: serra },
  })
  const { teams, others } = await list()
  expect(teams.map(({ brokers }) => named(brokers))).toEqual([[bia.instanceName], [ana.instanceName]])
  expect(teams[1]?.brokers[0]?.leads).toBe(1)
  expect(named(others)).toEqual([caio.instanceName])
  await post(`/${serra}/remove`)
  expect(named((await list()).others).toSorted()).toEqual([ana, caio].map((b) => b.instanceName).toSorted())
  expect(await post(`/brokers/${randomUUID()}/move`, { team: null })).toMatchObject({ status: 404 })
  expect(await post(`/brokers/${bia.id}/move`, { team: randomUUID() })).toMatchObject({ status: 404 })
})

test('a broker who leads joins the team, and leads no more once moved to another', async () => {
  const [lago, serra] = [await made('Lago', [ana]), await made('Serra')]
  await post(`/${lago}/manager`, { from: null, to: bia.id })
  expect((await list()).teams[0]).toMatchObject({ managers: [{ id: bia.id, isBroker: true }] })
  expect(named((await list()).teams[0]!.brokers).toSorted()).toEqual(
    [ana, bia].map((b) => b.instanceName).toSorted(),
  )
  await post(`/${lago}/manager`, { from: bia.id, to: ana.id })
  expect((await list()).teams[0]?.managers).toMatchObject([{ id: ana.id }])
  await post(`/brokers/${ana.id}/move`, { team: serra })
  expect((await list()).teams.map(({ managers }) => managers)).toEqual([[], []])
  expect(await post(`/${lago}/manager`, { from: null, to: randomUUID() })).toMatchObject({
    status: 404,
    body: { error: { code: 'manager.unknown' } },
  })
})

async function gerente(team: string, username = 'leandro') {
  const { body } = await post(`/${team}/managers`, { username })
  const access = { role: 'admin', username, password: PASSWORD, invite: body['invite'] }
  const first = await portal.request('/api/login/first-access', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(access),
  })
  expect(first.status).toBe(200)
  return { id: String(body['id']), as: await portal.enter(`${username}@admin.local`) }
}

test('a gerente is invited, signs in on the administrators’ page, and reads the own team alone', async () => {
  const lago = await made('Lago', [ana])
  await made('Serra', [bia])
  const { as, id } = await gerente(lago)
  const lead = await makeContact(db, ana.instanceName)
  const foreign = await makeContact(db, bia.instanceName)
  const seen = async () =>
    ((await (await as.request('/rest/v1/whatsapp_contacts?select=id', {})).json()) as { id: number }[]).map(
      (c) => c.id,
    )
  expect(await seen()).toContain(lead.id)
  expect(await seen()).not.toContain(foreign.id)
  expect((await as.call('/api/teams')).status).toBe(403)
  // An administrator may not have the gerente's name, nor the other way round.
  expect(await post(`/${lago}/managers`, { username: 'chefe' })).toMatchObject({
    status: 409,
    body: { error: { code: 'manager.taken' } },
  })
  const admin = await asAdmin.call('/api/admins', { operationId: randomUUID(), username: 'leandro' })
  expect(admin.status).toBe(409)
  // Removed from the team, then altogether: the access ends at once.
  await post(`/${lago}/manager`, { from: id, to: null })
  expect(await seen()).toEqual([])
  await post(`/managers/${id}/remove`)
  expect((await as.request('/rest/v1/whatsapp_contacts?select=id', {})).status).toBe(401)
})

test('a broker who leads reads the own leads and the team’s, from the next sign-in on through the wire', async () => {
  const lago = await made('Lago', [ana])
  const [own, led, foreign] = await Promise.all(
    [bia, ana, caio].map((broker) => makeContact(db, broker.instanceName)),
  )
  await post(`/${lago}/manager`, { from: null, to: bia.id })
  const asLeader = await portal.enter(`${bia.username}@corretor.local`)
  const answer = await asLeader.request('/rest/v1/whatsapp_contacts?select=id', {})
  const ids = ((await answer.json()) as { id: number }[]).map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining([own?.id, led?.id]))
  expect(ids).not.toContain(foreign?.id)
  // The member of the team sees no more than before.
  const member = await asAna.request(`/rest/v1/whatsapp_contacts?select=id&id=eq.${own?.id}`, {})
  expect(await member.json()).toEqual([])
})

test('a gerente hands leads over within the team, to nobody else, and no one else’s', async () => {
  const lago = await made('Lago', [ana, caio])
  const { as } = await gerente(lago)
  const [lead, foreign] = [await makeContact(db, ana.instanceName), await makeContact(db, bia.instanceName)]
  const hand = async (ids: number[], to: MadeBroker) => {
    const answer = await as.request('/rest/v1/rpc/transferir_leads', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ p_contact_ids: ids, p_broker_name: to.instanceName }),
    })
    return { status: answer.status, body: (await answer.json()) as unknown }
  }
  expect(await hand([lead.id], bia)).toMatchObject({ status: 403 })
  expect(await hand([lead.id, foreign.id], caio)).toMatchObject({
    status: 200,
    body: { success: true, moved: 1, unknown: 1, leads: [{ id: lead.id, from: ana.instanceName }] },
  })
  const { rows } = await db.query<{ owner: string }>(
    `select "instanceName" as owner from public.whatsapp_contacts where id in ($1, $2) order by id`,
    [lead.id, foreign.id],
  )
  expect(rows.map(({ owner }) => owner)).toEqual([caio.instanceName, bia.instanceName])
})

test('live events of the team reach its gerente, from the change of the team on', async () => {
  const lago = await made('Lago', [ana])
  const { as } = await gerente(lago)
  const events = await as.events()
  await events.until(({ kind }) => kind === 'gap')
  // Of both, the next board event is the own team's.
  await makeContact(db, bia.instanceName)
  await makeContact(db, ana.instanceName)
  expect(await events.until(({ kind }) => kind === 'board')).toMatchObject({ instanceName: ana.instanceName })
  // The stream ends, and the next one hears of the new broker.
  await post(`/brokers/${bia.id}/move`, { team: lago })
  await events.toEnd()
  const again = await as.events()
  await again.until(({ kind }) => kind === 'gap')
  await makeContact(db, bia.instanceName)
  await again.until((event) => event.kind === 'board' && event.instanceName === bia.instanceName)
  await again.close()
})

test('every change of a team is in the audit log, with its author', async () => {
  const { rows } = await db.query<{ last: number }>(
    'select coalesce(max(id), 0) as last from portal.audit_log',
  )
  const lago = await made('Lago', [ana])
  await post(`/${lago}/rename`, { name: 'Serra' })
  const { id } = await gerente(lago)
  await post(`/${lago}/manager`, { from: id, to: bia.id })
  await post(`/managers/${id}/reset`)
  await post(`/managers/${id}/remove`)
  await post(`/${lago}/remove`)
  const { body } = await asAdmin.call('/api/audit')
  const entries = (body as unknown as { entries: AuditEntry[] }).entries
    .filter((entry) => entry.id > (rows[0]?.last ?? 0) && /^(team|manager)\./.test(entry.action))
    .toReversed()
  expect(entries.map((entry) => `${entry.actor}: ${auditSentence(entry)}`)).toEqual([
    'chefe: Criou a equipe “Lago”',
    `chefe: Passou o corretor ${ana.username} de “Sem equipe” para “Lago”`,
    'chefe: Renomeou a equipe “Lago” para “Serra”',
    'chefe: Adicionou o gerente leandro',
    'chefe: Tornou leandro gerente da equipe “Serra”',
    'chefe: Tirou leandro da gerência da equipe “Serra”',
    `chefe: Passou o corretor ${bia.username} de “Sem equipe” para “Serra”`,
    `chefe: Tornou ${bia.username} gerente da equipe “Serra”`,
    'chefe: Redefiniu o acesso do gerente leandro',
    'chefe: Removeu o gerente leandro',
    'chefe: Excluiu a equipe “Serra”, de 2 corretores',
  ])
})

test('without a team nobody sees more than before', async () => {
  await makeContact(db, bia.instanceName)
  const { rows } = await db.query<{ own: string }>(
    `select count(*) as own from public.whatsapp_contacts where "instanceName" = $1`,
    [ana.instanceName],
  )
  const seen = (await (await asAna.request('/rest/v1/whatsapp_contacts?select=id', {})).json()) as unknown[]
  expect(seen).toHaveLength(Number(rows[0]?.own))
  expect((await asBia.call('/api/teams')).status).toBe(403)
})
