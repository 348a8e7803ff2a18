// The time of day, moving each second while something counts down.
import { useEffect, useState } from 'react'

const SECOND_MS = 1_000

export function useSecond(isOn: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (!isOn) return undefined
    const tick = () => setNowMs(Date.now())
    tick()
    const timer = setInterval(tick, SECOND_MS)
    // A phone that slept wakes to what is left.
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [isOn])
  return nowMs
}
