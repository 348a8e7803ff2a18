// A hanging device signs nobody out: this tab's last value is used until the device answers.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const KEY = 'session'
const HANGS = new Promise<never>(() => undefined)
let reads: (Promise<unknown> | undefined)[]

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  vi.doMock('idb', () => ({
    openDB: () =>
      Promise.resolve({ get: () => reads.shift(), put: () => Promise.resolve(), delete: () => HANGS }),
  }))
})
afterEach(() => {
  vi.doUnmock('idb')
  vi.useRealTimers()
})

/** The store's results for scripted answers of the device, in time or after the limit. */
async function readAll(...planned: typeof reads): Promise<(string | null)[]> {
  reads = [...planned]
  const { sessionStore } = await import('#api/session-on-device.ts')
  const answers = []
  for (const _ of planned) {
    const reading = sessionStore.getItem(KEY)
    await vi.advanceTimersByTimeAsync(6_000)
    answers.push(await reading)
  }
  return answers
}

test('a hanging read returns the last value', async () => {
  expect(await readAll(Promise.resolve('a'), HANGS, Promise.resolve('b'), HANGS)).toEqual([
    'a',
    'a',
    'b',
    'b',
  ])
})

test('a sign-out in another tab is not undone by it', async () => {
  expect(await readAll(Promise.resolve('a'), Promise.resolve(undefined), HANGS)).toEqual(['a', null, null])
})

test('without an earlier read nobody is signed in', async () => {
  expect(await readAll(HANGS, HANGS)).toEqual([null, null])
})

test('a sign-out takes effect even while the device hangs', async () => {
  reads = [Promise.resolve('a'), HANGS]
  const { sessionStore } = await import('#api/session-on-device.ts')
  expect(await sessionStore.getItem(KEY)).toBe('a')
  const leaving = sessionStore.removeItem(KEY)
  const reading = sessionStore.getItem(KEY)
  await vi.advanceTimersByTimeAsync(6_000)
  await leaving
  expect(await reading).toBeNull()
})

test('the first caller gets the early read without another one; a later write overrides it', async () => {
  reads = [Promise.resolve('a'), Promise.resolve('b'), Promise.resolve('c'), Promise.resolve('d')]
  const { readSessionAhead, sessionStore } = await import('#api/session-on-device.ts')
  await readSessionAhead()
  expect(await sessionStore.getItem(KEY)).toBe('a')
  expect(await sessionStore.getItem(KEY)).toBe('b')
  await readSessionAhead()
  await sessionStore.setItem(KEY, 'e')
  expect(await sessionStore.getItem(KEY)).toBe('d')
})
