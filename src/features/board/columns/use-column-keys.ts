// Keyboard control of a board with columns: arrow keys move the focus, Alt with arrow keys moves cards. Tab reaches one
// card.
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { announce } from '#ui/feedback/toast.ts'
import { type Column, columnOf } from '../ground/board-view.ts'
import { type CardPlace, placeOf } from '../ground/focus-place.ts'
import { stageBeside } from './drag/rules.ts'
import { FIRST_STAGE, LAST_STAGE } from '../moves/texts.ts'
import type { BoardMoves } from '../moves/use-board-moves.ts'
import { type CardListHandle, cardOf } from '../ground/use-card-focus.ts'
import { useFocusFollows } from './use-focus-follows.ts'
import { useUndoKey } from '../moves/undo-key.ts'

type ColumnKeysOptions = {
  board: RefObject<HTMLElement | null>
  columns: readonly Column[]
  lists: RefObject<Map<string, CardListHandle>>
  moves: BoardMoves
  isDragging: boolean
}

const STEP: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

export function useColumnKeys({ board, columns, lists, moves, isDragging }: ColumnKeysOptions) {
  const [lastSlug, setLastSlug] = useState<string>()
  const { onBlur } = useFocusFollows({ board, columns, lists })
  useUndoKey(moves.undoLast)

  const onFocus = ({ target }: { target: Element }) => {
    const place = placeOf(target)
    if (place) setLastSlug(place.slug)
  }
  const drag = ({ leadId, slug }: CardPlace, step: number) => {
    const lead = columnOf(columns, leadId)?.leads.find(({ id }) => id === leadId)
    const stage = stageBeside(columns, slug, step)
    if (!stage) announce(step < 0 ? FIRST_STAGE : LAST_STAGE)
    else if (lead) moves.move(lead, stage.slug, 'keys')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEP[event.key]
    const place = placeOf(event.target)
    if (step === undefined || !place || event.defaultPrevented || isDragging) return
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    // Browsers would go back in the history on Alt with an arrow key.
    event.preventDefault()
    if (event.altKey) drag(place, step)
    else focusBeside(event.target, step)
  }
  /** During a drag its sensor handles all keys. Lists and cards ignore events that are marked as handled. */
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (isDragging) event.preventDefault()
  }
  const first = columns.find(({ leads }) => leads.length > 0)?.stage.slug
  const isStop = columns.some(({ stage, leads }) => stage.slug === lastSlug && leads.length > 0)
  return { stopSlug: isStop ? lastSlug : first, onFocus, onBlur, onKeyDown, onKeyDownCapture }
}

/** Focuses the card at a similar height in the next non-empty column. */
function focusBeside(target: EventTarget, step: number) {
  const card = cardOf(target)
  if (!card) return
  let column = card.closest('[data-stage]')
  while (column) {
    column = step > 0 ? column.nextElementSibling : column.previousElementSibling
    const nearest = column && nearestTo(card, column.querySelectorAll('article'))
    if (nearest) return nearest.focus()
  }
}

function nearestTo(card: Element, others: Iterable<HTMLElement>): HTMLElement | undefined {
  const middleOf = (element: Element) => {
    const { top, height } = element.getBoundingClientRect()
    return top + height / 2
  }
  const wanted = middleOf(card)
  const distances = Array.from(others, (other) => ({ other, px: Math.abs(middleOf(other) - wanted) }))
  return distances.toSorted((a, b) => a.px - b.px)[0]?.other
}
