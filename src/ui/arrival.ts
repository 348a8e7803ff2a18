// Loads parts after the first screen is painted. The build joins the chunks that importers of this file load, if they
// belong to the first screens (server/ops/build/moments.mjs).
import { startTransition, useEffect, useState } from 'react'
import { afterFirst } from '#data/first-in-line.ts'
import { afterScreen } from './busy.ts'

const AGAIN_AFTER_MS = 10_000

/**
 * Repeats a load until it succeeds: when the network is back, and, with `offerAgain`, when the user retries. Without
 * `offerAgain` it also retries by a timer, because no event tells that a weak signal improved.
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
 * True once the part is loaded. The load begins after the first paint, after what the user waits for, and once `isDue`
 * is true. If it fails, the rest of the screen works on.
 */
export function useArrival(load: () => Promise<unknown>, isDue = true): boolean {
  const [isHere, setHere] = useState(false)
  useEffect(() => {
    if (isHere || !isDue) return undefined
    let isWanted = true
    void afterScreen()
      .then(() => afterFirst())
      .then(() => isWanted && untilHere(load))
      // A transition lets React render in slices, so that touches are handled meanwhile.
      .then((loaded) => loaded !== false && isWanted && startTransition(() => setHere(true)))
    return () => void (isWanted = false)
  }, [isHere, isDue, load])
  return isHere
}
