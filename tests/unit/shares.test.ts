// Who is next at a database with fewer connections than requests.
import { describe, expect, test } from 'vitest'
import type { Asker } from '#server/db/database.ts'
import { createShares, sharesOf } from '#server/db/shares.ts'
import { manualClock } from '#tests/support/clock.ts'

const of = (account: string, isOpen = false): Asker => ({ account, isOpen })

/** Tasks that run until the test ends them, by name. */
function stage(total: number) {
  const clock = manualClock()
  const shares = createShares({ sizes: sharesOf(total), ownWaitMs: 30_000, clock })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    clock,
    shares,
    started,
    settle,
    ask: (name: string, asker?: Asker) =>
      shares
        .run(asker, () => {
          started.push(name)
          return new Promise<void>((resolve) => ends.set(name, resolve))
        })
        .then(
          () => 'done',
          ({ code }: { code: string }) => code,
        ),
    end: async (name: string) => {
      ends.get(name)?.()
      await settle()
    },
  }
}

describe('ten connections', () => {
  test('one account has at most three, two of them open; others get the rest', async () => {
    const { ask, started, settle, shares } = stage(10)
    for (let at = 0; at < 10; at++) void ask(`a${at}`, of('a', true))
    await settle()
    expect(started).toEqual(['a0', 'a1'])
    void ask('a-call', of('a'))
    void ask('a-call2', of('a'))
    void ask('b', of('b', true))
    void ask('webhook')
    await settle()
    expect(started).toEqual(['a0', 'a1', 'a-call', 'b', 'webhook'])
    expect(shares.load()).toEqual({ busy: 5, idle: 5, waiting: 9 })
  })

  test("open statements leave space for the board, and users' statements leave space for the portal’s own", async () => {
    const { ask, started, settle } = stage(10)
    for (let at = 0; at < 20; at++) void ask('open', of(`a${at}`, true))
    await settle()
    expect(started).toHaveLength(5)
    for (let at = 0; at < 20; at++) void ask('board', of(`b${at}`))
    await settle()
    expect(started.slice(5)).toEqual(['board', 'board', 'board'])
    void ask('webhook')
    void ask('sending')
    await settle()
    expect(started.slice(8)).toEqual(['webhook', 'sending'])
  })
})

describe('one connection', () => {
  test('accounts take turns, however much each asks, and the portal’s own work comes every other time', async () => {
    const { ask, started, end, settle } = stage(1)
    const asked: [string, Asker?][] = [
      ['a1', of('a', true)],
      ['a2', of('a', true)],
      ['a3', of('a')],
      ['b1', of('b')],
      ['w1'],
      ['w2'],
      ['c1', of('c')],
      ['b2', of('b')],
    ]
    for (const [name, asker] of asked) void ask(name, asker)
    await settle()
    for (let at = 0; at < asked.length; at++) await end(started[at] ?? '')
    expect(started).toEqual(['a1', 'w1', 'a2', 'w2', 'b1', 'c1', 'a3', 'b2'])
  })

  test('a failed task releases its place', async () => {
    const { shares } = stage(1)
    await expect(shares.run(undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await shares.run(of('a'), () => Promise.resolve(1))).toBe(1)
  })

  test('a request that waits too long, exceeds the limit or is aborted gets an error, and never runs', async () => {
    const { ask, started, end, clock, settle, shares } = stage(1)
    void ask('first')
    const patient = ask('own')
    const leaving = new AbortController()
    const left = ask('left', { ...of('a'), signal: leaving.signal })
    const late = ask('late', of('b'))
    const crowd = Array.from({ length: 101 }, (_, at) => ask(`c${at}`, of('c')))
    expect(await crowd[100]).toBe('53300')
    leaving.abort()
    expect(await left).toBe('57014')
    expect(await ask('gone', { ...of('a'), signal: leaving.signal })).toBe('57014')
    clock.advance(10_000)
    expect(await late).toBe('53300')
    expect(new Set(await Promise.all(crowd))).toEqual(new Set(['53300']))
    clock.advance(20_000)
    expect(await patient).toBe('53300')
    await end('first')
    await settle()
    expect(started).toEqual(['first'])
    expect(shares.load()).toEqual({ busy: 0, idle: 1, waiting: 0 })
  })
})
