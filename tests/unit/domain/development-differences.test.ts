// The words for how two states of a development's form differ: two administrators edit at once, and 'Ao salvar'.
import { describe, expect, test } from 'vitest'
import { changedPrices, differences } from '#domain/development/differences.ts'
import { emptyPlan, type DevelopmentEdit, toEdit } from '#domain/development/edit.ts'
import { emptyUnit } from '#domain/development/units.ts'
import { BARE_MIRANTE } from '#tests/support/make-app.ts'

const file = { kind: 'foto' as const, title: null, mimeType: 'image/jpeg', fileName: 'f.jpg' }
const photo = (id: number) => ({ ...file, id, sizeBytes: 1, width: 1, height: 1, addedAt: '2026-11-21' })
const edit: DevelopmentEdit = {
  ...toEdit({
    ...BARE_MIRANTE,
    version: 1,
    builder: null,
    description: null,
    archivedAt: null,
    units: [],
    media: [photo(1), photo(2)],
  }),
  plans: [
    { ...emptyPlan('a'), id: 1, name: '2 quartos', price: 'R$ 412.000', validUntil: '30/11/2026' },
    { ...emptyPlan('b'), id: 2, name: '3 quartos', price: 'R$ 640.000', validUntil: '30/11/2026' },
  ],
}
const [two, three] = edit.plans
if (!two || !three) throw new Error('no plans')

describe('differences', () => {
  test.each<[string, Partial<DevelopmentEdit>, object[]]>([
    ['nothing', {}, []],
    ['spaces around a text', { district: ` ${edit.district} ` }, []],
    ['a field', { district: 'Centro' }, [{ what: 'Bairro', before: 'Jardim Botânico', after: 'Centro' }]],
    [
      'the state, in its words',
      { state: 'pronto' },
      [{ what: 'Estado', before: 'Em obras', after: 'Pronto' }],
    ],
    [
      'a cell of a plan, under the name it had',
      { plans: [{ ...two, name: '2 dorms', price: 'R$ 420.000' }, three] },
      [
        { what: 'Planta 2 quartos, nome', before: '2 quartos', after: '2 dorms' },
        { what: 'Planta 2 quartos, a partir de', before: 'R$ 412.000', after: 'R$ 420.000' },
      ],
    ],
    [
      'a new and a removed plan',
      { plans: [three, { ...emptyPlan('c'), name: 'Cobertura' }] },
      [
        { what: 'Planta 2 quartos', before: 'no cadastro', after: 'tirada' },
        { what: 'Planta Cobertura', before: '', after: 'nova' },
      ],
    ],
    [
      'the order of plans',
      { plans: [three, two] },
      [{ what: 'Ordem das plantas', before: '2 quartos, 3 quartos', after: '3 quartos, 2 quartos' }],
    ],
    [
      'units, as counts',
      {
        units: [
          { ...emptyUnit('x'), code: '101' },
          { ...emptyUnit('y'), code: '102', state: 'Vendida' },
        ],
      },
      [{ what: 'Unidades', before: '', after: '1 disponível, 1 vendida' }],
    ],
    ['an empty row of units', { units: [emptyUnit('x')] }, []],
    ['a removed photo', { media: [photo(1)] }, [{ what: 'Fotos e arquivos', before: '2', after: '1' }]],
    [
      'the order of photos',
      { media: [photo(2), photo(1)] },
      [{ what: 'Fotos e arquivos', before: '', after: 'outra ordem' }],
    ],
  ])('%s', (_, change, found) => {
    expect(differences(edit, { ...edit, ...change })).toEqual(found)
  })
})

test('changed prices are those of plans whose price or last day differs, and the own one', () => {
  expect(changedPrices(edit, { ...edit, plans: [three, two] })).toEqual([])
  expect(changedPrices(edit, { ...edit, plans: [{ ...two, area: '70' }, three] })).toEqual([])
  const other = {
    ...edit,
    price: 'R$ 400.000',
    plans: [
      { ...two, validUntil: '31/12/2026' },
      { ...three, key: 'c' },
    ],
  }
  expect(changedPrices(edit, other)).toEqual(['', '2 quartos', '3 quartos'])
})
