// Returns a value once it has not changed for a while, for example a search text.
import { useEffect, useState } from 'react'

export function useSettled<T>(value: T, restMs: number): T {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), restMs)
    return () => clearTimeout(timer)
  }, [value, restMs])
  return settled
}
