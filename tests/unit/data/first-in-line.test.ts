// Loads that the user waits for, and the others, which begin after them.
import { afterEach, expect, it, vi } from 'vitest'
import { afterFirst, goFirst } from '#data/first-in-line.ts'
import { createLatch } from '#tests/support/latch.ts'

afterEach(() => vi.useRealTimers())

it('the others begin once all first loads have ended, failed ones too', async () => {
  const [code, followed] = [createLatch(), createLatch()]
  const order: string[] = []
  // A first load may begin another.
  void goFirst(code.opened.then(() => void goFirst(followed.opened)))
  void goFirst(Promise.reject(new Error('no network'))).catch(() => order.push('failed'))
  const others = afterFirst().then(() => order.push('others'))
  code.open()
  await vi.waitFor(() => expect(order).toEqual(['failed']))
  order.push('followed')
  followed.open()
  await others
  expect(order).toEqual(['failed', 'followed', 'others'])
})

it('without a first load the others begin at once', async () => {
  await expect(afterFirst()).resolves.toBeUndefined()
})

it('a first load that hangs holds the others up for 30 s', async () => {
  vi.useFakeTimers()
  const hanging = createLatch()
  void goFirst(hanging.opened)
  let hasBegun = false
  void afterFirst().then(() => (hasBegun = true))
  await vi.advanceTimersByTimeAsync(29_000)
  expect(hasBegun).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(hasBegun).toBe(true)
  hanging.open()
})
