// 'Adicionar lead': adds a lead met in person, on the phone or by recommendation; also works offline.
import { useState } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { NewLead } from '#data/adding.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { LeadForm, type Owner } from './lead-form.tsx'
import { ADD_LEAD } from './texts.ts'
import type { AddedLead } from './use-addition.ts'

type AddLeadDialogProps = {
  isOpen: boolean
  /** Possible owners; the first one is preselected. */
  owners: readonly Owner[]
  /** The board's leads, to find one with the same number. */
  leads: ReadonlyMap<number, Lead> | undefined
  /** Values that fill the form at first, such as those of a shared contact. */
  initial?: Partial<NewLead> | undefined
  onClose: () => void
  /**
   * A lead that was added, or that exists already. The caller closes this dialog while opening the lead, within one
   * history entry.
   */
  onOpen: (lead: AddedLead) => void
}

export function AddLeadDialog({ isOpen, onClose, onOpen, ...form }: AddLeadDialogProps) {
  const [isDirty, setDirty] = useState(form.initial !== undefined)
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
