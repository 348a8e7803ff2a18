// A value that is taken over once it rests: what is typed, before it is asked of a server.
import { useEffect, useState } from 'react'

export function useSettled<T>(value: T, restMs: number): T {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), restMs)
    return () => clearTimeout(timer)
  }, [value, restMs])
  return settled
}
