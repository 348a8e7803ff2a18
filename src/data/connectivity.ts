// Whether the app is online, as a React hook.
import { useSyncExternalStore } from 'react'
import { isOnline, watchConnectivity } from '#offline/connectivity.ts'

export function useIsOnline(): boolean {
  return useSyncExternalStore(watchConnectivity, isOnline)
}
