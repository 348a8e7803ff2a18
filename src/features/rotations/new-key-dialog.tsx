// A new intake key: what it is for, what is known of its leads, and of Meta what signs and reads them.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { addIntakeKey, KINDS, type MadeKey } from './intake-keys-data.ts'
import { newOperationId } from '#data/operation.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/dialog.tsx'
import { TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { ChoiceField } from './choice-field.tsx'
import { FieldNames } from './field-names.tsx'
import {
  CAMPAIGN,
  CREATE_KEY,
  CREATING_KEY,
  DEVELOPMENT,
  FIELDS_FAULT,
  KEY_KIND,
  KEY_NAME,
  KEY_NAME_MISSING,
  KEY_NAME_PLACEHOLDER,
  KIND,
  NEW_KEY,
  PER_MINUTE,
  perMinute,
  SECRETS_MISSING,
  SOURCE,
} from './intake-texts.ts'
import { emptyKeyDraft, type KeyDraft, keyFault, toIntent } from './key-draft.ts'
import { MetaFields } from './meta-fields.tsx'

const PACES = [10, 30, 60, 120, 300, 600, 1_200]

type NewKeyProps = { isOpen: boolean; onClose: () => void; onMade: (made: MadeKey) => void }

export function NewKeyDialog({ isOpen, ...form }: NewKeyProps) {
  return (
    <Dialog isOpen={isOpen} onClose={form.onClose} title={NEW_KEY} width="wide">
      <NewKeyForm {...form} />
    </Dialog>
  )
}

function NewKeyForm({ onClose, onMade }: Omit<NewKeyProps, 'isOpen'>) {
  const isOnline = useIsOnline()
  const [draft, setDraft] = useState(emptyKeyDraft)
  const [isTried, setTried] = useState(false)
  const { mutate, reset, isPending, error } = useMutation({ ...addIntakeKey(), onSuccess: onMade })
  const fault = isTried ? keyFault(draft) : null
  const change = (part: Partial<KeyDraft>) => {
    reset()
    setDraft((before) => ({ ...before, operationId: newOperationId(), ...part }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || !isOnline) return
    setTried(true)
    if (keyFault(draft) === null) mutate(toIntent(draft))
  }
  const text = (name: 'source' | 'campaign' | 'development', label: string) => (
    <TextField
      label={label}
      value={draft[name]}
      maxLength={name === 'source' ? 60 : 120}
      autoComplete="off"
      onChange={({ target }) => change({ [name]: target.value })}
    />
  )
  const said = fault === 'secrets' ? SECRETS_MISSING : fault === 'fields' ? FIELDS_FAULT : error?.message
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3">
      <ChoiceField
        label={KEY_KIND}
        choices={KINDS.map((kind) => ({ value: kind, label: KIND[kind] }))}
        value={draft.kind}
        onChange={(value) => change({ kind: KINDS.find((kind) => kind === value) ?? 'form' })}
      />
      <TextField
        label={KEY_NAME}
        placeholder={KEY_NAME_PLACEHOLDER}
        value={draft.name}
        maxLength={80}
        autoComplete="off"
        error={fault === 'name' && KEY_NAME_MISSING}
        onChange={({ target }) => change({ name: target.value })}
      />
      {draft.kind === 'meta' && <MetaFields draft={draft} onChange={change} />}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(15rem,1fr))] gap-x-3 gap-y-4">
        {text('source', SOURCE)}
        {text('campaign', CAMPAIGN)}
        {text('development', DEVELOPMENT)}
        <ChoiceField
          label={PER_MINUTE}
          choices={PACES.map((pace) => ({ value: String(pace), label: perMinute(pace) }))}
          value={String(draft.perMinute)}
          onChange={(pace) => change({ perMinute: Number(pace) })}
        />
      </div>
      {draft.kind === 'form' && (
        <FieldNames mapping={draft.mapping} onChange={(mapping) => change({ mapping })} />
      )}
      <p role="alert" className="text-13 text-danger empty:hidden">
        {said}
      </p>
      {!isOnline && <p className="text-13 text-text-3">{ONLINE_ONLY}</p>}
      <FormActions onCancel={onClose}>
        <Button type="submit" disabled={!isOnline} busy={isPending && CREATING_KEY}>
          {CREATE_KEY}
        </Button>
      </FormActions>
    </form>
  )
}
