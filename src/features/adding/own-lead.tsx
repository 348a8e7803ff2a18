// A broker adds a lead to the own board.
import { useBoard } from '#data/board/leads.ts'
import { displayName } from '#domain/broker.ts'
import { AddLeadDialog } from './add-lead-dialog.tsx'

type OwnLeadDialogProps = {
  isOpen: boolean
  instanceName: string
  onClose: () => void
  onOpen: (leadId: number) => void
}

export function OwnLeadDialog({ isOpen, instanceName, onClose, onOpen }: OwnLeadDialogProps) {
  const { board } = useBoard(instanceName)
  return (
    <AddLeadDialog
      isOpen={isOpen}
      owners={[{ instanceName, label: displayName(instanceName) }]}
      leads={board?.leads}
      onClose={onClose}
      onOpen={({ id }) => onOpen(id)}
    />
  )
}
