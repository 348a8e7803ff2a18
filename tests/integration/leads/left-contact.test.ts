// Leads from a form, a portal or Meta wait like those that wrote: both rows of the response figures, their sum and
// their lists equal direct counts of the same histories.
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { asUser } from '#server/db/as-user.ts'
import { toSeconds } from '#domain/dashboard/dashboard.ts'
import { openBase } from '#tests/support/database.ts'
import { makeBroker, makeContact, makeMessage, signInAdmin } from '#tests/support/make.ts'
import { byTier } from '#tests/support/runner/tier.ts'

const base = await openBase()
const broker = await makeBroker(base.db)
const asAdmin = await signInAdmin(base.db)
beforeEach(() => base.db.query('delete from public.whatsapp_contacts'))

const START = 1_770_724_800
const SPAN = ['2026-02-10T00:00:00Z', '2026-02-11T23:59:59Z'] as const

/** Seconds after START; null: it did not happen. */
type History = { arrival: number | null; incoming: readonly number[]; outgoing: readonly number[] }

const arrive = (contactId: number, seconds: number) =>
  base.db.query(
    `insert into portal.lead_intakes (contact_id, source, received_at) values ($1, 'form', to_timestamp($2))`,
    [contactId, START + seconds],
  )

async function make({ arrival, incoming, outgoing }: History): Promise<number> {
  const { id } = await makeContact(base.db, broker.instanceName, {
    created_at: '2026-02-10T12:00:00Z',
    source: 'form',
  })
  if (arrival !== null) await arrive(id, arrival)
  for (const at of incoming) await makeMessage(base.db, id, { timestamp: START + at })
  for (const at of outgoing) await makeMessage(base.db, id, { timestamp: START + at, type: 'outgoing' })
  return id
}

/** The expected values of a lead, from its history alone. */
function plain({ arrival, incoming, outgoing }: History) {
  const wroteAt = incoming.length > 0 ? Math.min(...incoming) : null
  const firstFrom = (from: number) => {
    const after = outgoing.filter((at) => at >= from)
    return after.length > 0 ? Math.min(...after) : null
  }
  const answeredAt = wroteAt === null ? null : firstFrom(wroteAt)
  const contactedAt = arrival === null ? null : firstFrom(arrival)
  const isCalledFirst = contactedAt !== null && (wroteAt === null || contactedAt < wroteAt)
  return {
    response: wroteAt === null || answeredAt === null ? null : answeredAt - wroteAt,
    contact: isCalledFirst && arrival !== null ? contactedAt - arrival : null,
    isWaitingForAnswer: wroteAt !== null && answeredAt === null,
    isUncalled: arrival !== null && wroteAt === null && contactedAt === null,
    waitingSince: wroteAt === null ? arrival : wroteAt,
  }
}

async function ask<T>(sql: string, values: (string | null)[] = []): Promise<T[]> {
  const { rows } = await asUser(base.db, asAdmin, (query) => query<T & Record<string, unknown>>(sql, values))
  return rows
}

type Line = {
  answeredLeads: number
  unansweredLeads: number
  medianHours: number | null
  p90Hours: number | null
  withinFiveMinutes: number
}
const times = async () =>
  (
    await ask<{ data: Line & { wroteUnansweredLeads: number; leftContact: Line } }>(
      'select get_response_times(null, null, $1, $2) as data',
      [...SPAN],
    )
  )[0]?.data
const kpi = async () =>
  (
    await ask<{ data: { kpi: { answeredLeads: number; unansweredLeads: number } } }>(
      'select get_dashboard_data_by_params(null, $1, $2, null) as data',
      [...SPAN],
    )
  )[0]?.data.kpi
type Row = { id: string; response_seconds: string | null; since: string | null }
const listed = (figure: string, value: string | null = null) =>
  ask<Row>(
    `select id, response_seconds, extract(epoch from waiting_since) as since from get_leads_behind_figure($1, $4, null, null, $2, $3)`,
    [figure, ...SPAN, value],
  )

const ascending = (a: number | null, b: number | null) => Number(a) - Number(b)
const median = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return low === undefined || high === undefined ? null : (low + high) / 2 / 3600
}

/** The 90th percentile, interpolated as Postgres does. */
function ninetieth(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = 0.9 * (sorted.length - 1)
  const low = sorted[Math.floor(at)] ?? 0
  return low + ((sorted[Math.ceil(at)] ?? low) - low) * (at - Math.floor(at))
}

// No two events in one second, where the order of arrival would decide.
const history: fc.Arbitrary<History> = fc
  .uniqueArray(fc.integer({ min: 0, max: 900 }), { minLength: 5, maxLength: 5 })
  .chain((at) =>
    fc.record({
      arrival: fc.constantFrom(null, at[0] ?? 0),
      incoming: fc.subarray([at[1] ?? 0, at[2] ?? 0]),
      outgoing: fc.subarray([at[3] ?? 0, at[4] ?? 0]),
    }),
  )

test('the two rows, their sum and the lists equal direct counts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(history, { minLength: 1, maxLength: 8 }), async (histories) => {
      await base.db.query('delete from public.whatsapp_contacts')
      for (const each of histories) await make(each)
      const leads = histories.map(plain)
      const responses = leads.flatMap(({ response }) => response ?? [])
      const contacts = leads.flatMap(({ contact }) => contact ?? [])
      const unanswered = leads.filter((lead) => lead.isWaitingForAnswer).length
      const uncalled = leads.filter((lead) => lead.isUncalled).length
      const found = await times()
      expect(found).toMatchObject({
        answeredLeads: responses.length,
        unansweredLeads: unanswered + uncalled,
        wroteUnansweredLeads: unanswered,
        withinFiveMinutes: responses.filter((seconds) => seconds <= 300).length,
        leftContact: {
          answeredLeads: contacts.length,
          unansweredLeads: uncalled,
          withinFiveMinutes: contacts.filter((seconds) => seconds <= 300).length,
        },
      })
      for (const [line, values] of [
        [found, responses],
        [found?.leftContact, contacts],
      ] as const) {
        const wanted = median(values)
        if (wanted === null) expect(line?.medianHours).toBeNull()
        else expect(line?.medianHours).toBeCloseTo(wanted, 5)
      }
      expect(await kpi()).toMatchObject({
        answeredLeads: responses.length,
        unansweredLeads: unanswered + uncalled,
      })
      const open = await listed('unanswered')
      const waiting = leads.filter((lead) => lead.isWaitingForAnswer || lead.isUncalled)
      expect(open.map(({ since }) => Number(since) - START).toSorted(ascending)).toEqual(
        waiting.map(({ waitingSince }) => waitingSince).toSorted(ascending),
      )
      const quick = await listed('contacted-within-five-minutes')
      expect(quick.map(({ response_seconds: seconds }) => Number(seconds)).toSorted(ascending)).toEqual(
        contacts.filter((seconds) => seconds <= 300).toSorted(ascending),
      )
      const called = await listed('contacted')
      expect(called.map(({ response_seconds: seconds }) => Number(seconds)).toSorted(ascending)).toEqual(
        contacts.toSorted(ascending),
      )
      // Behind the 90 %: those that took longer, by the seconds that the screen makes of the hours.
      for (const [figure, line, values] of [
        ['answered-after', found, responses],
        ['contacted-after', found?.leftContact, contacts],
      ] as const) {
        if (line?.p90Hours === null || line === undefined) continue
        const limit = ninetieth(values)
        const slow = await listed(figure, toSeconds(line.p90Hours))
        expect(slow.map(({ response_seconds: seconds }) => Number(seconds)).toSorted(ascending)).toEqual(
          values.filter((seconds) => seconds > limit).toSorted(ascending),
        )
      }
    }),
    { numRuns: byTier(5, 12), seed: 20_261_123 },
  )
}, 300_000)

test('a lead added by hand or imported has no arrival and does not wait', async () => {
  await make({ arrival: null, incoming: [], outgoing: [] })
  expect(await times()).toMatchObject({ unansweredLeads: 0, leftContact: { unansweredLeads: 0 } })
})

test('a form of a lead that wrote long before changes nothing; an arrival is kept in a merge', async () => {
  const old = await make({ arrival: null, incoming: [10], outgoing: [20] })
  await arrive(old, 500)
  expect(await times()).toMatchObject({
    answeredLeads: 1,
    unansweredLeads: 0,
    leftContact: { answeredLeads: 0 },
  })
  const left = await make({ arrival: 100, incoming: [], outgoing: [] })
  expect(await times()).toMatchObject({ unansweredLeads: 1, leftContact: { unansweredLeads: 1 } })
  const other = await make({ arrival: null, incoming: [], outgoing: [130] })
  await base.db.query('update portal.lead_intakes set contact_id = $1 where contact_id = $2', [other, left])
  expect(await times()).toMatchObject({
    unansweredLeads: 0,
    leftContact: { answeredLeads: 1, unansweredLeads: 0 },
  })
})

test('an unanswered lead that was lost is in the list, without a wait until it writes again', async () => {
  const id = await make({ arrival: 100, incoming: [], outgoing: [] })
  const moveAt = (seconds: number, to: string) =>
    base.db.query(
      `update public.whatsapp_contacts set status = $2
      where id = $1 and set_config('portal.moved_at', to_timestamp($3)::text, true) is not null`,
      [id, to, START + seconds],
    )
  const since = async () => (await listed('unanswered')).map(({ since: at }) => at && Number(at) - START)
  expect(await since()).toEqual([100])
  await moveAt(300, 'arquivado')
  expect(await since()).toEqual([null])
  await makeMessage(base.db, id, { timestamp: START + 500 })
  expect(await since()).toEqual([500])
})
