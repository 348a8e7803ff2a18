// Connecting WhatsApp, second by second.
import { describe, expect, it } from 'vitest'
import type { LinkOffer } from '#domain/link.ts'
import {
  type Connection,
  type ConnectionEvent,
  cureOf,
  isCodeDue,
  reduceConnection,
  secondsLeft,
  startConnection,
  toLinkNumber,
} from '#features/connect/connection-steps.ts'
import { table } from '#tests/support/table.ts'

const code = (part: Partial<Extract<LinkOffer, { kind: 'code' }>> = {}): LinkOffer => ({
  kind: 'code',
  image: 'data:image/png;base64,AA==',
  pairingCode: null,
  count: 1,
  limit: 30,
  lifetimeMs: 45_000,
  ...part,
})
const offered = (offer: LinkOffer, nowMs: number): ConnectionEvent => ({ type: 'offered', offer, nowMs })
const run = (...events: ConnectionEvent[]): Connection => events.reduce(reduceConnection, startConnection(0))
const ticked = (nowMs: number): ConnectionEvent => ({ type: 'ticked', nowMs })

describe('the first code', () => {
  it('opens the dialog, which is closed before', () => {
    expect(run()).toMatchObject({ step: 'asking', isOpen: false })
    expect(run(offered(code(), 500))).toMatchObject({
      step: 'code',
      isOpen: true,
      isAsking: false,
      sinceMs: 500,
    })
  })

  it('if it does not come, the attempt ends and can be repeated', () => {
    for (const isPassing of [true, false])
      expect(run({ type: 'failed', isPassing, nowMs: 9 })).toMatchObject({
        step: 'disconnected',
        isDone: true,
      })
  })

  it('is not needed if the link is already open', () => {
    expect(run(offered({ kind: 'open' }, 9))).toMatchObject({ step: 'connected', isDone: true })
  })
})

describe('renewal', () => {
  it('is due every 20 s, once', () => {
    const shown = run(offered(code(), 1_000))
    expect(isCodeDue(shown, 20_999)).toBe(false)
    expect(isCodeDue(shown, 21_000)).toBe(true)
    const asked = reduceConnection(shown, { type: 'asked', nowMs: 21_000 })
    expect(asked).toMatchObject({ isAsking: true, step: 'code' })
    expect(isCodeDue(asked, 30_000)).toBe(false)
    const renewed = reduceConnection(asked, offered(code({ count: 2 }), 21_300))
    expect(renewed).toMatchObject({ isAsking: false, sinceMs: 21_300, code: { count: 2 } })
    expect(isCodeDue(renewed, 41_300)).toBe(true)
  })

  table('after %i ms leaves %f s', (ageMs) => secondsLeft(run(offered(code(), 1_000)), 1_000 + ageMs), [
    [0, 20],
    [5_500, 14.5],
    [20_000, 0],
    [27_000, 0],
    [-400, 20],
  ])

  it('without an answer keeps the valid code, and asks again 3 s later', () => {
    const lost = run(
      offered(code(), 0),
      { type: 'asked', nowMs: 20_000 },
      { type: 'failed', isPassing: true, nowMs: 22_000 },
    )
    expect(lost).toMatchObject({ step: 'code', isAsking: false })
    expect([isCodeDue(lost, 24_999), isCodeDue(lost, 25_000)]).toEqual([false, true])
    expect(reduceConnection(lost, ticked(44_999)).step).toBe('code')
    expect(reduceConnection(lost, ticked(45_000))).toMatchObject({ step: 'expired', code: null })
  })

  it('a refusal shows the link as lost', () => {
    const refused = run(offered(code(), 0), { type: 'failed', isPassing: false, nowMs: 20_000 })
    expect(refused).toMatchObject({ step: 'disconnected', code: null, isOpen: true, isDone: false })
  })

  it("ends with the gateway's last code, until the user requests a new one", () => {
    const last = run(offered(code({ count: 30 }), 0))
    expect(isCodeDue(last, 20_000)).toBe(false)
    const expired = reduceConnection(last, ticked(20_000))
    expect(expired.step).toBe('expired')
    expect(isCodeDue(expired, 99_000)).toBe(false)
    expect(
      reduceConnection(expired, { type: 'begun', number: null, cure: null, nowMs: 30_000 }),
    ).toMatchObject({
      step: 'asking',
      isOpen: true,
      isAsking: true,
    })
  })
})

describe('a gateway without a code', () => {
  const waiting = run(offered({ kind: 'waiting' }, 2_000))

  it('is asked every 3 s, and after 20 s a restart is offered', () => {
    expect(waiting).toMatchObject({ step: 'waiting', isOpen: true })
    expect(isCodeDue(waiting, 3_000)).toBe(true)
    const again = [{ type: 'asked', nowMs: 5_000 } as const, offered({ kind: 'waiting' }, 5_100)].reduce(
      reduceConnection,
      waiting,
    )
    expect([isCodeDue(again, 7_999), isCodeDue(again, 8_000)]).toEqual([false, true])
    expect([cureOf(again, 21_999), cureOf(again, 22_000)]).toEqual([null, 'restart'])
  })

  it('is no longer stuck once it gives one', () => {
    const shown = reduceConnection(waiting, offered(code(), 30_000))
    expect([shown.step, cureOf(shown, 60_000)]).toEqual(['code', null])
  })

  it('is recreated if a restart gave none or failed', () => {
    const restarted: ConnectionEvent = { type: 'begun', number: null, cure: 'restart', nowMs: 30_000 }
    const still = run(offered({ kind: 'waiting' }, 2_000), restarted, offered({ kind: 'waiting' }, 31_000))
    expect([cureOf(still, 50_999), cureOf(still, 51_000)]).toEqual([null, 'recreate'])
    const refused = run(
      offered({ kind: 'waiting' }, 2_000),
      restarted,
      { type: 'failed', isPassing: false, nowMs: 31_000 },
      { type: 'begun', number: null, cure: null, nowMs: 32_000 },
      offered({ kind: 'waiting' }, 33_000),
    )
    expect(cureOf(refused, 53_000)).toBe('recreate')
    const shown = reduceConnection(still, offered(code(), 60_000))
    const later = reduceConnection(shown, { type: 'begun', number: null, cure: null, nowMs: 70_000 })
    expect(cureOf(reduceConnection(later, offered({ kind: 'waiting' }, 71_000)), 91_000)).toBe('restart')
  })
})

describe('the connection', () => {
  const shown = run(offered(code(), 0))
  const connected = reduceConnection(shown, { type: 'seen', state: 'open', nowMs: 6_000 })

  it('is shown, and then the dialog closes by itself', () => {
    expect(connected).toMatchObject({ step: 'connected', isOpen: true, isDone: false, code: null })
    expect(reduceConnection(connected, ticked(7_000)).isDone).toBe(false)
    expect(reduceConnection(connected, ticked(7_200)).isDone).toBe(true)
  })

  it.each(['close', 'connecting', 'unreachable', 'unconfigured'] as const)(
    'is not reached while it is %s',
    (state) => {
      expect(reduceConnection(shown, { type: 'seen', state, nowMs: 6_000 })).toBe(shown)
    },
  )

  it('is not undone by late answers', () => {
    expect(reduceConnection(connected, offered(code(), 6_100))).toBe(connected)
    expect(reduceConnection(connected, { type: 'failed', isPassing: true, nowMs: 6_100 })).toBe(connected)
  })
})

it('keeps the number for a typed code', () => {
  const begun = run(offered(code(), 0), { type: 'begun', number: '5511955500187', cure: null, nowMs: 100 })
  expect(begun).toMatchObject({ number: '5511955500187', code: null, step: 'asking', isOpen: true })
  expect(reduceConnection(begun, offered(code({ pairingCode: 'ABCD1234' }), 200))).toMatchObject({
    number: '5511955500187',
    code: { pairingCode: 'ABCD1234' },
  })
})

table('%s is linked as %s', toLinkNumber, [
  ['11955500187', '5511955500187'],
  ['1155500187', '551155500187'],
  ['5511955500187', '5511955500187'],
  ['955500187', null],
  ['01155500187', '551155500187'],
  ['1 415 555 0100', null],
  ['+1 415 555 0100', '14155550100'],
  ['', null],
  ['1234567890123456', null],
])
