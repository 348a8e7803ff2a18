// How much of the window a keyboard covers that lies over the page instead of making it smaller, as on iOS.
import { useEffect } from 'react'

/** Kept in --keyboard, in px, while it is asked for. */
export function useKeyboardRoom(isWanted: boolean) {
  useEffect(() => {
    const view = window.visualViewport
    if (!isWanted || !view) return undefined
    const { style } = document.documentElement
    const measure = () => {
      // A pinch makes the visible part smaller, too.
      const covered = view.scale > 1 ? 0 : window.innerHeight - view.height - view.offsetTop
      style.setProperty('--keyboard', `${Math.max(0, Math.round(covered))}px`)
    }
    measure()
    view.addEventListener('resize', measure)
    view.addEventListener('scroll', measure)
    return () => {
      view.removeEventListener('resize', measure)
      view.removeEventListener('scroll', measure)
      style.removeProperty('--keyboard')
    }
  }, [isWanted])
}
