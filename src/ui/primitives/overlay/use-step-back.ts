// Closes what the address opened, by a step back to where it was opened from.
import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { useState } from 'react'

/** Closes `opened`; undefined: nothing is open. `leave` changes the address instead, if the page was opened at it. */
export function useStepBack(opened: number | undefined, leave: () => void): () => void {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  /** Ignores a second press while the first step back is still running. */
  const [closing, setClosing] = useState<number>()
  if (opened === undefined && closing !== undefined) setClosing(undefined)
  return () => {
    if (closing === opened) return
    setClosing(opened)
    if (canGoBack) router.history.back()
    else leave()
  }
}
