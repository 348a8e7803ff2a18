// Keeps this device told while its person is signed in, and lets a touched notification lead the page.
import { useEffect, useEffectEvent } from 'react'
import { followTouches, keepPushes } from '#live/push.ts'

/** Begun again for each person. `onOpen` leads to an address of the app. */
export function usePushMaintenance(onOpen: (path: string) => void) {
  const open = useEffectEvent(onOpen)
  useEffect(() => {
    void keepPushes()
  }, [])
  useEffect(() => followTouches((path) => open(path)), [])
}
