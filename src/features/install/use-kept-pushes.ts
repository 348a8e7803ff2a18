// Keeps this device told while its person is signed in, and lets a touched notification lead the page.
import { useEffect, useEffectEvent } from 'react'
import { followTouches, forgetWhoLeft, keepPushes } from '#live/push.ts'

/** `onOpen` leads to an address of the app. */
export function useKeptPushes(userId: string, onOpen: (path: string) => void) {
  const open = useEffectEvent(onOpen)
  useEffect(() => {
    void keepPushes()
    return () => forgetWhoLeft(userId)
  }, [userId])
  useEffect(() => followTouches((path) => open(path)), [])
}
