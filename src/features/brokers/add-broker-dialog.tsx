// 'Adicionar Corretor': the username, then the link of the first access. Spec 2.5, 5, 8.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { addBroker, type Invitation } from '#data/brokers.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { type Broker, onlyUsernameLetters, usernameFault } from '#domain/broker.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import { ADD, addFailed, ADDING, CREATE, OFFLINE, USERNAME, USERNAME_FAULT, USERNAME_HINT } from './texts.ts'

const LONGEST = 60

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
  const hintId = useId()
  // One wish for one name: what is sent again after a lost answer is the same operation.
  const [wish, setWish] = useState({ operationId: newOperationId(), username: '' })
  const [fault, setFault] = useState<'empty' | 'taken' | null>(null)
  // With the form, not with the call: the link is shown though the form was closed meanwhile.
  const { mutate, reset, isPending, error } = useMutation({ ...addBroker(), onSuccess: onAdded })

  const type = (typed: string) => {
    reset()
    setFault(null)
    setWish({ operationId: newOperationId(), username: onlyUsernameLetters(typed) })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || !isOnline) return
    const found = usernameFault(wish.username, brokers)
    setFault(found)
    if (found === null) mutate(wish)
  }
  const said = fault ? USERNAME_FAULT[fault] : error && addFailed(error.message)
  return (
    <form noValidate onSubmit={submit} className="flex flex-col px-3 pt-1">
      <TextField
        label={USERNAME}
        value={wish.username}
        onChange={(event) => type(event.target.value)}
        // A form whose button is off is not sent by Enter: the reason is said all the same.
        onKeyDown={({ key }) => key === 'Enter' && wish.username === '' && setFault('empty')}
        readOnly={isPending}
        maxLength={LONGEST}
        error={said}
        aria-describedby={hintId}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        // The dialog was opened to type into.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
      <p id={hintId} className="pt-1.5 pb-4 text-13 text-text-3">
        {isOnline ? USERNAME_HINT : OFFLINE}
      </p>
      <FormActions onCancel={onCancel}>
        <Button type="submit" disabled={wish.username === '' || !isOnline} busy={isPending && ADDING}>
          {CREATE}
        </Button>
      </FormActions>
    </form>
  )
}
