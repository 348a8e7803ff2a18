// A card in the hand: it follows the finger over the whole board, turns pages at the edges, and lands where it is let go.
import { tremble } from '#ui/feedback/haptics.ts'
import { type CarryView, createLikeness, type Likeness } from './touch-drag-preview.ts'
import { createCarryWatch } from './touch-drag-targets.ts'
import { clamp } from './gesture-rules.ts'
import {
  aimAt,
  findLead,
  type GestureBoard,
  type Grip,
  type Hand,
  leadIdOf,
  type Point,
  tabsOf,
} from './gesture-context.ts'
import type { PagerMotion } from '../pager/pager-motion.ts'
import { flash, pulse, type Slots } from '../columns/list-animation.ts'

type CarryParts = {
  root: HTMLElement
  board: () => GestureBoard
  pager: PagerMotion
  slots: Slots
  show: (view: CarryView | null) => void
}

type Carried = {
  leadId: number
  article: HTMLElement
  likeness: Likeness
  /** The stage that it came from. */
  from: number
}

export class CardCarry implements Hand {
  readonly #parts: CarryParts
  readonly #watch: ReturnType<typeof createCarryWatch>
  #carried: Carried | null = null

  constructor(parts: CarryParts) {
    this.#parts = parts
    this.#watch = createCarryWatch(parts)
  }

  isOn(): boolean {
    return this.#carried !== null
  }

  begin({ card, x, y }: Grip) {
    if (!card) return
    const { article, frame } = card
    const { root, board, show } = this.#parts
    const from = board().shown
    const likeness = createLikeness(card)
    this.#carried = { leadId: leadIdOf(article), article, likeness, from }
    markOrigin([article, tabsOf(root)[from]], true)
    root.dataset['carrying'] = ''
    board().onHold(true)
    board().onOrigin(from)
    show({ ...likeness.view, glow: this.#watch.glow })
    tremble('done')
    likeness.lift()
    this.#watch.start({ at: { x, y }, from, frame })
  }

  move(moved: Point, at: Point) {
    this.#carried?.likeness.follow(moved)
    this.#watch.see(at)
  }

  end() {
    this.#release(this.#watch.target())
  }

  cancel() {
    const was = this.#letGo()
    if (!was) return
    const { pager } = this.#parts
    if (pager.target !== was.from) pager.turn(was.from)
    was.likeness.fly({ x: 0, y: 0 }, () => this.#clear(was))
  }

  /** By keyboard: turns to a neighbouring stage, and answers which one it is. */
  step(by: 1 | -1): number {
    const { pager, board } = this.#parts
    const to = clamp(pager.target + by, 0, board().columns.length - 1)
    if (to !== pager.target) pager.turn(to)
    return to
  }

  /** By keyboard: lets go over the stage on screen, and answers which one it is. */
  drop(): number {
    const to = this.#parts.pager.target
    this.#release(to)
    return to
  }

  /** No change where it came from, nor outside of every stage. */
  #release(index: number | null) {
    const { board, pager } = this.#parts
    const { newest, columns, moves } = board()
    const lead = this.#carried && findLead(newest, this.#carried.leadId)
    const slug = index === null ? undefined : columns[index]?.stage.slug
    if (!lead || index === null || slug === undefined || index === this.#carried?.from) return this.cancel()
    const was = this.#letGo()
    if (!was) return
    moves.move(lead, slug, 'carry')
    if (index === pager.target) this.#landInSight(was, slug)
    else this.#landInTab(was, index)
  }

  /** The hand is empty; the likeness may still be on its way. */
  #letGo(): Carried | null {
    const { root } = this.#parts
    this.#watch.stop()
    aimAt(root, null)
    delete root.dataset['carrying']
    const was = this.#carried
    this.#carried = null
    return was
  }

  /** Into its sorted place, once the stage on screen shows it; where that is out of sight, it fades. */
  #landInSight(was: Carried, slug: string) {
    const { slots, board } = this.#parts
    const before = slots.look()
    board().onOrigin(null)
    board().onHold(false)
    slots.onceShown({ leadId: was.leadId, slug }, (card) => {
      slots.slide(before)
      if (!card) return was.likeness.fade(() => this.#clear(was))
      // Unseen, and yet able to have the focus.
      card.toggleAttribute('data-landing', true)
      was.likeness.flyTo(card.getBoundingClientRect(), () => {
        card.toggleAttribute('data-landing', false)
        flash(card)
        this.#clear(was)
      })
    })
  }

  #landInTab(was: Carried, index: number) {
    const { root, slots } = this.#parts
    const tab = tabsOf(root)[index]
    if (!tab) return this.#clear(was)
    pulse(tab)
    const onDone = () => slots.close(was.leadId, () => this.#clear(was))
    was.likeness.sinkInto(tab.getBoundingClientRect(), onDone)
  }

  #clear({ article, likeness, from }: Carried) {
    const { root, board, show } = this.#parts
    markOrigin([article, tabsOf(root)[from]], false)
    likeness.end()
    show(null)
    board().onOrigin(null)
    board().onHold(false)
  }
}

/** Where the card came from: its place, and its stage. */
function markOrigin(elements: readonly (HTMLElement | undefined)[], isOrigin: boolean) {
  for (const element of elements) element?.toggleAttribute('data-origin', isOrigin)
}
