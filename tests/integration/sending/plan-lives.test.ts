// Random lives of leads with plans: nothing leaves after an answer, twice, or outside the allowed hours.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextOpening } from '#domain/campaign.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { startPlan, stepIn, stopPlan, type WantedStep } from '#tests/support/plans.ts'
import { callAs, queueDue } from '#tests/support/scheduled.ts'
import { byTier } from '#tests/support/runner/tier.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAna, asBia, asAdmin } = await openStaff()
const { db } = base
const RULES = { opensAt: 8, closesAt: 20, sendsOnSundays: false, dailyCap: 1, warmUpFrom: 1, warmUpDays: 1 }
await db.query(
  `update public.campaign_settings set opens_at = ${RULES.opensAt}, closes_at = ${RULES.closesAt}, sends_on_sundays = false`,
)

const HOUR_MS = 3_600_000
const LIVES = byTier(6, 1_000)

/** Hours that pass before the deed, and its steps as hours after it. */
const deed = fc.record({
  kind: fc.constantFrom(
    'start',
    'start',
    'edit',
    'stop',
    'poll',
    'poll',
    'write',
    'visit',
    'close',
    'hand',
    'leave',
  ),
  afterHours: fc.integer({ min: 0, max: 60 }),
  steps: fc.array(
    fc.record({ inHours: fc.integer({ min: 1, max: 120 }), kind: fc.constantFrom('message', 'call') }),
    {
      minLength: 1,
      maxLength: 5,
    },
  ),
  keeps: fc.boolean(),
})

type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never
type Life = { id: number; nowMs: number; answeredAtMs: number; steps: WantedStep[]; owner: typeof ana }

async function live(deeds: readonly Deed[]) {
  const { id } = await makeContact(db, ana.instanceName)
  await makeMessage(db, id, { timestamp: Math.floor(Date.now() / 1000) - 400_000 })
  await makeMessage(db, id, { timestamp: Math.floor(Date.now() / 1000) - 399_000, type: 'outgoing' })
  const life: Life = { id, nowMs: Date.now(), answeredAtMs: 0, steps: [], owner: ana }
  const sent = new Set<string>()
  const end: Deed = { kind: 'poll', afterHours: 400, steps: [], keeps: true }
  for (const { kind, afterHours, steps, keeps } of [...deeds, end]) {
    // The server looks every second; here whenever a text is due.
    const untilMs = life.nowMs + afterHours * HOUR_MS
    for (let dueMs = await nextDue(id, life.nowMs); dueMs <= untilMs; dueMs = await nextDue(id, life.nowMs)) {
      life.nowMs = Math.max(life.nowMs + 1, dueMs)
      await pollAt(life, sent)
    }
    life.nowMs = untilMs
    const claims = life.owner === ana ? asAna : asBia
    const wanted = steps.map((step, index) =>
      stepIn((life.nowMs - Date.now()) / HOUR_MS + step.inHours, {
        kind: step.kind,
        text: step.kind === 'call' ? null : `Texto ${life.nowMs} ${step.inHours} ${index}`,
      }),
    )
    const seen = { p_seen_at: new Date(Math.min(life.nowMs, Date.now())).toISOString() }
    const { rows } = await db.query<{ id: number }>(
      `select id from portal.lead_plans where contact_id = $1 and state <> 'ended'`,
      [id],
    )
    const open = rows[0]?.id ?? 0
    if (kind === 'start' && (await startPlan(db, claims, id, { steps: wanted, ...seen })).code === 'saved')
      life.steps = wanted
    if (kind === 'edit') {
      // With steps as a phone without a network knows them: some are over by now.
      const all = [...(keeps ? life.steps : []), ...wanted].slice(0, 5)
      await startPlan(db, claims, id, { steps: all, p_plan_id: open })
      life.steps = all
    }
    if (kind === 'stop') await stopPlan(db, claims, id, { p_plan_id: open })
    if (kind === 'write') {
      life.answeredAtMs = life.nowMs
      await makeMessage(db, id, { timestamp: Math.ceil(life.nowMs / 1000) + 1 })
    }
    if (kind === 'visit')
      await callAs(db, claims, 'visit_save', {
        p_contact_id: id,
        p_starts_at: new Date(Date.now() + HOUR_MS).toISOString(),
      })
    if (kind === 'close')
      await callAs(db, claims, 'atualizar_status_lead', {
        p_contact_id: id,
        p_novo_status: keeps ? 'closed' : 'conversa',
      })
    if (kind === 'hand') {
      life.owner = life.owner === ana ? bia : ana
      await callAs(db, asAdmin, 'transferir_leads', {
        p_contact_ids: `{${id}}`,
        p_broker_name: life.owner.instanceName,
      })
    }
    if (kind === 'leave' && keeps)
      await db.query(
        'update portal.people set opted_out_at = now() where id = (select person_id from whatsapp_contacts where id = $1)',
        [id],
      )
    await expectOnePlan(id)
  }
  const { rows } = await db.query<{ body: string }>(
    `select body from whatsapp_messages where contact_id = $1 and body like 'Texto %'`,
    [id],
  )
  expect(rows.map(({ body }) => body).toSorted(), 'each text once').toEqual([...sent].toSorted())
  await db.query('delete from public.whatsapp_contacts where id = $1', [id])
}

/** When the next text of the lead is due after a time; never without one. */
async function nextDue(id: number, afterMs: number) {
  const { rows } = await db.query<{ due: string | null }>(
    `select min(due_at) as due from portal.scheduled_messages
     where contact_id = $1 and state = 'waiting' and due_at > to_timestamp($2)`,
    [id, afterMs / 1000],
  )
  return rows[0]?.due ? Date.parse(rows[0].due) : Infinity
}

async function pollAt({ id, nowMs, answeredAtMs }: Life, sent: Set<string>) {
  const before = await textsOf(id)
  while ((await queueDue(db, nowMs)).length > 0);
  for (const { id: message, body, plan, state, reason } of (await textsOf(id)).filter(
    ({ id: now }) => !before.some((old) => old.id === now),
  )) {
    expect(sent.has(body), `twice: ${body}`).toBe(false)
    sent.add(body)
    expect([state, reason], `of an open plan: ${message} of ${plan}`).toEqual([
      expect.stringMatching(/running|done/),
      null,
    ])
    expect(nextOpening(RULES, nowMs, 'America/Sao_Paulo'), 'inside the hours').toBe(nowMs)
    const { rows } = await db.query<{ seen: string }>(
      'select seen_at as seen from portal.lead_plans where id = $1',
      [plan],
    )
    expect(answeredAtMs, 'not after an answer').toBeLessThanOrEqual(Date.parse(String(rows[0]?.seen)))
  }
}

async function textsOf(id: number) {
  const { rows } = await db.query<{
    id: number
    body: string
    plan: number
    state: string
    reason: string | null
  }>(
    `select m.id, m.body, p.id as plan, p.state, p.reason from whatsapp_messages m
     join portal.scheduled_messages s on s.message_id = m.id join portal.lead_plans p on p.id = s.plan_id
     where m.contact_id = $1`,
    [id],
  )
  return rows
}

async function expectOnePlan(id: number) {
  const { rows } = await db.query<{ plans: number; strays: number }>(
    `select (select count(*) from portal.lead_plans p where p.contact_id = $1 and p.state <> 'ended')::integer as plans,
       (select count(*) from portal.lead_plans p where p.contact_id = $1 and p.state = 'ended' and (
         exists (select from portal.actions a where a.plan_id = p.id and a.finished_at is null)
         or exists (select from portal.scheduled_messages s where s.plan_id = p.id and s.state in ('waiting', 'asking'))))::integer as strays`,
    [id],
  )
  expect(rows[0]?.plans).toBeLessThanOrEqual(1)
  expect(rows[0]?.strays).toBe(0)
}

test(
  `${LIVES} lives: no text after an answer, none twice, none outside the hours`,
  async () => {
    await fc.assert(fc.asyncProperty(fc.array(deed, { minLength: 2, maxLength: 14 }), live), {
      numRuns: LIVES,
    })
  },
  LIVES * 4_000,
)
