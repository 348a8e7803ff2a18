// Scrolls a conversation to its end, to the user's own new message, to a search result, or to unfolded messages.
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Message } from '#domain/message/message.ts'
import { type GroupedMessage, isOfLine, keyOf } from '../message/message-groups.ts'

/** If the reader is at most this far from the end, in px, the list scrolls to new messages. */
export const AT_END = 80

/** Keeps the end visible when the keyboard opens, the message box grows or lines wrap anew. */
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

/** Scrolls to the user's own new message from any scroll position. */
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

/** Returns the number of new messages below the visible ones; 0 once the end was reached. */
export function useNewBelow(messages: readonly Message[], isAtEnd: boolean): number {
  const last = messages.at(-1)
  const lastKey = last && keyOf(last)
  const [seenKey, setSeenKey] = useState(lastKey)
  if (isAtEnd && seenKey !== lastKey) setSeenKey(lastKey)
  if (isAtEnd) return 0
  const seen = messages.findIndex((message) => keyOf(message) === seenKey)
  return messages.slice(seen + 1).filter(({ direction }) => direction === 'incoming').length
}

/** Scrolls to a search result, and to the first unfolded message. Returns the result's index; -1 if there is none. */
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
