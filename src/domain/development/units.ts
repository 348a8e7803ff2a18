// The units of a development as its form holds them: as texts, which are read into values when the form is saved.
import { countOf } from '#domain/count.ts'
import { foldText } from '#domain/search.ts'
import { AREA, centsText, orEmpty, PRICE, reader, squareMetres } from './cells.ts'
import { UNIT_STATES, type Unit, type UnitState } from './development.ts'

/** The columns of the table of units, in order. */
export const UNIT_CELLS = ['code', 'tower', 'floor', 'area', 'price', 'state'] as const
export type UnitCell = (typeof UNIT_CELLS)[number]
export type UnitTexts = Record<UnitCell, string> & {
  /** Identifies the row while the form is open. */
  key: string
  planId: number | null
}

export const UNIT_STATE_LABEL: Record<UnitState, string> = {
  disponivel: 'Disponível',
  reservado: 'Reservada',
  vendido: 'Vendida',
}
const MAX_UNITS = 2_000
const MAX_LENGTH = { code: 40, tower: 40, floor: 20 }

export const unitTexts = (unit: Unit, index: number): UnitTexts => ({
  key: `unit-${index}`,
  planId: unit.planId,
  code: unit.code,
  tower: unit.tower,
  floor: unit.floor ?? '',
  area: orEmpty(unit.area, squareMetres),
  price: orEmpty(unit.priceCents, centsText),
  state: UNIT_STATE_LABEL[unit.state],
})

export const emptyUnit = (key: string): UnitTexts => ({
  key,
  planId: null,
  code: '',
  tower: '',
  floor: '',
  area: '',
  price: '',
  state: UNIT_STATE_LABEL.disponivel,
})

const WORDS: Record<UnitState, RegExp> = {
  disponivel: /^(disp|livre|a venda)/,
  reservado: /^reserv/,
  vendido: /^vend/,
}

/** Reads 'Vendida', 'reservado', 'Livre'; an empty text is an available unit. Null for anything else. */
export function readUnitState(text: string): UnitState | null {
  const folded = foldText(text)
  if (folded === '') return 'disponivel'
  return UNIT_STATES.find((state) => WORDS[state].test(folded)) ?? null
}

/** Rows with the same key describe the same unit: equal tower and equal code. */
export const unitOf = ({ tower, code }: Pick<UnitTexts, 'tower' | 'code'>): string =>
  `${tower.trim()}\n${code.trim()}`

/** False for an empty row, which is not saved. */
const isFilled = (unit: UnitTexts) =>
  UNIT_CELLS.some((cell) => cell !== 'state' && unit[cell].trim() !== '') ||
  unit.state !== UNIT_STATE_LABEL.disponivel

/** Reads the table of units, and notes in `faults` what cannot be read. */
export function readUnits(rows: readonly UnitTexts[], faults: Map<string, string>): Unit[] {
  const value = reader(faults)
  const seen = new Set<string>()
  const filled = rows.filter(isFilled)
  if (filled.length > MAX_UNITS) faults.set('units', 'Um empreendimento tem no máximo 2.000 unidades.')
  return filled.map((row) => {
    const short = (cell: keyof typeof MAX_LENGTH) => {
      const text = row[cell].trim()
      if (text.length > MAX_LENGTH[cell]) faults.set(`${row.key}.${cell}`, `Até ${MAX_LENGTH[cell]} letras.`)
      return text
    }
    const code = short('code')
    if (code === '') faults.set(`${row.key}.code`, 'Falta a unidade.')
    else if (seen.has(unitOf(row))) faults.set(`${row.key}.code`, 'Esta unidade já está na tabela.')
    seen.add(unitOf(row))
    const state = readUnitState(row.state)
    if (state === null) faults.set(`${row.key}.state`, 'Disponível, reservada ou vendida.')
    return {
      planId: row.planId,
      tower: short('tower'),
      code,
      floor: short('floor') || null,
      area: value(`${row.key}.area`, row.area, AREA),
      priceCents: value(`${row.key}.price`, row.price, PRICE),
      state: state ?? 'disponivel',
    }
  })
}

/** True if the tables say the same of each unit; the order of rows does not count. */
export function isSameUnits(one: readonly UnitTexts[], other: readonly UnitTexts[]): boolean {
  const lines = (rows: readonly UnitTexts[]) =>
    rows
      .filter(isFilled)
      .map((row) => UNIT_CELLS.map((cell) => row[cell].trim()).join('\t'))
      .toSorted()
      .join('\n')
  return one === other || lines(one) === lines(other)
}

/** How many units are in each state; a state that cannot be read is not counted. */
function countUnits(rows: readonly UnitTexts[]): Record<UnitState, number> {
  const counts = { disponivel: 0, reservado: 0, vendido: 0 }
  for (const row of rows) {
    const state = isFilled(row) ? readUnitState(row.state) : null
    if (state !== null) counts[state] += 1
  }
  return counts
}

/** For example '12 disponíveis, 3 reservadas'; states without units are left out. */
export function unitsText(rows: readonly UnitTexts[]): string {
  return countWords(rows)
    .map(({ words }) => words)
    .join(', ')
}

/** The count of each state that has units, in words. */
export function countWords(rows: readonly UnitTexts[]): { state: UnitState; words: string }[] {
  const counts = countUnits(rows)
  const words: Record<UnitState, [one: string, many: string]> = {
    disponivel: ['disponível', 'disponíveis'],
    reservado: ['reservada', 'reservadas'],
    vendido: ['vendida', 'vendidas'],
  }
  return UNIT_STATES.filter((state) => counts[state] > 0).map((state) => ({
    state,
    words: countOf(counts[state], ...words[state]),
  }))
}
