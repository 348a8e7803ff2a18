// Tracks the focused card of a board, and reports when a removed card took the focus with it. Each board decides what
// follows.
import { cardOf } from './use-card-focus.ts'

/** A card's position: its lead, its stage, its index. */
export type CardPlace = { leadId: number; slug: string; index: number }

export function placeOf(target: EventTarget): CardPlace | null {
  const card = cardOf(target)
  const column = card?.closest<HTMLElement>('[data-stage], [data-page]')
  const slug = column?.dataset['stage'] ?? column?.dataset['page']
  if (!card || slug === undefined) return null
  return { leadId: Number(card.dataset['lead']), slug, index: Number(card.dataset['index']) }
}

/** `lost` gets the position of the removed card that had the focus, once nothing covers the board. */
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
  // 'close' does not bubble, but can be captured; by then the dialog has returned the focus, if it could.
  document.addEventListener('close', see, { signal, capture: true })
  return {
    /** Call after every render of the board. */
    see,
    /** The user dropped the focus on purpose. */
    forget: () => {
      remembered = null
    },
    end: () => listening.abort(),
  }
}
