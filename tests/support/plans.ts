// Helpers for plans of next tries.
import { randomUUID } from 'node:crypto'
import type { Claims } from '#server/db/as-user.ts'
import type { Database, Row, SqlValue } from '#server/db/database.ts'
import { callAs } from './scheduled.ts'

export type PlanAnswer = { success: boolean; code: string; message: string | null; plan_id: number | null }
export type WantedStep = { operationId: string; kind: string; dueAt: string; text: string | null }
type Step = {
  op: string
  kind: string
  due: number
  text: string
  sends: boolean
  state: string
  why: string | null
}
export type Plan = {
  id: number
  contact_id: number
  state: string
  reason: string | null
  by: string
  steps: Step[]
}
type Template = { day: number; minute: number; kind: string; text: string }
export type Plans = {
  plans: Plan[]
  own: Template[] | null
  shared: { development: string | null; steps: Template[] }[]
}

const HOUR_MS = 3_600_000

export const stepIn = (hours: number, more: Partial<WantedStep> = {}): WantedStep => ({
  operationId: randomUUID(),
  kind: 'message',
  dueAt: new Date(Date.now() + hours * HOUR_MS).toISOString(),
  text: `Oi, Rogério! ${hours}`,
  ...more,
})

/** A message tomorrow, a call in three days, a message in six. */
export const threeSteps = () => [stepIn(24), stepIn(72, { kind: 'call', text: null }), stepIn(144)]

type Given = { steps?: readonly WantedStep[]; [argument: `p_${string}`]: SqlValue }

export const startPlan = (
  db: Database,
  claims: Claims,
  contactId: number,
  { steps = threeSteps(), ...more }: Given = {},
) =>
  callAs<PlanAnswer>(db, claims, 'plan_start', {
    p_contact_id: contactId,
    p_steps: JSON.stringify(steps),
    p_operation_id: randomUUID(),
    ...more,
  })

export const stopPlan = (
  db: Database,
  claims: Claims,
  contactId: number,
  more: Record<string, SqlValue> = {},
) =>
  callAs<PlanAnswer>(db, claims, 'plan_stop', {
    p_contact_id: contactId,
    p_operation_id: randomUUID(),
    ...more,
  })

export const plansOf = (db: Database, claims: Claims, instanceName: string) =>
  callAs<Plans>(db, claims, 'get_plans', { p_broker_name: instanceName })

/** A lead's open steps, of every plan. */
export async function openSteps(db: Database, contactId: number): Promise<Row[]> {
  const { rows } = await db.query(
    `select 'action' as kind, id, plan_id, due_at from portal.actions where contact_id = $1 and finished_at is null
     union all
     select 'text', id, plan_id, due_at from portal.scheduled_messages
     where contact_id = $1 and state in ('waiting', 'asking', 'answered', 'refused') order by due_at, kind`,
    [contactId],
  )
  return rows
}
