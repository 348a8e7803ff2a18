// Edits a lead's notes and name; screens show the result at once.
import type { Lead } from '#domain/lead/lead.ts'
import { leadRef, perform } from './operation.ts'

/** `lead` is as it was when editing began, so that the server notices a change from another device. */
export async function saveNotes(lead: Lead, notes: string): Promise<void> {
  await perform({ kind: 'lead.note', lead: leadRef(lead), base: lead.notes ?? '', text: notes.trim() })
}

/** `lead` is as it was when editing began, as for saveNotes. */
export async function renameLead(lead: Lead, name: string): Promise<void> {
  const text = name.trim().replaceAll(/\s+/g, ' ')
  await perform({ kind: 'lead.rename', lead: leadRef(lead), base: lead.name ?? '', text })
}
