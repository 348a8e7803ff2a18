// 'Novo endereço': name, address and events of a webhook; it is off until its first test.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { EVENT_TYPES } from '#domain/machine.ts'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { HintedField } from '#ui/forms/hinted-field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { ToggleChips } from '#ui/primitives/chips.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { addHook, type MadeHook } from './data.ts'
import { EVENT_LABEL, NAME, NAME_MISSING, NEW_HOOK } from './texts.ts'

const CHOICES = EVENT_TYPES.map((value) => ({ value, label: EVENT_LABEL[value] }))

type NewHookProps = { isOpen: boolean; onClose: () => void; onMade: (hook: MadeHook) => void }

export function NewHookDialog({ isOpen, onClose, onMade }: NewHookProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={NEW_HOOK} width="wide">
      <NewHookForm onCancel={onClose} onMade={onMade} />
    </Dialog>
  )
}

function NewHookForm({ onCancel, onMade }: { onCancel: () => void; onMade: NewHookProps['onMade'] }) {
  const isOnline = useIsOnline()
  const [draft, setDraft] = useState<{ name: string; url: string; events: readonly string[] }>({
    name: '',
    url: '',
    events: ['lead.created', 'lead.assigned', 'lead.answered'],
  })
  const [isTried, setTried] = useState(false)
  const { mutate, reset, isPending, error } = useMutation({ ...addHook(), onSuccess: onMade })
  const change = (part: Partial<typeof draft>) => {
    reset()
    setDraft((before) => ({ ...before, ...part }))
  }
  const events = EVENT_TYPES.filter((type) => draft.events.includes(type))
  const name = draft.name.trim()
  const url = draft.url.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || !isOnline) return
    setTried(true)
    if (name && url && events.length > 0) mutate({ name, url, events })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3 pt-1">
      <TextField
        label={NAME}
        value={draft.name}
        maxLength={80}
        autoComplete="off"
        error={isTried && !name && NAME_MISSING}
        onChange={({ target }) => change({ name: target.value })}
      />
      <HintedField
        label="Endereço"
        hint={
          isOnline
            ? 'Público e com https://. Depois de mostrar o segredo, o portal envia um teste.'
            : ONLINE_ONLY
        }
        type="url"
        inputMode="url"
        value={draft.url}
        maxLength={2_000}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        error={isTried && !url ? 'Escreva o endereço.' : error?.message}
        onChange={({ target }) => change({ url: target.value })}
      />
      <ToggleChips
        label="Avisar quando"
        choices={CHOICES}
        chosen={draft.events}
        onChange={(chosen) => change({ events: chosen })}
      />
      <p role="alert" className="text-13 text-danger empty:hidden">
        {isTried && events.length === 0 && 'Escolha ao menos um aviso.'}
      </p>
      <FormActions onCancel={onCancel}>
        <Button type="submit" disabled={!isOnline} busy={isPending && 'Adicionando...'}>
          Adicionar
        </Button>
      </FormActions>
    </form>
  )
}
