// What a lead's sheet shows of a lead whose details this device never read, and moves that wait.
import { expect, it } from 'vitest'
import type { Entry } from '#domain/outbox/command.ts'
import { knownSheet, withMoves } from '#features/conversation/lead/known-sheet.ts'
import { entry, lead, mediaOf, message, stage } from '#tests/support/make-app.ts'

const CREATED = 1_800_000_000
const rogerio = lead({
  id: 7,
  source: 'instagram',
  development: 'Mirante do Lago',
  createdAtMs: CREATED * 1000,
  done: [{ id: 3, kind: 'call', due: CREATED + 60, at: CREATED + 120, note: '' }, 'of a newer portal'],
})
const media = mediaOf({ mimeType: 'application/pdf', fileName: 'tabela.pdf', sizeBytes: 310 })
const said = [
  message({ id: 1, direction: 'incoming', sentAtSeconds: CREATED + 30 }),
  message({
    id: 2,
    direction: 'outgoing',
    sentAtSeconds: CREATED + 90,
    content: { kind: 'document', media },
  }),
  message({ id: -4, direction: 'outgoing', content: { kind: 'document', media } }),
]

it('has the card, today’s deeds, and the conversation that the device has; the rest is unknown', () => {
  expect(knownSheet(rogerio, { messages: said, hasOlder: false })).toMatchObject({
    isPartial: true,
    source: 'instagram',
    development: 'Mirante do Lago',
    value: null,
    files: [{ id: 2, kind: 'document', isOwn: true, name: 'tabela.pdf', size: 310 }],
    path: [
      { kind: 'did', word: 'call' },
      { kind: 'wrote', atMs: (CREATED + 30) * 1000 },
      { kind: 'arrived', word: 'instagram' },
    ],
  })
})

it('the first message is unknown if the conversation goes further back, or was never read', () => {
  const kinds = (of: Parameters<typeof knownSheet>[1]) => knownSheet(rogerio, of).path.map(({ kind }) => kind)
  expect(kinds({ messages: said, hasOlder: true })).toEqual(['did', 'arrived'])
  expect(kinds(undefined)).toEqual(['did', 'arrived'])
})

it('moves of this device that the server does not have are in the path, newest first', () => {
  const { instanceName, number, name } = rogerio
  const moved = (seq: number, part: Partial<Entry> = {}) =>
    entry(
      { kind: 'lead.move', lead: { id: 7, instanceName, number, name }, fromSlug: 'new', toSlug: 'conversa' },
      { seq, id: `op${seq}`, createdAtMs: (CREATED + 100) * 1000, ...part },
    )
  const stages = [stage({ slug: 'conversa', name: 'Conversa' })]
  const path = [{ kind: 'arrived', atMs: CREATED * 1000, word: null, by: null }]
  const all = (entries: Entry[]) =>
    withMoves(path, { lead: rogerio, entries, stages }).map(({ word }) => word)
  expect(all([moved(1)])).toEqual(['Conversa', null])
  expect(all([moved(1, { state: 'applied' }), moved(2, { state: 'refused' })])).toEqual([null])
})
