// A page over WebDriver: elements are found by role and name, and awaited until they can be used.
import { vi } from 'vitest'
import { type Driver, DriverError, type NodeRef } from './webdriver.ts'
import { findThings, placeAtRest, selectAll, type Role, type Step } from './finding.ts'

type Point = { x: number; y: number }

/** Enough for an animation on a busy machine; an element that is missing by then will not appear. */
const PATIENCE_MS = 20_000
/** Passing errors: the page was rendering, or something covered the element. */
const PASSING = [
  'element click intercepted',
  'element not interactable',
  'no such element',
  'stale element reference',
]
const DRAG_STEPS = 8
const STEP_MS = 16

export type Page = ReturnType<typeof createPage>

export function createPage(driver: Driver, origin: string) {
  return {
    run: driver.run,
    goto: (address: string) => driver.send('POST', '/url', { url: new URL(address, origin).href }),
    reload: () => driver.send('POST', '/refresh'),
    back: () => driver.send('POST', '/back'),
    address: () => driver.run(() => location.pathname + location.search),
    /** All visible text of the page. */
    text: () => driver.run(() => document.body.innerText),
    /** A screenshot as PNG. */
    picture: async () => Buffer.from(String(await driver.send('GET', '/screenshot')), 'base64'),
    find: (role: Role, name: string | RegExp) => createThing(driver, [toStep(role, name)]),
    /** Presses a pointer, moves it in a straight line, rests, and lifts it. */
    drag: async (from: Point, by: Point) => {
      const to = (part: number) => ({
        type: 'pointerMove',
        duration: part === 0 ? 0 : STEP_MS,
        x: Math.round(from.x + by.x * part),
        y: Math.round(from.y + by.y * part),
      })
      const actions = [
        to(0),
        { type: 'pointerDown', button: 0 },
        ...Array.from({ length: DRAG_STEPS }, (_, step) => to((step + 1) / DRAG_STEPS)),
        { type: 'pause', duration: 100 },
        { type: 'pointerUp', button: 0 },
      ]
      await driver.send('POST', '/actions', {
        actions: [{ type: 'pointer', id: 'pointer', parameters: { pointerType: 'touch' }, actions }],
      })
      await driver.send('DELETE', '/actions')
    },
  }
}

function createThing(driver: Driver, steps: readonly Step[]) {
  const all = () => driver.run(findThings, steps)
  /**
   * Runs the work on the element with that name; waits for a moving one, which would have left by the time it is
   * touched.
   */
  const use = async <T>(work: (node: NodeRef) => T | Promise<T>): Promise<T> => {
    const attempt = async () => {
      const [thing, ...others] = await all()
      if (!thing || others.length > 0)
        throw new DriverError('no such element', `not one alone: ${JSON.stringify(steps)}`)
      await driver.run(placeAtRest, thing.node)
      return work(thing.node)
    }
    const outcome = await vi.waitFor(() => attempt().then((value) => ({ value }), asFinal), {
      timeout: PATIENCE_MS,
    })
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
  return {
    find: (role: Role, name: string | RegExp) => createThing(driver, [...steps, toStep(role, name)]),
    count: async () => (await all()).length,
    /** The text of all elements that match, a line each. */
    text: async () => (await all()).map(({ text }) => text).join('\n'),
    click: () => use((node) => driver.sendTo(node, '/click')),
    /** Types with the keyboard, replacing the current text. */
    fill: (text: string) =>
      use(async (node) => {
        await driver.run(selectAll, node)
        await driver.sendTo(node, '/value', { text })
      }),
    box: () => use((node) => driver.run(placeAtRest, node)),
  }
}

/** An error that will not pass ends the wait. */
function asFinal(error: unknown): { error: unknown } {
  if (error instanceof DriverError && PASSING.includes(error.code)) throw error
  return { error }
}

function toStep(role: Role, name: string | RegExp): Step {
  return { role, name: typeof name === 'string' ? name : name.source, isPattern: typeof name !== 'string' }
}
