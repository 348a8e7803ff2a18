// Returns the current time, updated each second, for countdowns.
import { useEffect, useState } from 'react'

const SECOND_MS = 1_000

export function useSecond(isOn: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (!isOn) return undefined
    const tick = () => setNowMs(Date.now())
    tick()
    const timer = setInterval(tick, SECOND_MS)
    // A phone that wakes up gets the right time at once.
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [isOn])
  return nowMs
}
