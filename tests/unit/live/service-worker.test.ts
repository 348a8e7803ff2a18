// The worker is registered once despite network failures, and its script is not requested offline.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const { worker } = vi.hoisted(() => ({
  worker: { registered: [] as boolean[], answers: [] as boolean[], checks: 0, cutOff: () => {} },
}))
vi.mock('workbox-window', () => ({
  Workbox: class {
    addEventListener(name: string, heard: () => void) {
      if (name === 'redundant') worker.cutOff = heard
    }
    register() {
      const isReached = worker.answers.shift() ?? true
      worker.registered.push(isReached)
      return isReached ? Promise.resolve() : Promise.reject(new TypeError('the script could not be fetched'))
    }
    update() {
      worker.checks++
      return Promise.resolve()
    }
  },
}))

let signal: { onLine: boolean }
let page: EventTarget & { hidden: boolean }
let window: EventTarget

beforeEach(() => {
  Object.assign(worker, { registered: [], answers: [], checks: 0 })
  signal = { onLine: true }
  page = Object.assign(new EventTarget(), { hidden: false })
  window = new EventTarget()
  vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] })
  vi.stubGlobal('navigator', {
    serviceWorker: { controller: null },
    get onLine() {
      return signal.onLine
    },
  })
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** A fresh page with a scripted browser. */
async function openPage() {
  const { keepFresh } = await import('#live/service-worker.ts')
  keepFresh()
  const event = async (target: EventTarget, name: string) => {
    target.dispatchEvent(new Event(name))
    // A refusal arrives after the call.
    await Promise.resolve()
  }
  await Promise.resolve()
  return {
    keepFresh,
    online: () => event(window, 'online'),
    toFront: () => event(page, 'visibilitychange'),
  }
}

test('after a network failure it is registered once online, and never twice', async () => {
  worker.answers = [false, false, true]
  const { keepFresh, online, toFront } = await openPage()
  expect(worker.registered).toEqual([false])
  await online()
  expect(worker.registered).toEqual([false, false])
  await toFront()
  expect(worker.registered).toEqual([false, false, true])
  await online()
  await toFront()
  keepFresh()
  expect(worker.registered).toHaveLength(3)
})

test('after an interrupted install it is registered again: soon, or as soon as it is online', async () => {
  const { online } = await openPage()
  worker.cutOff()
  expect(worker.registered).toHaveLength(1)
  vi.advanceTimersByTime(10_000)
  expect(worker.registered).toHaveLength(2)
  worker.cutOff()
  await online()
  expect(worker.registered).toHaveLength(3)
  vi.advanceTimersByTime(10_000)
  expect(worker.registered).toHaveLength(3)
})

test('a worker replaced by a new version is no interrupted install', async () => {
  Object.assign(navigator.serviceWorker, { controller: {} })
  await openPage()
  worker.cutOff()
  vi.advanceTimersByTime(10_000)
  expect(worker.registered).toHaveLength(1)
})

test('it checks for a new version only when visible and online', async () => {
  const { online, toFront } = await openPage()
  await toFront()
  vi.advanceTimersByTime(60 * 60_000)
  expect(worker.checks).toBe(2)
  signal.onLine = false
  await toFront()
  signal.onLine = true
  page.hidden = true
  await toFront()
  vi.advanceTimersByTime(60 * 60_000)
  await online()
  expect(worker.checks).toBe(2)
})
