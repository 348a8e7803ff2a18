// Reads what was spent from a CSV file: an export of Meta's Ads Manager or of Google Ads, or our own
// 'mes;origem;campanha;gasto'.
import { foldText } from '../search.ts'
import { readCsv, SEPARATORS } from '../lead/list/read-csv.ts'
import { type Decimal, decimalOf, MAX_CENTS, readAmount, toCents } from './amounts.ts'
import { LONG, readDay, readMonth, readPeriod, sameMonth } from './months.ts'

export type SpendKind = 'meta' | 'google' | 'own'

/** What was spent on a campaign in a month. `campaign` '': on the whole origin. */
export type SpendLine = {
  origin: string
  campaign: string
  campaignId: string | null
  /** The month as YYYY-MM. */
  month: string
  currency: string
  cents: number
}

export type LineFault = 'amount' | 'month' | 'months' | 'origin' | 'currency' | 'name' | 'large'
export type FileFault = 'header' | 'decimal' | 'empty' | 'lines'

export type SpendFile = {
  kind: SpendKind
  separator: string
  /** The number of the line with the titles, counted from 1. */
  headerLine: number
  decimal: Decimal | null
  lines: readonly SpendLine[]
  /** Lines without spend that are no fault. */
  skipped: readonly { line: number; why: 'total' | 'empty' }[]
  refused: readonly { line: number; why: LineFault; shown: string }[]
  /** The file's totals in cents, used only as a check: an account's total may be larger. Null: it has none. */
  total: number | null
}

/** The import's limit, in campaigns and months. */
const MAX_LINES = 2_000
const LOOKED_AT = 30

const TITLES = {
  campaign: /^(?:nome da campanha|campanha|campaign name|campaign)$/,
  id: /^(?:identificacao da campanha|id da campanha|codigo da campanha|campaign id)$/,
  day: /^(?:dia|day|data|date)$/,
  from: /^(?:inicio dos relatorios|reporting starts)$/,
  to: /^(?:(?:termino|encerramento|fim) dos relatorios|reporting ends)$/,
  currency: /^(?:codigo da moeda|moeda|currency code|currency)$/,
  origin: /^(?:origem|fonte)$/,
  month: /^mes$/,
} as const
const COST: Readonly<Record<SpendKind, RegExp>> = {
  meta: /^(?:valor (?:usado|gasto)|amount spent)(?: \(([a-z]{3})\))?$/,
  google: /^(?:custo|cost)$/,
  own: /^gasto$/,
}

type Column = keyof typeof TITLES | 'cost'
type Header = {
  kind: SpendKind
  separator: string
  lines: readonly (readonly string[])[]
  at: number
  columns: ReadonlyMap<Column, number>
  /** The currency that the title of the cost column names. */
  currency: string | null
}

/** `decimal`: the user's choice if the file does not settle it. */
export function readSpendFile(text: string, decimal?: Decimal): SpendFile | { fault: FileFault } {
  const header = findHeader(text.replace(/^\uFEFF/, ''))
  if (header === null) return { fault: 'header' }
  const rows = header.lines.slice(header.at + 1)
  if (rows.every((cells) => cells.every((cell) => cell === ''))) return { fault: 'empty' }
  const found = decimal ?? decimalOf(numbersOf(header, rows))
  if (found === 'unclear') return { fault: 'decimal' }
  const read = readRows(header, rows, found ?? ',')
  if (read.lines.length > MAX_LINES) return { fault: 'lines' }
  return {
    ...read,
    kind: header.kind,
    separator: header.separator,
    headerLine: header.at + 1,
    decimal: found,
  }
}

/** Returns the first line with a campaign and a cost; title lines may stand above it. */
function findHeader(text: string): Header | null {
  for (const separator of SEPARATORS) {
    const lines = readCsv(text, separator)
    for (const [at, cells] of lines.slice(0, LOOKED_AT).entries()) {
      const header = headerOf(cells)
      if (header) return { ...header, separator, lines, at }
    }
  }
  return null
}

function headerOf(cells: readonly string[]): Pick<Header, 'kind' | 'columns' | 'currency'> | null {
  const titles = cells.map((cell) => foldText(cell).replace(/\s+/g, ' ').trim())
  const columns = new Map<Column, number>()
  for (const [name, pattern] of Object.entries(TITLES)) {
    const at = titles.findIndex((title) => pattern.test(title))
    if (at >= 0) columns.set(name as Column, at)
  }
  for (const [kind, pattern] of Object.entries(COST)) {
    const at = titles.findIndex((title) => pattern.test(title))
    const isWhole =
      columns.has('campaign') && (kind !== 'own' || (columns.has('origin') && columns.has('month')))
    if (at < 0 || !isWhole) continue
    columns.set('cost', at)
    return {
      kind: kind as SpendKind,
      columns,
      currency: pattern.exec(titles[at]!)?.[1]?.toUpperCase() ?? null,
    }
  }
  return null
}

/** Cells that may be amounts or counts: all except names, campaign ids and days. */
function* numbersOf({ columns }: Header, rows: readonly (readonly string[])[]): Generator<string> {
  const others = new Set([...columns].flatMap(([name, at]) => (name === 'cost' ? [] : [at])))
  for (const cells of rows) for (const [at, cell] of cells.entries()) if (!others.has(at)) yield cell.trim()
}

type Read = Pick<SpendFile, 'lines' | 'skipped' | 'refused' | 'total'>
type Sum = Omit<SpendLine, 'cents'> & { millionths: bigint; line: number; shown: string }

function readRows(header: Header, rows: readonly (readonly string[])[], decimal: Decimal): Read {
  const above = monthAbove(header)
  const sums = new Map<string, Sum>()
  const skipped: { line: number; why: 'total' | 'empty' }[] = []
  const refused: { line: number; why: LineFault; shown: string }[] = []
  let total: bigint | null = null
  for (const [place, cells] of rows.entries()) {
    if (cells.every((cell) => cell === '')) continue
    const line = header.at + place + 2
    const cell = (name: Column) => cells[header.columns.get(name) ?? -1]?.trim() ?? ''
    const amount = readAmount(cell('cost'), decimal)
    if (isTotal(header.kind, cells, cell('campaign'))) {
      total ??= amount ?? null
      skipped.push({ line, why: 'total' })
    } else if (amount === null) skipped.push({ line, why: 'empty' })
    else {
      const told = amount === undefined ? 'amount' : lineOf(header, cell, above)
      if (typeof told === 'string')
        refused.push({ line, why: told, shown: cells.filter(Boolean).join(' · ').slice(0, 120) })
      else addTo(sums, { ...told, millionths: amount ?? 0n, line, shown: told.campaign || told.origin })
    }
  }
  const lines: SpendLine[] = []
  for (const { millionths, line, shown, ...rest } of sums.values()) {
    const cents = toCents(millionths)
    if (cents > MAX_CENTS) refused.push({ line, why: 'large', shown })
    else lines.push({ ...rest, cents })
  }
  return { lines, skipped, refused, total: total === null ? null : toCents(total) }
}

/** Adds up the lines of one campaign and month, which a file may list by day or by ad set. */
function addTo(sums: Map<string, Sum>, one: Sum) {
  const key = JSON.stringify([one.origin, one.month, one.currency, one.campaignId ?? foldText(one.campaign)])
  const known = sums.get(key)
  if (known) known.millionths += one.millionths
  else sums.set(key, one)
}

/** Meta's totals have no campaign. */
const isTotal = (kind: SpendKind, cells: readonly string[], campaign: string): boolean =>
  kind === 'meta' ? campaign === '' : kind === 'google' && /^total\b/i.test(cells[0]?.trim() ?? '')

function lineOf(
  header: Header,
  cell: (name: Column) => string,
  above: string | null,
): Omit<SpendLine, 'cents'> | LineFault {
  const { kind } = header
  const origin = kind === 'own' ? foldOrigin(cell('origin')) : kind
  if (origin === '' || origin.length > 60) return 'origin'
  const campaign = cell('campaign').replace(/\s+/g, ' ')
  if (campaign.length > 200 || (kind !== 'own' && campaign === '')) return 'name'
  const currency = (header.currency ?? cell('currency')).toUpperCase() || 'BRL'
  if (!/^[A-Z]{3}$/.test(currency)) return 'currency'
  const month = kind === 'own' ? readMonth(cell('month')) : monthIn(header, cell, above)
  if (month === null || month === LONG) return month === null ? 'month' : 'months'
  // Spreadsheets turn long ids into '1,2021E+17'; then the name identifies the campaign.
  const campaignId = /^\d{1,40}$/.test(cell('id')) && campaign !== '' ? cell('id') : null
  return { origin, campaign, campaignId, month, currency }
}

const foldOrigin = (name: string) => name.replace(/\s+/g, ' ').toLowerCase()

/** Returns the day, else the row's period, else the period above the titles. */
function monthIn({ columns }: Header, cell: (name: Column) => string, above: string | null) {
  if (columns.has('day')) return readDay(cell('day'))
  if (columns.has('from') && columns.has('to')) return sameMonth(readDay(cell('from')), readDay(cell('to')))
  return above
}

function monthAbove({ lines, at }: Header): string | null {
  for (const cells of lines.slice(0, at))
    for (const cell of cells) {
      const month = readPeriod(cell)
      if (month !== null) return month
    }
  return null
}
