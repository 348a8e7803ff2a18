// Puts plans that were copied from a spreadsheet into the table of plans.
import { foldText } from '#domain/search.ts'
import { CELLS, emptyPlan, type Cell, type PlanTexts } from './edit.ts'

const HEADINGS: Record<Cell | 'bedrooms' | 'suites' | 'parking', RegExp> = {
  name: /^(planta|tipo|tipologia|nome|modelo)/,
  area: /^(area|metragem|m2|m²)/,
  price: /^(a partir|preco|valor)/,
  validUntil: /^(vale|validade|valido|ate)/,
  unitsLeft: /^(unidades|disponiveis|estoque|qtd|quantidade)/,
  bedrooms: /^(quartos|dorms?|dormitorios)/,
  suites: /^suites?/,
  parking: /^(vagas?|garagem)/,
}

/** Splits copied spreadsheet cells: lines are rows, tabs separate cells. */
export const cellsOf = (text: string): string[][] =>
  text
    .replaceAll('\r', '')
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => line.split('\t').map((cell) => cell.trim()))

/**
 * The table after cells were pasted at a row and a column. They fill it from there, and add rows at its end. If the
 * first pasted row has known headings, they assign the columns.
 */
export function pasteInto(
  plans: readonly PlanTexts[],
  { row, cell, text }: { row: number; cell: Cell; text: string },
  keyOf: (index: number) => string,
): PlanTexts[] {
  const [first = [], ...rest] = cellsOf(text)
  const named = first.map(headingOf)
  const hasHeadings = named.filter((name) => name !== null).length >= 2
  const lines = hasHeadings ? rest : [first, ...rest]
  const names: (keyof typeof HEADINGS | null)[] = hasHeadings ? named : CELLS.slice(CELLS.indexOf(cell))
  const filled = [...plans]
  for (const [index, line] of lines.entries()) {
    const at = row + index
    const texts = Object.fromEntries(
      line.flatMap((written, column) => {
        const name = names[column]
        return name === undefined || name === null ? [] : [[name, written]]
      }),
    )
    filled[at] = { ...(filled[at] ?? emptyPlan(keyOf(at))), ...texts }
  }
  return filled
}

function headingOf(text: string): keyof typeof HEADINGS | null {
  const found = Object.entries(HEADINGS).find(([, pattern]) => pattern.test(foldText(text).trim()))
  return (found?.[0] as keyof typeof HEADINGS | undefined) ?? null
}
