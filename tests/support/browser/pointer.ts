// A touch pointer: real touch events through the debugger protocol, each with its own timestamp, so that the test sets
// the speed and not the machine.
import type { CDPSession, Locator, Page } from '@playwright/test'

type Point = { x: number; y: number }

export type Pointer = ReturnType<typeof pointerOf>

/** The form of the debugger protocol; the time is in seconds. */
export type TouchEvent = {
  type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel'
  touchPoints: (Point & { id: number })[]
  timestamp: number
}

/** Time between two events of one movement. */
const STEP_MS = 16
/** Steps of a movement, unless the test gives its duration. */
const STEPS = 8

export async function pointerOn(page: Page) {
  return pointerOf(await touchesOn(page))
}

/**
 * In sequence. Only a press does not wait for its answer, because the browser might take the delay for a long press.
 */
export async function touchesOn(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page)
  return async (events: readonly TouchEvent[]) => {
    const sent: Promise<unknown>[] = []
    for (const event of events) {
      sent.push(session.send('Input.dispatchTouchEvent', event))
      if (event.type !== 'touchStart') await sent.at(-1)
    }
    await Promise.all(sent)
  }
}

/** For any receiver of touches; all events of a movement are sent together. */
export function pointerOf(touch: (events: readonly TouchEvent[]) => Promise<void>) {
  let timeMs = Date.now()
  let at: Point = { x: 0, y: 0 }
  let isDown = false
  const now = (type: TouchEvent['type'], touchPoints: TouchEvent['touchPoints']) => ({
    type,
    touchPoints,
    timestamp: timeMs / 1000,
  })
  const send = (...event: Parameters<typeof now>) => touch([now(...event)])

  const pointer = {
    /**
     * `heldMs`: pressed this long ago and still down. Later events then lie in the past, because browsers do not scroll
     * by events from the future.
     */
    down: async (x: number, y: number, heldMs = 0) => {
      timeMs = Math.max(timeMs + 200, Date.now() - heldMs)
      at = { x, y }
      isDown = true
      await send('touchStart', [{ ...at, id: 0 }])
      timeMs += heldMs
    },
    /** Moves in a straight line; `ms` is the duration. */
    to: async (x: number, y: number, ms = STEPS * STEP_MS) => {
      const from = at
      const steps = Math.max(1, Math.round(ms / STEP_MS))
      const events: TouchEvent[] = []
      for (let step = 1; step <= steps; step++) {
        timeMs += ms / steps
        at = { x: from.x + ((x - from.x) * step) / steps, y: from.y + ((y - from.y) * step) / steps }
        events.push(now('touchMove', [{ ...at, id: 0 }]))
      }
      await touch(events)
    },
    by: (dx: number, dy: number, ms?: number) => pointer.to(at.x + dx, at.y + dy, ms),
    /** Lifts all pointers, if any is down, after a rest unless it flicks. */
    up: async (restMs = 100) => {
      timeMs += restMs
      if (!isDown) return
      isDown = false
      await send('touchEnd', [])
    },
    /** Lifts at full speed. */
    flick: () => pointer.up(4),
    /** A second pointer is pressed while the first is down. */
    second: async (x: number, y: number) => {
      timeMs += 10
      await send('touchStart', [
        { ...at, id: 0 },
        { x, y, id: 1 },
      ])
    },
    /** The system cancels the touch: a call, a notification. */
    taken: async () => {
      timeMs += 10
      isDown = false
      await send('touchCancel', [])
    },
  }
  return pointer
}

/** Frames without movement. */
const REST_FRAMES = 10

/** The resting position: a moving element would have left the point by the time it is pressed. */
export async function restOf(locator: Locator) {
  await locator.evaluate(
    (node, frames) =>
      new Promise<void>((resolve) => {
        let place = ''
        let still = 0
        const poll = () => {
          const { x, y } = node.getBoundingClientRect()
          still = place === `${x} ${y}` ? still + 1 : 0
          place = `${x} ${y}`
          if (still === frames) resolve()
          else requestAnimationFrame(poll)
        }
        poll()
      }),
    REST_FRAMES,
  )
  return boxOf(locator)
}

export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  if (!box) throw new Error('nothing to touch')
  return { ...box, middle: box.y + box.height / 2 }
}
