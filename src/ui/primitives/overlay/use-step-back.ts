// Closing what the page's address opened: a step back to where it was opened from.
import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { useState } from 'react'

/**
 * Closes what is `opened`; undefined: nothing is. `leave` changes the address alone, for where it was the way in.
 */
export function useStepBack(opened: number | undefined, leave: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  /** The step back takes a moment, and a second press must not take a second one. */
  const [closing, setClosing] = useState<number>()
  if (opened === undefined && closing !== undefined) setClosing(undefined)
  return () => {
    if (closing === opened) return
    setClosing(opened)
    if (canGoBack) router.history.back()
    else leave()
  }
}
