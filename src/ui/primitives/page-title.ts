// The title of the window or tab.
import { useEffect } from 'react'

/**
 * 'Portal do Corretor' and the agency's name. The server wrote them into the title; they are read before a screen
 * changes it.
 */
export const PORTAL = document.title

export function usePageTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · ${PORTAL}`
  }, [title])
}
