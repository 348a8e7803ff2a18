// How the dashboard's figures are formatted and compared.
import { describe, expect, it } from 'vitest'
import {
  formatOneDecimal,
  formatPercent,
  formatResponseTime,
  pointChange,
  relativeChange,
  wonCount,
} from '#domain/dashboard/dashboard.ts'
import { table } from '#tests/support/table.ts'

const SECOND = 1 / 3600

describe('a response time', () => {
  table('of %d hours is %s', formatResponseTime, [
    [0, '0s'],
    [45 * SECOND, '45s'],
    [59.4 * SECOND, '59s'],
    [59.6 * SECOND, '1min'],
    [60 * SECOND, '1min'],
    [59.4 / 60, '59min'],
    [59.6 / 60, '1h 0min'],
    [1.2, '1h 12min'],
    [30.5, '30h 30min'],
    [null, '–'],
  ])
})

it.each([
  [42.84, '42,8'],
  [7, '7,0'],
  [1234.56, '1.234,6'],
])('%d has one decimal: %s', (value, text) => {
  expect(formatOneDecimal(value)).toBe(text)
  expect(formatPercent(value)).toBe(`${text}%`)
})

describe('compared with the period before', () => {
  it.each([
    [112, 100, { direction: 'up', text: '12,0%' }],
    [50, 100, { direction: 'down', text: '50,0%' }],
    [100, 100, { direction: 'same', text: '0,0%' }],
    [10_001, 10_000, { direction: 'same', text: '0,0%' }],
    [10, 0, null],
    [null, 10, null],
    [10, null, null],
  ])('%d after %d is %j', (now, before, change) => expect(relativeChange(now, before)).toEqual(change))

  it('percentages differ by points', () => {
    expect(pointChange(7.4, 6.2)).toEqual({ direction: 'up', text: '1,2 p.p.' })
    expect(pointChange(0, 4.8)).toEqual({ direction: 'down', text: '4,8 p.p.' })
  })
})

it('won leads are those of the conversion rate', () => {
  const kpi = { responseHours: null, leadsPerDay: 0, answeredCount: 0, unansweredCount: 0 }
  expect(wonCount({ ...kpi, leadCount: 1284, conversion: 7.3988 })).toBe(95)
  expect(wonCount({ ...kpi, leadCount: 0, conversion: 0 })).toBe(0)
})
