// Which column of a list is what: its header, a first guess, and its rows by what was decided.
import { LIST_FIELDS, type ListField, type ListRow, readRow } from './row.ts'

export type LeadList = {
  /** Of each column; 'Coluna C' where the file has none. */
  titles: readonly string[]
  rows: readonly { place: number; cells: readonly string[] }[]
}

/** The column of each field, from 0. */
export type ColumnMap = Partial<Record<ListField, number>>

/** As many as one import takes. */
export const MOST_ROWS = 50_000

/** A file that we, or a spreadsheet, wrote so that no text runs as a formula: '+351912345678. */
const KEPT_FROM_RUNNING = /^'(?=[=+\-@])/

/** Lines without any text are none. The first line is a header unless somebody can be called by it. */
export function toLeadList(lines: readonly (readonly string[])[]): LeadList {
  const filled = lines
    .map((cells, n) => ({ place: n + 1, cells: cells.map((cell) => cell.replace(KEPT_FROM_RUNNING, '')) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  const [first] = filled
  // Line by line: so many arguments at once are more than an engine takes.
  const width = filled.reduce((widest, { cells }) => Math.max(widest, cells.length), 0)
  const isHeader = first?.cells.every((cell) => readRow({ phone: cell }).lead === null) ?? false
  return {
    titles: Array.from({ length: width }, (_, n) => (isHeader && first?.cells[n]) || `Coluna ${letters(n)}`),
    rows: isHeader ? filled.slice(1) : filled,
  }
}

/** Fields before others take the column: 'telefone 2' is no first phone. */
const BY_TITLE: readonly (readonly [ListField, RegExp])[] = [
  [
    'otherPhone',
    /^(?:outro|segundo)?(?:tele)?fone(?:2|fixo|residencial|comercial)$|^(?:outro|segundo)(?:telefone|celular|whatsapp)$|^(?:celular|whatsapp)2$/,
  ],
  [
    'phone',
    /^(?:telefone|fone|celular|whatsapp|whats|numero|tel|phone|mobile|telefonecelular|telefone1|celular1|numerodetelefone|phonenumber|telefoneprincipal)$/,
  ],
  ['name', /^(?:nome|name|cliente|lead|contato|nomecompleto|nomedocliente|nomedolead|fullname)$/],
  ['email', /^(?:e?mail|emailaddress|correioeletronico|emaildocliente)$/],
  ['development', /^(?:empreendimento|imovel|produto|lancamento|projeto|development)$/],
  ['source', /^(?:origem|fonte|canal|midia|source|origemdolead)$/],
  ['campaign', /^(?:campanha|campaign|utmcampaign)$/],
  ['note', /^(?:observac(?:ao|oes)|obs|nota|notas|comentarios?|mensagem|anotac(?:ao|oes)|historico)$/],
]

/** How many rows say whether a column without a telling title holds phones. */
const SAMPLE = 50

/** By the titles; a phone also by what stands in a column. For a person to confirm. */
export function guessColumns({ titles, rows }: LeadList): ColumnMap {
  const plain = titles.map((title) =>
    title
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  )
  const taken = new Set<number>()
  const map: ColumnMap = {}
  const take = (field: ListField, column: number) => {
    if (column < 0) return
    map[field] = column
    taken.add(column)
  }
  for (const [field, like] of BY_TITLE)
    take(
      field,
      plain.findIndex((title, n) => !taken.has(n) && like.test(title)),
    )
  if (map.phone === undefined) {
    const sample = rows.slice(0, SAMPLE)
    const half = sample.length / 2
    const holdsPhones = (column: number) =>
      sample.filter(({ cells }) => readRow({ phone: cells[column] ?? '' }).lead !== null).length > half
    take(
      'phone',
      titles.findIndex((_, n) => !taken.has(n) && holdsPhones(n)),
    )
  }
  // 'Telefone' and 'Celular', or the same title twice: whoever has only the second is to be reached by it.
  const isPhone = BY_TITLE.find(([field]) => field === 'phone')?.[1]
  if (map.otherPhone === undefined)
    take(
      'otherPhone',
      plain.findIndex((title, n) => !taken.has(n) && isPhone?.test(title)),
    )
  return map
}

export function rowOf(cells: readonly string[], map: ColumnMap): ListRow {
  const row: ListRow = {}
  for (const field of LIST_FIELDS) {
    const column = map[field]
    const cell = column === undefined ? '' : (cells[column] ?? '')
    if (cell !== '') row[field] = cell
  }
  return row
}

/** As a spreadsheet names its columns: A, Z, AA. */
function letters(column: number): string {
  const before = Math.floor(column / 26)
  return (before === 0 ? '' : letters(before - 1)) + String.fromCharCode(65 + (column % 26))
}
