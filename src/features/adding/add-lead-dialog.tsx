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
  /** Who may own the lead; the form preselects the first one. */
  owners: readonly Owner[]
  /** The leads of the board, in which the form looks for the same number. If undefined, only the server looks. */
  leads: ReadonlyMap<number, Lead> | undefined
  /** Initial values of the form, for example from a shared contact. */
  initial?: Partial<NewLead> | undefined
  onClose: () => void
  /**
   * Opens the added lead, or the existing one with the same number. The caller closes this dialog in the same
   * navigation, so that both are one history entry.
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
