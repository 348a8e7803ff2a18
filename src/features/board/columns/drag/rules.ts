// A card in the hand: where the arrows lead it, and what letting it go comes to.
import type { Lead } from '#domain/lead/lead.ts'
import type { Stage } from '#domain/stage.ts'
import type { Column } from '#features/board/board-view.ts'

export type Drag = {
  /** As it was when it was taken. */
  lead: Lead
  /** The column it was taken from; null for over: beside the columns. */
  fromSlug: string
  overSlug: string | null
  /** Of the card, in px: the place kept for it is as tall. */
  height: number
  /** Let go, and on its way to where it stands now. */
  isLanding: boolean
}

export type Point = { x: number; y: number }

/** The board as it lies on the screen when a drag begins, in px; its columns as far as they are scrolled into it. */
export type Field = {
  left: number
  right: number
  top: number
  bottom: number
  /** From the left end of the board, scrolled away or not. */
  columns: readonly { slug: string; start: number; end: number }[]
}

export type Drop = { lead: Lead; toSlug: string }

/**
 * The move that letting go comes to, of the board as it is by then. Null where nothing changes: beside the columns, in the
 * column where the card was taken or where others have put it meanwhile, in a stage or with a lead that is no more.
 */
export function findDrop(columns: readonly Column[], { lead, fromSlug, overSlug }: Drag): Drop | null {
  if (overSlug === null || overSlug === fromSlug) return null
  if (!columns.some(({ stage }) => stage.slug === overSlug)) return null
  const home = columnOf(columns, lead.id)
  const newest = home?.leads.find(({ id }) => id === lead.id)
  return newest && home?.stage.slug !== overSlug ? { lead: newest, toSlug: overSlug } : null
}

/** The column under a point; null between columns, and beside the board, under which those lie that are scrolled away. */
export function columnAt(field: Field, { x, y }: Point, scrollLeft: number): string | null {
  if (!isOn(field, { x, y })) return null
  const at = x - field.left + scrollLeft
  return field.columns.find(({ start, end }) => at >= start && at <= end)?.slug ?? null
}

export function isOn({ left, right, top, bottom }: Field, { x, y }: Point): boolean {
  return x >= left && x <= right && y >= top && y <= bottom
}

export function columnOf(columns: readonly Column[], leadId: number): Column | undefined {
  return columns.find(({ leads }) => leads.some(({ id }) => id === leadId))
}

/** The stage so many columns to the right, or with a negative step to the left. */
export function stageBeside(columns: readonly Column[], slug: string, step: number): Stage | undefined {
  const at = columns.findIndex(({ stage }) => stage.slug === slug)
  return at < 0 ? undefined : columns[at + step]?.stage
}

/** The column whose place for a card is shown: one that the card can go to, until the card stands there. */
export function slotSlug(columns: readonly Column[], drag: Drag | null): string | null {
  if (!drag || drag.overSlug === null || drag.overSlug === drag.fromSlug) return null
  const isThere = drag.isLanding && columnOf(columns, drag.lead.id)?.stage.slug === drag.overSlug
  return isThere ? null : drag.overSlug
}
