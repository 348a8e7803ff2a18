// The worker that reads a list of leads, and holds its rows during the preview and the upload.
import {
  check,
  type HeldSheet,
  headOf,
  peopleOf,
  holdSheet,
  holdWith,
  type PlannedRow,
  planRows,
  rowsFrom,
} from './held-list.ts'
import {
  type Answered,
  type Asked,
  type Checked,
  type ListHead,
  type People,
  type Plan,
  type Rows,
  type SheetHead,
  UnreadableFile,
} from './list-protocol.ts'
import { MAX_BYTES, readFile } from './read-file.ts'

let sheets: HeldSheet[] = []
/** Caches the rows of the last plan, because checking and sending use the same. */
let planned: { key: string; rows: PlannedRow[] } | null = null

function rowsBy(plan: Plan): PlannedRow[] {
  const key = JSON.stringify(plan)
  if (planned?.key !== key) planned = { key, rows: planRows(sheets, plan, Date.now()) }
  return planned.rows
}

self.addEventListener('message', ({ data: { id, asked } }: MessageEvent<{ id: number; asked: Asked }>) => {
  const answer = (answered: Answered) => self.postMessage(answered)
  answerTo(asked).then(
    (result) => answer({ id, answer: result }),
    (error: unknown) => answer({ id, fault: error instanceof UnreadableFile ? error.fault : 'broken' }),
  )
})

async function answerTo(asked: Asked): Promise<ListHead | SheetHead | Checked | People | Rows> {
  switch (asked.kind) {
    case 'read':
      return read(asked.file)
    case 'header': {
      const held = sheets[asked.sheet]
      if (!held) throw new UnreadableFile('broken')
      const changed = holdWith(held.sheet, asked.header)
      sheets[asked.sheet] = changed
      planned = null
      return headOf(changed)
    }
    case 'check':
      return check(sheets, rowsBy(asked.plan), asked.plan)
    case 'people':
      return peopleOf(rowsBy(asked.plan))
    case 'rows':
      return rowsFrom(rowsBy(asked.plan), asked.from)
  }
}

async function read(file: File): Promise<ListHead> {
  if (file.size > MAX_BYTES) throw new UnreadableFile('large')
  const found = await readFile(new Uint8Array(await file.arrayBuffer()), file.name)
  sheets = found
    .map(holdSheet)
    .filter(({ sheet }) => sheet.lines.some((cells) => cells.some((cell) => cell !== '')))
  if (sheets.length === 0) throw new UnreadableFile('empty')
  return { sheets: sheets.map(headOf) }
}
