// The result of dropping a card, and where arrow keys move it.
import { describe, expect, it } from 'vitest'
import type { Column } from '#features/board/ground/board-view.ts'
import {
  columnAt,
  type Drag,
  type Field,
  findDrop,
  slotSlug,
  stageBeside,
} from '#features/board/columns/drag/rules.ts'
import { lead, stage } from '#tests/support/make-app.ts'

const rogerio = lead({ id: 1, stageSlug: 'new' })
const column = (slug: string, leads: Column['leads'] = []): Column => ({
  stage: stage({ slug }),
  leads,
  total: leads.length,
})
const COLUMNS = [column('new', [rogerio]), column('conversa'), column('fechado', [lead({ id: 2 })])]
const over = (overSlug: string | null, part: Partial<Drag> = {}): Drag => ({
  lead: rogerio,
  fromSlug: 'new',
  overSlug,
  height: 112,
  isLanding: false,
  ...part,
})

describe('findDrop', () => {
  it('moves to the column of the drop', () => {
    expect(findDrop(COLUMNS, over('conversa'))).toEqual({ lead: rogerio, toSlug: 'conversa' })
  })

  it.each([
    ['beside the columns', COLUMNS, null],
    ['in the column it was taken from', COLUMNS, 'new'],
    ['on a stage that is no more', [column('new', [rogerio])], 'conversa'],
    ['with a lead that is no more', [column('new'), column('conversa')], 'conversa'],
    ['where others put it meanwhile', [column('new'), column('conversa', [rogerio])], 'conversa'],
  ])('changes nothing %s', (_, columns, overSlug) => {
    expect(findDrop(columns, over(overSlug))).toBeNull()
  })

  it('changes nothing in the original column, even if others have moved the lead', () => {
    expect(findDrop([column('new'), column('conversa', [rogerio])], over('new'))).toBeNull()
  })

  it('moves the lead in its current state, wherever others have put it', () => {
    const now = { ...rogerio, stageSlug: 'conversa', name: 'Rogério Bastos' }
    const columns = [column('new'), column('conversa', [now]), column('fechado')]
    expect(findDrop(columns, over('fechado'))).toEqual({ lead: now, toSlug: 'fechado' })
  })

  it('treats the column as the stage: a lead of an unknown stage stays in the default one', () => {
    const lost = lead({ id: 1, stageSlug: 'apagado' })
    const columns = [column('new', [lost]), column('conversa')]
    expect(findDrop(columns, over('new', { lead: lost, fromSlug: 'conversa' }))).toBeNull()
  })
})

describe('columnAt', () => {
  // A board of 500 px, 300 px from the window's left side, with three columns of 240 px.
  const field: Field = {
    left: 300,
    right: 800,
    top: 100,
    bottom: 600,
    columns: [
      { slug: 'new', start: 16, end: 256 },
      { slug: 'conversa', start: 270, end: 510 },
      { slug: 'fechado', start: 524, end: 764 },
    ],
  }
  it.each([
    ['over a column', { x: 320, y: 300 }, 0, 'new'],
    ['at its border', { x: 556, y: 600 }, 0, 'new'],
    ['between two', { x: 563, y: 300 }, 0, null],
    ['over the second', { x: 600, y: 300 }, 0, 'conversa'],
    ['over what was scrolled there', { x: 600, y: 300 }, 250, 'fechado'],
    ['beside the board, over a column that is scrolled away', { x: 250, y: 300 }, 250, null],
    ['past its other side', { x: 801, y: 300 }, 0, null],
    ['above', { x: 320, y: 99 }, 0, null],
    ['below', { x: 320, y: 601 }, 0, null],
  ])('%s', (_, point, scrollLeft, slug) => {
    expect(columnAt(field, point, scrollLeft)).toBe(slug)
  })
})

describe('stageBeside', () => {
  it.each([
    ['new', 1, 'conversa'],
    ['conversa', 1, 'fechado'],
    ['fechado', 1, undefined],
    ['new', -1, undefined],
    ['fechado', -1, 'conversa'],
    ['apagado', 1, undefined],
  ])('from %s by %i: %s', (slug, step, beside) => {
    expect(stageBeside(COLUMNS, slug, step)?.slug).toBe(beside)
  })
})

describe('slotSlug', () => {
  const moved = [column('new'), column('conversa', [{ ...rogerio, stageSlug: 'conversa' }])]
  it.each([
    ['nothing in the hand', COLUMNS, null, null],
    ['over another column', COLUMNS, over('conversa'), 'conversa'],
    ['over its own', COLUMNS, over('new'), null],
    ['beside the columns', COLUMNS, over(null), null],
    ['let go, not shown there yet', COLUMNS, over('conversa', { isLanding: true }), 'conversa'],
    ['let go and shown there', moved, over('conversa', { isLanding: true }), null],
  ])('%s', (_, columns, drag, slug) => {
    expect(slotSlug(columns, drag)).toBe(slug)
  })
})
