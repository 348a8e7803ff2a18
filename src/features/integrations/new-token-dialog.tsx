// 'Nova chave': the form for an API key. Name, permissions and expiry are required.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { MAX_TOKEN_DAYS, MACHINE_GRANTS } from '#domain/machine.ts'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { useNow } from '#ui/now.ts'
import { Button } from '#ui/primitives/button.tsx'
import { ToggleChips } from '#ui/primitives/chips.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { addToken } from './data.ts'
import { GRANT_LABEL, NAME, NAME_MISSING, NEW_TOKEN } from './texts.ts'

const CHOICES = MACHINE_GRANTS.map((value) => ({ value, label: GRANT_LABEL[value] }))
const DAY_MS = 86_400_000

type NewTokenProps = { isOpen: boolean; onClose: () => void; onMade: (token: string) => void }

export function NewTokenDialog({ isOpen, onClose, onMade }: NewTokenProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={NEW_TOKEN} width="wide">
      <NewTokenForm onCancel={onClose} onMade={onMade} />
    </Dialog>
  )
}

function NewTokenForm({ onCancel, onMade }: { onCancel: () => void; onMade: NewTokenProps['onMade'] }) {
  const isOnline = useIsOnline()
  const nowMs = useNow()
  const [draft, setDraft] = useState<{ name: string; grants: readonly string[]; until: string }>({
    name: '',
    grants: ['leads:read'],
    until: '',
  })
  const [operationId, setOperationId] = useState(newOperationId)
  const [isTried, setTried] = useState(false)
  const { mutate, reset, isPending, error } = useMutation({ ...addToken(), onSuccess: onMade })
  const change = (part: Partial<typeof draft>) => {
    reset()
    setOperationId(newOperationId())
    setDraft((before) => ({ ...before, ...part }))
  }
  const grants = MACHINE_GRANTS.filter((grant) => draft.grants.includes(grant))
  const name = draft.name.trim()
  // The end of that day, in the user's time zone.
  const untilMs = Date.parse(`${draft.until}T23:59:59`)
  const isTerm = untilMs > nowMs && untilMs <= nowMs + MAX_TOKEN_DAYS * DAY_MS
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || !isOnline) return
    setTried(true)
    if (name && grants.length > 0 && isTerm)
      mutate({ operationId, name, grants, expiresAt: new Date(untilMs).toISOString() })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      <TextField
        label={NAME}
        value={draft.name}
        maxLength={60}
        autoComplete="off"
        error={isTried && !name && NAME_MISSING}
        onChange={({ target }) => change({ name: target.value })}
      />
      <ToggleChips
        label="Permissões"
        choices={CHOICES}
        chosen={draft.grants}
        onChange={(chosen) => change({ grants: chosen })}
      />
      <TextField
        type="date"
        label="Vale até"
        value={draft.until}
        error={isTried && !isTerm && 'Escolha um dia daqui a no máximo dois anos.'}
        onChange={({ target }) => change({ until: target.value })}
      />
      <p role="alert" className="text-13 text-danger empty:hidden">
        {isTried && grants.length === 0 ? 'Escolha ao menos uma permissão.' : error?.message}
      </p>
      {!isOnline && <p className="text-13 text-text-3">{ONLINE_ONLY}</p>}
      <FormActions onCancel={onCancel}>
        <Button type="submit" disabled={!isOnline} busy={isPending && 'Criando...'}>
          Criar chave
        </Button>
      </FormActions>
    </form>
  )
}
