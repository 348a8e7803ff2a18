// Edits a sent text within WhatsApp's time limit. The draft in the message box stays.
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { editText } from '../ground/changes-data.ts'
import { formatHour } from '#domain/format.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { canEdit, editableUntilMs } from '#domain/message/change.ts'
import type { Message } from '#domain/message/message.ts'
import { MAX_TEXT } from '#domain/message/outgoing.ts'
import { fillName } from '#domain/message/placeholder.ts'
import { toast } from '#ui/feedback/toast.ts'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { useNow } from '#ui/now.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { SAVE } from '#ui/texts.ts'
import { notDone } from '../ground/texts.ts'

type EditSheetProps = {
  lead: Lead
  /** Null while the sheet is closed. */
  message: Message | null
  onClose: () => void
}

export function EditSheet({ lead, message, onClose }: EditSheetProps) {
  return (
    <Dialog isOpen={message !== null} onClose={onClose} title="Editar mensagem">
      {message !== null && <EditForm lead={lead} message={message} onClose={onClose} />}
    </Dialog>
  )
}

function EditForm({ lead, message, onClose }: EditSheetProps & { message: Message }) {
  const nowMs = useNow()
  const [text, setText] = useState(message.body)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const { current } = box
    current?.focus()
    current?.setSelectionRange(current.value.length, current.value.length)
  }, [])
  const isOver = !canEdit(message, nowMs)
  const wanted = fillName(text.trim(), lead.name)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (wanted === '' || isOver) return
    onClose()
    if (wanted !== message.body)
      editText(lead, message, wanted).catch((error: Error) => toast(notDone(error.message), 'error'))
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 px-3 pt-1">
      <div className="rounded-card bg-chat-bg p-2.5">
        <textarea
          ref={box}
          aria-label="Mensagem"
          aria-describedby="edit-limit"
          value={text}
          maxLength={MAX_TEXT}
          rows={2}
          onChange={({ target }) => setText(target.value)}
          className="block field-sizing-content max-h-40 w-full resize-none rounded-card rounded-br-sm bg-bubble-out px-3 py-2 text-16 leading-message text-on-bubble-out lg:text-15"
        />
      </div>
      <output id="edit-limit" className="px-1 text-13 text-text-2">
        {isOver
          ? 'O tempo do WhatsApp para editar passou: são 15 minutos depois do envio.'
          : `O contato vê que foi editada. Dá para editar até ${formatHour(editableUntilMs(message))}.`}
      </output>
      <FormActions onCancel={onClose}>
        <Button type="submit" disabled={wanted === '' || isOver}>
          {SAVE}
        </Button>
      </FormActions>
    </form>
  )
}
