// When the app offers its installation.
import { expect, test } from 'vitest'
import { mayOffer } from '#features/install/install-rules.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const DAY_MS = 24 * 60 * 60_000
const fresh = { sessions: 1, hasMoved: false, declines: 0, declinedAtMs: 0 }

test.each([
  ['the first session', fresh, false],
  ['the second session', { ...fresh, sessions: 2 }, false],
  ['the third session', { ...fresh, sessions: 3 }, true],
  ['a first session with a move', { ...fresh, hasMoved: true }, true],
  [
    'a no of thirteen days ago',
    { ...fresh, sessions: 9, declines: 1, declinedAtMs: NOW - 13 * DAY_MS },
    false,
  ],
  [
    'a no of fourteen days ago',
    { ...fresh, sessions: 9, declines: 1, declinedAtMs: NOW - 14 * DAY_MS },
    true,
  ],
  [
    'a no by a clock that was ahead',
    { ...fresh, sessions: 9, declines: 1, declinedAtMs: NOW + DAY_MS },
    false,
  ],
  [
    'a second no of a year ago',
    { ...fresh, sessions: 99, declines: 2, declinedAtMs: NOW - 365 * DAY_MS },
    false,
  ],
])('after %s', (_, record, expected) => {
  expect(mayOffer(record, NOW)).toBe(expected)
})
