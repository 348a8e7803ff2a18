// Plans of next tries: begun once, changed by their steps, ended by anything that makes a further try wrong.
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { asUser } from '#server/db/as-user.ts'
import { comingSaturday } from '#tests/support/clock.ts'
import { makeContact, makeDevelopment, makeMessage } from '#tests/support/make.ts'
import { openSteps, plansOf, startPlan, stepIn, stopPlan, threeSteps } from '#tests/support/plans.ts'
import { callAs, laterOf, queueDue, schedule } from '#tests/support/scheduled.ts'
import { areSettled, messagesOf, openSender, scriptedGateway, untilMessages } from '#tests/support/sending.ts'
import { openStaff } from '#tests/support/staff.ts'

const { base, ana, bia, asAna, asBia, asAdmin } = await openStaff()
const { db } = base
await openAllDay()
afterEach(async () => {
  await db.exec(`
    delete from public.whatsapp_contacts; delete from portal.send_queues; delete from portal.plans;
    delete from portal.push_queue; update portal.people set opted_out_at = null; delete from portal.opt_outs`)
  await openAllDay()
})

function openAllDay() {
  return db.query('update public.campaign_settings set opens_at = 0, closes_at = 24, sends_on_sundays = true')
}

const DAY_S = 86_400
const agoSeconds = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
const bodies = async (id: number) => (await messagesOf(db, id)).map(({ body }) => body)

/** A lead who wrote four days ago and was answered. */
async function silentLead(instanceName = ana.instanceName) {
  const { id } = await makeContact(db, instanceName, { name: 'Rogério Bastos' })
  await makeMessage(db, id, { timestamp: agoSeconds(4 * DAY_S) })
  await makeMessage(db, id, { timestamp: agoSeconds(4 * DAY_S - 60), type: 'outgoing' })
  return id
}

async function planned(more: Parameters<typeof startPlan>[3] = {}) {
  const id = await silentLead()
  const { plan_id: plan } = await startPlan(db, asAna, id, more)
  return { id, plan: plan ?? 0 }
}

const planOf = async (id: number) =>
  (await plansOf(db, asAna, ana.instanceName)).plans.find(({ contact_id: contactId }) => contactId === id)
const states = async (id: number) => {
  const { rows } = await db.query<{ state: string; reason: string | null }>(
    'select state, reason from portal.lead_plans where contact_id = $1 order by id',
    [id],
  )
  return rows.map(({ state, reason }) => reason ?? state)
}

test('is begun once, with texts and actions as its steps', async () => {
  const id = await silentLead()
  const steps = threeSteps()
  const once = { steps, p_operation_id: randomUUID() }
  const first = await startPlan(db, asAna, id, once)
  expect(first).toMatchObject({ success: true, code: 'saved' })
  expect(await startPlan(db, asAna, id, once)).toEqual(first)
  expect(await openSteps(db, id)).toMatchObject([{ kind: 'text' }, { kind: 'action' }, { kind: 'text' }])
  expect(await laterOf(db, id)).toMatchObject([{ silent: true }, { silent: true }])
  expect(await planOf(id)).toMatchObject({
    id: first.plan_id,
    state: 'running',
    by: 'person',
    steps: steps.map(({ operationId, kind, text }) => ({
      op: operationId,
      kind,
      text: text ?? '',
      sends: text !== null,
      state: 'open',
    })),
  })
})

test('begun on two devices it is one: the second changes nothing', async () => {
  const { id, plan } = await planned()
  expect(await startPlan(db, asAdmin, id)).toMatchObject({ code: 'already', plan_id: plan })
  expect(await openSteps(db, id)).toHaveLength(3)
})

test('a message without a text is a reminder, and never a text', async () => {
  const { id } = await planned({ steps: [stepIn(24, { text: '  ' }), stepIn(48, { text: null })] })
  expect(await laterOf(db, id)).toBeNull()
  expect(await planOf(id)).toMatchObject({ steps: [{ sends: false }, { sends: false }] })
  await queueDue(db, Date.now() + 90 * 3_600_000)
  expect(await messagesOf(db, id)).toHaveLength(1)
})

const ENDS: Record<string, (id: number) => Promise<unknown>> = {
  answered: (id) => makeMessage(db, id, { timestamp: agoSeconds(-5) }),
  'answered ': (id) => makeMessage(db, id, { timestamp: agoSeconds(-5), kind: 'call', body: '' }),
  visit: (id) =>
    callAs(db, asAna, 'visit_save', {
      p_contact_id: id,
      p_starts_at: new Date(Date.now() + 9e7).toISOString(),
    }),
  stage: (id) => callAs(db, asAna, 'atualizar_status_lead', { p_contact_id: id, p_novo_status: 'arquivado' }),
  'opted-out': (id) => db.query('select portal.opt_out($1, $2)', [id, agoSeconds(0)]),
  stopped: (id) =>
    stopPlan(db, asAna, id, { p_plan_id: null, p_plan_operation: null }).then(() => stopById(id)),
}
const stopById = async (id: number) => stopPlan(db, asAna, id, { p_plan_id: (await planOf(id))?.id ?? 0 })

test.each(Object.keys(ENDS))('ends with its open steps: %s', async (end) => {
  const { id } = await planned()
  await ENDS[end]?.(id)
  expect(await states(id)).toEqual([end.trim()])
  expect((await openSteps(db, id)).filter(({ plan_id: plan }) => plan !== null)).toEqual([])
  await queueDue(db, Date.now() + 10 * DAY_S * 1000)
  expect((await bodies(id)).filter((body) => body.startsWith('Oi, Rogério'))).toEqual([])
  // Nobody is asked about a text that the plan's end cancelled.
  expect((await laterOf(db, id)) ?? []).toEqual([])
})

test.each(['answered', 'visit', 'stage', 'opted-out'])('begun too late it ends at once: %s', async (end) => {
  const id = await silentLead()
  await ENDS[end]?.(id)
  const seen = new Date(Date.now() - 3_600_000).toISOString()
  expect(await startPlan(db, asAna, id, { p_seen_at: seen })).toMatchObject({ code: 'saved' })
  expect(await states(id)).toEqual([end])
  expect((await openSteps(db, id)).filter(({ plan_id: plan }) => plan !== null)).toEqual([])
})

test('a message from before it began does not end it, nor does a grey note', async () => {
  const { id } = await planned()
  await makeMessage(db, id, { timestamp: agoSeconds(3 * DAY_S) })
  await makeMessage(db, id, { timestamp: agoSeconds(-5), type: 'note' })
  expect(await states(id)).toEqual(['running'])
})

test('after a hand-over its new broker confirms it, changes it, or stops it', async () => {
  const steps = threeSteps()
  const { id, plan } = await planned({ steps })
  await asUser(db, asAdmin, (query) =>
    query('select transferir_leads($1, $2)', [`{${id}}`, bia.instanceName]),
  )
  expect(await states(id)).toEqual(['asking'])
  await queueDue(db, Date.now() + 10 * DAY_S * 1000)
  expect(await messagesOf(db, id)).toHaveLength(1)
  expect(await stopPlan(db, asAna, id, { p_plan_id: plan })).toMatchObject({ code: 'unknown_lead' })
  expect(await startPlan(db, asBia, id, { steps, p_plan_id: plan })).toMatchObject({ code: 'saved' })
  expect(await states(id)).toEqual(['running'])
  expect(await queueDue(db, Date.now() + 25 * 3_600_000)).toEqual([bia.instanceName])
  expect(await messagesOf(db, id)).toHaveLength(2)
})

test('an edit moves, adds and removes steps, and never repeats one that is over', async () => {
  const [first, call, last] = [stepIn(1), stepIn(72, { kind: 'call', text: null }), stepIn(144)]
  const { id, plan } = await planned({ steps: [first, call, last] })
  await queueDue(db, Date.now() + 2 * 3_600_000)
  expect(await messagesOf(db, id)).toHaveLength(2)
  // A phone without a network edits what it knows: the first text is still open there.
  const added = stepIn(200, { kind: 'task', text: 'Ver planta nova' })
  const again = [first, { ...last, text: 'Ainda faz sentido?' }, added]
  expect(await startPlan(db, asAna, id, { steps: again, p_plan_id: plan })).toMatchObject({ code: 'saved' })
  expect(await planOf(id)).toMatchObject({
    state: 'running',
    steps: [
      { op: first.operationId, state: 'done', delivery: 'queued' },
      { op: last.operationId, text: 'Ainda faz sentido?', state: 'open' },
      { op: added.operationId, kind: 'task', text: 'Ver planta nova' },
    ],
  })
  await queueDue(db, Date.now() + 145 * 3_600_000)
  expect((await bodies(id)).slice(1)).toEqual([first.text, 'Ainda faz sentido?'])
})

test('a step becomes another kind in its place, alone as it is', async () => {
  const step = stepIn(24)
  const { id, plan } = await planned({ steps: [step] })
  await startPlan(db, asAna, id, { steps: [{ ...step, kind: 'call', text: null }], p_plan_id: plan })
  expect(await planOf(id)).toMatchObject({
    state: 'running',
    steps: [{ kind: 'call', op: step.operationId }],
  })
  await startPlan(db, asAna, id, { steps: [step], p_plan_id: plan })
  expect(await planOf(id)).toMatchObject({ state: 'running', steps: [{ sends: true }] })
  expect(await openSteps(db, id)).toHaveLength(1)
})

test('after the last step a person decides: one more, leave, or archive', async () => {
  const [text, call] = [stepIn(1), stepIn(2, { kind: 'call', text: null })]
  const { id, plan } = await planned({ steps: [text, call] })
  await queueDue(db, Date.now() + 2 * 3_600_000)
  expect(await states(id)).toEqual(['running'])
  await callAs(db, asAna, 'action_finish', {
    p_contact_id: id,
    p_outcome: 'done',
    p_action_operation: call.operationId,
  })
  expect(await states(id)).toEqual(['done'])
  expect(await startPlan(db, asAna, id, { steps: [stepIn(24)], p_plan_id: plan })).toMatchObject({
    code: 'saved',
    plan_id: plan,
  })
  expect(await planOf(id)).toMatchObject({ state: 'running', steps: [{}, {}, { state: 'open' }] })
  await stopPlan(db, asAna, id, { p_plan_id: plan })
  expect(await states(id)).toEqual(['stopped'])
  expect(await startPlan(db, asAna, id, { p_plan_id: plan })).toMatchObject({
    success: false,
    code: 'gone',
    message: 'Este plano já tinha terminado.',
  })
})

test('a plan whose steps were all removed by hand ends', async () => {
  const step = stepIn(24)
  const { id } = await planned({ steps: [step] })
  await callAs(db, asAna, 'message_unschedule', { p_contact_id: id, p_scheduled_operation: step.operationId })
  expect(await states(id)).toEqual(['stopped'])
})

test('declined, it is remembered without a plan; undone, it is as if never begun', async () => {
  const id = await silentLead()
  expect(await stopPlan(db, asAna, id, { p_reason: 'declined' })).toMatchObject({ code: 'saved' })
  expect(await planOf(id)).toMatchObject({ state: 'ended', reason: 'declined', steps: [] })
  const other = await silentLead()
  const operation = randomUUID()
  await startPlan(db, asAna, other, { p_operation_id: operation })
  await stopPlan(db, asAna, other, { p_reason: 'undone', p_plan_operation: operation })
  expect(await planOf(other)).toBeUndefined()
  expect(await openSteps(db, other)).toEqual([])
})

test('steps move into the allowed hours, and two never onto one day', async () => {
  await db.query('update public.campaign_settings set opens_at = 8, closes_at = 20, sends_on_sundays = false')
  const at = comingSaturday()
  const [saturday, sunday, monday] = [at(0, 19), at(1, 15), at(2, 7)]
  const steps = [saturday, sunday, monday].map((due) => stepIn(0, { dueAt: due.toISOString() }))
  const { id } = await planned({ steps })
  expect((await planOf(id))?.steps.map(({ due }) => new Date(due * 1000))).toEqual([
    saturday,
    at(2, 8),
    at(3, 8),
  ])
})

test.each(['stopped', 'answered', 'stage'])(
  'a text that waits for its link is withdrawn: %s',
  async (end) => {
    const { id } = await planned({ steps: [stepIn(-0.5), stepIn(48)] })
    await queueDue(db, Date.now())
    expect(await messagesOf(db, id)).toHaveLength(2)
    await ENDS[end]?.(id)
    const other = await silentLead()
    await schedule(db, asAna, other, { p_due_at: null })
    await queueDue(db, Date.now())
    const phone = scriptedGateway()
    openSender(db, phone.gateway).wake(ana.instanceName)
    await untilMessages(db, other, areSettled)
    expect(phone.sent.map(({ text }) => text)).not.toContain('Oi, Rogério! -0.5')
    expect((await bodies(id)).filter((body) => body.startsWith('Oi, Rogério'))).toEqual([])
    expect(await states(id)).toEqual([end])
  },
)

test('a step refused by the daily limit of first texts says so', async () => {
  await db.query(`insert into portal.settings values ('first_texts_a_day', '0')`)
  const { id } = await makeContact(db, ana.instanceName)
  await startPlan(db, asAna, id, { steps: [stepIn(1), stepIn(48, { kind: 'call', text: null })] })
  await queueDue(db, Date.now() + 2 * 3_600_000)
  expect(await planOf(id)).toMatchObject({
    steps: [{ state: 'refused', why: 'first-texts' }, { state: 'open' }],
  })
  expect(await messagesOf(db, id)).toHaveLength(0)
  await db.exec(`delete from portal.settings where key = 'first_texts_a_day'`)
})

test('of two merged leads one plan goes on; separate again, the other stays ended', async () => {
  const kept = await planned()
  const gone = await planned()
  const { rows } = await db.query<{ merge: number }>('select portal.merge_contacts($1, $2) as merge', [
    kept.id,
    gone.id,
  ])
  expect(await states(kept.id)).toEqual(['running', 'merged'])
  expect(await openSteps(db, kept.id)).toHaveLength(3)
  await db.query('select portal.undo_merge($1)', [rows[0]!.merge])
  expect([await states(kept.id), await states(gone.id)]).toEqual([['running'], ['merged']])
})

test('a merge brings the plan of the lead that goes, unless the kept one has written since', async () => {
  const gone = await planned()
  const quiet = await silentLead()
  await db.query('select portal.merge_contacts($1, $2)', [quiet, gone.id])
  expect(await states(quiet)).toEqual(['running'])
  const other = await planned()
  const loud = await silentLead()
  await makeMessage(db, loud, { timestamp: agoSeconds(-5) })
  await db.query('select portal.merge_contacts($1, $2)', [loud, other.id])
  expect(await states(loud)).toEqual(['answered'])
})

test('marked as private it ends, and stays ended when the lead comes back', async () => {
  const { id } = await planned()
  await db.query(`update public.whatsapp_contacts set source = 'whatsapp' where id = $1`, [id])
  const operation = randomUUID()
  const mark = { p_contact_id: id, p_broker_name: ana.instanceName, p_operation_id: operation }
  expect(await callAs(db, asAna, 'lead_private', mark)).toMatchObject({ code: 'saved' })
  expect(await planOf(id)).toBeUndefined()
  await callAs(db, asAna, 'lead_public', { p_marked_by: operation, p_operation_id: randomUUID() })
  expect(await states(id)).toEqual(['private'])
  expect(await openSteps(db, id)).toEqual([])
})

test("a person's own default keeps days and kinds, not texts; templates are the administrator's", async () => {
  const { id } = await makeDevelopment(db)
  await planned({ p_as_default: true, steps: [stepIn(24), stepIn(96, { kind: 'call', text: null })] })
  const template = [
    { day: 7, minute: 540, kind: 'message', text: 'Ainda faz sentido, {nome}?' },
    { day: 1, minute: 600, kind: 'call', text: '' },
  ]
  const save = { p_development_id: id, p_steps: JSON.stringify(template) }
  await expect(callAs(db, asAna, 'plan_template_save', save)).rejects.toMatchObject({ code: '42501' })
  expect(await callAs(db, asAdmin, 'plan_template_save', save)).toEqual([template[1], template[0]])
  const { own, shared } = await plansOf(db, asAna, ana.instanceName)
  expect(own).toMatchObject([
    { day: 1, kind: 'message', text: '' },
    { day: 4, kind: 'call', text: '' },
  ])
  expect(shared).toMatchObject([{ development: expect.any(String), steps: [template[1], template[0]] }])
  expect((await plansOf(db, asBia, bia.instanceName)).own).toBeNull()
  const { rows } = await db.query(`select subject from portal.audit_log where action = 'plan.template'`)
  expect(rows).toHaveLength(1)
  await callAs(db, asAdmin, 'plan_template_save', { ...save, p_steps: '[]' })
  expect((await plansOf(db, asAna, ana.instanceName)).shared).toEqual([])
})

test('strangers, other brokers and ended sessions do not reach a plan', async () => {
  const { id, plan } = await planned()
  expect(await startPlan(db, asBia, id)).toMatchObject({ code: 'unknown_lead' })
  expect(await stopPlan(db, asBia, id, { p_plan_id: plan })).toMatchObject({ code: 'unknown_lead' })
  const biasOwn = await silentLead(bia.instanceName)
  expect(await stopPlan(db, asBia, biasOwn, { p_plan_id: plan })).toMatchObject({ code: 'already' })
  await expect(plansOf(db, asBia, ana.instanceName)).rejects.toMatchObject({ code: '42501' })
  await expect(startPlan(db, { role: 'anon' }, id)).rejects.toMatchObject({ code: '42501' })
  expect(await states(id)).toEqual(['running'])
})

test.each([
  ['no step', []],
  ['six steps', Array.from({ length: 6 }, (_, n) => stepIn(n + 1))],
  ['another kind', [stepIn(1, { kind: 'visit' })]],
  ['no time', [stepIn(1, { dueAt: 'amanhã' })]],
  ['an impossible time', [stepIn(1, { dueAt: '2027-02-31T10:00:00Z' })]],
  ['a far day', [stepIn(24 * 400)]],
  ['a long text', [stepIn(1, { text: 'x'.repeat(4_001) })]],
  [
    'one operation twice',
    Array.from({ length: 2 }, () => stepIn(1, { operationId: '00000000-0000-4000-8000-000000000000' })),
  ],
])('refuses %s, and nothing changes', async (_, steps) => {
  const id = await silentLead()
  await expect(startPlan(db, asAna, id, { steps })).rejects.toMatchObject({ code: 'PT422' })
  expect(await states(id)).toEqual([])
})

test("a step's operation of another lead is refused", async () => {
  const step = stepIn(24)
  await planned({ steps: [step] })
  const other = await silentLead()
  await expect(startPlan(db, asAna, other, { steps: [step] })).rejects.toMatchObject({ code: 'PT422' })
})

test('pushes to the broker ten minutes before a call, once for each time', async () => {
  const call = stepIn(72, { kind: 'call', text: null })
  const { id, plan } = await planned({ steps: [call, stepIn(96)] })
  const dueMs = Date.parse(call.dueAt)
  const remind = async (atMs: number) => {
    const { rows } = await db.query<{ count: number }>('select portal.remind_tries($1) as count', [
      new Date(atMs).toISOString(),
    ])
    return rows[0]?.count
  }
  expect(await remind(dueMs - 11 * 60_000)).toBe(0)
  expect(await remind(dueMs - 10 * 60_000)).toBe(1)
  expect(await remind(dueMs - 9 * 60_000)).toBe(0)
  const moved = { ...call, dueAt: new Date(dueMs + 3_600_000).toISOString() }
  await startPlan(db, asAna, id, { steps: [moved, stepIn(96)], p_plan_id: plan })
  expect(await remind(dueMs)).toBe(0)
  expect(await remind(dueMs + 50 * 60_000)).toBe(1)
})
