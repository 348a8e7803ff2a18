// Where a day begins and which messages are grouped.
import { expect, it } from 'vitest'
import { isOnItsWay, keyOf, groupMessages } from '#features/conversation/message/message-groups.ts'
import { message } from '#tests/support/make-app.ts'

const at = (time: string, direction: 'incoming' | 'outgoing' = 'incoming') =>
  message({ sentAtSeconds: Date.parse(`${time}-03:00`) / 1000, direction })
const NOW = Date.parse('2025-11-21T09:41:00-03:00')

it('shows each day once, in the portal’s zone', () => {
  const lines = groupMessages(
    [
      at('2025-11-18T23:59:59'),
      at('2025-11-19T00:00:00'),
      at('2025-11-20T12:00:00'),
      at('2025-11-20T23:59:00'),
      at('2025-11-21T00:01:00'),
    ],
    NOW,
  )
  expect(lines.map(({ day }) => day)).toEqual(['18/11/2025', '19/11/2025', 'Ontem', null, 'Hoje'])
})

it('groups messages of one side, never across a day', () => {
  const lines = groupMessages(
    [
      at('2025-11-20T09:00:00'),
      at('2025-11-20T09:01:00'),
      at('2025-11-20T09:02:00', 'outgoing'),
      at('2025-11-21T09:00:00', 'outgoing'),
    ],
    NOW,
  )
  expect(lines.map(({ isSameSide }) => isSameSide)).toEqual([false, true, false, false])
})

it('a message written here keeps its key when the server has it', () => {
  const waiting = message({ id: -4, operationId: 'op-4' })
  expect(keyOf(message({ id: 812, operationId: 'op-4' }))).toBe(keyOf(waiting))
  expect(keyOf(message({ id: 813 }))).toBe('813')
})

it.each([
  [0, null, true],
  [14_000, null, true],
  [16_000, null, false],
  [0, 'not-linked', false],
])('%i ms after it was written, waiting for %s, it counts as being sent: %s', (age, deliveryReason, isIt) => {
  const line = message({ delivery: 'queued', deliveryReason, sentAtSeconds: NOW / 1000 })
  expect(isOnItsWay(line, NOW + age)).toBe(isIt)
})
