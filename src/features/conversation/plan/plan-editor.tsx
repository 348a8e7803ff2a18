// 'Próximas tentativas': kind, time and text of each try, and whether days and kinds become the broker's own default.
import { MessageCircle, Phone, Plus, SquareCheck, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { newOperationId } from '#data/operation.ts'
import type { SendingHours } from '#domain/campaign.ts'
import { TIME_ZONE } from '#domain/format.ts'
import { nextOpening } from '#domain/campaign.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { momentWords } from '#domain/next-action/words.ts'
import type { Try, TryKind } from '#domain/plan/plan.ts'
import { MAX_TRIES, oneMore } from '#domain/plan/propose.ts'
import { fromField, toField } from '#domain/zone.ts'
import { MomentField } from '#ui/forms/moment-field.tsx'
import { Switch } from '#ui/forms/switch.tsx'
import { useNow } from '#ui/now.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { acceptWords, howOf, movedWords, NEXT_TRIES, STOPS_ITSELF, TRY_LABEL } from './texts.ts'

const MAX_TEXT = 4_000
const MAX_NOTE = 200

type PlanEditorProps = {
  lead: Lead
  first: readonly Try[]
  hours: SendingHours
  /** True if the broker changes a running plan; false if the broker writes a new one. */
  isStarted: boolean
  onSave: (tries: readonly Try[], asDefault: boolean) => void
  onClose: () => void
}

export function PlanEditor({ lead, onClose, ...rest }: PlanEditorProps) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={NEXT_TRIES}
      subtitle={leadTitle(lead)}
      lead={<Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={36} />}
    >
      <Form onClose={onClose} {...rest} />
    </Dialog>
  )
}

function Form({ first, hours, isStarted, onSave, onClose }: Omit<PlanEditorProps, 'lead'>) {
  const nowMs = useNow()
  const [tries, setTries] = useState(first)
  const [asDefault, setDefault] = useState(false)
  const isReady = tries.length > 0 && tries.every(({ dueAtMs }) => dueAtMs > nowMs)
  const change = (operationId: string, changes: Partial<Try>) =>
    setTries(tries.map((one) => (one.operationId === operationId ? { ...one, ...changes } : one)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    onClose()
    onSave(
      tries.toSorted((one, other) => one.dueAtMs - other.dueAtMs),
      asDefault,
    )
  }
  return (
    <form onSubmit={submit} className="flex flex-col px-3 pt-1">
      {tries.map((one) => (
        <TryFields
          key={one.operationId}
          one={one}
          hours={hours}
          nowMs={nowMs}
          onChange={(changes) => change(one.operationId, changes)}
          onRemove={() => setTries(tries.filter((other) => other !== one))}
        />
      ))}
      {tries.length < MAX_TRIES && (
        <button
          type="button"
          onClick={() => setTries([...tries, oneMore(tries, { hours, nowMs, newId: newOperationId })])}
          className="flex min-h-12 items-center gap-3 px-2 text-15 font-semibold text-primary"
        >
          <Icon of={Plus} size={20} />
          Mais uma tentativa
        </button>
      )}
      <div className="-mx-3 border-t border-border">
        <Switch
          label="Usar como meu padrão"
          hint="Só dias e tipos, não os textos"
          isOn={asDefault}
          onChange={setDefault}
        />
      </div>
      <Button type="submit" size="large" disabled={!isReady}>
        {isStarted ? 'Salvar' : acceptWords(tries.length)}
      </Button>
      <p className="pt-2 text-center text-13 text-text-3">{STOPS_ITSELF}</p>
    </form>
  )
}

const ICON = { message: MessageCircle, call: Phone, task: SquareCheck }

type TryFieldsProps = {
  one: Try
  hours: SendingHours
  nowMs: number
  onChange: (changes: Partial<Try>) => void
  onRemove: () => void
}

function TryFields({ one, hours, nowMs, onChange, onRemove }: TryFieldsProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const { kind, dueAtMs, text } = one
  const when = momentWords(dueAtMs, nowMs)
  const openMs = nextOpening(hours, dueAtMs, TIME_ZONE)
  const type = (value: string) => {
    setTyped(value)
    const ms = fromField(value)
    if (ms !== null) onChange({ dueAtMs: ms })
  }
  return (
    <fieldset className="border-b border-border py-3">
      <legend className="sr-only">{`${TRY_LABEL[kind]} ${when}`}</legend>
      <div className="flex items-center gap-2.5">
        <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-md bg-primary-soft text-on-primary-soft">
          <Icon of={ICON[kind]} />
        </span>
        <label className="min-w-0 grow">
          <select
            aria-label="O que fazer"
            value={kind}
            onChange={({ target }) => onChange({ kind: target.value as TryKind })}
            className="try-kind"
          >
            {Object.entries(TRY_LABEL).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <span className="block text-13 leading-tight text-text-3">{howOf(one)}</span>
        </label>
        <button
          type="button"
          aria-expanded={typed !== null}
          aria-label={`Mudar ${when}`}
          onClick={() => setTyped(typed === null ? toField(dueAtMs) : null)}
          className="min-h-11 shrink-0 rounded-md px-3 text-15 tabular-nums shadow-input"
        >
          {when}
        </button>
        <IconButton icon={Trash2} label={`Tirar ${TRY_LABEL[kind]} de ${when}`} onClick={onRemove} />
      </div>
      {typed !== null && (
        <div className="pt-2">
          <MomentField label="Dia e hora" value={typed} onType={type} />
        </div>
      )}
      {dueAtMs <= nowMs ? (
        <p role="alert" className="pt-1.5 text-13 text-danger">
          Escolha uma hora que ainda vem.
        </p>
      ) : (
        openMs !== dueAtMs && (
          <output className="block pt-1.5 text-13 text-warning">{movedWords(openMs, nowMs)}</output>
        )
      )}
      {kind !== 'call' && (
        <textarea
          aria-label={kind === 'message' ? 'Texto da mensagem' : 'O que fazer'}
          placeholder={kind === 'message' ? 'Escreva o texto, ou deixe para a hora' : 'Anotação'}
          value={text}
          maxLength={kind === 'message' ? MAX_TEXT : MAX_NOTE}
          rows={1}
          onChange={({ target }) => onChange({ text: target.value })}
          className="mt-2 block field-sizing-content max-h-40 min-h-11 w-full resize-none rounded-lg bg-surface-2 px-3 py-2.5 text-16 leading-message placeholder:text-text-3 lg:text-15"
        />
      )}
    </fieldset>
  )
}
