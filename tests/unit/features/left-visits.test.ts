// A postponed outcome question is asked once more at 18h, then only on request.
import { expect, it } from 'vitest'
import { isLeft, leftAt, visitKey } from '#features/visit/left-visits.ts'

const at = (time: string) => Date.parse(`${time}:00-03:00`)
const helena = visitKey(2, { dueAtMs: at('2026-11-23T11:00') })
const isAskedAt = (left: ReturnType<typeof leftAt>, time: string) => !isLeft(left, helena, at(time))

it('postponed at noon it is asked at 18h that day', () => {
  const left = leftAt([], helena, at('2026-11-23T12:10'))
  expect(isAskedAt(left, '2026-11-23T17:59')).toBe(false)
  expect(isAskedAt(left, '2026-11-23T18:00')).toBe(true)
})

it('postponed in the evening it is asked at 18h the next day', () => {
  const left = leftAt([], helena, at('2026-11-23T18:00'))
  expect(isAskedAt(left, '2026-11-24T17:59')).toBe(false)
  expect(isAskedAt(left, '2026-11-24T18:00')).toBe(true)
})

it('postponed a second time it is not asked again, others are', () => {
  const twice = leftAt(leftAt([], helena, at('2026-11-23T12:10')), helena, at('2026-11-23T18:05'))
  expect(isAskedAt(twice, '2027-11-23T18:05')).toBe(false)
  expect(isLeft(twice, visitKey(3, { dueAtMs: at('2026-11-23T11:00') }), at('2026-11-23T18:06'))).toBe(false)
})

it('a visit moved to another hour is asked about anew', () => {
  const left = leftAt([], helena, at('2026-11-23T12:10'))
  const moved = visitKey(2, { dueAtMs: at('2026-11-23T13:00') })
  expect(isLeft(left, moved, at('2026-11-23T14:30'))).toBe(false)
})

it('old postponements are deleted from the device', () => {
  let left = leftAt([], helena, at('2026-11-23T12:10'))
  for (let id = 100; id < 160; id++) left = leftAt(left, visitKey(id, { dueAtMs: 1 }), at('2026-11-23T12:10'))
  expect(left).toHaveLength(50)
  expect(isLeft(left, helena, at('2026-11-23T12:11'))).toBe(false)
})
