// Where the focus stands on a board, and when a card took it along. What follows is each board's own.
import { cardOf } from '../columns/use-card-focus.ts'

/** Where a card stands: its lead, its stage, its place in it. */
export type CardPlace = { leadId: number; slug: string; index: number }

export function placeOf(target: EventTarget): CardPlace | null {
  const card = cardOf(target)
  const column = card?.closest<HTMLElement>('[data-stage], [data-page]')
  const slug = column?.dataset['stage'] ?? column?.dataset['page']
  if (!card || slug === undefined) return null
  return { leadId: Number(card.dataset['lead']), slug, index: Number(card.dataset['index']) }
}

/** `lost` hears where the card stood whose focus went nowhere, once nothing lies over the board. */
export function watchCardFocus(root: () => HTMLElement | null, lost: (place: CardPlace) => void) {
  let remembered: CardPlace | null = null
  const listening = new AbortController()
  const { signal } = listening

  const keep = ({ target }: Event) => {
    if (!(target instanceof Element) || target.closest('dialog')) return
    remembered = root()?.contains(target) ? placeOf(target) : null
  }
  const see = () => {
    if (!remembered || document.activeElement !== document.body || document.querySelector('dialog[open]'))
      return
    lost(remembered)
  }
  document.addEventListener('focusin', keep, { signal })
  // It does not bubble, but it is heard on its way down; the dialog has given the focus back by then, if it could.
  document.addEventListener('close', see, { signal, capture: true })
  return {
    /** After every drawing of the board. */
    see,
    /** It was wanted nowhere. */
    forget: () => {
      remembered = null
    },
    end: () => listening.abort(),
  }
}
