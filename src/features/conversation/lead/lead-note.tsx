// A lead's note, edited in place and saved when the field loses focus.
import { useState } from 'react'
import { saveNotes } from '#data/notes.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { toast } from '#ui/feedback/toast.ts'
import { FIELDS_FAILED, NOTE } from './texts.ts'

/** The limit of the database column. */
const MAX_LETTERS = 10_000

type LeadNoteProps = { lead: Lead; isEditing: boolean; onEdit: (isEditing: boolean) => void }

export function LeadNote({ lead, isEditing, onEdit }: LeadNoteProps) {
  return (
    <section className="border-t border-border py-4">
      <h3 className="text-13 text-text-3">{NOTE}</h3>
      {isEditing ? (
        <Editor key={lead.id} lead={lead} />
      ) : (
        <button type="button" onClick={() => onEdit(true)} className="block min-h-11 w-full text-left">
          <span className="sr-only">{'Editar nota'}: </span>
          <span className="text-16 leading-body wrap-anywhere whitespace-pre-wrap">
            {lead.notes ?? <span className="text-text-2">Nenhuma nota ainda.</span>}
          </span>
        </button>
      )}
    </section>
  )
}

/** Leaving the field saves the note but keeps the editor open, so that buttons below do not move during the press. */
function Editor({ lead }: { lead: Lead }) {
  const [base, setBase] = useState(lead)
  const [text, setText] = useState(lead.notes ?? '')
  const keep = () => {
    if (text.trim() === (base.notes ?? '').trim()) return
    setBase({ ...base, notes: text })
    saveNotes(base, text).catch(() => toast(FIELDS_FAILED, 'error'))
  }
  return (
    <textarea
      // The user pressed the note in order to write here.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      aria-label={NOTE}
      value={text}
      maxLength={MAX_LETTERS}
      onChange={({ target }) => setText(target.value)}
      onBlur={keep}
      className="[field-sizing:content] block max-h-[40dvh] min-h-24 w-full resize-none rounded-md bg-surface p-3 text-16 leading-body shadow-input outline-none focus:shadow-input-focus"
    />
  )
}
