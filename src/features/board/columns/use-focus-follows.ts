// Keeps the focus: it follows its card to another column; if the card left the board, it goes to the next card in that
// place.
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
  /** With a mouse the focus must not scroll the board. */
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

  // A React handler, because React suppresses blur events of elements that it removes; those are not the user's choice.
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!relatedTarget && document.hasFocus()) watch.current?.forget()
  }
  return { onBlur }
}

/** The card now at that position, if it is in the page. */
function neighbourOf(board: HTMLElement | null, { slug, index }: CardPlace): HTMLElement | null {
  const column = `[data-stage="${CSS.escape(slug)}"]`
  const at = (place: number) =>
    board?.querySelector<HTMLElement>(`${column} article[data-index="${place}"]`) ?? null
  return at(index) ?? at(index - 1)
}
