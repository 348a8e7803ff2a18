// The first sheet of a workbook as lines of text. A workbook is a packed folder: what it unpacks to is bounded before any of it is.
import { unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { UnreadableFile } from './list-protocol.ts'

const MAX_UNPACKED_BYTES = 20 * 1024 * 1024
/** The reader fills all up to the last column and row; some thirty columns down to the last row of all. */
const MAX_CELLS = 30_000_000
/** Pictures and the like are left packed. */
const READ = /\.(?:xml|rels)$/

/** Rejects with UnreadableFile. */
export async function readXlsx(bytes: Uint8Array<ArrayBuffer>): Promise<string[][]> {
  try {
    // Packed again without pressing: what is pressed the reader unpacks by workers of its own, which our pages do not allow.
    const parts = unpack(bytes)
    for (const [name, part] of Object.entries(parts))
      if (name.startsWith('xl/worksheets/') && isFarFlung(part)) throw new UnreadableFile('far')
    const rows = await readSheet(zipSync(parts, { level: 0 }).slice().buffer)
    return rows.map((row) => row.map(toText))
  } catch (error) {
    throw error instanceof UnreadableFile ? error : new UnreadableFile('broken')
  }
}

/** Each part gets as much room as its head claims, and not more: what claims less than it holds is cut short. */
function unpack(bytes: Uint8Array) {
  let unpackedBytes = 0
  return unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!READ.test(name)) return false
      unpackedBytes += originalSize
      if (unpackedBytes > MAX_UNPACKED_BYTES) throw new UnreadableFile('unpacked')
      return true
    },
  })
}

const ROWS = /<(?:\w+:)?row\b[^<>]*>/g
const ROW = /\br=["'](\d{1,7})["']/
const CELLS = /<(?:\w+:)?c\b[^<>]*>/g
const COLUMN = /\br=["']([A-Z]{1,3})\d/i

/** Whether few cells stand so far apart that what is between them would take all memory. */
function isFarFlung(sheet: Uint8Array): boolean {
  const xml = new TextDecoder().decode(sheet)
  const last = (tags: RegExp, at: RegExp, numberOf: (written: string) => number) => {
    let most = 1
    for (const [tag] of xml.matchAll(tags))
      if (!tag.endsWith('/>')) most = Math.max(most, numberOf(at.exec(tag)?.[1] ?? ''))
    return most
  }
  return last(ROWS, ROW, Number) * last(CELLS, COLUMN, columnNumber) > MAX_CELLS
}

/** 'A' is 1, 'XFD' the last one. */
const columnNumber = (letters: string) =>
  Array.from(letters.toUpperCase()).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

/** As the cell shows it, whole: a long number is no power of ten. The reader's own type of a date is that of its maker. */
function toText(value: unknown): string {
  if (value instanceof Date) return value.toLocaleDateString('pt-BR', { timeZone: 'UTC' })
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}
