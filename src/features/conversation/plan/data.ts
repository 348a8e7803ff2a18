// Plans of next tries: started, changed and stopped on the device first. A whole board's plans are fetched with their
// templates and stored for offline use.
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as v from 'valibot'
import { rpc } from '#api/client.ts'
import type { Board } from '#data/board/rows.ts'
import { cachedOffline } from '#data/cached-offline.ts'
import { keys } from '#data/keys.ts'
import { leadRef, newOperationId, perform, record } from '#data/operation.ts'
import { usePending } from '#data/pending.ts'
import type { SendingHours } from '#domain/campaign.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { seenOf } from '#domain/next-action/next-action.ts'
import type { Command } from '#domain/outbox/command.ts'
import { addEntry, removeEntry } from '#domain/outbox/queue.ts'
import { isOpenStep, type LeadPlan, NO_PLAN, planRefOf, type PlanStep, type Try } from '#domain/plan/plan.ts'
import { withPlanCommands } from '#domain/plan/waiting.ts'
import type { Templates } from '#domain/plan/propose.ts'
import type { Stage } from '#domain/stage.ts'

const seconds = v.pipe(
  v.number(),
  v.transform((at) => at * 1000),
)
const TryKindRow = v.picklist(['call', 'message', 'task'])
const StepRow = v.pipe(
  v.object({
    op: v.nullable(v.string()),
    kind: TryKindRow,
    due: seconds,
    text: v.string(),
    state: v.picklist(['open', 'done', 'asking', 'refused']),
    why: v.nullable(v.string()),
    at: v.nullable(seconds),
    delivery: v.nullable(v.string()),
  }),
  v.transform(({ op, due, at, ...step }): PlanStep => ({
    ...step,
    operationId: op ?? '',
    dueAtMs: due,
    doneAtMs: at,
  })),
)
const END = [
  'answered',
  'visit',
  'stage',
  'opted-out',
  'private',
  'merged',
  'stopped',
  'declined',
  'undone',
  'agent',
] as const
const PlanRow = v.pipe(
  v.object({
    id: v.number(),
    op: v.nullable(v.string()),
    contact_id: v.number(),
    state: v.picklist(['running', 'asking', 'done', 'ended']),
    reason: v.nullable(v.picklist(END)),
    by: v.picklist(['person', 'source', 'agent']),
    started: seconds,
    changed: seconds,
    steps: v.array(StepRow),
  }),
  v.transform(({ op, contact_id: leadId, started, changed, ...plan }): LeadPlan => ({
    ...plan,
    operationId: op,
    leadId,
    startedAtMs: started,
    changedAtMs: changed,
  })),
)
const Template = v.array(
  v.object({ day: v.number(), minute: v.number(), kind: TryKindRow, text: v.string() }),
)
const Answer = v.object({
  plans: v.array(PlanRow),
  own: v.nullable(Template),
  shared: v.array(v.object({ development: v.nullable(v.string()), steps: Template })),
  hours: v.pipe(
    v.object({ from: v.number(), until: v.number(), sundays: v.boolean() }),
    v.transform(({ from, until, sundays }): SendingHours => ({
      opensAt: from,
      closesAt: until,
      sendsOnSundays: sundays,
    })),
  ),
})

function plansQuery(instanceName: string) {
  return queryOptions({
    queryKey: keys.plans(instanceName),
    queryFn: cachedOffline({ kind: 'plans', most: 3, version: 1 }, async ({ signal }) =>
      v.parse(Answer, await rpc('get_plans', { p_broker_name: instanceName }, signal)),
    ),
  })
}

type Known = {
  plan: LeadPlan | null
  templates: Templates
  hours: SendingHours
}

/** The portal's default sending hours, used until the device has read the agency's own. */
const USUAL_HOURS: SendingHours = { opensAt: 8, closesAt: 20, sendsOnSundays: false }
const NO_TEMPLATES: Templates = { own: null, shared: [] }

/** Returns the newest plan of a lead; `isKnown` is false while neither the server nor the device has answered. */
export function usePlan(lead: Lead): Known & { isKnown: boolean } {
  const { data, error, refetch } = useQuery(plansQuery(lead.instanceName))
  const { entries } = usePending()
  const waiting = entries.filter(
    ({ command, state }) =>
      command.kind.startsWith('plan.') && command.lead.id === lead.id && state === 'queued',
  ).length
  // The plan is fetched again when the board reports a changed step or lead, and once the portal has a pending command.
  const { next, later = [], lastMessage, stageSlug } = lead
  const held = later.map(({ id, why, dueAtMs }) => [id, why, dueAtMs])
  const asked = JSON.stringify([next, held, lastMessage?.id, stageSlug, waiting])
  useEffect(() => {
    if (asked !== '') void refetch({ cancelRefetch: false })
  }, [asked, refetch])
  const stored = data?.plans.find(({ leadId }) => leadId === lead.id) ?? null
  return {
    plan: withPlanCommands(stored, lead.id, entries),
    templates: data ?? NO_TEMPLATES,
    hours: data?.hours ?? USUAL_HOURS,
    isKnown: data !== undefined || error !== null,
  }
}

/**
 * Returns the stages of a board that is already loaded; empty in an administrator's conversation, which loads no board.
 */
export const useKnownStages = (instanceName: string): readonly Stage[] =>
  useQueryClient().getQueryData<Board>(keys.board(instanceName))?.stages ?? NO_STAGES

const NO_STAGES: readonly Stage[] = []

type Started = { asDefault?: boolean; plan?: LeadPlan | null }

const openOf = (plan: LeadPlan | null | undefined) =>
  (plan?.steps ?? []).filter(isOpenStep).map(({ operationId }) => operationId)

/** Starts a plan, or changes the open one. Resolves with the undo. */
export async function startPlan(
  lead: Lead,
  tries: readonly Try[],
  { asDefault = false, plan = null }: Started = {},
): Promise<() => Promise<void>> {
  const isChange = plan !== null && plan.state !== 'ended'
  const done = await perform({
    kind: 'plan.start',
    lead: leadRef(lead),
    before: openOf(plan),
    given: {
      ...(isChange ? planRefOf(plan) : NO_PLAN),
      steps: tries.map(({ operationId, kind, dueAtMs, text }) => ({
        operationId,
        kind,
        dueAt: new Date(dueAtMs).toISOString(),
        text: text.trim(),
      })),
      seenAt: seenOf(lead),
      asDefault,
    },
  })
  const before = tries.map(({ operationId }) => operationId)
  return undo(done?.id, {
    kind: 'plan.stop',
    lead: leadRef(lead),
    before,
    given: { planId: null, planOperation: done?.id ?? null, reason: 'undone' },
  })
}

/** Stops a plan. Resolves with the undo, which starts a new plan with the same tries. */
export async function stopPlan(lead: Lead, plan: LeadPlan): Promise<() => Promise<void>> {
  const open = plan.steps.filter(isOpenStep)
  const done = await perform({
    kind: 'plan.stop',
    lead: leadRef(lead),
    before: openOf(plan),
    given: { ...planRefOf(plan), reason: 'stopped' },
  })
  const steps = open.map(({ kind, dueAtMs, text }) => ({
    operationId: newOperationId(),
    kind,
    dueAt: new Date(dueAtMs).toISOString(),
    text,
  }))
  return undo(done?.id, {
    kind: 'plan.start',
    lead: leadRef(lead),
    before: [],
    given: { ...NO_PLAN, steps, seenAt: seenOf(lead), asDefault: false },
  })
}

/** Records that the broker wants no plan for this lead until the lead writes again. */
export async function declinePlan(lead: Lead): Promise<void> {
  await perform({
    kind: 'plan.stop',
    lead: leadRef(lead),
    before: [],
    given: { ...NO_PLAN, reason: 'declined' },
  })
}

/** Removes the outbox entry if it was never tried, otherwise sends the inverse command. */
const undo = (id: string | undefined, inverse: Command) => async () => {
  await record((entries, stamp) => {
    const unsent = entries.find((entry) => entry.id === id && entry.attempts === 0)
    return unsent ? removeEntry(entries, unsent.seq) : addEntry(entries, inverse, stamp)
  })
}
