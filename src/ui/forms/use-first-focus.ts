// Focuses a dialog's first field; `autoFocus` runs before the dialog is open and has no effect.
import { useEffect, useRef } from 'react'

export function useFirstFocus() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}
