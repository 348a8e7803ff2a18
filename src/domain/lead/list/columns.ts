// Detects what the columns of a list mean, by titles and values, and turns a row's cells into a lead's fields.
import type { ListRow } from './fields.ts'
import { readRow } from './row.ts'
import {
  BARE_NAME,
  COLUMN_KINDS,
  type ColumnKind,
  isListOfDeals,
  readTitle,
  type TitleReading,
} from './titles.ts'
import { readCents, readDayMs } from './values.ts'

export type LeadList = {
  /** A title for each column; 'Coluna C' if the file has no titles. */
  titles: readonly string[]
  /** `place` is the line in the sheet, from 1. */
  rows: readonly { place: number; cells: readonly string[] }[]
}

/** The kind of each column, in order; null for a column that the import ignores. */
export type ColumnMap = readonly (ColumnKind | null)[]

/** How many filled cells of a column the detection examines. */
const SAMPLE = 50
/** How many rows the detection searches for filled cells. */
const LOOKED_AT = 2_000

const EMAIL_INSIDE = /[^\s<>"'(),;:@]+@[^\s<>"'(),;:@]+\.[a-z]{2,}/i
/** What a listing is for, such as renting. A cell with only that names no development. */
const PURPOSE =
  /^(?:compra|comprar|venda|vender|locac[aã]o|alugar|aluguel|temporada|investimento|investir|moradia|morar|permuta)$/i
const WORDS = /^[\p{L}\p{M}][\p{L}\p{M}\s.'’-]*$/u
/** Matches a name with a phone, such as 'Ana Lima - 11 95555-0142' or 'Rui (11) 3333-4444 zap'. */
const NAME_BEFORE_PHONE = /^([\p{L}\p{M}][\p{L}\p{M}\s.'’]+?)[\s:,;|–-]*((?:\+|\(|\d).*)$/su
/** Labels before a phone that look like a name, such as 'cel: 11 95555-0142'. */
const PHONE_LABEL =
  /^(?:tele)?fones?$|^(?:cel|celular|tel|whats|whatsapp|wpp|zap|contato|res|com|recado|fixo)\b/i

type Held = {
  filled: number
  phones: number
  digits: number
  emails: number
  words: number
  nameAndPhone: number
  purposes: number
  areaCodes: number
  amounts: number
  days: number
}

function readCells(rows: LeadList['rows'], column: number): Held {
  const held: Held = {
    filled: 0,
    phones: 0,
    digits: 0,
    emails: 0,
    words: 0,
    nameAndPhone: 0,
    purposes: 0,
    areaCodes: 0,
    amounts: 0,
    days: 0,
  }
  for (const { cells } of rows.slice(0, LOOKED_AT)) {
    const cell = cells[column]?.trim() ?? ''
    if (cell === '') continue
    held.filled += 1
    const digits = cell.replace(/\D/g, '').length
    if (digits >= 8 && digits <= 40) held.digits += 1
    if (digits >= 8 && isPhone(cell)) {
      held.phones += 1
      if (splitNameAndPhone(cell)) held.nameAndPhone += 1
    }
    if (EMAIL_INSIDE.test(cell)) held.emails += 1
    else if (WORDS.test(cell)) held.words += 1
    if (readCents(cell) !== null) held.amounts += 1
    if (readDayMs(cell) !== null) held.days += 1
    if (PURPOSE.test(cell)) held.purposes += 1
    if (/^\(?0?[1-9]\d\)?$/.test(cell)) held.areaCodes += 1
    if (held.filled === SAMPLE) break
  }
  return held
}

const isPhone = (cell: string) => readRow({ phone: cell }).lead !== null
export const isContact = (cell: string) =>
  EMAIL_INSIDE.test(cell) || (cell.replace(/\D/g, '').length >= 10 && isPhone(cell))

/**
 * Guesses the columns' kinds by their titles, unless the values contradict them. Without titles the values decide. A
 * person confirms the guess.
 */
export function guessColumns({ titles, rows }: LeadList, hasTitles: boolean): ColumnMap {
  const held = titles.map((_, n) => readCells(rows, n))
  const read = titles.map((title, n) => (hasTitles ? weighed(readTitle(title), held[n]!) : null))
  const isUnknown = (n: number) => !hasTitles || (read[n] === null && readTitle(titles[n]!) === null)
  const map: (ColumnKind | null)[] = titles.map(() => null)
  for (const kind of ['phone', 'email', 'areaCode', 'note', 'tags'] as const)
    read.forEach((reading, n) => reading?.kind === kind && (map[n] = kind))
  for (const kind of ONE_COLUMN) {
    const [best] = lowestRank(read, kind)
    if (best !== undefined) map[best] = kind
  }
  takeNames(map, read, isListOfDeals(hasTitles ? titles : []))
  const more = (of: 'phones' | 'emails' | 'words' | 'nameAndPhone') => (n: number) =>
    map[n] === null && held[n]!.filled > 0 && held[n]![of] > held[n]!.filled / 2
  const find = (is: (n: number) => boolean) => titles.findIndex((_, n) => is(n))
  if (!map.includes('phone')) {
    const both = map.includes('name') ? -1 : find((n) => isUnknown(n) && more('nameAndPhone')(n))
    const phone = both >= 0 ? both : find((n) => isUnknown(n) && more('phones')(n))
    if (phone >= 0) map[phone] = both >= 0 ? 'nameAndPhone' : 'phone'
  }
  if (!map.includes('email')) {
    const email = find((n) => isUnknown(n) && more('emails')(n))
    if (email >= 0) map[email] = 'email'
  }
  if (!hasTitles && !map.includes('nameAndPhone')) {
    const name = find(more('words'))
    if (name >= 0) map[name] = 'name'
  }
  return map
}

/** Kinds that a list can have in one column only; the column with the plainest title gets it. */
const ONE_COLUMN = [
  'development',
  'source',
  'campaign',
  'stage',
  'broker',
  'value',
  'arrivedAt',
  'lastContactAt',
] as const

/** Ignores a title that the column's values contradict: 'Contato' above phones is a phone column. */
function weighed(reading: TitleReading | null, held: Held): TitleReading | null {
  if (reading === null || held.filled === 0) return reading
  const half = held.filled / 2
  const { kind } = reading
  if (kind === 'areaCode')
    return held.areaCodes >= half ? reading : held.phones > half ? { kind: 'phone', rank: 1 } : null
  if (kind === 'phone') {
    if (held.emails > half && held.digits === 0) return { kind: 'email', rank: 1 }
    // Phones may have eight digits if the area code has its own column. Texts such as 'não tem' may be among them.
    return held.digits > 0 || held.words > 0 || held.filled < 3 ? reading : null
  }
  if (kind === 'email') return held.emails > 0 || held.filled < 3 ? reading : null
  if (kind === 'name') {
    if (held.nameAndPhone > half) return { kind: 'nameAndPhone', rank: 0 }
    if (held.phones > half) return { kind: 'phone', rank: 2 }
    return held.emails > half ? { kind: 'email', rank: 1 } : reading
  }
  if (kind === 'value') return held.amounts >= half ? reading : null
  if (kind === 'arrivedAt' || kind === 'lastContactAt') return held.days >= half ? reading : null
  if (kind === 'broker') return held.emails > half || held.phones > half ? null : reading
  if (kind === 'development') return held.purposes > half ? null : reading
  return reading
}

const lowestRank = (read: readonly (TitleReading | null)[], kind: ColumnKind) =>
  read
    .flatMap((reading, n) => (reading?.kind === kind ? [{ n, rank: reading.rank }] : []))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ n }) => n)

/** Takes the column of full names, or else the columns of their parts. */
function takeNames(
  map: (ColumnKind | null)[],
  read: readonly (TitleReading | null)[],
  isOfDeals: boolean,
): void {
  const both = read.findIndex((reading) => reading?.kind === 'nameAndPhone')
  const rankOf = (n: number) => read[n]?.rank ?? 0
  const surnames = lowestRank(read, 'surname')
  const [best] = lowestRank(read, 'name').filter((n) => !(isOfDeals && rankOf(n) === BARE_NAME))
  if (best === undefined) {
    if (both >= 0) map[both] = 'nameAndPhone'
    return
  }
  map[best] = 'name'
  const isWhole =
    rankOf(best) === 1 ||
    read.some((reading) => reading?.kind === 'name' && reading.rank === 6 && rankOf(best) < 6)
  if (!isWhole) for (const n of surnames) map[n] = 'surname'
}

/** What the administrator chooses besides the columns. */
export type RowChoices = {
  /** The area code for phone numbers that have none. If undefined, such numbers are refused. */
  areaCode?: string
}

/** Reads a row's cells into fields. Phones keep the order of their titles' ranks, mobiles first. */
export type RowReader = (cells: readonly string[]) => ListRow

export function rowReader(
  titles: readonly string[],
  map: ColumnMap,
  { areaCode = '' }: RowChoices = {},
): RowReader {
  const columns = new Map(
    COLUMN_KINDS.map((kind) => [kind, map.flatMap((one, n) => (one === kind ? [n] : []))]),
  )
  const columnsOf = (kind: ColumnKind) => columns.get(kind) ?? []
  const phones = columnsOf('phone')
    .map((n) => ({ n, reading: readTitle(titles[n] ?? '') }))
    .toSorted((a, b) => (a.reading?.rank ?? 2) - (b.reading?.rank ?? 2))
    .map(({ n }) => n)
  const areaCodes = columnsOf('areaCode')
  /** Returns the area code column for a phone column: the nearest to its left, else the first. */
  const areaCodeOf = (phone: number) => areaCodes.findLast((n) => n < phone) ?? areaCodes[0]
  return (cells) => {
    const all = (kind: ColumnKind) => columnsOf(kind).flatMap((n) => cells[n]?.trim() || [])
    const row: ListRow = {}
    const put = (field: keyof ListRow, text: string | undefined) => {
      if (text !== undefined && text !== '') row[field] = text
    }
    const both = all('nameAndPhone').map(
      (cell) => splitNameAndPhone(cell) ?? { name: WORDS.test(cell) ? cell : '', phone: cell },
    )
    put(
      'name',
      [...all('name'), ...all('surname'), ...both.map(({ name }) => name)]
        .filter((part) => part !== '')
        .join(' '),
    )
    const written = phones.flatMap((n) => {
      const cell = cells[n]?.trim() ?? ''
      if (cell === '') return []
      const column = areaCodeOf(n)
      return [withAreaCode(cell, (column === undefined ? '' : (cells[column] ?? '')) || areaCode)]
    })
    const [phone, ...others] = [...written, ...both.map((one) => withAreaCode(one.phone, areaCode))]
    put('phone', phone)
    put('otherPhone', others.join(' ; '))
    put('email', all('email').join(' ; '))
    for (const kind of ONE_COLUMN) put(kind, all(kind)[0])
    put('tags', all('tags').join(' ; '))
    put('note', all('note').join('\n'))
    return row
  }
}

/** Adds the area code to a phone of eight or nine digits. */
function withAreaCode(cell: string, areaCode: string): string {
  const area = areaCode.replace(/\D/g, '').replace(/^0/, '')
  const digits = cell.replace(/\D/g, '').length
  return area.length === 2 && (digits === 8 || digits === 9) && !cell.startsWith('+')
    ? `(${area}) ${cell}`
    : cell
}

function splitNameAndPhone(cell: string): { name: string; phone: string } | null {
  const [, name = '', phone = ''] = NAME_BEFORE_PHONE.exec(cell) ?? []
  return phone === '' || PHONE_LABEL.test(name.trim()) ? null : { name: name.trim(), phone }
}
