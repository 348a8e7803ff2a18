// The first sheet of a workbook as lines of text. A workbook is a packed folder: what it unpacks to is bounded before any of it is.
import { unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { UnreadableFile } from './list-protocol.ts'

const MAX_UNPACKED_BYTES = 20 * 1024 * 1024
/** Pictures and the like are left packed. */
const READ = /\.(?:xml|rels)$/

/** Rejects with UnreadableFile. */
export async function readXlsx(bytes: Uint8Array<ArrayBuffer>): Promise<string[][]> {
  try {
    // Packed again without pressing: what is pressed the reader unpacks by workers of its own, which our pages do not allow.
    const rows = await readSheet(zipSync(unpack(bytes), { level: 0 }).slice().buffer)
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

/** As the cell shows it, whole: a long number is no power of ten. The reader's own type of a date is that of its maker. */
function toText(value: unknown): string {
  if (value instanceof Date) return value.toLocaleDateString('pt-BR', { timeZone: 'UTC' })
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}
