// Where a conversation is read: its end, kept in sight and gone to for what the person wrote, what came in below it, what a search found and what was unfolded.
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Message } from '#domain/message/message.ts'
import { type GroupedMessage, isOfLine, keyOf } from './message-groups.ts'

/** So near its end, in px, the list follows what comes. */
export const AT_END = 80

/** Whoever sees the end still sees it when a keyboard or the box takes its room, and when lines break again. */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, toEnd: () => void) {
  const keep = useEffectEvent(toEnd)
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    let isAtEnd = true
    const note = () => {
      isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END
    }
    const watcher = new ResizeObserver(() => isAtEnd && keep())
    watcher.observe(element)
    if (element.firstElementChild) watcher.observe(element.firstElementChild)
    element.addEventListener('scroll', note)
    return () => {
      watcher.disconnect()
      element.removeEventListener('scroll', note)
    }
  }, [scroller])
}

/** What the person just wrote is shown, wherever the list was scrolled to. */
export function useOwnShown(last: Message | undefined, toEnd: () => void) {
  const show = useEffectEvent(toEnd)
  const isOwn = last?.direction === 'outgoing' && last.delivery === 'queued'
  const key = isOwn ? keyOf(last) : null
  const shown = useRef(key)
  useEffect(() => {
    if (key !== null && key !== shown.current) show()
    shown.current = key
  }, [key])
}

/** How many lines came in below what is seen; none once the end was reached. */
export function useNewBelow(messages: readonly Message[], isAtEnd: boolean): number {
  const last = messages.at(-1)
  const lastKey = last && keyOf(last)
  const [seenKey, setSeenKey] = useState(lastKey)
  if (isAtEnd && seenKey !== lastKey) setSeenKey(lastKey)
  if (isAtEnd) return 0
  const seen = messages.findIndex((message) => keyOf(message) === seenKey)
  return messages.slice(seen + 1).filter(({ direction }) => direction === 'incoming').length
}

/** Goes to what a search found, and answers where it stands, -1: nowhere; and to the first of the lines that were unfolded. */
export function useGoneTo(
  grouped: readonly GroupedMessage[],
  { foundId, unfoldedId }: { foundId: number | null; unfoldedId: number | null },
  toIndex: (index: number, align: 'center' | 'start') => void,
): number {
  const indexOf = (id: number | null) => (id === null ? -1 : grouped.findIndex((line) => isOfLine(line, id)))
  const foundAt = indexOf(foundId)
  const showFound = useEffectEvent(() => {
    if (foundAt >= 0) toIndex(foundAt, 'center')
  })
  const showUnfolded = useEffectEvent(() => {
    if (indexOf(unfoldedId) >= 0) toIndex(indexOf(unfoldedId), 'start')
  })
  useEffect(() => {
    if (foundId !== null) showFound()
  }, [foundId])
  const isUnfolded = unfoldedId !== null
  useEffect(() => {
    if (isUnfolded) showUnfolded()
  }, [isUnfolded])
  return foundAt
}
