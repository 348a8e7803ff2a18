// The props of a card list, and estimated sizes of cards that are not yet measured.
import type { VirtualItem } from '@tanstack/react-virtual'
import type { Ref, RefObject } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Stage } from '#domain/stage.ts'
import type { CardActions, Density } from '../ground/card-actions.ts'
import type { CardListHandle } from '../ground/use-card-focus.ts'

/** Gap between cards and height of a usual card, in px. */
export const MEASURE = {
  roomy: { gap: 10, height: 108, className: 'gap-2.5' },
  compact: { gap: 8, height: 112, className: 'gap-2' },
} satisfies Record<Density, { gap: number; height: number; className: string }>

/** The position in which the user left a list: scroll offset in px, and measured card heights. */
export type ListPlace = { offset: number; measured: VirtualItem[] }

export type CardListProps = CardActions & {
  leads: readonly Lead[]
  density: Density
  label: string
  scroller: RefObject<HTMLElement | null>
  /** The scroll position to restore; undefined to start at the top. */
  place?: ListPlace | undefined
  onLeave?: (place: ListPlace) => void
  /** True if Tab may reach this list. Several lists share one tab stop. */
  hasTabStop?: boolean
  /** The dragged lead, whose card is shown as a shadow. */
  draggedId?: number | undefined
  /** Finds a lead's stage, in lists with cards of several stages. */
  stageOf?: (lead: Lead) => Stage | undefined
  ref?: Ref<CardListHandle>
}
