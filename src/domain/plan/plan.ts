// A plan of next tries for a lead that fell silent, and the effect of starting or stopping one.
import type { Command, Entry } from '../outbox/command.ts'
import { needsDecision } from '../outbox/command.ts'

/** A step to try: a message with a text goes by itself, of any other step the broker is reminded. */
export type Try = {
  /** Its operation, which names it on every device. */
  operationId: string
  kind: TryKind
  dueAtMs: number
  text: string
}
export type TryKind = 'call' | 'message' | 'task'

export type PlanStep = Try & {
  state: 'open' | 'done' | 'asking' | 'refused'
  /** Why a text waits, asks or was refused: a reason of portal.scheduled_messages. */
  why: string | null
  doneAtMs: number | null
  /** What became of a sent text. */
  delivery: string | null
}

export type PlanEnd =
  | 'answered'
  | 'visit'
  | 'stage'
  | 'opted-out'
  | 'private'
  | 'merged'
  | 'stopped'
  | 'declined'
  | 'undone'
  | 'agent'

export type LeadPlan = {
  /** Null until the server has it. */
  id: number | null
  operationId: string | null
  leadId: number
  /** asking: the lead's new broker must confirm it. done: every step is over. */
  state: 'running' | 'asking' | 'done' | 'ended'
  reason: PlanEnd | null
  by: 'person' | 'source' | 'agent'
  startedAtMs: number
  changedAtMs: number
  steps: readonly PlanStep[]
}

export type PlanRef = { planId: number | null; planOperation: string | null }

export const NO_PLAN: PlanRef = { planId: null, planOperation: null }

export const planRefOf = ({ id, operationId }: LeadPlan): PlanRef => ({
  planId: id,
  planOperation: operationId,
})

/** A broker's part of the day: 'aviso 10 min antes'. */
export const isSentByItself = ({ kind, text }: Pick<Try, 'kind' | 'text'>) =>
  kind === 'message' && text.trim() !== ''

export const isOpenStep = ({ state }: PlanStep) => state !== 'done'

/** The newest plan of a lead, with waiting commands applied. */
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
