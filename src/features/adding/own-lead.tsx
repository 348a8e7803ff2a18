// Lets a broker add a lead to the own board.
import { useBoard } from '#data/board/leads.ts'
import type { NewLead } from '#data/adding.ts'
import { displayName } from '#domain/broker.ts'
import { AddLeadDialog } from './add-lead-dialog.tsx'

type OwnLeadDialogProps = {
  isOpen: boolean
  instanceName: string
  initial?: Partial<NewLead>
  onClose: () => void
  onOpen: (leadId: number) => void
}

export function OwnLeadDialog({ instanceName, onOpen, ...dialog }: OwnLeadDialogProps) {
  const { board } = useBoard(instanceName)
  return (
    <AddLeadDialog
      {...dialog}
      owners={[{ instanceName, label: displayName(instanceName) }]}
      leads={board?.leads}
      onOpen={({ id }) => onOpen(id)}
    />
  )
}
