// A part of the app that fails to load at first: retried, without leftover listeners.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { untilHere } from '#ui/arrival.ts'

let ears: Set<unknown>
let page: EventTarget
const network = { onLine: true }
beforeEach(() => {
  vi.useFakeTimers()
  network.onLine = true
  page = new EventTarget()
  ears = new Set()
  vi.stubGlobal('navigator', network)
  vi.stubGlobal(
    'addEventListener',
    (name: string, listener: EventListener, how: { signal?: AbortSignal } = {}) => {
      ears.add(listener)
      how.signal?.addEventListener('abort', () => ears.delete(listener))
      page.addEventListener(name, listener, how)
    },
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const failing = (times: number) => {
  let asked = 0
  return vi.fn<() => Promise<string>>(async () => {
    if (asked++ < times) throw new Error('not fetched')
    return 'here'
  })
}

test('without an offer to retry it is retried on a timer, and the last result counts', async () => {
  const load = failing(5)
  const come = untilHere(load)
  await vi.runAllTimersAsync()
  expect(await come).toBe('here')
  expect(load).toHaveBeenCalledTimes(6)
  expect(ears.size).toBe(0)
})

test('offline it waits for the network without requests', async () => {
  network.onLine = false
  const load = failing(1)
  const come = untilHere(load)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(load).toHaveBeenCalledTimes(1)
  page.dispatchEvent(new Event('online'))
  expect(await come).toBe('here')
  expect(ears.size).toBe(0)
})

test('with an offer to retry, the user or the network decides', async () => {
  const tries: (() => void)[] = []
  const load = failing(2)
  const come = untilHere(load, (again) => tries.push(again))
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(load).toHaveBeenCalledTimes(1)
  tries[0]?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(load).toHaveBeenCalledTimes(2)
  page.dispatchEvent(new Event('online'))
  expect(await come).toBe('here')
  expect(tries.length).toBe(2)
  expect(ears.size).toBe(0)
})
