// Where a day begins and which messages are grouped.
import { expect, it } from 'vitest'
import { isOnItsWay, keyOf, groupMessages } from '#features/conversation/message/message-groups.ts'
import type { Message } from '#domain/message/message.ts'
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

const own = (id: number, delivery: Message['delivery'], seconds = 0) =>
  message({ id, delivery, sentAtSeconds: NOW / 1000 + seconds, direction: 'outgoing' })

it.each<[string, Message[], number[], (string | undefined)[]]>([
  ['one alone', [own(1, 'queued')], [1], [undefined]],
  [
    'three that wait on the phone',
    [own(-7, 'queued'), own(-7.125, 'queued'), own(-7.25, 'queued')],
    [-7, -7.125, -7.25],
    ['1 de 3', '2 de 3', '3 de 3'],
  ],
  [
    'the first of three is sent, and has a later time',
    [own(2, 'queued'), own(3, 'queued'), own(1, 'sent', 2)],
    [1, 2, 3],
    [undefined, '2 de 3', '3 de 3'],
  ],
  [
    'one failed: the rest goes on',
    [own(1, 'failed'), own(3, 'queued'), own(2, 'read', 4)],
    [1, 2, 3],
    [undefined, undefined, '3 de 3'],
  ],
  [
    'an older message is none of them',
    [own(1, 'read', -30), own(2, 'queued'), own(3, 'queued')],
    [1, 2, 3],
    [undefined, '1 de 2', '2 de 2'],
  ],
  ['all are sent', [own(1, 'sent', 2), own(2, 'sent', 3)], [1, 2], [undefined, undefined]],
  [
    'the lead has written since',
    [own(1, 'queued'), { ...at('2025-11-21T09:41:05'), id: 2 }],
    [1, 2],
    [undefined, undefined],
  ],
])('%s', (_, messages, ids, words) => {
  const lines = groupMessages(messages, NOW)
  expect(lines.map((line) => line.message.id)).toEqual(ids)
  expect(lines.map((line) => line.message.sending)).toEqual(words)
})
