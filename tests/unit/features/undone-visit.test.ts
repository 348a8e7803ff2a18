// The text that a broker may send after undoing a visit, because the lead may have its confirmation already.
import { expect, test } from 'vitest'
import { undoneText } from '#features/visit/undone-visit.ts'

const wanted = {
  startsAtMs: Date.parse('2027-06-01T10:00:00-03:00'),
  place: 'Estande',
  confirmText: 'Marcada!',
  reminder: null,
}
const before = {
  id: 7,
  operationId: null,
  dueAtMs: Date.parse('2027-05-31T16:00:00-03:00'),
  note: 'Av. Brasil, 40',
}

test('a visit that will not be says so; one that was moved says its old hour again', () => {
  expect(undoneText('Rogério', { wanted, before: null })).toBe(
    'Rogério, a visita de ter, 1 às 10h não vai acontecer. Me avisa por aqui outro dia que seja bom para você.',
  )
  expect(undoneText('', { wanted, before: { ...before, kind: 'call' } })).toContain('A visita de ter, 1')
  expect(undoneText('Rogério', { wanted, before: { ...before, kind: 'visit' } })).toBe(
    'Rogério, visita marcada: segunda, 31/05, às 16h. Local: Av. Brasil, 40.',
  )
})
