// On the phone's board, moves the focus from a card that leaves its stage to the card that takes its place.
import { watchCardFocus } from '../ground/focus-place.ts'
import type { GestureBoard } from './gesture.ts'

export function createFocusRestore(root: HTMLElement, board: () => GestureBoard) {
  const { see, forget, end } = watchCardFocus(
    () => root,
    ({ leadId, slug, index }) => {
      const { newest, columns, shown, lists } = board()
      const column = newest.find(({ stage }) => stage.slug === slug)
      if (!column || column.leads.some(({ id }) => id === leadId)) return
      if (columns[shown]?.stage.slug === slug) lists.get(slug)?.focusAt(index)
    },
  )
  /**
   * A press on an empty area blurs the card on purpose, so the focus is given up. A removed card does not count as
   * blurred.
   */
  const drop = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget || !document.hasFocus()) return
    queueMicrotask(() => {
      if (target instanceof Element && target.isConnected) forget()
    })
  }
  root.addEventListener('focusout', drop)
  return {
    see,
    end: () => {
      end()
      root.removeEventListener('focusout', drop)
    },
  }
}
