// An IndexedDB connection that hangs, is refused or closed: waits are limited, and it reopens where that helps.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectionTo, within } from '#api/idb-connection.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Scripted results of opening, in order; a number names a database that works. */
function openings(...ways: (number | Error | Promise<number>)[]) {
  const open = vi.fn<(lost: () => void) => Promise<number>>(() => {
    const way = ways.shift() ?? new Error('opened too often')
    return way instanceof Error ? Promise.reject(way) : Promise.resolve(way)
  })
  return { open, run: connectionTo(open) }
}
const name = (db: number) => Promise.resolve(db)
const cut = () => new DOMException('The connection is closing', 'InvalidStateError')

describe('connectionTo', () => {
  it('opens once for all work', async () => {
    const { open, run } = openings(1)
    expect(await Promise.all([run(name), run(name), run(name)])).toEqual([1, 1, 1])
    expect(open).toHaveBeenCalledTimes(1)
  })

  it('opens again, once, when the phone cut it', async () => {
    const { open, run } = openings(1, 2)
    const work = vi.fn<(db: number) => Promise<number>>(async (db) => (db === 1 ? Promise.reject(cut()) : db))
    expect(await run(work)).toBe(2)
    await expect(run(() => Promise.reject(cut()))).rejects.toThrow('opened too often')
    expect(open).toHaveBeenCalledTimes(3)
  })

  it('reopens after a reported close', async () => {
    const { open, run } = openings(1, 2)
    expect(await run(name)).toBe(1)
    open.mock.calls[0]?.[0]()
    expect(await run(name)).toBe(2)
  })

  it('does not repeat work that a full disk refused', async () => {
    const { open, run } = openings(1, 2)
    const full = new DOMException('', 'QuotaExceededError')
    const work = vi.fn<() => Promise<never>>(() => Promise.reject(full))
    await expect(run(work)).rejects.toBe(full)
    expect(work).toHaveBeenCalledTimes(1)
    expect(open).toHaveBeenCalledTimes(1)
  })

  it('waits once for a late database, and uses it when it opens', async () => {
    let come: (db: number) => void = () => undefined
    const { open, run } = openings(new Promise((resolve) => (come = resolve)))
    const first = run(name).catch(String)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(await first).toContain('no answer')
    // the second call does not wait
    await expect(run(name)).rejects.toThrow('no answer')
    come(1)
    await vi.advanceTimersByTimeAsync(0)
    expect(await run(name)).toBe(1)
    expect(open).toHaveBeenCalledTimes(1)
  })

  it('tries to open again after each refusal', async () => {
    const refused = new DOMException('', 'UnknownError')
    const { run } = openings(refused, refused, 3)
    await expect(run(name)).rejects.toBe(refused)
    expect(await run(name)).toBe(3)
  })
})

describe('within', () => {
  it('returns a result in time', async () => expect(await within(10, Promise.resolve('ja'))).toBe('ja'))

  it('throws after the limit', async () => {
    const late = within(10, new Promise(() => undefined)).catch(String)
    await vi.advanceTimersByTimeAsync(10)
    expect(await late).toContain('no answer within 10 ms')
    expect(vi.getTimerCount()).toBe(0)
  })
})
