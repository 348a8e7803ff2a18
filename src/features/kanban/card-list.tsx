// One windowed list of cards: of any number of leads only those in sight, and a few around, are in the page. PRODUCT.md 5.
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import type { Lead } from '#domain/lead.ts'
import { classNames } from '#ui/class-names.ts'
import { useNow } from '#ui/now.ts'
import { type Density, LeadCard } from './lead-card.tsx'
import { useKeptPlace, useReturn } from './use-kept-place.ts'
import { useHeldWhileTouched, useScrollAnchor } from './use-steady.ts'

/** Gap between cards and a usual card's height, in px. */
const MEASURE = {
  roomy: { gap: 10, height: 126, className: 'gap-2.5' },
  compact: { gap: 8, height: 130, className: 'gap-2' },
} satisfies Record<Density, { gap: number; height: number; className: string }>

const OVERSCAN = 2

/** Where a list was left: how far down, in px, and how tall its cards are. */
export type ListPlace = { offset: number; measured: VirtualItem[] }

type CardListProps = {
  leads: readonly Lead[]
  density: Density
  label: string
  scroller: RefObject<HTMLElement | null>
  onOpen: (leadId: number) => void
  /** Begins where it was left. */
  place?: ListPlace | undefined
  onLeave?: (place: ListPlace) => void
}

export function CardList({ leads: newest, density, label, scroller, onOpen, place, onLeave }: CardListProps) {
  const leads = useHeldWhileTouched(newest, scroller)
  const nowMs = useNow()
  const { gap, height, className } = MEASURE[density]
  const kept = useKeptPlace(label)
  // oxlint-disable-next-line react/incompatible-library -- its methods answer anew each render, and nothing here memoises them
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: leads.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => leads[index]?.id ?? index,
    gap,
    overscan: OVERSCAN,
    ...(place && { initialOffset: place.offset }),
    initialMeasurementsCache: (place ?? kept)?.measured ?? [],
    useFlushSync: false,
  })
  const leave = useEffectEvent(() =>
    onLeave?.({ offset: virtualizer.scrollOffset ?? 0, measured: virtualizer.measurementsCache }),
  )
  useEffect(() => () => leave(), [])

  const items = virtualizer.getVirtualItems()
  useScrollAnchor(virtualizer, leads)
  useReturn({ label, offset: place ? undefined : kept?.offset, virtualizer })
  const { tabStop, onFocus, onKeyDown } = useCardFocus(items, leads)
  return (
    // The feed pattern: arrows lead from article to article.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="feed"
      aria-label={label}
      style={{ height: virtualizer.getTotalSize() }}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      <div
        role="presentation"
        className={classNames('flex flex-col', className)}
        style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}
      >
        {items.map(({ index, key }) => {
          const lead = leads[index]
          return (
            lead && (
              <LeadCard
                key={key}
                ref={virtualizer.measureElement}
                lead={lead}
                density={density}
                nowMs={nowMs}
                position={index + 1}
                total={leads.length}
                isTabStop={index === tabStop}
                onOpen={onOpen}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

const STEP: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** One stop for Tab, and arrows from card to card: the cards beside the focused one are always in the page. INTERACTIONS 7. */
function useCardFocus(items: readonly VirtualItem[], leads: readonly Lead[]) {
  const [focusedId, setFocusedId] = useState<number>()
  const focused = items.find(({ index }) => leads[index]?.id === focusedId)
  const cardOf = (target: EventTarget) => (target instanceof Element ? target.closest('article') : null)

  const onFocus = ({ target }: { target: EventTarget }) =>
    setFocusedId(leads[Number(cardOf(target)?.dataset['index'])]?.id)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEP[event.key]
    const card = cardOf(event.target)
    if (step === undefined || !card) return
    event.preventDefault()
    const next = step > 0 ? card.nextElementSibling : card.previousElementSibling
    if (next instanceof HTMLElement) next.focus()
  }
  return { tabStop: (focused ?? items[0])?.index, onFocus, onKeyDown }
}
