// A database that hangs, is refused or is cut: never waited for long, opened again where that helps.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectionTo, within } from '#api/idb-connection.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Opens as told, one after the other; a number is the name of a database that works. */
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

  it('opens anew after it was told of a cut', async () => {
    const { open, run } = openings(1, 2)
    expect(await run(name)).toBe(1)
    open.mock.calls[0]?.[0]()
    expect(await run(name)).toBe(2)
  })

  it('does not do over what a full disk refused', async () => {
    const { open, run } = openings(1, 2)
    const full = new DOMException('', 'QuotaExceededError')
    const work = vi.fn<() => Promise<never>>(() => Promise.reject(full))
    await expect(run(work)).rejects.toBe(full)
    expect(work).toHaveBeenCalledTimes(1)
    expect(open).toHaveBeenCalledTimes(1)
  })

  it('is waited for once, and used when it comes after all', async () => {
    let come: (db: number) => void = () => undefined
    const { open, run } = openings(new Promise((resolve) => (come = resolve)))
    const first = run(name).catch(String)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(await first).toContain('no answer')
    // nothing waits a second time
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
  it('gives what comes in time', async () => expect(await within(10, Promise.resolve('ja'))).toBe('ja'))

  it('raises what does not', async () => {
    const late = within(10, new Promise(() => undefined)).catch(String)
    await vi.advanceTimersByTimeAsync(10)
    expect(await late).toContain('no answer within 10 ms')
    expect(vi.getTimerCount()).toBe(0)
  })
})
