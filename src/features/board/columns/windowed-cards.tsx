// Windowing: only the visible cards and a few more are in the page.
import {
  memo,
  type Ref,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useReducer,
  useRef,
} from 'react'
import { classNames } from '#ui/primitives/class-names.ts'
import { useNow } from '#ui/now.ts'
import { LeadCard } from '../card/lead-card.tsx'
import { type CardListProps, MEASURE } from './list-shape.ts'
import { useCardFocus } from '../ground/use-card-focus.ts'
import { isHeightHeld, useCardWindow } from './card-window.ts'
import { useReturn, useScrollPlace, useStayingScroll } from './use-scroll-place.ts'
import { placesOf, useHeld, useScrollAnchor, useSteadyWhileTouched } from './use-steady-list.ts'

export function WindowedCards({
  leads: newest,
  density,
  label,
  scroller,
  place,
  onLeave,
  hasTabStop = true,
  ref,
  ...cards
}: CardListProps) {
  const leads = useSteadyWhileTouched(newest, scroller)
  const { gap, height, className } = MEASURE[density]
  const kept = useScrollPlace(label)
  const places = useRef<ReturnType<typeof placesOf>>([])
  const virtualizer = useCardWindow({
    count: leads.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    // A new function at each render would recompute every position.
    getItemKey: useCallback((index: number) => leads[index]?.id ?? index, [leads]),
    gap,
    // If the user scrolled the first cards before this code was loaded, the position stays.
    initialOffset: () => place?.offset ?? scroller.current?.scrollTop ?? 0,
    scrollToFn: useStayingScroll(place !== undefined),
    onChange: (changed) => {
      places.current = placesOf(changed)
    },
    initialMeasurementsCache: (place ?? kept)?.measured ?? [],
  })
  useSecondDrawing()
  const leave = useEffectEvent(() =>
    onLeave?.({ offset: virtualizer.scrollOffset ?? 0, measured: virtualizer.measurementsCache }),
  )
  useEffect(() => () => leave(), [])

  const items = virtualizer.getVirtualItems()
  useScrollAnchor({ virtualizer, leads, places })
  useLayoutEffect(() => {
    places.current = placesOf(virtualizer)
  })
  useReturn({ label, offset: place ? undefined : kept?.offset, virtualizer })
  const list = useRef<HTMLDivElement>(null)
  const { tabStop, onFocus, onKeyDown } = useCardFocus({ virtualizer, leads, list, handle: ref })
  const first = items[0]?.index ?? 0
  const end = first + items.length
  const listHeight = useHeld(virtualizer.getTotalSize(), isHeightHeld(virtualizer))
  return (
    // The ARIA feed pattern: arrow keys move from article to article.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={list}
      role="feed"
      aria-label={label}
      style={{ height: listHeight }}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      <div
        role="presentation"
        className={classNames('flex flex-col', className)}
        // Padding instead of a transform, which would repaint every visible card.
        style={{ paddingTop: items[0]?.start ?? 0 }}
      >
        <Cards
          {...cards}
          {...{ leads, density, first, end }}
          measure={virtualizer.measureElement}
          tabStop={hasTabStop ? tabStop : undefined}
        />
      </div>
    </div>
  )
}

type CardsProps = Omit<CardListProps, 'label' | 'scroller' | 'place' | 'onLeave' | 'hasTabStop' | 'ref'> & {
  /** The rendered leads are `first` to before `end`. */
  first: number
  end: number
  measure: Ref<HTMLElement>
  /** Index of the tab stop. */
  tabStop: number | undefined
}

/** Memoised, so that it does not render at every scroll position. */
const Cards = memo(function Cards({
  leads,
  first,
  end,
  density,
  measure,
  tabStop,
  draggedId,
  stageOf,
  ...actions
}: CardsProps) {
  const nowMs = useNow()
  return leads
    .slice(first, end)
    .map((lead, at) => (
      <LeadCard
        key={lead.id}
        ref={measure}
        lead={lead}
        density={density}
        nowMs={nowMs}
        position={first + at + 1}
        total={leads.length}
        isTabStop={first + at === tabStop}
        isDragged={lead.id === draggedId}
        stage={stageOf?.(lead)}
        {...actions}
      />
    ))
})

/** The scroll container is known only once both are in the page, so a second render shows the cards. */
function useSecondDrawing() {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(drawAgain, [drawAgain])
}
