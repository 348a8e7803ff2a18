// Measures an on-screen keyboard that covers the page instead of resizing it, as on iOS.
import { useEffect } from 'react'

/** Sets the CSS variable --keyboard to its height in px while `isWanted`. */
export function useKeyboardRoom(isWanted: boolean) {
  useEffect(() => {
    const view = window.visualViewport
    if (!isWanted || !view) return undefined
    const { style } = document.documentElement
    const measure = () => {
      // A pinch zoom also shrinks the visible area, so it counts as no keyboard.
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
