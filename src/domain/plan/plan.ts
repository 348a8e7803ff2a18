// A plan of next tries for a lead that fell silent.

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
  /** The delivery state of a sent text. */
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
