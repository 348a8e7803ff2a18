// Lists the developments that a lead is interested in. The broker adds and removes them, offline too.
import { useQuery } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { findMaterials, ofLead } from '#domain/development/material.ts'
import type { Lead } from '#domain/lead/lead.ts'
import { toast } from '#ui/feedback/toast.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { materialQuery } from '../material/data.ts'
import { changeInterest, type LeadSheet } from './data.ts'
import { FIELDS_FAILED } from './texts.ts'

type Named = { id: number; name: string }

const ORIGIN: Record<string, string> = {
  listing: 'do portal ou formulário',
  sent: 'material enviado',
  hand: 'escolhido',
}

type LeadInterestsProps = { lead: Lead; known: LeadSheet['interests'] }

export function LeadInterests({ lead, known }: LeadInterestsProps) {
  const { data: materials = [] } = useQuery(materialQuery())
  // The index of developments omits archived ones; those of this lead come from the server's answer.
  const all: readonly Named[] = [
    ...materials,
    ...known.filter(({ id }) => !materials.some((one) => one.id === id)),
  ]
  const own = ofLead(all, lead)
  const change = (development: Named, isAdded: boolean) => {
    changeInterest(lead, development, isAdded).catch(() => toast(FIELDS_FAILED, 'error'))
  }
  const others = materials.filter(({ id }) => !own.some((one) => one.id === id))
  if (own.length === 0 && others.length === 0) return null
  return (
    <ul aria-label="Interesses" className="flex flex-wrap items-center gap-2">
      {own.map((one) => (
        <li
          key={one.id}
          title={ORIGIN[known.find(({ id }) => id === one.id)?.origin ?? '']}
          className="flex items-center rounded-full bg-primary-soft pl-3.5 text-14 text-on-primary-soft"
        >
          {one.name}
          <button
            type="button"
            aria-label={`Remover interesse ${one.name}`}
            onClick={() => change(one, false)}
            className="-my-1 inline-flex size-11 items-center justify-center rounded-full"
          >
            <Icon of={X} size={16} />
          </button>
        </li>
      ))}
      {others.length > 0 && (
        <li>
          <InterestField
            names={others.map(({ name }) => name)}
            onPick={(typed) => {
              const exact = others.find(({ name }) => name === typed)
              const [first, second] = exact ? [exact] : findMaterials(others, typed)
              if (!first) toast('Este empreendimento não está cadastrado.', 'error')
              else if (second) toast('Escolha um empreendimento da lista.', 'error')
              else change(first, true)
            }}
          />
        </li>
      )}
    </ul>
  )
}

type InterestFieldProps = { names: readonly string[]; onPick: (typed: string) => void }

function InterestField({ names, onPick }: InterestFieldProps) {
  const [text, setText] = useState<string | null>(null)
  const listId = useId()
  const end = () => {
    setText(null)
    if (text?.trim()) onPick(text.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    if (event.key === 'Escape') setText(null)
    else if (!event.nativeEvent.isComposing) end()
  }
  if (text === null)
    return (
      <button
        type="button"
        onClick={() => setText('')}
        className="inline-flex min-h-11 items-center gap-1.5 rounded-full px-3.5 text-14 text-text-2 shadow-input"
      >
        <Icon of={Plus} size={18} />
        Interesse
      </button>
    )
  return (
    <>
      <input
        // The user pressed the plus in order to type here.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        aria-label="Empreendimento de interesse"
        list={listId}
        value={text}
        enterKeyHint="done"
        onChange={({ target }) => setText(target.value)}
        onBlur={end}
        onKeyDown={onKeyDown}
        className="min-h-11 w-44 rounded-full bg-surface px-4 text-16 shadow-input outline-none focus:shadow-input-focus"
      />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </>
  )
}
