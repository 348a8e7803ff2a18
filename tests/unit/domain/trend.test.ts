// The labels under the trend's columns.
import { expect, test } from 'vitest'
import { trendLabels } from '#domain/dashboard/trend.ts'

const from = (...days: string[]) => days.map((day) => ({ from: day }))

test('days name their month at the first one and where it changes', () => {
  expect(trendLabels({ step: 'day', points: from('2026-10-30', '2026-10-31', '2026-11-01') })).toEqual([
    ['30', 'out'],
    ['31', ''],
    ['01', 'nov'],
  ])
})

test('months name their year, and years stand alone', () => {
  expect(trendLabels({ step: 'month', points: from('2025-12-01', '2026-01-01', '2026-02-01') })).toEqual([
    ['dez', '2025'],
    ['jan', '2026'],
    ['fev', ''],
  ])
  expect(trendLabels({ step: 'year', points: from('2025-03-01', '2026-01-01') })).toEqual([
    ['2025', ''],
    ['2026', ''],
  ])
})
