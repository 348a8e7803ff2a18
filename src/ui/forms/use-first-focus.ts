// Focuses a dialog's first field. The attribute `autoFocus` has no effect, because it runs before the dialog opens.
import { useEffect, useRef } from 'react'

export function useFirstFocus() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}
