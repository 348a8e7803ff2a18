// 'Novo gerente': asks for the username of somebody who only leads, then shows the link for the first access.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import type { PanelInvitation } from '#data/panel-invitation.ts'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { UsernameField } from '#ui/forms/username-field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { addManager, changeManager, type Manager, type Team } from './data.ts'

type NewManagerProps = {
  team: Team
  /** The gerente who is replaced; null if nobody is. */
  from: Manager | null
  onCancel: () => void
  onAdded: (invitation: PanelInvitation) => void
}

/** Keeps only the characters that a username may have, and makes capitals small. */
const onlyLetters = (typed: string) => typed.toLowerCase().replace(/[^a-z0-9._-]/g, '')

export function NewManager({ team, from, onCancel, onAdded }: NewManagerProps) {
  // Each name has one operation id, so that a retry after a lost response does not add a second account.
  const [intent, setIntent] = useState({ operationId: newOperationId(), username: '' })
  const [isMissing, setMissing] = useState(false)
  const { mutate: change } = useMutation(changeManager(team))
  const { mutate, reset, isPending, error } = useMutation({
    ...addManager(team),
    onSuccess: (invitation) => {
      if (from) change({ from: from.id, to: null })
      onAdded(invitation)
    },
  })
  const type = (username: string) => {
    reset()
    setMissing(false)
    setIntent({ operationId: newOperationId(), username })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    setMissing(intent.username === '')
    if (intent.username !== '') mutate(intent)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      <UsernameField
        label="Usuário"
        hint="Use letras minúsculas, números, ponto ou hífen, sem espaços."
        value={intent.username}
        clean={onlyLetters}
        onType={type}
        readOnly={isPending}
        error={isMissing ? 'Digite o usuário.' : error?.message}
      />
      <FormActions onCancel={onCancel} cancelLabel="Voltar">
        <Button type="submit" busy={isPending && 'Adicionando...'}>
          Adicionar gerente
        </Button>
      </FormActions>
    </form>
  )
}
