// Keeps a list unchanged while the user touches it, and keeps visible cards in place when the order changes.
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { CardVirtualizer } from './card-window.ts'

/** A list counts as still after this time without a scroll event. */
const REST_MS = 150

/** Returns the value from before `isHeld` became true, until it becomes false. */
export function useHeld<T>(value: T, isHeld: boolean): T {
  const [shown, show] = useState(value)
  if (!isHeld && shown !== value) show(value)
  return isHeld ? shown : value
}

/** Returns `value` frozen while the user presses the area, and until its scrolling has stopped. */
export function useSteadyWhilePressed<T>(value: T, area: RefObject<HTMLElement | null>): T {
  const [isPressed, setPressed] = useState(false)
  useEffect(() => {
    const element = area.current
    if (!element) return undefined
    let isDown = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const listening = { passive: true }
    const letGo = () => {
      element.removeEventListener('scroll', letGoSoon)
      setPressed(false)
    }
    const letGoSoon = () => {
      clearTimeout(timer)
      if (!isDown) timer = setTimeout(letGo, REST_MS)
    }
    const lift = (event: Event) => {
      if (!isDown) return
      isDown = 'touches' in event && (event as TouchEvent).touches.length > 0
      // The scroll listener is added only now: while a finger is down, scroll events need no handling.
      element.addEventListener('scroll', letGoSoon, listening)
      letGoSoon()
    }
    const hold = ({ target }: Event) => {
      // If the touched card leaves the page, only the card itself gets the end of the touch.
      target?.addEventListener('touchend', lift, listening)
      target?.addEventListener('touchcancel', lift, listening)
      isDown = true
      clearTimeout(timer)
      setPressed(true)
    }
    const unmounted = new AbortController()
    const { signal } = unmounted
    element.addEventListener('touchstart', hold, { passive: true, signal })
    // A press that opens the context menu may end without a mouseup, and the list would stay frozen.
    const press = (event: MouseEvent) => event.button === 0 && !event.ctrlKey && hold(event)
    element.addEventListener('mousedown', press, { signal })
    // The mouse may be anywhere by then; after a drag of a link or picture there is no mouseup.
    addEventListener('mouseup', lift, { signal })
    addEventListener('dragend', lift, { signal })
    return () => {
      unmounted.abort()
      clearTimeout(timer)
      element.removeEventListener('scroll', letGoSoon)
    }
  }, [area])
  return useHeld(value, isPressed)
}

type Place = { key: number; start: number }

/** Returns the positions of the cards that are in the page. */
export function placesOf(virtualizer: CardVirtualizer): readonly Place[] {
  return virtualizer.getVirtualItems().map(({ key, start }) => ({ key: Number(key), start }))
}

type Anchored = {
  virtualizer: CardVirtualizer
  leads: readonly { id: number }[]
  /** The cards' positions before `leads` changed. */
  places: { readonly current: readonly Place[] }
}

/**
 * When the order of a scrolled list changes, scrolls so that visible cards stay in place. The card that moved least
 * decides; a card that jumped to the top is not followed.
 */
export function useScrollAnchor({ virtualizer, leads, places }: Anchored) {
  useLayoutEffect(() => {
    const offset = virtualizer.scrollOffset ?? 0
    if (offset <= 0) return
    // The topmost visible card is the last one that begins at or above the scroll offset.
    const visibleFrom = places.current.findLastIndex(({ start }) => start <= offset)
    const visible = places.current.slice(Math.max(0, visibleFrom))
    const shift = leastShift(visible, leads, (index) => virtualizer.measurementsCache[index]?.start)
    if (shift !== 0) virtualizer.scrollToOffset(offset + shift)
  }, [leads, places, virtualizer])
}

/** Returns the smallest movement, in px, of the cards that were visible; 0 if none of them is left. */
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
