// The form of a quick reply: title, text with the placeholder of the lead's name, and a file.
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { saveQuickReply, type WantedFile } from './data.ts'
import { ReplyFileField } from './reply-file-field.tsx'
import { MAX_CAPTION } from '#domain/message/outgoing.ts'
import { NAME_PLACEHOLDER } from '#domain/message/placeholder.ts'
import { MAX_BODY_LETTERS, MAX_TITLE_LETTERS, type QuickReply } from '#domain/message/quick-reply.ts'
import { Button } from '#ui/primitives/button.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { SAVE, SAVING } from '#ui/texts.ts'

type QuickReplyFormProps = {
  /** The reply to change; null if the form adds a new one. */
  reply: QuickReply | null
  onChanged: (isChanged: boolean) => void
  onDone: () => void
  onCancel: () => void
}

export function QuickReplyForm({ reply, onChanged, onDone, onCancel }: QuickReplyFormProps) {
  // The form keeps one id, so that a repeated save does not add a second reply.
  const [id] = useState(() => reply?.id ?? newOperationId())
  const [title, setTitle] = useState(reply?.title ?? '')
  const [body, setBody] = useState(reply?.body ?? '')
  const [file, setFile] = useState<WantedFile>()
  const fileName = file === undefined ? reply?.file?.media.fileName : file?.fileName
  const textArea = useRef<HTMLTextAreaElement>(null)
  const textId = useId()
  const save = useMutation({ ...saveQuickReply(), onSuccess: onDone })
  const isEmpty = title.trim() === '' || body.trim() === '' || (fileName != null && body.length > MAX_CAPTION)

  const change = (next: { title: string; body: string }) => {
    setTitle(next.title)
    setBody(next.body)
    onChanged(next.title !== (reply?.title ?? '') || next.body !== (reply?.body ?? ''))
  }
  const changeFile = (next: WantedFile) => {
    setFile(next)
    onChanged(true)
  }
  const insertName = () => {
    const box = textArea.current
    const [from, to] = [box?.selectionStart ?? body.length, box?.selectionEnd ?? body.length]
    change({ title, body: body.slice(0, from) + NAME_PLACEHOLDER + body.slice(to) })
    box?.focus()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isEmpty && !save.isPending) save.mutate({ id, title, body, file })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 px-3 pb-1">
      <TextField
        label="Título"
        value={title}
        maxLength={MAX_TITLE_LETTERS}
        autoComplete="off"
        error={save.error?.message}
        onChange={({ target }) => change({ title: target.value, body })}
      />
      <div className="flex flex-col gap-1.5">
        <span className="flex flex-wrap items-end justify-between gap-2">
          <label htmlFor={textId} className="text-14 font-medium">
            Texto
          </label>
          <button
            type="button"
            onPointerDown={(event) => event.preventDefault()}
            onClick={insertName}
            className="-my-2 min-h-11 rounded-md px-2 text-14 font-semibold text-primary"
          >
            Inserir nome
          </button>
        </span>
        <textarea
          ref={textArea}
          id={textId}
          value={body}
          rows={4}
          maxLength={fileName == null ? MAX_BODY_LETTERS : MAX_CAPTION}
          aria-describedby={`${textId}-hint`}
          onChange={({ target }) => change({ title, body: target.value })}
          className="w-full resize-y rounded-md bg-surface px-4 py-3 text-16 leading-body shadow-input outline-none focus:shadow-input-focus lg:rounded-ctl lg:px-3 lg:text-15"
        />
        <p id={`${textId}-hint`} className="text-13 text-text-3">
          {'{nome} vira o primeiro nome do contato.'}
        </p>
      </div>
      <ReplyFileField name={fileName ?? null} onFile={changeFile} />
      <FormActions onCancel={onCancel}>
        <Button type="submit" disabled={isEmpty} busy={save.isPending && SAVING}>
          {SAVE}
        </Button>
      </FormActions>
    </form>
  )
}
