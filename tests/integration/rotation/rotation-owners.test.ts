// A lead's owner during its routing: transferred by hand, written to, taken elsewhere, rotation disabled.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { asUser, type Claims } from '#server/db/as-user.ts'
import type { Query } from '#server/db/database.ts'
import { createRotationStore } from '#server/leads/routing/rotation-store.ts'
import { openBase, onPostgres } from '#tests/support/database.ts'
import {
  makeContact,
  makeMessage,
  signIn,
  signInAdmin,
  untilLockAwaited,
  type MadeBroker,
} from '#tests/support/make.ts'
import {
  answerOffer,
  routingCaseOf,
  kindsOf,
  makeLinkedBroker,
  makeSeatedRotation,
  nextNumber,
  openDistributor,
  ownerOf,
  takeLead,
  type MadeRotation,
} from '#tests/support/rotation.ts'

const GONE = { status: 409, message: 'Este lead já passou para outro corretor.' }

let brokers: MadeBroker[]
let asBrokers: Claims[]
let portal: ReturnType<typeof openDistributor>
let rotation: MadeRotation
const base = await openBase()
const asAdmin = await signInAdmin(base.db)
beforeEach(async () => {
  brokers = await Promise.all([1, 2, 3].map(() => makeLinkedBroker(base.db)))
  asBrokers = await Promise.all(brokers.map((broker) => signIn(base.db, broker)))
  portal = openDistributor(base.db)
  rotation = await makeSeatedRotation(base.db, brokers, {
    needs_acceptance: true,
    accept_minutes: 5,
    answer_minutes: 10,
    max_hops: 2,
  })
})
afterEach(async () => {
  expect(portal.faults).toEqual([])
  await base.db.exec(
    'delete from public.whatsapp_contacts; delete from public.roletas; delete from portal.people',
  )
})

const named = (index: number) => brokers[index]?.instanceName ?? ''
const answer = (index: number, id: number, intent: 'accept' | 'claim' | 'pass') =>
  answerOffer(portal, asBrokers[index] ?? { role: 'anon' }, { id, intent })
const switchTo = (isOn: boolean) =>
  asUser(base.db, asAdmin, (query) => query('select public.set_roleta_ativa($1, $2)', [rotation.id, isOn]))
const handOver = (query: Query, contactId: number, index: number) =>
  query('select public.transferir_leads($1, $2)', [`{${contactId}}`, named(index)])

async function offered(number = nextNumber()) {
  const { contactId } = await takeLead(portal, { development: rotation.name, number })
  await portal.run()
  return { contactId, number, ...(await routingCaseOf(base.db, contactId)) }
}

async function accepted() {
  const lead = await offered()
  await answer(0, lead.id, 'accept')
  return lead
}

async function pooled() {
  const lead = await offered()
  await answer(0, lead.id, 'pass')
  await portal.run()
  await answer(1, lead.id, 'pass')
  await portal.run()
  expect((await routingCaseOf(base.db, lead.contactId)).state).toBe('pool')
  return lead
}

const logged = async (action: string) =>
  (await base.db.query('select from portal.audit_log where action = $1', [action])).rows.length

test('a lead who writes to the new owner’s own number stays there, answered in time or not', async () => {
  const { contactId, id } = await accepted()
  await makeMessage(base.db, contactId, { instanceName: named(1) })
  expect((await routingCaseOf(base.db, contactId)).state).toBe('watched')
  await makeMessage(base.db, contactId, { instanceName: named(0) })
  await portal.pass(30)
  expect(await ownerOf(base.db, contactId)).toBe(named(0))
  expect((await routingCaseOf(base.db, contactId)).state).toBe('done')
  expect(await kindsOf(base.db, id)).toEqual(['received', 'offered', 'accepted', 'theirs'])
})

test('an offer cannot be accepted once the person has another broker', async () => {
  const { id, number, contactId } = await offered()
  const own = await makeContact(base.db, named(2), { number })
  await expect(answer(0, id, 'accept')).rejects.toMatchObject(GONE)
  expect(await ownerOf(base.db, contactId)).toBeNull()
  await portal.pass(5)
  expect(await kindsOf(base.db, (await routingCaseOf(base.db, own.id)).id)).toEqual([
    'received',
    'offered',
    'expired',
    'theirs',
  ])
})

test('nor can it be taken: the bolsão drops a lead that has a broker', async () => {
  const { id, number } = await pooled()
  const own = await makeContact(base.db, named(2), { number })
  await expect(answer(1, id, 'claim')).rejects.toMatchObject(GONE)
  await portal.run()
  expect(await routingCaseOf(base.db, own.id)).toMatchObject({ id, state: 'done', holder: named(2) })
  expect((await kindsOf(base.db, id)).slice(-2)).toEqual(['pooled', 'theirs'])
})

test('a broker who has the person already accepts and takes as usual', async () => {
  const { id, number } = await offered()
  const own = await makeContact(base.db, named(0), { number })
  expect(await answer(0, id, 'accept')).toMatchObject({ contactId: own.id })
})

test('only an active seat can take', async () => {
  const { id, contactId } = await pooled()
  await base.db.query('update public.roleta_corretores set ativo = false where "instanceName" = $1', [
    named(0),
  ])
  await expect(answer(0, id, 'claim')).rejects.toMatchObject({ status: 404 })
  expect(await answer(2, id, 'claim')).toMatchObject({ contactId })
})

test('a broker who got an offered lead by hand is told that it is theirs, until it is transferred again', async () => {
  const { id, contactId } = await offered()
  await asUser(base.db, asAdmin, (query) => handOver(query, contactId, 0))
  expect(await answer(0, id, 'accept')).toMatchObject({ success: true, contactId })
  await asUser(base.db, asAdmin, (query) => handOver(query, contactId, 1))
  await expect(answer(0, id, 'accept')).rejects.toMatchObject(GONE)
})

test('disabling a rotation takes nothing away', async () => {
  const { contactId } = await accepted()
  await switchTo(false)
  await portal.pass(30)
  expect(await ownerOf(base.db, contactId)).toBe(named(0))
  expect((await routingCaseOf(base.db, contactId)).state).toBe('done')
})

describe('the leads of the administrator', () => {
  const REFUSED = { code: '42501', message: 'Somente um administrador pode fazer isto.' }
  const store = () => createRotationStore(base.db)
  const send = (id: number, operationId = randomUUID(), claims = asAdmin) =>
    store().sendInbox(claims, { id, operationId, nowMs: portal.clock.now() })

  test("can be sent to an enabled rotation, without brokers' leads, and leave the list when they are sent", async () => {
    await switchTo(false)
    const [first, second, theirs] = [await offered(), await offered(), await offered()]
    await base.db.query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
      theirs.contactId,
      named(2),
    ])
    expect(first.state).toBe('inbox')
    expect(await store().inbox(asAdmin)).toEqual([])
    expect(await send(rotation.id)).toEqual({ leads: 0 })
    await switchTo(true)
    await portal.pass(1)
    expect((await routingCaseOf(base.db, first.contactId)).state).toBe('inbox')
    expect(await store().inbox(asAdmin)).toEqual([{ id: rotation.id, leads: 2 }])

    const operationId = randomUUID()
    expect(await send(rotation.id, operationId)).toEqual({ leads: 2 })
    expect(await send(rotation.id, operationId)).toEqual({ leads: 2 })
    expect(await send(rotation.id)).toEqual({ leads: 0 })
    await portal.run()
    expect(await routingCaseOf(base.db, first.contactId)).toMatchObject({
      state: 'offered',
      holder: named(0),
    })
    expect(await routingCaseOf(base.db, second.contactId)).toMatchObject({
      state: 'offered',
      holder: named(1),
    })
    expect((await routingCaseOf(base.db, theirs.contactId)).state).toBe('inbox')
    expect(await kindsOf(base.db, first.id)).toEqual(['received', 'inbox', 'sent', 'offered'])
    expect(await logged('roleta.inbox-sent')).toBe(1)
  })

  test('can be sent to a rotation made after they came, once it has a seat', async () => {
    const { contactId } = await takeLead(portal, { development: 'Casa Amarela' })
    await portal.run()
    const made = await makeSeatedRotation(base.db, [], { empreendimento: 'casa amarela' })
    expect(await store().inbox(asAdmin)).toEqual([])
    expect(await send(made.id)).toEqual({ leads: 0 })
    await base.db.query(
      `insert into public.roleta_corretores ("roletaName", "instanceName", ordem) values ($1, $2, 1)`,
      [made.name, named(1)],
    )
    expect(await store().inbox(asAdmin)).toEqual([{ id: made.id, leads: 1 }])
    expect(await send(rotation.id)).toEqual({ leads: 0 })
    expect(await Promise.all([send(made.id), send(made.id)])).toContainEqual({ leads: 1 })
    await portal.run()
    expect(await ownerOf(base.db, contactId)).toBe(named(1))
  })

  test('can be sent only by an administrator', async () => {
    await expect(send(rotation.id, randomUUID(), asBrokers[0])).rejects.toMatchObject(REFUSED)
    await expect(store().inbox(asBrokers[0] ?? { role: 'anon' })).rejects.toMatchObject(REFUSED)
    await expect(send(0)).rejects.toMatchObject({ status: 404, message: 'Roleta não encontrada' })
  })
})

test("a rotation's assignments are in its own log, a person's in the audit log", async () => {
  const before = await logged('leads.handed-over')
  const { contactId } = await accepted()
  await portal.pass(10)
  expect(await logged('leads.handed-over')).toBe(before)
  await asUser(base.db, asAdmin, (query) => handOver(query, contactId, 2))
  expect(await logged('leads.handed-over')).toBe(before + 1)
})

onPostgres.describe('a lead is given away while its rotation decides', () => {
  /** Another connection's work waits until the change is committed. */
  async function during<T>(change: (query: Query) => Promise<unknown>, other: () => Promise<T>) {
    let waiting: Promise<PromiseSettledResult<T>[]> | undefined
    await base.db.transaction(async (query) => {
      await change(query)
      waiting = Promise.allSettled([other()])
      await untilLockAwaited(base.db)
    })
    return (await waiting)?.[0]
  }
  /** Like code that takes no routing lock. */
  const seize = (contactId: number) => (query: Query) =>
    query('select portal.hand_over($1::bigint[], $2)', [[String(contactId)], named(2)])
  const asChief = (change: (query: Query) => Promise<unknown>) => async (query: Query) => {
    await query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify(asAdmin)])
    await change(query)
  }

  test.each(['by an administrator', 'by whatever takes no turn'])(
    'an offer that is over by then moves no further (%s)',
    async (how) => {
      const { contactId, id } = await offered()
      portal.clock.advance(5 * 60_000)
      const byPerson = asChief((query) => handOver(query, contactId, 2))
      await during(how === 'by an administrator' ? byPerson : seize(contactId), portal.run)
      await portal.pass(10)
      expect(await ownerOf(base.db, contactId)).toBe(named(2))
      expect(await kindsOf(base.db, id)).toEqual(['received', 'offered', 'closed'])
    },
  )

  test('an acceptance at that moment is told that it is gone', async () => {
    const { contactId, id } = await offered()
    const answered = await during(seize(contactId), () => answer(0, id, 'accept'))
    expect(answered).toMatchObject({ status: 'rejected', reason: GONE })
    expect(await ownerOf(base.db, contactId)).toBe(named(2))
  })

  test('a late owner does not lose what the person wrote at that moment', async () => {
    const { contactId } = await accepted()
    portal.clock.advance(10 * 60_000)
    const write = (query: Query) =>
      query(
        `insert into public.whatsapp_messages (contact_id, message_id, "instanceName", body, "timestamp", type)
         values ($1, 'late', $2, 'Oi', $3, 'incoming')`,
        [contactId, named(0), Math.floor(portal.clock.now() / 1000)],
      )
    await during(write, portal.run)
    await portal.run()
    expect(await ownerOf(base.db, contactId)).toBe(named(0))
    expect((await routingCaseOf(base.db, contactId)).state).toBe('done')
  })

  test('a broker is removed during an offer: one waits for the other, nothing is rolled back', async () => {
    const { contactId } = await accepted()
    portal.clock.advance(10 * 60_000)
    const remove = asChief((query) =>
      query('select portal.remove_broker(gen_random_uuid(), $1, $2)', [named(0), named(2)]),
    )
    await during(remove, portal.run)
    await portal.pass(10)
    expect(await ownerOf(base.db, contactId)).toBe(named(2))
  })
})
