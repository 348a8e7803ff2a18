// Online or not: without a network for certain, and without the portal as far as live events found it away.

/** The event that this page gets when the portal goes away or is back. */
const PORTAL = 'portal-reach'
const CHANGES = ['online', 'offline', PORTAL]

let isAway = false

export function isOnline(): boolean {
  return navigator.onLine && !isAway
}

export function notePortal(isThere: boolean) {
  if (isAway !== isThere) return
  isAway = !isThere
  dispatchEvent(new Event(PORTAL))
}

/** Calls back at each change; returns the stop function. */
export function watchConnectivity(changed: () => void): () => void {
  for (const name of CHANGES) addEventListener(name, changed)
  return () => {
    for (const name of CHANGES) removeEventListener(name, changed)
  }
}
