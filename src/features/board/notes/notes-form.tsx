// The form for a lead's notes: a draft is stored at every input, so that a reload or a failed save loses nothing.
import { CircleAlert } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { saveNotes } from '#data/notes.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { useLettersLeft } from '#ui/forms/letters-left.ts'
import { CANCEL, SAVE, SAVING } from '#ui/texts.ts'
import { forgetNotesDraft, type NotesDraft, readNotesDraft, writeNotesDraft } from './notes-draft.ts'
import { NOTES_TITLE } from './texts.ts'

/** The limit of the database column. */
const MAX_LETTERS = 10_000

type NotesFormProps = {
  lead: Lead
  onDirty: (isDirty: boolean) => void
  onCancel: () => void
  onSaved: () => void
}

export function NotesForm({ lead, onDirty, onCancel, onSaved }: NotesFormProps) {
  const { text, write, saving, save, isRestored } = useNotes({ lead, onDirty, onSaved })
  const field = useRef<HTMLTextAreaElement>(null)
  const hintId = useId()
  useEffect(() => {
    // On a phone the field gets no focus at opening, because the keyboard would cover the notes.
    if (!matchMedia('(pointer: fine)').matches) return
    field.current?.focus()
    field.current?.setSelectionRange(-1, -1)
  }, [])
  const saveByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
  }
  const { field: limited, left, cut } = useLettersLeft(text, MAX_LETTERS)
  return (
    <div className="px-3 pt-2">
      <textarea
        ref={field}
        value={text}
        aria-label={NOTES_TITLE}
        aria-describedby={hintId}
        placeholder="Digite suas anotações sobre o lead..."
        {...limited}
        onChange={(event) => write(event.target.value)}
        onKeyDown={saveByKey}
        className="[field-sizing:content] block max-h-[40dvh] min-h-36 w-full resize-none rounded-md bg-surface p-4 text-16 leading-body text-text shadow-input outline-none placeholder:text-text-3 focus:shadow-input-focus"
      />
      <p id={hintId} className="px-1 pt-2.5 text-13 text-text-3">
        {left ??
          (isRestored
            ? 'Recuperamos o que você escreveu e não salvou.'
            : 'Salvas no aparelho e enviadas quando a internet voltar.')}
      </p>
      <p role="alert" className="flex gap-1.5 px-1 pt-1.5 text-14 text-danger empty:hidden">
        {(saving === 'failed' || cut !== null) && (
          <>
            <Icon of={CircleAlert} size={18} />
            {saving === 'failed' ? 'Erro ao salvar notas. Tente novamente.' : cut}
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-2.5 pt-4 *:grow">
        <Button variant="line" onClick={onCancel}>
          {CANCEL}
        </Button>
        <span className="flex flex-[3_1_auto] *:grow">
          <Button busy={saving === 'busy' && SAVING} onClick={save}>
            {SAVE}
          </Button>
        </span>
      </div>
    </div>
  )
}

type NotesOptions = Pick<NotesFormProps, 'lead' | 'onDirty' | 'onSaved'>

/** Unedited notes follow changes by others. Edited notes stay until they are saved or discarded. */
function useNotes({ lead, onDirty, onSaved }: NotesOptions) {
  const standing = lead.notes ?? ''
  const [edit, setEdit] = useState<NotesDraft | null>(null)
  const [isRestored, setRestored] = useState(false)
  const [saving, setSaving] = useState<'no' | 'busy' | 'failed'>('no')

  const take = (next: NotesDraft | null) => {
    setEdit(next)
    onDirty(next !== null)
  }
  const restore = useEffectEvent((draft: NotesDraft | null) => {
    // The user may have typed before the device's draft was read; the typed text wins.
    if (!draft || edit || draft.text === standing) return
    take(draft)
    setRestored(true)
  })
  const carry = useEffectEvent((from: number) => {
    if (edit) writeNotesDraft(lead.id, edit)
    forgetNotesDraft(from)
  })
  const writtenAs = useRef(lead.id)
  useEffect(() => {
    let isHere = true
    if (writtenAs.current !== lead.id) carry(writtenAs.current)
    writtenAs.current = lead.id
    void readNotesDraft(lead.id).then((draft) => isHere && restore(draft))
    return () => {
      isHere = false
    }
  }, [lead.id])

  const write = (text: string) => {
    const next = { base: edit?.base ?? standing, text }
    if (text === next.base) {
      forgetNotesDraft(lead.id)
      return take(null)
    }
    writeNotesDraft(lead.id, next)
    take(next)
  }
  const save = async () => {
    if (saving === 'busy') return
    if (!edit) return onSaved()
    setSaving('busy')
    try {
      await saveNotes({ ...lead, notes: edit.base || null }, edit.text)
      forgetNotesDraft(lead.id)
      onSaved()
    } catch {
      setSaving('failed')
    }
  }
  return { text: edit?.text ?? standing, write, saving, save: () => void save(), isRestored }
}
