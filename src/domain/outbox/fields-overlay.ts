// A lead's fields = what the server has, with what waits here laid over it.
import type { LeadFields } from '../lead/fields.ts'
import { type Entry, needsDecision } from './command.ts'

/** The fields with what waits on this device laid over them. */
export function layOverFields<Known extends LeadFields>(
  known: Known,
  leadId: number,
  entries: readonly Entry[],
): Known {
  return entries.reduce((laid, { command, state }) => {
    const isOver = command.kind !== 'lead.fields' || command.lead.id !== leadId || needsDecision({ state })
    return isOver ? laid : { ...laid, ...command.given.fields }
  }, known)
}
