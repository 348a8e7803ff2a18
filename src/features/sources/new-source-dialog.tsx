// 'Ligar uma fonte': chooses a kind, then asks for a name and the settings of that kind. The source's panel has the
// further steps.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useIsOnline } from '#data/connectivity.ts'
import { newOperationId } from '#data/operation.ts'
import { TextField } from '#ui/forms/field.tsx'
import { FormActions } from '#ui/forms/form-actions.tsx'
import { SelectField } from '#ui/forms/select-field.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Collapsible } from '#ui/primitives/collapsible.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { ONLINE_ONLY } from '#ui/texts.ts'
import { addSource, type SourceKind } from './data.ts'
import { PagesField } from './form-pages.tsx'
import { MetaFields } from './meta-fields.tsx'
import { draftFault, newDraft, type SourceDraft, toIntent } from './source-draft.ts'
import { SourceMark } from './source-mark.tsx'
import { CONNECT, perMinuteOf } from './texts.ts'

const PACES = [10, 30, 60, 120, 300, 600, 1_200]

type NewSourceProps = {
  isOpen: boolean
  kinds: readonly SourceKind[]
  /** The names that other sources already have. */
  taken: readonly string[]
  onClose: () => void
  onMade: (id: string) => void
}

export function NewSourceDialog({ isOpen, ...rest }: NewSourceProps) {
  return (
    <Dialog isOpen={isOpen} onClose={rest.onClose} title={CONNECT} width="wide">
      <NewSource {...rest} />
    </Dialog>
  )
}

function NewSource({ kinds, taken, onMade }: Omit<NewSourceProps, 'isOpen'>) {
  const [chosen, setChosen] = useState<SourceKind | null>(null)
  return chosen === null ? (
    <ul className="grid gap-2 px-3 sm:grid-cols-2">
      {kinds.map((one) => (
        <li key={one.kind}>
          <button
            type="button"
            onClick={() => setChosen(one)}
            className="flex min-h-16 w-full items-center gap-3 rounded-md bg-surface px-3.5 py-2.5 text-left shadow-line hover:bg-surface-2"
          >
            <SourceMark of={one} />
            <span className="min-w-0">
              <span className="block text-15 font-medium">{one.name}</span>
              <span className="block text-13 leading-snug text-text-3">{one.what}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  ) : (
    <SourceForm of={chosen} taken={taken} onBack={() => setChosen(null)} onMade={onMade} />
  )
}

type SourceFormProps = { of: SourceKind; onBack: () => void } & Pick<NewSourceProps, 'taken' | 'onMade'>

function SourceForm({ of, taken, onBack, onMade }: SourceFormProps) {
  const isOnline = useIsOnline()
  const hintId = useId()
  const [draft, setDraft] = useState(() => newDraft(of, taken))
  const { kind } = draft
  const [isTried, setTried] = useState(false)
  const { mutate, reset, isPending, error } = useMutation({ ...addSource(), onSuccess: onMade })
  const fault = isTried ? draftFault(draft) : null
  const change = (part: Partial<SourceDraft>) => {
    reset()
    setDraft((before) => ({ ...before, operationId: newOperationId(), ...part }))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPending || !isOnline) return
    setTried(true)
    if (draftFault(draft) === null) mutate(toIntent(draft))
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-3">
      <TextField
        label="Nome da fonte"
        value={draft.name}
        maxLength={80}
        autoComplete="off"
        error={fault === 'name' && 'Dê um nome à fonte.'}
        onChange={({ target }) => change({ name: target.value })}
      />
      {kind === 'meta' && <MetaFields draft={draft} onChange={change} />}
      {kind === 'form' && (
        <PagesField
          value={draft.pages}
          hasFault={fault === 'pages'}
          hintId={hintId}
          onChange={(pages) => change({ pages })}
        />
      )}
      <Collapsible title="Origem, campanha e empreendimento">
        <Defaults draft={draft} onChange={change} />
      </Collapsible>
      <p role="alert" className="text-13 text-danger empty:hidden">
        {fault === 'secrets'
          ? 'Informe a chave secreta do app e o token de verificação da Meta.'
          : error?.message}
      </p>
      {!isOnline && <p className="text-13 text-text-3">{ONLINE_ONLY}</p>}
      <FormActions onCancel={onBack} cancelLabel="Outra fonte">
        <Button type="submit" disabled={!isOnline} busy={isPending && 'Ligando...'}>
          Ligar
        </Button>
      </FormActions>
    </form>
  )
}

type DefaultsProps = { draft: SourceDraft; onChange: (part: Partial<SourceDraft>) => void }

/** Fields for what a lead gets if its delivery lacks it, and for how many leads are accepted per minute. */
function Defaults({ draft, onChange }: DefaultsProps) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(13rem,1fr))] gap-3 px-5 pb-5">
      <TextField
        label="Origem padrão"
        value={draft.source}
        maxLength={60}
        autoComplete="off"
        onChange={({ target }) => onChange({ source: target.value })}
      />
      <TextField
        label="Campanha padrão"
        value={draft.campaign}
        maxLength={120}
        autoComplete="off"
        onChange={({ target }) => onChange({ campaign: target.value })}
      />
      <TextField
        label="Empreendimento padrão"
        value={draft.development}
        maxLength={120}
        autoComplete="off"
        onChange={({ target }) => onChange({ development: target.value })}
      />
      <SelectField
        label="Limite"
        value={draft.perMinute}
        onChange={({ target }) => onChange({ perMinute: Number(target.value) })}
      >
        {PACES.map((pace) => (
          <option key={pace} value={pace}>
            {perMinuteOf(pace)}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
