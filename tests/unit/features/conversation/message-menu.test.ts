// The actions of a message, by delivery state.
import { expect, it } from 'vitest'
import type { Message } from '#domain/message/message.ts'
import { isQuotable } from '#domain/message/quotable.ts'
import { canSendAgain, canTakeBack } from '#features/conversation/message/message-actions.ts'
import { message } from '#tests/support/make-app.ts'

const outgoing = (part: Partial<Message>) => message({ id: 9, direction: 'outgoing', body: 'Oi', ...part })

it.each<[string, Message, { quote: boolean; again: boolean; back: boolean }]>([
  ['an incoming one', message({ id: 9, body: 'Oi' }), { quote: true, again: false, back: false }],
  [
    'one that waits here',
    outgoing({ id: -3, delivery: 'queued' }),
    { quote: false, again: false, back: true },
  ],
  ['one that waits there', outgoing({ delivery: 'queued' }), { quote: false, again: false, back: true }],
  ['a sent one', outgoing({ delivery: 'sent' }), { quote: true, again: false, back: false }],
  ['a read one', outgoing({ delivery: 'read' }), { quote: true, again: false, back: false }],
  [
    'one that never left',
    outgoing({ delivery: 'failed', deliveryReason: 'failed' }),
    { quote: false, again: true, back: true },
  ],
  [
    'one that WhatsApp refused',
    outgoing({ delivery: 'failed', deliveryReason: 'rejected' }),
    { quote: false, again: true, back: false },
  ],
  [
    'one of which nobody knows',
    outgoing({ delivery: 'unknown', deliveryReason: 'no-answer' }),
    { quote: false, again: true, back: false },
  ],
  [
    'one that was sent again',
    outgoing({ delivery: 'unknown', deliveryReason: 'retried' }),
    { quote: false, again: false, back: false },
  ],
  [
    'a deleted one',
    message({ id: 9, content: { kind: 'deleted' } }),
    { quote: false, again: false, back: false },
  ],
])('%s', (_, line, can) => {
  expect({ quote: isQuotable(line), again: canSendAgain(line), back: canTakeBack(line) }).toEqual(can)
})
