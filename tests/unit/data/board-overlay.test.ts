// The board with waiting changes: a change that looks the same after it was stored or sent renders nothing.
import { expect, it } from 'vitest'
import { createBoardOverlay } from '#data/board/overlay.ts'
import type { Board } from '#data/board/rows.ts'
import type { Command, Entry } from '#domain/outbox/command.ts'
import { lead } from '#tests/support/make-app.ts'

const ref = { id: 7, number: null, name: 'Rogério', instanceName: 'corretor_ana' }
const board: Board = {
  cursor: '1.1',
  leads: new Map([lead({ id: 7, stageSlug: 'new' }), lead({ id: 8 })].map((each) => [each.id, each])),
  stages: [],
  missing: new Map(),
  askedAtMs: 1_000,
}
const move: Command = { kind: 'lead.move', lead: ref, fromSlug: 'new', toSlug: 'visita' }
const entry = (part: Partial<Entry> = {}): Entry => ({
  seq: 2 ** 40,
  id: 'op',
  schema: 1,
  userId: 'ana',
  command: move,
  state: 'queued',
  attempts: 0,
  nextAtMs: 0,
  createdAtMs: 1_800_000_000_000,
  failure: null,
  problem: null,
  appliedAtMs: null,
  messageId: null,
  ...part,
})
const pending = (...entries: Entry[]) => ({ entries, calmSinceMs: 0 })

it('a move makes one new board; stored, numbered, sent and applied it stays the same object', () => {
  const layOver = createBoardOverlay()
  expect(layOver(board, pending())).toBe(board)
  const moved = layOver(board, pending(entry()))
  expect(moved.leads.get(7)?.stageSlug).toBe('visita')
  expect(moved.leads.get(8)).toBe(board.leads.get(8))
  for (const part of [{ seq: 1 }, { attempts: 1 }, { state: 'applied', appliedAtMs: 2_000 }] as const)
    expect(layOver(board, pending(entry(part)))).toBe(moved)
})

it('what looks different makes a new board', () => {
  const layOver = createBoardOverlay()
  const moved = layOver(board, pending(entry()))
  const boards = [
    layOver(board, pending(entry({ failure: 'network' }))),
    layOver(board, pending(entry({ command: { ...move, toSlug: 'conversa' } }))),
    layOver(board, pending(entry({ command: { kind: 'lead.private', lead: ref, given: { number: null } } }))),
    layOver({ ...board, cursor: '1.2' }, pending(entry())),
    layOver(board, pending()),
  ]
  expect(new Set([moved, ...boards]).size).toBe(1 + boards.length)
  expect(boards.map(({ leads }) => leads.get(7)?.stageSlug)).toEqual([
    'visita',
    'conversa',
    undefined,
    'visita',
    'new',
  ])
  expect(boards.at(-1)).toBe(board)
})

it('an entry that the board contains is not applied', () => {
  const layOver = createBoardOverlay()
  const applied = entry({ state: 'applied', appliedAtMs: 999 })
  expect(layOver(board, pending(applied))).toBe(board)
})
