// When a message can be edited or deleted for all, and how a change that waits or was refused shows.
import { expect, it } from 'vitest'
import * as v from 'valibot'
import { MessageRow, toMessage } from '#data/messages/row.ts'
import { canDelete, canEdit, changeFault } from '#domain/message/change.ts'
import type { Message } from '#domain/message/message.ts'
import { message } from '#tests/support/make-app.ts'

const SENT = 1_800_000_000
const own = (part: Partial<Message> = {}) =>
  message({ id: 9, direction: 'outgoing', delivery: 'read', body: 'Oi', sentAtSeconds: SENT, ...part })
const after = (seconds: number) => (SENT + seconds) * 1000

it.each<[string, Message, number, { edit: boolean; remove: boolean }]>([
  ['at once', own(), 1, { edit: true, remove: true }],
  ['after 15 minutes', own(), 900, { edit: false, remove: true }],
  ['after two days', own(), 172_800, { edit: false, remove: false }],
  ['a photo', own({ content: { kind: 'location', place: {} as never } }), 1, { edit: false, remove: true }],
  ['an assistant’s', own({ byAssistant: true }), 1, { edit: false, remove: true }],
  ['one that waits', own({ delivery: 'queued' }), 1, { edit: false, remove: false }],
  ['one that is only here', own({ id: -3 }), 1, { edit: false, remove: false }],
  ['one that was refused', own({ delivery: 'failed' }), 1, { edit: false, remove: false }],
  ['a deleted one', own({ content: { kind: 'deleted' } }), 1, { edit: false, remove: false }],
  ['the lead’s', own({ direction: 'incoming', delivery: null }), 1, { edit: false, remove: false }],
])('%s', (_, given, seconds, can) => {
  expect({ edit: canEdit(given, after(seconds)), remove: canDelete(given, after(seconds)) }).toEqual(can)
})

const NOTHING = Object.fromEntries(Object.keys(MessageRow.entries).map((column) => [column, null]))

const row = (change: unknown) =>
  toMessage(
    v.parse(MessageRow, {
      ...NOTHING,
      id: 9,
      body: 'Às 10h',
      timestamp: SENT,
      type: 'outgoing',
      read: true,
      kind: 'text',
      change,
    }),
  )

it('a row shows what waits, and why something did not happen', () => {
  const of = (state: string, more = {}) =>
    row({ kind: 'edit', body: 'Às 11h', state, operationId: 'op', ...more })
  expect(of('queued')).toMatchObject({ body: 'Às 11h', change: { kind: 'edit', state: 'queued' } })
  expect(of('refused', { reason: 'too-late' })).toMatchObject({ body: 'Às 10h', change: { state: 'late' } })
  expect(row({ kind: 'delete', state: 'queued' })).toMatchObject({ body: '', content: { kind: 'deleted' } })
  expect(row(null).change).toBeUndefined()
  expect(row({ kind: 'unheard of' }).change, 'of a newer portal').toBeUndefined()
  const words = [of('queued'), of('refused'), of('unknown')].map(
    ({ change }) => change && changeFault(change),
  )
  expect(words).toEqual([
    null,
    'O WhatsApp não aceitou a edição. O contato vê o texto de antes.',
    'O WhatsApp não confirmou a edição. Confira no celular.',
  ])
})
