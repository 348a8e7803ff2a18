// Decides when an offer may be shown that nobody asked for: in a pause at the top of the board, not while the user
// works.
import { useEffect, useState } from 'react'
import { useUpdate } from '#live/service-worker.ts'
import { useIsIdle } from '#ui/busy.ts'
import { useToast } from '#ui/feedback/toast.ts'

/** How long the user must not touch, scroll, type or move the mouse. */
const PAUSE_MS = 8_000

const AT_WORK = ['pointerdown', 'pointermove', 'touchmove', 'wheel', 'scroll', 'keydown'] as const

/** Selects the visible card lists: the one stage of a phone's board, or each column of a wide board. */
const LISTS = '[role="tabpanel"], [data-cards]'

/** True in a pause during which no toast (such as an undo) and no offer of a new version wait for the user. */
export function useIsQuiet(): boolean {
  const hasToast = useToast() !== null
  const hasUpdate = useUpdate() !== 'none'
  const isPaused = usePause()
  return useIsIdle() && isPaused && !hasToast && !hasUpdate
}

function usePause(): boolean {
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    const rest = () => setTimeout(() => setPaused(isAtTopOfBoard()), PAUSE_MS)
    let timer = rest()
    const work = () => {
      clearTimeout(timer)
      timer = rest()
      setPaused(false)
    }
    const listening = new AbortController()
    for (const name of AT_WORK)
      addEventListener(name, work, { capture: true, passive: true, signal: listening.signal })
    return () => {
      clearTimeout(timer)
      listening.abort()
    }
  }, [])
  return isPaused
}

function isAtTopOfBoard(): boolean {
  const lists = [...document.querySelectorAll(LISTS)]
  return lists.length > 0 && lists.every(({ scrollTop }) => scrollTop === 0)
}
