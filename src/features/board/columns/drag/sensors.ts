// What starts a drag: 5 px of movement with a mouse, 150 ms with touch, space with a keyboard.
import {
  type Activators,
  MouseSensor,
  type Sensor,
  type SensorInstance,
  type SensorOptions,
  type SensorProps,
  TouchSensor,
} from '@dnd-kit/core'
import { flushSync } from 'react-dom'
import type { Point } from './rules.ts'

export const MOUSE = { activationConstraint: { distance: 5 } }
export const TOUCH = { activationConstraint: { delay: 150, tolerance: 5 } }

/** Renders the drag's start synchronously, because a release right after it would otherwise find no drag to end. */
function startingAtOnce<T extends SensorOptions>(props: SensorProps<T>): SensorProps<T> {
  return { ...props, onStart: (coordinates) => flushSync(() => props.onStart(coordinates)) }
}

export class BoardMouseSensor extends MouseSensor {
  constructor(props: ConstructorParameters<typeof MouseSensor>[0]) {
    super(startingAtOnce(props))
  }
}

export class BoardTouchSensor extends TouchSensor {
  constructor(props: ConstructorParameters<typeof TouchSensor>[0]) {
    super(startingAtOnce(props))
  }
}

export type StepOptions = {
  /** Moves the card one column to the right (1) or left (-1) and returns its new position; null if it cannot move. */
  step: (by: number) => Point | null
}

const STEP: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }
const DROPS = ['Space', 'Enter']

/**
 * Arrow keys move the card from column to column. The library's own keyboard sensor would scroll instead, on a board
 * wider than the window.
 */
class StepSensor implements SensorInstance {
  static activators: Activators<StepOptions> = [
    {
      eventName: 'onKeyDown',
      handler: ({ nativeEvent }: { nativeEvent: KeyboardEvent }) => {
        if (nativeEvent.code !== 'Space') return false
        nativeEvent.preventDefault()
        return true
      },
    },
  ]
  autoScrollEnabled = false
  #props: SensorProps<StepOptions>
  #listening = new AbortController()

  constructor(props: SensorProps<StepOptions>) {
    this.#props = startingAtOnce(props)
    const { signal } = this.#listening
    const cancel = () => this.#end('onCancel')
    document.addEventListener('keydown', (event) => event !== props.event && this.#heed(event), { signal })
    document.addEventListener('pointerdown', cancel, { signal })
    document.addEventListener('visibilitychange', cancel, { signal })
    window.addEventListener('resize', cancel, { signal })
    this.#props.onStart({ x: 0, y: 0 })
  }

  #heed(event: KeyboardEvent) {
    const by = STEP[event.code]
    if (event.code === 'Tab') return this.#end('onCancel')
    event.preventDefault()
    if (event.code === 'Escape') return this.#end('onCancel')
    // A held key repeats, and must not drop the card that its first press picked up.
    if (DROPS.includes(event.code) && !event.repeat) return this.#end('onEnd')
    const coordinates = by === undefined ? null : this.#props.options.step(by)
    if (coordinates) this.#props.onMove(coordinates)
  }

  #end(how: 'onEnd' | 'onCancel') {
    this.#listening.abort()
    this.#props[how]()
  }
}

export const STEP_SENSOR: Sensor<StepOptions> = StepSensor
