// '/' opens the search anywhere on the board, except while typing or in a dialog.
import { useEffect, useEffectEvent } from 'react'

export function useSearchKey(run: () => void) {
  const search = useEffectEvent(run)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.defaultPrevented) return
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
      if (isTyping || document.querySelector('dialog[open]')) return
      event.preventDefault()
      search()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
