// What a list of cards is given, and the measures of its cards before they are measured.
import type { VirtualItem } from '@tanstack/react-virtual'
import type { Ref, RefObject } from 'react'
import type { Lead } from '#domain/lead/lead.ts'
import type { Stage } from '#domain/stage.ts'
import type { CardActions, Density } from '../card/card-actions.ts'
import type { CardListHandle } from './use-card-focus.ts'

/** Gap between cards and a usual card's height, in px. */
export const MEASURE = {
  roomy: { gap: 10, height: 108, className: 'gap-2.5' },
  compact: { gap: 8, height: 112, className: 'gap-2' },
} satisfies Record<Density, { gap: number; height: number; className: string }>

/** Where a list was left: how far down, in px, and how tall its cards are. */
export type ListPlace = { offset: number; measured: VirtualItem[] }

export type CardListProps = CardActions & {
  leads: readonly Lead[]
  density: Density
  label: string
  scroller: RefObject<HTMLElement | null>
  /** Begins where it was left. */
  place?: ListPlace | undefined
  onLeave?: (place: ListPlace) => void
  /** Whether Tab stops here, where several lists share one stop. */
  hasTabStop?: boolean
  /** The lead in the hand: its card is a shadow of itself. */
  draggedId?: number | undefined
  /** Given where cards of several stages stand together. */
  stageOf?: (lead: Lead) => Stage | undefined
  ref?: Ref<CardListHandle>
}
