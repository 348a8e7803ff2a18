// Keeps a list's scroll position over a page reload, mainly for updates to a new app version.
import { elementScroll, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import * as v from 'valibot'

/** sessionStorage, so that each window has its own positions. */
const STORAGE_KEY = 'list-places'
const HANDS = ['pointerdown', 'wheel', 'keydown']

const Places = v.record(
  v.string(),
  v.object({
    offset: v.number(),
    measured: v.array(
      v.object({
        key: v.number(),
        index: v.number(),
        start: v.number(),
        end: v.number(),
        size: v.number(),
        lane: v.number(),
      }),
    ),
  }),
)
type Places = v.InferOutput<typeof Places>

function storedPlaces(): Places {
  const stored = v.safeParse(v.pipe(v.string(), v.parseJson(), Places), sessionStorage.getItem(STORAGE_KEY))
  return stored.success ? stored.output : {}
}

/** Returns the list's stored position: measured card heights, and the offset to restore. */
export function useScrollPlace(label: string): { offset: number; measured: VirtualItem[] } | undefined {
  const [place] = useState(() => storedPlaces()[placeKey(label)])
  return place
}

const placeKey = (label: string) => `${location.pathname} ${label}`

function storePlace(label: string, place: Places[string] | null) {
  const { [placeKey(label)]: _, ...places } = storedPlaces()
  const next = place ? { ...places, [placeKey(label)]: place } : places
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(next))
}

type ScrollTo = typeof elementScroll<HTMLElement>

/**
 * Returns the list's scroll function. A virtualizer scrolls to the offset of its first render, but the user may have
 * scrolled meanwhile. That position stays, unless a stored one is to be restored.
 */
export function useStayingScroll(hasPlace: boolean): ScrollTo {
  const hasBegun = useRef(hasPlace)
  return (offset, how, list) => {
    if (hasBegun.current) elementScroll(offset, how, list)
    else list.scrollOffset = list.scrollElement?.scrollTop ?? 0
    hasBegun.current = true
  }
}

type ScrolledList = {
  label: string
  offset: number | undefined
  virtualizer: Virtualizer<HTMLElement, HTMLElement>
}

/**
 * Restores the stored offset once the list is long enough, unless the user scrolled first. Stores the offset when the
 * page is left.
 */
export function useReturn({ label, offset, virtualizer }: ScrolledList) {
  const wanted = useRef(offset)
  /** Restores only once; a list that is opened again later begins at its top. */
  const done = useEffectEvent(() => {
    if (wanted.current !== undefined) storePlace(label, null)
    wanted.current = undefined
  })
  useLayoutEffect(() => {
    const { current: target } = wanted
    // Returns before reading the height, because a read at every render would force a layout each time.
    if (target === undefined) return
    const height = virtualizer.scrollElement?.clientHeight
    if (height === undefined || virtualizer.getTotalSize() < target + height / 2) return
    done()
    virtualizer.scrollToOffset(target)
  })
  useEffect(() => {
    for (const context of HANDS) addEventListener(context, done, { passive: true })
    return () => {
      for (const context of HANDS) removeEventListener(context, done)
    }
  }, [])

  const keep = useEffectEvent(() => {
    const at = virtualizer.scrollOffset ?? 0
    const measured = virtualizer.takeSnapshot().map((item) => ({ ...item, key: Number(item.key) }))
    storePlace(label, at > 0 ? { offset: at, measured } : null)
  })
  useEffect(() => {
    addEventListener('pagehide', keep)
    return () => removeEventListener('pagehide', keep)
  }, [])
}
