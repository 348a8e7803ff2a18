// What the broker is to know of a conversation that the assistant handed over, until a person has written in it.
import { useQuery } from '@tanstack/react-query'
import { Bot } from 'lucide-react'
import { formatHour } from '#domain/format.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import { handoverQuery } from './data.ts'

const TITLE = 'O assistente passou para você'

export function Handover({ contactId, lastId }: { contactId: number; lastId: number }) {
  const { data: card } = useQuery(handoverQuery(contactId, lastId))
  if (!card) return null
  const rows = [
    ['O lead quer', card.wants],
    ['Já foi dito', card.said],
    ['Falta', card.missing],
  ].filter(([, words]) => words !== '')
  return (
    <section
      aria-label="Passagem do assistente"
      className="mx-3.5 mb-3 max-h-[40%] shrink-0 overflow-y-auto rounded-lg bg-surface p-4 shadow-card motion-safe:animate-rise short:hidden"
    >
      <h3 className="flex items-center gap-2.5 text-15 font-semibold">
        <Icon of={Bot} size={18} className="text-primary" />
        <span className="grow">{TITLE}</span>
        <span className="text-13 font-normal text-text-3 tabular-nums">{formatHour(card.at)}</span>
      </h3>
      <dl className="grid grid-cols-[6rem_1fr] gap-x-3 gap-y-1.5 pt-2 text-14">
        {rows.map(([name, words]) => (
          <div key={name} className="contents">
            <dt className="text-text-2">{name}</dt>
            <dd className="whitespace-pre-wrap wrap-anywhere">{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
