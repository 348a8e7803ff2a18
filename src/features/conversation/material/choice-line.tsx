// One choosable item as a line, with its number in the sending order.
import type { ReactNode } from 'react'
import type { Choice } from '#domain/development/material.ts'

/** The chosen items in sending order. */
export type Chosen = {
  chosen: readonly Choice[]
  nth: (key: string) => number | null
  toggle: (key: string) => void
}

/** Screen reader text, for example 'Fachada, escolhida, 1ª de 3'. */
export const spoken = (label: string, nth: number | null, count: number) =>
  nth === null ? label : `${label}, escolhida, ${nth}ª de ${count}`

type LineProps = Chosen & {
  of: string
  label: string
  facts: string
  sign: ReactNode
  end?: ReactNode
}

export function Line({ of: key, label, facts, sign, end, chosen, nth, toggle }: LineProps) {
  return (
    <li className="material-line">
      <button
        type="button"
        aria-pressed={nth(key) !== null}
        onClick={() => toggle(key)}
        className="material-row"
      >
        {sign}
        <span className="min-w-0 grow">
          <span className="block text-16 font-medium wrap-anywhere">{label}</span>
          {facts && <span className="block text-14 text-text-2 wrap-anywhere">{facts}</span>}
          <span className="sr-only">{spoken('', nth(key), chosen.length)}</span>
        </span>
        {end && <span className="shrink-0 text-14">{end}</span>}
        <Badge nth={nth(key)} />
      </button>
    </li>
  )
}

export const Badge = ({ nth }: { nth: number | null }) => (
  <span className="material-badge" data-chosen={nth !== null} data-nth={nth} />
)

type PartTitleProps = { title: string; count?: number; children?: ReactNode }

export function PartTitle({ title, count, children }: PartTitleProps) {
  return (
    <div className="flex items-center">
      <h3 className="material-title grow">
        {title} {count !== undefined && <span className="text-text-3">{count}</span>}
      </h3>
      {children}
    </div>
  )
}
