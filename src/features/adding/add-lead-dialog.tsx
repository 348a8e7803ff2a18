// 'Adicionar lead': somebody met at the stand, on the telephone, by a friend's word; without a network, too.
import { useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { LeadForm, type Owner } from './lead-form.tsx'
import { ADD_LEAD } from './texts.ts'
import type { AddedLead } from './use-addition.ts'

type AddLeadDialogProps = {
  isOpen: boolean
  /** Whose it may be, the first one unless another is chosen. */
  owners: readonly Owner[]
  /** Those of the board, for who is there already. */
  leads: ReadonlyMap<number, Lead> | undefined
  onClose: () => void
  /** Added now, or there already: whoever shows it closes this with it, in the same step of history. */
  onOpen: (lead: AddedLead) => void
}

export function AddLeadDialog({ isOpen, onClose, onOpen, ...form }: AddLeadDialogProps) {
  const [isDirty, setDirty] = useState(false)
  const leave = () => {
    setDirty(false)
    onClose()
  }
  const askToLeave = () => {
    if (!isDirty) return leave()
    ask({
      question: 'Descartar?',
      consequence: 'O que você preencheu será perdido.',
      action: { label: 'Descartar', run: leave },
      cancelLabel: 'Continuar',
    })
  }
  const open = (lead: AddedLead) => {
    setDirty(false)
    onOpen(lead)
  }
  return (
    <Dialog isOpen={isOpen} onClose={askToLeave} hasUnsaved={isDirty} title={ADD_LEAD}>
      <LeadForm {...form} onDirty={setDirty} onOpen={open} />
    </Dialog>
  )
}
