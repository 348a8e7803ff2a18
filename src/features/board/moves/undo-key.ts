// Ctrl+Z or ⌘Z undoes the last move.
import { useEffect, useEffectEvent } from 'react'

export function useUndoKey(undo: () => void) {
  const undoLast = useEffectEvent(undo)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isUndo(event)) return
      event.preventDefault()
      undoLast()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** False while the user types or a dialog is open, where Ctrl+Z means something else. */
export function isUndo({
  key,
  ctrlKey,
  metaKey,
  shiftKey,
  target,
  defaultPrevented,
}: KeyboardEvent): boolean {
  const isKey = key.toLowerCase() === 'z' && (ctrlKey || metaKey) && !shiftKey && !defaultPrevented
  return isKey && target instanceof Element && !target.closest('dialog, input, textarea, [contenteditable]')
}
