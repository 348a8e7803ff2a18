// The holdout of a campaign to a segment. It is drawn once for each person and stored with the campaign. Kills,
// imports, merges and erasures do not change it, and it gets no other campaign while it is compared.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { onBehalf } from '#server/db/as-user.ts'
import type { Row, SqlValue } from '#server/db/database.ts'
import { databasesOf, onPostgres } from '#tests/support/database.ts'
import { makeContact, makeMessage, untilLockAwaited } from '#tests/support/make.ts'
import { onBest, isDeepRun } from '#tests/support/runner/tier.ts'
import { armsOf, makeLeads, planSegment } from '#tests/support/segments.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAna, asAdmin: admin } = await openStaff()
const { db } = base
afterEach(() =>
  db.exec(
    `delete from public.remarketing_campaigns; delete from portal.segment_sends; delete from public.whatsapp_contacts;
     delete from portal.contact_merges; delete from portal.private_contacts; delete from portal.people; delete from portal.opt_outs; delete from portal.erasures`,
  ),
)

async function rowsOf<T extends Row>(sql: string, values: SqlValue[] = []): Promise<T[]> {
  return (await db.query<T>(sql, values)).rows
}

type Drawn = { person_id: number; number_key: string; arm: string | null; why: string | null }
const drawn = (question: object, percent: number) =>
  rowsOf<Drawn>(
    `select p.person_id, h.number_key, p.arm, p.why
     from portal.segment_people(portal.segment_question($1), $2, now()) p join portal.people h on h.id = p.person_id order by 2`,
    [JSON.stringify(question), percent],
  )
const heldOut = (found: readonly Drawn[]) =>
  found.filter(({ arm }) => arm === 'holdout').map(({ number_key: key }) => key)

describe('the draw', () => {
  test('is the same each time, grows with the share, and differs between questions', async () => {
    await makeLeads(db, [ana, bia], 400)
    const [five, ten, twenty] = [await drawn({}, 5), await drawn({}, 10), await drawn({}, 20)]
    expect(heldOut(await drawn({}, 10))).toEqual(heldOut(ten))
    expect(heldOut(ten)).toEqual(expect.arrayContaining(heldOut(five)))
    expect(heldOut(twenty)).toEqual(expect.arrayContaining(heldOut(ten)))
    // The tolerance is four standard deviations of 400 draws.
    for (const [found, share] of [
      [five, 0.05],
      [ten, 0.1],
      [twenty, 0.2],
    ] as const)
      expect(Math.abs(heldOut(found).length - 400 * share)).toBeLessThan(
        4 * Math.sqrt(400 * share * (1 - share)),
      )
    expect(heldOut(await drawn({ stages: ['new'] }, 20))).not.toEqual(heldOut(twenty))
  })

  test('belongs to the person: somebody imported anew, under another form of the number, gets the same lot', async () => {
    const numbers = Array.from({ length: 80 }, (_, index) => `1198765${String(4000 + index)}`)
    const bring = async (form: (digits: string) => string, owner: { instanceName: string }) => {
      for (const digits of numbers) await makeContact(db, owner.instanceName, { number: form(digits) })
    }
    await bring((digits) => `55${digits}`, ana)
    const before = heldOut(await drawn({}, 20))
    expect(before.length).toBeGreaterThan(5)
    await db.exec('delete from public.whatsapp_contacts; delete from portal.people')
    await bring((digits) => `${digits.slice(0, 2)}${digits.slice(3)}`, bia)
    expect(heldOut(await drawn({}, 20))).toEqual(before)
  })

  test.each([
    [49, 0],
    [50, 1],
  ])('among %i persons: at least %i held out', async (count, least) => {
    await makeLeads(db, [ana], count)
    const found = heldOut(await drawn({}, 20))
    expect(found.length >= least && (least > 0 || found.length === 0)).toBe(true)
  })
})

describe('a planned campaign', () => {
  test('writes down both arms, and one campaign for every broker; the holdout is in none', async () => {
    const leads = await makeLeads(db, [ana, bia], 120)
    const expected = await drawn({ stages: ['new'] }, 20)
    const send = await planSegment(db, admin, { question: { stages: ['new'] }, percent: 20 })
    const arms = await armsOf(db, send.id)
    expect(arms).toHaveLength(120)
    expect(new Set(arms.filter(({ arm }) => arm === 'holdout').map(({ person_id: id }) => id))).toEqual(
      new Set(expected.filter(({ arm }) => arm === 'holdout').map(({ person_id: id }) => id)),
    )
    expect(send).toEqual({
      id: send.id,
      receiving: expected.filter(({ arm }) => arm === 'campaign').length,
      heldOut: heldOut(expected).length,
      campaigns: 2,
    })
    const campaigns = await rowsOf<{ broker_id: string; kanban_stage: string; total_contacts: number }>(
      'select broker_id, kanban_stage, total_contacts from public.remarketing_campaigns order by broker_id',
    )
    expect(campaigns.map(({ broker_id: id }) => id)).toEqual([ana.id, bia.id].toSorted())
    expect(campaigns.every(({ kanban_stage: words }) => words === 'Segmento')).toBe(true)
    expect(campaigns.reduce((sum, { total_contacts: count }) => sum + count, 0)).toBe(send.receiving)
    const reached = await rowsOf<{ person_id: number; isOwn: boolean }>(
      `select r.person_id, c."instanceName" = b."instanceName" as "isOwn" from public.campaign_recipients r
       join public.remarketing_campaigns m on m.id = r.campaign_id join public.brokers b on b.id = m.broker_id
       join public.whatsapp_contacts c on c.id = r.contact_id`,
    )
    expect(reached.every(({ isOwn }) => isOwn)).toBe(true)
    expect(new Set(reached.map(({ person_id: id }) => id))).toEqual(
      new Set(arms.filter(({ arm }) => arm === 'campaign').map(({ person_id: id }) => id)),
    )
    expect(leads.length).toBe(reached.length + send.heldOut)
  })

  test('bears the name of the saved segment; the same operation plans one', async () => {
    await makeLeads(db, [ana], 3)
    const { rows } = await db.query<{ id: number }>(
      `insert into portal.segments (name, question, changed_by) values ('Parados', '{}', 'chefe') returning id`,
    )
    const asked = { operationId: randomUUID(), segmentId: rows[0]!.id, percent: null }
    const first = await planSegment(db, admin, asked)
    await makeLeads(db, [bia], 3)
    expect(await planSegment(db, admin, asked)).toEqual(first)
    expect(await rowsOf('select kanban_stage from public.remarketing_campaigns')).toEqual([
      { kanban_stage: 'Segmento Parados' },
    ])
    await db.exec('delete from portal.segments')
  })

  test('refuses where nobody may get it, and then changes nothing', async () => {
    await makeContact(db, null)
    await expect(planSegment(db, admin)).rejects.toMatchObject({ status: 422, code: 'campaign.no-contacts' })
    expect(await rowsOf('select from portal.segment_sends')).toEqual([])
  })

  test('is only for administrators', async () => {
    await makeLeads(db, [ana], 3)
    await expect(planSegment(db, asAna)).rejects.toMatchObject({ code: '42501' })
  })
})

// The kill of a portal is simulated by ending its connection, which only Postgres can do.
onPostgres.test('killed while it plans: nothing is half done, and the repeat draws the same', async () => {
  await makeLeads(db, [ana, bia], 100)
  const expected = heldOut(await drawn({}, 20))
  const operationId = randomUUID()
  const [, other] = databasesOf(db)
  await db.transaction(async (query) => {
    await query('select from public.brokers where id = $1 for update', [bia.id])
    const cut = planSegment(other!, admin, { percent: 20, operationId }).catch((error: unknown) => error)
    await untilLockAwaited(db)
    await query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    expect(await cut).toBeInstanceOf(Error)
  })
  expect(await rowsOf('select from portal.segment_arms')).toEqual([])
  expect(await rowsOf('select from public.remarketing_campaigns')).toEqual([])
  const send = await planSegment(db, admin, { percent: 20, operationId })
  const arms = await armsOf(db, send.id)
  const keys = await rowsOf<{ number_key: string }>(
    'select number_key from portal.people where id = any ($1) order by 1',
    [arms.filter(({ arm }) => arm === 'holdout').map(({ person_id: id }) => String(id))],
  )
  expect(keys.map(({ number_key: key }) => key)).toEqual(expected)
})

/** Two leads, one with only a hidden id (LID) and one with the number, that later turn out to be one person. */
async function hiddenAndKnown() {
  const hidden = await makeContact(db, ana.instanceName, { number: null, name: 'Só id' })
  await db.query(
    `insert into portal.identities ("instanceName", jid, person_id) values ($1, '77112233445566@lid', $2)`,
    [ana.instanceName, hidden.person_id],
  )
  const known = await makeContact(db, ana.instanceName)
  return { hidden, known }
}

describe('two persons who turn out to be one', () => {
  test('keep the arm of the known number, and count once; separated again, both count', async () => {
    const { hidden, known } = await hiddenAndKnown()
    const send = await planSegment(db, admin, { percent: null })
    await db.query(
      `update portal.segment_arms set arm = 'holdout', campaign_id = null where contact_id = $1`,
      [known.id],
    )
    const before = await armsOf(db, send.id)
    await db.query('select portal.join_people($1, $2, $3)', [
      ana.instanceName,
      known.person_id,
      hidden.person_id,
    ])
    const joined = (await armsOf(db, send.id)).filter((row) => row.is_counted)
    expect(joined).toEqual([expect.objectContaining({ person_id: known.person_id, arm: 'holdout' })])
    const [merge] = await rowsOf<{ id: number }>('select id from portal.contact_merges')
    await db.query('select portal.undo_merge($1)', [merge!.id])
    expect(await armsOf(db, send.id)).toEqual(before)
  })

  test('the only one with an arm brings it along, and back', async () => {
    const { hidden, known } = await hiddenAndKnown()
    await db.query(`update public.whatsapp_contacts set status = 'conversa' where id = $1`, [hidden.id])
    const send = await planSegment(db, admin, { question: { stages: ['conversa'] }, percent: null })
    const before = await armsOf(db, send.id)
    await db.query('select portal.join_people($1, $2, $3)', [
      ana.instanceName,
      known.person_id,
      hidden.person_id,
    ])
    expect(await armsOf(db, send.id)).toEqual([{ ...before[0]!, person_id: known.person_id }])
    const [merge] = await rowsOf<{ id: number }>('select id from portal.contact_merges')
    await db.query('select portal.undo_merge($1)', [merge!.id])
    expect(await armsOf(db, send.id)).toEqual(before)
  })
})

test.runIf(isDeepRun)(
  'random lives: imports, hand-overs, merges and removals never move anybody to the other arm',
  async () => {
    const step = fc.record({
      what: fc.constantFrom('import', 'hand', 'merge', 'remove', 'stage'),
      at: fc.nat({ max: 59 }),
      to: fc.nat({ max: 59 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const leads = await makeLeads(db, [ana, bia], 60)
        const send = await planSegment(db, admin, { percent: 20 })
        const before = await armsOf(db, send.id)
        const armOf = new Map(before.map((row) => [row.person_id, row.arm]))
        for (const { what, at, to } of steps) {
          const [lead, other] = [leads[at]!, leads[to]!]
          const stands = await rowsOf<{ id: number; instanceName: string }>(
            'select id, "instanceName" from public.whatsapp_contacts where id = any ($1)',
            [[String(lead.id), String(other.id)]],
          )
          if (what === 'import')
            await makeContact(db, [ana, bia][to % 2]!.instanceName, { number: lead.number }).catch(
              () => undefined,
            )
          else if (stands.length < 2 || lead.id === other.id) continue
          else if (what === 'hand')
            await db
              .query('update public.whatsapp_contacts set "instanceName" = $2 where id = $1', [
                lead.id,
                bia.instanceName,
              ])
              .catch(() => undefined)
          else if (what === 'merge')
            await db.query('select portal.merge_contacts($1, $2)', [lead.id, other.id])
          else if (what === 'remove')
            await db.query('delete from public.whatsapp_contacts where id = $1', [lead.id])
          else
            await db.query(`update public.whatsapp_contacts set status = 'conversa' where id = $1`, [lead.id])
        }
        const after = await armsOf(db, send.id)
        expect(after.map(({ arm, contact_id: id }) => [id, arm])).toEqual(
          before.map(({ arm, contact_id: id }) => [id, arm]),
        )
        // Each person who counts was assigned before, counts once, and is in the same arm.
        const counted = after.filter((row) => row.is_counted)
        expect(new Set(counted.map(({ person_id: id }) => id)).size).toBe(counted.length)
        for (const row of counted) {
          const own = armOf.get(row.person_id)
          if (own) expect(row.arm).toBe(own)
        }
        await db.exec(
          'delete from public.remarketing_campaigns; delete from portal.segment_sends; delete from public.whatsapp_contacts; delete from portal.contact_merges; delete from portal.people',
        )
      }),
      { numRuns: onBest(20, 4), seed: 7 },
    )
  },
)

describe('somebody whose data are erased', () => {
  test('still counts, with what had happened, and cannot be found any more', async () => {
    const [lead] = await makeLeads(db, [ana], 1)
    const send = await planSegment(db, admin, { percent: null })
    await makeMessage(db, lead!.id, { timestamp: Math.floor(Date.now() / 1000) + 60 })
    await onBehalf(db, admin, (query) =>
      query('select portal.erase_person($1, null, $2)', [lead!.number, randomUUID()]),
    )
    expect(await armsOf(db, send.id)).toEqual([
      expect.objectContaining({
        person_id: null,
        contact_id: null,
        erased: { answered_at: expect.any(String), visited_at: null, won_at: null, leads: 1, won: [] },
      }),
    ])
  })

  test('marked as private: the same', async () => {
    const lead = await makeContact(db, ana.instanceName, { source: 'whatsapp' })
    const send = await planSegment(db, admin, { percent: null })
    await onBehalf(db, asAna, (query) =>
      query('select public.lead_private(p_contact_id => $1, p_operation_id => $2)', [lead.id, randomUUID()]),
    )
    expect(await armsOf(db, send.id)).toEqual([
      expect.objectContaining({
        person_id: null,
        contact_id: null,
        erased: expect.objectContaining({ leads: 1 }),
      }),
    ])
  })
})

describe('while they are compared, the held-out', () => {
  const DAYS = 86_400_000
  async function oneHeldOut() {
    const [lead, other] = await makeLeads(db, [ana], 2)
    const send = await planSegment(db, admin, { percent: null })
    await db.query(
      `update portal.segment_arms set arm = 'holdout', campaign_id = null where contact_id = $1`,
      [lead!.id],
    )
    await db.exec('delete from public.remarketing_campaigns')
    const age = (days: number) =>
      db.query('update portal.segment_arms set assigned_at = $1', [
        new Date(Date.now() - days * DAYS).toISOString(),
      ])
    return { lead: lead!, other: other!, send, age }
  }
  const exclusions = async () =>
    new Map(
      (
        await onBehalf(db, asAna, (query) =>
          query<{ contact_id: number; exclusion: string | null }>(
            `select contact_id, exclusion from portal.campaign_candidates('new')`,
          ),
        )
      ).rows.map(({ contact_id: id, exclusion }) => [id, exclusion]),
    )

  test("get no other campaign, neither to a segment nor a broker's own; after thirty days they do", async () => {
    const { lead, other, age } = await oneHeldOut()
    const reasons = async () => (await drawn({ stages: ['new'] }, 5)).map(({ why }) => why)
    expect(await exclusions()).toEqual(
      new Map([
        [lead.id, 'held-out'],
        [other.id, null],
      ]),
    )
    expect(await reasons()).toEqual(['held-out', null])
    await age(30.01)
    expect(await exclusions()).toEqual(
      new Map([
        [lead.id, null],
        [other.id, null],
      ]),
    )
    expect(await reasons()).toEqual([null, null])
  })

  test('are skipped by a campaign that was planned before', async () => {
    const { lead } = await oneHeldOut()
    const { rows } = await db.query<{ id: number }>(
      `insert into public.remarketing_campaigns (broker_id, kanban_stage, message, total_contacts) values ($1, 'new', 'Oi', 1) returning id`,
      [ana.id],
    )
    await db.query(
      `insert into public.campaign_recipients (campaign_id, contact_id, person_id, body) values ($1, $2, $3, 'Oi')`,
      [rows[0]!.id, lead.id, lead.person_id],
    )
    await db.query('select portal.next_recipient($1, $2, now())', [rows[0]!.id, ana.instanceName])
    expect(await rowsOf('select state, reason from public.campaign_recipients')).toEqual([
      { state: 'cancelled', reason: 'held-out' },
    ])
  })
})
