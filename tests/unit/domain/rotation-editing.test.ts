// Pending edits of a rotation: their changes, their faults, and the times of a shift.
import { describe, expect, it } from 'vitest'
import {
  changesOf,
  fromClock,
  movedTo,
  newSeat,
  planFault,
  readTextCode,
  type RotationPlan,
  shiftsFault,
  toClock,
} from '#domain/rotation/editing.ts'
import { table } from '#tests/support/table.ts'
import { ROTATION_SETTINGS } from '#tests/support/make-app.ts'

const plan = (part: Partial<RotationPlan> = {}): RotationPlan => ({
  name: 'Mirante do Lago',
  settings: ROTATION_SETTINGS,
  seats: ['a', 'b', 'c'].map(newSeat),
  ...part,
})
const seats = (...names: string[]) => names.map(newSeat)
const settings = (part: Partial<RotationPlan['settings']>) => ({ ...plan().settings, ...part })

describe('pending changes', () => {
  it('none if everything is equal, in any order of keys', () => {
    expect(changesOf(plan(), plan())).toBeNull()
    const turned = seats('a', 'b', 'c').map((seat) => Object.fromEntries(Object.entries(seat).toReversed()))
    expect(changesOf(plan(), plan({ seats: turned as never }))).toBeNull()
    expect(changesOf(plan(), plan({ name: ' Mirante do Lago ' }))).toBeNull()
  })

  it.each([
    ['the name', plan({ name: 'Mirante' }), { hasName: true }],
    ['the order', plan({ seats: seats('b', 'a', 'c') }), { hasOrder: true }],
    ['one who joined', plan({ seats: seats('a', 'b', 'c', 'd') }), { seatCount: 1 }],
    ['one who joined in between', plan({ seats: seats('a', 'd', 'b', 'c') }), { seatCount: 1 }],
    ['one who left', plan({ seats: seats('a', 'c') }), { seatCount: 1 }],
    ['one in the place of another', plan({ seats: seats('a', 'd', 'c') }), { seatCount: 2 }],
    ['all', plan({ seats: [] }), { seatCount: 3 }],
    [
      'the rules of a seat',
      plan({
        seats: [{ ...newSeat('a'), shifts: [{ days: [1], from: 0, to: 60 }] }, ...seats('b', 'c')],
      }),
      { seatCount: 1 },
    ],
    ['how it hands out', plan({ settings: settings({ maxHops: 4 }) }), { hasSettings: true }],
    ['order and people', plan({ seats: seats('c', 'a', 'd') }), { hasOrder: true, seatCount: 2 }],
  ])('%s', (_, after, changed) =>
    expect(changesOf(plan(), after)).toEqual({
      hasName: false,
      hasOrder: false,
      seatCount: 0,
      hasSettings: false,
      ...changed,
    }),
  )

  it('include the days of a shift', () => {
    const with1 = { ...newSeat('a'), shifts: [{ days: [1, 2], from: 0, to: 60 }] }
    const with2 = { ...newSeat('a'), shifts: [{ days: [1, 3], from: 0, to: 60 }] }
    expect(changesOf(plan({ seats: [with1] }), plan({ seats: [with2] }))?.seatCount).toBe(1)
  })
})

describe('movedTo', () => {
  it.each([
    [0, 2, 'bca'],
    [2, 0, 'cab'],
    [1, 1, 'abc'],
    [0, 3, 'abc'],
    [0, -1, 'abc'],
    [5, 0, 'abc'],
  ])('%i to %i', (from, to, after) => expect(movedTo(['a', 'b', 'c'], from, to).join('')).toBe(after))
})

describe('planFault', () => {
  table('%#', planFault, [
    [plan(), null],
    [plan({ name: '  ' }), 'name'],
    [plan({ settings: settings({ textCode: 'ML' }) }), null],
    [plan({ settings: settings({ textCode: 'M' }) }), 'code'],
  ])

  table('a code as typed: %j', readTextCode, [
    ['mir-01', 'MIR01'],
    ['  ', null],
    ['çã', null],
    ['a'.repeat(30), 'A'.repeat(20)],
  ])
})

describe('shifts', () => {
  table('%#', shiftsFault, [
    [null, null],
    [[], 'none'],
    [[{ days: [], from: 0, to: 60 }], 'days'],
    [[{ days: [1], from: 60, to: 60 }], 'hours'],
    [[{ days: [1], from: 1_320, to: 360 }], null],
  ])

  table('%i minutes', toClock, [
    [0, '00:00'],
    [540, '09:00'],
    [1_439, '23:59'],
    [1_440, '00:00'],
  ])

  it.each([
    ['09:00', 'from', 540],
    ['00:00', 'from', 0],
    ['00:00', 'to', 1_440],
    ['24:00', 'to', null],
    ['', 'from', null],
  ] as const)('%j as %s', (text, end, minutes) => expect(fromClock(text, end)).toBe(minutes))
})
