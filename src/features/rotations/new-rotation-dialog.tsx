// 'Nova Roleta': chooses the development whose leads it distributes.
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { agentDevelopmentsQuery } from '#data/agents.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { addRotation } from './data.ts'
import { MAX_ROTATION_NAME } from '#domain/rotation/editing.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { useFirstFocus } from '#ui/forms/use-first-focus.ts'
import { NAME, NAME_MISSING, NEW } from './texts.ts'

type NewRotationProps = { isOpen: boolean; onClose: () => void }

export function NewRotationDialog({ isOpen, onClose }: NewRotationProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={NEW}>
      <NewRotationForm onClose={onClose} />
    </Dialog>
  )
}

function NewRotationForm({ onClose }: Pick<NewRotationProps, 'onClose'>) {
  const isOnline = useIsOnline()
  const listId = useId()
  const first = useFirstFocus()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  // The hook's callbacks run even after the form was closed; callbacks of the `mutate` call would not.
  const { mutate, reset, isPending, error } = useMutation({
    ...addRotation(),
    onSuccess: () => toast('Roleta criada com sucesso!', 'success'),
    onError: () => toast('Erro ao criar roleta', 'error'),
  })
  // A lead finds its rotation by the development's name, so the user chooses among these names.
  const { data: developments = [] } = useQuery(agentDevelopmentsQuery())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || !isOnline) return
    setMissing(name.trim() === '')
    if (name.trim() !== '') mutate(name, { onSuccess: onClose })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col px-3 pt-1">
      <TextField
        ref={first}
        label={NAME}
        value={name}
        list={listId}
        maxLength={MAX_ROTATION_NAME}
        readOnly={isPending}
        error={isMissing ? NAME_MISSING : error?.message}
        autoComplete="off"
        enterKeyHint="done"
        onChange={(event) => {
          reset()
          setMissing(false)
          setName(event.target.value)
        }}
      />
      <datalist id={listId}>
        {developments.map((development) => (
          <option key={development} value={development} aria-label={development} />
        ))}
      </datalist>
      {!isOnline && <p className="pt-1.5 text-13 text-text-3">{ONLINE_ONLY}</p>}
      <div className="pt-4">
        <FormActions onCancel={onClose}>
          <Button type="submit" disabled={!isOnline} busy={isPending && 'Criando...'}>
            Criar
          </Button>
        </FormActions>
      </div>
    </form>
  )
}
