// Applies pending changes to a lead's fields from the server.
import type { LeadFields } from '../lead/fields.ts'
import { type Entry, needsDecision } from './command.ts'

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
