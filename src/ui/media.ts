// Whether the window matches a media query, as a hook.
import { useCallback, useSyncExternalStore } from 'react'

/** From this width on, lists are shown as columns. */
export const WIDE = '(min-width: 768px)'
/** From this size on, details open beside the page instead of over it. */
export const DOCKED = '(min-width: 1200px) and (min-height: 480px)'

/** The main pointer is a finger. */
export const COARSE = '(pointer: coarse)'

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    [query],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}
