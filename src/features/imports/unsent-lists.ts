// Lists that a reload interrupted go on being sent, on whatever screen of an administrator.
import { useEffect } from 'react'
import { untilHere } from '#ui/arrival.ts'
import { afterScreen } from '#ui/busy.ts'

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
