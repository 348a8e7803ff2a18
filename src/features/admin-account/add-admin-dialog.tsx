// 'Adicionar administrador': the username, then the link of the first access. PRODUCT.md 3.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { addAdmin, type AdminInvitation } from '#data/admins.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { PortalError } from '#domain/errors.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { FormActions } from '#ui/form-actions.tsx'
import {
  ADD,
  addFailed,
  ADDING,
  OFFLINE,
  USERNAME,
  USERNAME_HINT,
  USERNAME_REQUIRED,
  USERNAME_TAKEN,
} from './texts.ts'

type AddAdminProps = { isOpen: boolean; onClose: () => void; onAdded: (invitation: AdminInvitation) => void }

const LONGEST = 60

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
  const hintId = useId()
  // One wish for one name: what is sent again after a lost answer is the same operation.
  const [wish, setWish] = useState({ operationId: newOperationId(), username: '' })
  const [isMissing, setMissing] = useState(false)
  // With the form, not with the call: the link is shown though the form was closed meanwhile.
  const { mutate, reset, isPending, error } = useMutation({ ...addAdmin(), onSuccess: onAdded })

  const type = (typed: string) => {
    reset()
    setMissing(false)
    setWish({ operationId: newOperationId(), username: typed.toLowerCase().replace(/[^a-z0-9._-]/g, '') })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || !isOnline) return
    setMissing(wish.username === '')
    if (wish.username !== '') mutate(wish)
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col px-3 pt-1">
      <TextField
        label={USERNAME}
        value={wish.username}
        onChange={({ target }) => type(target.value)}
        readOnly={isPending}
        maxLength={LONGEST}
        error={isMissing ? USERNAME_REQUIRED : error && faultText(error)}
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
        <Button type="submit" disabled={!isOnline} busy={isPending && ADDING}>
          {ADD}
        </Button>
      </FormActions>
    </form>
  )
}

function faultText(error: Error): string {
  const isTaken = error instanceof PortalError && error.code === 'admin.taken'
  return isTaken ? USERNAME_TAKEN : addFailed(error.message)
}
