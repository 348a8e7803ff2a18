// What a broker writes on a lead: its notes and its name, shown at once. Spec 2.9, 7.1 (updateContactNotes, updateContactName).
import { rpc } from '#api/client.ts'
import type { Lead } from '#domain/lead.ts'
import { keys } from './keys.ts'
import type { Board } from './leads.ts'
import { newOperationId } from './operation.ts'
import { queryClient } from './query-client.ts'

/** Raises PortalError where it could not be kept. */
export async function saveNotes(lead: Lead, notes: string): Promise<void> {
  show(lead, { notes: notes.trim() || null })
  await rpc('save_lead_notes', {
    p_contact_id: lead.id,
    p_number_lead: lead.number,
    p_broker_name: lead.instanceName,
    p_notes: notes,
    p_base_notes: lead.notes ?? '',
    p_operation_id: newOperationId(),
  })
}

/** Raises PortalError where it could not be kept. */
export async function renameLead(lead: Lead, name: string): Promise<void> {
  show(lead, { name: name.trim() || null })
  await rpc('rename_lead', {
    p_contact_id: lead.id,
    p_number_lead: lead.number,
    p_broker_name: lead.instanceName,
    p_name: name,
    p_base_name: lead.name ?? '',
    p_operation_id: newOperationId(),
  })
}

function show({ id, instanceName }: Lead, part: Partial<Lead>) {
  queryClient.setQueryData<Board>(keys.board(instanceName), (board) => {
    const lead = board?.leads.get(id)
    return board && lead && { ...board, leads: new Map(board.leads).set(id, { ...lead, ...part }) }
  })
}
