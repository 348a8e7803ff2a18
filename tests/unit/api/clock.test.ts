// A device with a wrong clock uses the portal's time from its responses.
import { beforeEach, expect, it, vi } from 'vitest'

const TRUE_MS = Date.parse('2026-11-23T12:41:00Z')
const DAYS_MS = 2 * 86_400_000

const load = () => import('#api/clock.ts')
let clock: Awaited<ReturnType<typeof load>>

beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers({ now: TRUE_MS, toFake: ['Date'] })
  clock = await load()
  return () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  }
})

const said = (ms: number, status = 200) =>
  new Response(null, { status, headers: { Date: new Date(ms).toUTCString() } })

it.each([DAYS_MS, -DAYS_MS])('a clock that is %d ms ahead is corrected and reported', (aheadMs) => {
  const told: number[] = []
  clock.watchClock((ms) => told.push(ms))
  vi.setSystemTime(TRUE_MS + aheadMs)
  clock.noteServerTime(said(TRUE_MS))
  expect(clock.serverNow()).toBe(TRUE_MS)
  // A second, slightly slower response reports nothing new.
  vi.setSystemTime(TRUE_MS + aheadMs + 9_000)
  clock.noteServerTime(said(TRUE_MS))
  expect(told).toEqual([aheadMs])
})

it('offline it starts with the last known difference, until a response says that the clock is right', async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  const loadNow = () => import('#ui/now.ts')
  vi.stubGlobal('document', { hidden: false })
  clock.watchClock((await loadNow()).setClockAhead)
  vi.setSystemTime(TRUE_MS + DAYS_MS)
  clock.noteServerTime(said(TRUE_MS))
  vi.resetModules()
  const again = await loadNow()
  expect(again.now()).toBe(TRUE_MS)
  vi.setSystemTime(TRUE_MS)
  const heard = await load()
  heard.watchClock(again.setClockAhead)
  heard.noteServerTime(said(TRUE_MS))
  expect(again.now()).toBe(TRUE_MS)
  expect(kept.size).toBe(0)
})

it.each([
  ['a slow answer', said(TRUE_MS - 20_000)],
  ['one that says nothing', new Response(null)],
  ['one that says nonsense', new Response(null, { headers: { Date: 'amanhã' } })],
  ['a refusal by who knows whom', said(TRUE_MS - DAYS_MS, 503)],
])('%s changes nothing', (_, response) => {
  clock.noteServerTime(response)
  expect(clock.serverNow()).toBe(TRUE_MS)
})
