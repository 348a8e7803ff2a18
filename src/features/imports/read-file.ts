// A file that somebody chose as sheets of text, by what it holds, whatever it is called.
import { decodeText, readCsv } from '#domain/lead/list/read-csv.ts'
import { isVCard, readVCards } from '#domain/lead/list/read-vcard.ts'
import type { Sheet } from '#domain/lead/list/sheet.ts'
import { UnreadableFile } from './list-protocol.ts'
import { readWorkbook } from './read-workbook.ts'

export const MOST_BYTES = 20 * 1024 * 1024

const ONLY = { name: null, isHidden: false, isCards: false }

/** Rejects with UnreadableFile. */
export async function readFile(bytes: Uint8Array, name: string): Promise<Sheet[]> {
  const begins = (...first: number[]) => first.every((byte, n) => bytes[n] === byte)
  if (begins(0xd0, 0xcf, 0x11, 0xe0))
    throw new UnreadableFile(holds(bytes, 'EncryptedPackage') ? 'protected' : 'xls')
  if (begins(0x50, 0x4b)) return readWorkbook(bytes)
  const text = textOf(bytes)
  if (isVCard(text)) return [{ ...ONLY, isCards: true, lines: readVCards(text) }]
  // A text that was only given a workbook's name is no empty workbook.
  const lines = readCsv(text)
  if (/\.(?:xlsx?|ods|numbers)$/i.test(name) && lines.every((cells) => cells.length < 2))
    throw new UnreadableFile('kind')
  return [{ ...ONLY, lines }]
}

/** Whether it names one of its streams so, as containers of Microsoft do in UTF-16. */
function holds(bytes: Uint8Array, stream: string): boolean {
  const wanted = Array.from(stream, (letter) => `${letter}\0`).join('')
  return new TextDecoder('latin1').decode(bytes).includes(wanted)
}

/** How pages and documents begin: a PDF would be a table of rubbish. */
const NO_TABLE = /^\s*(?:%PDF-|\{\\rtf)/i
const PAGE = /^\s*<(?:!doctype|html|\?xml|table|head|body|meta|style)\b/i
/** Signs that no text has. A single one of them is a slip of the program that wrote the file. */
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
