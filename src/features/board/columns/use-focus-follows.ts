// Keeps the focus on a card that moves to another column. If the card left the board, the next card in its place gets
// the focus.
import { type FocusEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { type Column, columnOf } from '../ground/board-view.ts'
import { type CardPlace, watchCardFocus } from '../ground/focus-place.ts'
import type { CardListHandle } from '../ground/use-card-focus.ts'

type FocusOptions = {
  board: RefObject<HTMLElement | null>
  columns: readonly Column[]
  lists: RefObject<Map<string, CardListHandle>>
}

export function useFocusFollows({ board, columns, lists }: FocusOptions) {
  const watch = useRef<ReturnType<typeof watchCardFocus>>(null)
  /** True if the user moved the focus with the keyboard. With a mouse, a focus change must not scroll the board. */
  const isByKeys = useRef(false)

  const follow = useEffectEvent((place: CardPlace) => {
    const slug = columnOf(columns, place.leadId)?.stage.slug
    if (!isByKeys.current) neighbourOf(board.current, place)?.focus({ preventScroll: true })
    else if (slug !== undefined && slug !== place.slug) lists.current.get(slug)?.focusCard(place.leadId)
    else lists.current.get(place.slug)?.focusAt(place.index)
  })
  useLayoutEffect(() => watch.current?.see())

  useEffect(() => {
    const watching = watchCardFocus(
      () => board.current,
      (place) => follow(place),
    )
    watch.current = watching
    const listening = new AbortController()
    const onTheWayDown = { signal: listening.signal, capture: true }
    document.addEventListener('keydown', () => (isByKeys.current = true), onTheWayDown)
    document.addEventListener('pointerdown', () => (isByKeys.current = false), onTheWayDown)
    return () => {
      watching.end()
      listening.abort()
    }
  }, [board])

  // A React handler, because React suppresses blur events of elements that it removes. A removal is not the user's
  // choice.
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!relatedTarget && document.hasFocus()) watch.current?.forget()
  }
  return { onBlur }
}

/** Returns the card that is now at the removed card's position, or the one before; null if neither is in the page. */
function neighbourOf(board: HTMLElement | null, { slug, index }: CardPlace): HTMLElement | null {
  const column = `[data-stage="${CSS.escape(slug)}"]`
  const at = (place: number) =>
    board?.querySelector<HTMLElement>(`${column} article[data-index="${place}"]`) ?? null
  return at(index) ?? at(index - 1)
}
