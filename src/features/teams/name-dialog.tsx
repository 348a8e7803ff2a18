// Asks for the name of a new team, or for another name of a team.
import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import { TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import type { NameIntent } from './data.ts'

type Named = { id: string; name: string }

type NameDialogProps = {
  title: string
  action: string
  /** The name that the team has now; '' for a new team. */
  name: string
  options: UseMutationOptions<Named, Error, NameIntent>
  onClose: () => void
  onDone: (team: Named) => void
}

const MAX_LETTERS = 40

/** Mounted only while the dialog is open. */
export function NameDialog({ title, action, name, options, onClose, onDone }: NameDialogProps) {
  // Each name has one operation id, so that a retry after a lost response does not add a second team.
  const [intent, setIntent] = useState({ operationId: newOperationId(), name })
  const [isMissing, setMissing] = useState(false)
  const { mutate, reset, isPending, error } = useMutation({ ...options, onSuccess: onDone })
  const type = (typed: string) => {
    reset()
    setMissing(false)
    setIntent({ operationId: newOperationId(), name: typed })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    setMissing(intent.name.trim() === '')
    if (intent.name.trim() !== '') mutate(intent)
  }
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
        <TextField
          label="Nome da equipe"
          value={intent.name}
          maxLength={MAX_LETTERS}
          autoComplete="off"
          readOnly={isPending}
          error={isMissing ? 'Escreva o nome da equipe.' : error?.message}
          onChange={(event) => type(event.target.value)}
        />
        <FormActions onCancel={onClose}>
          <Button type="submit" busy={isPending && 'Salvando...'}>
            {action}
          </Button>
        </FormActions>
      </form>
    </Dialog>
  )
}
