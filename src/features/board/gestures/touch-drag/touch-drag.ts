// A touch drag: the card follows the pointer over the board, turns pages at the edges, and lands where it is dropped.
import { tremble } from '#ui/feedback/haptics.ts'
import { leadIdOf } from '../../ground/use-card-focus.ts'
import { type TouchDragView, createDragPreview, type DragPreview } from './preview.ts'
import { createDragTargets } from './targets.ts'
import { clamp } from '../gesture-rules.ts'
import {
  aimAt,
  findLead,
  type GestureBoard,
  type Grip,
  type Gesture,
  type Point,
  tabsOf,
} from '../gesture.ts'
import type { PagerMotion } from '#features/board/gestures/pager-motion.ts'
import { flash, pulse, type ListAnimation } from '#features/board/columns/list-animation.ts'

type TouchDragParts = {
  root: HTMLElement
  board: () => GestureBoard
  pager: PagerMotion
  listAnimation: ListAnimation
  show: (view: TouchDragView | null) => void
}

type Dragged = {
  leadId: number
  article: HTMLElement
  dragPreview: DragPreview
  /** The index of the stage where the drag began. */
  from: number
}

export class TouchDrag implements Gesture {
  readonly #parts: TouchDragParts
  readonly #watch: ReturnType<typeof createDragTargets>
  #carried: Dragged | null = null

  constructor(parts: TouchDragParts) {
    this.#parts = parts
    this.#watch = createDragTargets(parts)
  }

  isOn(): boolean {
    return this.#carried !== null
  }

  begin({ card, x, y }: Grip) {
    if (!card) return
    const { article, frame } = card
    const { root, board, show } = this.#parts
    const from = board().shown
    const dragPreview = createDragPreview(card)
    this.#carried = { leadId: leadIdOf(article), article, dragPreview, from }
    markOrigin([article, tabsOf(root)[from]], true)
    root.dataset['carrying'] = ''
    board().onHold(true)
    board().onOrigin(from)
    show({ ...dragPreview.view, glow: this.#watch.glow })
    tremble('done')
    dragPreview.lift()
    this.#watch.start({ at: { x, y }, from, frame })
  }

  move(moved: Point, at: Point) {
    this.#carried?.dragPreview.follow(moved)
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
    was.dragPreview.fly({ x: 0, y: 0 }, () => this.#clear(was))
  }

  /** By keyboard: turns to a neighbouring stage and returns its index. */
  step(by: 1 | -1): number {
    const { pager, board } = this.#parts
    const to = clamp(pager.target + by, 0, board().columns.length - 1)
    if (to !== pager.target) pager.turn(to)
    return to
  }

  /** By keyboard: drops the card on the shown stage and returns its index. */
  drop(): number {
    const to = this.#parts.pager.target
    this.#release(to)
    return to
  }

  /** Drops the card into a stage. In its own stage, or for null, nothing changes. */
  #release(index: number | null) {
    const { board, pager } = this.#parts
    const { newest, columns, moves } = board()
    const lead = this.#carried && findLead(newest, this.#carried.leadId)
    const slug = index === null ? undefined : columns[index]?.stage.slug
    if (!lead || index === null || slug === undefined || index === this.#carried?.from) return this.cancel()
    const was = this.#letGo()
    if (!was) return
    moves.move(lead, slug, 'drag')
    if (index === pager.target) this.#landInSight(was, slug)
    else this.#landInTab(was, index)
  }

  /** Ends the drag's tracking and returns its data; the preview may still be flying. */
  #letGo(): Dragged | null {
    const { root } = this.#parts
    this.#watch.stop()
    aimAt(root, null)
    delete root.dataset['carrying']
    const was = this.#carried
    this.#carried = null
    return was
  }

  /**
   * Flies the preview to the card's sorted place once the stage shows it. If that place is out of sight, the preview
   * fades.
   */
  #landInSight(was: Dragged, slug: string) {
    const { listAnimation, board } = this.#parts
    const before = listAnimation.look()
    board().onOrigin(null)
    board().onHold(false)
    listAnimation.onceShown({ leadId: was.leadId, slug }, (card) => {
      listAnimation.slide(before)
      if (!card) return was.dragPreview.fade(() => this.#clear(was))
      // The new card is invisible until the preview lands, but can have the focus.
      card.toggleAttribute('data-landing', true)
      was.dragPreview.flyTo(card.getBoundingClientRect(), () => {
        card.toggleAttribute('data-landing', false)
        flash(card)
        this.#clear(was)
      })
    })
  }

  #landInTab(was: Dragged, index: number) {
    const { root, listAnimation } = this.#parts
    const tab = tabsOf(root)[index]
    if (!tab) return this.#clear(was)
    pulse(tab)
    const onDone = () => listAnimation.close(was.leadId, () => this.#clear(was))
    was.dragPreview.sinkInto(tab.getBoundingClientRect(), onDone)
  }

  #clear({ article, dragPreview, from }: Dragged) {
    const { root, board, show } = this.#parts
    markOrigin([article, tabsOf(root)[from]], false)
    dragPreview.end()
    show(null)
    board().onOrigin(null)
    board().onHold(false)
  }
}

/** Marks the card's original place and stage. */
function markOrigin(elements: readonly (HTMLElement | undefined)[], isOrigin: boolean) {
  for (const element of elements) element?.toggleAttribute('data-origin', isOrigin)
}
