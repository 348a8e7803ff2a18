// Continues sending lists after a reload, on every administrator screen.
import { useEffect } from 'react'
import { untilHere } from '#ui/arrival.ts'
import { afterScreen } from '#ui/busy.ts'

/** The code for sending loads after the screen is shown. */
export function useUnsentLists() {
  useEffect(() => {
    let isWanted = true
    void afterScreen()
      .then(() => untilHere(async () => (await import('./sending-data.ts')).goOnSending))
      .then((goOn) => (isWanted ? goOn() : undefined))
    return () => void (isWanted = false)
  }, [])
}
