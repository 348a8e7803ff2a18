// Texts for the times of next actions and waiting leads, in the portal's zone.
import { describe, expect, it } from 'vitest'
import {
  actionWords,
  clockWords,
  momentWords,
  snoozesAt,
  suggestionsAt,
  targetWords,
  waitTone,
  waitWords,
  whenWords,
} from '#domain/next-action/words.ts'
import { formatRelative } from '#domain/format.ts'
import { zonedMs } from '#domain/zone.ts'
import { table } from '#tests/support/table.ts'

/** A local time of São Paulo, UTC-3 all year since 2019. */
const at = (text: string) => Date.parse(`${text}-03:00`)
/** A Monday. */
const NOW = at('2026-11-23T09:41')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('when', () => {
  table('%s is %s', (due) => whenWords(at(due), NOW), [
    ['2026-11-23T17:00', 'hoje 17h'],
    ['2026-11-23T17:30', 'hoje 17h30'],
    ['2026-11-23T09:41', 'hoje 9h41'],
    ['2026-11-23T23:59', 'hoje 23h59'],
    ['2026-11-24T00:00', 'amanhã 0h'],
    ['2026-11-24T09:00', 'amanhã 9h'],
    ['2026-11-25T09:00', 'qua 9h'],
    ['2026-11-27T09:00', 'sex 9h'],
    ['2026-11-28T10:00', 'sáb 10h'],
    ['2026-11-29T08:05', 'dom 8h05'],
    // a week later the weekday has the same name
    ['2026-11-30T10:00', '30/11 10h'],
    ['2026-12-28T10:00', '28/12 10h'],
    ['2027-01-02T10:00', '02/01/2027 10h'],
  ])
  table('%d ms late is %s', (lateMs) => whenWords(NOW - lateMs, NOW), [
    [59_999, 'hoje 9h40'],
    [MINUTE, 'atrasada 1 min'],
    [59 * MINUTE, 'atrasada 59 min'],
    [HOUR, 'atrasada 1 h'],
    [2 * HOUR, 'atrasada 2 h'],
    [23 * HOUR + 59 * MINUTE, 'atrasada 23 h'],
    [24 * HOUR, 'atrasada 1 dia'],
    [72 * HOUR, 'atrasada 3 dias'],
  ])
  it('for an action, and for a past one', () => {
    expect(actionWords({ kind: 'call', dueAtMs: at('2026-11-23T17:00') }, NOW)).toBe('Ligar · hoje 17h')
    expect(actionWords({ kind: 'visit', dueAtMs: NOW - 25 * HOUR }, NOW)).toBe('Visita · atrasada 1 dia')
    // A visit of this hour is still going on, so its end is not asked about yet.
    expect(actionWords({ kind: 'visit', dueAtMs: NOW - HOUR + 1 }, NOW)).toMatch(/^Visita · hoje /)
    expect(actionWords({ kind: 'visit', dueAtMs: NOW - HOUR }, NOW)).toBe('Visita · atrasada 1 h')
    expect(momentWords(at('2026-11-22T16:00'), NOW)).toBe('ontem 16h')
    expect(momentWords(at('2026-11-20T16:00'), NOW)).toBe('20/11 16h')
  })
})

describe('suggestions after a message', () => {
  it.each([
    ['2026-11-23T09:41', 'Ligar hoje 17h', '2026-11-23T17:00', 'Amanhã 9h', '2026-11-24T09:00'],
    ['2026-11-23T16:59', 'Ligar hoje 17h', '2026-11-23T17:00', 'Amanhã 9h', '2026-11-24T09:00'],
    ['2026-11-23T17:00', 'Ligar amanhã 9h', '2026-11-24T09:00', 'Qua 9h', '2026-11-25T09:00'],
    // Friday evening: Saturday for the call, Monday for the message
    ['2026-11-27T18:00', 'Ligar amanhã 9h', '2026-11-28T09:00', 'Seg 9h', '2026-11-30T09:00'],
    ['2026-11-26T18:00', 'Ligar amanhã 9h', '2026-11-27T09:00', 'Seg 9h', '2026-11-30T09:00'],
  ])('at %s', (now, call, callAt, message, messageAt) => {
    expect(suggestionsAt(at(now))).toEqual([
      { kind: 'call', dueAtMs: at(callAt), label: call },
      { kind: 'message', dueAtMs: at(messageAt), label: message },
    ])
  })
  it('suggestions to postpone', () => {
    expect(snoozesAt(NOW)).toEqual({ hourMs: NOW + HOUR, tomorrowMs: at('2026-11-24T09:00') })
  })
})

describe('an hour of a day, in years with daylight saving time too', () => {
  const day = (date: string) => Date.parse(`${date}T00:00Z`) / 86_400_000
  it.each([
    ['2026-11-24', 9, '2026-11-24T12:00Z'],
    // UTC-2 in that summer
    ['2018-12-24', 9, '2018-12-24T11:00Z'],
    ['2018-07-24', 9, '2018-07-24T12:00Z'],
    // the night in which the clocks were set forward, and its day
    ['2018-11-04', 9, '2018-11-04T11:00Z'],
    // that night had no midnight: the day began at one
    ['2018-11-04', 0, '2018-11-04T03:00Z'],
    ['2019-02-16', 9, '2019-02-16T11:00Z'],
    ['2019-02-17', 9, '2019-02-17T12:00Z'],
  ])('%s at %d', (date, hour, utc) => {
    expect(zonedMs(day(date), hour)).toBe(Date.parse(utc))
  })
})

describe('texts and suggestions around a clock change', () => {
  it.each([
    ['2018-11-03T22:00-03:00', '2018-11-04T09:00-02:00', 'amanhã 9h'],
    ['2019-02-16T23:30-02:00', '2019-02-17T09:00-03:00', 'amanhã 9h'],
    ['2019-02-17T00:30-03:00', '2019-02-16T23:30-02:00', 'atrasada 2 h'],
  ])('at %s, due at %s: %s', (now, due, words) => {
    expect(whenWords(Date.parse(due), Date.parse(now))).toBe(words)
  })
  it.each([
    ['2018-11-03T18:00-03:00', '2018-11-04T09:00-02:00'],
    ['2019-02-16T18:00-02:00', '2019-02-17T09:00-03:00'],
  ])('at %s tomorrow’s 9h is %s', (now, morning) => {
    expect(suggestionsAt(Date.parse(now))[0].dueAtMs).toBe(Date.parse(morning))
    expect(snoozesAt(Date.parse(now)).tomorrowMs).toBe(Date.parse(morning))
  })
})

describe('who waits', () => {
  it.each(['2026-11-11T10:00', '2026-11-11T23:00'])(
    'since %s: as many days as the time beside it',
    (then) => {
      const now = at('2026-11-23T12:00')
      expect(formatRelative(at(then), now)).toBe('há 12 dias')
      expect(waitWords(at(then), now)).toBe('Sem resposta há 12 dias')
      expect(clockWords(at(then), now)).toBe('12 dias')
      expect(whenWords(at(then), now)).toBe('atrasada 12 dias')
    },
  )
  it.each([
    [0, 'sun', null, 'agora', 'faltam 15 min'],
    [4 * MINUTE + 59_999, 'sun', null, '4 min', 'faltam 11 min'],
    [5 * MINUTE, 'calm', 'Sem resposta há 5 min', '5 min', 'faltam 10 min'],
    [9 * MINUTE, 'calm', 'Sem resposta há 9 min', '9 min', 'faltam 6 min'],
    [15 * MINUTE, 'late', 'Sem resposta há 15 min', '15 min', 'passou 0 min'],
    [22 * MINUTE, 'late', 'Sem resposta há 22 min', '22 min', 'passou 7 min'],
    [30 * MINUTE, 'alarm', 'Sem resposta há 30 min', '30 min', '2× a meta'],
    [124 * MINUTE, 'alarm', 'Sem resposta há 2 h', '2 h 04', '8× a meta'],
    [26 * HOUR, 'alarm', 'Sem resposta há 1 dia', '1 dia', '99+× a meta'],
  ] as const)('%d ms', (waitedMs, tone, card, clock, target) => {
    const now = at('2026-11-23T12:00')
    const since = now - waitedMs
    expect([
      waitTone(waitedMs),
      waitWords(since, now),
      clockWords(since, now),
      targetWords(waitedMs),
    ]).toEqual([tone, card, clock, target])
  })
})
