// A sideways swipe on a card: it follows the pointer, shows the target stage, and moves there or returns.
import { motionValue, type MotionValue } from 'framer-motion/dom'
import { leadIdOf } from '../ground/use-card-focus.ts'
import type { Stage } from '#domain/stage.ts'
import { tremble } from '#ui/feedback/haptics.ts'
import { DURATION, SPRING } from '#ui/motion/motion.ts'
import { easeTo, type Run, springTo } from '#ui/motion/spring.ts'
import {
  aimAt,
  findLead,
  type GestureBoard,
  type Grip,
  type GrippedCard,
  type Gesture,
  type Point,
  type Release,
  tabsOf,
} from './gesture.ts'
import { pulse, type ListAnimation } from '../columns/list-animation.ts'
import { commits, isPast, leaveMs, thresholdOf, tiltAt, withoutNeighbour } from './swipe-rules.ts'
import { asksFirst } from '../moves/use-board-moves.ts'

/** A swiped card flies this far beyond the screen's side, in px. */
const BEYOND = 24

export type SwipeView = {
  page: Element
  /** The card's box within its page. */
  box: GrippedCard['inPage']
  x: MotionValue<number>
  /** The direction of the swipe: 1 to the next stage, -1 to the previous one. */
  side: 1 | -1
  /** The stage on that side; null if there is none. */
  stage: Stage | null
  isPast: boolean
}

type SwipeParts = {
  root: HTMLElement
  board: () => GestureBoard
  listAnimation: ListAnimation
  show: (view: SwipeView | null) => void
}

type Swiped = {
  article: HTMLElement
  view: SwipeView
  threshold: number
  /** The index of the stage where the card is. */
  from: number
  /** The card's offset in px when the swipe began. It is not 0 if the pointer caught the card on its way back. */
  startX: number
  /** True until the layer below the card shows the target stage. */
  isNew: boolean
}

export class CardSwipe implements Gesture {
  readonly #parts: SwipeParts
  #swiped: Swiped | null = null
  /** Cards that have flown off the screen, with the index of their stage, until a render removes them. */
  readonly #gone = new Map<HTMLElement, number>()
  #run: Run | null = null

  constructor(parts: SwipeParts) {
    this.#parts = parts
  }

  begin({ card }: Grip) {
    if (!card) return
    if (this.#swiped?.article === card.article) this.#run?.stop()
    else this.finish()
    const { shown, onHold } = this.#parts.board()
    const swiped = this.#swiped ?? take(card, shown)
    this.#swiped = { ...swiped, startX: swiped.view.x.get(), isNew: true }
    onHold(true)
  }

  move({ x: moved }: Point) {
    if (!this.#swiped) return
    const { startX, isNew, view, threshold } = this.#swiped
    const dx = startX + moved
    const side = dx < 0 ? -1 : 1
    if (isNew || side !== view.side) this.#turnTo(side)
    const { stage, isPast: wasPast, x } = this.#swiped.view
    x.set(stage ? dx : withoutNeighbour(dx))
    const past = stage !== null && isPast(dx, threshold, wasPast)
    if (past === wasPast) return
    this.#see({ isPast: past })
    if (past) tremble('threshold')
  }

  end({ velocity }: Release) {
    if (!this.#swiped) return
    const { article, threshold, view } = this.#swiped
    const { board } = this.#parts
    const lead = findLead(board().newest, leadIdOf(article))
    const isMeant = commits({ dx: view.x.get(), velocity, threshold })
    if (!lead || !view.stage || !isMeant) return this.#home(velocity)
    // Stores the move before the animation, because the user may close the app at any moment.
    board().moves.move(lead, view.stage.slug, 'swipe')
    if (asksFirst(view.stage)) this.#home(0)
    else this.#leave(velocity)
  }

  cancel() {
    this.#home(0)
  }

  /** Jumps to the end of running animations. */
  finish() {
    this.#run?.finish()
  }

  /**
   * The board calls this after each render. A card whose move was reverted is still in its list and becomes visible
   * again.
   */
  see() {
    const { newest } = this.#parts.board()
    for (const [article, from] of this.#gone) {
      const stands = newest[from]?.leads.some(({ id }) => id === leadIdOf(article))
      if (stands) clear(article)
      if (stands || !article.isConnected) this.#gone.delete(article)
    }
  }

  #turnTo(side: 1 | -1) {
    if (!this.#swiped) return
    this.#swiped.isNew = false
    const stage = this.#parts.board().columns[this.#swiped.from + side]?.stage ?? null
    this.#see({ side, stage, isPast: false })
  }

  #see(change: Partial<SwipeView>) {
    if (!this.#swiped) return
    const { root, show } = this.#parts
    const view = { ...this.#swiped.view, ...change }
    this.#swiped.view = view
    show(view)
    aimAt(root, view.isPast ? this.#swiped.from + view.side : null)
  }

  /** Lets the card spring back to its place. */
  #home(velocity: number) {
    if (!this.#swiped) return
    const { article, view } = this.#swiped
    const onDone = () => {
      clear(article)
      this.#forget()
    }
    const run = { spring: SPRING.home, velocity: velocity * 1000, mostMs: DURATION.homeMost }
    this.#run = springTo(view.x, { ...run, to: 0, onDone })
  }

  #leave(velocity: number) {
    if (!this.#swiped) return
    const { article, view, from } = this.#swiped
    const { root, listAnimation } = this.#parts
    const to = view.side * (root.clientWidth + BEYOND)
    const onDone = () => {
      pulse(tabsOf(root)[from + view.side])
      listAnimation.close(leadIdOf(article), () => this.#forget())
      this.#gone.set(article, from)
      this.see()
    }
    this.#run = easeTo(view.x, { to, ms: leaveMs(Math.abs(to - view.x.get()), velocity), onDone })
  }

  #forget() {
    const { root, board, show } = this.#parts
    this.#swiped = null
    this.#run = null
    show(null)
    aimAt(root, null)
    board().onHold(false)
  }
}

function take({ article, page, inPage }: GrippedCard, from: number): Swiped {
  const x = motionValue(0)
  x.on('change', (now) => {
    article.style.transform = `translateX(${now}px) rotate(${tiltAt(now)}deg)`
  })
  article.dataset['swiped'] = ''
  const view: SwipeView = { page, box: inPage, x, side: 1, stage: null, isPast: false }
  return { article, view, threshold: thresholdOf(inPage.width), from, startX: 0, isNew: true }
}

function clear(article: HTMLElement) {
  article.style.transform = ''
  delete article.dataset['swiped']
}
