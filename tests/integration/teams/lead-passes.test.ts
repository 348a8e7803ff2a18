// A broker passes a lead to a colleague of the team, who accepts or declines; until then it stays with the first.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { SqlValue } from '#server/db/database.ts'
import {
  makeBroker,
  makeContact,
  makeMessage,
  makeTeam,
  signIn,
  signInManager,
  tryAs,
} from '#tests/support/make.ts'
import { callAs } from '#tests/support/scheduled.ts'
import { openStaff } from '#tests/support/staff.ts'

type Answer = { success: boolean; code: string; message: string | null }
type Passes = {
  colleagues: string[]
  incoming: { contact_id: number; first_name: string | null; development: string | null; from: string }[]
  outgoing: { contact_id: number; to: string; state: string }[]
}

const { base, ana, bia, asAna, asBia, asAdmin } = await openStaff()
const { db } = base
const [caio, eva] = [await makeBroker(db), await makeBroker(db)]
const [asCaio, asEva] = [await signIn(db, caio), await signIn(db, eva)]
let team = ''
beforeEach(async () => {
  await db.exec(
    'delete from portal.teams; delete from public.whatsapp_contacts; delete from portal.push_queue',
  )
  team = await makeTeam(db, { brokers: [ana, bia, caio] })
  await makeTeam(db, { brokers: [eva] })
})

const call = (claims: Claims, name: string, given: Record<string, SqlValue>) =>
  callAs<Answer>(db, claims, name, { p_operation_id: randomUUID(), ...given })
const pass = (claims: Claims, id: number, to: string | null, more: Record<string, SqlValue> = {}) =>
  call(claims, 'lead_pass', { p_contact_id: id, p_to_broker: to, ...more })
const take = (claims: Claims, id: number, accepts: boolean) =>
  call(claims, 'lead_take', { p_contact_id: id, p_accepts: accepts })
const passes = async (claims: Claims) =>
  (
    await asUser(db, claims, (query) =>
      query<{ answer: Passes }>('select public.get_lead_passes() as answer'),
    )
  ).rows[0]!.answer
const ownerOf = async (id: number) =>
  (
    await db.query<{ owner: string }>(
      'select "instanceName" as owner from public.whatsapp_contacts where id = $1',
      [id],
    )
  ).rows[0]?.owner
const makeLead = async () =>
  (
    await makeContact(db, ana.instanceName, {
      name: 'Marina Tavares',
      empreendimento: 'Mirante',
      notes: 'Quer 3 quartos',
    })
  ).id

test('the lead stays until the colleague accepts, and then goes with history and notes', async () => {
  const id = await makeLead()
  await makeMessage(db, id, { instanceName: ana.instanceName, body: 'Bom dia' })
  expect(await pass(asAna, id, bia.instanceName)).toMatchObject({ success: true, code: 'saved' })
  expect(await ownerOf(id)).toBe(ana.instanceName)
  expect(await passes(asAna)).toMatchObject({
    colleagues: [bia, caio].map(({ instanceName }) => instanceName).toSorted((a, b) => a.localeCompare(b)),
    incoming: [],
    outgoing: [{ contact_id: id, to: bia.instanceName, state: 'open' }],
  })
  // First name and development, no number, no text.
  const { incoming } = await passes(asBia)
  expect(incoming).toEqual([
    {
      contact_id: id,
      first_name: 'Marina',
      development: 'Mirante',
      from: ana.instanceName,
      at: expect.any(Number),
    },
  ])
  expect(await take(asBia, id, true)).toMatchObject({ code: 'saved' })
  const { rows } = await db.query(
    `select c."instanceName" as owner, c.notes, (select count(*)::integer from public.whatsapp_messages m where m.contact_id = c.id) as messages,
       (select h.changed_by from portal.owner_history h where h.contact_id = c.id order by h.id desc limit 1) as by
     from public.whatsapp_contacts c where c.id = $1`,
    [id],
  )
  expect(rows).toEqual([{ owner: bia.instanceName, notes: 'Quer 3 quartos', messages: 1, by: bia.username }])
  expect((await passes(asAna)).outgoing).toEqual([])
  expect((await passes(asBia)).incoming).toEqual([])
})

test('a declined one stays, is said until its broker has seen it, and can be passed again', async () => {
  const id = await makeLead()
  await pass(asAna, id, bia.instanceName)
  expect(await take(asBia, id, false)).toMatchObject({ code: 'saved' })
  expect(await take(asBia, id, false)).toMatchObject({ code: 'already' })
  expect(await take(asBia, id, true)).toMatchObject({ success: false, code: 'over' })
  expect(await ownerOf(id)).toBe(ana.instanceName)
  expect((await passes(asAna)).outgoing).toEqual([
    { contact_id: id, to: bia.instanceName, state: 'declined' },
  ])
  expect(await pass(asAna, id, null)).toMatchObject({ code: 'saved' })
  expect(await pass(asAna, id, null)).toMatchObject({ code: 'already' })
  expect((await passes(asAna)).outgoing).toEqual([])
  await pass(asAna, id, caio.instanceName)
  expect(await take(asCaio, id, true)).toMatchObject({ code: 'saved' })
  expect(await ownerOf(id)).toBe(caio.instanceName)
})

test('withdrawn, passed to another, or given elsewhere: the first colleague can no longer take it', async () => {
  const id = await makeLead()
  for (const end of [
    () => pass(asAna, id, null),
    () => pass(asAna, id, caio.instanceName),
    () =>
      db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
        id,
        eva.instanceName,
      ]),
  ]) {
    await pass(asAna, id, bia.instanceName)
    await end()
    expect(await take(asBia, id, true)).toMatchObject({
      success: false,
      code: 'over',
      message: 'Este lead já não está esperando por você.',
    })
  }
  expect(await ownerOf(id)).toBe(eva.instanceName)
})

test('only within the team, also at the moment of the answer', async () => {
  const id = await makeLead()
  for (const to of [eva.instanceName, ana.instanceName, 'corretor_ninguem'])
    expect(await pass(asAna, id, to)).toMatchObject({
      success: false,
      code: 'no_colleague',
      message: 'Vocês não estão mais na mesma equipe.',
    })
  await pass(asAna, id, bia.instanceName)
  await db.query('delete from portal.team_members where broker_id = $1', [bia.id])
  expect(await take(asBia, id, true)).toMatchObject({ code: 'no_colleague' })
  expect(await ownerOf(id)).toBe(ana.instanceName)
})

test('nobody else passes it or takes it', async () => {
  const id = await makeLead()
  for (const claims of [asBia, asEva])
    expect(await pass(claims, id, caio.instanceName)).toMatchObject({ code: 'unknown_lead' })
  await pass(asAna, id, bia.instanceName)
  for (const claims of [asAna, asCaio, asEva])
    expect(await take(claims, id, true)).toMatchObject({ code: 'over' })
  const gerente = await signInManager(db, team)
  for (const claims of [gerente, asAdmin, { role: 'anon' as const }])
    await expect(
      tryAs(db, claims, (query) => query('select public.lead_take($1, true)', [id])),
    ).rejects.toMatchObject({ code: '42501' })
  expect((await passes(asEva)).incoming).toEqual([])
  // The gerente may pass it within the team.
  expect(await pass(gerente, id, caio.instanceName)).toMatchObject({ code: 'saved' })
  expect(await ownerOf(id)).toBe(ana.instanceName)
})

test('a repeated operation changes nothing more, and two who answer at once get one lead between them', async () => {
  const id = await makeLead()
  const again = { p_operation_id: randomUUID() }
  await pass(asAna, id, bia.instanceName, again)
  await pass(asAna, id, null)
  expect(await pass(asAna, id, bia.instanceName, again)).toMatchObject({ code: 'saved' })
  expect((await passes(asBia)).incoming).toEqual([])
  await pass(asAna, id, bia.instanceName)
  const codes = await Promise.all([take(asBia, id, true), pass(asAna, id, null), take(asBia, id, true)])
  expect(['saved', 'already', 'over', 'unknown_lead']).toEqual(
    expect.arrayContaining(codes.map(({ code }) => code)),
  )
  const { rows } = await db.query('select from portal.lead_passes where state = $1', ['open'])
  expect(rows).toEqual([])
})

const DEVICES = 'insert into portal.push_devices (session_id, endpoint, p256dh, auth, name) values'
const makeDevice = (claims: Claims) =>
  db.query(`${DEVICES} ($1::uuid, 'https://push.example/' || $1::uuid, 'x', 'x', 'Celular')`, [
    String(claims['session_id']),
  ])
/** What the portal would send now. */
const claimed = async () => {
  const { rows } = await db.query<{ claim: { pushes: { kind: string; subject: number; pass: unknown }[] } }>(
    'select portal.claim_pushes(gen_random_uuid(), now(), 60, 10) as claim',
  )
  return rows[0]?.claim.pushes.map(({ kind, subject, pass: about }) => ({ kind, subject, about }))
}

test('the colleague is told at once, on every device', async () => {
  await makeDevice(asBia)
  const id = await makeLead()
  await pass(asAna, id, bia.instanceName)
  const { rows } = await db.query('select kind, tag from portal.push_queue')
  expect(rows).toEqual([{ kind: 'handover', tag: `pass-${id}` }])
  await db.exec('delete from portal.push_devices')
})

test.each([
  [true, 'accepted'],
  [false, 'declined'],
])('who passed it is told of the answer: accepts %s', async (accepts, kind) => {
  await makeDevice(asAna)
  const id = await makeLead()
  await pass(asAna, id, bia.instanceName)
  await db.exec('delete from portal.push_queue')
  await take(asBia, id, accepts)
  // A second answer changes nothing, and rings for nobody.
  await take(asBia, id, accepts)
  expect(await claimed()).toEqual([
    { kind, subject: id, about: { firstName: 'Marina', colleague: bia.instanceName } },
  ])
  await db.exec('delete from portal.push_devices')
})

test('a refusal that was withdrawn before its push is not pushed', async () => {
  await makeDevice(asAna)
  const id = await makeLead()
  await pass(asAna, id, bia.instanceName)
  await take(asBia, id, false)
  await pass(asAna, id, null)
  await db.exec(`delete from portal.push_queue where kind not in ('accepted', 'declined')`)
  expect(await claimed()).toEqual([])
  await db.exec('delete from portal.push_devices')
})

test('a hundred passes at once, then no more; other brokers pass on', async () => {
  const id = await makeLead()
  await db.exec('delete from portal.throttle')
  for (let time = 0; time < 100; time++) {
    expect(await pass(asAna, id, bia.instanceName)).toMatchObject({ code: 'saved' })
    await pass(asAna, id, null)
  }
  await expect(pass(asAna, id, bia.instanceName)).rejects.toMatchObject({
    code: 'PT429',
    message: 'Muitos leads passados em pouco tempo. Tente de novo em alguns minutos.',
  })
  expect((await passes(asBia)).incoming).toEqual([])
  const own = await makeContact(db, bia.instanceName)
  expect(await pass(asBia, own.id, ana.instanceName)).toMatchObject({ code: 'saved' })
  await db.exec('delete from portal.throttle')
})
