// The device of a component test: a phone with touch or a desktop with a mouse, light or dark, and the browser's real
// input.
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

/** Chooses by keyboard, because the choice's visible position may still be animated. */
export async function chooseByKey(choice: Locator) {
  await expect.element(choice).toBeInTheDocument()
  const element = choice.element() as HTMLElement
  element.focus()
  element.click()
}

/** The vibrations of the current test, in order. */
export const felt: unknown[] = []

/** `hasTouch`: its screen also accepts touch. */
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

/** Until the end of the test; omitted settings stay. */
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

/** The tested screen is inside a larger page, from whose corner the debugger protocol measures. */
function inPage({ x, y }: { x: number; y: number }) {
  const frame = window.frameElement?.getBoundingClientRect()
  return { x: x + (frame?.x ?? 0), y: y + (frame?.y ?? 0) }
}

export type Pointer = ReturnType<typeof pointerOn>

const lifts = new Set<() => Promise<void>>()

/** A failed test may leave pointers pressed, which would be second pointers in the next test. */
export async function releasePointers() {
  for (const lift of lifts) await lift()
  lifts.clear()
}

/** One touch pointer. The test sets how long it presses, independent of the machine. */
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
  const goOn = async () => {
    // Movements that follow a pointer are painted in the next frame.
    await new Promise(requestAnimationFrame)
    if (hasStoppedTime) letTimeGoOn()
    hasStoppedTime = false
  }
  const thenGoOn =
    <Rest extends unknown[]>(move: (...rest: Rest) => Promise<void>) =>
    async (...rest: Rest) => {
      await move(...rest)
      await goOn()
    }
  return {
    ...pointer,
    /** `pressedMs`: how long it is down by the app's timers; `heldMs`: by the events' timestamps. */
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
    /** The system takes the touch away; `passedMs`: how much of the app's time passes afterwards. */
    taken: async ({ passedMs = 0 } = {}) => {
      await pointer.taken()
      await new Promise(requestAnimationFrame)
      passTime(passedMs)
      await goOn()
    },
  }
}

/** Waits for painted frames: the browser scrolls by the state two frames ago. */
export async function painted() {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
}

/** Presses and lifts a pointer in the middle of the visible part. */
export async function tap(locator: Locator) {
  await expect.element(locator).toBeInTheDocument()
  // Content that appears above may still move it down.
  await restOf(locator)
  locator.element().scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
  const { left, middle, width } = await restOf(locator)
  // An element may be scrolled by another one, as the stages' tabs are by their pages.
  const x = (Math.max(left, 0) + Math.min(left + width, innerWidth)) / 2
  // A layer above it that is still closing would get the touch.
  await expect.poll(() => locator.element().contains(document.elementFromPoint(x, middle))).toBe(true)
  const at = inPage({ x, y: middle })
  const seconds = Date.now() / 1000
  // On a busy machine a timer of the app would take it for a long press.
  const hasStoppedTime = stopTime()
  await commands.touch([
    { type: 'touchStart', touchPoints: [{ ...at, id: 0 }], timestamp: seconds },
    { type: 'touchEnd', touchPoints: [], timestamp: seconds + 0.05 },
  ])
  // The app gets the event before it paints.
  await new Promise(requestAnimationFrame)
  if (hasStoppedTime) letTimeGoOn()
}

/** The resting position: a moving element would have left the point by the time it is pressed. */
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

/** Frames without movement. */
const STILL_FRAMES = 4

export function boxOf(locator: Locator) {
  const { left, top, width, height } = locator.element().getBoundingClientRect()
  return { left, top, width, height, middle: top + height / 2 }
}

/** The part of an element that a touch at its middle line or column reaches, where neighbours may lie above it. */
export function targetOf(locator: Locator) {
  const element = locator.element()
  const { left, width, middle } = boxOf(locator)
  const isHit = (x: number, y: number) => element.contains(document.elementFromPoint(x, y))
  const reach = (hit: (by: number) => boolean) => {
    let by = 0
    while (by < 60 && hit(by)) by += 0.5
    return by
  }
  const x = left + width / 2
  return {
    width: reach((by) => isHit(x + by, middle)) + reach((by) => isHit(x - by, middle)),
    height: reach((by) => isHit(x, middle + by)) + reach((by) => isHit(x, middle - by)),
  }
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

/** The mouse at its current position. */
export function takeMouse() {
  let at = { x: 0, y: 0 }
  let isDown = false
  const tell = (type: 'mouseMoved' | 'mousePressed' | 'mouseReleased', button: object) =>
    send('Input.dispatchMouseEvent', { type, ...inPage(at), ...button })
  const mouse = {
    /** In this many steps of a straight line. */
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
