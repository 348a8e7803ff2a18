// A card that was let go flies to where it stands now, or fades where that is out of sight.
import { DURATION, EASE_OUT, wantsLessMotion } from '#ui/motion/motion.ts'

/** The board shows a move with one of its next drawings. */
const DRAWINGS_WAITED = 4

/** Ends when the held card is gone from sight; `find` answers the card as the board shows it, once it does. */
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

/** Null where less than half of it is inside what scrolls it. */
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

/** The held card stands where its style says, and is carried from there by its transform. */
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
