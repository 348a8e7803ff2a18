// Selects several leads on a board: one by one, or a range within a column.
import { createContext } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import { type Column, columnOf } from './board-view.ts'

export type Chosen = ReadonlySet<number>

export type Choosing = { chosen: Chosen; choose: (lead: Lead, isRange: boolean) => void }

export const ChoosingContext = createContext<Choosing>({ chosen: new Set(), choose: () => undefined })

/** The last selected lead, where a range begins; null if none was selected. */
export type Anchor = number | null

export type Choice = { leadId: number; anchor: Anchor; isRange: boolean }

/**
 * Returns the selection after a press, which selects or deselects the lead. A range press gives all leads between the
 * anchor and the lead the anchor's state. Both must be in one column; otherwise only the lead is toggled.
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

/** Returns the ids between two leads. Null if they are in different columns, or one of them is gone. */
function rangeOf(columns: readonly Column[], from: number, to: number): number[] | null {
  const ids = columnOf(columns, to)?.leads.map(({ id }) => id) ?? []
  const ends = [ids.indexOf(from), ids.indexOf(to)]
  if (ends.includes(-1)) return null
  return ids.slice(Math.min(...ends), Math.max(...ends) + 1)
}
