// Remembers a board's focused card, and reports when the card was removed together with the focus. Each board decides
// what to focus then.
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

/** Calls `lost` with the position of a removed card that had the focus, once no dialog covers the board. */
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
  // 'close' events do not bubble, so the listener captures them. By then the dialog has returned the focus, if it
  // could.
  document.addEventListener('close', see, { signal, capture: true })
  return {
    /** The board calls this after each of its renders. */
    see,
    /** Forgets the focused card, because the user took the focus away from it. */
    forget: () => {
      remembered = null
    },
    end: () => listening.abort(),
  }
}
