// A device that stops answering does not sign anybody out: what this tab read last stands until the device says otherwise.
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

/** What the store answers where the device answers so, and in time or after the store's patience. */
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

test('a read that hangs answers what was read before', async () => {
  expect(await readAll(Promise.resolve('a'), HANGS, Promise.resolve('b'), HANGS)).toEqual([
    'a',
    'a',
    'b',
    'b',
  ])
})

test('who left in another tab is not brought back by it', async () => {
  expect(await readAll(Promise.resolve('a'), Promise.resolve(undefined), HANGS)).toEqual(['a', null, null])
})

test('where nothing was read before there is nobody', async () => {
  expect(await readAll(HANGS, HANGS)).toEqual([null, null])
})

test('who leaves while the device hangs has left', async () => {
  reads = [Promise.resolve('a'), HANGS]
  const { sessionStore } = await import('#api/session-on-device.ts')
  expect(await sessionStore.getItem(KEY)).toBe('a')
  const leaving = sessionStore.removeItem(KEY)
  const reading = sessionStore.getItem(KEY)
  await vi.advanceTimersByTimeAsync(6_000)
  await leaving
  expect(await reading).toBeNull()
})

test('read ahead, the first who asks has it without reading again; what is written since outranks it', async () => {
  reads = [Promise.resolve('a'), Promise.resolve('b'), Promise.resolve('c'), Promise.resolve('d')]
  const { readSessionAhead, sessionStore } = await import('#api/session-on-device.ts')
  await readSessionAhead()
  expect(await sessionStore.getItem(KEY)).toBe('a')
  expect(await sessionStore.getItem(KEY)).toBe('b')
  await readSessionAhead()
  await sessionStore.setItem(KEY, 'e')
  expect(await sessionStore.getItem(KEY)).toBe('d')
})
