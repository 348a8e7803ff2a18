// Keeps a list as it is while a pointer is on it, and what is in sight where it is when its order changes.
import type { Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** No scrolling for so long: the list rests. */
const REST_MS = 150

/** `value` as it was when holding began, until it ends. */
export function useHeld<T>(value: T, isHeld: boolean): T {
  const [shown, show] = useState(value)
  if (!isHeld && shown !== value) show(value)
  return isHeld ? shown : value
}

/** `value` as it was when a pointer came down on the area, until it is lifted and the area no longer glides. */
export function useSteadyWhileTouched<T>(value: T, area: RefObject<HTMLElement | null>): T {
  const [isDragged, setHeld] = useState(false)
  useEffect(() => {
    const element = area.current
    if (!element) return undefined
    let isTouched = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const letGoSoon = () => {
      clearTimeout(timer)
      if (!isTouched) timer = setTimeout(() => setHeld(false), REST_MS)
    }
    const listening = { passive: true }
    const lift = (event: Event) => {
      event.currentTarget?.removeEventListener('touchend', lift)
      event.currentTarget?.removeEventListener('touchcancel', lift)
      isTouched = event instanceof TouchEvent && event.touches.length > 0
      letGoSoon()
    }
    const hold = ({ target }: TouchEvent) => {
      // A card that leaves the page under the pointer tells nobody but itself.
      target?.addEventListener('touchend', lift, listening)
      target?.addEventListener('touchcancel', lift, listening)
      isTouched = true
      clearTimeout(timer)
      setHeld(true)
    }
    element.addEventListener('touchstart', hold, listening)
    element.addEventListener('scroll', letGoSoon, listening)
    return () => {
      clearTimeout(timer)
      element.removeEventListener('touchstart', hold)
      element.removeEventListener('scroll', letGoSoon)
    }
  }, [area])
  return useHeld(value, isDragged)
}

type Place = { key: number; start: number }

/**
 * After a new order of a list that is scrolled away from its top, scrolls so that what was in sight stays there: as
 * the card that moved least. The card that jumped to the top is not followed.
 */
export function useScrollAnchor(
  virtualizer: Virtualizer<HTMLElement, HTMLElement>,
  keys: readonly { id: number }[],
) {
  const seen = useRef<{ offset: number; places: Place[] }>({ offset: 0, places: [] })
  useLayoutEffect(() => {
    const { offset, places } = seen.current
    if (offset <= 0) return
    const shift = leastShift(places, keys, (index) => virtualizer.measurementsCache[index]?.start)
    if (shift !== 0) virtualizer.scrollToOffset(offset + shift)
  }, [keys, virtualizer])
  useLayoutEffect(() => {
    const offset = virtualizer.scrollOffset ?? 0
    const places = virtualizer
      .getVirtualItems()
      .filter(({ end }) => end > offset)
      .map(({ key, start }) => ({ key: Number(key), start }))
    seen.current = { offset, places }
  })
}

/** How far the card moved, in px, that of those in sight moved least; 0 when none of them is left. */
export function leastShift(
  places: readonly Place[],
  keys: readonly { id: number }[],
  startOf: (index: number) => number | undefined,
): number {
  const indexOf = new Map(keys.map(({ id }, index) => [id, index]))
  const shifts = places.flatMap(({ key, start }) => {
    const index = indexOf.get(key)
    const next = index === undefined ? undefined : startOf(index)
    return next === undefined ? [] : [next - start]
  })
  return shifts.reduce((least, shift) => (Math.abs(shift) < Math.abs(least) ? shift : least), shifts[0] ?? 0)
}
