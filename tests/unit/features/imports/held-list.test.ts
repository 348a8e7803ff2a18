// A list of another CRM before its import: its brokers and stages with what they become, and its refused lines.
import { expect, test } from 'vitest'
import { REFUSED, UNBOUND } from '#domain/lead/list/bindings.ts'
import { check, headOf, holdSheet, planRows, rowsFrom } from '#features/imports/held-list.ts'

const NOW_MS = Date.parse('2026-11-29T12:00:00Z')
const held = holdSheet({
  name: null,
  isHidden: false,
  isCards: false,
  lines: [
    ['Nome', 'Celular', 'Corretor', 'Etapa', 'Valor', 'Tags', 'Data de cadastro', 'Último contato'],
    [
      'Ana',
      '11 95550-0101',
      'Camila Souza',
      'Negociação',
      'R$ 450.000,00',
      'Quente',
      '01/10/2026',
      '20/10/2026',
    ],
    ['Bia', '11 95550-0102', 'Bruno', 'Proposta', '300 mil', '', '02/10/2026', ''],
    ['Caio', '11 95550-0103', 'Bruno', 'Negociação', 'a ver', '', '03/10/2026', ''],
    ['Davi', '11 95550-0104', '', '', '', '', '30/12/2026', ''],
  ],
})
const ours = {
  brokers: ['corretor_camila', 'corretor_rafael'],
  stages: [{ slug: 'negociacao', name: 'Negociação' }],
}
const plan = (chosen: { brokers: Record<string, string>; stages: Record<string, string> }) => ({
  sheets: [{ index: 0, map: headOf(held).guess }],
  areaCode: '',
  ours,
  chosen,
})
const NOTHING = { brokers: {}, stages: {} }

test('the columns are found, names have what they become, and bad values refuse their line with the reason', () => {
  expect(headOf(held).guess).toEqual([
    'name', 'phone', 'broker', 'stage', 'value', 'tags', 'arrivedAt', 'lastContactAt',
  ]) // prettier-ignore
  const asked = plan(NOTHING)
  const checked = check([held], planRows([held], asked, NOW_MS), asked)
  expect(checked).toMatchObject({
    total: 4,
    good: 2,
    brokers: [
      { name: 'Camila Souza', count: 1, to: 'corretor_camila' },
      { name: 'Bruno', count: 1, to: UNBOUND },
    ],
    stages: [
      { name: 'Negociação', count: 1, to: 'negociacao' },
      { name: 'Proposta', count: 1, to: UNBOUND },
    ],
    refused: [
      { line: 4, fault: 'bad-value', shown: 'a ver' },
      { line: 5, fault: 'bad-arrival', shown: '30/12/2026' },
    ],
    marks: [
      { line: 4, mark: 'bad', at: 'value' },
      { line: 5, mark: 'bad', at: 'arrivedAt' },
    ],
  })
})

test('rows are sent with our broker and stage; a refused name refuses its rows', () => {
  const asked = plan({ brokers: { Bruno: REFUSED }, stages: {} })
  const planned = planRows([held], asked, NOW_MS)
  const { rows, refused } = rowsFrom(planned, 0)
  expect(refused).toEqual([[3, 'unknown-broker']])
  expect(rows[0]).toEqual([
    2, 'Ana', '11 95550-0101', null, null, null, null, null, null, 'Negociação', 'corretor_camila', 'negociacao',
    'R$ 450.000,00', 'Quente', '01/10/2026', '20/10/2026',
  ]) // prettier-ignore
  const checked = check([held], planned, asked)
  expect(checked.good).toBe(1)
  // The refused name stays in the list, so that the choice can be undone.
  expect(checked.brokers).toContainEqual({ name: 'Bruno', count: 1, to: REFUSED })
})
