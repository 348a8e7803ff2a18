// A lead's open actions and scheduled texts while a command that starts, changes or stops its plan is pending.
import type { Lead } from '../lead/lead.ts'
import { beginning } from '../next-action/next-action.ts'
import type { Command } from './command.ts'

export function afterPlan(
  { next, later = [] }: Lead,
  { before, given }: Extract<Command, { kind: 'plan.start' | 'plan.stop' }>,
): Partial<Lead> {
  const tries = 'steps' in given ? given.steps : []
  const own = [...before, ...tries.map(({ operationId }) => operationId)].map(beginning)
  const isOther = ({ operationId }: { operationId: string | null }) => !own.includes(beginning(operationId))
  const now = { next: next.filter(isOther), later: later.filter(isOther) }
  for (const { operationId, kind, dueAt, text } of tries) {
    const step = { id: null, operationId, dueAtMs: Date.parse(dueAt) }
    if (kind === 'message' && text) now.later.push({ ...step, unlessAnswered: true, why: null, text })
    else now.next.push({ ...step, kind, note: text })
  }
  now.next.sort((one, other) => one.dueAtMs - other.dueAtMs)
  return now
}
