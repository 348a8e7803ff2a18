// What is open over a page is one step of history, so that Back (a swipe from the edge, Android's button) closes it. INTERACTIONS 8.
import { useEffect, useEffectEvent, useRef } from 'react'

export function useBackCloses(isOpen: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose)
  /** The step back that waits for the effect not to run again at once, as it does under strict mode. */
  const stepBack = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (!isOpen) return undefined
    const page = location.href
    let isOnTop = true
    const onPop = () => {
      isOnTop = false
      close()
    }
    if (stepBack.current === undefined) history.pushState(history.state, '')
    clearTimeout(stepBack.current)
    stepBack.current = undefined
    addEventListener('popstate', onPop)
    return () => {
      removeEventListener('popstate', onPop)
      if (!isOnTop) return
      stepBack.current = setTimeout(() => {
        stepBack.current = undefined
        // Whoever went to another page meanwhile stays there.
        if (location.href === page) history.back()
      })
    }
  }, [isOpen])
}
