// A broker's edits of a lead: its notes and its name, shown at once.
import type { Lead } from '#domain/lead/lead.ts'
import { leadRef, perform } from './operation.ts'

/** `lead` as it was when editing began, so that changes from another device are not overwritten. */
export async function saveNotes(lead: Lead, notes: string): Promise<void> {
  await perform({ kind: 'lead.note', lead: leadRef(lead), base: lead.notes ?? '', text: notes.trim() })
}

/** `lead` as for saveNotes. */
export async function renameLead(lead: Lead, name: string): Promise<void> {
  const text = name.trim().replaceAll(/\s+/g, ' ')
  await perform({ kind: 'lead.rename', lead: leadRef(lead), base: lead.name ?? '', text })
}
