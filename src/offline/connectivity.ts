// Whether the app is online. The browser knows when there is no network; live events find out when the portal is away.

/** The event by which this page tells itself that the portal went away or came back. */
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

/** Calls `changed` at each change. Returns the function that stops it. */
export function watchConnectivity(changed: () => void): () => void {
  for (const name of CHANGES) addEventListener(name, changed)
  return () => {
    for (const name of CHANGES) removeEventListener(name, changed)
  }
}
