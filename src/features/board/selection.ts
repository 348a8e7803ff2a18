// Choosing several leads on a board: one by one, or all from the last one to another in its column.
import { createContext } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Column } from './board-view.ts'
import { columnOf } from './columns/drag/rules.ts'

export type Chosen = ReadonlySet<number>

export type Choosing = { chosen: Chosen; choose: (lead: Lead, isRange: boolean) => void }

export const ChoosingContext = createContext<Choosing>({ chosen: new Set(), choose: () => undefined })

/** Whom one chose last: a range begins there. */
export type Anchor = number | null

export type Choice = { leadId: number; anchor: Anchor; isRange: boolean }

/**
 * What is chosen after it: the lead is, or is no longer; with a range all from the anchor to it, where both stand in one
 * column, become what the anchor is.
 */
export function chosenAfter(chosen: Chosen, columns: readonly Column[], { leadId, anchor, isRange }: Choice) {
  const range = isRange && anchor !== null ? rangeOf(columns, anchor, leadId) : null
  const isAdding = range && anchor !== null ? chosen.has(anchor) : !chosen.has(leadId)
  const next = new Set(chosen)
  for (const id of range ?? [leadId]) {
    if (isAdding) next.add(id)
    else next.delete(id)
  }
  return next
}

/** null: they stand in different columns, or one of them nowhere. */
function rangeOf(columns: readonly Column[], from: number, to: number): number[] | null {
  const ids = columnOf(columns, to)?.leads.map(({ id }) => id) ?? []
  const ends = [ids.indexOf(from), ids.indexOf(to)]
  if (ends.includes(-1)) return null
  return ids.slice(Math.min(...ends), Math.max(...ends) + 1)
}
