// The focus goes with its card to another column; from a card that left the board, to the one that took its place. INTERACTIONS 7; DESIGN-SYSTEM 10.
import { type FocusEvent, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Column } from './board-view.ts'
import { columnOf } from './drag-rules.ts'
import { type CardListHandle, cardOf } from './use-card-focus.ts'

/** Where a card stands: its lead, its column, its place in it. */
export type CardPlace = { leadId: number; slug: string; index: number }

type FocusOptions = {
  board: RefObject<HTMLElement | null>
  columns: readonly Column[]
  lists: RefObject<Map<string, CardListHandle>>
}

export function useFocusFollows({ board, columns, lists }: FocusOptions) {
  const kept = useRef<CardPlace>(null)
  /** Who presses with a mouse looks at the board and wants nothing scrolled for the focus's sake. */
  const isByKeys = useRef(false)

  const see = useEffectEvent(() => {
    const place = kept.current
    if (!place || document.activeElement !== document.body || document.querySelector('dialog[open]')) return
    const slug = columnOf(columns, place.leadId)?.stage.slug
    if (!isByKeys.current) neighbourOf(board.current, place)?.focus({ preventScroll: true })
    else if (slug !== undefined && slug !== place.slug) lists.current.get(slug)?.focusCard(place.leadId)
    else lists.current.get(place.slug)?.focusAt(place.index)
  })
  useLayoutEffect(() => see())

  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    const keep = ({ target }: Event) => {
      if (!(target instanceof Element) || target.closest('dialog')) return
      kept.current = board.current?.contains(target) ? placeOf(target) : null
    }
    const byKeys = () => (isByKeys.current = true)
    const byPress = () => (isByKeys.current = false)
    document.addEventListener('focusin', keep, { signal })
    document.addEventListener('keydown', byKeys, { signal, capture: true })
    document.addEventListener('pointerdown', byPress, { signal, capture: true })
    // It does not bubble, but it is heard on its way down; the dialog has given the focus back by then, if it could.
    document.addEventListener('close', () => see(), { signal, capture: true })
    return () => listening.abort()
  }, [board])

  // By way of React, which is deaf while it takes cards out of the page itself: that is not a wish.
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (!relatedTarget && document.hasFocus()) kept.current = null
  }
  return { onBlur }
}

export function placeOf(target: EventTarget): CardPlace | null {
  const card = cardOf(target)
  const slug = card?.closest<HTMLElement>('[data-stage]')?.dataset['stage']
  if (!card || slug === undefined) return null
  return { leadId: Number(card.dataset['lead']), slug, index: Number(card.dataset['index']) }
}

/** The card that stands where the one at that place stood, if it is in the page. */
function neighbourOf(board: HTMLElement | null, { slug, index }: CardPlace): HTMLElement | null {
  const column = `[data-stage="${CSS.escape(slug)}"]`
  const at = (place: number) =>
    board?.querySelector<HTMLElement>(`${column} article[data-index="${place}"]`) ?? null
  return at(index) ?? at(index - 1)
}
