// 'Notas do Lead': the broker's notes about a lead, and its name.
import { useState } from 'react'
import { renameLead } from '#data/notes.ts'
import { idByNow } from '#data/pending.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { ask } from '#ui/feedback/ask.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { InlineEdit } from '#ui/forms/inline-edit.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { forgetNotesDraft } from './notes-draft.ts'
import { NotesForm } from './notes-form.tsx'
import { NOTES_TITLE } from './texts.ts'

/** The limit of the database column. */
const MAX_NAME = 200

type NotesDialogProps = {
  /** The lead whose notes are open; undefined while the dialog is closed. */
  lead: Lead | undefined
  stageName: string
  onClose: () => void
}

export function NotesDialog({ lead, stageName, onClose }: NotesDialogProps) {
  // The closing animation still shows this lead, so that the text does not vanish at once.
  const [last, setLast] = useState(lead)
  // The id under which the form was opened. The typed text stays when the server replaces a local id meanwhile.
  const [openedAs, setOpenedAs] = useState(lead?.id)
  if (lead && lead !== last) {
    setLast(lead)
    if (openedAs === undefined || idByNow(openedAs) !== lead.id) setOpenedAs(lead.id)
  }
  const [isDirty, setDirty] = useState(false)
  if (!last) return null

  const leave = () => {
    setDirty(false)
    onClose()
  }
  const askToLeave = () => {
    if (!isDirty) return leave()
    const run = () => {
      forgetNotesDraft(last.id)
      leave()
    }
    ask({
      question: 'Sair sem salvar?',
      consequence: 'O que você escreveu nesta nota será perdido.',
      action: { label: 'Sair sem salvar', run },
      cancelLabel: 'Continuar escrevendo',
    })
  }
  const rename = (name: string) =>
    void renameLead(last, name).catch(() => toast('Erro ao salvar o nome. Tente novamente.', 'error'))

  return (
    <Dialog
      isOpen={lead !== undefined}
      onClose={askToLeave}
      hasUnsaved={isDirty}
      title={NOTES_TITLE}
      lead={<Avatar name={last.name} pictureUrl={last.pictureUrl} size={36} />}
      subtitle={
        <InlineEdit
          value={last.name ?? ''}
          label="Nome do lead"
          editLabel="Editar nome"
          maxLength={MAX_NAME}
          onSave={rename}
          after={<span className="shrink-99 truncate">· {stageName}</span>}
        >
          <span className="truncate">{leadTitle(last)}</span>
        </InlineEdit>
      }
    >
      <NotesForm key={openedAs} lead={last} onDirty={setDirty} onCancel={askToLeave} onSaved={leave} />
    </Dialog>
  )
}
