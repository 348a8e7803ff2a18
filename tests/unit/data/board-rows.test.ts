// How pulls change the board.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyBoardDelta, type Board } from '#data/board/rows.ts'
import { boardDelta, leadRow } from '#tests/support/make-app.ts'

const ids = (board: Board) => [...board.leads.keys()].toSorted((a, b) => a - b)

describe('applyBoardDelta', () => {
  it('turns rows into leads', () => {
    const last = {
      body: 'Oi',
      timestamp: 1_763_728_860,
      type: 'outgoing' as const,
      kind: 'text' as const,
      delivery: 'delivered' as const,
    }
    const board = applyBoardDelta(
      undefined,
      boardDelta({
        reset: true,
        leads: [
          leadRow(7, {
            status: 'conversa',
            notes: 'Ligar',
            unread_count: 2,
            last_message: last,
            remarketing_sent_at: '2025-11-20T15:30:00.5+00:00',
          }),
        ],
      }),
    )
    expect(board.leads.get(7)).toEqual({
      id: 7,
      name: 'Marina Tavares',
      number: '5511955500142',
      notes: 'Ligar',
      stageSlug: 'conversa',
      pictureUrl: null,
      instanceName: 'corretor_camila',
      unreadCount: 2,
      lastMessage: {
        body: 'Oi',
        sentAtSeconds: 1_763_728_860,
        direction: 'outgoing',
        delivery: 'delivered',
      },
      createdAtMs: Date.parse('2025-11-21T12:00:00Z'),
      remarketingSentAtMs: Date.parse('2025-11-20T15:30:00.500Z'),
      isOptedOut: false,
      waitingSinceMs: null,
      next: [],
      source: 'desconhecida',
      development: null,
      waiting: null,
    })
  })

  it.each([
    ['outgoing' as const, 'agent', true],
    ['outgoing' as const, null, undefined],
    ['incoming' as const, 'agent', undefined],
  ])('an %s message of %s: by an assistant, %s', (type, last_author, byAssistant) => {
    const last_message = { body: 'Oi', timestamp: 1, type, kind: 'text' as const, delivery: null }
    const board = applyBoardDelta(
      undefined,
      boardDelta({ reset: true, leads: [leadRow(7, { last_message, last_author })] }),
    )
    expect(board.leads.get(7)?.lastMessage?.byAssistant).toBe(byAssistant)
  })

  it('describes a last message without text', () => {
    const photo = {
      body: '',
      timestamp: 1_763_728_860,
      type: 'incoming' as const,
      kind: 'image' as const,
      delivery: null,
    }
    const board = applyBoardDelta(
      undefined,
      boardDelta({ reset: true, leads: [leadRow(7, { last_message: photo })] }),
    )
    expect(board.leads.get(7)?.lastMessage?.body).toBe('Foto')
  })

  it('puts stages in their order', () => {
    const stages = [
      { id: 2, name: 'Conversa', slug: 'conversa', order_index: 2, kind: 'open' as const, hue: 'conversa' },
      { id: 'x', name: 'Novos Contatos', slug: 'new', order_index: 1, kind: 'open' as const, hue: 'new' },
    ]
    const board = applyBoardDelta(undefined, boardDelta({ reset: true, stages }))
    expect(board.stages.map(({ slug, position }) => [slug, position])).toEqual([
      ['new', 1],
      ['conversa', 2],
    ])
  })

  it('changes, adds and removes, and keeps the rest as the same objects', () => {
    const first = applyBoardDelta(
      undefined,
      boardDelta({ reset: true, leads: [leadRow(1), leadRow(2), leadRow(3)] }),
    )
    const second = applyBoardDelta(
      first,
      boardDelta({ cursor: '2', leads: [leadRow(2, { status: 'fechado' }), leadRow(4)], removed: [3] }),
    )
    expect(ids(second)).toEqual([1, 2, 4])
    expect(second.leads.get(2)?.stageSlug).toBe('fechado')
    expect(second.leads.get(1)).toBe(first.leads.get(1))
    expect(second.cursor).toBe('2')
    // the earlier board is unchanged
    expect(ids(first)).toEqual([1, 2, 3])
    expect(first.leads.get(2)?.stageSlug).toBe('new')
  })

  it('keeps the same lead objects if nothing changed', () => {
    const first = applyBoardDelta(undefined, boardDelta({ reset: true, leads: [leadRow(1)] }))
    const second = applyBoardDelta(first, boardDelta({ cursor: '9' }))
    expect(second.leads).toBe(first.leads)
    expect(second.cursor).toBe('9')
  })

  it('starts anew on a reset', () => {
    const first = applyBoardDelta(undefined, boardDelta({ reset: true, leads: [leadRow(1), leadRow(2)] }))
    expect(ids(applyBoardDelta(first, boardDelta({ reset: true, leads: [leadRow(5)] })))).toEqual([5])
  })

  it('gives the same board, however the changes are divided into pulls', () => {
    const change = fc.record({
      id: fc.integer({ min: 1, max: 12 }),
      status: fc.constantFrom('new', 'conversa', null),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const expected = new Map<number, string>()
        let board = applyBoardDelta(undefined, boardDelta({ reset: true }))
        for (const { id, status } of changes) {
          if (status === null) expected.delete(id)
          else expected.set(id, status)
          board = applyBoardDelta(
            board,
            status === null
              ? boardDelta({ removed: [id] })
              : boardDelta({ leads: [leadRow(id, { status })] }),
          )
        }
        expect(new Map([...board.leads].map(([id, lead]) => [id, lead.stageSlug]))).toEqual(expected)
      }),
    )
  })
})
