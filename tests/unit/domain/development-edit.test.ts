import { describe, expect, test } from 'vitest'
import { readArea } from '#domain/development/cells.ts'
import type { Development, Unit } from '#domain/development/development.ts'
import {
  emptyPlan,
  readDay,
  readEdit,
  readMonth,
  readPoint,
  toEdit,
  type PlanTexts,
} from '#domain/development/edit.ts'
import { pasteInto, PLAN_SHEET } from '#domain/development/paste.ts'

const MIRANTE: Development & { units: Unit[] } = {
  id: 1,
  version: 3,
  name: 'Mirante do Lago',
  builder: 'Lago Incorporações',
  state: 'em_obras',
  deliversOn: '2028-03-01',
  address: 'Av. das Nações, 1200',
  district: 'Jardim Botânico',
  city: null,
  placeName: 'Estande Mirante do Lago',
  latitude: -23.5505,
  longitude: -46.6333,
  description: null,
  license: 'CRECI 12345-J',
  priceFromCents: null,
  pricedOn: null,
  validUntil: null,
  archivedAt: null,
  plans: [
    {
      id: 7,
      name: '2 quartos',
      bedrooms: 2,
      suites: 1,
      parking: null,
      areaFrom: 62.5,
      areaTo: 70,
      priceFromCents: 41_200_000,
      priceToCents: 46_850_050,
      pricedOn: '2026-11-21',
      validUntil: '2026-11-30',
      unitsLeft: 18,
      drawingId: null,
    },
  ],
  units: [],
  media: [],
}

test('what is read into the form and saved untouched is the same', () => {
  const { wanted, faults } = readEdit(toEdit(MIRANTE), false)
  expect([...faults]).toEqual([])
  const [plan] = MIRANTE.plans
  const { pricedOn: _, ...typed } = plan ?? {}
  expect(wanted).toMatchObject({
    name: 'Mirante do Lago',
    deliversOn: '2028-03-01',
    latitude: -23.5505,
    longitude: -46.6333,
    city: null,
    plans: [typed],
  })
})

describe('what people type', () => {
  test.each([
    ['mar/2028', '2028-03-01'],
    ['03/2028', '2028-03-01'],
    ['março de 2028', '2028-03-01'],
    ['Dezembro/2027', '2027-12-01'],
    ['13/2028', null],
    ['2028', null],
  ])('month %s', (text, month) => expect(readMonth(text)).toBe(month))

  test.each([
    ['62', 62],
    ['62 m²', 62],
    ['62,5m2', 62.5],
    ['62.5', 62.5],
    ['1.200', 1_200],
    ['0', null],
    ['10.000.000', null],
    ['sessenta', null],
  ])('area %s', (text, area) => expect(readArea(text)).toBe(area))

  test.each([
    ['30/11/2026', '2026-11-30'],
    ['30/11/26', '2026-11-30'],
    ['2026-11-30', '2026-11-30'],
    ['31/11/2026', null],
    ['amanhã', null],
  ])('day %s', (text, day) => expect(readDay(text)).toBe(day))

  test.each([
    ['-23.5505, -46.6333', { latitude: -23.5505, longitude: -46.6333 }],
    ['-23,5505; -46,6333', { latitude: -23.5505, longitude: -46.6333 }],
    ['-23.5505', null],
    ['-95, 10', null],
  ])('place %s', (text, point) => expect(readPoint(text)).toEqual(point))
})

describe('faults', () => {
  const faultsOf = (part: Partial<PlanTexts>) =>
    readEdit({ ...toEdit(MIRANTE), plans: [{ ...emptyPlan('a'), name: 'Cobertura', ...part }] }, false).faults

  test.each<[string, Partial<PlanTexts>, string, string]>([
    ['a price without its last day', { price: '412 mil' }, 'a.validUntil', 'Falta a validade.'],
    ['a price of zero', { price: '0' }, 'a.price', 'Um preço, como 412.000 ou 412 mil.'],
    ['a price in words', { price: 'sob consulta' }, 'a.price', 'Um preço, como 412.000 ou 412 mil.'],
    [
      'a day that is none',
      { price: '412 mil', validUntil: '31/11/2026' },
      'a.validUntil',
      'Um dia, como 30/11/2026.',
    ],
    ['a row without a name', { name: '', area: '62' }, 'a.name', 'Falta o nome da planta.'],
  ])('%s', (_, part, field, words) => expect([...faultsOf(part)]).toEqual([[field, words]]))

  test('an empty row is left out', () => {
    const { wanted, faults } = readEdit({ ...toEdit(MIRANTE), plans: [emptyPlan('a')] }, false)
    expect([...faults]).toEqual([])
    expect(wanted).toMatchObject({ plans: [] })
  })
})

describe('cells pasted from a sheet', () => {
  const keyOf = (index: number) => `new-${index}`
  const plans = [{ ...emptyPlan('a'), name: '2 quartos' }]

  test('fill the columns from the cell, and add rows at the end', () => {
    const pasted = pasteInto(PLAN_SHEET, plans, {
      row: 0,
      cell: 'price',
      text: '412.000\t30/11/2026\n468.000\t30/11/2026\r\n',
      keyOf,
    })
    expect(pasted.map(({ key, name, price, validUntil }) => [key, name, price, validUntil])).toEqual([
      ['a', '2 quartos', '412.000', '30/11/2026'],
      ['new-1', '', '468.000', '30/11/2026'],
    ])
  })

  test('headings say which column is which, in any order', () => {
    const text = 'Preço\tValidade\tTipologia\tDorms\tSuítes\n412.000\t30/11/2026\t2 quartos\t2\t1'
    const [first] = pasteInto(PLAN_SHEET, [], { row: 0, cell: 'name', text, keyOf })
    expect(first).toMatchObject({
      name: '2 quartos',
      price: '412.000',
      validUntil: '30/11/2026',
      bedrooms: '2',
      suites: '1',
    })
  })
})
