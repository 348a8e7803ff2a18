// 'Adicionar administrador': asks for the username, then shows the link for the first access.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { PanelInvitation } from '#data/panel-invitation.ts'
import { addAdmin } from './data.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { PortalError } from '#domain/errors.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { UsernameField } from '#ui/forms/username-field.tsx'
import { ADD } from './texts.ts'

type AddAdminProps = { isOpen: boolean; onClose: () => void; onAdded: (invitation: PanelInvitation) => void }

/** Keeps the characters that usernames may have; capitals become small letters. */
const onlyLetters = (typed: string) => typed.toLowerCase().replace(/[^a-z0-9._-]/g, '')

export function AddAdminDialog({ isOpen, onClose, onAdded }: AddAdminProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={ADD}>
      <AddForm onCancel={onClose} onAdded={onAdded} />
    </Dialog>
  )
}

type AddFormProps = Pick<AddAdminProps, 'onAdded'> & { onCancel: () => void }

function AddForm({ onAdded, onCancel }: AddFormProps) {
  const isOnline = useIsOnline()
  // The form keeps one operation id per name, so that a retry after a lost response adds no second administrator.
  const [intent, setIntent] = useState({ operationId: newOperationId(), username: '' })
  const [isMissing, setMissing] = useState(false)
  // The hook's callback shows the link even if the form was closed meanwhile; one of the `mutate` call would not.
  const { mutate, reset, isPending, error } = useMutation({ ...addAdmin(), onSuccess: onAdded })

  const type = (username: string) => {
    reset()
    setMissing(false)
    setIntent({ operationId: newOperationId(), username })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || !isOnline) return
    setMissing(intent.username === '')
    if (intent.username !== '') mutate(intent)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      <UsernameField
        label="Usuário"
        hint={isOnline ? 'Use letras minúsculas, números, ponto ou hífen, sem espaços.' : ONLINE_ONLY}
        value={intent.username}
        clean={onlyLetters}
        onType={type}
        readOnly={isPending}
        error={isMissing ? 'Digite o usuário.' : error && faultText(error)}
      />
      <FormActions onCancel={onCancel}>
        <Button type="submit" disabled={!isOnline} busy={isPending && 'Adicionando...'}>
          {ADD}
        </Button>
      </FormActions>
    </form>
  )
}

function faultText(error: Error): string {
  const isTaken = error instanceof PortalError && error.code === 'admin.taken'
  return isTaken
    ? 'Já existe um administrador com este nome'
    : `Erro ao adicionar administrador: ${error.message}`
}
