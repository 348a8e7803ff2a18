// The worker that reads a list of leads, and holds its rows while they are looked at and sent.
import { guessColumns, type LeadList, MOST_ROWS, rowOf, toLeadList } from '#domain/lead/list/columns.ts'
import { decodeText, readCsv } from '#domain/lead/list/read-csv.ts'
import { LIST_FIELDS, readRow, type RowFault } from '#domain/lead/list/row.ts'
import {
  type Answered,
  type Asked,
  type Checked,
  type ListHead,
  type SentRow,
  UnreadableFile,
} from './list-protocol.ts'
import { readXlsx } from './read-xlsx.ts'

const MOST_BYTES = 20 * 1024 * 1024
const PREVIEWED = 5
const MAX_CELL = 10_000

let list: LeadList = { titles: [], rows: [] }

self.addEventListener('message', ({ data: { id, asked } }: MessageEvent<{ id: number; asked: Asked }>) => {
  const answer = (answered: Answered) => self.postMessage(answered)
  answerTo(asked).then(
    (result) => answer({ id, answer: result }),
    (error: unknown) => answer({ id, fault: error instanceof UnreadableFile ? error.fault : 'broken' }),
  )
})

async function answerTo(asked: Asked): Promise<ListHead | Checked | readonly SentRow[]> {
  if (asked.kind === 'read') {
    list = await readList(asked.file)
    return {
      titles: list.titles,
      total: list.rows.length,
      guess: guessColumns(list),
      samples: list.titles.map(
        (_, n) => list.rows.find(({ cells }) => cells[n])?.cells[n]?.slice(0, 60) ?? '',
      ),
    }
  }
  if (asked.kind === 'check') return check(asked.map)
  return list.rows.slice(asked.from, asked.from + asked.count).map(({ place, cells }) => {
    const row = rowOf(cells, asked.map)
    return [place, ...LIST_FIELDS.map((field) => row[field]?.slice(0, MAX_CELL) ?? null)] as const
  })
}

async function readList(file: File): Promise<LeadList> {
  if (file.size > MOST_BYTES) throw new UnreadableFile('large')
  const bytes = new Uint8Array(await file.arrayBuffer())
  const begins = (...first: number[]) => first.every((byte, n) => bytes[n] === byte)
  // By what it is, whatever it is called. The second one is how workbooks were before, or are with a password.
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) throw new UnreadableFile('kind')
  const isWorkbook = begins(0x50, 0x4b)
  const read = toLeadList(isWorkbook ? await readXlsx(bytes) : readCsv(textOf(bytes)))
  // A text that was only given a workbook's name is no empty workbook.
  if (read.rows.length === 0)
    throw new UnreadableFile(!isWorkbook && /\.xlsx$/i.test(file.name) ? 'kind' : 'empty')
  if (read.rows.length > MOST_ROWS) throw new UnreadableFile('rows')
  return read
}

/** Signs that no text has, and how pages and documents begin: a picture or a PDF would be a table of rubbish. */
const NO_TABLE = /[^\P{Cc}\s\u007f-\u009f]|^\s*(?:%PDF-|\{\\rtf|<(?:!doctype|html|\?xml|table)\b)/iu
const LOOKED_AT = 4_096

function textOf(bytes: Uint8Array): string {
  const text = decodeText(bytes)
  if (NO_TABLE.test(text.slice(0, LOOKED_AT))) throw new UnreadableFile('kind')
  return text
}

function check(map: Extract<Asked, { kind: 'check' }>['map']): Checked {
  const faults = new Map<RowFault, number>()
  const read = list.rows.map(({ place, cells }) => ({ place, ...readRow(rowOf(cells, map)) }))
  for (const { fault } of read) if (fault !== null) faults.set(fault, (faults.get(fault) ?? 0) + 1)
  const refused = [...faults.values()].reduce((sum, count) => sum + count, 0)
  return {
    good: list.rows.length - refused,
    preview: read.slice(0, PREVIEWED),
    faults: [...faults].map(([fault, count]) => ({ fault, count })).toSorted((a, b) => b.count - a.count),
  }
}
