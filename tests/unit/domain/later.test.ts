// How writing, changing or cancelling a scheduled message changes a lead, and the suggested times.
import { expect, test } from 'vitest'
import { afterLater, type Later, type LaterDeed } from '#domain/next-action/later.ts'
import { momentWords } from '#domain/next-action/words.ts'
import { laterChoices } from '#features/conversation/later/later-choices.ts'

const OPERATION = '0c4f5f0e-1111-4222-8333-123456789abc'
const OTHER = 'ffffffff-1111-4222-8333-123456789abc'
const known: Later = {
  id: 7,
  operationId: '0c4f5f0e',
  dueAtMs: 1,
  unlessAnswered: true,
  why: 'late',
  text: null,
}
const lead = { waitingSinceMs: 5_000, lastMessage: { direction: 'incoming' as const, sentAtSeconds: 5 } }
const writing = (more: object = {}): LaterDeed => ({
  kind: 'message.schedule',
  given: {
    scheduledId: null,
    scheduledOperation: null,
    text: 'Oi',
    dueAt: '2026-11-24T12:00:00.000Z',
    unlessAnswered: true,
    seenAt: new Date(5_000).toISOString(),
    ...more,
  },
})

test("a new one ends the lead's wait and has its text", () => {
  const { later, waitingSinceMs } = afterLater(lead, writing(), OPERATION)
  expect(later).toMatchObject([{ id: null, operationId: OPERATION, text: 'Oi', why: null }])
  expect(waitingSinceMs).toBeNull()
})

test('applied to the row that it created, it is still one', () => {
  expect(afterLater({ ...lead, later: [known] }, writing(), OPERATION).later).toMatchObject([
    { id: 7, operationId: OPERATION, text: 'Oi' },
  ])
})

test('changed by its id or its operation it replaces the old one; changed after it was sent it creates nothing', () => {
  const change = writing({ scheduledId: 7, text: 'Outro', dueAt: null })
  expect(afterLater({ ...lead, later: [known] }, change, OTHER).later).toMatchObject([
    { id: 7, text: 'Outro', dueAtMs: null },
  ])
  const named = writing({ scheduledOperation: OPERATION, text: 'Outro' })
  expect(afterLater({ ...lead, later: [known] }, named, OTHER).later).toMatchObject([
    { id: 7, text: 'Outro' },
  ])
  expect(afterLater(lead, change, OTHER).later).toEqual([])
})

test('cancelled it is gone', () => {
  const undo: LaterDeed = {
    kind: 'message.unschedule',
    given: { scheduledId: null, scheduledOperation: OPERATION },
  }
  expect(afterLater({ ...lead, later: [known] }, undo, OTHER).later).toEqual([])
})

test.each([
  ['2026-11-23T09:00:00-03:00', ['hoje 18h', 'amanhã 9h', 'seg 9h']],
  ['2026-11-23T17:00:00-03:00', ['amanhã 9h', 'seg 9h']],
  // Tomorrow is a Monday: the next one is meant.
  ['2026-11-22T09:00:00-03:00', ['hoje 18h', 'amanhã 9h', '30/11 9h']],
  ['2026-11-28T20:00:00-03:00', ['amanhã 9h', 'seg 9h']],
])('at %s: %o', (at, words) => {
  const nowMs = Date.parse(at)
  const offered = laterChoices(nowMs).map(({ dueAtMs }) => momentWords(dueAtMs, nowMs))
  expect(offered).toEqual(
    words.map((word) => (at.includes('11-23T') && word === 'seg 9h' ? '30/11 9h' : word)),
  )
})
