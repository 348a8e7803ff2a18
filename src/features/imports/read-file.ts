// Reads a chosen file as sheets of text. It recognises the format by content, not by name.
import { decodeText, readCsv } from '#domain/lead/list/read-csv.ts'
import { isVCard, readVCards } from '#domain/lead/list/read-vcard.ts'
import type { Sheet } from '#domain/lead/list/sheet.ts'
import { UnreadableFile } from './list-protocol.ts'
import { readWorkbook } from './read-workbook.ts'

export const MAX_BYTES = 20 * 1024 * 1024

const ONLY = { name: null, isHidden: false, isCards: false }

/** Rejects with UnreadableFile. */
export async function readFile(bytes: Uint8Array, name: string): Promise<Sheet[]> {
  const begins = (...first: number[]) => first.every((byte, n) => bytes[n] === byte)
  if (begins(0xd0, 0xcf, 0x11, 0xe0))
    throw new UnreadableFile(holds(bytes, 'EncryptedPackage') ? 'protected' : 'xls')
  if (begins(0x50, 0x4b)) return readWorkbook(bytes)
  const text = textOf(bytes)
  if (isVCard(text)) return [{ ...ONLY, isCards: true, lines: readVCards(text) }]
  // Some text files are merely named .xlsx; they are read if they form a table.
  const lines = readCsv(text)
  if (/\.(?:xlsx?|ods|numbers)$/i.test(name) && lines.every((cells) => cells.length < 2))
    throw new UnreadableFile('kind')
  return [{ ...ONLY, lines }]
}

/** True if the bytes contain this stream's name in UTF-16, as Microsoft's compound files do. */
function holds(bytes: Uint8Array, stream: string): boolean {
  const wanted = Array.from(stream, (letter) => `${letter}\0`).join('')
  return new TextDecoder('latin1').decode(bytes).includes(wanted)
}

/** The beginning of PDF and RTF files, which would become a table of garbage. */
const NO_TABLE = /^\s*(?:%PDF-|\{\\rtf)/i
const PAGE = /^\s*<(?:!doctype|html|\?xml|table|head|body|meta|style)\b/i
/** Control characters, which text files do not have. A few may come from a fault of the program that wrote the file. */
const NO_SIGN = /[^\P{Cc}\s\u007f-\u009f]/gu
const LOOKED_AT = 4_096
const SLIPS = 0.02

function textOf(bytes: Uint8Array): string {
  const text = decodeText(bytes)
  const begin = text.slice(0, LOOKED_AT)
  if (PAGE.test(begin)) throw new UnreadableFile('page')
  if (NO_TABLE.test(begin) || (begin.match(NO_SIGN)?.length ?? 0) > begin.length * SLIPS)
    throw new UnreadableFile('kind')
  return text.replace(NO_SIGN, '')
}
