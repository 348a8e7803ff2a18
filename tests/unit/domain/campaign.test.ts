// When campaigns may send, how a number warms up, and when the last message is sent.
import { describe, expect, test } from 'vitest'
import { SENDING_POLICY } from '#tests/support/make-app.ts'
import {
  atWallClock,
  capOfDay,
  forecastEnd,
  nextMidnight,
  nextOpening,
  sendRatio,
  wallClock,
} from '#domain/campaign.ts'

const ZONE = 'America/Sao_Paulo'
const POLICY = SENDING_POLICY
const at = (local: string) => Date.parse(`${local}-03:00`)
const opening = (local: string, policy = POLICY) => nextOpening(policy, at(local), ZONE)

describe('the next time at which a campaign may send', () => {
  test.each([
    ['within the hours', '2026-11-20T12:00:00', '2026-11-20T12:00:00'],
    ['at the first second', '2026-11-20T08:00:00', '2026-11-20T08:00:00'],
    ['in the last second', '2026-11-20T19:59:59.999', '2026-11-20T19:59:59.999'],
    ['at closing', '2026-11-19T20:00:00', '2026-11-20T08:00:00'],
    ['early', '2026-11-20T07:59:59.500', '2026-11-20T08:00:00'],
    ['on Saturday night', '2026-11-21T23:00:00', '2026-11-23T08:00:00'],
    ['on a Sunday', '2026-11-22T12:00:00', '2026-11-23T08:00:00'],
    ['across the year', '2026-12-31T20:30:00', '2027-01-01T08:00:00'],
  ])('%s', (...[, asked, expected]) => {
    expect(opening(asked)).toBe(at(expected))
  })

  test('on Sundays, if allowed', () => {
    const policy = { ...POLICY, sendsOnSundays: true }
    expect(opening('2026-11-22T12:00:00', policy)).toBe(at('2026-11-22T12:00:00'))
  })

  test('the whole day, if allowed', () => {
    const policy = { ...POLICY, opensAt: 0, closesAt: 24 }
    expect(opening('2026-11-20T23:59:59', policy)).toBe(at('2026-11-20T23:59:59'))
    expect(opening('2026-11-20T00:00:00', policy)).toBe(at('2026-11-20T00:00:00'))
  })

  test("in the portal's time zone", () => {
    expect(nextOpening(POLICY, Date.parse('2026-11-20T22:30:00Z'), 'UTC')).toBe(
      Date.parse('2026-11-21T08:00:00Z'),
    )
    expect(nextMidnight(at('2026-11-20T12:00:00.250'), ZONE)).toBe(at('2026-11-21T00:00:00'))
  })
})

describe('the daily limit of a number', () => {
  test('it rises from the first day to the cap, and stays there', () => {
    const caps = Array.from({ length: 20 }, (_, index) => capOfDay(POLICY, index + 1))
    expect(caps[0]).toBe(20)
    expect(caps.slice(13)).toEqual(Array.from({ length: 7 }, () => 200))
    expect(caps).toEqual(caps.toSorted((one, other) => one - other))
  })

  test('without a warm-up it is the cap at once', () => {
    expect(capOfDay({ ...POLICY, warmUpDays: 1 }, 1)).toBe(200)
    expect(capOfDay({ ...POLICY, warmUpFrom: 300 }, 1)).toBe(200)
  })
})

describe('the time of the last message', () => {
  const forecast = (count: number, local: string, more = {}) =>
    forecastEnd({
      count,
      atMs: at(local),
      stepMs: 30_000,
      policy: POLICY,
      sentToday: 0,
      earlierDays: 20,
      zone: ZONE,
      ...more,
    })

  test('the same day if there is time', () => {
    expect(forecast(1, '2026-11-20T12:00:00')).toBe(at('2026-11-20T12:00:00'))
    expect(forecast(11, '2026-11-20T12:00:00')).toBe(at('2026-11-20T12:05:00'))
  })

  test('with nothing left it ends now', () => {
    expect(forecast(0, '2026-11-20T12:00:00')).toBe(at('2026-11-20T12:00:00'))
  })

  test('the rest after closing time is sent on the next open day', () => {
    // Two until 20:00 on Saturday, then Monday.
    expect(forecast(3, '2026-11-21T19:59:00')).toBe(at('2026-11-23T08:00:00'))
  })

  test('the cap spreads it over days', () => {
    expect(forecast(201, '2026-11-19T08:00:00')).toBe(at('2026-11-20T08:00:00'))
    expect(forecast(2, '2026-11-19T08:00:00', { sentToday: 199 })).toBe(at('2026-11-20T08:00:00'))
    expect(forecast(2, '2026-11-19T08:00:00', { sentToday: 200 })).toBe(at('2026-11-20T08:00:30'))
  })

  test('a new number warms up meanwhile', () => {
    // 20 on Monday, 34 on Tuesday, 48 on Wednesday.
    expect(forecast(55, '2026-11-16T08:00:00', { earlierDays: 0 })).toBe(at('2026-11-18T08:00:00'))
  })

  test('a day without sending does not warm up', () => {
    // Sunday: Monday is the first day, Tuesday the second.
    expect(forecast(21, '2026-11-22T12:00:00', { earlierDays: 0 })).toBe(at('2026-11-24T08:00:00'))
  })
})

describe('a date and time in a time zone', () => {
  test.each([
    ['2026-11-24T09:30', 'America/Sao_Paulo', '2026-11-24T12:30:00.000Z'],
    ['2026-01-01T00:00', 'America/Rio_Branco', '2026-01-01T05:00:00.000Z'],
    // Clocks were set back: the repeated hour is one of the two.
    ['2026-10-25T03:30', 'Europe/Berlin', '2026-10-25T02:30:00.000Z'],
    ['2026-03-29T12:00', 'Europe/Berlin', '2026-03-29T10:00:00.000Z'],
  ])('%s in %s is %s, and back', (text, zone, instant) => {
    const ms = atWallClock(text, zone)
    expect(new Date(ms).toISOString()).toBe(instant)
    expect(wallClock(ms, zone)).toBe(text)
  })

  test.each(['', 'amanhã'])('%j is invalid', (text) =>
    expect(atWallClock(text, 'America/Sao_Paulo')).toBeNaN(),
  )
})

test('the share of an empty campaign is complete', () => {
  expect(sendRatio({ sentCount: 0, recipientCount: 0 })).toBe(1)
  expect(sendRatio({ sentCount: 1, recipientCount: 4 })).toBe(0.25)
})
