// Puts rows that were copied from a spreadsheet into a development's tables: plans and units.
import { foldText } from '#domain/search.ts'
import { CELLS, emptyPlan, type Cell, type PlanTexts } from './edit.ts'
import { emptyUnit, UNIT_CELLS, unitOf, type UnitCell, type UnitTexts } from './units.ts'

/** A table that takes pasted cells. */
export type Sheet<Row, Column extends keyof Row & string> = {
  columns: readonly [Column, ...Column[]]
  /** Headings in spreadsheets, by the field that they name. */
  headings: Partial<Record<keyof Row & string, RegExp>>
  empty: (key: string) => Row
  /** A pasted row changes the row of the same identity instead of being added. Empty: it has none. */
  identityOf: (row: Row) => string
}

export const PLAN_SHEET: Sheet<PlanTexts, Cell> = {
  columns: CELLS,
  headings: {
    name: /^(planta|tipo|tipologia|nome|modelo)/,
    area: /^(area|metragem|m2|m²)/,
    price: /^(a partir|preco|valor)/,
    validUntil: /^(vale|validade|valido|ate)/,
    unitsLeft: /^(unidades|disponiveis|estoque|qtd|quantidade)/,
    bedrooms: /^(quartos|dorms?|dormitorios)/,
    suites: /^suites?/,
    parking: /^(vagas?|garagem)/,
  },
  empty: emptyPlan,
  identityOf: () => '',
}

/** Headings are whole words without digits, because 'Casa 1' and 'Quadra 2' are cells. */
export const UNIT_SHEET: Sheet<UnitTexts, UnitCell> = {
  columns: UNIT_CELLS,
  headings: {
    code: /^(unidade|unid\.?|apto\.?|apartamento|casa|lote|sala|codigo|numero)$/,
    tower: /^(torre|bloco|quadra|predio|edificio)$/,
    floor: /^(andar|pavimento|piso)$/,
    area: /^(area|metragem|m2|m²)\D*$/,
    price: /^(preco|valor)\D*$/,
    state: /^(situacao|status|estado|disponibilidade)$/,
  },
  empty: emptyUnit,
  identityOf: (unit) => (unit.code.trim() === '' ? '' : unitOf(unit)),
}

/** Splits copied spreadsheet cells: lines are rows, tabs separate cells. */
export const cellsOf = (text: string): string[][] =>
  text
    .replaceAll('\r', '')
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => line.split('\t').map((cell) => cell.trim()))

type Pasted<Column> = { row: number; cell: Column; text: string; keyOf: (index: number) => string }

/**
 * The table after cells were pasted at a row and a column. They fill it from there; those below its last row change the
 * rows that they name, and add the others. If the first pasted row has known headings, they assign the columns.
 */
export function pasteInto<Row, Column extends keyof Row & string>(
  sheet: Sheet<Row, Column>,
  rows: readonly Row[],
  { row, cell, text, keyOf }: Pasted<Column>,
): Row[] {
  const [first = [], ...rest] = cellsOf(text)
  const named = first.map((written) => headingOf(sheet, written))
  const hasHeadings = named.filter((name) => name !== null).length >= 2
  const lines = hasHeadings ? rest : [first, ...rest]
  const names = hasHeadings ? named : sheet.columns.slice(sheet.columns.indexOf(cell))
  const filled = [...rows]
  const known = new Map(filled.map((one, at) => [sheet.identityOf(one), at]))
  known.delete('')
  for (const [index, line] of lines.entries()) {
    const texts = Object.fromEntries(
      line.flatMap((written, column) => {
        const name = names[column]
        return name === undefined || name === null ? [] : [[name, written]]
      }),
    )
    const added = { ...sheet.empty(keyOf(filled.length)), ...texts }
    const at = row + index < rows.length ? row + index : known.get(sheet.identityOf(added))
    if (at === undefined) filled.push(added)
    else filled[at] = { ...(filled[at] ?? added), ...texts }
  }
  return filled
}

function headingOf<Row, Column extends keyof Row & string>(
  { headings }: Sheet<Row, Column>,
  text: string,
): (keyof Row & string) | null {
  const found = Object.entries(headings).find(([, pattern]) => (pattern as RegExp).test(foldText(text)))
  return (found?.[0] as (keyof Row & string) | undefined) ?? null
}
