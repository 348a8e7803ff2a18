// Days and instants in requests: valid in the calendar, not only in form.
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { day, instant } from '#server/http/dates.ts'

test.each([
  ['day', '2028-02-29', true],
  ['day', '2026-02-29', false],
  ['day', '2026-02-31', false],
  ['day', '2026-13-01', false],
  ['day', '', false],
  ['instant', '2026-11-21T12:00:00Z', true],
  ['instant', '2026-11-21T12:00:00.123-03:00', true],
  ['instant', '2026-11-31T12:00:00Z', false],
  ['instant', '2026-11-21', false],
  // The database accepts neither.
  ['instant', '0000-01-01T00:00:00Z', false],
  ['instant', '0001-01-01T00:00:00+14:00', false],
  ['instant', '2026-11-21T12:00:00+23:59', false],
  ['instant', '2026-11-21T12:00:00-1200', true],
  ['instant', '2026-11-21T12:00:00+14', true],
])('%s %j is valid: %s', (what, text, isTaken) => {
  expect(v.safeParse(what === 'day' ? day : instant, text).success).toBe(isTaken)
})
