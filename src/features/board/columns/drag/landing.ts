// Animates a dropped card to its place, or fades it if that is out of sight.
import { DURATION, EASE_OUT, wantsLessMotion } from '#ui/motion/motion.ts'

/** The moved card should appear within this many frames; after them the landing gives up. */
const DRAWINGS_WAITED = 4

/** Resolves once the drag preview is hidden. `find` returns the dropped card once the board shows it, else null. */
export async function land(held: HTMLElement, find: () => HTMLElement | null): Promise<void> {
  const card = await waitFor(find)
  const place = card && visibleBox(card)
  if (!place || wantsLessMotion()) await fade(held)
  else await fly(held, place)
  if (place && !wantsLessMotion())
    card.animate([{ backgroundColor: 'var(--color-primary-soft)' }, {}], DURATION.flash)
}

async function waitFor(find: () => HTMLElement | null): Promise<HTMLElement | null> {
  for (let drawing = 0; drawing < DRAWINGS_WAITED; drawing++) {
    const found = find()
    if (found) return found
    await new Promise(requestAnimationFrame)
  }
  return null
}

/** Returns where the card is; null if its centre is outside its scroll area. */
function visibleBox(card: HTMLElement): DOMRect | null {
  const box = card.getBoundingClientRect()
  const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 }
  for (let area = card.parentElement; area; area = area.parentElement) {
    if (getComputedStyle(area).overflow === 'visible') continue
    const { left, right, top, bottom } = area.getBoundingClientRect()
    if (middle.x < left || middle.x > right || middle.y < top || middle.y > bottom) return null
  }
  return box
}

/** Only the transform moves the preview; its style position stays where the drag began. */
function fly(held: HTMLElement, { left, top }: DOMRect): Promise<unknown> {
  const to = `translate(${left - held.offsetLeft}px, ${top - held.offsetTop}px)`
  const timing = { duration: DURATION.base, easing: EASE_OUT, fill: 'forwards' } as const
  held.firstElementChild?.animate({ rotate: '0deg', boxShadow: 'none' }, timing)
  return held.animate([{ transform: getComputedStyle(held).transform }, { transform: to }], timing).finished
}

function fade(held: HTMLElement): Promise<unknown> {
  return held.animate({ opacity: 0 }, { duration: DURATION.fade, easing: EASE_OUT, fill: 'forwards' })
    .finished
}
