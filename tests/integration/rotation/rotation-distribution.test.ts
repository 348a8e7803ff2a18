// Distribution of leads: shares, one owner under concurrency, decisions repeated from the log, offers passed on by
// time.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Claims } from '#server/db/as-user.ts'
import { databasesOf, openBase, onPostgres } from '#tests/support/database.ts'
import {
  makeBroker,
  makeContact,
  makeMessage,
  signIn,
  signInAdmin,
  type MadeBroker,
} from '#tests/support/make.ts'
import {
  answerOffer,
  routingCaseOf,
  kindsOf,
  link,
  makeLinkedBroker,
  makeSeatedRotation,
  nextNumber,
  openDistributor,
  ownerOf,
  replayAll,
  takeLead,
  type MadeRotation,
} from '#tests/support/rotation.ts'
import { isDeepRun } from '#tests/support/runner/tier.ts'

let brokers: MadeBroker[]
let asBrokers: Claims[]
const base = await openBase()
const asAdmin = await signInAdmin(base.db)

let portal: ReturnType<typeof openDistributor>
beforeEach(async () => {
  brokers = await Promise.all([1, 2, 3].map(() => makeLinkedBroker(base.db)))
  asBrokers = await Promise.all(brokers.map((broker) => signIn(base.db, broker)))
  portal = openDistributor(base.db)
})
afterEach(async () => {
  expect(portal.faults).toEqual([])
  const { count, astray } = await replayAll(base.db)
  expect(astray, `of ${count} decisions`).toEqual([])
  await base.db.exec(
    'delete from public.whatsapp_contacts; delete from public.roletas; delete from portal.people',
  )
})

const named = (index: number) => brokers[index]?.instanceName ?? ''
const claimsOf = (index: number) => asBrokers[index] ?? { role: 'anon' as const }
const take = (rotation: MadeRotation, more = {}) => takeLead(portal, { development: rotation.name, ...more })
async function received({ name }: MadeRotation): Promise<number[]> {
  const { rows } = await base.db.query<{ leads: number }>(
    'select leads_recebidos as leads from public.roleta_corretores where "roletaName" = $1 order by ordem',
    [name],
  )
  return rows.map(({ leads }) => leads)
}
const setSeat = ({ name }: MadeRotation, index: number, sql: string) =>
  base.db.query(
    `update public.roleta_corretores set ${sql} where "roletaName" = $1 and "instanceName" = $2`,
    [name, named(index)],
  )
const reasonsOf = async (caseId: number): Promise<Record<string, string>> => {
  const { rows } = await base.db.query<{ name: string; reason: string }>(
    `select v ->> 'instanceName' as name, v ->> 'reason' as reason
     from portal.roleta_events e, jsonb_array_elements(e.decision -> 'verdicts') v where e.case_id = $1`,
    [caseId],
  )
  return Object.fromEntries(rows.map(({ name, reason }) => [name, reason]))
}

test('leads alternate, each seat gets its weight, and received leads are counted', async () => {
  const rotation = await makeSeatedRotation(base.db, brokers)
  await setSeat(rotation, 0, 'weight = 2')
  const taken = await Promise.all(Array.from({ length: 8 }, () => take(rotation)))
  await portal.run()
  expect(await received(rotation)).toEqual([4, 2, 2])
  for (const { contactId } of taken) {
    expect(brokers.map((broker) => broker.instanceName)).toContain(await ownerOf(base.db, contactId))
    expect((await routingCaseOf(base.db, contactId)).state).toBe('done')
  }
})

test("a development's name matches in any spelling", async () => {
  const rotation = await makeSeatedRotation(base.db, brokers, { empreendimento: 'Jardim das Acácias' })
  const { contactId } = await takeLead(portal, { development: 'jardim-das acacias ' })
  await portal.run()
  expect(await ownerOf(base.db, contactId)).toBe(named(0))
  expect(await received(rotation)).toEqual([1, 0, 0])
  const { rows } = await base.db.query('select empreendimento from public.whatsapp_contacts')
  expect(rows).toEqual([{ empreendimento: 'Jardim das Acácias' }])
})

test.each([['another development'], [null]])(
  'without a rotation (%s) it is the administrator’s',
  async (development) => {
    await makeSeatedRotation(base.db, brokers)
    const { contactId } = await takeLead(portal, { development })
    await portal.run()
    expect(await ownerOf(base.db, contactId)).toBeNull()
    const found = await routingCaseOf(base.db, contactId)
    expect(found.state).toBe('inbox')
    expect(await kindsOf(base.db, found.id)).toEqual(['received', 'inbox'])
  },
)

test('a disabled rotation distributes nothing', async () => {
  const rotation = await makeSeatedRotation(base.db, brokers, { ativa: false })
  const { contactId } = await take(rotation)
  await portal.run()
  expect((await routingCaseOf(base.db, contactId)).state).toBe('inbox')
})

test('a broker who is paused, without WhatsApp, off shift or at the cap is skipped, with the reason', async () => {
  portal.toNoon()
  const rotation = await makeSeatedRotation(base.db, brokers)
  await base.db.query(`update public.brokers set paused_until = 'infinity' where "instanceName" = $1`, [
    named(0),
  ])
  await link(base.db, brokers[1] ?? (await makeBroker(base.db)), 'close')
  const first = await take(rotation)
  await portal.run()
  expect(await ownerOf(base.db, first.contactId)).toBe(named(2))
  expect(await reasonsOf((await routingCaseOf(base.db, first.contactId)).id)).toEqual({
    [named(0)]: 'paused',
    [named(1)]: 'not-linked',
    [named(2)]: 'picked',
  })
  await setSeat(rotation, 2, 'daily_cap = 1')
  const second = await take(rotation)
  await portal.run()
  expect((await routingCaseOf(base.db, second.contactId)).state).toBe('waiting')
  // 'Nobody available' is logged once, however often it is checked; the cap is new the next day.
  await portal.pass(2)
  await portal.pass(2)
  expect(await kindsOf(base.db, (await routingCaseOf(base.db, second.contactId)).id)).toEqual([
    'received',
    'waiting',
  ])
  await portal.pass(24 * 60)
  expect(await ownerOf(base.db, second.contactId)).toBe(named(2))
})

test('a lead at night waits for the first shift', async () => {
  const rotation = await makeSeatedRotation(base.db, brokers.slice(0, 1))
  const local = await base.db.query<{ minute: number }>(
    `select (portal.moment_of($1) ->> 'minute')::integer as minute`,
    [new Date(portal.clock.now()).toISOString()],
  )
  const opens = ((local.rows[0]?.minute ?? 0) + 60) % 1440
  const shift = JSON.stringify([
    { days: [1, 2, 3, 4, 5, 6, 7], from: opens, to: (opens + 60) % 1440 || 1440 },
  ])
  await setSeat(rotation, 0, `shifts = '${shift}'`)
  const { contactId } = await take(rotation)
  await portal.run()
  expect(await ownerOf(base.db, contactId)).toBeNull()
  await portal.pass(65)
  expect(await ownerOf(base.db, contactId)).toBe(named(0))
})

test('the same person again, with another form of the number, is one lead of one broker', async () => {
  const rotation = await makeSeatedRotation(base.db, brokers)
  const first = await take(rotation, { number: '5511987650001' })
  const again = await take(rotation, { number: '1187650001', message: 'Ainda tem?' })
  expect(again.contactId).toBe(first.contactId)
  await portal.run()
  const third = await take(rotation, { number: '+55 (11) 98765-0001', message: 'Quero visitar' })
  await portal.run()
  expect(third.contactId).toBe(first.contactId)
  expect(await received(rotation)).toEqual([1, 0, 0])
  const found = await routingCaseOf(base.db, first.contactId)
  expect(await kindsOf(base.db, found.id)).toEqual(['received', 'theirs'])
})

test('a lead who writes to a broker’s own number stays there', async () => {
  const rotation = await makeSeatedRotation(base.db, brokers)
  const number = nextNumber()
  const own = await makeContact(base.db, named(2), { number })
  const { contactId } = await take(rotation, { number })
  expect(contactId).toBe(own.id)
  await portal.run()
  expect(await ownerOf(base.db, own.id)).toBe(named(2))
  expect(await received(rotation)).toEqual([0, 0, 0])
})

test('a lead who writes to a broker during the routing becomes that broker’s, as one lead', async () => {
  const rotation = await makeSeatedRotation(base.db, brokers, { needs_acceptance: true })
  const number = nextNumber()
  const { contactId } = await take(rotation, { number })
  await portal.run()
  const own = await makeContact(base.db, named(2), { number })
  await portal.pass(6)
  expect(await ownerOf(base.db, contactId)).toBeUndefined()
  const found = await routingCaseOf(base.db, own.id)
  expect(await kindsOf(base.db, found.id)).toEqual(['received', 'offered', 'expired', 'theirs'])
})

describe('with acceptance', () => {
  let rotation: MadeRotation
  beforeEach(async () => {
    rotation = await makeSeatedRotation(base.db, brokers, {
      needs_acceptance: true,
      accept_minutes: 5,
      answer_minutes: 10,
      max_hops: 3,
    })
  })

  test('it is the administrator’s until it is accepted', async () => {
    const { contactId } = await take(rotation)
    await portal.run()
    const { id, holder } = await routingCaseOf(base.db, contactId)
    expect([holder, await ownerOf(base.db, contactId)]).toEqual([named(0), null])
    expect(await received(rotation)).toEqual([0, 0, 0])
    expect(await answerOffer(portal, claimsOf(0), { id, intent: 'accept' })).toMatchObject({ contactId })
    expect(await ownerOf(base.db, contactId)).toBe(named(0))
    expect(await received(rotation)).toEqual([1, 0, 0])
  })

  test('of two devices one accepts, and both are told that it is theirs', async () => {
    const { contactId } = await take(rotation)
    await portal.run()
    const { id } = await routingCaseOf(base.db, contactId)
    const operationId = randomUUID()
    const answers = await Promise.all(
      [operationId, operationId, randomUUID(), randomUUID()].map((operation) =>
        answerOffer(portal, claimsOf(0), { id, intent: 'accept', operationId: operation }),
      ),
    )
    for (const answer of answers) expect(answer).toMatchObject({ success: true, contactId })
    expect(await received(rotation)).toEqual([1, 0, 0])
    expect(await kindsOf(base.db, id)).toEqual(['received', 'offered', 'accepted'])
  })

  test('not accepted in time it moves on, to three at most, then any broker may take it once', async () => {
    const { contactId } = await take(rotation)
    await portal.run()
    await portal.pass(4)
    expect((await routingCaseOf(base.db, contactId)).holder).toBe(named(0))
    await portal.pass(1)
    const { id } = await routingCaseOf(base.db, contactId)
    await expect(answerOffer(portal, claimsOf(0), { id, intent: 'accept' })).rejects.toMatchObject({
      status: 409,
      message: 'Este lead já passou para outro corretor.',
    })
    await answerOffer(portal, claimsOf(1), { id, intent: 'pass' })
    await portal.run()
    expect((await routingCaseOf(base.db, contactId)).holder).toBe(named(2))
    await portal.pass(5)
    expect(await routingCaseOf(base.db, contactId)).toMatchObject({ state: 'pool', holder: null })
    expect(await ownerOf(base.db, contactId)).toBeNull()
    const claims = await Promise.allSettled(
      [0, 1, 2].map((index) => answerOffer(portal, claimsOf(index), { id, intent: 'claim' })),
    )
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await received(rotation)).reduce((sum, leads) => sum + leads, 0)).toBe(1)
    expect(await kindsOf(base.db, id)).toEqual([
      'received',
      'offered',
      'expired',
      'offered',
      'passed',
      'offered',
      'expired',
      'pooled',
      'claimed',
    ])
  })

  test('an expired offer is refused even before the portal has checked', async () => {
    const { contactId } = await take(rotation)
    await portal.run()
    const { id } = await routingCaseOf(base.db, contactId)
    portal.clock.advance(5 * 60_000)
    await expect(answerOffer(portal, claimsOf(0), { id, intent: 'accept' })).rejects.toMatchObject({
      message: 'O tempo para aceitar este lead acabou.',
    })
  })

  test('an owner who does not write loses it to the next, one who writes keeps it', async () => {
    const [silent, answered] = [await take(rotation), await take(rotation)]
    await portal.run()
    for (const [index, { contactId }] of [silent, answered].entries())
      await answerOffer(portal, claimsOf(index), {
        id: (await routingCaseOf(base.db, contactId)).id,
        intent: 'accept',
      })
    await makeMessage(base.db, answered.contactId, {
      type: 'outgoing',
      timestamp: Math.floor(portal.clock.now() / 1000) + 60,
    })
    await portal.pass(10)
    expect(await ownerOf(base.db, answered.contactId)).toBe(named(1))
    expect(await ownerOf(base.db, silent.contactId)).toBeNull()
    const found = await routingCaseOf(base.db, silent.contactId)
    expect(found).toMatchObject({ state: 'offered', holder: named(2), tried: [named(0), named(2)] })
    expect(await kindsOf(base.db, found.id)).toEqual([
      'received',
      'offered',
      'accepted',
      'unanswered',
      'offered',
    ])
    // Messages to the first broker's number still reach it.
    const { rows } = await base.db.query<{ contact: number }>('select portal.contact_at($1, $2) as contact', [
      named(0),
      (
        await base.db.query<{ person_id: number }>(
          'select person_id from public.whatsapp_contacts where id = $1',
          [silent.contactId],
        )
      ).rows[0]?.person_id ?? 0,
    ])
    expect(rows[0]?.contact).toBe(silent.contactId)
  })

  test('in the second of the assignment only later messages of the owner count as an answer', async () => {
    const [early, late] = [await take(rotation), await take(rotation)]
    await portal.run()
    const accept = async (index: number, contactId: number) =>
      answerOffer(portal, claimsOf(index), {
        id: (await routingCaseOf(base.db, contactId)).id,
        intent: 'accept',
      })
    const inTheSameSecond = { type: 'outgoing', timestamp: Math.floor(portal.clock.now() / 1000) }
    await makeMessage(base.db, early.contactId, inTheSameSecond)
    await accept(0, early.contactId)
    await accept(1, late.contactId)
    await makeMessage(base.db, late.contactId, inTheSameSecond)
    await portal.pass(10)
    expect(await ownerOf(base.db, early.contactId)).toBeNull()
    expect(await ownerOf(base.db, late.contactId)).toBe(named(1))
  })

  test('a manual transfer removes it from the rotation, with its offer', async () => {
    const { contactId } = await take(rotation)
    await portal.run()
    const { id } = await routingCaseOf(base.db, contactId)
    await base.db.query('select portal.hand_over($1::bigint[], $2)', [[String(contactId)], named(2)])
    await expect(answerOffer(portal, claimsOf(0), { id, intent: 'accept' })).rejects.toMatchObject({
      status: 409,
    })
    await portal.pass(30)
    expect(await ownerOf(base.db, contactId)).toBe(named(2))
    expect(await kindsOf(base.db, id)).toEqual(['received', 'offered', 'closed'])
  })

  test("a removed broker's offer moves on", async () => {
    const { contactId } = await take(rotation)
    await portal.run()
    await base.db.query('delete from public.brokers where "instanceName" = $1', [named(0)])
    await portal.pass(5)
    expect((await routingCaseOf(base.db, contactId)).holder).toBe(named(1))
  })

  test('timers are rows: another portal continues after one stopped', async () => {
    const { contactId } = await take(rotation)
    await portal.run()
    const next = openDistributor(base.db, portal.clock)
    await next.pass(5)
    expect((await routingCaseOf(base.db, contactId)).holder).toBe(named(1))
  })

  test('neither another broker nor an administrator answers an offer', async () => {
    const { contactId } = await take(rotation)
    await portal.run()
    const { id } = await routingCaseOf(base.db, contactId)
    const stranger = await signIn(base.db, await makeBroker(base.db))
    await expect(answerOffer(portal, stranger, { id, intent: 'accept' })).rejects.toMatchObject({
      status: 404,
    })
    await expect(answerOffer(portal, asAdmin, { id, intent: 'accept' })).rejects.toMatchObject({
      status: 403,
    })
    await expect(answerOffer(portal, claimsOf(1), { id, intent: 'accept' })).rejects.toMatchObject({
      status: 409,
    })
    expect(await ownerOf(base.db, contactId)).toBeNull()
  })
})

test('a decision is never changed', async () => {
  const rotation = await makeSeatedRotation(base.db, brokers)
  await take(rotation)
  await portal.run()
  await expect(base.db.query(`update portal.roleta_events set decision = '{}'`)).rejects.toMatchObject({
    code: '42501',
  })
})

onPostgres.describe('two portals at once', () => {
  test.runIf(isDeepRun)(
    'a hundred leads come in while the order is edited; each has one broker, and shares are kept',
    async () => {
      const rotation = await makeSeatedRotation(base.db, brokers)
      const [, other = base.db] = databasesOf(base.db)
      const second = openDistributor(other, portal.clock)
      const over = { isOver: false }
      const distribute = async ({ run }: typeof portal) => {
        while (!over.isOver) await run()
        await run()
      }
      const reorder = async () => {
        for (let turn = 0; !over.isOver; turn++)
          await base.db.query(
            `update public.roleta_corretores set ordem = case ordem when 1 then 2 when 2 then 3 else 1 end
           where "roletaName" = $1`,
            [rotation.name],
          )
      }
      const numbers = Array.from({ length: 100 }, nextNumber)
      const taking = Promise.all(
        // Each comes twice, at both portals, like a repeated form.
        numbers.flatMap((number) => [
          takeLead(portal, { development: rotation.name, number }),
          takeLead(second, { development: rotation.name, number }),
        ]),
      ).finally(() => (over.isOver = true))
      const [taken] = await Promise.all([taking, distribute(portal), distribute(second), reorder()])
      await portal.run()
      const contacts = new Set(taken.map(({ contactId }) => contactId))
      expect(contacts.size).toBe(100)
      expect(taken.filter(({ isRepeat }) => !isRepeat)).toHaveLength(100)
      const { rows } = await base.db.query<{ leads: number; given: number }>(
        `select (select count(*) from public.whatsapp_contacts where "instanceName" = any ($1)) as leads,
        (select count(*) from portal.roleta_events where kind = 'given' and roleta_id = $2) as given`,
        [brokers.map((broker) => broker.instanceName), rotation.id],
      )
      expect(rows[0]).toEqual({ leads: 100, given: 100 })
      const counts = await received(rotation)
      expect(counts.reduce((sum, leads) => sum + leads, 0)).toBe(100)
      for (const leads of counts) expect(Math.abs(leads - 100 / 3)).toBeLessThan(1)
    },
  )
})
