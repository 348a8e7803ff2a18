// 'Planos de tentativas': edits the days, kinds and texts that plans offer to brokers, for the agency and for each
// development.
import { useMutation, useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { PortalError } from '#domain/errors.ts'
import type { TryKind } from '#domain/plan/plan.ts'
import { MAX_TRIES, type TemplateStep } from '#domain/plan/propose.ts'
import { FailedRead } from '#ui/feedback/failed-read.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { TextField } from '#ui/forms/field.tsx'
import { SelectField } from '#ui/forms/select-field.tsx'
import { Button, IconButton } from '#ui/primitives/button.tsx'
import { Dialog } from '#ui/primitives/overlay/dialog.tsx'
import { saveTemplate, templatesQuery, type Templates } from './data.ts'

const KIND_LABEL: Record<TryKind, string> = { message: 'Mensagem', call: 'Ligar', task: 'Tarefa' }
const MAX_TEXT = 4_000
const MAX_NOTE = 200
const MAX_DAY = 60
const SAVE_FAILED = 'Não foi possível salvar o plano.'

export function TemplatesDialog({ onClose }: { onClose: () => void }) {
  const read = useQuery(templatesQuery())
  const [chosen, setChosen] = useState('')
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Planos de tentativas"
      subtitle="O que o portal propõe ao corretor quando um lead fica dois dias em silêncio"
      width="wide"
    >
      <div className="flex flex-col gap-4 px-3 pt-1">
        {read.data ? (
          <>
            <SelectField label="Plano de" value={chosen} onChange={({ target }) => setChosen(target.value)}>
              <option value="">Toda a agência</option>
              {read.data.developments.map(({ id, name }) => (
                <option key={id} value={name}>
                  {name}
                </option>
              ))}
            </SelectField>
            <TemplateForm key={chosen} templates={read.data} name={chosen} />
          </>
        ) : read.error ? (
          <FailedRead of={read} />
        ) : (
          <Skeleton className="h-60 rounded-lg!" />
        )}
      </div>
    </Dialog>
  )
}

type Draft = { key: number; day: string; time: string; kind: TryKind; text: string }

const pad = (number: number) => String(number).padStart(2, '0')
const toDraft = ({ day, minute, ...rest }: TemplateStep, key: number): Draft => ({
  ...rest,
  key,
  day: String(day),
  time: `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}`,
})
/** Returns null if the typed day or time does not exist. */
function toStep({ day, time, kind, text }: Draft): TemplateStep | null {
  const [hour = NaN, minute = NaN] = time.split(':').map(Number)
  const wanted = {
    day: Number(day),
    minute: hour * 60 + minute,
    kind,
    text: kind === 'call' ? '' : text.trim(),
  }
  const isDay = /^\d{1,2}$/.test(day.trim()) && wanted.day >= 1 && wanted.day <= MAX_DAY
  return isDay && Number.isInteger(wanted.minute) ? wanted : null
}

function TemplateForm({ templates: { steps, developments }, name }: { templates: Templates; name: string }) {
  const stored = steps.get(name) ?? []
  const [drafts, setDrafts] = useState(() => stored.map(toDraft))
  const [isWrong, setWrong] = useState(false)
  const { mutate, isPending } = useMutation({
    ...saveTemplate(developments.find((one) => one.name === name)?.id ?? null),
    onSuccess: () => toast('Plano publicado', 'success'),
    onError: (error) => toast(error instanceof PortalError ? error.message : SAVE_FAILED, 'error'),
  })
  const change = (key: number, changes: Partial<Draft>) =>
    setDrafts(drafts.map((one) => (one.key === key ? { ...one, ...changes } : one)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = drafts.map(toStep)
    const isReady = wanted.every((one) => one !== null)
    setWrong(!isReady)
    if (isReady) mutate(wanted)
  }
  const add = () => {
    const last = drafts.at(-1)
    const key = Math.max(0, ...drafts.map((one) => one.key)) + 1
    const day = String(Math.min(MAX_DAY, Number(last?.day ?? 0) + (last ? 3 : 1)))
    setDrafts([...drafts, { key, day, time: '10:00', kind: 'message', text: '' }])
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      {drafts.length === 0 && (
        <p className="text-14 text-text-2">
          {name === ''
            ? 'Sem plano: o corretor recebe mensagem, ligação e mensagem nos dias 1, 4 e 7, e escreve os textos.'
            : 'Sem plano próprio: vale o de toda a agência.'}
        </p>
      )}
      {drafts.map((draft, at) => (
        <StepFields
          key={draft.key}
          draft={draft}
          place={at + 1}
          onChange={(changes) => change(draft.key, changes)}
          onRemove={() => setDrafts(drafts.filter((one) => one !== draft))}
        />
      ))}
      {isWrong && (
        <p role="alert" className="text-13 text-danger">
          {`Confira o dia, de 1 a ${MAX_DAY}, e a hora de cada tentativa.`}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {drafts.length < MAX_TRIES && (
          <Button variant="line" icon={Plus} onClick={add}>
            Mais uma tentativa
          </Button>
        )}
        <Button type="submit" busy={isPending && 'Publicando…'}>
          Publicar
        </Button>
      </div>
      <p className="text-13 text-text-3">
        Mensagens com texto saem sozinhas, no horário permitido, e param quando o lead responde. Sem texto, o
        corretor é avisado e escreve na hora. {'{nome}'} vira o nome do lead.
      </p>
    </form>
  )
}

type StepFieldsProps = {
  draft: Draft
  place: number
  onChange: (changes: Partial<Draft>) => void
  onRemove: () => void
}

function StepFields({ draft: { day, time, kind, text }, place, onChange, onRemove }: StepFieldsProps) {
  return (
    <fieldset className="flex flex-col gap-3 border-t border-border pt-4">
      <legend className="sr-only">{`${place}ª tentativa`}</legend>
      <div className="flex items-end gap-2">
        <div className="w-20">
          <TextField
            label="Dia"
            inputMode="numeric"
            value={day}
            onChange={({ target }) => onChange({ day: target.value })}
          />
        </div>
        <div className="w-32">
          <TextField
            label="Hora"
            type="time"
            value={time}
            onChange={({ target }) => onChange({ time: target.value })}
          />
        </div>
        <div className="min-w-0 grow">
          <SelectField
            label="O que fazer"
            value={kind}
            onChange={({ target }) => onChange({ kind: target.value as TryKind })}
          >
            {Object.entries(KIND_LABEL).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
        </div>
        <IconButton icon={Trash2} label={`Tirar a ${place}ª tentativa`} onClick={onRemove} />
      </div>
      {kind !== 'call' && (
        <textarea
          aria-label={`Texto da ${place}ª tentativa`}
          placeholder={kind === 'message' ? 'Texto da mensagem. Vazio: o corretor escreve.' : 'Anotação'}
          value={text}
          maxLength={kind === 'message' ? MAX_TEXT : MAX_NOTE}
          rows={2}
          onChange={({ target }) => onChange({ text: target.value })}
          className="block field-sizing-content w-full resize-none rounded-md bg-surface px-4 py-3 text-16 shadow-input outline-none focus-visible:shadow-input-focus lg:text-15"
        />
      )}
    </fieldset>
  )
}
