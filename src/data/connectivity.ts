// Online or not, for screens. INTERACTIONS 9.
import { useSyncExternalStore } from 'react'

function watch(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(watch, () => navigator.onLine)
}
