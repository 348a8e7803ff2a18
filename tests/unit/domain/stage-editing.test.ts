// Slugs, renames and the order of stages.
import { describe, expect, it } from 'vitest'
import { renameOf, slugify, withMoved } from '#domain/stage-editing.ts'
import { stage } from '#tests/support/make-app.ts'
import { table } from '#tests/support/table.ts'

describe('slugify', () => {
  table('%s', slugify, [
    ['Visita', 'visita'],
    ['Proposta Enviada', 'proposta_enviada'],
    ['  Em  análise!! ', 'em_analise'],
    ['Negociação', 'negociacao'],
    ['Pós-venda (2ª)', 'pos_venda_2'],
    ['__a--b__', 'a_b'],
    ['🔥🔥', 'estagio'],
    ['', 'estagio'],
    [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
  ])
})

describe('renameOf', () => {
  table('%j', (typed) => renameOf({ name: 'Conversa' }, typed), [
    ['Conversa', null],
    ['  Conversa ', null],
    ['', null],
    ['   ', null],
    [' Em conversa ', 'Em conversa'],
    ['conversa', 'conversa'],
  ])
})

describe('withMoved', () => {
  const stages = ['a', 'b', 'c'].map((slug, index) => stage({ slug, position: index + 1 }))
  const after = (id: string, step: -1 | 1) =>
    withMoved(stages, id, step).map(({ slug, position }) => `${slug}${position}`)

  it('swaps with its neighbour and renumbers', () => {
    expect(after('b', -1)).toEqual(['b1', 'a2', 'c3'])
    expect(after('b', 1)).toEqual(['a1', 'c2', 'b3'])
  })

  it('changes nothing at the ends, or for a removed stage', () => {
    for (const same of [withMoved(stages, 'a', -1), withMoved(stages, 'c', 1), withMoved(stages, 'x', 1)])
      expect(same).toBe(stages)
  })
})
