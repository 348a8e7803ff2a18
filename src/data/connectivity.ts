// Online or not, for screens.
import { useSyncExternalStore } from 'react'
import { isOnline, watchConnectivity } from '#offline/connectivity.ts'

export function useIsOnline(): boolean {
  return useSyncExternalStore(watchConnectivity, isOnline)
}
