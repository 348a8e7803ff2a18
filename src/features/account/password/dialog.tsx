// Changes the user's own password; the old one is required.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { changeOwnPassword } from './data.ts'
import { useIsOnline } from '#data/connectivity.ts'
import { PortalError } from '#domain/errors.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { PasswordField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { ONLINE_ONLY, SAVE, SAVING } from '#ui/texts.ts'
import { toast } from '#ui/feedback/toast.ts'
import { CHANGE_PASSWORD } from '../texts.ts'

type PasswordDialogProps = { isOpen: boolean; onClose: () => void }

export function PasswordDialog({ isOpen, onClose }: PasswordDialogProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={CHANGE_PASSWORD}>
      <PasswordForm onDone={onClose} />
    </Dialog>
  )
}

type Field = 'current' | 'next' | 'again'
type Fault = { field: Field; text: string } | null
type Typed = Record<Field, string>

const FIELDS = [
  { field: 'current', label: 'Senha atual', name: 'current-password', autoComplete: 'current-password' },
  { field: 'next', label: 'Nova senha', name: 'new-password', autoComplete: 'new-password' },
  { field: 'again', label: 'Confirme a nova senha', name: 'confirm-password', autoComplete: 'new-password' },
] as const

function PasswordForm({ onDone }: { onDone: () => void }) {
  const isOnline = useIsOnline()
  const [typed, setTyped] = useState<Typed>({ current: '', next: '', again: '' })
  const [fault, setFault] = useState<Fault>(null)
  // The hook's callbacks run even if the form was closed meanwhile; those of the `mutate` call would not.
  const { mutate, isPending } = useMutation({
    ...changeOwnPassword(),
    onSuccess: () => toast('Senha trocada com sucesso!', 'success'),
  })
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  useEffect(() => {
    if (fault) form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus()
  }, [fault])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || !isOnline) return
    const found = faultOf(typed)
    setFault(found)
    if (found) return
    mutate(typed, { onSuccess: onDone, onError: (error) => setFault(toFault(error)) })
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      <p className="text-14 leading-body text-text-2">
        Trocar a senha encerra as suas sessões nos outros aparelhos.
      </p>
      {FIELDS.map(({ field, ...input }) => (
        <PasswordField
          key={field}
          {...input}
          value={typed[field]}
          readOnly={isPending}
          onChange={({ target }) => {
            setTyped({ ...typed, [field]: target.value })
            setFault(null)
          }}
          error={fault?.field === field && fault.text}
        />
      ))}
      {!isOnline && <output className="text-13 text-text-3">{ONLINE_ONLY}</output>}
      <FormActions onCancel={onDone}>
        <Button type="submit" disabled={!isOnline} busy={isPending && SAVING}>
          {SAVE}
        </Button>
      </FormActions>
    </form>
  )
}

function faultOf({ current, next, again }: Typed): Fault {
  if (!current) return { field: 'current', text: 'Digite a senha atual.' }
  if (!next) return { field: 'next', text: 'Digite a nova senha.' }
  return next === again ? null : { field: 'again', text: 'As senhas não coincidem' }
}

function toFault(error: Error): Fault {
  const isWrong = error instanceof PortalError && error.code === 'invalid_credentials'
  return isWrong
    ? { field: 'current', text: 'Senha atual incorreta' }
    : { field: 'next', text: error.message }
}
