// Parts of a screen fetched when they are first shown, or before, while nothing else is going on. PRODUCT.md 5.
import { type ComponentType, lazy, useEffect, useState } from 'react'
import { PART_MISSING, RELOAD } from './texts.ts'
import { toast } from './toast.ts'

/** The component, and a way to have it ready before it is shown. Shown but not to be had, it says so in a toast. */
export function lazily<P>(load: () => Promise<ComponentType<P>>) {
  return { Component: lazy(async () => ({ default: await load().catch<ComponentType<P>>(missing) })), load }
}

/** A browser that failed to fetch a part does not ask for it again on the same page. */
function missing() {
  toast(PART_MISSING, { label: RELOAD, run: () => location.reload() })
  return () => null
}

const IDLE_AFTER_MS = 2_000

/** A part that does not come now is fetched again when it is shown. */
export function useIdlePreload(load: () => Promise<unknown>) {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), IDLE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [load])
}

/**
 * Whether the part is here: fetched once what can do without it is painted, and fetched again when the network comes
 * back. Nothing waits for it, and without it nothing fails.
 */
export function useArrival(load: () => Promise<unknown>): boolean {
  const [isHere, setHere] = useState(false)
  useEffect(() => {
    if (isHere) return undefined
    let isWanted = true
    const fetchIt = () =>
      void load().then(
        () => isWanted && setHere(true),
        () => undefined,
      )
    const timer = setTimeout(fetchIt)
    addEventListener('online', fetchIt)
    return () => {
      isWanted = false
      clearTimeout(timer)
      removeEventListener('online', fetchIt)
    }
  }, [isHere, load])
  return isHere
}
