// The stage to which a lost lead returns: the last one of its history that was not lost, otherwise the first stage.
import { expect, test } from 'vitest'
import { stageBefore } from '#domain/lead/path.ts'

const STAGES = [
  { name: 'Novos Contatos', kind: 'open' },
  { name: 'Negociação', kind: 'open' },
  { name: 'Arquivado', kind: 'lost' },
]
const moved = (word: string) => ({ kind: 'moved', word })

test.each([
  { path: [moved('Arquivado'), moved('Negociação'), moved('Novos Contatos')], to: 'Negociação' },
  { path: [moved('Arquivado'), { kind: 'arrived', word: 'Negociação' }], to: 'Novos Contatos' },
  { path: [moved('Arquivado'), moved('Apagado'), moved('Negociação')], to: 'Negociação' },
  { path: [], to: 'Novos Contatos' },
])('$path.length steps: back to $to', ({ path, to }) => {
  expect(stageBefore(path, STAGES)?.name).toBe(to)
})

test('without a stage to return to there is none', () => {
  expect(stageBefore([], [{ name: 'Arquivado', kind: 'lost' }])).toBeUndefined()
})
