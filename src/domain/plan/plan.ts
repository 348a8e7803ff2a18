// A plan of next tries for a lead that fell silent.

/** A step of a plan. The portal sends a message that has a text; the broker is reminded of all other steps. */
export type Try = {
  /** The operation id of the step, which is the same on every device. */
  operationId: string
  kind: TryKind
  dueAtMs: number
  text: string
}
export type TryKind = 'call' | 'message' | 'task'

export type PlanStep = Try & {
  state: 'open' | 'done' | 'asking' | 'refused'
  /**
   * Why a text waits, needs a decision or was refused: a reason of portal.scheduled_messages. Null if there is no
   * reason.
   */
  why: string | null
  doneAtMs: number | null
  /** The delivery state of the text; null until it is sent. */
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
  /** Null until the server has the plan. */
  id: number | null
  operationId: string | null
  leadId: number
  /** asking: the lead has a new broker, who must confirm the plan. done: all steps are over. */
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

/** True if the portal sends the step's text; otherwise the broker is reminded 10 minutes before. */
export const isSentByItself = ({ kind, text }: Pick<Try, 'kind' | 'text'>) =>
  kind === 'message' && text.trim() !== ''

export const isOpenStep = ({ state }: PlanStep) => state !== 'done'
