// The board with waiting changes: a change that looks the same after it was stored or sent renders nothing.
import { expect, it } from 'vitest'
import { layOverBoard } from '#data/board/overlay.ts'
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
  expect(layOverBoard(board, pending())).toBe(board)
  const moved = layOverBoard(board, pending(entry()))
  expect(moved.leads.get(7)?.stageSlug).toBe('visita')
  expect(moved.leads.get(8)).toBe(board.leads.get(8))
  for (const part of [{ seq: 1 }, { attempts: 1 }, { state: 'applied', appliedAtMs: 2_000 }] as const)
    expect(layOverBoard(board, pending(entry(part)))).toBe(moved)
})

it('all that show a board share one copy of it, each with its own additions', () => {
  const person = { ...ref, id: -1 }
  const add = entry({
    id: 'add',
    command: { kind: 'lead.add', lead: person, note: '', source: 'site', development: null },
  })
  const entries = pending(entry(), add)
  const plain = layOverBoard(board, entries)
  expect(layOverBoard(board, pending(entry(), add))).toBe(plain)
  expect(plain.leads.has(-1)).toBe(false)
  expect(layOverBoard(board, entries, 'corretor_ana').leads.has(-1)).toBe(true)
  expect(layOverBoard(board, entries).leads.has(-1)).toBe(false)
})

it('what looks different makes a new board', () => {
  const moved = layOverBoard(board, pending(entry()))
  const boards = [
    layOverBoard(board, pending(entry({ failure: 'network' }))),
    layOverBoard(board, pending(entry({ command: { ...move, toSlug: 'conversa' } }))),
    layOverBoard(
      board,
      pending(entry({ command: { kind: 'lead.private', lead: ref, given: { number: null } } })),
    ),
    layOverBoard({ ...board, cursor: '1.2' }, pending(entry())),
    layOverBoard(board, pending()),
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
  const applied = entry({ state: 'applied', appliedAtMs: 999 })
  expect(layOverBoard(board, pending(applied))).toBe(board)
})
