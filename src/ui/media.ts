// Whether the window matches a media query, followed as it changes.
import { useCallback, useSyncExternalStore } from 'react'

/** From here on lists stand in columns. */
export const WIDE = '(min-width: 768px)'
/** From here on what was opened stands beside the page, not over it. */
export const DOCKED = '(min-width: 1200px) and (min-height: 480px)'

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
