// Closes what the address opened, by a step back to where the user opened it.
import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { useState } from 'react'

/**
 * Returns a function that closes `opened`, which is undefined if nothing is open. If the page was opened at this very
 * address, `leave` changes the address instead.
 */
export function useStepBack(opened: number | undefined, leave: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  /** Set while a step back is in progress, so that a second press is ignored. */
  const [closing, setClosing] = useState<number>()
  if (opened === undefined && closing !== undefined) setClosing(undefined)
  return () => {
    if (closing === opened) return
    setClosing(opened)
    if (canGoBack) router.history.back()
    else leave()
  }
}
