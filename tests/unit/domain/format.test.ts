// Dates, hours and counts as people read them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countOf } from '#domain/count.ts'
import {
  formatDate,
  formatDateTime,
  formatDay,
  formatDuration,
  formatHour,
  formatMoment,
  formatRelative,
  formatSize,
} from '#domain/format.ts'
import { table } from '#tests/support/table.ts'

const at = (text: string) => Date.parse(text)
/** 21/11/2025 09:41 in São Paulo. */
const NOW = at('2025-11-21T12:41:00Z')
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('formatRelative', () => {
  table('%i ms ago reads %s', (age) => formatRelative(NOW - age, NOW), [
    [0, 'agora'],
    [59 * SECOND, 'agora'],
    [-5 * MINUTE, 'agora'],
    [MINUTE, 'há 1 min'],
    [3 * MINUTE + 59 * SECOND, 'há 3 min'],
    [59 * MINUTE, 'há 59 min'],
    [HOUR, 'há 1 h'],
    [4 * HOUR, 'há 4 h'],
    [9 * HOUR, 'há 9 h'],
    // An age below twelve hours is shown in hours, even if midnight has passed.
    [11 * HOUR + 59 * MINUTE, 'há 11 h'],
    [12 * HOUR, 'ontem'],
    [33 * HOUR, 'ontem'],
    [34 * HOUR, 'há 2 dias'],
    [12 * DAY, 'há 12 dias'],
    [30 * DAY, 'há 30 dias'],
    [31 * DAY, '21/10/2025'],
  ])

  it('counts hours to the end of a long day', () => {
    const evening = at('2025-11-22T02:50:00Z') // 23:50
    expect(formatRelative(at('2025-11-21T03:10:00Z'), evening)).toBe('há 23 h')
  })

  it("days change at midnight in the portal's zone, not in UTC", () => {
    const morning = at('2025-11-21T15:00:00Z')
    expect(formatRelative(at('2025-11-21T02:59:00Z'), morning)).toBe('ontem')
    expect(formatRelative(at('2025-11-21T03:00:00Z'), morning)).toBe('há 12 h')
  })

  table('writes units out for a screen reader: %i ms', (age) => formatRelative(NOW - age, NOW, 'full'), [
    [MINUTE, 'há 1 minuto'],
    [3 * MINUTE, 'há 3 minutos'],
    [HOUR, 'há 1 hora'],
    [5 * HOUR, 'há 5 horas'],
    [12 * HOUR, 'ontem'],
  ])

  it('never shows a younger age as time passes', () => {
    const rank = (text: string) => {
      if (text === 'agora') return 0
      const [, count = '0', unit = ''] = /^há (\d+) (\w+)/.exec(text) ?? []
      if (unit === 'min') return Number(count)
      if (unit === 'h') return 100 + Number(count)
      if (text === 'ontem') return 200
      return unit === 'dias' ? 200 + Number(count) : 1000
    }
    fc.assert(
      fc.property(fc.nat(60 * DAY), fc.nat(60 * DAY), fc.nat(5 * DAY), (a, b, shift) => {
        const now = NOW + shift
        const [younger, older] = a < b ? [a, b] : [b, a]
        expect(rank(formatRelative(now - older, now))).toBeGreaterThanOrEqual(
          rank(formatRelative(now - younger, now)),
        )
      }),
    )
  })
})

it('shows date and hour in the portal zone', () => {
  expect(formatHour(NOW)).toBe('09:41')
  expect(formatDate(at('2025-11-30T02:30:00Z'))).toBe('29/11/2025')
  expect(formatDateTime(NOW)).toBe('21/11/2025 09:41')
})

table('counts %i', (count) => countOf(count, 'contato', 'contatos'), [
  [0, '0 contatos'],
  [1, '1 contato'],
  [12, '12 contatos'],
  [10_009, '10.009 contatos'],
])

table('%s is the day %s', (time) => formatDay(at(time), NOW), [
  ['2025-11-21T03:00:00Z', 'Hoje'],
  ['2025-11-21T02:59:00Z', 'Ontem'],
  ['2025-11-20T03:00:00Z', 'Ontem'],
  ['2025-11-20T02:59:00Z', '19/11/2025'],
])

table('%f s last %s', formatDuration, [
  [0, '0:00'],
  [7.9, '0:07'],
  [750, '12:30'],
  [4_000, '66:40'],
])

table('%i bytes are %s', formatSize, [
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [430_000, '420 KB'],
  [1_468_006, '1,4 MB'],
])

table('a future time, %s, is %j', (time) => formatMoment(at(time), NOW), [
  ['2025-11-21T12:50:00Z', 'às 9h50'],
  ['2025-11-22T02:59:00Z', 'às 23h59'],
  ['2025-11-22T03:00:00Z', 'amanhã às 0h'],
  ['2025-11-25T12:00:00Z', 'terça-feira, 25/11, às 9h'],
  ['2030-01-01T13:00:00Z', 'terça-feira, 01/01/2030, às 10h'],
  ['2026-01-01T02:59:00Z', 'quarta-feira, 31/12, às 23h59'],
])
