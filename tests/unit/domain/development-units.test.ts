// Units of a development in its form: what is read, what is refused, and what is pasted from a spreadsheet.
import { describe, expect, test } from 'vitest'
import type { Unit } from '#domain/development/development.ts'
import { pasteInto, UNIT_SHEET } from '#domain/development/paste.ts'
import {
  emptyUnit,
  isSameUnits,
  readUnits,
  readUnitState,
  type UnitTexts,
  unitsText,
  unitTexts,
} from '#domain/development/units.ts'

const FIRST: Unit = {
  planId: 7,
  tower: 'A',
  code: '101',
  floor: '1º',
  area: 62.5,
  priceCents: 41_200_000,
  state: 'reservado',
}
const BARE: Unit = {
  planId: null,
  tower: '',
  code: '12',
  floor: null,
  area: null,
  priceCents: null,
  state: 'vendido',
}
const read = (rows: readonly UnitTexts[]) => {
  const faults = new Map<string, string>()
  return { units: readUnits(rows, faults), faults: [...faults] }
}

test('what is read into the form and saved untouched is the same', () => {
  const rows = [FIRST, BARE].map(unitTexts)
  expect(read(rows)).toEqual({ units: [FIRST, BARE], faults: [] })
  expect(isSameUnits(rows, [FIRST, BARE].map(unitTexts).toReversed())).toBe(true)
  expect(isSameUnits(rows, rows.slice(1))).toBe(false)
})

test.each([
  ['', 'disponivel'],
  ['Disponível', 'disponivel'],
  ['DISP.', 'disponivel'],
  ['Livre', 'disponivel'],
  ['à venda', 'disponivel'],
  ['Reserva', 'reservado'],
  ['Reservado', 'reservado'],
  ['vendida', 'vendido'],
  ['VENDIDO', 'vendido'],
  ['permuta', null],
])('the state %s', (text, state) => expect(readUnitState(text)).toBe(state))

describe('faults', () => {
  test.each<[string, Partial<UnitTexts>[], [string, string][]]>([
    ['no code', [{ area: '62' }], [['0.code', 'Falta a unidade.']]],
    ['a state only', [{ state: 'Vendida' }], [['0.code', 'Falta a unidade.']]],
    [
      'a code twice in a tower',
      [
        { tower: 'A', code: '101' },
        { tower: 'B', code: '101' },
        { tower: ' A', code: '101 ' },
      ],
      [['2.code', 'Esta unidade já está na tabela.']],
    ],
    [
      'a state in other words',
      [{ code: '1', state: 'permuta' }],
      [['0.state', 'Disponível, reservada ou vendida.']],
    ],
    ['an area in words', [{ code: '1', area: 'grande' }], [['0.area', 'Uma área, como 62 ou 62,5.']]],
    ['a price of zero', [{ code: '1', price: '0' }], [['0.price', 'Um preço, como 412.000 ou 412 mil.']]],
    ['a long floor', [{ code: '1', floor: 'x'.repeat(21) }], [['0.floor', 'Até 20 letras.']]],
  ])('%s', (_, parts, faults) => {
    expect(read(parts.map((part, index) => ({ ...emptyUnit(String(index)), ...part }))).faults).toEqual(
      faults,
    )
  })

  test('an empty row is left out', () => expect(read([emptyUnit('a')])).toEqual({ units: [], faults: [] }))

  test('2,000 units are taken, one more is refused', () => {
    const rows = Array.from({ length: 2_001 }, (_, code) => ({ ...emptyUnit(`${code}`), code: `${code}` }))
    expect(read(rows.slice(1)).faults).toEqual([])
    expect(read(rows).faults).toEqual([['units', 'Um empreendimento tem no máximo 2.000 unidades.']])
  })
})

describe('cells pasted from a sheet', () => {
  const keyOf = (index: number) => `new-${index}`
  const rows = [FIRST, BARE].map(unitTexts)
  const end = { row: rows.length, cell: 'code' as const }

  test('a sheet pasted anew changes the units that it names, and adds the others', () => {
    const text =
      'Bloco\tApto\tSituação\tValor (R$)\nA\t101\tVendido\t420.000\nA\t103\tLivre\t430.000\n\t12\tReservada\t'
    const pasted = pasteInto(UNIT_SHEET, rows, { ...end, text, keyOf })
    expect(
      pasted.map(({ key, tower, code, floor, price, state }) => [key, tower, code, floor, price, state]),
    ).toEqual([
      ['unit-0', 'A', '101', '1º', '420.000', 'Vendido'],
      ['unit-1', '', '12', '', '', 'Reservada'],
      ['new-2', 'A', '103', '', '430.000', 'Livre'],
    ])
    expect(read(pasted).faults).toEqual([])
    expect(read(pasted).units[0]).toMatchObject({ planId: 7, state: 'vendido', priceCents: 42_000_000 })
  })

  test('cells without headings fill the columns in order; names with numbers are no headings', () => {
    const text = 'Casa 1\tQuadra 2\t\t120\t900 mil\nCasa 2\tQuadra 2\t\t120\t910 mil\tVendida'
    const pasted = pasteInto(UNIT_SHEET, [], { row: 0, cell: 'code', text, keyOf })
    expect(read(pasted).units.map(({ code, tower, state }) => [code, tower, state])).toEqual([
      ['Casa 1', 'Quadra 2', 'disponivel'],
      ['Casa 2', 'Quadra 2', 'vendido'],
    ])
  })

  test('a unit that the sheet has twice is added twice, and said', () => {
    const pasted = pasteInto(UNIT_SHEET, [], { row: 0, cell: 'code', text: '1\tA\n1\tA', keyOf })
    expect(read(pasted).faults).toEqual([['new-1.code', 'Esta unidade já está na tabela.']])
  })

  test('from a cell on, rows are filled by place', () => {
    const pasted = pasteInto(UNIT_SHEET, rows, { row: 0, cell: 'price', text: '1 mi\n2 mi', keyOf })
    expect(pasted.map(({ price }) => price)).toEqual(['1 mi', '2 mi'])
  })
})

test('counts leave out empty rows and states without units', () => {
  expect(unitsText([...[FIRST, BARE, { ...BARE, code: '13' }].map(unitTexts), emptyUnit('a')])).toBe(
    '1 reservada, 2 vendidas',
  )
})
