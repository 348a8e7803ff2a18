// Rules of a drag: where arrow keys move the card, and what a drop does.
import type { Lead } from '#domain/lead/lead.ts'
import type { Stage } from '#domain/stage.ts'
import { type Column, columnOf } from '#features/board/ground/board-view.ts'

export type Drag = {
  /** The lead as it was when the drag began. */
  lead: Lead
  /** `fromSlug`: the column where the drag began. `overSlug`: the column below; null outside all columns. */
  fromSlug: string
  overSlug: string | null
  /** The card's height in px; the gap in the target column has the same. */
  height: number
  /** The card was dropped, and the preview flies to its place. */
  isLanding: boolean
}

export type Point = { x: number; y: number }

/** The board's geometry in px at the start of a drag, with its columns at their scrolled positions. */
export type Field = {
  left: number
  right: number
  top: number
  bottom: number
  /** Positions from the left end of the board's content, which scrolling does not change. */
  columns: readonly { slug: string; start: number; end: number }[]
}

export type Drop = { lead: Lead; toSlug: string }

/**
 * Returns the move that a drop causes, or null if it changes nothing. That is a drop outside the columns, in the first
 * column, where the lead already is, or of a vanished lead or stage.
 */
export function findDrop(columns: readonly Column[], { lead, fromSlug, overSlug }: Drag): Drop | null {
  if (overSlug === null || overSlug === fromSlug) return null
  if (!columns.some(({ stage }) => stage.slug === overSlug)) return null
  const home = columnOf(columns, lead.id)
  const newest = home?.leads.find(({ id }) => id === lead.id)
  return newest && home?.stage.slug !== overSlug ? { lead: newest, toSlug: overSlug } : null
}

/**
 * Returns the column at a point. Null between columns and outside the board, where columns may be scrolled out of
 * sight.
 */
export function columnAt(field: Field, { x, y }: Point, scrollLeft: number): string | null {
  if (!isOn(field, { x, y })) return null
  const at = x - field.left + scrollLeft
  return field.columns.find(({ start, end }) => at >= start && at <= end)?.slug ?? null
}

export function isOn({ left, right, top, bottom }: Field, { x, y }: Point): boolean {
  return x >= left && x <= right && y >= top && y <= bottom
}

/** Returns the stage `step` columns to the right; a negative step goes left. */
export function stageBeside(columns: readonly Column[], slug: string, step: number): Stage | undefined {
  const at = columns.findIndex(({ stage }) => stage.slug === slug)
  return at < 0 ? undefined : columns[at + step]?.stage
}

/** Returns the column that shows a gap for the dragged card; null once the column shows the card itself. */
export function slotSlug(columns: readonly Column[], drag: Drag | null): string | null {
  if (!drag || drag.overSlug === null || drag.overSlug === drag.fromSlug) return null
  const isThere = drag.isLanding && columnOf(columns, drag.lead.id)?.stage.slug === drag.overSlug
  return isThere ? null : drag.overSlug
}
