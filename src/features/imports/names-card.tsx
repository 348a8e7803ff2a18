// Lists the brokers or stages that a file names, with what each becomes. The user chooses before anything is written.
import { useState } from 'react'
import { formatNumber } from '#domain/count.ts'
import { REFUSED, UNBOUND } from '#domain/lead/list/bindings.ts'
import { Badge } from '#ui/primitives/badge.tsx'
import type { Named } from './list-protocol.ts'
import { othersText, REFUSE_ROWS, UNKNOWN_NAME } from './texts.ts'

type NamesCardProps = {
  title: string
  names: readonly Named[]
  /** The portal's own brokers or stages. */
  options: readonly { value: string; label: string }[]
  /** Shown for names without an assignment: tells where their leads go. */
  unbound: string
  isDisabled: boolean
  onChange: (binding: { name: string; to: string }) => void
}

/** The card shows this many names until the user opens all. */
const FIRST = 8

export function NamesCard({ title, names, options, unbound, isDisabled, onChange }: NamesCardProps) {
  const [isWhole, setWhole] = useState(false)
  if (names.length === 0) return null
  const shown = isWhole ? names : names.slice(0, FIRST)
  return (
    <section aria-label={title} className="rounded-lg bg-surface shadow-line">
      <h3 className="px-4 py-3 text-15 font-semibold">{title}</h3>
      <ul className="max-h-96 overflow-y-auto">
        {shown.map(({ name, count, to }) => (
          <li key={name} className="flex flex-col gap-1.5 border-t border-border px-4 py-2.5 text-14">
            <span className="flex items-center gap-2">
              <span className="min-w-0 grow wrap-anywhere">{name}</span>
              {to === UNBOUND && <Badge tone="warning">{UNKNOWN_NAME}</Badge>}
              <span className="text-13 text-text-3 tabular-nums">{formatNumber(count)}</span>
            </span>
            <select
              aria-label={`${title}: ${name}`}
              value={to}
              disabled={isDisabled}
              onChange={({ target }) => onChange({ name, to: target.value })}
              className="min-h-11 w-full truncate rounded-ctl bg-surface px-2 text-16 shadow-input outline-none focus-visible:shadow-input-focus pointer-fine:min-h-9 lg:text-14"
            >
              <option value={UNBOUND}>{unbound}</option>
              {options.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
              <option value={REFUSED}>{REFUSE_ROWS}</option>
            </select>
          </li>
        ))}
      </ul>
      {!isWhole && names.length > FIRST && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="min-h-11 w-full border-t border-border px-4 text-left text-14 font-semibold text-primary"
        >
          {othersText(names.length - FIRST)}
        </button>
      )}
    </section>
  )
}
