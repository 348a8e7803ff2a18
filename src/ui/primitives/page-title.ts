// The title of the window or tab.
import { useEffect } from 'react'

export function usePageTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · Portal do Corretor RHS`
  }, [title])
}
