// The system's clock.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '#server/clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const DAY_MS = 24 * 3_600_000

test('a sleep of months is one sleep, longer than one of Node’s timers can be', async () => {
  let isOver = false
  void systemClock.sleep(60 * DAY_MS).then(() => (isOver = true))
  for (const [days, over] of [
    [1, false],
    [58, false],
    [1, true],
  ] as const) {
    await vi.advanceTimersByTimeAsync(days * DAY_MS)
    expect(isOver).toBe(over)
  }
})

test('an aborted sleep ends at once', async () => {
  const abort = new AbortController()
  const slept = systemClock.sleep(60 * DAY_MS, abort.signal)
  abort.abort()
  await slept
  expect(vi.getTimerCount()).toBe(0)
})
