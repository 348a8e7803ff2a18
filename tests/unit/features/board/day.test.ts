// Waiting leads and next steps on the board: the line of a card, and the filters over the columns.
import { describe, expect, it } from 'vitest'
import type { Lead } from '#domain/lead/lead.ts'
import type { NextAction } from '#domain/next-action/next-action.ts'
import { type Column, toColumns } from '#features/board/ground/board-view.ts'
import {
  countMeant,
  createFilterView,
  type Filter,
  filterNamed,
  NONE_MEANT,
  stageWith,
} from '#features/board/day/filter-view.ts'
import { lineOf } from '#features/board/day/line-view.ts'
import { board, lastMessage, lead, stage } from '#tests/support/make-app.ts'
import { table } from '#tests/support/table.ts'

const NOW = Date.parse('2026-11-23T09:41-03:00')
const MINUTE = 60_000
const action = (minutesAhead: number, part: Partial<NextAction> = {}): NextAction => ({
  id: 1,
  operationId: null,
  kind: 'call',
  dueAtMs: NOW + minutesAhead * MINUTE,
  note: '',
  ...part,
})
const wroteAgo = (minutes: number) => ({
  lastMessage: lastMessage({ sentAtSeconds: NOW / 1000 - minutes * 60 }),
})

describe('the line of a card', () => {
  it('says a text for later, but not in place of a visit or of what comes first', () => {
    const text = (why: string | null = null) => ({
      id: 9,
      operationId: null,
      dueAtMs: NOW + 60 * MINUTE,
      unlessAnswered: true,
      why,
      text: null,
    })
    const words = (part: Partial<Lead>) => lineOf(lead(part), { nowMs: NOW }).words
    expect(words({ later: [text()] })).toBe('Mensagem agendada · hoje 10h41')
    expect(words({ later: [text('late')] })).toBe('Mensagem agendada não saiu')
    expect(words({ later: [text()], next: [action(120)] })).toBe('Mensagem agendada · hoje 10h41')
    expect(words({ later: [text()], next: [action(30)] })).toBe('Ligar · hoje 10h11')
    expect(words({ later: [text()], next: [action(1_500, { kind: 'visit' })] })).toMatch(/^Visita · /)
  })
  it.each([
    ['the queue before all', { waiting: 'queue' as const, ...wroteAgo(60) }, 'queue', 'Na fila', 'plain'],
    [
      'what must be decided',
      { waiting: 'conflict' as const },
      'problem',
      'Mudou em outro aparelho',
      'problem',
    ],
    [
      'who waits, before what is next',
      { ...wroteAgo(9), next: [action(60)] },
      'waiting',
      'Sem resposta há 9 min',
      'plain',
    ],
    ['who waits past the target', wroteAgo(15), 'waiting', 'Sem resposta há 15 min', 'late'],
    ['never in red', wroteAgo(600), 'waiting', 'Sem resposta há 10 h', 'late'],
    [
      'under the sun what is next',
      { ...wroteAgo(4), next: [action(60)] },
      'call',
      'Ligar · hoje 10h41',
      'plain',
    ],
    ['what is late', { next: [action(-120, { kind: 'visit' })] }, 'late', 'Visita · atrasada 2 h', 'late'],
    [
      'where the lead is from',
      { source: 'instagram', development: 'Mirante do Lago' },
      'origin',
      'Instagram · Mirante do Lago',
      'quiet',
    ],
    ['the development alone', { development: 'Mirante do Lago' }, 'origin', 'Mirante do Lago', 'quiet'],
    ['nothing at all', {}, 'none', 'Sem próxima ação', 'quiet'],
  ] as const)('%s', (_, part, glyph, words, tone) => {
    expect(lineOf(lead(part), { nowMs: NOW })).toEqual({ glyph, words, tone })
  })
  it.each([
    ['by night', '2026-11-23T23:40-03:00', 180, 'plain'],
    ['by night, over before', '2026-11-23T23:40-03:00', 240, 'late'],
    ['in the morning, a quarter of an hour not yet', '2026-11-24T08:14-03:00', 600, 'plain'],
    ['in the morning, the quarter over', '2026-11-24T08:15-03:00', 600, 'late'],
    ['on a Sunday', '2026-11-22T15:00-03:00', 1_000, 'plain'],
    ['on a Monday after it', '2026-11-23T08:20-03:00', 2_000, 'late'],
  ] as const)('only counted hours make it late: %s', (_, now, minutes, tone) => {
    const nowMs = Date.parse(now)
    expect(lineOf(lead({ waitingSinceMs: nowMs - minutes * MINUTE }), { nowMs })).toMatchObject({ tone })
  })
  it("the server's count overrides the agency’s hours, unless it belongs to an earlier wait", () => {
    const waits = lead({ waitingSinceMs: NOW - 90 * MINUTE })
    const counted = { atMs: NOW - MINUTE, countedMs: 5 * MINUTE, isOpen: true }
    const toneOf = (given: typeof counted) => lineOf(waits, { nowMs: NOW, counted: given }).tone
    expect(toneOf(counted)).toBe('plain')
    expect(toneOf({ ...counted, countedMs: 14 * MINUTE })).toBe('late')
    expect(toneOf({ ...counted, countedMs: 14 * MINUTE, isOpen: false })).toBe('plain')
    expect(toneOf({ ...counted, atMs: NOW - 95 * MINUTE, isOpen: false })).toBe('late')
  })
  it.each([
    [20, 'plain'],
    [5, 'late'],
  ])('late after the agency’s target of %d min', (minutes, tone) => {
    const waits = lead({ waitingSinceMs: NOW - 9 * 60_000 })
    expect(lineOf(waits, { nowMs: NOW, targetMs: minutes * 60_000 })).toMatchObject({
      glyph: 'waiting',
      tone,
    })
  })
})

const stages = ['new', 'conversa', 'fechado'].map((slug, position) => stage({ slug, name: slug, position }))
const columnsOf = (...leads: Parameters<typeof lead>[0][]): Column[] =>
  toColumns(
    board(
      leads.map((part) => lead(part)),
      { stages },
    ),
  )
const narrowed = (columns: readonly Column[], filter: Filter) =>
  createFilterView()(columns, filter, { nowMs: NOW })
const idsOf = (columns: readonly Column[]) =>
  columns.map(({ leads }) => leads.map(({ id }) => id).toSorted((one, other) => one - other))

describe('the filters', () => {
  const columns = columnsOf(
    { id: 1, unreadCount: 2, ...wroteAgo(3) },
    { id: 2, stageSlug: 'conversa', ...wroteAgo(90) },
    { id: 3, stageSlug: 'conversa', unreadCount: 1 },
    { id: 4, stageSlug: 'fechado', next: [action(-5)] },
    { id: 5, stageSlug: 'fechado', next: [action(5), action(90)] },
  )
  it.each([
    ['all', [[1], [2, 3], [4, 5]]],
    ['unread', [[1], [3], []]],
    ['waiting', [[1], [2], []]],
    ['late', [[], [], [4]]],
  ] as const)('%s', (filter, ids) => {
    const shown = narrowed(columns, filter)
    expect(idsOf(shown)).toEqual(ids)
    expect(shown.map(({ total }) => total)).toEqual(ids.map(({ length }) => length))
    expect(shown.map(({ unread }) => unread)).toEqual([1, 1, 0])
  })
  it('count over all stages, and show nothing until all leads are read', () => {
    expect(countMeant(columns, NOW)).toEqual({ all: 5, unread: 2, waiting: 2, late: 1 })
    expect(countMeant([{ ...columns[0]!, total: 9 }], NOW)).toBeNull()
  })
  it('count anew what a move changed and what a later minute made late', () => {
    const late = lead({ id: 9, unreadCount: 1, next: [action(1)] })
    const [first, ...others] = columns
    const joined = [{ ...first!, leads: [...first!.leads, late], total: first!.total + 1 }, ...others]
    expect(countMeant(joined, NOW)).toEqual({ all: 6, unread: 3, waiting: 2, late: 1 })
    expect(countMeant(joined, NOW + 2 * MINUTE)).toMatchObject({ all: 6, late: 2 })
    expect(countMeant(columns, NOW)).toEqual({ all: 5, unread: 2, waiting: 2, late: 1 })
  })
  it('lead to the shown stage, else the nearest with a match', () => {
    expect(stageWith(narrowed(columns, 'unread'), 1)).toBe('conversa')
    expect(stageWith(narrowed(columns, 'waiting'), 2)).toBe('conversa')
    expect(stageWith(narrowed(columns, 'late'), 0)).toBe('fechado')
    expect(stageWith(narrowed(columnsOf({}), 'late'), 0)).toBeNull()
  })
  table('the address says %s', filterNamed, [
    ['nao-lidas', 'unread'],
    ['sem-resposta', 'waiting'],
    ['atrasadas', 'late'],
    [undefined, 'all'],
    ['unread', 'all'],
  ])
  it('explain an empty column', () => {
    expect(narrowed(columns, 'late')[0]?.noneWords).toBe(NONE_MEANT.late)
  })
  it('a lead with a draft shows it, other leads and columns stay the same objects', () => {
    const view = createFilterView()
    const before = view(columns, 'all', { nowMs: NOW })
    const after = view(columns, 'all', { nowMs: NOW, drafts: new Map([[3, 'Segue a']]) })
    expect(after.map(({ leads }) => leads.flatMap(({ draft = [] }) => draft))).toEqual([[], ['Segue a'], []])
    expect(after[1]?.leads.filter((one) => before[1]?.leads.includes(one)).map(({ id }) => id)).toEqual([2])
  })
  it('an unchanged column stays the same object until the filter or, for late leads, the minute changes', () => {
    const view = createFilterView()
    const before = view(columns, 'late', { nowMs: NOW })
    const changed = [columns[0]!, { ...columns[1]! }, columns[2]!]
    const after = view(changed, 'late', { nowMs: NOW + 1 })
    expect([after[0] === before[0], after[1] === before[1]]).toEqual([true, false])
    expect(view(changed, 'late', { nowMs: NOW + MINUTE })[0]).not.toBe(after[0])
    expect(view(changed, 'unread', { nowMs: NOW })[0]).not.toBe(after[0])
  })
})
