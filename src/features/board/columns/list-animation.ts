// Animates a list when cards come and go: neighbours close the gap or make room, and a returning card enters from its
// side.
import { DURATION, EASE_OUT, wantsLessMotion } from '#ui/motion/motion.ts'
import { leadIdOf } from '../ground/use-card-focus.ts'
import type { Side } from '../ground/arrivals.ts'
import type { Column } from '../ground/board-view.ts'

/** If an expected change of the page does not come within this time, its animation is skipped. */
const MAX_WAIT_MS = 1_000

/** Distances of the visible cards from the top, by lead. */
type Tops = ReadonlyMap<number, number>

type Awaited = { leadId: number; slug: string; run: (card?: HTMLElement) => void }

export type ListAnimation = ReturnType<typeof createListAnimation>

export function createListAnimation(root: HTMLElement) {
  const watches = new Set<() => void>()
  const awaited = new Set<Awaited>()
  const panel = () => root.querySelector('[role="tabpanel"]')
  const cards = () => [...(panel()?.querySelectorAll<HTMLElement>('article[data-lead]') ?? [])]
  const tops = (): Tops => new Map(cards().map((card) => [leadIdOf(card), card.getBoundingClientRect().top]))
  const find = (leadId: number) => cards().find((card) => leadIdOf(card) === leadId)

  /** Calls `run` once the DOM fulfils `test`, before the browser paints that change. */
  const whenChanged = (test: () => boolean, run: () => void) => {
    const pages = root.querySelector('[data-pages]')
    const stop = () => {
      observer.disconnect()
      clearTimeout(timer)
      watches.delete(stop)
    }
    const observer = new MutationObserver(() => {
      if (!test()) return
      stop()
      run()
    })
    const timer = setTimeout(stop, MAX_WAIT_MS)
    watches.add(stop)
    if (pages) observer.observe(pages, { childList: true, subtree: true })
  }

  return {
    look: tops,
    slide: (before: Tops) => slide(cards(), before),
    /** Calls `go`, which removes the card; then its neighbours close the gap. */
    close: (leadId: number, go: () => void) => {
      const before = tops()
      whenChanged(
        () => !find(leadId),
        () => slide(cards(), before),
      )
      go()
    },
    /** Prepares for a card that is about to appear: its neighbours make room, and `play` animates it. */
    open: (leadId: number, play: (card: HTMLElement) => void) => {
      const before = tops()
      whenChanged(
        () => find(leadId) !== undefined,
        () => {
          const card = find(leadId)
          slide(cards(), before)
          if (card) play(card)
        },
      )
    },
    /**
     * Calls `run` once the board shows the lead in a stage. `run` gets the card, or undefined if it is out of sight or
     * never appears.
     */
    onceShown: ({ leadId, slug }: { leadId: number; slug: string }, run: (card?: HTMLElement) => void) => {
      const one = { leadId, slug, run }
      awaited.add(one)
      const timer = setTimeout(() => {
        watches.delete(stop)
        if (awaited.delete(one)) run()
      }, MAX_WAIT_MS)
      const stop = () => clearTimeout(timer)
      watches.add(stop)
    },
    /** The board calls this after each of its renders. */
    see: (columns: readonly Column[]) => {
      for (const one of awaited) {
        const column = columns.find(({ stage }) => stage.slug === one.slug)
        if (!column?.leads.some(({ id }) => id === one.leadId)) continue
        awaited.delete(one)
        one.run(find(one.leadId))
      }
    },
    end: () => watches.forEach((stop) => stop()),
  }
}

function slide(cards: readonly HTMLElement[], before: Tops) {
  if (wantsLessMotion()) return
  // Measures all cards before moving the first, because a measurement after a move forces a new layout.
  const shifts = cards.map((card) => {
    const top = card.getBoundingClientRect().top
    return (before.get(leadIdOf(card)) ?? top) - top
  })
  for (const [at, card] of cards.entries()) {
    const shift = shifts[at]
    if (!shift) continue
    card.animate([{ transform: `translateY(${shift}px)` }, { transform: 'none' }], {
      duration: DURATION.slotClose,
      easing: EASE_OUT,
    })
  }
}

/** Animates a card that returns from the side on which it left. */
export function enterFrom(side: Side, card: HTMLElement) {
  const from = side === 'left' ? '-100vw' : '100vw'
  if (wantsLessMotion()) card.animate([{ opacity: 0 }, { opacity: 1 }], DURATION.fade)
  else {
    card.animate([{ transform: `translateX(${from})` }, { transform: 'none' }], {
      duration: DURATION.base,
      easing: EASE_OUT,
    })
  }
  flash(card)
}

/** Highlights a card in its new place. */
export function flash(card: HTMLElement) {
  card.animate([{ backgroundColor: 'var(--color-primary-soft-2)', offset: 0 }], DURATION.flash)
}

/** Highlights the tab of a stage that received a card. */
export function pulse(tab: HTMLElement | undefined) {
  if (wantsLessMotion()) return
  tab?.animate([{ scale: 1 }, { scale: 1.06 }, { scale: 1 }], DURATION.pulse)
}
