// Lets the page use the worker that holds a list, so that a large list does not block the page.
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

export type ListReader = {
  /** Rejects with UnreadableFile. */
  read: (file: File) => Promise<ListHead>
  /** Reads the sheet again with another header line; a `header` of null means that the sheet has none. */
  header: (sheet: number, header: number | null) => Promise<SheetHead>
  check: (plan: Plan) => Promise<Checked>
  people: (plan: Plan) => Promise<People>
  rows: (plan: Plan, from: number) => Promise<Rows>
  /** Delays `close` until the returned function is called. */
  hold: () => () => void
  close: () => void
}

export function openListReader(): ListReader {
  const worker = new Worker(new URL('./list-worker.ts', import.meta.url), { type: 'module' })
  const open = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>()
  let count = 0
  worker.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
    const waiting = open.get(data.id)
    open.delete(data.id)
    if ('fault' in data) waiting?.reject(new UnreadableFile(data.fault))
    else waiting?.resolve(data.answer as never)
  })
  worker.addEventListener('error', ({ message }) => {
    for (const { reject } of open.values()) reject(new Error(message))
    open.clear()
  })
  const ask = <T>(asked: Asked): Promise<T> =>
    new Promise((resolve, reject) => {
      count += 1
      open.set(count, { resolve, reject })
      worker.postMessage({ id: count, asked })
    })
  let holds = 0
  let isOver = false
  const endIfDone = () => {
    if (isOver && holds === 0) worker.terminate()
  }
  return {
    read: (file) => ask({ kind: 'read', file }),
    header: (sheet, header) => ask({ kind: 'header', sheet, header }),
    check: (plan) => ask({ kind: 'check', plan }),
    people: (plan) => ask({ kind: 'people', plan }),
    rows: (plan, from) => ask({ kind: 'rows', plan, from }),
    hold: () => {
      holds += 1
      return () => {
        holds -= 1
        endIfDone()
      }
    },
    close: () => {
      isOver = true
      endIfDone()
    },
  }
}
