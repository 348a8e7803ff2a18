// Keeps this device registered for pushes while the user is signed in, and opens the address of a tapped notification.
import { useEffect, useEffectEvent } from 'react'
import { followTouches, keepPushes } from '#live/push.ts'

/** Starts again when another user signs in. `onOpen` opens an address of the app. */
export function usePushMaintenance(onOpen: (path: string) => void) {
  const open = useEffectEvent(onOpen)
  useEffect(() => {
    void keepPushes()
  }, [])
  useEffect(() => followTouches((path) => open(path)), [])
}
