// 'Contatos Selecionados': lists the recipients, whose names can be edited, and below them the excluded leads with the
// reasons.
import { countOf, formatNumber } from '#domain/count.ts'
import { Check, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { renameLead } from '#data/notes.ts'
import { EXCLUSION } from '#domain/campaign.ts'
import { type Lead, leadTitle } from '#domain/lead/lead.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import { Avatar } from '#ui/primitives/avatar.tsx'
import { Button } from '#ui/primitives/button.tsx'
import { Icon } from '#ui/primitives/icon.tsx'
import { InlineEdit } from '#ui/forms/inline-edit.tsx'
import { toast } from '#ui/feedback/toast.ts'
import type { Audience, LeftOut } from './composer-rules.ts'
import { UNNAMED } from '../texts.ts'

const leftOut = (count: number) => countOf(count, 'contato fica de fora', 'contatos ficam de fora')

const showMore = (count: number) => `Mostrar mais ${formatNumber(count)}`

const SELECTED = 'Contatos Selecionados'

/** The longest name that the database's column can hold. */
const MAX_NAME = 200
/** How many rows are shown at first. A button shows the others. */
const FIRST_ROWS = 8
const MORE_ROWS = 100

type ContactListProps = {
  audience: Audience
  skipped: ReadonlySet<number>
  onSkipped: (skipped: readonly number[]) => void
}

export function ContactList({ audience: { may, leftOut }, skipped, onSkipped }: ContactListProps) {
  const [most, setMost] = useState(FIRST_ROWS)
  const chosen = may.filter(({ id }) => !skipped.has(id)).length
  const toggle = (id: number) =>
    onSkipped(skipped.has(id) ? [...skipped].filter((other) => other !== id) : [...skipped, id])
  return (
    <section aria-label={SELECTED} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 className="text-14 font-medium">{SELECTED}</h2>
        {may.length > 0 && (
          <span className="flex items-center text-14 text-text-3 tabular-nums">
            {`${chosen} de ${may.length}`}
            <span className="-mr-2 flex">
              <Button
                variant="ghost"
                size="small"
                onClick={() => onSkipped(chosen > 0 ? may.map(({ id }) => id) : [])}
              >
                {chosen > 0 ? 'Desmarcar todos' : 'Marcar todos'}
              </Button>
            </span>
          </span>
        )}
      </div>
      {may.length === 0 && (
        <p className="rounded-lg bg-surface px-4 py-5 text-center text-15 text-text-2 shadow-card">
          {leftOut.length === 0
            ? 'Nenhum contato neste estágio.'
            : 'Ninguém deste estágio pode receber agora.'}
        </p>
      )}
      {may.length > 0 && (
        <ul className="overflow-hidden rounded-lg bg-surface shadow-card">
          {may.slice(0, most).map((lead) => (
            <ContactRow
              key={lead.id}
              lead={lead}
              isChosen={!skipped.has(lead.id)}
              onToggle={() => toggle(lead.id)}
            />
          ))}
        </ul>
      )}
      {may.length > most && (
        <Button variant="ghost" size="small" onClick={() => setMost(most + MORE_ROWS)}>
          {showMore(Math.min(MORE_ROWS, may.length - most))}
        </Button>
      )}
      {leftOut.length > 0 && <LeftOutList people={leftOut} />}
    </section>
  )
}

type ContactRowProps = { lead: Lead; isChosen: boolean; onToggle: () => void }

function ContactRow({ lead, isChosen, onToggle }: ContactRowProps) {
  const title = leadTitle(lead)
  const rename = (name: string) =>
    void renameLead(lead, name).catch(() => toast('Erro ao salvar o nome. Tente novamente.', 'error'))
  return (
    <li className="relative flex min-h-14 items-center gap-3 py-2 pr-1 pl-3.5 shadow-topbar [contain-intrinsic-size:auto_3.5rem] [content-visibility:auto] last:shadow-none">
      {/* A press anywhere on the row selects or deselects the contact. */}
      <label className="-my-2 flex shrink-0 cursor-pointer items-center self-stretch after:absolute after:inset-0 has-focus-visible:after:shadow-focus">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={onToggle}
          aria-label={`Incluir ${title}`}
          className="peer sr-only"
        />
        <span aria-hidden className="relative opacity-45 peer-checked:opacity-100">
          <Avatar name={lead.name} pictureUrl={lead.pictureUrl} size={36} />
        </span>
        <span
          aria-hidden
          className="absolute bottom-1.5 left-9 hidden size-4.5 items-center justify-center rounded-full bg-primary text-on-primary shadow-check peer-checked:inline-flex"
        >
          <Icon of={Check} size={14} />
        </span>
      </label>
      {/* A press on the pencil button or its name field does not select the contact. */}
      <div className="pointer-events-none relative min-w-0 grow [&_button]:pointer-events-auto [&_input]:pointer-events-auto">
        <InlineEdit
          value={lead.name ?? ''}
          label="Nome do contato"
          editLabel={`Editar nome de ${title}`}
          maxLength={MAX_NAME}
          onSave={rename}
        >
          <span className={`min-w-0 grow ${isChosen ? '' : 'text-text-3'}`}>
            <span className="block truncate leading-name font-medium">{lead.name?.trim() || UNNAMED}</span>
            {lead.number && (
              <span className="block text-13 text-text-3 tabular-nums">{formatPhone(lead.number)}</span>
            )}
          </span>
        </InlineEdit>
      </div>
    </li>
  )
}

function LeftOutList({ people }: { people: readonly LeftOut[] }) {
  return (
    <details className="group rounded-lg bg-surface shadow-card">
      <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-2 rounded-lg px-4 text-14 text-text-2">
        {leftOut(people.length)}
        <Icon of={ChevronDown} size={18} className="transition-transform group-open:rotate-180" />
      </summary>
      <ul className="pb-2">
        {people.map(({ lead, exclusion }) => (
          <li
            key={lead.id}
            className="flex min-h-11 flex-wrap content-center items-baseline justify-between gap-x-3 px-4 py-1.5 text-14 [contain-intrinsic-size:auto_2.75rem] [content-visibility:auto]"
          >
            <span className="min-w-0 truncate">{leadTitle(lead)}</span>
            <span className="text-text-3">{EXCLUSION[exclusion]}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
