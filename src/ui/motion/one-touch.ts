// The recogniser of touches outside the board: follows one pointer from press to release, and decides once whose it is.

/** How far the pointer is from where it was pressed, in px. */
export type Way = { dx: number; dy: number }

type At = { clientX: number; clientY: number; pointerId?: number | undefined }

/** true: the movement is ours; false: it is the browser's, for scrolling; null: not known yet. */
type Decide = (way: Way) => boolean | null

/** Only lifting the finger decides. A touch that the system takes away (a call, an edge gesture) ends without effect. */
export const isLifted = ({ type }: { type: string }) => type === 'touchend' || type === 'pointerup'

export class OneTouch {
  readonly #decide: Decide
  #from: At | null = null
  #isOurs: boolean | null = null
  #way: Way = { dx: 0, dy: 0 }

  constructor(decide: Decide) {
    this.#decide = decide
  }

  /** Follows this pointer from now on. */
  press({ clientX, clientY, pointerId }: At) {
    this.#from = { clientX, clientY, pointerId }
    this.#way = { dx: 0, dy: 0 }
    this.#isOurs = this.#decide(this.#way)
  }

  /** Whether it is the pointer that was pressed. */
  holds({ pointerId }: { pointerId?: number | undefined }) {
    return this.#from !== null && this.#from.pointerId === pointerId
  }

  /** The way so far, if the movement is ours. */
  move(at: At): Way | null {
    if (!this.#from || !this.holds(at)) return null
    this.#way = { dx: at.clientX - this.#from.clientX, dy: at.clientY - this.#from.clientY }
    this.#isOurs ??= this.#decide(this.#way)
    return this.#isOurs ? this.#way : null
  }

  /** The whole way, if the movement was ours and the finger was lifted. */
  end(event: { type: string }): Way | null {
    const isMeant = this.#isOurs && isLifted(event)
    this.#from = this.#isOurs = null
    return isMeant ? this.#way : null
  }
}
