// A lead's plan while a command that starts, changes or stops it is pending.
import { type Command, type Entry, needsDecision } from '../outbox/command.ts'
import { isOpenStep, type LeadPlan } from './plan.ts'

/** Returns the newest plan of a lead, with pending commands applied. */
export function withPlanCommands(
  plan: LeadPlan | null,
  leadId: number,
  entries: readonly Entry[],
): LeadPlan | null {
  return entries.reduce<LeadPlan | null>((now, entry) => {
    const { command } = entry
    const isOther = command.lead.id !== leadId || needsDecision(entry)
    if (isOther || (command.kind !== 'plan.start' && command.kind !== 'plan.stop')) return now
    return command.kind === 'plan.start' ? started(now, command, entry) : stopped(now, command, entry)
  }, plan)
}

type Started = Extract<Command, { kind: 'plan.start' }>
type Stopped = Extract<Command, { kind: 'plan.stop' }>

function started(now: LeadPlan | null, { lead, given }: Started, { id, createdAtMs }: Entry): LeadPlan {
  const isSame = now !== null && now.state !== 'ended'
  const done = isSame ? now.steps.filter((step) => !isOpenStep(step)) : []
  const names = new Set(done.map(({ operationId }) => operationId))
  const open = given.steps
    .filter(({ operationId }) => !names.has(operationId))
    .map(({ dueAt, ...step }) => ({
      ...step,
      dueAtMs: Date.parse(dueAt),
      state: 'open' as const,
      why: null,
      doneAtMs: null,
      delivery: null,
    }))
  return {
    id: isSame ? now.id : null,
    operationId: isSame ? now.operationId : id,
    leadId: lead.id,
    state: 'running',
    reason: null,
    by: 'person',
    startedAtMs: isSame ? now.startedAtMs : createdAtMs,
    changedAtMs: createdAtMs,
    steps: [...done, ...open],
  }
}

function stopped(
  now: LeadPlan | null,
  { lead, given }: Stopped,
  { id, createdAtMs }: Entry,
): LeadPlan | null {
  const { reason } = given
  if (reason === 'undone') return now?.state === 'ended' ? now : null
  const ended = { state: 'ended', reason, changedAtMs: createdAtMs } as const
  if (now && now.state !== 'ended')
    return { ...now, ...ended, steps: now.steps.filter((step) => !isOpenStep(step)) }
  const nobody = {
    id: null,
    operationId: id,
    leadId: lead.id,
    by: 'person',
    startedAtMs: createdAtMs,
    steps: [],
  } as const
  return reason === 'declined' ? { ...nobody, ...ended } : now
}
