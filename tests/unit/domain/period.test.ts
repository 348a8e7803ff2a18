// Periods: the days of each preset, months and leap days, and the API's form.
import { describe, expect, it } from 'vitest'
import {
  dayAt,
  formatSpan,
  isDay,
  isMostlyOver,
  type Period,
  spanFault,
  spanOf,
  toWire,
} from '#domain/dashboard/period.ts'
import { table } from '#tests/support/table.ts'

describe('dayAt', () => {
  table("%s is %s in the portal's zone", (time) => dayAt(Date.parse(time)), [
    ['2026-11-21T02:59:59Z', '2026-11-20'],
    ['2026-11-21T03:00:00Z', '2026-11-21'],
    ['2026-01-01T01:00:00Z', '2025-12-31'],
  ])
})

describe('spanOf', () => {
  it.each<[Period['name'], string, string]>([
    ['hoje', '2026-11-21', '2026-11-21'],
    ['ultima-semana', '2026-11-21', '2026-11-14'],
    ['ultima-semana', '2026-01-03', '2025-12-27'],
    ['ultimo-mes', '2026-11-21', '2026-10-21'],
    ['ultimo-mes', '2026-01-15', '2025-12-15'],
    ['ultimo-mes', '2026-03-31', '2026-02-28'],
    ['ultimo-mes', '2028-03-31', '2028-02-29'],
    ['ultimo-mes', '2026-12-31', '2026-11-30'],
  ])('%s on %s begins on %s', (name, today, from) => {
    if (name === 'personalizado') throw new Error('has its own days')
    expect(spanOf({ name }, today)).toEqual({ from, to: today })
  })

  it('of a custom period are its days', () =>
    expect(spanOf({ name: 'personalizado', from: '2026-02-01', to: '2026-02-03' }, '2026-11-21')).toEqual({
      from: '2026-02-01',
      to: '2026-02-03',
    }))
})

it.each([
  ['2026-11-21', '2026-11-21', false],
  ['2026-11-20', '2026-11-20', true],
  ['2026-11-20', '2026-11-21', false],
  ['2026-11-14', '2026-11-21', true],
  ['2026-11-01', '2026-11-30', false],
  ['2026-12-01', '2026-12-31', false],
])('of %s to %s at most is over on 2026-11-21: %s', (from, to, isOver) => {
  expect(isMostlyOver({ from, to }, '2026-11-21')).toBe(isOver)
})

describe('isDay', () => {
  table('%s: %s', isDay, [
    ['2026-11-21', true],
    ['2028-02-29', true],
    ['2026-02-29', false],
    ['2026-13-01', false],
    ['21/11/2026', false],
    ['2026-11-21T00:00:00Z', false],
    ['', false],
  ])
})

describe('spanFault', () => {
  it.each([
    ['2026-11-01', '2026-11-20', null],
    ['2026-11-20', '2026-11-20', null],
    ['2026-11-20', '2026-11-19', 'order'],
    ['', '2026-11-19', 'missing'],
    ['2026-11-20', '', 'missing'],
    ['2026-02-30', '2026-03-01', 'missing'],
    ['0202-11-01', '2026-11-20', 'far'],
    ['2026-11-20', '9999-12-31', 'far'],
    ['2000-01-01', '2100-12-31', null],
  ])('from %s to %s: %s', (from, to, fault) => expect(spanFault({ from, to })).toBe(fault))
})

it('is sent as whole days', () =>
  expect(toWire({ from: '2026-11-01', to: '2026-11-20' })).toEqual({
    start: '2026-11-01T00:00:00Z',
    end: '2026-11-20T23:59:59Z',
  }))

it('is shown as dates, a single day once', () => {
  expect(formatSpan({ from: '2026-11-01', to: '2026-11-20' })).toBe('01/11/2026 a 20/11/2026')
  expect(formatSpan({ from: '2026-11-01', to: '2026-11-01' })).toBe('01/11/2026')
})
