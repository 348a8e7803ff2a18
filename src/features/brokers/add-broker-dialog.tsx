// 'Adicionar Corretor': asks for the username, then shows the link for the first access.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { addBroker, type Invitation } from '#data/brokers.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { type Broker, onlyUsernameLetters, usernameFault } from '#domain/broker.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { UsernameField } from '#ui/forms/username-field.tsx'
import { ADD } from './texts.ts'

const USERNAME_FAULT = {
  empty: 'Nome do corretor é obrigatório',
  taken: 'Já existe um corretor com este nome',
}

/** Shown once the form has changed a character that the user typed. */
const USERNAME_CHANGED = 'Maiúsculas, acentos e espaços viram letras simples; números e sinais ficam de fora.'

type AddBrokerProps = {
  isOpen: boolean
  brokers: readonly Broker[]
  onClose: () => void
  onAdded: (invitation: Invitation) => void
}

export function AddBrokerDialog({ isOpen, onClose, ...form }: AddBrokerProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={ADD}>
      <AddForm {...form} onCancel={onClose} />
    </Dialog>
  )
}

type AddFormProps = Pick<AddBrokerProps, 'brokers' | 'onAdded'> & { onCancel: () => void }

function AddForm({ brokers, onAdded, onCancel }: AddFormProps) {
  const isOnline = useIsOnline()
  // The form keeps one operation id per name, so that a retry after a lost response adds no second broker.
  const [intent, setIntent] = useState({ operationId: newOperationId(), username: '' })
  const [fault, setFault] = useState<'empty' | 'taken' | null>(null)
  // The hook's callback shows the link even if the form was closed meanwhile; one of the `mutate` call would not.
  const { mutate, reset, isPending, error } = useMutation({ ...addBroker(), onSuccess: onAdded })

  const type = (username: string) => {
    reset()
    setFault(null)
    setIntent({ operationId: newOperationId(), username })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || !isOnline) return
    const found = usernameFault(intent.username, brokers)
    setFault(found)
    if (found === null) mutate(intent)
  }
  const said = fault ? USERNAME_FAULT[fault] : error && `Erro ao criar corretor: ${error.message}`
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      <UsernameField
        label="Nome do corretor"
        hint={isOnline ? 'Use apenas letras minúsculas, sem espaços ou caracteres especiais' : ONLINE_ONLY}
        {...(isOnline && { changedHint: USERNAME_CHANGED })}
        value={intent.username}
        clean={onlyUsernameLetters}
        onType={type}
        // Browsers do not submit a form on Enter while its button is disabled, so this shows the reason.
        onKeyDown={({ key }) => key === 'Enter' && intent.username === '' && setFault('empty')}
        readOnly={isPending}
        error={said}
      />
      <FormActions onCancel={onCancel}>
        <Button type="submit" disabled={intent.username === '' || !isOnline} busy={isPending && 'Criando...'}>
          Criar corretor
        </Button>
      </FormActions>
    </form>
  )
}
