// Campaign results in the history and the administrators' report.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Claims } from '#server/db/as-user.ts'
import type { Row, SqlValue } from '#server/db/database.ts'
import {
  makeCampaign,
  makeContact,
  makeMessage,
  makeRecipient,
  tryAs,
  type MadeBroker,
} from '#tests/support/make.ts'
import { openStaff } from '#tests/support/staff.ts'

const SENT_AT = '2026-11-10T12:00:00Z'
const HOUR = 3_600
const sentSeconds = Date.parse(SENT_AT) / 1000

const { base, ana, bia, asAna, asBia, asAdmin } = await openStaff()
let campaignId: number
beforeAll(async () => {
  campaignId = await campaignOf(ana, SENT_AT, { total_contacts: 9, processed_contacts: 6 })
  await recipient('delivered')
  await recipient('read')
  await answers(await recipient('read'), 71 * HOUR)
  await answers(await recipient('delivered'), 73 * HOUR)
  await answers(await recipient('sent'), -HOUR)
  const gone = await recipient('delivered')
  await answers(gone, HOUR)
  await base.db.query('update portal.people set opted_out_at = $2 where id = $1', [gone.person_id, at(HOUR)])
  // An opt-out before, or long after, is not due to the campaign.
  const before = await recipient('sent', { accepted_at: null, state: 'failed' })
  await base.db.query('update portal.people set opted_out_at = $2 where id = $1', [
    before.person_id,
    at(-HOUR),
  ])
  await recipient('sent', { accepted_at: null, state: 'unknown' })
  await recipient('queued', { accepted_at: null, state: 'pending' })
})

const at = (seconds: number) => new Date((sentSeconds + seconds) * 1000).toISOString()
const campaignOf = async (broker: MadeBroker, createdAt: string, columns: Record<string, SqlValue> = {}) =>
  (await makeCampaign(base.db, broker.id, { created_at: createdAt, ...columns })).id

async function recipient(delivery: string, columns: Record<string, SqlValue> = {}) {
  const lead = await makeContact(base.db, ana.instanceName)
  const line = await makeMessage(base.db, lead.id, {
    type: 'outgoing',
    author: 'campaign',
    delivery,
    timestamp: sentSeconds,
    instanceName: ana.instanceName,
  })
  const { id } = await makeRecipient(base.db, campaignId, lead)
  const values = { state: 'sent', accepted_at: SENT_AT, message_id: line.id, ...columns }
  await base.db.query(
    'update public.campaign_recipients set state = $2, accepted_at = $3, message_id = $4 where id = $1',
    [id, values.state, values.accepted_at, values.message_id],
  )
  return lead
}

const answers = ({ id }: { id: number }, afterSeconds: number) =>
  makeMessage(base.db, id, { timestamp: sentSeconds + afterSeconds, instanceName: ana.instanceName })

const ask = <T extends Row>(claims: Claims, sql: string, values: SqlValue[] = []) =>
  tryAs(base.db, claims, async (query) => (await query<T>(sql, values)).rows)
const history = (claims: Claims) =>
  ask<{ id: number; created_at: string }>(claims, 'select * from public.get_campaign_history()')

const OUTCOMES = { delivered: 5, read: 2, answered: 1, opted_out: 1 }

test('each result is counted by the real events of gateway and lead', async () => {
  expect(await history(asAna)).toEqual([
    expect.objectContaining({
      id: campaignId,
      instanceName: ana.instanceName,
      kanban_stage: 'new',
      stage_name: 'Novos Contatos',
      total_contacts: 9,
      processed_contacts: 6,
      ...OUTCOMES,
      failed: 1,
      unknown: 1,
      waiting: 1,
    }),
  ])
})

test("the summary totals each broker's campaigns; brokers without any are omitted", async () => {
  await campaignOf(ana, '2026-10-01T12:00:00Z', { total_contacts: 1, processed_contacts: 1 })
  expect(await ask(asAdmin, 'select * from public.get_campaign_stats()')).toEqual([
    {
      broker_id: ana.id,
      instanceName: ana.instanceName,
      total_campaigns: 2,
      total_contacts: 10,
      processed_contacts: 7,
      ...OUTCOMES,
    },
  ])
})

test('a deleted stage keeps its name there', async () => {
  const id = await campaignOf(bia, '2026-09-01T12:00:00Z', { kanban_stage: 'antigo' })
  expect(await history(asBia)).toEqual([
    expect.objectContaining({ id, kanban_stage: 'antigo', stage_name: null, delivered: 0 }),
  ])
  await base.db.query('delete from public.remarketing_campaigns where id = $1', [id])
})

test('a broker sees the own campaigns, page by page, and an administrator all', async () => {
  const ids: number[] = []
  for (let each = 0; each < 31; each++) ids.push(await campaignOf(bia, '2026-11-11T12:00:00Z'))
  const first = await history(asBia)
  expect(first.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 30))
  const last = first.at(-1)
  const next = await ask<{ id: number }>(asBia, 'select id from public.get_campaign_history($1, $2)', [
    last?.created_at ?? '',
    last?.id ?? 0,
  ])
  expect(next.map(({ id }) => id)).toEqual(ids.slice(0, 1))
  expect((await history(asAna)).map(({ id }) => id)).not.toContain(ids[0])
  expect((await history(asAdmin)).map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 30))
})

describe('only an administrator', () => {
  test('reads opt-outs, the latest first', async () => {
    const rows = await ask<{ opted_out_at: string; instanceName: string }>(
      asAdmin,
      'select * from public.get_opt_outs()',
    )
    expect(rows.map((row) => new Date(row.opted_out_at).toISOString())).toEqual([
      new Date(at(HOUR)).toISOString(),
      new Date(at(-HOUR)).toISOString(),
    ])
    expect(rows[0]?.instanceName).toBe(ana.instanceName)
    await expect(ask(asAna, 'select * from public.get_opt_outs()')).rejects.toMatchObject({ code: '42501' })
  })

  test('reads the summary', async () => {
    await expect(ask(asBia, 'select * from public.get_campaign_stats()')).rejects.toMatchObject({
      code: '42501',
    })
  })
})
