// Lists that a reload interrupted go on being sent, on whatever screen of an administrator.
import { useEffect } from 'react'
import { afterScreen } from '#ui/busy.ts'
import { untilHere } from '#ui/lazily.ts'

/** Its part is fetched once the screen is there. */
export function useUnsentLists() {
  useEffect(() => {
    let isWanted = true
    void afterScreen()
      .then(() => untilHere(async () => (await import('./sending-data.ts')).goOnSending))
      .then((goOn) => (isWanted ? goOn() : undefined))
    return () => void (isWanted = false)
  }, [])
}
