// Moves the pages of the phone's board: holds `p`, paints what depends on it, and animates it to rest.
//
//      +------------------ turn, see ------------------+
//      |                                               v
//   at rest -- begin --> dragged -- end, cancel --> moving -- arrived --> at rest
//                           ^                        |  ^
//                         begin                 grab |  | letGo
//                           |                        v  |
//                           +--------------------- stopped
//
// `see` moves to a neighbour only; it shows a stage further away at once, with a cross-fade.
import { motionValue } from 'framer-motion/dom'
import { DURATION, SPRING, wantsLessMotion } from '#ui/motion/motion.ts'
import { type Run, springTo } from '#ui/motion/spring.ts'
import { clamp } from './gesture-rules.ts'
import type { Gesture, Release } from './gesture.ts'
import { createPagerPaint } from './pager-paint.ts'
import { draggedTo, pageTarget, scrubTarget } from './pager-rules.ts'

type PagerHost = {
  /** The stage nearest to `p` has changed. */
  onNear: (index: number) => void
  /** Called when `p` starts moving to this stage. */
  onTarget: (index: number) => void
}

/** A touch catches a moving page that is at least this far from rest, in px. */
const CAUGHT_FROM = 4

export class PagerMotion {
  readonly #root: HTMLElement
  readonly #host: PagerHost
  readonly #painting: ReturnType<typeof createPagerPaint>
  readonly #p = motionValue(0)
  #last = 0
  #target: number
  #near: number
  #run: Run | null = null

  constructor(root: HTMLElement, active: number, host: PagerHost) {
    this.#root = root
    this.#host = host
    this.#painting = createPagerPaint(root)
    this.#target = active
    this.#near = active
    this.#p.set(active)
    this.#p.on('change', (now) => this.#follow(now))
  }

  /** The index of the stage on screen, or of the stage to which the pages move. */
  get target(): number {
    return this.#target
  }

  /** The tabs' positions on screen. */
  get tabs() {
    return this.#painting.tabs()
  }

  /** The board calls this after each render, with the stage in the address and the number of stages. */
  see(active: number, count: number) {
    this.#last = Math.max(0, count - 1)
    this.#painting.collect()
    this.#painting.paint(this.#p.get())
    if (active === this.#target || this.#root.dataset['dragging'] !== undefined) return
    if (Math.abs(active - this.#p.get()) < 2) return this.#go(active)
    // The pages do not pass the stages between; the screen cross-fades to the distant stage at once.
    this.#run?.stop()
    this.#target = active
    this.#p.set(active)
    this.#rest()
  }

  isMoving(): boolean {
    const way = Math.abs(this.#p.get() - this.#target) * this.#painting.width()
    return this.#run !== null && way > CAUGHT_FROM
  }

  /** Stops the movement where it is, because the user touched the pages. */
  grab() {
    this.#run?.stop()
    this.#run = null
  }

  /** Moves to the nearest stage, because a touch ended without a drag. */
  letGo() {
    if (this.#run) return
    if (this.#p.get() === this.#target) this.#rest()
    else this.turn(clamp(Math.round(this.#p.get()), 0, this.#last))
  }

  /** Turns to a stage and updates the address. */
  turn(index: number, velocity = 0) {
    this.#go(index, velocity)
    this.#host.onTarget(index)
  }

  /** Returns the gesture that drags the pages, or the tabs, which turn three stages in the time of one. */
  gesture(kind: 'page' | 'rail'): Gesture {
    let startP = 0
    let unit = 1
    const release = ({ dx, velocity }: Release) => {
      const at = { p: this.#p.get(), velocity, last: this.#last }
      const index =
        kind === 'page'
          ? pageTarget({ ...at, from: this.#target, dx, width: unit })
          : scrubTarget({ ...at, unit })
      this.turn(index, (-velocity * 1000) / unit)
    }
    const lift = (then: () => void) => {
      delete this.#root.dataset['dragging']
      then()
    }
    return {
      begin: () => {
        this.grab()
        this.#root.dataset['moving'] = ''
        this.#root.dataset['dragging'] = kind
        startP = this.#p.get()
        unit = kind === 'page' ? this.#painting.width() : this.#painting.meanTab()
      },
      move: ({ x }) => this.#p.set(draggedTo(startP, x, { unit, last: this.#last })),
      end: (released) => lift(() => release(released)),
      cancel: () => lift(() => this.turn(this.#target)),
    }
  }

  end() {
    this.#run?.stop()
    this.#painting.end()
    this.#p.destroy()
    this.#rest()
  }

  #follow(p: number) {
    this.#painting.paint(p)
    const nearest = clamp(Math.round(p), 0, this.#last)
    // Stages between are not reported as shown, because the target already has the focus.
    const isPassed = this.#run !== null && nearest !== this.#target
    if (nearest === this.#near || isPassed) return
    this.#near = nearest
    this.#host.onNear(nearest)
  }

  #go(index: number, velocity = 0) {
    this.#run?.stop()
    this.#target = index
    if (index === this.#p.get()) return this.#rest()
    this.#root.dataset['moving'] = ''
    if (wantsLessMotion()) this.#painting.fade()
    this.#run = springTo(this.#p, {
      to: index,
      spring: SPRING.snap,
      velocity,
      px: 1 / this.#painting.width(),
      mostMs: DURATION.snapMost,
      onDone: () => this.#rest(),
    })
  }

  #rest() {
    this.#run = null
    delete this.#root.dataset['moving']
  }
}
