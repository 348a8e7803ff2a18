// Reads a workbook (.xlsx, .ods) as sheets of text. A workbook is a zip file, so the size is limited before unpacking.
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { readOds } from 'hucre/ods'
import { readXlsx } from 'hucre/xlsx'
import type { Sheet } from '#domain/lead/list/sheet.ts'
import { type FileFault, UnreadableFile } from './list-protocol.ts'

const MAX_UNPACKED_BYTES = 96 * 1024 * 1024
/** Only these parts are unpacked; pictures and others stay packed. */
const READ = /\.(?:xml|rels)$|^mimetype$/

/** Each pattern matches a part that only zip files of one kind contain. */
const KINDS: readonly (readonly [RegExp, 'xlsx' | 'ods' | FileFault])[] = [
  [/^xl\/workbook\.xml$/, 'xlsx'],
  [/^content\.xml$/, 'ods'],
  [/^Index\/Document\.iwa$|^Index\.zip$/, 'numbers'],
  [/^xl\/workbook\.bin$/, 'xls'],
]

/** Rejects with UnreadableFile. */
export async function readWorkbook(bytes: Uint8Array): Promise<Sheet[]> {
  try {
    const names: string[] = []
    const parts = unpack(bytes, names)
    const [, kind] = KINDS.find(([like]) => names.some((name) => like.test(name))) ?? []
    if (kind === 'ods') return await readOpenDocument(parts)
    if (kind === 'xlsx') return await readExcel(parts)
    throw new UnreadableFile(kind ?? (names.length > 0 ? 'kind' : 'broken'))
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    // The library refuses a sheet with a few cells far apart, which would use all memory.
    throw new UnreadableFile(
      error instanceof Error && /over the \d+ limit/.test(error.message) ? 'far' : 'broken',
    )
  }
}

/** Gives each part exactly the size in its header, so that a part larger than declared is cut off. */
function unpack(bytes: Uint8Array, names: string[]): Record<string, Uint8Array> {
  let unpackedBytes = 0
  return unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      names.push(name)
      if (!READ.test(name)) return false
      unpackedBytes += originalSize
      if (unpackedBytes > MAX_UNPACKED_BYTES) throw new UnreadableFile('unpacked')
      return true
    },
  })
}

const PACKAGE_RELATIONS = strToU8(
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
)

async function readExcel(parts: Record<string, Uint8Array>): Promise<Sheet[]> {
  // Some programs omit the relation to the workbook. Excel opens such files, so the relation is added.
  const { sheets } = await readXlsx(repack({ '_rels/.rels': PACKAGE_RELATIONS, ...parts }))
  return sheets.map(({ name, hidden, veryHidden, rows }) => ({
    name,
    isHidden: hidden === true || veryHidden === true,
    isCards: false,
    lines: toLines(rows),
  }))
}

async function readOpenDocument(parts: Record<string, Uint8Array>): Promise<Sheet[]> {
  const manifest = parts['META-INF/manifest.xml']
  if (manifest && strFromU8(manifest).includes('encryption-data')) throw new UnreadableFile('protected')
  const { sheets } = await readOds(repack(parts))
  const hidden = hiddenTables(strFromU8(parts['content.xml'] ?? new Uint8Array()))
  return sheets.map(({ name, rows }) => ({
    name,
    isHidden: hidden.has(name),
    isCards: false,
    lines: toLines(rows),
  }))
}

/** Without compression, because it is read at once. */
const repack = (parts: Record<string, Uint8Array>) => zipSync(parts, { level: 0 })

const STYLE =
  /<style:style\b[^>]*style:name="([^"]+)"[^>]*>\s*<style:table-properties\b[^>]*table:display="false"/g
const TABLE = /<table:table\b[^>]*>/g
const attributeOf = (tag: string, name: string) =>
  new RegExp(`\\b${name}="([^"]*)"`)
    .exec(tag)?.[1]
    ?.replace(
      /&(amp|lt|gt|quot|apos);/g,
      (_, word: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[word] ?? "'",
    )

/** Finds hidden sheets of .ods files, which the library does not report: a style hides them. */
function hiddenTables(content: string): ReadonlySet<string | undefined> {
  const styles = new Set(Array.from(content.matchAll(STYLE), ([, name]) => name))
  return new Set(
    Array.from(content.matchAll(TABLE), ([tag]) => tag)
      .filter((tag) => styles.has(attributeOf(tag, 'table:style-name')))
      .map((tag) => attributeOf(tag, 'table:name')),
  )
}

const toLines = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.map(toText))

/**
 * Returns the cell's text. A long number is written in full, never exponentially. A date is a day without a time zone.
 */
function toText(value: unknown): string {
  if (value instanceof Date) return value.toLocaleDateString('pt-BR', { timeZone: 'UTC' })
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}
