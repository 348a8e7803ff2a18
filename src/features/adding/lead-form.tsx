// The fields of a new lead, with problems below them.
import { useQuery } from '@tanstack/react-query'
import { Clock3, Plus } from 'lucide-react'
import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { developmentNamesQuery, type NewLead } from '#data/adding.ts'
import { HAND_SOURCES } from '#domain/lead/adding.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { phoneKey } from '#domain/phone/number-key.ts'
import { readTyped } from '#domain/phone/typed.ts'
import { TextField } from '#ui/forms/field.tsx'
import { SelectField } from '#ui/forms/select-field.tsx'
import { useFirstFocus } from '#ui/forms/use-first-focus.ts'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { ContactPicker } from './contact-picker.tsx'
import { masked } from './phone-mask.ts'
import { SourceChoice } from './source-choice.tsx'
import { ADD_LEAD } from './texts.ts'
import { type AddedLead, useAddition } from './use-addition.ts'

const NOTE = 'Nota'

const yours = (name: string) => `Este número já está com você: ${name}`

/** Who gets the lead. Its `instanceName` is null if no broker gets it. */
export type Owner = { instanceName: string | null; label: string }

type LeadFormProps = {
  owners: readonly Owner[]
  leads: ReadonlyMap<number, Lead> | undefined
  initial?: Partial<NewLead> | undefined
  onDirty: (isDirty: boolean) => void
  onOpen: (lead: AddedLead) => void
}

const MAX_NAME = 200
const MAX_NOTE = 10_000

export function LeadForm({ owners, leads, initial, onDirty, onOpen }: LeadFormProps) {
  const [typed, setTyped] = useState<NewLead>({
    name: '',
    number: '',
    development: '',
    source: HAND_SOURCES[0],
    note: '',
    instanceName: owners[0]?.instanceName ?? null,
    ...initial,
  })
  const { faults, forgetFaults, isBusy, isOnline, submit } = useAddition(typed, onOpen)
  const own = useOwn(leads, typed.number)
  const first = useFirstFocus()
  const write = (change: Partial<NewLead>) => {
    forgetFaults()
    setTyped((before) => ({ ...before, ...change }))
    onDirty(true)
  }
  return (
    <form
      noValidate
      onSubmit={own ? (event) => event.preventDefault() : submit}
      className="flex flex-col gap-4 px-3 pt-1"
    >
      <ContactPicker onPick={write} />
      <TextField
        ref={first}
        label="Nome"
        autoComplete="off"
        autoCapitalize="words"
        maxLength={MAX_NAME}
        value={typed.name}
        error={faults.name}
        onChange={({ target }) => write({ name: target.value })}
      />
      <NumberField
        value={typed.number}
        error={
          own ? (
            <Known lead={own} onOpen={() => onOpen({ id: own.id, instanceName: own.instanceName })} />
          ) : (
            faults.number
          )
        }
        isOnline={isOnline}
        onType={(number) => write({ number })}
      />
      {owners.length > 1 && (
        <SelectField
          label="Corretor"
          value={typed.instanceName ?? ''}
          onChange={({ target }) => write({ instanceName: target.value || null })}
        >
          {owners.map(({ instanceName, label }) => (
            <option key={instanceName ?? ''} value={instanceName ?? ''}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
      <DevelopmentField value={typed.development} onType={(development) => write({ development })} />
      <SourceChoice value={typed.source} onChange={(source) => write({ source })} />
      <NoteField value={typed.note} onType={(note) => write({ note })} />
      <div className="flex flex-col gap-2">
        {!isOnline && (
          <p className="flex items-center gap-2 text-14 text-text-2">
            <Icon of={Clock3} size={18} />
            Fica na fila e entra quando a internet voltar.
          </p>
        )}
        <Button type="submit" size="large" disabled={own !== undefined} busy={isBusy && 'Adicionando…'}>
          {ADD_LEAD}
        </Button>
      </div>
    </form>
  )
}

/** Finds the lead of the board that has this number in any form. */
function useOwn(leads: LeadFormProps['leads'], number: string): Lead | undefined {
  const [key, setKey] = useState<string | null>(null)
  useEffect(() => {
    let isCurrent = true
    void readTyped(number).then(({ numbers: [read] }) => isCurrent && setKey(read ? phoneKey(read) : null))
    return () => void (isCurrent = false)
  }, [number])
  return useMemo(() => {
    if (key === null || !leads) return undefined
    for (const lead of leads.values()) if (lead.number !== null && phoneKey(lead.number) === key) return lead
    return undefined
  }, [leads, key])
}

function Known({ lead, onOpen }: { lead: Lead; onOpen: () => void }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {yours(leadTitle(lead))}
      <button type="button" onClick={onOpen} className="-my-2.5 min-h-11 px-1 font-semibold text-primary">
        Abrir
      </button>
    </span>
  )
}

type FieldProps = { value: string; onType: (text: string) => void }

type NumberFieldProps = FieldProps & { error: React.ReactNode; isOnline: boolean }

function NumberField({ value, error, isOnline, onType }: NumberFieldProps) {
  const hintId = useId()
  return (
    <div>
      <TextField
        label="WhatsApp"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        value={value}
        error={error}
        aria-describedby={hintId}
        // Formats only while the caret is at the end, because it would jump otherwise.
        onChange={({ target }) =>
          onType(target.selectionStart === target.value.length ? masked(target.value) : target.value)
        }
      />
      <p id={hintId} className="pt-1.5 text-13 text-text-3 empty:hidden">
        {!isOnline && !error && 'Conferimos se já é seu quando a internet voltar.'}
      </p>
    </div>
  )
}

function DevelopmentField({ value, onType }: FieldProps) {
  const listId = useId()
  const { data = [] } = useQuery(developmentNamesQuery())
  return (
    <>
      <TextField
        label="Empreendimento"
        autoComplete="off"
        maxLength={200}
        list={listId}
        value={value}
        onChange={({ target }) => onType(target.value)}
      />
      <datalist id={listId}>
        {data.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  )
}

function NoteField(note: FieldProps) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen || note.value !== '') return <NoteText {...note} hasFocus={isOpen} />
  return (
    <span className="-ml-2.5">
      <Button variant="ghost" size="small" icon={Plus} onClick={() => setOpen(true)}>
        {NOTE}
      </Button>
    </span>
  )
}

function NoteText({ value, onType, hasFocus }: FieldProps & { hasFocus: boolean }) {
  const field = useRef<HTMLTextAreaElement>(null)
  // The button that opened this field is gone, so the field takes the focus.
  useEffect(() => {
    if (hasFocus) field.current?.focus()
  }, [hasFocus])
  return (
    <textarea
      ref={field}
      aria-label={NOTE}
      value={value}
      maxLength={MAX_NOTE}
      onChange={({ target }) => onType(target.value)}
      className="[field-sizing:content] max-h-[30dvh] min-h-24 w-full resize-none rounded-md bg-surface p-4 text-16 leading-body text-text shadow-input outline-none focus:shadow-input-focus"
    />
  )
}
