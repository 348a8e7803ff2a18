// Loads parts after the first screen is painted. The build joins the chunks that importers of this file load
// dynamically, if they belong to the first screens (server/ops/build/moments.mjs).
import { startTransition, useEffect, useState } from 'react'
import { afterFirst } from '#data/first-in-line.ts'
import { afterScreen } from './busy.ts'

const AGAIN_AFTER_MS = 10_000

/**
 * Retries until the part is loaded: when the network is back and, if `offerAgain` is given, when the user retries.
 * Without `offerAgain`
 * it also retries on a timer, because no event says that a weak signal got better.
 */
export async function untilHere<T>(
  load: () => Promise<T>,
  offerAgain?: (again: () => void) => void,
): Promise<T> {
  try {
    return await load()
  } catch {
    const waiting = new AbortController()
    await new Promise<void>((resolve) => {
      addEventListener('online', () => resolve(), { signal: waiting.signal })
      if (offerAgain) offerAgain(resolve)
      else if (navigator.onLine) setTimeout(resolve, AGAIN_AFTER_MS)
    })
    waiting.abort()
    return untilHere(load, offerAgain)
  }
}

/**
 * Whether the part is loaded. Loading starts after the first paint and after what the user waits for, not before
 * `isDue`. A failure has no effect on the rest of the screen.
 */
export function useArrival(load: () => Promise<unknown>, isDue = true): boolean {
  const [isHere, setHere] = useState(false)
  useEffect(() => {
    if (isHere || !isDue) return undefined
    let isWanted = true
    void afterScreen()
      .then(() => afterFirst())
      .then(() => isWanted && untilHere(load))
      // React draws a transition in slices, so that touches are handled meanwhile.
      .then((loaded) => loaded !== false && isWanted && startTransition(() => setHere(true)))
    return () => void (isWanted = false)
  }, [isHere, isDue, load])
  return isHere
}
