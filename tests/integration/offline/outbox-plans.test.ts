// Random histories of a phone that starts, changes and stops plans: despite failures of network and system, a lead has
// one plan with the last steps, and no step twice.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import { layOverLeads } from '#domain/outbox/overlay.ts'
import type { LeadPlan, Try } from '#domain/plan/plan.ts'
import { withPlanCommands } from '#domain/plan/waiting.ts'
import { toLater, toNext, type LeadRow } from '#data/board/rows.ts'
import { makeContact, makeMessage } from '#tests/support/make.ts'
import { lead as leadOf } from '#tests/support/make-app.ts'
import { doSystemStep, openHistories, SYSTEM_STEPS, TEXT } from '#tests/support/phone-histories.ts'
import { type Fault, type Phone, type Tab } from '#tests/support/phone.ts'

/** Epoch seconds, far from now, and within the year in which texts are allowed. */
const FIRST_DUE = Math.floor(Date.now() / 1000) + 86_400 * 60

const { base, ana, openPhone, comeToRest, testHistories } = await openHistories()
await base.db.query(
  'update public.campaign_settings set opens_at = 0, closes_at = 24, sends_on_sundays = true',
)

const kinds = fc.array(fc.constantFrom('call' as const, 'message' as const, 'task' as const), {
  minLength: 1,
  maxLength: 5,
})
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('start' as const), kinds, text: TEXT }) },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('edit' as const), kinds, text: TEXT, keeps: fc.nat(4) }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('stop' as const, 'takeBack' as const) }) },
  ...SYSTEM_STEPS,
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** `takeBack` undoes the last start or stop, in the same tab. */
type Intent = { tries: readonly Try[]; takeBack: (() => Promise<void>) | null; before: readonly Try[] }
type State = { phone: Phone; tab: Tab; leadId: number; intent: Intent }

let made = 0
function triesOf(wanted: readonly Try['kind'][], words: string, newId: () => string): Try[] {
  return wanted.map((kind) => ({
    operationId: newId(),
    kind,
    dueAtMs: (FIRST_DUE + 60 * ++made) * 1000,
    text: kind === 'call' ? '' : `${made} ${words}`,
  }))
}

async function openLife(faults: readonly Fault[]): Promise<State> {
  const phone = await openPhone(faults)
  const { id } = await makeContact(base.db, ana.instanceName, { name: 'Rogério' })
  await makeMessage(base.db, id, { timestamp: 1_790_000_000 })
  await makeMessage(base.db, id, { timestamp: 1_790_000_060, type: 'outgoing' })
  return { phone, leadId: id, tab: await phone.openTab(), intent: { tries: [], takeBack: null, before: [] } }
}

async function seen({ tab, leadId }: State): Promise<{ lead: Lead; plan: LeadPlan | null }> {
  const { rows } = await base.db.query<{ next: LeadRow['next']; later: LeadRow['later'] }>(
    'select next, later from public.whatsapp_contacts where id = $1',
    [leadId],
  )
  const entries = await tab.app.listOutbox()
  const lead = leadOf({
    id: leadId,
    instanceName: ana.instanceName,
    next: toNext(rows[0]?.next ?? null),
    later: toLater(rows[0]?.later),
  })
  const { rows: plans } = await base.db.query<{
    id: number
    state: LeadPlan['state']
    steps: { op: string }[]
  }>(
    `select id, state, portal.steps_of_plan(id) as steps from portal.lead_plans
     where contact_id = $1 order by id desc limit 1`,
    [leadId],
  )
  const [stored] = plans
  const known: LeadPlan | null = stored
    ? {
        id: stored.id,
        operationId: null,
        leadId,
        state: stored.state,
        reason: null,
        by: 'person',
        startedAtMs: 0,
        changedAtMs: 0,
        steps: stored.steps.map(({ op }) => ({
          operationId: op,
          kind: 'task',
          dueAtMs: 0,
          text: '',
          state: 'open',
          why: null,
          doneAtMs: null,
          delivery: null,
        })),
      }
    : null
  return {
    lead: layOverLeads(new Map([[leadId, lead]]), entries, { calmSinceMs: 0 }).get(leadId) ?? lead,
    plan: withPlanCommands(known, leadId, entries),
  }
}

/** Due times of all steps on the lead's card. */
const timesOn = ({ next, later = [] }: Lead) =>
  [...next, ...later].map(({ dueAtMs }) => dueAtMs ?? 0).toSorted((one, other) => one - other)
const timesOf = (tries: readonly Try[]) =>
  tries.map(({ dueAtMs }) => dueAtMs).toSorted((one, other) => one - other)

async function act(state: State, one: Own) {
  const { tab, intent } = state
  await tab.use(async () => {
    const { lead, plan } = await seen(state)
    const isOpen = plan !== null && plan.state !== 'ended'
    const { startPlan, stopPlan } = tab.app.plans
    if (one.act === 'start' && !isOpen) {
      const tries = triesOf(one.kinds, one.text, tab.app.newOperationId)
      Object.assign(intent, { tries, before: [], takeBack: await startPlan(lead, tries) })
    } else if (one.act === 'edit' && isOpen) {
      const tries = [
        ...intent.tries.slice(0, one.keeps).map((kept) => ({ ...kept, text: kept.text && `${kept.text}!` })),
        ...triesOf(one.kinds, one.text, tab.app.newOperationId),
      ].slice(0, 5)
      Object.assign(intent, { tries, takeBack: null })
      await startPlan(lead, tries, { plan })
    } else if (one.act === 'stop' && isOpen) {
      await stopPlan(lead, plan)
      Object.assign(intent, { tries: [], takeBack: null })
    } else if (one.act === 'takeBack' && intent.takeBack) {
      const { takeBack, before } = intent
      Object.assign(intent, { tries: before, takeBack: null })
      await takeBack()
    }
  })
}

type Own = Extract<Step, { act: 'start' | 'edit' | 'stop' | 'takeBack' }>
const isOwn = (one: Step): one is Own => ['start', 'edit', 'stop', 'takeBack'].includes(one.act)

async function doStep(state: State, one: Step) {
  if (isOwn(one)) return act(state, one)
  await doSystemStep(state, one, { onRestart: () => (state.intent.takeBack = null) })
}

testHistories('of plans: one plan with the last steps, on the screen at every moment', {
  lives: { seed: 20_261_129, quick: 5, deep: [600, 150] },
  step,
  minLength: 2,
  openLife,
  doStep,
  expectSeen: async (state) => expect(timesOn((await seen(state)).lead)).toEqual(timesOf(state.intent.tries)),
  expectStored: async ({ leadId, intent }) => {
    const { rows } = await base.db.query<{ due: number; words: string }>(
      `select extract(epoch from due_at)::bigint as due, note as words from portal.actions
       where contact_id = $1 and finished_at is null
       union all select extract(epoch from due_at)::bigint, body from portal.scheduled_messages
       where contact_id = $1 and state = 'waiting' order by due`,
      [leadId],
    )
    const wanted = intent.tries.toSorted((one, other) => one.dueAtMs - other.dueAtMs)
    expect(rows).toEqual(wanted.map(({ dueAtMs, text: words }) => ({ due: dueAtMs / 1000, words })))
  },
})

test('begun without a network by two phones that know of no plan, it is one', async () => {
  const one = await openLife([])
  one.phone.network.isUp = false
  await act(one, { act: 'start', kinds: ['message', 'call'], text: 'a' })
  const { lead } = await seen(one)
  await comeToRest(one)
  const other = { phone: await openPhone([]) }
  other.phone.network.isUp = false
  const tab = await other.phone.openTab()
  const late = triesOf(['message', 'task', 'message'], 'b', tab.app.newOperationId)
  await tab.use(() => tab.app.plans.startPlan({ ...lead, next: [], later: [] }, late))
  await comeToRest({ ...other, tab })
  const { rows } = await base.db.query(
    `select state, jsonb_array_length(portal.steps_of_plan(id)) as steps from portal.lead_plans where contact_id = $1`,
    [one.leadId],
  )
  expect(rows).toEqual([{ state: 'running', steps: 2 }])
})
