// 'Novo empreendimento': asks for the name; everything else is written on its page.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { useFirstFocus } from '#ui/forms/use-first-focus.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { addDevelopment } from './data.ts'
import { NEW } from './texts.ts'

const MAX_NAME = 120

type NewDevelopmentProps = { onClose: () => void; onAdded: (id: number) => void }

export function NewDevelopmentDialog({ isOpen, ...form }: NewDevelopmentProps & { isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={form.onClose} title={NEW}>
      <NameForm {...form} />
    </Dialog>
  )
}

function NameForm({ onClose, onAdded }: NewDevelopmentProps) {
  const first = useFirstFocus()
  const [name, setName] = useState('')
  const [operationId, setOperationId] = useState(newOperationId)
  const [isMissing, setMissing] = useState(false)
  const { mutate, reset, isPending, error } = useMutation(addDevelopment())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(name.trim() === '')
    if (name.trim() === '' || isPending) return
    mutate(
      { name: name.trim(), operationId },
      {
        onSuccess: ({ id }) => {
          onClose()
          onAdded(id)
        },
      },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col px-3 pt-1">
      <TextField
        ref={first}
        label="Nome do empreendimento"
        value={name}
        maxLength={MAX_NAME}
        readOnly={isPending}
        error={isMissing ? 'O nome é obrigatório.' : error?.message}
        autoComplete="off"
        enterKeyHint="done"
        onChange={({ target }) => {
          reset()
          setMissing(false)
          setOperationId(newOperationId())
          setName(target.value)
        }}
      />
      <div className="pt-4">
        <FormActions onCancel={onClose}>
          <Button type="submit" busy={isPending && 'Criando...'}>
            Criar
          </Button>
        </FormActions>
      </div>
    </form>
  )
}
