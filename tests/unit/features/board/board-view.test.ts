// The board as columns, and a card's text for screen readers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import {
  type Column,
  createBoardView,
  describeLead,
  findColumn,
  toColumns,
} from '#features/board/ground/board-view.ts'
import { board as makeBoard, lastMessage, lead, stage } from '#tests/support/make-app.ts'
import { table } from '#tests/support/table.ts'

const STAGES = [stage({ slug: 'new' }), stage({ slug: 'conversa' }), stage({ slug: 'fechado' })]
const board = (leads: Lead[], stages = STAGES) => makeBoard(leads, { stages })
const spoke = (sentAtSeconds: number) => lastMessage({ sentAtSeconds })
const shown = (view: readonly Column[]) => view.map(({ leads }) => leads.map(({ id }) => id))

describe('toColumns', () => {
  it('puts each lead in its stage, with the latest message on top', () => {
    const leads = [
      lead({ id: 1, lastMessage: spoke(100) }),
      lead({ id: 2, lastMessage: spoke(300) }),
      lead({ id: 3, lastMessage: spoke(200), stageSlug: 'conversa' }),
    ]
    expect(shown(toColumns(board(leads)))).toEqual([[2, 1], [3], []])
  })

  it('uses the arrival time of a lead without messages', () => {
    const leads = [
      lead({ id: 1, lastMessage: spoke(1000) }),
      lead({ id: 2, lastMessage: null, createdAtMs: 2_000_000 }),
      lead({ id: 3, lastMessage: null, createdAtMs: 500_000 }),
    ]
    expect(shown(toColumns(board(leads)))[0]).toEqual([2, 1, 3])
  })

  it('shows a lead of an unknown stage in the default one', () => {
    expect(shown(toColumns(board([lead({ id: 1, stageSlug: 'apagado' })])))).toEqual([[1], [], []])
    const withoutDefault = [stage({ slug: 'conversa' }), stage({ slug: 'fechado' })]
    expect(shown(toColumns(board([lead({ id: 1, stageSlug: 'apagado' })], withoutDefault)))).toEqual([
      [1],
      [],
    ])
  })

  it('counts stored leads that are not read yet', () => {
    const missing = new Map([
      ['conversa', 40],
      ['apagado', 2],
    ])
    const columns = toColumns(
      makeBoard([lead({ id: 1, stageSlug: 'conversa' })], { stages: STAGES, missing }),
    )
    expect(columns.map(({ leads, total }) => [leads.length, total])).toEqual([
      [0, 2],
      [1, 41],
      [0, 0],
    ])
  })

  it('shows every lead exactly once', () => {
    const slugs = fc.array(fc.constantFrom('new', 'conversa', 'fechado', 'apagado', ''), { maxLength: 50 })
    fc.assert(
      fc.property(slugs, (stageSlugs) => {
        const leads = stageSlugs.map((stageSlug, index) => lead({ id: index, stageSlug }))
        const ids = shown(toColumns(board(leads))).flat()
        expect(ids.toSorted((a, b) => a - b)).toEqual(leads.map(({ id }) => id))
      }),
    )
  })
})

describe('createBoardView', () => {
  const person = fc.record({
    id: fc.integer({ min: 1, max: 12 }),
    stageSlug: fc.constantFrom('new', 'conversa', 'fechado', 'apagado'),
    seconds: fc.option(fc.integer({ min: 1, max: 5 })),
    createdAtMs: fc.integer({ min: 0, max: 6000 }),
  })
  const change = fc.record({
    put: fc.array(person, { maxLength: 4 }),
    removed: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 2 }),
    stages: fc.constantFrom(STAGES, STAGES, STAGES, STAGES.slice(0, 2)),
    missing: fc.constantFrom(new Map<string, number>(), new Map([['conversa', 3]])),
  })

  it('after any changes equals a sorted board', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const view = createBoardView()
        let leads = new Map<number, Lead>()
        for (const { put, removed, stages, missing } of changes) {
          leads = new Map(leads)
          for (const { id, stageSlug, seconds, createdAtMs } of put) {
            const last = seconds === null ? null : spoke(seconds)
            leads.set(id, lead({ id, stageSlug, createdAtMs, lastMessage: last }))
          }
          for (const id of removed) leads.delete(id)
          const now = makeBoard([...leads.values()], { stages: [...stages], missing })
          expect(view(now)).toEqual(toColumns(now))
        }
      }),
    )
  })

  it('keeps the object of an unchanged column', () => {
    const view = createBoardView()
    const leads = [lead({ id: 1 }), lead({ id: 2, stageSlug: 'conversa' })]
    const before = view(board(leads))
    const after = view(board([...leads.slice(0, 1), lead({ id: 2, stageSlug: 'conversa', notes: 'Ligar' })]))
    expect(after[0]).toBe(before[0])
    expect(after[1]?.leads[0]?.notes).toBe('Ligar')
    expect(after[2]).toBe(before[2])
  })

  it('sorts anew a board with many changes', () => {
    const view = createBoardView()
    const many = (from: number) =>
      board(Array.from({ length: 500 }, (_, index) => lead({ id: from + index, lastMessage: spoke(index) })))
    view(many(0))
    expect(shown(view(many(1000)))).toEqual(shown(toColumns(many(1000))))
  })
})

table('stage %s fills the screen as column %i', (slug) => findColumn(toColumns(board([])), slug), [
  ['conversa', 1],
  ['apagado', 0],
  [undefined, 0],
])

it('starts with the default stage at any position', () => {
  const moved = [stage({ slug: 'conversa' }), stage({ slug: 'new' })]
  expect(findColumn(toColumns(board([], moved)), undefined)).toBe(1)
})

describe('describeLead', () => {
  const sentAtSeconds = 1_763_728_860
  const at = (seconds: number) => (sentAtSeconds + seconds) * 1000

  it('contains name, time, message and note', () => {
    const rogerio = lead({
      name: 'Rogério Bastos',
      notes: 'Quer 3 quartos.',
      lastMessage: lastMessage({ body: 'Consigo visitar no sábado', sentAtSeconds }),
    })
    expect(describeLead(rogerio, at(180), 'Você')).toBe(
      'Rogério Bastos, mensagem há 3 minutos, recente: Consigo visitar no sábado. Nota: Quer 3 quartos.',
    )
  })

  it('contains the last author', () => {
    const message = lastMessage({ body: 'Segue a tabela.', sentAtSeconds, direction: 'outgoing' })
    expect(describeLead(lead({ name: 'Wesley', lastMessage: message }), at(7200), 'Você')).toBe(
      'Wesley, mensagem há 2 horas: Você: Segue a tabela.',
    )
  })

  it('contains delivery, unread and waiting states', () => {
    const answer = lastMessage({ body: 'Segue.', sentAtSeconds, direction: 'outgoing', delivery: 'read' })
    expect(
      describeLead(lead({ name: 'Ana', lastMessage: answer, waiting: 'conflict' }), at(7200), 'Você'),
    ).toBe('Ana, mensagem há 2 horas, lida: Você: Segue.. Mudou em outro aparelho')
    const question = lastMessage({ body: 'Oi', sentAtSeconds })
    expect(describeLead(lead({ name: 'Ana', lastMessage: question, unreadCount: 2 }), at(7200), 'Você')).toBe(
      'Ana, mensagem há 2 horas, 2 novas: Oi',
    )
  })

  it('contains only the name of a lead without messages', () => {
    expect(describeLead(lead({ name: 'Ana' }), at(0), 'Você')).toBe('Ana')
  })
})
