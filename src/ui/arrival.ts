// Parts that come by themselves once the first screen is painted. The build puts what a module that imports this file imports
// dynamically into one file, where the module belongs to the first screens (server/ops/build/moments.mjs).
import { startTransition, useEffect, useState } from 'react'
import { afterScreen } from './busy.ts'

const AGAIN_AFTER_MS = 10_000

/**
 * Asks until it comes: when the signal is back, and when the person says so where `offerAgain` lets them. Where nobody is asked,
 * every now and then too: that a weak signal is better now, nothing says.
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
 * Whether the part is here: fetched once what can do without it is painted, and not before `isDue`. Nothing waits for it,
 * and without it nothing fails.
 */
export function useArrival(load: () => Promise<unknown>, isDue = true): boolean {
  const [isHere, setHere] = useState(false)
  useEffect(() => {
    if (isHere || !isDue) return undefined
    let isWanted = true
    void afterScreen()
      .then(() => isWanted && untilHere(load))
      // Drawn in slices: a touch meanwhile is not kept waiting.
      .then((loaded) => loaded !== false && isWanted && startTransition(() => setHere(true)))
    return () => void (isWanted = false)
  }, [isHere, isDue, load])
  return isHere
}
