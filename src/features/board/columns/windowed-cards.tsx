// Renders only the visible cards of a list and a few more.
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
import { placesOf, useHeld, useScrollAnchor, useSteadyWhilePressed } from './use-steady-list.ts'

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
  const leads = useSteadyWhilePressed(newest, scroller)
  const { gap, height, className } = MEASURE[density]
  const kept = useScrollPlace(label)
  const places = useRef<ReturnType<typeof placesOf>>([])
  const virtualizer = useCardWindow({
    count: leads.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    // The same function between renders, because a new one makes the virtualizer compute every position again.
    getItemKey: useCallback((index: number) => leads[index]?.id ?? index, [leads]),
    gap,
    // If the user scrolled before this code was loaded, the list keeps that position.
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
        // A transform would repaint every visible card; padding does not.
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
  /** The list renders leads from index `first` to before `end`. */
  first: number
  end: number
  measure: Ref<HTMLElement>
  /** Index of the card that Tab reaches; undefined: none in this list. */
  tabStop: number | undefined
}

/** Memoised, so that scrolling alone does not render the cards again. */
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

/** Renders a second time after mounting, because the first render does not know the scroll container yet. */
function useSecondDrawing() {
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  useLayoutEffect(drawAgain, [drawAgain])
}
