// The field that a dialog was opened to type into: `autoFocus` comes before the dialog stands, and in vain.
import { useEffect, useRef } from 'react'

export function useFirstFocus() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}
