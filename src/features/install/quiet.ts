// When something that was not asked for may be offered: in a pause at the top of the board, never under a thumb at work.
import { useEffect, useState } from 'react'
import { useUpdate } from '#live/service-worker.ts'
import { useIsIdle } from '#ui/busy.ts'
import { useToast } from '#ui/feedback/toast.ts'

/** So long nobody touched, scrolled, typed or moved the mouse. */
const PAUSE_MS = 8_000

const AT_WORK = ['pointerdown', 'pointermove', 'touchmove', 'wheel', 'scroll', 'keydown'] as const

/** The lists of cards that are on screen: one stage of a phone's board, or each column. */
const LISTS = '[role="tabpanel"], [data-cards]'

/** Nothing else wants an answer: no undo on screen, no new version. */
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
