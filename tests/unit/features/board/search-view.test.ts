// Search results on the board.
import { expect, it } from 'vitest'
import { type Query, toQuery } from '#domain/search.ts'
import { stageFinder, toColumns } from '#features/board/ground/board-view.ts'
import { filterColumns, searchLeads } from '#features/board/search/search-view.ts'
import { board, lastMessage, lead, stage } from '#tests/support/make-app.ts'

const spoke = (sentAtSeconds: number) => lastMessage({ sentAtSeconds })
const columns = toColumns(
  board(
    [
      lead({ id: 1, name: 'Mariana Reis', lastMessage: spoke(400) }),
      lead({ id: 2, name: 'Ana Prado', lastMessage: spoke(100) }),
      lead({ id: 3, name: 'Bruno', notes: 'Marido da Ana', lastMessage: spoke(500) }),
      lead({ id: 4, name: 'Ána Lúcia', lastMessage: spoke(300), stageSlug: 'conversa' }),
      lead({ id: 5, name: 'Carlos', lastMessage: spoke(900), stageSlug: 'conversa' }),
    ],
    { stages: [stage({ slug: 'new' }), stage({ slug: 'conversa' }), stage({ slug: 'fechado' })] },
  ),
)
const asked = (text: string): Query => {
  const query = toQuery(text)
  if (!query) throw new Error('nothing asked')
  return query
}

it('sorts over all stages: names that begin with the text, other names, notes, each by latest message', () => {
  expect(searchLeads(columns, asked('ana')).map(({ id }) => id)).toEqual([4, 2, 1, 3])
})

it('keeps every stage in place with only the matching leads, in order and counted', () => {
  const left = filterColumns(columns, asked('ana'))
  expect(left.map(({ stage: { slug }, leads, total }) => [slug, leads.map(({ id }) => id), total])).toEqual([
    ['new', [3, 1, 2], 3],
    ['conversa', [4], 1],
    ['fechado', [], 0],
  ])
  expect(left.every(({ isFiltered }) => isFiltered)).toBe(true)
})

it('finds nobody', () => {
  expect(searchLeads(columns, asked('zuleica'))).toEqual([])
})

it("finds a lead's stage, the default one for an unknown stage", () => {
  const stageOf = stageFinder(columns)
  expect(stageOf(lead({ stageSlug: 'conversa' }))?.slug).toBe('conversa')
  expect(stageOf(lead({ stageSlug: 'apagado' }))?.slug).toBe('new')
})
