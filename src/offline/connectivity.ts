// Online or not, as the device believes: false is certain, true is a hint (a server out of reach is not seen).

export function isOnline(): boolean {
  return navigator.onLine
}

/** Calls back at each change; answers the stop. */
export function watchConnectivity(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}
