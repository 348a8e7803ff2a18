// The device that a test holds: a phone under touch or a desk with a mouse, light or dark, and what a person does with it,
// by the browser's own input.
import { expect } from 'vitest'
import { cdp, commands, type Locator, page } from 'vitest/browser'
import { pointerOf } from '../browser/pointer.ts'
import { letTimeGoOn, passTime, stopTime } from './time.ts'

type Media = { colorScheme?: 'light' | 'dark'; reducedMotion?: 'reduce' | 'no-preference' }

export async function onPhone() {
  navigator.vibrate = (pattern) => felt.push(pattern) > 0
  await send('Emulation.setDeviceMetricsOverride', {
    width: 390,
    height: 844,
    deviceScaleFactor: 2,
    mobile: true,
  })
  await page.viewport(390, 844)
  await send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 })
}

/** How it trembled, in its order; nothing of the test before. */
export const felt: unknown[] = []

/** `hasTouch`: its screen takes a pointer, too. */
export async function onDesk({ hasTouch = false, width = 1440, height = 900 } = {}) {
  await send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    deviceScaleFactor: 1,
    mobile: false,
  })
  await page.viewport(width, height)
  await send('Emulation.setTouchEmulationEnabled', {
    enabled: hasTouch,
    ...(hasTouch && { maxTouchPoints: 5 }),
  })
}

const USUAL: Required<Media> = { colorScheme: 'light', reducedMotion: 'no-preference' }
let media = USUAL

/** Until the end of the test; what is not said stays. */
export async function emulate(changed: Media) {
  media = { ...media, ...changed }
  const { colorScheme, reducedMotion } = media
  await send('Emulation.setEmulatedMedia', {
    features: [
      { name: 'prefers-color-scheme', value: colorScheme },
      { name: 'prefers-reduced-motion', value: reducedMotion },
    ],
  })
}

export const emulateNothing = () => emulate(USUAL)

function send(method: string, params: object): Promise<unknown> {
  return (cdp() as unknown as { send: (method: string, params: object) => Promise<unknown> }).send(
    method,
    params,
  )
}

/** The screen lies in a larger page, by whose corner the debugger's door measures. */
function inPage({ x, y }: { x: number; y: number }) {
  const frame = window.frameElement?.getBoundingClientRect()
  return { x: x + (frame?.x ?? 0), y: y + (frame?.y ?? 0) }
}

export type Pointer = ReturnType<typeof pointerOn>

const lifts = new Set<() => Promise<void>>()

/** What a test that failed left on the glass would be the next one's second pointer. */
export async function releasePointers() {
  for (const lift of lifts) await lift()
  lifts.clear()
}

/**
 * One pointer on the glass. How long it presses is what the test says, and not what the machine takes until it moves.
 */
export function pointerOn() {
  const pointer = pointerOf((events) =>
    commands.touch(
      events.map(({ touchPoints, ...event }) => ({
        ...event,
        touchPoints: touchPoints.map((point) => ({ ...point, ...inPage(point) })),
      })),
    ),
  )
  lifts.add(pointer.up)
  let hasStoppedTime = false
  const thenGoOn =
    <Rest extends unknown[]>(move: (...rest: Rest) => Promise<void>) =>
    async (...rest: Rest) => {
      await move(...rest)
      // What follows a pointer is drawn with the next frame.
      await new Promise(requestAnimationFrame)
      if (hasStoppedTime) letTimeGoOn()
      hasStoppedTime = false
    }
  return {
    ...pointer,
    /** `pressedMs`: how long it has been there by the timers of the app; `heldMs`: by the events' own time. */
    down: async (x: number, y: number, { pressedMs = 0, heldMs = 0 } = {}) => {
      hasStoppedTime = stopTime()
      const heard = new Promise((resolve) =>
        addEventListener('pointerdown', resolve, { once: true, capture: true }),
      )
      await pointer.down(x, y, heldMs)
      await heard
      passTime(pressedMs)
    },
    to: thenGoOn(pointer.to),
    by: thenGoOn(pointer.by),
    up: thenGoOn(pointer.up),
    flick: thenGoOn(pointer.flick),
    second: thenGoOn(pointer.second),
    taken: thenGoOn(pointer.taken),
  }
}

/** What was drawn before is what the browser goes by: it scrolls as of the frame before the last that it was given. */
export async function painted() {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
}

/** Comes down in the middle of what is seen of it, and is lifted again. */
export async function tap(locator: Locator) {
  await expect.element(locator).toBeInTheDocument()
  // What arrives above it may still push it down.
  await restOf(locator)
  locator.element().scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
  const { left, middle, width } = await restOf(locator)
  // What follows something else may be scrolled back by it, as the rail of the stages is by their pages.
  const x = (Math.max(left, 0) + Math.min(left + width, innerWidth)) / 2
  const at = inPage({ x, y: middle })
  const seconds = Date.now() / 1000
  // On a busy machine a timer of the app would take it for a pointer that presses long.
  const hasStoppedTime = stopTime()
  await commands.touch([
    { type: 'touchStart', touchPoints: [{ ...at, id: 0 }], timestamp: seconds },
    { type: 'touchEnd', touchPoints: [], timestamp: seconds + 0.05 },
  ])
  // The app hears of it before it draws.
  await new Promise(requestAnimationFrame)
  if (hasStoppedTime) letTimeGoOn()
}

/** Where it came to rest: what still moves has left the point by the time a pointer is there. */
export async function restOf(locator: Locator) {
  await expect.element(locator).toBeVisible()
  let place = boxOf(locator)
  for (let still = 0; still < STILL_FRAMES;) {
    await new Promise(requestAnimationFrame)
    const now = boxOf(locator)
    still = now.left === place.left && now.top === place.top ? still + 1 : 0
    place = now
  }
  return place
}

/** Frames in which nothing moves. */
const STILL_FRAMES = 4

export function boxOf(locator: Locator) {
  const { left, top, width, height } = locator.element().getBoundingClientRect()
  return { left, top, width, height, middle: top + height / 2 }
}

/** No two of them overlap. */
export function expectApart(boxes: readonly ReturnType<typeof boxOf>[]) {
  const meets = (a: (typeof boxes)[number], b: (typeof boxes)[number]) =>
    a.left < b.left + b.width - 0.5 &&
    b.left < a.left + a.width - 0.5 &&
    a.top < b.top + b.height - 0.5 &&
    b.top < a.top + a.height - 0.5
  expect(boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) => meets(a, b)))).toEqual([])
}

const LEFT = { button: 'left', buttons: 1, clickCount: 1 } as const

/** The mouse, where it stands. */
export function takeMouse() {
  let at = { x: 0, y: 0 }
  let isDown = false
  const tell = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', button: object) =>
    send('Input.dispatchMouseEvent', { type, ...inPage(at), ...button })
  const mouse = {
    /** In so many steps of a straight line. */
    to: async (x: number, y: number, steps = 1) => {
      const from = at
      for (let step = 1; step <= steps; step++) {
        at = { x: from.x + ((x - from.x) * step) / steps, y: from.y + ((y - from.y) * step) / steps }
        await tell('mouseMoved', isDown ? { button: 'left', buttons: 1 } : {})
      }
    },
    down: async () => {
      isDown = true
      await tell('mousePressed', LEFT)
    },
    up: async () => {
      isDown = false
      await tell('mouseReleased', { ...LEFT, buttons: 0 })
    },
  }
  return mouse
}
