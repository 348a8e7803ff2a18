// Decides which of a list's cards are in the page: a window of consecutive cards that moves in steps.
import { type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'

export type CardVirtualizer = Virtualizer<HTMLElement, HTMLElement>

type Options = Parameters<typeof useVirtualizer<HTMLElement, HTMLElement>>[0]

/** Columns that show more cards at once, as on a 4K screen, use `MANY`. */
const FEW_CARDS = 9
/**
 * `beyond`: extra cards rendered at each end. `step`: how many cards enter or leave together. `slack`: cards that stay
 * behind, so that reversing the scroll direction renders nothing.
 */
const FEW = { beyond: 1, step: 4, slack: 4 }
/** Tall columns render no extra cards, because five of them side by side show many already. */
const MANY = { beyond: 0, step: 1, slack: 0 }

/**
 * Returns a `useVirtualizer` that renders its list only when the window of cards changes. The library renders for every
 * card that enters, leaves or is measured, which doubles the script time of scrolling.
 */
export function useCardWindow(options: Omit<Options, 'rangeExtractor' | 'useFlushSync'>): CardVirtualizer {
  const [rangeExtractor] = useState(createSteps)
  // oxlint-disable-next-line react/incompatible-library -- its methods are new with each render, and nothing here memoises them
  const virtualizer = useVirtualizer({ ...options, rangeExtractor, useFlushSync: false })
  const drawn = useRef('')
  const { onChange: draw } = virtualizer.options
  virtualizer.setOptions({
    ...virtualizer.options,
    onChange: (changed, isSync) => {
      if (windowOf(changed) === drawn.current) options.onChange?.(changed, isSync)
      else draw(changed, isSync)
    },
  })
  useLayoutEffect(() => {
    drawn.current = windowOf(virtualizer)
  })
  return virtualizer
}

/**
 * Describes the window as a text; the list renders again only when the text changes. The height counts only while
 * nobody scrolls.
 */
function windowOf(virtualizer: CardVirtualizer): string {
  const items = virtualizer.getVirtualItems()
  const height = isHeightHeld(virtualizer) ? 'held' : virtualizer.getTotalSize()
  return `${items[0]?.index} ${items[0]?.start} ${items.length} ${height}`
}

/**
 * True while the list keeps its old height during scrolling. New cards are measured a frame later, and a new height at
 * once would cost a second layout and paint.
 */
export function isHeightHeld(virtualizer: CardVirtualizer): boolean {
  return (
    virtualizer.isScrolling &&
    (virtualizer.getVirtualItems().at(-1)?.index ?? -1) < virtualizer.options.count - 1
  )
}

type Window = { first: number; end: number }

/** Keeps the window as long as it covers the visible cards, then moves both ends at once. */
function createSteps() {
  let window: Window = { first: 0, end: 0 }
  return (range: Range): number[] => {
    window = windowAround(range, window)
    return Array.from({ length: window.end - window.first }, (_, at) => window.first + at)
  }
}

export function windowAround(
  { startIndex, endIndex, count }: Pick<Range, 'startIndex' | 'endIndex' | 'count'>,
  last: Window,
): Window {
  const { beyond, step, slack } = endIndex - startIndex < FEW_CARDS ? FEW : MANY
  const needed = { first: Math.max(0, startIndex - beyond), end: Math.min(count, endIndex + 1 + beyond) }
  const next = {
    first: Math.floor(needed.first / step) * step,
    end: Math.min(count, Math.ceil(needed.end / step) * step),
  }
  const covers = last.first <= needed.first && last.end >= needed.end && last.end <= count
  if (covers && last.end - last.first <= next.end - next.first + 2 * slack) return last
  return {
    first: last.first < next.first && last.first >= next.first - slack ? last.first : next.first,
    end: last.end > next.end && last.end <= Math.min(count, next.end + slack) ? last.end : next.end,
  }
}
